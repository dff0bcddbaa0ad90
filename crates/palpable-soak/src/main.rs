//! The program `palpable-soak`: runs random worlds for a time or a number of steps.

mod args;
mod one;

use args::Task;
use palpable_soak::soak::campaign::{Plan, THREAD, soak};
use palpable_soak::soak::progress::clock;
use palpable_soak::soak::table::table;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// True once the user pressed Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let task = match args::read(std::env::args().skip(1)) {
        Ok(task) => task,
        Err(mistake) => {
            eprintln!("{mistake}");
            return ExitCode::from(2);
        }
    };
    quiet_panics();
    let result = match task {
        Task::Help => {
            print!("{}", args::HELP);
            Ok(ExitCode::SUCCESS)
        }
        Task::One { seed, out } => one::main(seed, out.as_deref()).map(verdict),
        Task::Soak(plan) => many(&plan),
    };
    result.unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::from(2)
    })
}

/// 0 without violations, else 1.
fn verdict(violations: u64) -> ExitCode {
    if violations > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn many(plan: &Plan) -> io::Result<ExitCode> {
    // without a handler Ctrl-C ends the program as usual: files are whole even then
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    let state = soak(plan, || STOP.load(Ordering::Relaxed))?;
    print!("{}", table(&state.tally));
    let time = clock(state.seconds as u64);
    println!("\nfrom seed {}, next seed {}, {time} in all", state.from, state.next);
    if let Some(folder) = &plan.out {
        let folder = folder.display();
        println!("{folder}: state.txt, violations.tsv, a program for each kind and profile");
    }
    let busy = state.tally.leans_on_the_gate();
    if busy {
        println!("the last gate was needed in more than one of 100 000 moderate steps");
    }
    let violating = state.tally.total().violating + u64::from(busy);
    if violating == 0 && STOP.load(Ordering::Relaxed) {
        return Ok(ExitCode::from(130));
    }
    Ok(verdict(violating))
}

/// A panic of the engine is a finding, which is reported; it need not be printed as well.
fn quiet_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some(THREAD) {
            usual(panic);
        }
    }));
}
