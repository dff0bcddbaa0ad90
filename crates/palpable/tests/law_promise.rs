//! The promise where it was once broken: no step ends with more energy than it began with and was
//! supplied with, whatever touches, jams, slides or spins.
//!
//! Every step of every world is checked by `World::verify`, which computes the energy from poses,
//! velocities, strains and parameters; debug builds do so inside `World::step`, in all tests. The
//! gate has nothing to do in these worlds unless a test says so: it is the last resort.

mod common;

use common::Random;
use palpable::{
    Anchor, Beam, Body, BodyId, Chain, Entry, GateReport, Inputs, Joint, Link, Material, Model,
    ModelBuilder, Mount, Payment, Port, PortInput, Pose, Rotation, Shape, Spring, Status,
    StepReport, Vec3, World,
};
use std::f64::consts::FRAC_PI_2;

const G: [f64; 3] = [0.0, 0.0, -9.81];

fn world(model: ModelBuilder) -> World {
    World::new(model.build().expect("a valid model"))
}

/// One step that is checked.
fn step(world: &mut World, h: f64, inputs: &Inputs) -> StepReport {
    let report = world.step(h, inputs);
    assert_eq!(report.status, Status::Taken);
    assert_eq!(world.verify(), Ok(()), "step {}", report.tick);
    report
}

fn floor(model: &mut ModelBuilder, material: Material) {
    model.gravity(G).contacts(0);
    model.body(Body::half_space("floor").material(material));
}

/// A box rests on a table's edge, pressed down; a ball hits it from below just before it would be
/// felt. Forces that were kept must not act beside solved ones (212 J out of 4.5 J, once).
/// Seen to fail with the forces of the last step kept unsolved.
#[test]
fn a_ball_that_lifts_a_resting_box_gets_nothing_from_its_floor() {
    for (press, first) in [(0.0, true), (1e2, true), (1e4, true), (1e4, false), (0.0, false)] {
        for (h, speed, ahead) in [(1e-3, 3.0, 0.7), (5e-3, 2.0, 0.8), (1e-2, 3.0, 0.57)] {
            let mut model = Model::builder();
            model.gravity(G).contacts(0);
            let table = Body::cuboid("table", [0.5, 0.5, 0.1]).fixed();
            model.body(table.position([-0.5, 0.0, -0.1]));
            let time = 0.4 + (1.0 - ahead) * h;
            let start = -0.06 - speed * time - 0.5 * 9.81 * time * time;
            let rise = speed + 9.81 * time;
            let add_ball = |model: &mut ModelBuilder| {
                let ball = Body::sphere("ball", 0.05).mass(1.0).position([0.06, 0.0, start]);
                model.body(ball.velocity([0.0, 0.0, rise]))
            };
            let add_box = |model: &mut ModelBuilder| {
                model.body(
                    Body::cuboid("box", [0.15, 0.1, 0.05]).mass(1.0).position([-0.05, 0.0, 0.05]),
                )
            };
            let held = if first {
                add_ball(&mut model);
                add_box(&mut model)
            } else {
                let held = add_box(&mut model);
                add_ball(&mut model);
                held
            };
            let hand = model.port(Port::force("hand", held.at([-0.1, 0.0, 0.0])));
            let mut world = world(model);
            let (mut inputs, mut depth, mut struck) = (world.inputs(), 0.0f64, false);
            inputs.force(hand, [0.0, 0.0, -press]);
            for _ in 0..(0.5 / h) as usize {
                let report = step(&mut world, h, &inputs);
                // under a thousand weights and more, at rest, the gate may see rounding
                let idle = press > 1e3 && report.gate.energy < 1e-11 || report.gate.is_idle();
                assert!(idle, "{press} N, {h} s: {:?}", report.gate);
                depth = depth.max(report.contact.depth);
                struck |= world.velocity(held).norm() > 1e-3;
            }
            assert!(struck, "{press} N, {h} s: the ball missed");
            // a contact that is skipped lets the ball in by 12 mm
            assert!(press > 1e3 || depth < 1e-4, "{press} N, {h} s: {depth} m deep");
        }
    }
}

