//! Closed forms of contact: bounces, friction, rolling, proxies. Numbers O1 to O11 are those of
//! independent computations.

mod common;

use common::long;
use palpable::*;

const G: f64 = 9.81;

/// A floor, gravity and one body, all of one material.
fn alone(material: Material, gravity: Vec3, body: Body) -> (World, BodyId) {
    let mut model = Model::builder();
    model.gravity(gravity).contacts(0);
    model.body(Body::half_space("floor").material(material));
    let id = model.body(body.material(material));
    (World::new(model.build().expect("a valid world")), id)
}

fn down() -> Vec3 {
    Vec3::new(0.0, 0.0, -G)
}

fn steps(world: &mut World, seconds: f64, h: f64, mut each: impl FnMut(&World, &StepReport)) {
    for _ in 0..(seconds / h).round() as usize {
        let report = world.step(h, &Inputs::none());
        assert!(report.status.is_taken(), "{:?}", report.status);
        each(world, &report);
    }
}

/// The tilted, spinning box of the reference runs: 6.0714 J.
fn spinning_box() -> Body {
    let tilt = Rotation::from_scaled_axis(Vec3::new(0.4, 0.3, 0.2));
    let body = Body::cuboid("box", [0.1, 0.1, 0.05]).mass(1.0).position([0.0, 0.0, 0.6]);
    body.rotation(tilt).velocity([0.5, 0.2, 0.0]).angular_velocity([1.0, 2.0, 3.0])
}

#[test]
fn an_elastic_spinning_box_keeps_the_energy_of_the_reference_run() {
    for h in [1e-3, 1e-2] {
        let (mut world, _) = alone(Material::new(0.0, 1.0), down(), spinning_box());
        let start = world.energy().total();
        assert!((start - 6.0714).abs() < 1e-4, "{start}");
        let (mut worst, mut hits) = (0.0f64, 0);
        steps(&mut world, 6.0, h, |w, _| {
            worst = worst.max((w.energy().total() - start).abs());
            hits += w.contacts().iter().filter(|t| t.impulse.norm() > 0.0).count();
        });
        assert!(hits > 5 && worst < 1e-12 * start, "h {h}: {worst:e}, {hits} hits");
    }
}

#[test]
fn contact_work_is_the_difference_of_energy_and_never_positive() {
    for (mu, e, h) in [(0.3, 0.0, 1e-3), (0.3, 0.5, 1e-3), (0.0, 0.5, 1e-2), (0.7, 1.0, 1e-2)] {
        let (mut world, id) = alone(Material::new(mu, e), down(), spinning_box());
        let start = world.energy().total();
        steps(&mut world, 3.0, h, |_, r| {
            let Entry { before, after, flows, .. } = r.entry;
            // the tank keeps part of what contact took: E + tank falls by the rest
            let rise = after.total() - before.total();
            let change = rise + flows.lost() - flows.supplied;
            assert!(change.abs() < 1e-13 * start, "mu {mu} e {e}: {change:e}");
            assert!(rise < 1e-13 * start, "mu {mu} e {e}: {rise:e}");
            let lost = [flows.friction, flows.impact];
            assert!(lost.iter().all(|l| *l > -1e-13 * start), "mu {mu} e {e}: {lost:?}");
        });
        // it rests on its largest face, or at least no lower than that
        assert!(world.pose(id).position.z > 0.05 - 1e-6);
    }
}

