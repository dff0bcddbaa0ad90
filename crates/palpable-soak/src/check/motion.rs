//! What the motion must obey: finite numbers, momentum of free worlds, closed joints, the floor.

use crate::check::finding::{Findings, Kind};
use crate::check::own::{Own, center_of_mass, moving};
use crate::check::watch::{Closed, Watch};
use palpable::{Anchor, Vec3, World};

/// A joint may be open by this much [m].
const OPEN: f64 = 1e-4;

/// Steps in which a joint may close what it was built with.
const SETTLING: usize = 20;

/// A centre of mass may be below the floor by this part of the body's radius.
const BELOW: f64 = 0.02;

/// Bodies that turn by more than this [rad] in a step need not keep their angular momentum: the
/// equation of their rotation is solved to rounding for slower ones.
const TURN: f64 = 0.5;

/// Half side of the floor that is judged [m]; the smallest floor is 5 m.
const FLOOR: f64 = 4.0;

/// Linear and angular momentum of a world.
#[derive(Debug, Clone, Copy, Default)]
pub struct Momentum {
    /// Linear [kg·m/s].
    pub linear: Vec3,
    /// Angular, about the origin [kg·m²/s].
    pub angular: Vec3,
}

impl Momentum {
    /// Of a world.
    pub fn of(world: &World) -> Self {
        Self { linear: world.momentum(), angular: world.angular_momentum() }
    }
}

/// True if every pose and velocity is finite.
pub fn judge_finite(world: &World, findings: &mut Findings) -> bool {
    let finite = |v: Vec3| v.iter().all(|x| x.is_finite());
    let bad = moving(world).find(|(body, center)| {
        !(finite(*center) && finite(world.velocity(*body)) && finite(world.angular_velocity(*body)))
    });
    if let Some((body, _)) = bad {
        let name = &world.model().bodies()[body.index()].name;
        findings.add(Kind::NotFinite, 1.0, 1.0, || format!("body {name}"));
    }
    bad.is_none()
}

/// A world that nothing acts on keeps its momentum: 1e-10 of `Σ m|v|`, and 1e-8 of that times the
/// largest distance for the angular one.
pub fn judge_momentum(world: &World, before: &Momentum, at_stake: Stake, findings: &mut Findings) {
    let after = Momentum::of(world);
    let linear = (after.linear - before.linear).norm();
    let angular = (after.angular - before.angular).norm();
    let scale = at_stake.momentum.max(f64::MIN_POSITIVE);
    let lever = scale * at_stake.distance;
    let note = || format!("of {scale:e} kg·m/s, farthest {:e} m", at_stake.distance);
    if !(linear <= 1e-10 * scale) {
        findings.add(Kind::Momentum, linear, linear / scale, note);
    }
    if !(angular <= 1e-8 * lever) && at_stake.turn < TURN {
        findings.add(Kind::AngularMomentum, angular, angular / lever, note);
    }
}

/// The scales of a free world.
#[derive(Debug, Clone, Copy)]
pub struct Stake {
    /// `Σ m |v|` [kg·m/s].
    pub momentum: f64,
    /// Farthest that a body reaches from the origin [m].
    pub distance: f64,
    /// Farthest that a body turns in the step [rad].
    pub turn: f64,
}

/// Fastest rate of a body [rad/s].
pub fn spin(world: &World) -> f64 {
    moving(world).map(|(body, _)| world.angular_velocity(body).norm()).fold(0.0, f64::max)
}

impl Stake {
    /// Of a world whose largest body has this `radius` [m].
    pub fn of(world: &World, own: [&Own; 2], radius: f64, turn: f64) -> Self {
        let centers = moving(world).map(|(body, _)| world.pose(body).position.norm());
        let distance = radius + centers.fold(0.0, f64::max);
        Self { momentum: own[0].momentum.max(own[1].momentum), distance, turn }
    }
}

/// Hard joints stay closed, and nothing falls through the floor.
pub fn judge_places(world: &World, watch: &Watch, findings: &mut Findings) {
    for &(body, radius) in &watch.above {
        let p = center_of_mass(world, body);
        if p.z < -BELOW * radius && p.x.abs() < FLOOR && p.y.abs() < FLOOR {
            let name = &world.model().bodies()[body.index()].name;
            let note = || format!("body {name} of radius {radius:.3} m at {p:?}");
            findings.add(Kind::ThroughFloor, -p.z, -p.z / radius, note);
        }
    }
    let settled = findings.step > SETTLING;
    for joint in watch.closed.iter().filter(|_| settled) {
        let gap = gap(world, joint);
        if gap > OPEN {
            findings.add(Kind::JointGap, gap, gap, || format!("joint {}", joint.name));
        }
    }
}

/// How far a joint is open [m].
fn gap(world: &World, joint: &Closed) -> f64 {
    let place = |anchor: &Anchor| match anchor.body {
        None => anchor.point,
        Some(body) => {
            let pose = world.pose(body);
            pose.position + pose.rotation * anchor.point
        }
    };
    (place(&joint.ends[0]) - place(&joint.ends[1])).norm() - joint.offset
}
