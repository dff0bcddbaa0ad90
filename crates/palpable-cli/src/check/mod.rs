//! `palpable check`: reads a scene and lists every mistake, without running it.

mod robot;

use crate::failure::Failure;
use crate::text::{plural, seconds};
use crate::{Done, output};
use palpable::Overlap;
use palpable_scene::Scene;
use palpable_studio::located;
use std::path::PathBuf;

/// Check a scene or robot file without running it
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  palpable check scenes/oscillator.toml\n  \
    palpable check scenes/robots/arm.urdf\n\n\
    Every mistake is listed with line, field and cure; the exit code is then 2.\n\
    Of robots, links, joints and masses are listed, and every tag that is ignored.")]
pub struct Args {
    /// Scene file, TOML or JSON, or robot, URDF
    scene: PathBuf,
    /// Read no file outside the folder of the scene: for a scene that you did not write
    #[arg(long)]
    own_folder: bool,
}

/// Runs the command.
pub fn main(args: &Args, json: bool) -> Result<Done, Failure> {
    let load = if args.own_folder { Scene::load_within } else { Scene::load };
    let found = located::find(&args.scene)?;
    let built = load(&found.path)?.build()?;
    let model = &built.model;
    let (bodies, ports) = (model.bodies().len(), model.ports().len());
    let couplings = model.ports().iter().filter(|port| port.element.is_some()).count();
    let springs = model.elements().len() - couplings;
    let steps = built.expected_steps();
    if json {
        return output::print_json(&serde_json::json!({
            "ok": true, "scene": built.name, "bodies": bodies, "springs": springs,
            "ports": ports, "expected_steps": steps, "duration": built.duration,
            "scheme": built.options.scheme.name(),
            "overlaps": model.overlaps().iter().map(overlap_json).collect::<Vec<_>>(),
            "warnings": built.warnings(),
            "robots": built.robots.iter().map(robot::json).collect::<Vec<_>>(),
        }))
        .map(|()| Done::Well);
    }
    output::print(&format!(
        "{}: no mistakes\n  {}, {}, {}; about {} for {}\n",
        args.scene.display(),
        plural(bodies, "body", "bodies"),
        plural(springs, "spring or damper", "springs and dampers"),
        plural(ports, "port", "ports"),
        plural(steps as usize, "step", "steps"),
        seconds(built.duration),
    ))?;
    for robot in &built.robots {
        output::print(&robot::text(robot))?;
    }
    for warning in built.warnings() {
        output::print(&crate::text::wrapped(&format!("warning: {warning}"), 2))?;
    }
    Ok(Done::Well)
}

fn overlap_json(overlap: &Overlap) -> serde_json::Value {
    serde_json::json!({ "bodies": overlap.names, "depth": overlap.depth })
}