/// Heaps of a gram, where kept forces once gave up to 1000 times the kinetic energy.
/// Seen to fail with the forces of the last step kept unsolved, and with forces of 1 % too much.
#[test]
fn heaps_of_grams_never_gain_and_need_no_gate() {
    let mut r = Random(5);
    for (case, h) in [1e-3, 5e-3, 1e-2, 1e-2].into_iter().enumerate() {
        let mut model = Model::ghosts();
        floor(&mut model, Material::new(0.4, 0.0));
        for i in 0..14 {
            let at = Vec3::new(
                r.between(-0.03, 0.03),
                r.between(-0.03, 0.03),
                0.02 + 0.016 * f64::from(i),
            );
            let name = format!("b{i}");
            let body = match i % 3 {
                0 => Body::cuboid(name, [0.01, 0.008, 0.006]),
                1 => Body::sphere(name, 0.008),
                _ => Body::capsule(name, 0.008, 0.005),
            };
            model.body(body.mass(1e-3).position(at).rotation(r.rotation()));
        }
        let mut world = world(model);
        for _ in 0..(0.8 / h) as usize {
            let report = step(&mut world, h, &Inputs::none());
            assert!(report.gate.is_idle(), "case {case}: {:?}", report.gate);
        }
    }
}

/// A box on a hard slide less steep than the friction cone: it stops, and forces that press against
/// each other stay within reason (1e13 weights, once).
/// Seen to fail without the passive rule of the cone solver.
#[test]
fn a_jam_stops_without_force_or_energy_from_nowhere() {
    for (size, h) in [(0.01, 1e-3), (0.01, 5e-3), (0.1, 1e-2), (1.0, 1e-2)] {
        for mu in [0.3, 0.5, 0.8, 1.0] {
            for degrees in [1.0, 2.0, 3.0, 4.0, 7.0, 16.0, 29.0, 45.0, 58.0] {
                for turn in [0.0, 0.3, 0.7] {
                    jam(size, h, mu, degrees, turn);
                }
            }
        }
    }
}

fn jam(size: f64, h: f64, mu: f64, degrees: f64, turn: f64) {
    let (mut model, material) = (Model::builder(), Material::new(mu, 0.0));
    floor(&mut model, material);
    let (mass, at) = (480.0 * size * size * size, Vec3::z() * (0.35 * size));
    let slider = Body::cuboid("slider", Vec3::new(0.5, 0.4, 0.3) * size).mass(mass);
    let slider = model.body(slider.position(at).material(material));
    let (sine, cosine) = f64::to_radians(degrees).sin_cos();
    let axis = Vec3::new(cosine * turn.cos(), cosine * turn.sin(), sine);
    let frame = Rotation::rotation_between(&Vec3::z(), &axis).expect("an axis");
    let slide = Joint::prismatic(slider.origin().turned(frame), Anchor::world(at).turned(frame));
    model.joint(slide);
    let mut world = world(model);
    let label = format!("{size} m, {h} s, mu {mu}, {degrees} degrees, turned {turn}");
    for _ in 0..250 {
        let report = step(&mut world, h, &Inputs::none());
        let force = world.contacts().iter().map(|c| c.force.norm()).fold(0.0, f64::max);
        assert!(force <= 1e3 * mass * 9.81, "{label}: {force} N");
        assert!(report.gate.held == 0, "{label}: {:?}", report.gate);
    }
    // where it jams it has stopped; a steep slide with little friction rests on the floor
    assert!(
        world.velocity(slider).norm() < 1e-6 || world.pose(slider).position.z > 0.3 * size,
        "{label}"
    );
}

