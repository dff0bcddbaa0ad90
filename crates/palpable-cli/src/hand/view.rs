//! The loop while it runs, on a terminal.

use super::session::Hand;
use crate::output;
use crate::text::{fit, grouped, seconds, si3};
use palpable_haptics::State;
use palpable_haptics::rt::Live;
use palpable_scene::Built;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between two pictures.
const PAUSE: Duration = Duration::from_millis(100);
/// Width of the force bar \[characters\].
const BAR: usize = 24;

/// A few lines on standard error that are drawn over and over; nothing if it is no terminal.
pub struct View {
    wanted: bool,
    title: String,
    duration: f64,
    drawn: usize,
    next: Instant,
    hands: Vec<Seen>,
}

/// What is shown of one hand.
struct Seen {
    name: String,
    peak: f64,
    last: Option<(Instant, u64)>,
    rate: f64,
}

impl View {
    /// A view of the hands in a scene; `json` runs have none.
    pub fn new(built: &Built, hands: &[&Hand], json: bool) -> Self {
        let name = |hand: &Hand| format!("{} at `{}`", hand.capabilities.name, hand.port.1);
        let plain = |text: &str| output::plain(text).replace('\n', " ");
        let seen = |hand: &&Hand| Seen {
            name: plain(&name(hand)),
            peak: hand.capabilities.force.peak,
            last: None,
            rate: 0.0,
        };
        Self {
            wanted: !json && std::io::stderr().is_terminal(),
            title: plain(&built.name),
            duration: built.duration,
            drawn: 0,
            next: Instant::now(),
            hands: hands.iter().map(seen).collect(),
        }
    }

    /// Draws how the loops are doing, ten times a second.
    pub fn show(&mut self, all: &[Live]) {
        let now = Instant::now();
        if !self.wanted || now < self.next {
            return;
        }
        self.next = now + PAUSE;
        for (seen, live) in self.hands.iter_mut().zip(all) {
            if let Some((then, ticks)) = seen.last {
                let passed = now.duration_since(then).as_secs_f64();
                seen.rate = live.ticks.saturating_sub(ticks) as f64 / passed.max(1e-3);
            }
            seen.last = Some((now, live.ticks));
        }
        let lines = self.lines(all);
        let mut text = self.back();
        for line in &lines {
            text.push_str(&format!("\x1b[2K{line}\n"));
        }
        self.drawn = lines.len();
        let _ = std::io::stderr().write_all(text.as_bytes());
    }

    /// Takes the lines away.
    pub fn end(&mut self) {
        if self.drawn > 0 {
            let text = format!("{}\x1b[J", self.back());
            let _ = std::io::stderr().write_all(text.as_bytes());
            self.drawn = 0;
        }
        self.wanted = false;
    }

    fn back(&self) -> String {
        if self.drawn > 0 { format!("\x1b[{}A", self.drawn) } else { String::new() }
    }

    /// The picture, at most 80 columns wide.
    fn lines(&self, all: &[Live]) -> Vec<String> {
        let Some(first) = all.first() else { return Vec::new() };
        let time = seconds_short(first.time.as_secs_f64());
        let mut lines = vec![self.title.clone()];
        lines.push(format!("  time    {time} of {}", seconds(self.duration)));
        lines.push(format!("  world   {} stored", si3(first.books.stored.total(), "J")));
        for (seen, live) in self.hands.iter().zip(all) {
            lines.extend(seen.lines(live));
        }
        lines.push("  Ctrl-C fades the force out and ends".to_owned());
        lines.iter().map(|line| fit(line, 79).trim_end().to_owned()).collect()
    }
}

impl Seen {
    fn lines(&self, live: &Live) -> [String; 5] {
        let force = live.force.norm();
        let full = if self.peak > 0.0 { (force / self.peak).clamp(0.0, 1.0) } else { 0.0 };
        let filled = (full * BAR as f64).round() as usize;
        let bar = format!("{}{}", "#".repeat(filled), "-".repeat(BAR - filled));
        let state = state(live.state);
        let why = match live.fault {
            Some(fault) if live.state != State::Active => format!(": {}", fault.text()),
            _ => String::new(),
        };
        let energy = if live.given > 0.0 { "hand received" } else { "hand put in" };
        [
            format!("  {}", self.name),
            format!("  rate    {:.0} Hz, {} deadlines missed", self.rate, grouped(live.missed)),
            format!("  force   [{bar}] {} of {}", si3(force, "N"), si3(self.peak, "N")),
            format!("  energy  {energy} {}", si3(live.given.abs(), "J")),
            format!("  state   {state}{why}"),
        ]
    }
}

fn seconds_short(time: f64) -> String {
    format!("{time:.1} s")
}

/// A state in words.
pub fn state(state: State) -> &'static str {
    match state {
        State::Off => "off",
        State::Ramping => "force rising",
        State::Active => "active",
        State::Damping => "world is late: damping",
        State::Fading => "force fading",
        State::Waiting => "waiting without force",
        State::Stopped => "stopped",
    }
}
