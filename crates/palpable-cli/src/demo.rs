//! `palpable demo`: runs the demonstration scene and says where its plots are.

use crate::failure::Failure;
use crate::text::wrapped;
use crate::{Done, files, output, run};
use palpable_scene::Scene;

/// The scene, inside the program, so that it runs from any folder.
const SCENE: &str = include_str!("../../../scenes/demo.toml");

/// Every how many steps a row is recorded.
const EVERY: u64 = 5;

/// Run the demonstration scene and draw its plots in palpable-out/demo
#[derive(clap::Args)]
pub struct Args {}

/// Runs the demonstration.
pub fn main(json: bool) -> Result<Done, Failure> {
    let mut built = Scene::parse(SCENE, "demo.toml")?.build()?;
    // enough for viewers, and a demonstration should not fill a disk
    built.record.every = built.record.every.max(EVERY);
    let introduction = format!(
        "palpable {}: a physics engine you can feel. It never creates energy.\n\nThe \
         demonstration: {}.\n",
        env!("CARGO_PKG_VERSION"),
        built.description
    );
    if !json {
        output::print(&introduction)?;
    }
    let run = run::go(built, &run::Plan::everything("demo"))?;
    if json {
        run::print_json(&run)?;
        return Ok(run::done(&run));
    }
    let mut text = run::speed(&run);
    text.push('\n');
    text.push_str(&run::books(&run));
    text.push('\n');
    text.push_str(&files::text(&run.files));
    text.push_str("\nLook at energy.png: stored and lost energy together are what was put in.\n");
    text.push_str(&wrapped(
        "Next: `palpable run SCENE` for a scene of your own, `palpable reproduce` for the papers' \
         figures, `palpable help` for the rest.",
        0,
    ));
    output::print(&text)?;
    Ok(run::done(&run))
}