/// Links of millimetres, driven hard in a bowl: gyroscopic terms outweigh the mass, and contact
/// once answered with 1e296 J.
/// Seen to fail without the last gate, and with jammed forces unrestrained.
#[test]
fn chains_that_spin_faster_than_a_step_resolves_never_explode() {
    let mut r = Random(11);
    for case in 0..24 {
        let (mut model, size) = (Model::ghosts(), [0.001, 0.01, 0.1][r.below(3)]);
        floor(&mut model, Material::default());
        let (mut chain, links) = (Chain::new("c"), 1 + r.below(3));
        for i in 0..links {
            let shape = Shape::cuboid(Vec3::new(1.0, 0.2, 0.3) * size).expect("a link");
            let at =
                if i == 0 { Vec3::z() * (r.between(0.2, 2.0) * size) } else { Vec3::x() * size };
            let link = Link::revolute(format!("l{i}")).at(at, r.rotation());
            let link = link.held_at([-size, 0.0, 0.0], r.rotation()).shape(shape, 1000.0);
            let link = link.start(r.between(-1.0, 1.0), 0.0);
            chain.link(if i > 0 { link.on(i - 1) } else { link });
        }
        let id = model.chain(chain);
        let radii: Vec<f64> = (0..links).map(|_| r.between(-0.05, 0.05)).collect();
        model.spring(Spring::tendon(id, &radii).stiffness(r.decades(1e2, 1e6)).rest(0.01));
        let motor = model.port(Port::motor("motor", Spring::coordinate(id, links - 1)));
        let (torque, h) = (r.decades(1e-3, 1.0), [1e-3, 1e-2][r.below(2)]);
        let mut world = world(model);
        for k in 0..60 {
            let mut inputs = world.inputs();
            if k % 3 == 0 {
                let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
                inputs.set(motor, PortInput::Effort(sign * torque));
            }
            let _ = step(&mut world, h, &inputs);
            assert!(world.energy().total() < 1e9, "case {case}: {:?}", world.energy());
        }
    }
}

/// A link that starts inside the floor is lifted only as far as somebody pays.
#[test]
fn a_link_inside_the_floor_is_not_lifted_for_nothing() {
    let mut model = Model::ghosts();
    floor(&mut model, Material::default());
    let hinge = Rotation::from_scaled_axis(Vec3::x() * -FRAC_PI_2);
    let mut chain = Chain::new("c");
    let shape = Shape::cuboid(Vec3::new(0.2, 0.03, 0.03)).expect("a link");
    let link = Link::revolute("l").at([0.0, 0.0, 0.15], hinge).held_at([-0.2, 0.0, 0.0], hinge);
    chain.link(link.shape(shape, 1000.0).start(0.6, 0.0));
    let id = model.chain(chain);
    let mut world = world(model);
    let start = world.pose(id.link(0)).position.z;
    for _ in 0..300 {
        let _ = step(&mut world, 1e-3, &Inputs::none());
        // nothing was supplied and nothing moved: its height is all it has
        assert!(world.pose(id.link(0)).position.z <= start + 1e-9);
    }
}

/// Two balls meet off centre, with and without friction: angular momentum is kept in the collision
/// (17 % of it were lost at 1 ms, 67 % at 10 ms).
/// Seen to fail with a point of its own for each ball.
#[test]
fn a_collision_of_free_balls_keeps_their_angular_momentum() {
    for (mu, e) in [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0), (0.3, 0.5)] {
        for (h, v) in [(1e-2, 1.0), (1e-3, 1.0), (1e-3, 10.0), (1e-4, 10.0)] {
            for k in 0..20 {
                let (mut model, material) = (Model::builder(), Material::new(mu, e));
                model.contacts(0);
                let d = 0.06 + h * v * f64::from(k) / 20.0;
                for (name, side) in [("a", -1.0), ("b", 1.0)] {
                    let ball = Body::sphere(name, 0.02).mass(0.03).material(material);
                    let at = [side * d, -0.012 * side, 0.0];
                    model.body(ball.position(at).velocity([-side * v, 0.0, 0.0]));
                }
                let mut world = world(model);
                let before = world.angular_momentum();
                for _ in 0..(0.2 / v / h) as usize {
                    let _ = step(&mut world, h, &Inputs::none());
                }
                let change = (world.angular_momentum() - before).norm() / before.norm();
                // rounding of up to 1e4 steps
                assert!(change < 1e-11, "mu {mu}, e {e}, {h} s, {v} m/s: {change:e}");
            }
        }
    }
}

