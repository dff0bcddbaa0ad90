//! Rules of the two phases of contact, one by one: each test fails when its rule is taken out.

mod common;

use common::{Random, long};
use palpable::*;

const G: f64 = 9.81;

fn down() -> Vec3 {
    Vec3::new(0.0, 0.0, -G)
}

/// A world with a floor and one body of the same material.
fn alone(material: Material, gravity: Vec3, body: Body, tank: TankPolicy) -> (World, BodyId) {
    let mut model = Model::builder();
    model.gravity(gravity).contacts(0);
    model.body(Body::half_space("floor").material(material));
    let id = model.body(body.material(material));
    let options = Options { tank, ..Default::default() };
    (
        World::with_options(model.build().expect("a valid world"), options)
            .expect("options that fit"),
        id,
    )
}

fn empty() -> TankPolicy {
    TankPolicy { cap: 0.0, grant: 0.0, ..Default::default() }
}

fn step(world: &mut World, h: f64) -> StepReport {
    let report = world.step(h, &Inputs::none());
    assert!(report.status.is_taken(), "{:?}", report.status);
    report
}

#[test]
fn a_bounce_begins_before_half_a_step_is_spent_inside() {
    // an impulse acts at the nearer end of the step: nobody gets deeper than half of h v
    let (h, radius) = (5e-3, 0.05);
    for case in 0..40 {
        let fall = 0.2 + 0.01 * f64::from(case);
        let ball = Body::sphere("ball", radius).mass(1.0).position([0.0, 0.0, fall + radius]);
        let (mut world, id) = alone(Material::new(0.0, 1.0), down(), ball, empty());
        let (mut deepest, mut fastest) = (0.0f64, 0.0f64);
        for _ in 0..200 {
            let _ = step(&mut world, h);
            deepest = deepest.max(radius - world.pose(id).position.z);
            fastest = fastest.max(world.velocity(id).norm());
        }
        let most = 0.5 * h * fastest + G * h * h;
        assert!(deepest <= most, "fall {fall}: {deepest:e} of {most:e}");
    }
}

#[test]
fn what_closes_more_slowly_than_gravity_in_two_steps_does_not_bounce() {
    let (h, radius) = (1e-3, 0.05);
    for (speed, bounces) in [(1.5 * G * h, false), (3.0 * G * h, true)] {
        let ball = Body::sphere("ball", radius).mass(1.0).position([0.0, 0.0, radius]);
        let ball = ball.velocity([0.0, 0.0, -speed]);
        let (mut world, id) = alone(Material::new(0.0, 1.0), down(), ball, empty());
        let mut highest = 0.0f64;
        for _ in 0..20 {
            let _ = step(&mut world, h);
            highest = highest.max(world.pose(id).position.z - radius);
        }
        // up again to v²/2g, or not at all
        let apex = speed * speed / (2.0 * G);
        let expected = if bounces { 0.5 * apex..1.5 * apex } else { -1e-9..1e-9 };
        assert!(expected.contains(&highest), "{speed}: {highest:e} of {apex:e}");
    }
}

#[test]
fn friction_of_both_phases_together_stays_in_the_cone() {
    // p_t of the impulse may use what the last step left over, but no step uses it twice
    let (mu, mass, h) = (0.5, 1.0, 1e-3);
    let mut model = Model::builder();
    let rough = Material::new(mu, 0.0);
    model.gravity(down()).contacts(0);
    model.body(Body::half_space("floor").material(rough));
    let block = Body::cuboid("block", [0.2, 0.2, 0.02]).mass(mass).position([0.0, 0.0, 0.02]);
    let id = model.body(block.material(rough));
    let pull = model.port(Port::force("pull", id.origin()));
    let mut world = World::new(model.build().expect("a block"));
    let mut inputs = world.inputs();
    for _ in 0..100 {
        let _ = world.step(h, &inputs);
    }
    // at rest without a pull the whole cone is left over; then a jump beyond the limit
    let force = 1.5 * mu * mass * G;
    inputs.force(pull, [force, 0.0, 0.0]);
    for n in 1..=20 {
        let _ = world.step(h, &inputs);
        let (mut normal, mut tangent) = (0.0, Vec3::zeros());
        for touch in world.contacts() {
            let all = touch.force * h + touch.impulse;
            let along = all.dot(&touch.normal);
            normal += along;
            tangent += all - touch.normal * along;
        }
        assert!(tangent.norm() <= mu * normal * (1.0 + 1e-9), "{n}: {tangent} of {normal}");
        let (v, expected) = (world.velocity(id).x, (force / mass - mu * G) * h * f64::from(n));
        assert!((v - expected).abs() < 1e-9, "{n}: {v} {expected}");
    }
}

/// Angle of an upright block after `t` [s], that tips over its edge from `angle` at rest: a
/// pendulum upside down, `4/3 d θ'' = g sin θ`.
fn tipped(angle: f64, d: f64, t: f64) -> f64 {
    let (n, pull) = (10_000, |a: f64| 0.75 * G / d * a.sin());
    let (mut a, mut w, h) = (angle, 0.0, t / 10_000.0);
    for _ in 0..n {
        // leapfrog: exact enough at 1e-4 of the time constant
        w += 0.5 * h * pull(a);
        a += h * w;
        w += 0.5 * h * pull(a);
    }
    a
}

