//! Random worlds with chains, trees, loops, beams, tendons, gears, motors, stops and dry friction.

use super::Random;
use palpable::{
    Anchor, Beam, Body, BodyId, Chain, Inputs, Joint, Link, MassProperties, Model, ModelBuilder,
    Mount, Options, Port, PortId, PortInput, Pose, Rotation, Shape, Spring, SystemId, Vec3, World,
};

/// A motor or a force port, and the largest effort that a test applies there.
pub struct Motor {
    port: PortId,
    effort: f64,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Effort,
    Rate,
    Target,
    Force,
}

/// A box with a mass of 1e-4 to 1e3 kg.
fn random_mass(r: &mut Random) -> MassProperties {
    let half = Vec3::new(r.decades(5e-3, 0.3), r.decades(5e-3, 0.3), r.decades(5e-3, 0.3));
    let shape = Shape::cuboid(half).expect("a box");
    shape.mass_properties(r.decades(1e-4, 1e3) / shape.volume())
}

/// One to six links that turn or slide, in a row or branched, fixed or floating.
fn random_chain(r: &mut Random, name: &str) -> (Chain, usize) {
    let (mut chain, count) = (Chain::new(name), 1 + r.below(6));
    if r.below(2) == 0 {
        let pose = Pose { position: r.vector(1.0), rotation: r.rotation() };
        chain = chain.floating(format!("{name} base"), random_mass(r), pose);
        chain = chain.base_velocity(r.vector(1.0), r.vector(10.0));
    }
    for i in 0..count {
        let label = format!("{name} link{i}");
        let slides = r.below(3) == 0;
        let link = if slides { Link::prismatic(label) } else { Link::revolute(label) };
        let link = link.at(r.vector(0.3), r.rotation()).held_at(r.vector(0.3), r.rotation());
        let m = random_mass(r);
        let link = link.inertia(m.mass, r.vector(0.1), m.inertia);
        let rate = if slides { r.between(-1.0, 1.0) } else { r.between(-10.0, 10.0) };
        let link = link.start(r.between(-1.0, 1.0), rate);
        let link = if r.below(3) == 0 { link.damping(r.decades(1e-6, 1.0)) } else { link };
        chain.link(if i > 0 && r.below(5) > 0 { link.on(r.below(i)) } else { link });
    }
    (chain, count)
}

fn random_beam(r: &mut Random) -> Beam {
    let modes = 1 + r.below(4);
    let beam = Beam::new("beam", r.decades(0.1, 2.0), r.decades(1e-3, 10.0), r.decades(1e-3, 1e5));
    let mounts = [Mount::Clamped, Mount::Hub, Mount::Planar];
    let beam = beam.mount(mounts[r.below(3)], r.decades(1e-3, 1.0), r.decades(1e-5, 1e-2));
    beam.modes(modes).stations(1).at(Pose { position: r.vector(1.0), rotation: r.rotation() })
}

/// Stiffness from 1e-3 to 1e8 N/m; `None` is hard.
fn random_stiffness(r: &mut Random) -> Option<f64> {
    (r.below(3) > 0).then(|| r.decades(1e-3, 1e8))
}

fn random_joint(r: &mut Random, a: Anchor, b: Anchor) -> Joint {
    let kinds = [Joint::ball, Joint::hinge, Joint::universal, Joint::prismatic, Joint::planar];
    let joint = kinds[r.below(kinds.len())](a, b);
    match random_stiffness(r) {
        Some(k) => {
            joint.stiffness(k).damping(if r.below(3) == 0 { r.decades(1e-4, 1e2) } else { 0.0 })
        }
        None => joint,
    }
}

/// The frame of `a` seen from another body, or the world.
fn meeting(
    r: &mut Random,
    probe: &World,
    a: (BodyId, Vec3, Rotation),
    b: Option<BodyId>,
) -> Anchor {
    let pose = probe.pose(a.0);
    let (at, frame) = (pose.position + pose.rotation * a.1, pose.rotation * a.2);
    let at = at + r.vector(1e-3);
    match b {
        None => Anchor::world(at).turned(frame),
        Some(b) => {
            let other = probe.pose(b);
            let inverse = other.rotation.inverse();
            b.at(inverse * (at - other.position)).turned(inverse * frame)
        }
    }
}

fn tie(model: &mut ModelBuilder, spring: impl Into<Spring>) {
    model.spring(spring);
}

/// Stops, dry friction or both, a start beyond the stops among them.
fn random_bounds(r: &mut Random, measure: Spring) -> Spring {
    let (which, friction) = (r.below(3), r.decades(1e-4, 10.0));
    let lower = r.between(-2.0, 0.5);
    let upper = lower + r.decades(1e-2, 3.0);
    let stiffness = if r.below(2) == 0 { 0.0 } else { r.decades(1e-3, 1e4) };
    let measure = measure.stiffness(stiffness);
    let measure = if which > 0 { measure.stops(lower, upper) } else { measure };
    if which < 2 { measure.friction(friction) } else { measure }
}