/// Bodies of any shape that spin, meet, rub and part in empty space keep their angular momentum:
/// each turns by exactly the torque that it gets. Seen to fail with gyroscopic terms and levers at
/// the predicted rate (1.7e-4 of it at 0.1 ms).
#[test]
fn collisions_of_spinning_bodies_keep_their_angular_momentum() {
    let mut r = Random(21);
    for case in 0..60 {
        let (mut model, h) = (Model::builder(), [1e-4, 1e-3, 1e-2][case % 3]);
        let material = Material::new([0.0, 0.5, 1.0][case / 3 % 3], [0.0, 0.5][case / 9 % 2]);
        model.contacts(0);
        let (mut scale, mut reach) = (0.0, 0.0f64);
        for i in 0..3 {
            let name = format!("b{i}");
            let body = match r.below(4) {
                0 => Body::cuboid(name, [0.03, 0.02, 0.04]),
                1 => Body::capsule(name, 0.03, 0.02),
                2 => Body::cylinder(name, 0.02, 0.03),
                _ => Body::sphere(name, 0.03),
            };
            let side = f64::from(i) - 1.0;
            let at = Vec3::new(0.11 * side, r.between(-0.02, 0.02), r.between(-0.02, 0.02));
            // less than half a radian a step, and a diameter in five
            let (v, spin) =
                (Vec3::x() * (-side), Vec3::new(25.0, -20.0, 15.0) * r.between(-1.0, 1.0));
            let body = body.mass(0.2).position(at).rotation(r.rotation()).material(material);
            model.body(body.velocity(v).angular_velocity(spin));
            (scale, reach) = (scale + 0.2 * v.norm(), reach.max(at.norm()));
        }
        let mut world = world(model);
        let (before, mut worst) = (world.angular_momentum(), 0.0f64);
        for _ in 0..(0.2 / h) as usize {
            let _ = step(&mut world, h, &Inputs::none());
            worst = worst.max((world.angular_momentum() - before).norm() / (scale * reach));
        }
        assert!(worst < 1e-9, "case {case}, {h} s, {material:?}: {worst:e}");
    }
}

fn floating_chain(model: &mut ModelBuilder, size: f64, at: Vec3) {
    let shape = Shape::cuboid(Vec3::new(1.0, 0.3, 0.3) * size).expect("a link");
    let pose = Pose { position: at, rotation: Rotation::identity() };
    let chain = Chain::new("c").floating("base", shape.mass_properties(1000.0), pose);
    let mut chain = chain.base_velocity([0.0, 0.1, 0.0], [3.0, 2.0, 1.0]);
    let none = Rotation::identity();
    let link = Link::revolute("l").at([size, 0.0, 0.0], none).held_at([-size, 0.0, 0.0], none);
    chain.link(link.shape(shape, 1000.0).start(0.5, 10.0));
    model.chain(chain);
}

fn motion_of_links(world: &World) -> f64 {
    let mut sum = 0.0;
    for info in world.model().bodies() {
        let (Some(node), Some(id)) = (info.moving, world.body_named(&info.name)) else { continue };
        let omega = info.body_from_principal.inverse() * world.angular_velocity(id);
        sum += world.params().bodies[node].kinetic(&world.velocity(id), &omega);
    }
    sum
}

/// A chain is the same 100 km away (5 % of its energy, once), and falls for 1000 s.
/// Seen to fail with inertias about the world's origin, as rounding leaves them.
#[test]
fn a_chain_is_the_same_anywhere() {
    for distance in [0.0, 1e3, 1e5] {
        let mut model = Model::ghosts();
        floating_chain(&mut model, 0.01, Vec3::x() * distance);
        let mut world = world(model);
        for _ in 0..1000 {
            let _ = step(&mut world, 1e-3, &Inputs::none());
            let off = motion_of_links(&world) / world.energy().kinetic - 1.0;
            assert!(off.abs() < 1e-12, "{distance} m: {off:e}");
        }
    }
    let mut model = Model::ghosts();
    model.gravity(G);
    floating_chain(&mut model, 0.001, Vec3::zeros());
    let mut world = world(model);
    for _ in 0..100_000 {
        assert!(world.step(1e-2, &Inputs::none()).status.is_taken());
    }
    assert!(world.time() > 999.9);
}

