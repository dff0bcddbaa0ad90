//! Motors, gears and elliptic joints: closed forms, and work that equals the change of energy.

use palpable::*;

/// A wheel on a hinge about z in the world.
fn wheel(model: &mut ModelBuilder, name: &str, inertia: f64, at: [f64; 3]) -> BodyId {
    let moments = [0.6 * inertia, 0.6 * inertia, inertia];
    let id = model.body(Body::new(name).principal_inertia(0.5, moments).position(at));
    model.joint(Joint::hinge(id.origin(), Anchor::world(at)));
    id
}

/// A cart on a rail along z in the world.
fn cart(model: &mut ModelBuilder, name: &str, mass: f64, at: [f64; 3]) -> BodyId {
    let id = model.body(Body::cuboid(name, [0.1; 3]).mass(mass).position(at));
    model.joint(Joint::prismatic(id.origin(), Anchor::world(at)));
    id
}

fn spun(model: ModelBuilder, port: PortId, input: PortInput, steps: u32, h: f64) -> World {
    let mut world = World::new(model.build().expect("a valid model"));
    let mut inputs = world.inputs();
    inputs.set(port, input);
    let start = world.energy().total();
    let mut work = 0.0;
    for _ in 0..steps {
        let report = world.step(h, &inputs);
        assert_eq!(report.status, Status::Taken);
        work += world.port(port).work;
    }
    // what came in is stored or lost, to rounding
    let stored = world.energy().total() - start + world.ledger().totals().lost();
    assert!((stored - work).abs() <= 1e-12 * (1.0 + work.abs()), "{stored} {work}");
    world
}

#[test]
fn a_torque_motor_accelerates_a_wheel_by_torque_over_inertia() {
    let (inertia, torque) = (2e-3, 0.05);
    let mut model = Model::ghosts();
    let id = wheel(&mut model, "wheel", inertia, [0.0; 3]);
    let motor = Spring::angle(id.origin(), Anchor::world([0.0; 3]));
    let port = model.port(Port::motor("motor", motor));
    let world = spun(model, port, PortInput::Effort(torque), 400, 5e-3);
    let (rate, expected) = (world.angular_velocity(id).z, torque / inertia * 2.0);
    // a constant torque is exact under the midpoint rule
    assert!((rate / expected - 1.0).abs() < 1e-10, "{rate} {expected}");
    // a step turns by the Cayley map of its midpoint rate
    let turn = |n: u32| 2.0 * (0.5 * 5e-3 * (f64::from(n) - 0.5) * 5e-3 * torque / inertia).atan();
    let (angle, found) = ((1..=400).map(turn).sum::<f64>(), world.port(port).measure);
    assert!((found / angle - 1.0).abs() < 1e-10, "{found} {angle}");
}

#[test]
fn a_force_motor_accelerates_a_cart_and_a_joint_of_a_chain() {
    let mut model = Model::ghosts();
    let id = cart(&mut model, "cart", 2.0, [0.0; 3]);
    let motor = Port::motor("motor", Spring::slide(id.origin(), Anchor::world([0.0; 3])));
    let port = model.port(motor);
    let world = spun(model, port, PortInput::Effort(3.0), 100, 1e-2);
    assert!((world.velocity(id).z - 1.5).abs() < 1e-12);

    let mut chain = Chain::new("rotor");
    let moments = Mat3::from_diagonal(&Vec3::new(1e-3, 1e-3, 2e-3));
    chain.link(Link::revolute("rotor").inertia(0.3, [0.0; 3], moments));
    let mut model = Model::ghosts();
    let id = model.chain(chain);
    let port = model.port(Port::motor("motor", Spring::coordinate(id, 0)));
    let world = spun(model, port, PortInput::Effort(0.05), 400, 5e-3);
    let mut rate = [0.0];
    world.coordinate_rates(id, &mut rate);
    assert!((rate[0] / 50.0 - 1.0).abs() < 1e-10, "{}", rate[0]);
}

#[test]
fn a_rate_motor_reaches_its_rate_with_the_time_constant_of_its_damping() {
    let (inertia, gain, rate) = (2e-3, 0.02, 12.0);
    let mut model = Model::ghosts();
    let id = wheel(&mut model, "wheel", inertia, [0.0; 3]);
    let drive = Spring::angle(id.origin(), Anchor::world([0.0; 3])).damping(gain);
    let port = model.port(Port::motor("motor", drive));
    let early = spun(model.clone(), port, PortInput::Rate(rate), 100, 1e-3);
    let reached = rate * (1.0 - f64::exp(-gain * 0.1 / inertia));
    // the midpoint rule is off by (bh/J)²/12 of the exponent
    assert!((early.angular_velocity(id).z - reached).abs() < 1e-4 * rate);
    let late = spun(model, port, PortInput::Rate(rate), 5000, 1e-3);
    assert!((late.angular_velocity(id).z / rate - 1.0).abs() < 1e-9);
}

