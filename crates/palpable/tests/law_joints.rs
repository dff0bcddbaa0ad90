//! Joints, soft and hard: they hold, they are passive at any stiffness and step, and their
//! Jacobians are right.

mod common;

use common::{Random, long};
use palpable::{
    Anchor, Body, BodyId, Inputs, Joint, Model, Options, Rotation, Scheme, Spring, Status, Vec3,
    World,
};

/// A pinned chain of `n` links of 0.1 m and 1 g: slender rods, or with inertia `m·I` as printed in
/// the source; spinning at about 10 rad/s with velocities that fit the joints.
fn chain(n: usize, rods: bool, joint: impl Fn(Joint) -> Joint, options: Options) -> World {
    let (length, mass) = (0.1, 1e-3);
    let moments = if rods { [4e-7, 1e-5 / 12.0, 1e-5 / 12.0] } else { [mass; 3] };
    let mut r = Random(n as u64);
    let mut model = Model::ghosts();
    let (mut end, mut tip) = (Anchor::world([0.0; 3]), Vec3::zeros());
    for i in 0..n {
        let spin = Vec3::new(r.between(-2.0, 2.0), r.between(-8.0, 8.0), r.between(-8.0, 8.0));
        let half = Vec3::new(0.5 * length, 0.0, 0.0);
        let velocity = tip + spin.cross(&half);
        tip = velocity + spin.cross(&half);
        let link = model.body(
            Body::new(format!("link{i}"))
                .principal_inertia(mass, moments)
                .position([length * (i as f64 + 0.5), 0.0, 0.0])
                .velocity(velocity)
                .angular_velocity(spin),
        );
        model.joint(joint(Joint::ball(link.at(-half), end)));
        end = link.at(half);
    }
    World::begin(model.build().expect("a valid model"), options)
}

/// What a run of 2 s showed.
struct Cell {
    rise: f64,
    closure: f64,
    gap: f64,
    fallbacks: u64,
}

fn run(mut world: World, h: f64) -> Cell {
    let initial = world.energy().total();
    let mut cell = Cell { rise: 0.0, closure: 0.0, gap: 0.0, fallbacks: 0 };
    for _ in 0..(2.0 / h).round() as u32 {
        let report = world.step(h, &Inputs::none());
        assert_eq!(report.status, Status::Taken);
        cell.rise = cell.rise.max(report.entry.after.total() / initial - 1.0);
        cell.gap = cell.gap.max(report.gap);
    }
    cell.closure = (world.ledger().closure() / initial).abs();
    cell.fallbacks = world.ledger().fallbacks();
    cell
}