/// A disc on its rim rolls on the floor at 10 ms, instead of sinking through it (0.3 m and on).
/// Seen to fail with rims that are taken for points.
#[test]
fn discs_roll_on_their_rims() {
    let discs = [
        (4.0, 0.006, 0.003, 0.0, 70.0),
        (4.0, 0.1, 0.02, 0.0, 70.0),
        (20.0, 0.2, 0.02, 0.0, 40.0),
        (20.0, 0.2, 0.02, 0.3, 40.0),
        (5e-3, 0.012, 0.001, 0.0, 150.0),
        (5e-3, 0.012, 0.001, 0.3, 150.0),
    ];
    for (mass, radius, thick, mu, spin) in discs {
        let (mut model, material, tilt) = (Model::ghosts(), Material::new(mu, 0.0), 0.6f64);
        floor(&mut model, material);
        let turn = Rotation::from_scaled_axis(Vec3::x() * (FRAC_PI_2 - tilt));
        let z = radius * tilt.cos() + thick * tilt.sin() + 1e-4;
        let disc = Body::cylinder("disc", thick, radius).mass(mass).material(material);
        let disc = disc.position([0.0, 0.0, z]).rotation(turn).angular_velocity([3.0, 1.0, spin]);
        model.body(disc);
        let mut world = world(model);
        let mut last = 0.0;
        for _ in 0..500 {
            last = step(&mut world, 1e-2, &Inputs::none()).contact.depth;
            assert!(last < 0.02 * radius, "radius {radius}, mu {mu}: {last} m deep");
        }
        assert!(last < 1e-4 * radius, "radius {radius}, mu {mu}: {last} m deep after 5 s");
    }
}

/// Raising the stiffness of a gear that nobody pays for leaves the turns it counted alone.
/// Seen to fail with the counted turns scaled like the strain.
#[test]
fn a_gear_does_not_slip_when_its_stiffness_changes() {
    let mut model = Model::ghosts();
    let mut wheel = |name: &str, x: f64, rate: f64| -> (BodyId, Anchor, Anchor) {
        let body = Body::cylinder(name, 0.02, 0.1).mass(1.0).position([x, 0.0, 0.0]);
        let id = model.body(body.angular_velocity([0.0, 0.0, rate]));
        let axle = Anchor::world([x, 0.0, 0.0]);
        model.joint(Joint::hinge(id.origin(), axle));
        (id, id.origin(), axle)
    };
    let (a, b) = (wheel("a", 0.0, 25.0), wheel("b", 0.5, -10.0));
    let gear = model.joint(Joint::gear(a.1, a.2, b.1, b.2, 2.5).stiffness(100.0));
    let brake = model.port(Port::motor("brake", Spring::angle(b.1, b.2)));
    let mut world = world(model);
    let mut inputs = world.inputs();
    inputs.set(brake, PortInput::Effort(0.05));
    for _ in 0..3000 {
        let _ = step(&mut world, 1e-3, &inputs);
    }
    let turns = world.strain(gear).fixed_rows::<2>(1).into_owned();
    world.set_stiffness(gear, [1e4, 0.0, 0.0, 0.0, 0.0, 0.0], Payment::Tank).expect("a gear");
    assert_eq!(world.strain(gear).fixed_rows::<2>(1).into_owned(), turns);
    let before = world.pose(a.0).rotation;
    let _ = step(&mut world, 1e-3, &inputs);
    // it turns at 15 rad/s
    assert!(before.angle_to(&world.pose(a.0).rotation) < 0.03);
}

/// One sick group stays where it is; the others go on as they would in steps of eight parts.
/// Seen to fail without the last gate, and with a gate that does not hold.
#[test]
fn one_sick_group_never_stops_the_others() {
    let build = || {
        let mut model = Model::ghosts();
        floor(&mut model, Material::new(0.5, 0.3));
        let sick = model.body(Body::sphere("sick", 0.1).mass(1.0).position([5.0, 0.0, 0.5]));
        let well = model.body(Body::cuboid("well", [0.1; 3]).mass(1.0).position([0.0, 0.0, 0.4]));
        let hand = model.port(Port::force("hand", sick.origin()));
        (world(model), sick, well, hand)
    };
    let ((mut world, sick, well, hand), (mut twin, ..)) = (build(), build());
    let mut seen = GateReport::default();
    for k in 0..400 {
        let mut inputs = world.inputs();
        if k % 7 == 3 {
            inputs.force(hand, [1e300, -1e300, 1e300]);
        }
        let report = step(&mut world, 2e-3, &inputs);
        for _ in 0..report.substeps {
            let _ = twin.step(2e-3 / f64::from(report.substeps), &Inputs::none());
        }
        seen.held += report.gate.held;
        seen.body = report.gate.body.or(seen.body);
        assert!(world.pose(sick).position.iter().all(|x| x.is_finite()));
        let apart = (world.pose(well).position - twin.pose(well).position).norm();
        // the same steps, but for the normals of contacts, which parts share
        assert!(apart < 1e-4, "step {k}: {apart:e} m");
    }
    assert!((world.pose(well).position.z - 0.1).abs() < 1e-6, "it lies on the floor");
    assert_eq!((seen.held, seen.body), (57, Some(sick)));
}