#[test]
fn a_servo_moves_to_its_target_and_its_port_pays() {
    let mut model = Model::ghosts();
    let id = wheel(&mut model, "wheel", 2e-3, [0.0; 3]);
    let drive = Spring::angle(id.origin(), Anchor::world([0.0; 3])).stiffness(0.5).damping(0.05);
    let port = model.port(Port::motor("servo", drive));
    let world = spun(model, port, PortInput::Target(2.5), 3000, 1e-3);
    assert!((world.port(port).measure - 2.5).abs() < 1e-6);
    // the tank keeps some of what the damper took
    assert!(world.energy().kinetic + world.energy().elastic < 1e-9);
}

#[test]
fn two_geared_wheels_turn_as_one_effective_inertia() {
    let (j1, j2, torque) = (2e-3, 3e-3, 0.05);
    for ratio in [2.0, -0.5] {
        let mut model = Model::ghosts();
        let a = wheel(&mut model, "a", j1, [0.0; 3]);
        let b = wheel(&mut model, "b", j2, [0.1, 0.0, 0.0]);
        let (hub, far) = (Anchor::world([0.0; 3]), Anchor::world([0.1, 0.0, 0.0]));
        model.joint(Joint::gear(a.origin(), hub, b.origin(), far, ratio));
        let port = model.port(Port::motor("motor", Spring::angle(a.origin(), hub)));
        let world = spun(model, port, PortInput::Effort(torque), 1000, 2e-3);
        // a turns once, b −1/ratio times
        let expected = torque / (j1 + j2 / (ratio * ratio)) * 2.0;
        let (wa, wb) = (world.angular_velocity(a).z, world.angular_velocity(b).z);
        assert!((wa / expected - 1.0).abs() < 1e-9, "{wa} {expected}");
        assert!((wa + ratio * wb).abs() < 1e-9 * wa.abs(), "{wa} {wb}");
        // many turns later the teeth still mesh
        assert!(world.port(port).measure.abs() > 7.0);
    }
}

#[test]
fn gears_on_a_moving_carrier_follow_its_equations() {
    let (jc, j1, j2, mass, arm, ratio, torque) = (5e-3, 1e-3, 2e-3, 0.5, 0.1, 2.0, 0.02);
    let mut model = Model::ghosts();
    let carrier = model.body(Body::new("carrier").principal_inertia(1.0, [jc; 3]));
    model.joint(Joint::hinge(carrier.origin(), Anchor::world([0.0; 3])));
    let mut on = |name: &str, inertia: f64, x: f64| {
        let moments = [0.6 * inertia, 0.6 * inertia, inertia];
        let body = Body::new(name).principal_inertia(mass, moments).position([x, 0.0, 0.0]);
        let id = model.body(body);
        model.joint(Joint::hinge(id.origin(), carrier.at([x, 0.0, 0.0])));
        id
    };
    let (a, b) = (on("a", j1, arm), on("b", j2, -arm));
    let (at_a, at_b) = (carrier.at([arm, 0.0, 0.0]), carrier.at([-arm, 0.0, 0.0]));
    model.joint(Joint::gear(a.origin(), at_a, b.origin(), at_b, ratio));
    let port = model.port(Port::motor("motor", Spring::angle(a.origin(), at_a)));
    let h = 1e-3;
    let world = spun(model, port, PortInput::Effort(torque), 1000, h);
    // carrier c, relative turn s of wheel a: momentum and work of the motor
    let whole = jc + 2.0 * mass * arm * arm + j1 + j2;
    let cross = j1 - j2 / ratio;
    let own = j1 + j2 / (ratio * ratio);
    let s = torque / (own - cross * cross / whole);
    let c = -s * cross / whole;
    let (wc, wa, wb) = (
        world.angular_velocity(carrier).z,
        world.angular_velocity(a).z,
        world.angular_velocity(b).z,
    );
    println!("{wc} {c}; {wa} {}; {wb} {}", c + s, c - s / ratio);
    for (found, expected) in [(wc, c), (wa, c + s), (wb, c - s / ratio)] {
        // centres on circles: the midpoint rule is off by (ωh)²/12
        assert!((found - expected).abs() < 1e-5 * s, "{found} {expected}");
    }
    // nothing turns the whole
    assert!(world.angular_momentum().norm() < 1e-9 * own * s);
}

