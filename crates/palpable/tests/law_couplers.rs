//! Unilateral and four-channel couplers, fingertips and workspaces: what each promises.

mod common;

use common::Random;
use palpable::coupling::*;
use palpable::{
    Anchor, Body, Dissipation, Inputs, Model, Options, Port, PortId, PortInput, PortOutput,
    Rotation, Spring, TankPolicy, Vec3, World,
};

const T: f64 = 1e-3;

/// A tool on a reference and a force port, tied to ground by a spring [N/m] if there is one.
fn world_of(coupling: &VirtualCoupling, mass: f64, tie: f64) -> (World, [PortId; 2]) {
    let mut model = Model::builder();
    let tool = model.body(Body::sphere("tool", 0.01).mass(mass));
    if tie > 0.0 {
        let ground = Anchor::world([0.0; 3]);
        model.spring(Spring::point(tool.at([0.0; 3]), ground).stiffness(tie));
    }
    let (k, b) = (coupling.stiffness(), coupling.damping());
    let ports = [
        model.port(Port::reference("hand", tool.at([0.0; 3]), k, b)),
        model.port(Port::force("push", tool.at([0.0; 3]))),
    ];
    let tank = TankPolicy { dissipation: Dissipation::Drop, ..Default::default() };
    let options = Options { tank, ..Default::default() };
    (World::with_options(model.build().unwrap(), options).expect("options that fit"), ports)
}

#[test]
fn a_unilateral_coupler_is_felt_in_contact_only() {
    let settings = CouplingSettings::point(1000.0, T);
    let (mut one, mut whole) =
        (Unilateral::new(settings).unwrap(), VirtualCoupling::new(settings).unwrap());
    let (mut w, [port, _]) = world_of(one.coupling(), 0.01, 500.0);
    let (mut r, mut q) = (Random(1), Vec3::zeros());
    let mut inputs = w.inputs();
    for tick in 0..1000 {
        q += r.vector(1e-3);
        let touching = (tick / 100) % 2 == 1;
        inputs.set(port, one.sample(&Handle::at(q)));
        whole.sample(&Handle::at(q));
        let _ = w.step(T, &inputs);
        let felt = one.force(&w.port(port), touching, T);
        let all = whole.force(&w.port(port), T);
        assert_eq!(felt.force, if touching { all.force } else { Vec3::zeros() });
    }
    assert_eq!(one.sample(&Handle::at([f64::NAN; 3])), PortInput::Idle);
    let felt = one.force(&w.port(port), true, T);
    assert_eq!((felt.force, felt.fault), (Vec3::zeros(), Some(InputFault::Sample)));
}

/// Energy in the world beyond what hand and device damping paid, with a unilateral coupler.
fn unilateral_excess(guard: Option<Guard>) -> f64 {
    let settings = CouplingSettings { guard, ..CouplingSettings::point(1000.0, T) };
    let mut coupler = Unilateral::new(settings).unwrap();
    let (mut w, [port, _]) = world_of(coupler.coupling(), 0.5, 0.0);
    let (mut paid, mut held, mut last, mut worst) = (0.0, Vec3::zeros(), Vec3::zeros(), 0.0);
    let mut inputs = w.inputs();
    for tick in 0..3000 {
        let q = Vec3::new(0.05 * (f64::from(tick) * T * 6.0).sin(), 0.0, 0.0);
        paid += 0.5 * (q - last).norm_squared() / T - held.dot(&(q - last));
        last = q;
        inputs.set(port, coupler.sample(&Handle::at(q)));
        let _ = w.step(T, &inputs);
        held = coupler.force(&w.port(port), (tick / 300) % 2 == 1, T).force;
        worst = f64::max(worst, w.energy().kinetic + w.energy().elastic - paid);
    }
    worst
}

#[test]
fn free_motion_of_a_unilateral_coupler_gives_the_tool_energy_unless_it_is_guarded() {
    let guard = Guard { device_damping: 0.5, grant: 1e-3, ..Guard::default() };
    // half a kilogram at 0.3 m/s: tens of millijoules that nobody paid
    assert!(unilateral_excess(None) > 0.01, "{}", unilateral_excess(None));
    let excess = unilateral_excess(Some(guard));
    assert!(excess <= 1e-3 + 1e-12, "{excess}");
}