/// A body of 1 TJ is stopped, or leaves: the books know the rest as well as before. Seen to fail
/// with the kinetic energy of the rest taken as a difference (1e-5 J).
#[test]
fn what_a_fast_body_had_leaves_no_rounding_in_the_books() {
    for leaves in [false, true] {
        let mut model = Model::builder();
        model.gravity(G);
        let slow = Body::sphere("slow", 0.1).mass(0.7).velocity([1.1, 0.3, 0.0]);
        model.body(slow);
        let fast = Body::sphere("fast", 0.1).mass(0.3).position([0.0, 9.0, 0.0]);
        let fast = model.body(fast.velocity([1.7e6, 2.3e6, 0.0]));
        let mut world = world(model);
        let _ = step(&mut world, 1e-3, &Inputs::none());
        if leaves {
            world.edit(|m| m.remove_body(fast)).expect("gone");
        } else {
            world.set_velocity(fast, [0.1, 0.0, 0.0], [0.0; 3]).expect("stopped");
        }
        let entry = step(&mut world, 1e-3, &Inputs::none()).entry;
        let (kinetic, fall) = (entry.after - entry.before, 9.81 * 1e-3 * 10.0);
        let moved = kinetic.kinetic.abs() + fall + entry.before.kinetic;
        // sums of a dozen numbers
        let rise = kinetic.kinetic + kinetic.gravity;
        assert!(rise.abs() < 1e-14 * moved, "leaves {leaves}: {rise:e} J");
    }
}

/// The z of a joint along world y.
fn level() -> Rotation {
    Rotation::from_scaled_axis(Vec3::x() * -FRAC_PI_2)
}

/// What enters a world at a time [s].
type Drive = Box<dyn Fn(&World, f64) -> Inputs>;

/// Something that a world is made of, how it is driven, and the part of the energy in play that
/// booking may move in a step: little where no angle is large, all where overlaps are pushed out.
struct Part {
    name: &'static str,
    world: World,
    drive: Drive,
    booked: f64,
}

fn part(name: &'static str, model: ModelBuilder, booked: f64) -> Part {
    Part { name, world: world(model), drive: Box::new(|_, _| Inputs::none()), booked }
}

/// A rod on a hinge with stops and dry friction, which swings from stop to stop.
fn rod_with_stops(friction: f64) -> ModelBuilder {
    let mut model = Model::builder();
    model.gravity(G);
    let rod = Body::cuboid("rod", [0.1, 0.01, 0.01]).mass(0.5).position([0.1, 0.0, 0.0]);
    let rod = model.body(rod);
    let ends = [rod.at([-0.1, 0.0, 0.0]).turned(level()), Anchor::world([0.0; 3]).turned(level())];
    model.joint(Joint::hinge(ends[0], ends[1]));
    let angle = Spring::angle(ends[0], ends[1]).stiffness(0.2).friction(friction);
    model.spring(if friction > 0.0 { angle } else { angle.stops(-0.4, 0.4) });
    model
}

/// Two links with a tendon over both joints.
fn arm(model: &mut ModelBuilder) -> palpable::SystemId {
    let mut chain = Chain::new("arm");
    for i in 0..2 {
        let shape = Shape::cuboid(Vec3::new(0.1, 0.01, 0.02)).expect("a link");
        let at = if i == 0 { [0.0; 3] } else { [0.1, 0.0, 0.0] };
        let link = Link::revolute(format!("l{i}")).at(at, level());
        let link = link.held_at([-0.1, 0.0, 0.0], level()).shape(shape, 1000.0).start(0.3, 0.0);
        chain.link(if i > 0 { link.on(0) } else { link });
    }
    model.chain(chain)
}