#[test]
fn a_rack_moves_with_its_pinion_and_tied_carts_together() {
    let (inertia, mass, ratio) = (2e-3, 0.4, 25.0);
    let mut model = Model::ghosts();
    let pinion = wheel(&mut model, "pinion", inertia, [0.0; 3]);
    let bar = cart(&mut model, "bar", mass, [0.3, 0.0, 0.0]);
    let (hub, rail) = (Anchor::world([0.0; 3]), Anchor::world([0.3, 0.0, 0.0]));
    model.joint(Joint::rack(pinion.origin(), hub, bar.origin(), rail, ratio));
    let port = model.port(Port::motor("motor", Spring::angle(pinion.origin(), hub)));
    let world = spun(model, port, PortInput::Effort(0.05), 1000, 1e-3);
    let expected = 0.05 / (inertia + mass / (ratio * ratio));
    let (turn, slide) = (world.angular_velocity(pinion).z, world.velocity(bar).z);
    assert!((turn / expected - 1.0).abs() < 1e-9, "{turn} {expected}");
    assert!((turn + ratio * slide).abs() < 1e-9 * turn);

    let mut model = Model::ghosts();
    let a = cart(&mut model, "a", 1.0, [0.0; 3]);
    let b = cart(&mut model, "b", 3.0, [0.3, 0.0, 0.0]);
    let (first, second) = (Anchor::world([0.0; 3]), Anchor::world([0.3, 0.0, 0.0]));
    model.joint(Joint::tied_slides(a.origin(), first, b.origin(), second, -2.0));
    let port = model.port(Port::motor("motor", Spring::slide(a.origin(), first)));
    let world = spun(model, port, PortInput::Effort(7.0), 1000, 1e-3);
    assert!((world.velocity(a).z / (7.0 / 1.75) - 1.0).abs() < 1e-9);
    assert!((world.velocity(b).z / (3.5 / 1.75) - 1.0).abs() < 1e-9);
}

#[test]
fn a_coupling_ties_two_coordinates_of_a_chain() {
    let moments = |j: f64| Mat3::from_diagonal(&Vec3::new(j, j, j));
    let (j1, j2, ratio) = (2e-3, 3e-3, -2.0);
    let mut chain = Chain::new("rotors");
    chain.link(Link::revolute("a").inertia(0.3, [0.0; 3], moments(j1)).start(0.3, 0.0));
    chain.link(Link::revolute("b").inertia(0.3, [0.0; 3], moments(j2)).start(0.1, 0.0));
    let mut model = Model::ghosts();
    let id = model.chain(chain);
    model.joint(Joint::coupling(id, 0, 1, ratio, 0.1));
    let port = model.port(Port::motor("motor", Spring::coordinate(id, 0)));
    let world = spun(model, port, PortInput::Effort(0.05), 1000, 1e-3);
    let (mut w, q) = ([0.0; 2], world.coordinates(id));
    world.coordinate_rates(id, &mut w);
    let expected = 0.05 / (j1 + j2 / (ratio * ratio));
    assert!((w[0] / expected - 1.0).abs() < 1e-9, "{w:?} {expected}");
    assert!((w[0] + ratio * w[1]).abs() < 1e-9 * expected);
    assert!((q[0] + ratio * q[1] - 0.1).abs() < 1e-9, "{q:?}");
}

#[test]
fn an_elliptic_joint_resists_each_way_as_its_four_points_say() {
    let (k, reach, inertia) = (100.0, [0.03, 0.05], 1e-3);
    let stiff = [2.0 * k * reach[1] * reach[1], 2.0 * k * reach[0] * reach[0]];
    let stiff = [stiff[0], stiff[1], stiff[0] + stiff[1]];
    for (axis, stiff) in stiff.into_iter().enumerate() {
        let angle: f64 = 1e-3;
        let mut model = Model::ghosts();
        let turn = Rotation::from_scaled_axis(Vec3::ith(axis, angle));
        let body = Body::new("body").principal_inertia(0.5, [inertia; 3]).rotation(turn);
        let id = model.body(body);
        for joint in Joint::elliptic(id.origin(), Anchor::world([0.0; 3]), reach, k) {
            model.joint(joint);
        }
        let options = Options { joint_loss: 0.0, ..Default::default() };
        let mut world = World::with_options(model.build().expect("four points"), options)
            .expect("options that fit");
        let energy = world.energy().total();
        // each point moves on a chord: ½ K (2 sin(angle/2))²
        let expected = 0.5 * stiff * (2.0 * (0.5 * angle).sin()).powi(2);
        assert!((energy / expected - 1.0).abs() < 1e-9, "axis {axis}: {energy} {expected}");
        let h = 1e-3;
        let theta = 2.0 * (0.5 * h * (stiff / inertia).sqrt()).atan();
        for n in 1..=500 {
            let _ = world.step(h, &Inputs::none());
            let turned = world.pose(id).rotation.scaled_axis()[axis];
            let exact = angle * (f64::from(n) * theta).cos();
            // amplitude³ over the period: 1e-6 · angle per radian
            assert!((turned - exact).abs() < 1e-4 * angle, "axis {axis} step {n}: {turned}");
        }
        assert!((world.energy().total() / energy - 1.0).abs() < 1e-10);
    }
}
