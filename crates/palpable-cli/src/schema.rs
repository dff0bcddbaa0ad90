//! `palpable schema`: the JSON schema of scene files.

use crate::failure::Failure;
use crate::{Done, output};
use palpable_scene::Scene;

/// Print the JSON schema of scene files
///
/// Editors that know it complete and check scenes while you type: begin a TOML
/// scene with the line `#:schema scene.schema.json`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  palpable schema > scene.schema.json")]
pub struct Args {
    /// Print a page for people instead, in Markdown
    #[arg(long)]
    guide: bool,
}

/// Runs the command; the schema is JSON already.
pub fn main(args: &Args) -> Result<Done, Failure> {
    if args.guide {
        output::print(&Scene::guide())?;
        return Ok(Done::Well);
    }
    output::print_json(&Scene::schema())?;
    Ok(Done::Well)
}
