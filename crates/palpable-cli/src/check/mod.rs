//! `palpable check`: reads a scene and lists every mistake, without running it.

mod robot;

use crate::failure::Failure;
use crate::text::{plural, seconds, si3, wrapped};
use crate::{Done, output};
use palpable::{Model, Overlap};
use palpable_scene::Scene;
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
    let built = load(&args.scene)?.build()?;
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
    output::print(&overlaps(model))?;
    for robot in &built.robots {
        output::print(&robot::text(robot))?;
    }
    Ok(Done::Well)
}

/// Pairs that are listed one by one.
const LISTED: usize = 8;

/// Bodies that begin inside each other, for people; empty if there are none.
pub fn overlaps(model: &Model) -> String {
    let found = model.overlaps();
    let mut text = String::new();
    for overlap in found.iter().take(LISTED) {
        let [a, b] = &overlap.names;
        let depth = si3(overlap.depth, "m");
        text.push_str(&wrapped(&format!("at the start {a} and {b} overlap by {depth}"), 2));
    }
    if found.len() > LISTED {
        let more = plural(found.len() - LISTED, "pair", "pairs");
        text.push_str(&wrapped(&format!("and {more} more overlap less"), 2));
    }
    text
}

fn overlap_json(overlap: &Overlap) -> serde_json::Value {
    serde_json::json!({ "bodies": overlap.names, "depth": overlap.depth })
}
