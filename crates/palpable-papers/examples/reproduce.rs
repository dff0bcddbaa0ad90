//! Runs experiments and prints their checks:
//! `cargo run -p palpable-papers --example reproduce -- FOLDER [PATTERN]`.

use palpable_papers::{PaperError, find, run};
use std::path::PathBuf;

fn main() -> Result<(), PaperError> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "out".into()));
    for experiment in find(&arguments.next().unwrap_or_default())? {
        let start = std::time::Instant::now();
        let outcome = run(experiment, &folder, &mut |_| {})?;
        println!("{}: {} ({:.2?})", outcome.id, experiment.title, start.elapsed());
        outcome.checks.iter().for_each(|check| println!("  {check}"));
    }
    Ok(())
}
