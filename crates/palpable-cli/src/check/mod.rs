//! `palpable check`: reads a scene and lists every mistake, without running it.

mod robot;

use crate::failure::Failure;
use crate::text::{plural, seconds};
use crate::{Done, located, output};
use palpable_scene::{Built, Scene};
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

/// What is allowed and yet hardly meant.
pub fn warnings(built: &Built) -> Vec<String> {
    let model = &built.model;
    let mut all = Vec::new();
    let fixed = model.bodies().iter().find(|b| b.moving.is_none() && b.collider.is_some());
    let falls = model.params().gravity.norm() > 0.0 && model.bodies().iter().any(|b| {
        b.moving.is_some() && b.collider.is_some()
    });
    if let (Some(fixed), true, true) = (fixed, falls, model.contact().is_none()) {
        all.push(format!(
            "nothing touches `{}` or anything else, because the scene has no `contact` table; \
             add `contact = {{}}`",
            fixed.name
        ));
    }
    all.extend(overlaps(built));
    all
}

/// Bodies that overlap at the start: nothing pays for pushing them apart, so they stay so.
fn overlaps(built: &Built) -> Vec<String> {
    let mut world = built.world();
    // a step finds who touches
    world.step(1e-9, &world.inputs());
    let names = |i: usize| world.model().bodies().get(i).map_or("", |b| b.name.as_str()).to_owned();
    let mut worst: std::collections::BTreeMap<[usize; 2], f64> = std::collections::BTreeMap::new();
    for touch in world.contacts() {
        let depth = worst.entry(touch.bodies).or_insert(0.0);
        *depth = depth.max(-touch.gap);
    }
    let deep = worst.into_iter().filter(|(_, depth)| *depth > 1e-5).take(10);
    deep.map(|([a, b], depth)| {
        format!(
            "`{}` and `{}` overlap by {} at the start; they stay stuck unless you move one of them",
            names(a),
            names(b),
            crate::text::si3(depth, "m")
        )
    })
    .collect()
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
            "warnings": warnings(&built),
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
    for warning in warnings(&built) {
        output::print(&crate::text::wrapped(&format!("warning: {warning}"), 2))?;
    }
    Ok(Done::Well)
}
