//! What a soak found, as a table of 80 columns.

use super::progress::grouped;
use super::tally::{Tally, Worlds};
use crate::run::GateCounts;
use std::fmt::Write;

/// The counts of a soak as text.
pub fn table(tally: &Tally) -> String {
    let mut text = format!(
        "{:14}{:>10}{:>9}{:>14}{:>14}{:>10}{:>9}\n",
        "profile", "worlds", "refused", "steps", "in contact", "violating", "slowest"
    );
    for (profile, worlds) in &tally.profiles {
        text += &row(profile.name(), worlds);
    }
    let total = tally.total();
    text += &row("all", &total);
    if total.gate != GateCounts::default() {
        text += &gates(tally);
    }
    text += &violations(tally);
    text
}

fn row(name: &str, w: &Worlds) -> String {
    format!(
        "{name:14}{:>10}{:>9}{:>14}{:>14}{:>10}{:>6.1} ms\n",
        grouped(w.worlds),
        grouped(w.refused),
        grouped(w.steps),
        grouped(w.touching),
        grouped(w.violating),
        w.slowest * 1e3
    )
}

/// What the engine's last gate did in each profile.
fn gates(tally: &Tally) -> String {
    let mut text = format!("\n{:14}{:>12}{:>12}{:>12}\n", "gate", "paid", "retries", "held");
    for (profile, worlds) in &tally.profiles {
        let GateCounts { paid, retries, held } = worlds.gate;
        let name = profile.name();
        let _ = writeln!(text, "{name:14}{paid:>12}{retries:>12}{held:>12}");
    }
    text
}

fn violations(tally: &Tally) -> String {
    if tally.violations.is_empty() {
        return "\nno violation\n".to_owned();
    }
    let mut text = format!(
        "\n{:20}{:14}{:>7}{:>9}{:>10}{:>10}{:>10}\n",
        "violation", "profile", "worlds", "steps", "worst", "relative", "seed"
    );
    for ((kind, profile), v) in &tally.violations {
        let _ = writeln!(
            text,
            "{:20}{:14}{:>7}{:>9}{:>10.1e}{:>10.1e}{:>10}",
            kind.name(),
            profile.name(),
            v.worlds,
            v.steps,
            v.size,
            v.relative,
            v.seed
        );
    }
    text
}
