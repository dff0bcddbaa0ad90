//! `palpable-fuzz [TARGET] [--seconds S] [--runs N] [--seed K]`: tries a target, or all of them one
//! after the other; exit code 1, and the input in a file, if something goes wrong: those before it
//! too, where what they did stays for the next.
//! `palpable-fuzz TARGET --input FILE...`: tries these files, one after the other.

use palpable_fuzz::target::Target;
use palpable_fuzz::{Limits, campaign};
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let chosen = words.first().and_then(|w| Target::ALL.into_iter().find(|t| t.name() == w));
    let runs = number("--runs");
    let seconds = number("--seconds").or(if runs.is_some() { None } else { Some(60) });
    let limits = Limits {
        runs: runs.unwrap_or(u64::MAX),
        time: seconds.map_or(Duration::MAX, Duration::from_secs),
    };
    if let (Some(target), Some(at)) = (chosen, words.iter().position(|word| word == "--input")) {
        let read = |file: &String| std::fs::read(file).unwrap_or_default();
        let inputs: Vec<Vec<u8>> = words[at + 1..].iter().map(read).collect();
        let times = palpable_fuzz::replay(target, &inputs);
        println!("time on a processor: {times:.2?}");
        return ExitCode::SUCCESS;
    }
    let mut code = ExitCode::SUCCESS;
    for target in Target::ALL.into_iter().filter(|t| chosen.is_none_or(|c| c == *t)) {
        let outcome = campaign(target, number("--seed").unwrap_or(1), limits);
        println!(
            "{:<8} {:>9} inputs, {:>6} kept, {:>7} places reached, slowest {:.2} s, \
             {} MB",
            target.name(),
            outcome.runs,
            outcome.kept,
            outcome.reached,
            outcome.slowest.as_secs_f64(),
            outcome.largest >> 20
        );
        if let Some((problem, inputs)) = outcome.failure {
            let file = |number: usize| format!("fuzz-{}-{number:02}.input", target.name());
            let write = |(number, input)| std::fs::write(file(number), input);
            let kept = inputs.iter().enumerate().try_for_each(write);
            let kept = kept.map_or("lost".to_owned(), |()| file(inputs.len() - 1));
            println!("{:<8} {problem}; the input is in {kept}", target.name());
            code = ExitCode::FAILURE;
        }
    }
    code
}