#[test]
fn four_channels_carry_forces_and_positions_both_ways() {
    // hand pushes with 1 N, the environment holds the tool with 1 N: balance without an offset
    let settings = CouplingSettings::point(100.0, T);
    let mut four = FourChannel::new(settings).unwrap().with_energy(1.0);
    let (mut w, [reference, push]) = world_of(four.coupling(), 0.05, 200.0);
    let mut inputs = w.inputs();
    let hand = Handle::at([0.005, 0.0, 0.0]);
    let mut felt = Felt::default();
    for _ in 0..20_000 {
        let [a, b] = four.sample(&hand, &Vec3::new(1.0, 0.0, 0.0));
        inputs.set(reference, a);
        inputs.set(push, b);
        let _ = w.step(T, &inputs);
        let x = w.port(reference).position.x;
        let environment = Vec3::new(-200.0 * x, 0.0, 0.0);
        felt = four.force([&w.port(reference), &w.port(push)], &environment, T);
    }
    // 200 x = 1 + 100 (0.005 − x) at x = 5 mm: the spring is at rest and the hand feels −1 N
    assert!((w.port(reference).position.x - 0.005).abs() < 1e-6, "{:?}", w.port(reference));
    assert!((felt.force.x + 1.0).abs() < 1e-4, "{felt:?}");
}

#[test]
fn the_observer_of_four_channels_brakes_a_hand_that_is_fed() {
    // a channel that reports an environment which pushes the hand along
    let run = |energy: f64| {
        let mut four =
            FourChannel::new(CouplingSettings::point(100.0, T)).unwrap().with_energy(energy);
        let (mut w, [reference, push]) = world_of(four.coupling(), 0.01, 0.0);
        let (mut q, mut v, mut held) = (0.0, 0.1, 0.0);
        let mut inputs = w.inputs();
        let mut got = 0.0;
        for _ in 0..1000 {
            q += v * T;
            got += held * v * T;
            let [a, b] = four.sample(&Handle::at([q, 0.0, 0.0]), &Vec3::zeros());
            inputs.set(reference, a);
            inputs.set(push, b);
            let _ = w.step(T, &inputs);
            let along = Vec3::new(1.0 * v.signum(), 0.0, 0.0);
            held = four.force([&w.port(reference), &w.port(push)], &along, T).force.x;
            v += held * T / 0.2;
        }
        got
    };
    let (braked, free) = (run(0.0), run(1e9));
    assert!(free > 0.1 && braked < 0.02 * free, "{braked} {free}");
}

#[test]
fn four_channels_refuse_what_is_not_finite() {
    let mut four = FourChannel::new(CouplingSettings::point(100.0, T)).unwrap();
    let (nan, good) = (Vec3::new(f64::NAN, 0.0, 0.0), PortOutput::default());
    assert_eq!(four.sample(&Handle::at(nan), &Vec3::zeros()), [PortInput::Idle; 2]);
    assert_eq!(four.force([&good, &good], &Vec3::zeros(), T).fault, Some(InputFault::Sample));
    let [_, push] = four.sample(&Handle::at([0.0; 3]), &nan);
    assert_eq!(push, PortInput::Wrench { force: Vec3::zeros(), torque: Vec3::zeros() });
    let felt = four.force([&good, &good], &nan, T);
    assert_eq!((felt.fault, felt.force), (Some(InputFault::World), Vec3::zeros()));
    assert_eq!(four.force([&good, &good], &nan, 0.0).fault, Some(InputFault::Period));
    assert!(four.energy().is_finite());
}

#[test]
fn a_fingertip_feels_the_low_pass_of_the_contact_in_its_own_frame() {
    let (tau, force) = (0.01, Vec3::new(0.0, -2.0, 0.0));
    // the fingertip's z axis points along the world's −y
    let turn = Rotation::from_scaled_axis(Vec3::new(std::f64::consts::FRAC_PI_2, 0.0, 0.0));
    let mut pad = Cutaneous::new(tau).unwrap();
    for tick in 1..100 {
        let Pressed { force: felt, fault } = pad.update(&force, &turn, T);
        // 1 − e^(−t/τ), exactly
        let expected = 2.0 * (1.0 - (-f64::from(tick) * T / tau).exp());
        assert!((felt.z - expected).abs() < 1e-12 && felt.xy().norm() < 1e-15, "{felt}");
        assert_eq!(fault, None);
    }
    let bad = pad.update(&Vec3::new(f64::NAN, 0.0, 0.0), &turn, T);
    assert_eq!(bad, Pressed { force: Vec3::zeros(), fault: Some(InputFault::World) });
    assert_eq!(pad.update(&force, &turn, -1.0).fault, Some(InputFault::Period));
    assert!(Cutaneous::new(0.0).unwrap_err().to_string().contains("time constant"));
}