#[test]
fn a_tipping_block_falls_as_the_pendulum_it_is() {
    let half = Vec3::new(0.06, 0.2, 0.3);
    let (d, lean) = (half.x.hypot(half.z), half.x.atan2(half.z));
    let (start, time) = (0.2f64, 0.32);
    let expected = tipped(start, d, time);
    let mut errors = Vec::new();
    for h in [8e-3, 4e-3, 2e-3] {
        // the middle stands `start` past the edge at the origin
        let turn = Rotation::from_scaled_axis(Vec3::y() * (start + lean));
        let middle = Vec3::new(start.sin(), 0.0, start.cos()) * d;
        let block = Body::cuboid("block", half).mass(2.0).rotation(turn).position(middle);
        let (mut world, id) = alone(Material::new(2.0, 0.0), down(), block, empty());
        let mut off = 0.0f64;
        for _ in 0..(time / h).round() as usize {
            let _ = step(&mut world, h);
            let pose = world.pose(id);
            let edge = pose.position + pose.rotation * Vec3::new(half.x, 0.0, -half.z);
            off = off.max(edge.norm());
        }
        let p = world.pose(id).position;
        let error = p.x.atan2(p.z) - expected;
        println!("h {h}: angle {expected} error {error:e}, edge off by {off:e} m");
        // rows of the beginning of a step would let the edge climb by ½ ω² d h² in each
        assert!(off < 0.3 * h * h, "h {h}: {off:e}");
        errors.push(error.abs());
    }
    // of second order
    let orders = [errors[0] / errors[1], errors[1] / errors[2]];
    assert!(errors[2] < 1e-5 && orders.iter().all(|o| *o > 3.5), "{errors:?}");
}

#[test]
fn a_push_downwards_pays_into_the_tank() {
    // a ball 1 mm inside a ceiling falls out of it: m g · 1 mm must be in the books
    for cap in [1.0, 1e-4] {
        let tank = TankPolicy { cap, ..Default::default() };
        let mut model = Model::builder();
        model.gravity(down()).contacts(0);
        model.body(Body::cuboid("ceiling", [1.0, 1.0, 0.1]).position([0.0, 0.0, 1.1]).fixed());
        let ball = model.body(Body::sphere("ball", 0.05).mass(1.0).position([0.0, 0.0, 0.951]));
        let options = Options { tank, ..Default::default() };
        let mut world = World::with_options(model.build().expect("a ceiling"), options)
            .expect("options that fit");
        let start = world.energy().total();
        for _ in 0..5 {
            let entry = step(&mut world, 1e-3).entry;
            assert!(entry.closure().abs() < 1e-13 * start, "{:e}", entry.closure());
        }
        assert!(world.pose(ball).position.z < 0.951 - 9e-4);
        let (full, kept) = (G * 1e-3, world.energy().tank);
        assert!((kept - full.min(cap)).abs() < 0.02 * full, "cap {cap}: {kept}");
    }
}

#[test]
fn a_push_turns_a_body_by_a_tenth_of_a_radian_at_most() {
    // a rod 1 m long, whose end is 0.3 m inside: a straight line is no arc
    let tank = TankPolicy { cap: 100.0, grant: 100.0, ..Default::default() };
    let tilt = Rotation::from_scaled_axis(Vec3::y() * 0.5);
    let rod = Body::cuboid("rod", [0.5, 0.01, 0.01]).mass(1.0).rotation(tilt);
    let (mut world, id) = alone(Material::new(0.5, 0.0), down(), rod, tank);
    let (mut before, mut most) = (world.pose(id).rotation, 0.0f64);
    for _ in 0..50 {
        let _ = step(&mut world, 1e-3);
        let now = world.pose(id).rotation;
        let turned = (before.inverse() * now).angle() - 1e-3 * world.angular_velocity(id).norm();
        (most, before) = (most.max(turned), now);
    }
    assert!(most > 0.05 && most < 0.101, "{most}");
}

