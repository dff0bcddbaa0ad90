//! One world: what it breaks, and a shrunk program for each law.

use palpable_soak::generate::generate;
use palpable_soak::program::program;
use palpable_soak::run::{Slowest, run};
use palpable_soak::shrink::shrink_violation;
use palpable_soak::soak::files::write_program;
use palpable_soak::soak::pool::Violation;
use std::io;
use std::path::Path;

/// Runs the world of a seed, and writes programs if there is a folder for them; returns the number
/// of laws it breaks.
pub fn main(seed: u64, out: Option<&Path>) -> io::Result<u64> {
    let scene = generate(seed);
    let outcome = run(&scene);
    let Slowest { seconds, step } = outcome.slowest;
    println!("seed {seed}, {}: {} steps", scene.profile.name(), outcome.steps);
    println!("slowest step {:.1} ms, step {step}", seconds * 1e3);
    if let Some(refusal) = &outcome.refusal {
        println!("not built: {refusal}");
    }
    for (kind, finding) in &outcome.findings.found {
        let (name, note) = (kind.name(), &finding.note);
        println!(
            "{name}: {} steps, worst in step {}, {:.3e}, relative {:.3e}\n  {note}",
            finding.count, finding.step, finding.size, finding.relative
        );
        if let Some(folder) = out {
            let small = shrink_violation(&scene, *kind, || false);
            let violation = Violation { kind: *kind, seed };
            let path = write_program(folder, violation, &program(&small, *kind))?;
            println!("  {}", path.display());
        }
    }
    Ok(outcome.findings.found.len() as u64)
}
