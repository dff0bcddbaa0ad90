//! The program `palpable`: runs scenes, reproduces the papers' figures, measures step times.
//!
//! Exit codes: 0 done, 1 a check failed or a step was refused, 2 a mistake in the command line, a
//! scene or a file name, 130 interrupted.

mod bench;
mod check;
mod completions;
mod connections;
mod demo;
mod doctor;
mod energy;
mod failure;
mod files;
mod hand;
mod output;
mod passivity;
mod progress;
mod reproduce;
mod run;
mod scenes;
mod schema;
mod step_times;
mod stop;
mod studio;
mod text;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// How a command ended, if nothing was wrong with what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    /// All is well.
    Well,
    /// A check failed or a step was refused.
    Failed,
    /// The user stopped it.
    Interrupted,
}

impl Done {
    fn code(self) -> u8 {
        match self {
            Done::Well => 0,
            Done::Failed => 1,
            Done::Interrupted => 130,
        }
    }
}

/// A physics engine you can feel: it never creates energy.
///
/// Without a command, opens the studio: a local page where the mouse is the hand.
#[derive(Parser)]
#[command(name = "palpable", version, max_term_width = 80, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long, global = true)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  palpable                              the studio, in your browser
  palpable run oscillator               simulate a scene of the gallery, record, plot
  palpable run my-scene.toml            the same for a file
  palpable run scenes/robots/arm.urdf   the same for a robot
  palpable run SCENE --device simulated
                                        hold the scene with a device
  palpable reproduce kim2017/fig1       a figure of a paper, with its checks
  palpable help run                     all about one command";

#[derive(Subcommand)]
enum Command {
    Studio(studio::Args),
    Demo(demo::Args),
    Run(Box<run::Args>),
    Check(check::Args),
    Reproduce(reproduce::Args),
    Passivity(passivity::Args),
    Bench(bench::Args),
    Scenes(scenes::Args),
    Schema(schema::Args),
    Doctor(doctor::Args),
    Completions(completions::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misread(&error),
    };
    let json = cli.json;
    match dispatch(cli) {
        Ok(done) => ExitCode::from(done.code()),
        Err(failure) => {
            failure.print(json);
            ExitCode::from(2)
        }
    }
}

/// Help and version as they are asked for; mistakes with the command that was probably meant, and
/// as JSON too if that was asked for.
fn misread(error: &clap::Error) -> ExitCode {
    let asked = std::env::args().any(|argument| argument == "--json");
    let near = command_near(error);
    if !error.use_stderr() || (near.is_none() && !asked) {
        // in colours, where there are any
        error.exit();
    }
    let mut text = error.render().to_string();
    if let Some(near) = near {
        let tip = format!("\n  tip: did you mean `palpable {near}`?\n\nUsage:");
        text = text.replacen("\nUsage:", &tip, 1);
    }
    Failure::new(text.trim().trim_start_matches("error: ")).print(asked);
    ExitCode::from(2)
}

/// The command nearest to the word that is none, if clap has not found one itself.
fn command_near(error: &clap::Error) -> Option<String> {
    use clap::CommandFactory;
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    let word = match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) => word,
        _ => return None,
    };
    if error.get(ContextKind::SuggestedSubcommand).is_some() {
        return None;
    }
    let known: Vec<String> =
        Cli::command().get_subcommands().map(|c| c.get_name().into()).collect();
    palpable_scene::nearest(word, known.iter().map(String::as_str)).map(str::to_owned)
}

fn dispatch(cli: Cli) -> Result<Done, Failure> {
    let json = cli.json;
    match cli.command {
        None => studio::main(&studio::Args::default(), json),
        Some(Command::Studio(args)) => studio::main(&args, json),
        Some(Command::Demo(_)) => demo::main(json),
        Some(Command::Run(args)) => run::main(&args, json),
        Some(Command::Check(args)) => check::main(&args, json),
        Some(Command::Reproduce(args)) => reproduce::main(&args, json),
        Some(Command::Passivity(args)) => passivity::main(&args, json),
        Some(Command::Bench(args)) => bench::main(&args, json),
        Some(Command::Scenes(args)) => scenes::main(&args, json),
        Some(Command::Schema(args)) => schema::main(&args),
        Some(Command::Doctor(args)) => doctor::main(&args, json),
        Some(Command::Completions(args)) => completions::main(&args, json),
    }
}