fn parts() -> Vec<Part> {
    let mut all = vec![
        part("stops", rod_with_stops(0.0), 1e-6),
        part("dry friction", rod_with_stops(0.05), 1e-6),
    ];
    let mut model = Model::builder();
    model.gravity(G);
    let id = arm(&mut model);
    model.spring(Spring::tendon(id, &[0.03, -0.02]).stiffness(3e3).rest(0.01));
    all.push(part("tendon", model, 1e-6));
    let mut model = Model::builder();
    let id = arm(&mut model);
    let motor = model.port(Port::motor("motor", Spring::coordinate(id, 1)));
    let mut motors = part("motor", model, 1e-6);
    motors.drive = Box::new(move |world, t| {
        let mut inputs = world.inputs();
        inputs.set(motor, PortInput::Effort(0.02 * (7.0 * t).sin()));
        inputs
    });
    all.push(motors);
    let mut model = Model::builder();
    model.gravity(G);
    let beam = Beam::rectangular("beam", [0.9, 0.05, 0.012], 2700.0, 7e10).modes(3);
    let frame = Pose { position: Vec3::zeros(), rotation: level() };
    model.beam(beam.mount(Mount::Hub, 0.4, 0.02).at(frame));
    all.push(part("beam", model, 1e-7));
    let mut model = Model::builder();
    model.gravity(G);
    let ball = model.body(Body::sphere("ball", 0.05).mass(0.4).position([0.3, 0.0, 0.0]));
    model.spring(Spring::point(ball.at([0.02, 0.0, 0.0]), Anchor::world([0.0; 3])).stiffness(80.0));
    all.push(part("spring", model, 1e-6));
    for (name, lever) in [("slides", 0.0), ("rolls", 1e-3)] {
        let (mut model, material) = (Model::builder(), Material::new(0.4, 0.0));
        floor(&mut model, material.rolling(lever, lever));
        let half = [0.05, 0.04, 0.03];
        let block = Body::cuboid("block", half).mass(0.5).position([0.0, 0.0, 0.05]);
        let block = model.body(block.material(material.rolling(lever, lever)));
        let hand = model.port(Port::force("hand", block.at([0.05, 0.0, 0.0])));
        let mut pushed = part(name, model, 1.0);
        pushed.drive = Box::new(move |world, t| {
            let mut inputs = world.inputs();
            inputs.force(hand, [3.0 * (5.0 * t).sin(), 2.0 * (3.0 * t).cos(), 0.3]);
            inputs
        });
        all.push(pushed);
    }
    for (name, lever) in [("led", 0.0), ("led and rolls", 1e-3)] {
        let (mut model, material) = (Model::builder(), Material::new(0.4, 0.0));
        floor(&mut model, material.rolling(lever, lever));
        let ball = Body::sphere("ball", 0.05).mass(0.4).position([0.0, 0.0, 0.06]);
        let ball = model.body(ball.material(material.rolling(lever, lever)));
        let stiffness = [100.0, 100.0, 100.0, 0.1, 0.1, 0.1];
        let hand = model.port(Port::reference("hand", ball.origin(), stiffness, [0.5; 6]));
        let mut led = part(name, model, 1.0);
        led.drive = Box::new(move |world, t| {
            let mut inputs = world.inputs();
            let position = Vec3::new(0.2 * (2.0 * t).sin(), 0.1 * (3.0 * t).sin(), 0.045);
            inputs.set(hand, PortInput::Reference { position, rotation: Rotation::identity() });
            inputs
        });
        all.push(led);
    }
    all
}

/// What acts is what was solved for: ordinary parts, one by one, leave the gate nothing to do, the
/// checker nothing to find, and booking nothing but what turning costs. Seen to fail, part by part,
/// where its force acts 1 % too strong: stop, dry friction, tendon, motor, weight of the beam,
/// spring, port, contact by points, work of a reference. Not seen for contact by cones, where the
/// gate pays for such an error.
#[test]
fn the_forces_that_act_are_those_that_were_solved_for() {
    for Part { name, mut world, drive, booked } in parts() {
        for k in 0..3000 {
            let inputs = drive(&world, 1e-3 * f64::from(k));
            let report = step(&mut world, 1e-3, &inputs);
            assert!(report.gate.is_idle(), "{name}, step {k}: {:?}", report.gate);
            let Entry { booked: moved, in_play, .. } = report.entry;
            assert!(moved <= booked * in_play, "{name}, step {k}: {:e} of it", moved / in_play);
        }
    }
}
