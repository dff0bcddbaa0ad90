//! One line on standard error that says how far a soak is; on a terminal only.

use super::tally::Tally;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between two looks of the line.
pub const PAUSE: Duration = Duration::from_millis(500);

/// The line.
pub struct Progress {
    start: Instant,
    next: Instant,
    shown: bool,
    goal: String,
}

impl Progress {
    /// A line of a soak that ends at a `goal`, in words.
    pub fn new(goal: String) -> Self {
        let start = Instant::now();
        Self { start, next: start, shown: std::io::stderr().is_terminal(), goal }
    }

    /// Wall time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Shows how far it is, if it is time to.
    pub fn show(&mut self, seed: u64, tally: &Tally, note: &str) {
        let now = Instant::now();
        if !self.shown || now < self.next {
            return;
        }
        self.next = now + PAUSE;
        let total = tally.total();
        let line = format!(
            "{} of {}  seed {seed}  {} worlds  {} steps  {} with violations{note}",
            clock(self.elapsed().as_secs()),
            self.goal,
            grouped(total.worlds),
            grouped(total.steps),
            grouped(total.violating),
        );
        let line: String = line.chars().take(79).collect();
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
    }

    /// Takes the line away.
    pub fn end(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        self.shown = false;
    }
}

/// `seconds` as `0:07` or `1:02:03`.
pub fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// A count with its digits in groups of three: `1 234 567`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
