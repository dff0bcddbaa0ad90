//! A run as one JSON object.

use super::joints::Joints;
use super::simulate::{Ended, Run};
use crate::energy::Energy;
use crate::step_times::Quantiles;
use palpable::Status;
use serde::Serialize;

/// The object that `palpable run --json` prints. Energies in J.
#[derive(Serialize)]
pub struct Report {
    scene: String,
    status: &'static str,
    interrupted: bool,
    scheme: &'static str,
    contact_law: &'static str,
    steps: u64,
    simulated_seconds: f64,
    wall_seconds: f64,
    finite: bool,
    energy: Energy,
    step_time_us: Quantiles,
    contacts: Contacts,
    audit: Audit,
    quality: Quality,
    bodies: Vec<Place>,
    joints: Vec<Angle>,
    state_hash: String,
    out: String,
    files: Vec<String>,
}

/// Where a body ended: position [m], quaternion x y z w, velocity [m/s].
#[derive(Serialize)]
struct Place {
    name: String,
    position: [f64; 3],
    rotation: [f64; 4],
    velocity: [f64; 3],
}

/// Where a joint ended.
#[derive(Serialize)]
struct Angle {
    name: String,
    /// rad or m
    position: f64,
    /// rad/s or m/s
    rate: f64,
    unit: &'static str,
}

fn places(run: &Run) -> Vec<Place> {
    let bodies = run.world.model().bodies().iter().enumerate();
    let moving = bodies.filter(|(_, b)| b.moving.is_some());
    let place = |(i, b): (usize, &palpable::model::BodyInfo)| {
        let id = run.world.body(i)?;
        let (pose, v) = (run.world.pose(id), run.world.velocity(id));
        let (p, q) = (pose.position, pose.rotation.coords);
        let rotation = [q.x, q.y, q.z, q.w];
        let (position, velocity) = ([p.x, p.y, p.z], [v.x, v.y, v.z]);
        Some(Place { name: b.name.clone(), position, rotation, velocity })
    };
    moving.filter_map(place).collect()
}

fn joints(run: &Run) -> Vec<Angle> {
    let all = Joints::of(&run.built, &run.world).read(&run.world);
    let one = |(name, turns, [position, rate]): (String, bool, [f64; 2])| Angle {
        name,
        position,
        rate,
        unit: if turns { "rad" } else { "m" },
    };
    all.into_iter().map(one).collect()
}

#[derive(Serialize)]
struct Contacts {
    max: u64,
    /// deepest overlap at the end of a step [m]
    max_depth: f64,
    /// strongest at a point [N]
    max_force: f64,
    /// piles that a printed law could not solve and the exact cone held instead
    unsolved: u64,
    /// points and pairs that found no room in a step, at most
    left_out: u64,
}

#[derive(Serialize)]
struct Audit {
    clean: bool,
    /// unexplained energy since the start; positive if created
    closure: f64,
    text: String,
}

#[derive(Serialize)]
struct Quality {
    fallbacks: u64,
    divided_steps: u64,
    ignored_inputs: u64,
    max_gap: f64,
}

impl Report {
    /// Collects the numbers of a run.
    pub fn new(run: &Run) -> Self {
        let (status, interrupted) = match run.ended {
            Ended::Finished => ("finished", false),
            Ended::Interrupted => ("interrupted", true),
            Ended::Refused(_) => ("refused", false),
        };
        let audit = run.world.audit();
        Self {
            scene: run.built.name.clone(),
            status,
            interrupted,
            scheme: run.built.options.scheme.name(),
            contact_law: run.built.options.contact_law.name(),
            steps: run.world.tick(),
            simulated_seconds: run.world.time(),
            wall_seconds: run.wall.as_secs_f64(),
            finite: run.ended != Ended::Refused(Status::NotFinite),
            energy: Energy::of(&run.world),
            step_time_us: run.times.quantiles(),
            contacts: Contacts {
                max: run.contacts,
                max_depth: run.depth,
                max_force: run.force,
                unsolved: run.unsolved,
                left_out: run.left_out,
            },
            audit: Audit {
                clean: audit.is_clean(),
                closure: audit.closure,
                text: audit.to_string().trim_end().to_owned(),
            },
            quality: Quality {
                fallbacks: run.world.ledger().fallbacks(),
                divided_steps: run.divided,
                ignored_inputs: run.ignored_inputs,
                max_gap: run.gap,
            },
            bodies: places(run),
            joints: joints(run),
            state_hash: format!("{:016x}", run.world.state_hash()),
            out: run.out.display().to_string(),
            files: run.files.iter().map(|file| file.display().to_string()).collect(),
        }
    }
}