#[test]
fn a_ball_bounces_to_the_heights_of_its_restitution() {
    let (h, fall, radius) = (1e-3, 0.5, 0.05);
    let impact = (2.0 * G * fall).sqrt();
    for e in [1.0, 0.8, 0.5, 0.2f64] {
        let ball = Body::sphere("ball", radius).mass(1.0).position([0.0, 0.0, fall + radius]);
        let (mut world, id) = alone(Material::new(0.0, e), down(), ball);
        let (mut up, mut apex, mut turned) = (false, 0.0f64, false);
        steps(&mut world, 1.0, h, |w, _| {
            let (z, v) = (w.pose(id).position.z - radius, w.velocity(id).z);
            up |= v > 0.0;
            turned |= up && v < 0.0;
            if up && !turned {
                apex = apex.max(z);
            }
        });
        // the time of impact is known to a step
        assert!((apex - e * e * fall).abs() < h * impact, "e {e}: apex {apex}");
    }
    // the last bounce of e = 0.5
    let ball = Body::sphere("ball", radius).mass(1.0).position([0.0, 0.0, fall + radius]);
    let (mut world, id) = alone(Material::new(0.0, 0.5), down(), ball);
    let mut moving = 0.0;
    steps(&mut world, 1.5, h, |w, _| {
        if w.velocity(id).norm() > 1e-6 {
            moving = w.time();
        }
    });
    let expected = (2.0 * fall / G).sqrt() * 3.0;
    assert!((moving - expected).abs() < 0.02, "rests at {moving} s, not {expected}");
}

#[test]
fn a_flat_box_falls_dead_and_rests() {
    for h in [1e-3, 5e-3] {
        let body = Body::cuboid("box", [0.1, 0.1, 0.05]).mass(1.0).position([0.0, 0.0, 0.4]);
        let (mut world, id) = alone(Material::new(0.5, 0.0), down(), body);
        let mut least = f64::MAX;
        steps(&mut world, 3.0, h, |w, _| least = least.min(w.pose(id).position.z - 0.05));
        let speed = world.velocity(id).norm() + world.angular_velocity(id).norm();
        // O5: a gap of -1e-9 m at worst; rest to the accuracy at which a warm start is taken
        assert!(least > -1e-9, "h {h}: {least:e}");
        assert!(speed < 1e-9, "h {h}: {speed:e}");
        let force = world.contact_force(id);
        assert!((force - Vec3::new(0.0, 0.0, G)).norm() < 1e-6, "{force}");
        // asked for more, it rests to rounding
        let settings = world.contact_settings().expect("contact");
        (settings.idle, settings.tolerance) = (0.0, 1e-15);
        steps(&mut world, 0.1, h, |_, _| {});
        let speed = world.velocity(id).norm() + world.angular_velocity(id).norm();
        assert!(speed < 1e-12, "h {h}: {speed:e}");
    }
}

#[test]
fn tilted_boxes_never_sink_in() {
    let mut r = common::Random(17);
    for case in 0..if long() { 200 } else { 20 } {
        let half = Vec3::new(r.decades(0.02, 0.2), r.decades(0.02, 0.2), r.decades(0.02, 0.2));
        let body = Body::cuboid("box", half).mass(r.decades(0.01, 10.0)).rotation(r.rotation());
        let body = body.position([0.0, 0.0, 0.7]).velocity(r.vector(1.0));
        let body = body.angular_velocity(r.vector(5.0));
        let (mut world, id) = alone(Material::new(r.between(0.0, 1.0), 0.0), down(), body);
        let mut deepest = 0.0f64;
        steps(&mut world, 1.5, 1e-3, |w, _| {
            let pose = w.pose(id);
            for corner in 0..8 {
                let sign = |bit: usize| if corner >> bit & 1 == 0 { 1.0 } else { -1.0 };
                let at = half.component_mul(&Vec3::new(sign(0), sign(1), sign(2)));
                deepest = deepest.max(-(pose.position + pose.rotation * at).z);
            }
        });
        assert!(deepest < 1e-6, "case {case}: {deepest:e}");
    }
}

#[test]
fn a_sliding_block_stops_where_coulomb_says_in_any_direction() {
    let (mu, v) = (0.3, 1.0);
    for direction in 0..16 {
        let turn = direction as f64 * std::f64::consts::TAU / 16.0;
        let heading = Vec3::new(turn.cos(), turn.sin(), 0.0);
        // low and wide, so that it does not tip
        let body = Body::cuboid("block", [0.2, 0.2, 0.02]).mass(1.0).position([0.0, 0.0, 0.02]);
        let (mut world, id) = alone(Material::new(mu, 0.0), down(), body.velocity(heading * v));
        steps(&mut world, 0.5, 1e-3, |_, _| {});
        let went = world.pose(id).position - Vec3::new(0.0, 0.0, 0.02);
        // O7: v²/(2 μ g) = 0.169895 m
        assert!((went - heading * 0.169895).norm() < 1e-5, "{direction}: {went}");
        assert!(world.velocity(id).norm() < 1e-9);
    }
}