#[test]
fn a_workspace_scales_energy_alike_in_both_directions() {
    let mut r = Random(6);
    let (s, c) = (2.5, 0.4);
    let mut map = Workspace::new(s, c).unwrap().turned(r.rotation()).centered([1.0, 0.0, 2.0]);
    let (mut p, mut y) = (Handle::at(r.vector(0.1)), None::<Handle>);
    for _ in 0..100 {
        let before = p.position;
        p.position += r.vector(0.01);
        let mapped = map.map(&p, false, T).unwrap();
        if let Some(last) = y {
            let felt = Felt { force: r.vector(5.0), ..Felt::default() };
            let at_device = map.to_device(&felt, true).force.dot(&(p.position - before));
            let in_world = felt.force.dot(&(mapped.handle.position - last.position));
            assert!((at_device - c / s * in_world).abs() < 1e-14);
        }
        y = Some(mapped.handle);
    }
    assert_eq!(map.felt_stiffness(1000.0), 1000.0);
    // what damping takes at the device is c/s of what it is worth in the world
    let (b, dp) = (0.7, 0.01);
    let worth = map.world_damping(b) * (s * dp) * (s * dp);
    assert!((b * dp * dp - c / s * worth).abs() < 1e-18);
    assert!(Workspace::new(0.0, 1.0).unwrap_err().to_string().contains("scale"));
}

#[test]
fn a_clutch_moves_the_hand_and_not_the_world() {
    let mut r = Random(3);
    let mut map = Workspace::new(1.5, 1.0).unwrap();
    let mut p = Handle::at([0.01, 0.0, 0.0]);
    let start = map.map(&p, false, T).unwrap().handle;
    for _ in 0..50 {
        p = Handle { position: p.position + r.vector(0.01), rotation: r.rotation() };
        let mapped = map.map(&p, true, T).unwrap();
        assert!(!mapped.engaged && mapped.handle == start);
        assert_eq!(
            map.to_device(&Felt { force: Vec3::x(), ..Felt::default() }, false).force.x,
            0.0
        );
    }
    // closing changes nothing, then the world follows from there
    let closed = map.map(&p, false, T).unwrap();
    assert!(closed.engaged && closed.handle == start);
    p.position.x += 0.02;
    let moved = map.map(&p, false, T).unwrap().handle;
    assert!((moved.position - start.position - Vec3::new(0.03, 0.0, 0.0)).norm() < 1e-14);
    assert!(moved.rotation.angle_to(&start.rotation) < 1e-7);
    assert!(map.map(&Handle::at([f64::NAN; 3]), false, T).is_none());
}

/// Holds the handle beyond the edge for `steps`: how far the tool went, energy beyond what was
/// paid.
fn lean_on_the_edge(tie: f64, steps: u32) -> (f64, f64) {
    let edge = Edge { radius: 0.05, rate: 10.0, max_speed: 0.1 };
    let mut map = Workspace::new(1.0, 1.0).unwrap().with_edge(Vec3::zeros(), edge).unwrap();
    let guard = Some(Guard { device_damping: 0.5, grant: 1e-3, ..Guard::default() });
    let settings = CouplingSettings { guard, ..CouplingSettings::point(1000.0, T) };
    let mut c = VirtualCoupling::new(settings).unwrap();
    let (mut w, [port, _]) = world_of(&c, 0.01, tie);
    let (mut inputs, mut q, mut last): (Inputs, f64, f64) = (w.inputs(), 0.0, 0.0);
    let (mut held, mut paid, mut worst) = (0.0, 0.0, 0.0);
    for _ in 0..steps {
        // 0.1 m/s to 7 cm, then still
        q = (q + 1e-4).min(0.07);
        paid += 0.5 * (q - last).powi(2) / T - held * (q - last);
        last = q;
        let mapped = map.map(&Handle::at([q, 0.0, 0.0]), false, T).unwrap();
        inputs.set(port, c.sample_with_drift(&mapped.handle, &mapped.drift));
        let _ = w.step(T, &inputs);
        held = c.force(&w.port(port), T).force.x;
        worst = f64::max(worst, w.energy().kinetic + w.energy().elastic - paid);
    }
    (w.port(port).position.x, worst)
}

#[test]
fn rate_control_carries_a_free_tool_on_and_stops_where_nobody_pays() {
    let (far, excess) = lean_on_the_edge(0.0, 5000);
    // 0.7 s to the edge and its ramp, then 0.1 m/s for the rest
    assert!((0.35..0.55).contains(&far), "{far}");
    assert!(excess <= 1e-3 + 1e-12, "{excess}");
    // a tool on a spring of 2 kN/m: leaning on does not wind it up
    let (far, excess) = lean_on_the_edge(2000.0, 5000);
    let (further, _) = lean_on_the_edge(2000.0, 10_000);
    assert!(excess <= 1e-3 + 1e-12, "{excess}");
    assert!(further < 0.1 && further < far + 1e-3, "{far} {further}");
}
