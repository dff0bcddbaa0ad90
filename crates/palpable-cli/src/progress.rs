//! A bar on standard error: only on a terminal, and only for what takes longer than two seconds.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Nothing is shown before this.
const PATIENCE: Duration = Duration::from_secs(2);
/// Time between two looks of the bar.
const PAUSE: Duration = Duration::from_millis(100);
/// Length of the whole bar; a share is shown to a hundredth of a percent.
const WHOLE: f64 = 1e4;

/// The share of a job that is done, with rate and time left.
pub struct Progress {
    bar: Option<ProgressBar>,
    wanted: bool,
    name: String,
    unit: &'static str,
    start: Instant,
    next: Instant,
}

impl Progress {
    /// A job that is called `name` and counts in `unit`, e.g. `steps`; may be empty.
    pub fn new(name: &str, unit: &'static str) -> Self {
        let start = Instant::now();
        Self {
            bar: None,
            wanted: std::io::stderr().is_terminal(),
            name: name.to_owned(),
            unit,
            start,
            next: start + PATIENCE,
        }
    }

    /// Says that at `now` the `share` 0..1 is done after `count` units.
    pub fn at(&mut self, now: Instant, share: f64, count: u64) {
        if !self.wanted || now < self.next {
            return;
        }
        self.next = now + PAUSE;
        let seconds = now.duration_since(self.start).as_secs_f64();
        let bar = self.bar.get_or_insert_with(|| make(&self.name));
        bar.set_position((WHOLE * share.clamp(0.0, 1.0)) as u64);
        let left = Duration::try_from_secs_f64(seconds * (1.0 - share) / share.max(1e-9));
        let left = left.map_or_else(|_| "?".into(), |left| clock(left.as_secs()));
        let rate = if self.unit.is_empty() {
            String::new()
        } else {
            format!("{} {}/s, ", crate::text::grouped((count as f64 / seconds) as u64), self.unit)
        };
        bar.set_message(format!("{rate}{left} left"));
        bar.tick();
    }

    /// Takes the bar away.
    pub fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.wanted = false;
    }
}

fn make(name: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(WHOLE as u64), ProgressDrawTarget::stderr());
    // the template is ours and parses; if it did not, the default one would serve
    if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:24}] {percent:>3} %  {msg}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_prefix(name.chars().take(20).collect::<String>());
    bar
}

/// `seconds` as `0:07` or `1:02:03`.
fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}
