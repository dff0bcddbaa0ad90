//! The measurements as a table for people.

use super::measure::Measured;
use super::{Report, histogram};
use crate::text::{digits, fit, grouped, wrapped};

/// Table, growth, two histograms and a word of caution.
pub fn text(report: &Report) -> String {
    let mut text = String::from("step times [µs], steps of 1 ms\n\n");
    text.push_str(&format!(
        "  {}{:>7}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}\n",
        fit("world", 16),
        "bodies",
        "median",
        "p99",
        "p99.9",
        "max",
        "cpu",
        "ns/body"
    ));
    report.worlds.iter().for_each(|world| text.push_str(&row(world)));
    text.push('\n');
    let growths =
        [("free bodies", report.growth_exponent.free), ("chains", report.growth_exponent.chain)];
    for (name, exponent) in growths {
        if let Some(exponent) = exponent {
            let words = format!("median of {name} grows as bodies^{exponent:.2} (10 and more)");
            text.push_str(&wrapped(&words, 2));
        }
    }
    for kind in ["free", "chain"] {
        // the middle one of a kind stands for it
        let of_kind: Vec<&Measured> = report.worlds.iter().filter(|w| w.kind == kind).collect();
        if let Some(world) = of_kind.get(of_kind.len() / 2) {
            text.push_str(&format!("\n{}, {} bodies\n", world.name, grouped(world.n as u64)));
            text.push_str(&histogram::draw(&world.times));
        }
    }
    text.push('\n');
    text.push_str(&wrapped(report.note, 0));
    if report.worlds.iter().all(|world| world.cpu_mean_us.is_some()) {
        let words = "cpu is the mean time on a processor per step, without the time others took.";
        text.push_str(&wrapped(words, 0));
    }
    text
}

fn row(world: &Measured) -> String {
    let q = &world.step_time_us;
    let cpu = world.cpu_mean_us.map_or_else(|| "-".into(), digits);
    format!(
        "  {}{:>7}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}\n",
        fit(world.name, 16),
        world.n,
        digits(q.median),
        digits(q.p99),
        digits(q.p999),
        digits(q.max),
        cpu,
        digits(world.ns_per_body)
    )
}