/// Adds springs, tendons, couplings and motors on the coordinates of a chain of `n` joints.
fn drive_chain(r: &mut Random, model: &mut ModelBuilder, id: SystemId, n: usize) -> Option<Motor> {
    let row: Vec<f64> = (0..n).map(|_| r.between(-0.05, 0.05)).collect();
    match r.below(4) {
        0 => tie(model, Spring::tendon(id, &row).stiffness(r.decades(1.0, 1e6)).rest(0.01)),
        1 if n > 1 => tie(model, Joint::coupling(id, 0, n - 1, r.between(-3.0, 3.0), 0.0)),
        2 => tie(model, Spring::coordinate(id, n - 1).stiffness(r.decades(1e-3, 1e6))),
        _ => {}
    }
    if r.below(2) == 0 {
        let measure = Spring::coordinate(id, r.below(n));
        let bounded = random_bounds(r, measure);
        tie(model, bounded);
    }
    if r.below(2) == 0 {
        return None;
    }
    let kind = [Kind::Effort, Kind::Rate, Kind::Target][r.below(3)];
    let measure = Spring::coordinate(id, r.below(n));
    Some(add_motor(r, model, "coordinate", measure, kind))
}

fn add_motor(
    r: &mut Random,
    model: &mut ModelBuilder,
    name: &str,
    measure: Spring,
    kind: Kind,
) -> Motor {
    let measure = match kind {
        Kind::Rate => measure.damping(r.decades(1e-4, 1e2)),
        Kind::Target => measure.stiffness(r.decades(1e-2, 1e4)).damping(r.decades(1e-4, 1e2)),
        _ => measure,
    };
    let name = format!("{name} {}", r.bits());
    Motor { port: model.port(Port::motor(name, measure)), effort: r.decades(1e-4, 1.0), kind }
}

/// Two wheels on hinges with a gear between them, one of them driven.
fn add_gears(r: &mut Random, model: &mut ModelBuilder) -> Motor {
    let mut wheel = |name: &str, at: [f64; 3]| {
        let m = random_mass(r);
        let body = Body::new(name).inertia(m.mass, [0.0; 3], m.inertia).position(at);
        let id = model.body(body);
        model.joint(Joint::hinge(id.origin(), Anchor::world(at)));
        (id.origin(), Anchor::world(at))
    };
    let (a, hub) = wheel("gear a", [2.0, 0.0, 0.0]);
    let (b, far) = wheel("gear b", [2.5, 0.0, 0.0]);
    let ratio = r.decades(0.1, 10.0);
    let bounded = random_bounds(r, Spring::angle(b, far));
    model.spring(bounded);
    model.joint(Joint::gear(a, hub, b, far, ratio));
    let kind = [Kind::Effort, Kind::Rate, Kind::Target][r.below(3)];
    add_motor(r, model, "gear", Spring::angle(a, hub), kind)
}

/// Chains, beams and bodies, joined to each other and to the world here and there.
pub fn random_articulated(r: &mut Random, options: Options) -> (World, Vec<Motor>) {
    let mut model = Model::ghosts();
    if r.below(2) == 0 {
        model.gravity([0.0, 0.0, -9.81]);
    }
    let (mut ends, mut motors) = (Vec::new(), Vec::new());
    for i in 0..r.below(4) {
        let (size, mass) = (r.decades(1e-2, 0.3), r.decades(1e-4, 1e3));
        let body = super::random_body(r, i, size, mass);
        ends.push(model.body(body.position(r.vector(1.0)).rotation(r.rotation())));
    }
    for i in 0..1 + r.below(2) {
        let (chain, count) = random_chain(r, &format!("chain{i}"));

        let id = model.chain(chain);
        ends.extend((0..count).map(|k| id.link(k)));
        motors.extend(drive_chain(r, &mut model, id, count));
    }
    if r.below(3) == 0 {
        let id = model.beam(random_beam(r));
        ends.push(id.link(2));
    }
    if r.below(3) == 0 {
        motors.push(add_gears(r, &mut model));
    }
    let probe = World::new(model.build().expect("parts"));
    for _ in 0..r.below(ends.len() + 1) {
        let a = (ends[r.below(ends.len())], r.vector(0.2), r.rotation());
        let other = ends[r.below(ends.len())];
        let b = (other != a.0 && r.below(4) > 0).then_some(other);
        let far = meeting(r, &probe, a, b);
        let near = a.0.at(a.1).turned(a.2);
        if r.below(3) == 0 {
            model.spring(Spring::point(near, far).stiffness(r.decades(1e-3, 1e8)));
        } else {
            model.joint(random_joint(r, near, far));
        }
        if r.below(3) == 0 {
            let measure = [Spring::angle, Spring::slide][r.below(2)](near, far);
            let bounded = random_bounds(r, measure);
            model.spring(bounded);
        }
    }
    let held = ends[r.below(ends.len())].at(r.vector(0.1));
    let port = model.port(Port::force("hand", held));
    motors.push(Motor { port, effort: r.decades(1e-3, 10.0), kind: Kind::Force });
    (
        World::with_options(model.build().expect("a valid model"), options)
            .expect("options that fit"),
        motors,
    )
}

/// Random efforts, rates and targets, sometimes none.
pub fn random_drives(r: &mut Random, motors: &[Motor], inputs: &mut Inputs) {
    for motor in motors {
        let size = r.between(-1.0, 1.0);
        let input = match motor.kind {
            _ if r.below(4) == 0 => PortInput::Idle,
            Kind::Effort => PortInput::Effort(motor.effort * size),
            Kind::Rate => PortInput::Rate(5.0 * size),
            Kind::Target => PortInput::Target(size),
            Kind::Force => {
                let (force, torque) = (r.vector(motor.effort), r.vector(0.1 * motor.effort));
                PortInput::Wrench { force, torque }
            }
        };
        inputs.set(motor.port, input);
    }
}
