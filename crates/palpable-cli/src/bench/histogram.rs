//! A histogram made of characters.

use crate::step_times::StepTimes;
use crate::text::{grouped, si};

/// Lines of a histogram at most.
const LINES: usize = 12;
/// Longest bar \[characters\].
const LONGEST: f64 = 48.0;

/// One line per bar: time, bar and count; at most 80 columns. What lies beyond p99.9 is one line.
pub fn draw(times: &StepTimes) -> String {
    let end = 1e-9 * times.quantile(0.999);
    let (edges, counts) = times.bars_below(end, LINES - 1);
    let most = counts.iter().copied().fold(1.0, f64::max);
    let mut text = String::new();
    for (index, count) in counts.iter().enumerate() {
        text.push_str(&line(&si(edges[index], "s"), *count, most));
    }
    let rest = times.total() as f64 - counts.iter().sum::<f64>();
    if rest > 0.0 {
        text.push_str(&line("longer", rest, most));
    }
    text
}

fn line(label: &str, count: f64, most: f64) -> String {
    // a bar is never empty if there is something in it
    let length = (LONGEST * count / most).ceil() as usize;
    let bar = "#".repeat(length);
    let text = format!("  {label:>10} |{bar:<50}{:>12}", grouped(count as u64));
    text + "\n"
}