#[test]
fn four_corners_carry_a_cube_with_a_unique_wrench() {
    let body = Body::cuboid("cube", [0.1; 3]).mass(1.0).position([0.3, 0.2, 0.1]);
    let (mut world, id) = alone(Material::new(0.5, 0.0), down(), body);
    steps(&mut world, 0.1, 1e-3, |_, _| {});
    let mut torque = Vec3::zeros();
    for touch in world.contacts() {
        assert!(touch.force.z >= 0.0);
        torque += (touch.point - world.pose(id).position).cross(&touch.force);
    }
    let force = world.contact_force(id);
    assert!((force - Vec3::new(0.0, 0.0, G)).norm() < 1e-7, "{force}");
    assert!(torque.norm() < 1e-8, "{torque}");
}

#[test]
fn a_block_pulled_below_its_limit_does_not_creep() {
    let mut model = Model::builder();
    let rough = Material::new(0.5, 0.0);
    model.gravity(down()).contacts(0);
    model.body(Body::half_space("floor").material(rough));
    let body = Body::cuboid("block", [0.1, 0.1, 0.05]).mass(1.0).position([0.0, 0.0, 0.05]);
    let id = model.body(body.material(rough));
    let pull = model.port(Port::force("pull", id.origin()));
    let mut world = World::new(model.build().expect("a block"));
    let mut inputs = world.inputs();
    inputs.force(pull, [0.6 * 0.5 * G, 0.7 * 0.5 * G, 0.0]);
    for _ in 0..1000 {
        let _ = world.step(1e-3, &inputs);
    }
    let start = world.pose(id).position;
    for _ in 0..10_000 {
        let _ = world.step(1e-3, &inputs);
    }
    let crept = (world.pose(id).position - start).norm();
    println!("creep {crept:e} m in 10 s, at all {:e}", (start - Vec3::z() * 0.05).norm());
    assert!(crept < 1e-8, "{crept:e}");
}

#[test]
fn friction_at_rest_holds_further_than_friction_in_motion() {
    // μ_s = 0.6, μ = 0.4: stays under 0.5 m g, and slides once kicked
    let sticky = Material::new(0.4, 0.0).sticky(0.6);
    let gravity = Vec3::new(0.5 * G, 0.0, -G);
    for kick in [0.0, 0.3] {
        let body = Body::cuboid("block", [0.2, 0.2, 0.02]).mass(1.0).position([0.0, 0.0, 0.02]);
        let (mut world, id) = alone(sticky, gravity, body.velocity([kick, 0.0, 0.0]));
        steps(&mut world, 1.0, 1e-3, |_, _| {});
        let (v, slides) = (world.velocity(id).x, kick > 0.0);
        let expected = if slides { kick + 0.1 * G } else { 0.0 };
        assert!((v - expected).abs() < 1e-3 * (1.0 + expected), "kick {kick}: {v} {expected}");
    }
}

