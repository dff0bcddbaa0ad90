//! `palpable passivity`: what a device can render, why it vibrates, and what to do about it.

mod coupling;
mod delay;
mod device_file;
mod explain;
mod loop_args;
mod mass;
mod page;
mod profile;
mod quantity;
mod spring_args;
mod tune;
mod verify;
mod wall;
mod zwidth;

pub use device_file::load_profile;

use crate::Done;
use crate::failure::Failure;
use clap::Subcommand;
use std::path::PathBuf;

/// What a device can render: required damping, minimum mass, Z-width, tuning
///
/// A device renders passively if its physical damping pays for the energy that
/// sampling creates. Quantities take units, `--stiffness "2 N/mm"`; plain
/// numbers are SI.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  palpable passivity wall --stiffness 1000 --damping 2 --device-damping 3
  palpable passivity tune --device devices/example.toml
  palpable passivity explain scene.toml --device devices/example.toml
  palpable passivity help tune

Exit code: 0 passive or answered, 1 a bound is broken, 2 mistakes.")]
pub struct Args {
    #[command(subcommand)]
    question: Question,
    /// Folder for plots
    #[arg(long, global = true, value_name = "DIR", default_value = "palpable-out/passivity")]
    out: PathBuf,
    /// Draw no plots
    #[arg(long, global = true)]
    no_plots: bool,
}

#[derive(Subcommand)]
enum Question {
    Wall(wall::Args),
    Coupling(coupling::Args),
    Mass(mass::Args),
    Zwidth(zwidth::Args),
    Delay(delay::Args),
    Tune(tune::Args),
    Explain(explain::Args),
    Profile(profile::Args),
}

/// Runs the command.
pub fn main(args: &Args, json: bool) -> Result<Done, Failure> {
    let page = match &args.question {
        Question::Wall(args) => wall::answer(args),
        Question::Coupling(args) => coupling::answer(args),
        Question::Mass(args) => mass::answer(args),
        Question::Zwidth(args) => zwidth::answer(args),
        Question::Delay(args) => delay::answer(args),
        Question::Tune(args) => tune::answer(args),
        Question::Explain(args) => explain::answer(args),
        Question::Profile(args) => profile::answer(args),
    }?;
    let folder = (!args.no_plots).then_some(args.out.as_path());
    page.show(folder, json)
}