#[test]
fn chains_never_gain_energy_on_the_grid_where_the_published_scheme_explodes() {
    let lengths: &[usize] = if long() { &[2, 10, 50] } else { &[2, 10] };
    for rods in [false, true] {
        for &n in lengths {
            for k in [1e2, 1e4, 1e7, f64::INFINITY] {
                for h in [1e-3, 5e-3, 1e-2, 33e-3] {
                    for joint_loss in [0.0, 0.1] {
                        let options = Options { joint_loss, ..Default::default() };
                        let cell = run(chain(n, rods, |j| j.stiffness(k), options), h);
                        let name = format!(
                            "rods {rods} n {n} k {k:.0e} h {h} loss {joint_loss}: rise {:.1e} \
                             closure {:.1e} gap {:.1e} fallbacks {}",
                            cell.rise, cell.closure, cell.gap, cell.fallbacks
                        );
                        println!("{name}");
                        // rounding of at most 2000 steps
                        assert!(cell.rise <= 1e-9 && cell.closure <= 1e-9, "{name}");
                        if !rods && n == 10 && h == 1e-3 && k >= 1e4 {
                            assert!(cell.gap <= 1e-6, "{name}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_published_scheme_gains_energy_on_the_same_chains() {
    let options = Options { scheme: Scheme::PublishedMidpoint, ..Default::default() };
    let mut world = chain(10, false, |j| j.stiffness(1e7), options);
    let initial = world.energy().total();
    let mut highest: f64 = 0.0;
    for _ in 0..200 {
        let _ = world.step(1e-2, &Inputs::none());
        highest = highest.max(world.energy().total() / initial);
    }
    // beyond 1e8 in the study that this grid comes from
    assert!(highest > 1e3, "{highest:.1e}");
}

/// A bar joined to the world by one joint, thrown about; returns the world and the bar.
fn thrown(make: impl Fn(Anchor, Anchor) -> Joint) -> (World, BodyId) {
    let turn = Rotation::from_scaled_axis(Vec3::new(0.2, -0.1, 0.3));
    let mut model = Model::builder();
    model.gravity([1.0, 2.0, -9.81]);
    let bar = Body::cuboid("bar", [0.1, 0.03, 0.02]).mass(0.3).rotation(turn);
    let bar = model.body(bar.angular_velocity([1.0, -2.0, 3.0]));
    let anchor = Anchor::world([0.0; 3]).turned(turn);
    model.joint(make(bar.origin(), anchor));
    (World::new(model.build().expect("a valid model")), bar)
}

#[test]
fn each_hard_joint_holds_what_it_should_and_frees_what_it_should() {
    type Make = fn(Anchor, Anchor) -> Joint;
    // offsets x y z, axis tilt, turn about z: held or free
    let joints: [(&str, Make, [bool; 5]); 7] = [
        ("ball", Joint::ball, [true, true, true, false, false]),
        ("fixed", Joint::fixed, [true; 5]),
        ("hinge", Joint::hinge, [true, true, true, true, false]),
        ("universal", Joint::universal, [true, true, true, false, false]),
        ("prismatic", Joint::prismatic, [true, true, false, true, true]),
        ("cylindrical", Joint::cylindrical, [true, true, false, true, false]),
        ("planar", Joint::planar, [false, false, true, true, false]),
    ];
    for (name, make, held) in joints {
        let (mut world, bar) = thrown(make);
        let frame = Rotation::from_scaled_axis(Vec3::new(0.2, -0.1, 0.3));
        let mut moved = [0.0f64; 5];
        for _ in 0..300 {
            let report = world.step(1e-3, &Inputs::none());
            assert_eq!(report.status, Status::Taken, "{name}");
            let pose = world.pose(bar);
            let offset = frame.inverse() * pose.position;
            let relative = frame.inverse() * pose.rotation;
            let tilt = (relative * Vec3::z() - Vec3::z()).norm();
            // the angle about z is defined while the axes agree
            let turn = relative.scaled_axis().z.abs();
            for (seen, now) in moved.iter_mut().zip([offset.x, offset.y, offset.z, tilt, turn]) {
                *seen = seen.max(now.abs());
            }
        }
        println!("{name}: {moved:?}");
        for (i, held) in held.iter().enumerate() {
            // a hard joint is closed to its tolerance after each step; a free motion is large
            let right = if *held { moved[i] < 1e-9 } else { moved[i] > 1e-3 };
            assert!(right, "{name}, motion {i}: {moved:?}");
        }
        assert!(world.audit().is_clean(), "{name}: {}", world.audit());
    }
}

#[test]
fn a_hard_rod_keeps_its_length_and_swings_with_the_period_of_a_pendulum() {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -9.81]);
    let (length, angle) = (1.0, 0.1f64);
    let start = [length * angle.sin(), 0.0, -length * angle.cos()];
    let bob = model.body(Body::sphere("bob", 0.001).mass(0.1).position(start));
    let hook = Anchor::world([0.0; 3]);
    model.joint(Joint::distance(bob.origin(), hook, length));
    let mut world = World::new(model.build().expect("a valid model"));
    let (mut crossings, mut last) = (Vec::new(), start[0]);
    let h = 1e-3;
    while crossings.len() < 9 {
        let _ = world.step(h, &Inputs::none());
        let x = world.pose(bob).position.x;
        assert!((world.pose(bob).position.norm() - length).abs() < 1e-11);
        if x * last < 0.0 {
            crossings.push(world.time() - h * x / (x - last));
        }
        last = x;
    }
    let period = (crossings[8] - crossings[0]) / 4.0;
    let exact = 2.0
        * std::f64::consts::PI
        * (length / 9.81f64).sqrt()
        * (1.0 + angle * angle / 16.0 + 11.0 * angle.powi(4) / 3072.0);
    // the midpoint rule lengthens the period by (ωh)²/12 = 1e-6
    assert!((period / exact - 1.0).abs() < 5e-6, "{period} {exact}");
}

type MakeSpring = Box<dyn Fn(Anchor, Anchor) -> Spring>;

#[test]
fn gaps_of_joints_fall_with_the_cube_of_the_step() {
    type Make = fn(Anchor, Anchor) -> Joint;
    let joints: [(&str, Make); 6] = [
        ("hinge", Joint::hinge),
        ("universal", Joint::universal),
        ("prismatic", Joint::prismatic),
        ("cylindrical", Joint::cylindrical),
        ("planar", Joint::planar),
        ("distance", |a, b| Joint::distance(a, b, 0.08)),
    ];
    type Soft = fn(Anchor, Anchor) -> Spring;
    let springs: [(&str, Soft); 2] = [("angle", Spring::angle), ("slide", Spring::slide)];
    let joints = joints.map(|(name, make)| -> (&str, MakeSpring) {
        (name, Box::new(move |a, b| make(a, b).stiffness(50.0).into()))
    });
    let springs = springs.map(|(name, make)| -> (&str, MakeSpring) {
        (name, Box::new(move |a, b| make(a, b).stiffness(0.5)))
    });
    for (name, make) in joints.into_iter().chain(springs) {
        let gaps: Vec<f64> = [2e-3f64, 1e-3, 5e-4]
            .iter()
            .map(|h| {
                let mut model = Model::ghosts();
                let a = Body::cuboid("a", [0.1, 0.05, 0.02]).mass(0.2);
                let a = model.body(a.angular_velocity([4.0, -3.0, 5.0]));
                let b = Body::cuboid("b", [0.02, 0.05, 0.1]).mass(0.1).position([0.1, 0.0, 0.05]);
                let b = model.body(b.angular_velocity([-6.0, 2.0, 3.0]));
                let anchors = (a.at([0.1, 0.02, 0.0]), b.at([0.0, 0.03, -0.1]));
                model.spring(make(anchors.0, anchors.1));
                let options =
                    Options { resolve_tolerance: 0.0, max_substeps: 1, ..Default::default() };
                let mut world = World::with_options(model.build().expect("valid"), options)
                    .expect("options that fit");
                let gap = |_| world.step(*h, &Inputs::none()).gap_before;
                (0..(0.05 / h).round() as u32).map(gap).skip(2).fold(0.0, f64::max)
            })
            .collect();
        let order = (gaps[0] / gaps[2]).log2() / 2.0;
        println!("{name}: {gaps:?} order {order:.2}");
        assert!(order > 2.7, "{name}: {gaps:?}");
    }
}

#[test]
fn explicit_schemes_refuse_hard_joints() {
    for scheme in [Scheme::ExplicitEuler, Scheme::SymplecticEuler] {
        let options = Options { scheme, ..Default::default() };
        let mut world = chain(2, true, |j| j, options);
        assert_eq!(world.step(1e-3, &Inputs::none()).status, Status::Unsupported);
        let refused = World::with_options(world.model().clone(), options).expect_err("hard joints");
        let words = refused.to_string();
        assert!(words.contains(scheme.name()) && words.contains("hard joints"), "{words}");
    }
}

#[test]
fn a_four_bar_loop_of_hard_hinges_stays_closed() {
    let mut model = Model::ghosts();
    model.gravity([0.0, -9.81, 0.0]);
    let bar = |model: &mut palpable::ModelBuilder, i: u32, x: f64, y: f64, turn: f64| {
        let rotation = Rotation::from_scaled_axis(Vec3::z() * turn);
        let body = Body::cuboid(format!("bar{i}"), [0.1, 0.01, 0.01]).mass(0.1);
        model.body(body.position([x, y, 0.0]).rotation(rotation))
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    let left = bar(&mut model, 0, 0.0, 0.1, quarter);
    let top = bar(&mut model, 1, 0.1, 0.2, 0.0);
    let right = bar(&mut model, 2, 0.2, 0.1, -quarter);
    let (start, end) = ([-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]);
    model.joint(Joint::hinge(left.at(start), Anchor::world([0.0; 3])));
    model.joint(Joint::hinge(top.at(start), left.at(end)));
    model.joint(Joint::hinge(right.at(start), top.at(end)));
    model.joint(Joint::hinge(right.at(end), Anchor::world([0.2, 0.0, 0.0])));
    model.spring(Spring::point(top.origin(), Anchor::world([0.15, 0.2, 0.0])).stiffness(5.0));
    let mut world = World::new(model.build().expect("a valid model"));
    let mut gap: f64 = 0.0;
    for _ in 0..2000 {
        let report = world.step(1e-3, &Inputs::none());
        assert_eq!(report.status, Status::Taken);
        gap = gap.max(report.gap);
    }
    println!("gap {gap:.1e}");
    assert!(gap < 1e-9 && world.audit().is_clean(), "{gap:.1e} {}", world.audit());
    assert!((world.pose(top).position - Vec3::new(0.1, 0.2, 0.0)).norm() > 1e-3, "it moves");
}

#[test]
fn a_spring_on_a_hinge_turns_with_its_closed_form_through_whole_turns() {
    // one axis, constant inertia: the midpoint rule turns by θ = 2 atan(ωh/2) a step
    let (inertia, k, start) = (2e-3f64, 0.5, 8.0);
    let mut model = Model::ghosts();
    let wheel = model.body(Body::new("wheel").principal_inertia(1.0, [1e-3, 1e-3, inertia]));
    let hub = Anchor::world([0.0; 3]);
    model.joint(Joint::hinge(wheel.origin(), hub));
    let spring = model.spring(Spring::angle(wheel.origin(), hub).stiffness(k));
    let options = Options { joint_loss: 0.0, ..Default::default() };
    let mut world = World::with_options(model.build().expect("a valid model"), options)
        .expect("options that fit");
    // wind it up: more than a whole turn, by a hand that supplies the energy
    let h = 5e-3;
    let wound = Rotation::from_scaled_axis(Vec3::z() * -2.0);
    for quarter in 1..=4 {
        let turn = wound.powf(f64::from(quarter));
        let pose = palpable::Pose { position: Vec3::zeros(), rotation: turn };
        world.set_anchor(spring, pose).expect("a soft spring");
    }
    assert!((world.strain(spring)[0] - start).abs() < 1e-12, "{}", world.strain(spring)[0]);
    let theta = 2.0 * (0.5 * h * (k / inertia).sqrt()).atan();
    for n in 1..=200 {
        let _ = world.step(h, &Inputs::none());
        let expected = start * (f64::from(n) * theta).cos();
        assert!((world.strain(spring)[0] - expected).abs() < 1e-9, "step {n}");
    }
    assert!((world.energy().total() - 0.5 * k * start * start).abs() < 1e-11);
}

#[test]
fn a_damper_on_a_slider_stops_it_exponentially() {
    let mut model = Model::ghosts();
    let cart = model.body(Body::cuboid("cart", [0.1; 3]).mass(2.0).velocity([0.0, 0.0, 1.0]));
    let rail = Anchor::world([0.0; 3]);
    model.joint(Joint::prismatic(cart.origin(), rail));
    model.spring(Spring::slide(cart.origin(), rail).damping(4.0));
    let mut world = World::new(model.build().expect("a valid model"));
    for _ in 0..1000 {
        let _ = world.step(1e-3, &Inputs::none());
    }
    // v = e^{−bt/m}; the midpoint rule is off by (bh/m)² t/12
    assert!((world.velocity(cart).z - (-2.0f64).exp()).abs() < 1e-6);
}

/// Velocities are known to the rounding of what forces cause: where those balance, the rate of a
/// joint is nothing but rounding. Measured against itself it would look unsolved, and be refined
/// for nothing.
#[test]
fn the_residual_of_a_chain_that_hangs_at_rest_is_rounding() {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -9.81]);
    let mut end = Anchor::world([0.0; 3]);
    for i in 0..6 {
        let z = -0.1 * f64::from(i) - 0.05;
        let link = Body::cuboid(format!("link{i}"), [0.01, 0.02, 0.05]).mass(0.1);
        let link = model.body(link.position([0.0, 0.0, z]));
        model.joint(Joint::hinge(link.at([0.0, 0.0, 0.05]), end));
        end = link.at([0.0, 0.0, -0.05]);
    }
    let mut world = World::new(model.build().expect("a valid model"));
    for _ in 0..20 {
        let report = world.step(1e-3, &Inputs::none());
        // some digits may be lost along the chain; measured against the rates it is 1
        assert!(report.residual < 1e-12, "{:e}", report.residual);
    }
}

/// Hard hinges from the world outwards, each link heavier than the one before: a light link that
/// its hinge holds has no freedom left for the next one, which has to wait for the heavy link.
#[test]
fn links_of_any_mass_swing_in_hard_hinges() {
    for masses in [[4.5e-3, 1.0, 100.0], [1e-4, 1e-2, 1e4], [100.0, 1.0, 4.5e-3], [1.0, 1e-3, 1e3]]
    {
        let mut model = Model::ghosts();
        model.gravity([0.0, -9.81, 0.0]);
        let mut end = Anchor::world([0.0; 3]);
        let mut links = Vec::new();
        for (i, mass) in masses.into_iter().enumerate() {
            let link = Body::cuboid(format!("link{i}"), [0.075, 0.008, 0.008]).mass(mass);
            let link = model.body(link.position([0.075 + 0.15 * i as f64, 0.0, 0.0]));
            model.joint(Joint::hinge(link.at([-0.075, 0.0, 0.0]), end));
            end = link.at([0.075, 0.0, 0.0]);
            links.push(link);
        }
        let mut world = World::new(model.build().expect("three links"));
        let before = world.energy().total();
        for _ in 0..300 {
            let report = world.step(1e-3, &Inputs::none());
            assert!(report.gate.is_idle(), "{masses:?}, step {}: {:?}", report.tick, report.gate);
        }
        let last = *links.last().expect("a last link");
        // ½ g t² is 0.44 m
        let way = (world.pose(last).position - Vec3::new(0.375, 0.0, 0.0)).norm();
        assert!(way > 0.1, "{masses:?}: moved by {way} m");
        let (after, moves) = (world.energy().total(), world.energy().kinetic);
        assert!(after - before <= 1e-12 * moves, "{masses:?}: {before} {after}");
        // in the right order nothing has to yield: 6e-14 J are lost, 3e-12 J where hinges do
        let ordinary = masses.windows(2).all(|m| m[1] / m[0] <= 300.0);
        assert!(!ordinary || (after - before).abs() <= 1e-12, "{masses:?}: {before} {after}");
    }
}

/// Two planes one behind the other both forbid the turn that lies in neither: the first body alone
/// cannot answer the second joint. Solved in that order the velocities were no numbers, which was
/// not noticed, and the world stood still for ever.
#[test]
fn joints_that_share_a_turn_do_not_stop_the_world() {
    for (tilt, stiffness) in [(0.0, 0.3), (0.0, 30.0), (1e-3, 0.3), (0.1, 1e3)] {
        let mut model = Model::ghosts();
        model.gravity([0.0, 0.0, -9.81]);
        let ball = |name: &str, x: f64| Body::sphere(name, 0.01).mass(1.0).position([x, 0.0, 0.2]);
        let (a, b) = (model.body(ball("a", 0.04)), model.body(ball("b", 0.12)));
        let upright = Rotation::from_scaled_axis(Vec3::y() * (0.5 * std::f64::consts::PI + tilt));
        let wall = Anchor::world([0.0, 0.0, 0.2]).turned(upright);
        model.joint(Joint::planar(a.at([-0.04, 0.0, 0.0]).turned(upright), wall));
        model.joint(Joint::planar(b.at([-0.04, 0.0, 0.0]), a.at([0.04, 0.0, 0.0])));
        let hook = Anchor::world([0.08, 0.0, 0.13]);
        model.spring(Spring::point(b.origin(), hook).stiffness(stiffness));
        let mut world = World::new(model.build().expect("two bodies in planes"));
        let before = world.energy().total();
        for _ in 0..100 {
            let report = world.step(1e-3, &Inputs::none());
            assert!(report.gate.is_idle(), "{tilt} {stiffness}: {:?}", report.gate);
        }
        let (fallen, energy) = (0.2 - world.pose(a).position.z, world.energy().total());
        // ½ g t² is 49 mm; the spring takes a part of it, and turns around the stiffest
        assert!(fallen.abs() > 5e-3, "{tilt} {stiffness}: fell by {fallen} m");
        assert!((energy - before).abs() <= 1e-9 * world.energy().kinetic, "{before} {energy}");
    }
}