#[test]
fn a_dragged_proxy_stays_out_of_the_wall() {
    // O6: 1 g held by 1000 N/m to a hand that goes 3 cm into the wall and along it
    for h in [1e-3, 3e-3] {
        let mut model = Model::builder();
        let rough = Material::new(0.5, 0.0);
        model.contacts(0);
        model.body(Body::half_space("wall").material(rough));
        let (radius, k) = (5e-3, 1000.0);
        let ball = Body::sphere("proxy", radius).mass(1e-3).position([0.0, 0.0, 0.02]);
        let id = model.body(ball.material(rough));
        let rows = Vec6::new(k, k, k, 0.0, 0.0, 0.0);
        let hand = model.port(Port::reference("hand", id.origin(), rows, Vec6::zeros()));
        let mut world = World::new(model.build().expect("a proxy"));
        let mut inputs = world.inputs();
        let (mut deepest, mut touched, mut gained) = (0.0f64, 0, 0.0f64);
        for tick in 0..(if long() { 20.0 } else { 5.0 } / h) as usize {
            let t = tick as f64 * h;
            let z = 0.02 * (1.0 - t.min(1.0)) - 0.03 * (2.0 * t).sin().max(0.0) + 1e-3;
            let position = Vec3::new(0.05 * (3.0 * t).sin(), 0.02 * (5.0 * t).cos() - 0.02, z);
            let rotation = Rotation::identity();
            inputs.set(hand, PortInput::Reference { position, rotation });
            let report = world.step(h, &inputs);
            assert!(report.status.is_taken());
            let flows = report.entry.flows;
            gained += (-(flows.friction + flows.impact)).max(0.0);
            deepest = deepest.max(radius - world.pose(id).position.z);
            touched += usize::from(world.contact_force(id).norm() > 0.0);
        }
        println!("h {h}: deepest {deepest:e}, touched {touched}, gained {gained:e}");
        assert!(touched > 100 && deepest < 1e-6, "h {h}: {deepest:e}, {touched}");
        assert!(gained < 1e-12, "h {h}: {gained:e}");
    }
}

#[test]
fn a_rolling_ball_slows_down_as_its_lever_says() {
    // F = m a, F r + roll m g = I α, a = α r: a = g roll / (r (1 + 2/5))
    let (radius, lever, v) = (0.1, 2e-3, 0.3);
    for direction in 0..8 {
        let turn = direction as f64 * std::f64::consts::TAU / 8.0;
        let heading = Vec3::new(turn.cos(), turn.sin(), 0.0);
        let ball = Body::sphere("ball", radius).mass(2.0).position([0.0, 0.0, radius]);
        let ball = ball.velocity(heading * v);
        let ball = ball.angular_velocity(Vec3::z().cross(&heading) * (v / radius));
        let material = Material::new(0.5, 0.0).rolling(0.0, lever);
        let (mut world, id) = alone(material, down(), ball);
        let slows = G * lever / (radius * 1.4);
        steps(&mut world, 1.0, 1e-3, |_, _| {});
        let now = world.velocity(id);
        assert!((now - heading * (v - slows)).norm() < 1e-3 * slows, "{direction}: {now}");
        // and comes to rest, for good
        steps(&mut world, v / slows, 1e-3, |_, _| {});
        let there = world.pose(id).position;
        steps(&mut world, 0.5, 1e-3, |_, _| {});
        let (crept, speed) = ((world.pose(id).position - there).norm(), world.velocity(id).norm());
        println!("{direction}: crept {crept:e}, speed {speed:e}");
        assert!(crept < 1e-8 && speed < 1e-9, "{direction}: {crept:e} {speed:e}");
        let stop = v * v / (2.0 * slows);
        assert!((there.dot(&heading) - stop).abs() < 1e-3 * stop, "{direction}: {there} {stop}");
    }
}

#[test]
fn a_spinning_ball_slows_down_as_its_lever_says() {
    let (radius, lever, rate) = (0.1, 1e-3, 5.0);
    let ball = Body::sphere("ball", radius).mass(2.0).position([0.0, 0.0, radius]);
    let ball = ball.angular_velocity([0.0, 0.0, rate]);
    let (mut world, id) = alone(Material::new(0.5, 0.0).rolling(lever, 0.0), down(), ball);
    steps(&mut world, 1.0, 1e-3, |_, _| {});
    // I α = lever m g
    let slows = lever * G / (0.4 * radius * radius);
    let now = world.angular_velocity(id).z;
    assert!((now - (rate - slows)).abs() < 1e-3 * slows, "{now} {}", rate - slows);
}