#[test]
fn what_stiff_joints_take_from_an_impact_is_in_the_books() {
    // links that part at 1 m/s when they touch the floor: the joint stops that, and says so
    let mut r = Random(3);
    for case in 0..20 {
        let mut model = Model::builder();
        model.gravity(down()).contacts(0);
        let rough = Material::new(0.5, 0.0);
        model.body(Body::half_space("floor").material(rough));
        let rod = |name: &str, x: f64, v: Vec3| {
            let rod = Body::cuboid(name, [0.05, 0.01, 0.01]).mass(0.1).position([x, 0.0, 0.0105]);
            rod.velocity(v).material(rough)
        };
        let a = model.body(rod("a", 0.0, r.vector(1.0)));
        let b = model.body(rod("b", 0.11, r.vector(1.0)));
        let ends = (a.at([0.055, 0.0, 0.0]), b.at([-0.055, 0.0, 0.0]));
        model.joint(Joint::ball(ends.0, ends.1).stiffness(if case % 2 == 0 {
            f64::INFINITY
        } else {
            1e9
        }));
        let mut world = World::new(model.build().expect("two rods"));
        let start = world.energy().kinetic;
        // an impact stops it at once; without one it flips twice before it counts as chatter
        let mut taken = 0.0;
        for _ in 0..3 {
            let first = step(&mut world, 1e-3).entry;
            assert!(first.closure().abs() < 1e-12 * start, "{case}: {:e}", first.closure());
            // the tank keeps its share, the rest is gone
            taken += first.flows.lost() + first.after.tank - first.before.tank;
        }
        assert!(taken > 0.05 * start, "{case}: {taken} of {start}");
        for _ in 0..50 {
            let entry = step(&mut world, 1e-3).entry;
            assert!(entry.closure().abs() < 1e-12 * start, "{case}: {:e}", entry.closure());
        }
    }
}

/// A tower of boxes of 1 kg under one of `ratio` kg, steps of 1 ms: residual of the last one [m/s],
/// how far the heavy box sank [m], and what the energy rose by, relative.
fn tower(boxes: usize, ratio: f64, steps: usize) -> (f64, f64, f64) {
    let mut model = Model::builder();
    model.gravity(down()).contacts(0);
    model.body(Body::half_space("floor"));
    let mut top = None;
    for i in 0..boxes {
        let mass = if i + 1 == boxes { ratio } else { 1.0 };
        let body = Body::cuboid(format!("b{i}"), [0.1; 3]).mass(mass);
        top = Some(model.body(body.position([0.0, 0.0, 0.1 + 0.2 * i as f64])));
    }
    let mut world = World::new(model.build().expect("a tower"));
    let (start, mut residual, mut rise) = (world.energy().total(), 0.0, 0.0f64);
    for _ in 0..steps {
        residual = step(&mut world, 1e-3).contact.residual;
        rise = rise.max((world.energy().total() - start) / start);
    }
    let height = 0.1 + 0.2 * (boxes as f64 - 1.0);
    (residual, height - world.pose(top.expect("a top")).position.z, rise)
}

#[test]
fn heavy_on_light_sinks_no_further_than_documented() {
    // docs/contact.md has the table, of 1 s
    for (boxes, ratio, most) in [(2, 1e6, 1e-7), (4, 1e2, 1e-8), (4, 1e4, 1e-7), (4, 1e6, 1e-7)] {
        let (residual, sunk, rise) = tower(boxes, ratio, 300);
        println!("| {boxes} | {ratio:.0e} | {residual:.1e} | {sunk:.1e} | {rise:.1e} |");
        assert!(rise < 1e-13, "{boxes} {ratio:e}: {rise:e}");
        assert!(sunk < most && residual < 1e-6, "{boxes} {ratio:e}: {sunk:e} {residual:e}");
    }
    // prints the table anew
    for (boxes, ratio) in [2, 4, 8].into_iter().flat_map(|n| [1e1, 1e2, 1e3, 1e6].map(|r| (n, r))) {
        if long() {
            let (residual, sunk, rise) = tower(boxes, ratio, 1000);
            println!("| {boxes} | {ratio:.0e} | {residual:.1e} | {sunk:.1e} |");
            assert!(rise < 1e-13, "{boxes} {ratio:e}: {rise:e}");
        }
    }
}

/// A ball above a floor, by a builder; nothing else is said.
fn ball_over_floor(mut model: palpable::ModelBuilder, ball: Body) -> (World, BodyId) {
    model.gravity([0.0, 0.0, -9.81]);
    model.body(Body::half_space("floor"));
    let ball = model.body(ball.position([0.0, 0.0, 0.15]));
    (World::new(model.build().expect("a ball")), ball)
}

#[test]
fn shapes_touch_unless_they_are_ghosts() {
    let ball = || Body::sphere("ball", 0.1).mass(1.0);
    let cases = [
        (Model::builder(), ball(), 0.1),
        (Model::builder(), ball().ghost(), -4.755),
        (Model::ghosts(), ball(), -4.755),
    ];
    for (builder, ball, height) in cases {
        let (mut world, ball) = ball_over_floor(builder, ball);
        for _ in 0..1000 {
            assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
        }
        // a fall of a second is exact in the midpoint rule; rest is known to the push-out's reach
        let z = world.pose(ball).position.z;
        assert!((z - height).abs() < 1e-6, "{z} instead of {height}");
    }
    // nothing to touch: one body, two that a joint joins, two that are fixed
    let mut alone = Model::builder();
    alone.body(ball());
    let mut joined = Model::builder();
    let (a, b) = (joined.body(ball()), joined.body(Body::sphere("b", 0.1)));
    joined.joint(Joint::ball(a.origin(), b.origin()));
    let mut fixed = Model::builder();
    fixed.body(ball().fixed());
    fixed.body(Body::half_space("floor"));
    for model in [alone, joined, fixed] {
        assert!(model.build().expect("a model").contact().is_none());
    }
}
