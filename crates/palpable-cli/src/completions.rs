//! `palpable completions`: what a shell needs to complete commands and options.

use crate::failure::Failure;
use crate::{Cli, Done, output};
use clap::CommandFactory;
use clap_complete::Shell;

/// Print a script that completes commands and options in a shell
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    palpable completions bash > \\
      ~/.local/share/bash-completion/completions/palpable")]
pub struct Args {
    /// Shell to complete for
    shell: Shell,
}

/// Runs the command.
pub fn main(args: &Args, json: bool) -> Result<Done, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "palpable", &mut script);
    let script = String::from_utf8_lossy(&script);
    if json {
        let shell = args.shell.to_string();
        output::print_json(&serde_json::json!({ "shell": shell, "script": script }))?;
    } else {
        output::print(&script)?;
    }
    Ok(Done::Well)
}
