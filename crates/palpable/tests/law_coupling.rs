//! Couplings between a hand and a port: sampling creates what the theory says, the device's
//! damping pays it, free motion is free, and bad inputs give zero force and a flag.
//!
//! The engine has no contact yet, so walls are a bench of this file: a 1-DOF proxy stepped by the
//! midpoint rule against a rigid, plastic wall (complementarity at the end of the step).

mod common;

use common::Random;
use palpable::coupling::*;
use palpable::{
    Body, Dissipation, Model, Options, Port, PortId, PortInput, PortOutput, Rotation, TankPolicy,
    Vec3, World,
};

const T: f64 = 1e-3;

/// A world with one tool on a reference port of the coupling; dissipation is lost.
fn world_of(coupling: &VirtualCoupling, mass: f64) -> (World, PortId) {
    let mut model = Model::builder();
    let tool = model.body(Body::sphere("tool", 0.01).mass(mass));
    let (k, b) = (coupling.stiffness(), coupling.damping());
    let hand = model.port(Port::reference("hand", tool.at([0.0; 3]), k, b));
    let tank = TankPolicy { dissipation: Dissipation::Drop, ..Default::default() };
    let options = Options { tank, ..Default::default() };
    (World::with_options(model.build().unwrap(), options).expect("options that fit"), hand)
}

fn step(c: &mut VirtualCoupling, w: &mut World, port: PortId, hand: &Handle) -> Felt {
    let mut inputs = w.inputs();
    inputs.set(port, c.sample(hand));
    let _ = w.step(T, &inputs);
    c.force(&w.port(port), T)
}

fn settings(k: f64, gamma: f64) -> CouplingSettings {
    CouplingSettings { gamma, ..CouplingSettings::point(k, T) }
}

#[test]
fn sampling_creates_half_the_stiffness_times_the_square_of_the_move() {
    // price − paid = ½KΔy² − (1 − γ)KΔxΔy, in any direction and for any motion
    for (seed, gamma) in [(1, 0.0), (2, 0.5), (3, 1.0)] {
        let mut r = Random(seed);
        let k = r.decades(100.0, 1e4);
        let mut c = VirtualCoupling::new(settings(k, gamma)).unwrap();
        let (mut w, port) = world_of(&c, r.decades(1e-4, 1.0));
        let (mut y, mut x, mut before) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
        step(&mut c, &mut w, port, &Handle::at(y));
        for _ in 0..2000 {
            let dy = r.vector(1e-3);
            y += dy;
            let last = c.account().sampled();
            step(&mut c, &mut w, port, &Handle::at(y));
            let made = c.account().sampled() - last;
            let expected = 0.5 * k * dy.norm_squared() - (1.0 - gamma) * k * (x - before).dot(&dy);
            // rounding of sums of works of this size
            let size = c.account().to_hand.abs() + c.account().to_world.abs() + 1e-9;
            assert!((made - expected).abs() < 1e-12 * size, "{gamma}: {made} {expected}");
            (before, x) = (x, w.port(port).position);
        }
    }
}

#[test]
fn turning_obeys_the_same_account() {
    let (k, kr) = (500.0, 0.2);
    for gamma in [0.0, 1.0] {
        let settings = CouplingSettings { gamma, ..CouplingSettings::pose(k, kr, T) };
        let mut c = VirtualCoupling::new(settings).unwrap();
        let (mut w, port) = world_of(&c, 0.01);
        let turned = |a: f64| Handle {
            position: Vec3::zeros(),
            rotation: Rotation::from_scaled_axis(Vec3::new(0.0, 0.0, a)),
        };
        let (mut r, mut angle, mut x, mut before) = (Random(5), 0.0, 0.0, 0.0);
        step(&mut c, &mut w, port, &turned(angle));
        for _ in 0..500 {
            let turn = r.between(-0.02, 0.02);
            angle += turn;
            let last = c.account().sampled();
            let felt = step(&mut c, &mut w, port, &turned(angle));
            let made = c.account().sampled() - last;
            let expected = 0.5 * kr * turn * turn - (1.0 - gamma) * kr * (x - before) * turn;
            assert!((made - expected).abs() < 1e-12, "{gamma}: {made} {expected}");
            assert!(felt.force.norm() < 1e-15 && felt.torque.xy().norm() < 1e-15);
            (before, x) = (x, w.port(port).rotation.scaled_axis().z);
        }
    }
}

#[test]
fn free_motion_has_no_drag_by_default_and_the_predicted_one_otherwise() {
    let speed = 0.1;
    for k in [1000.0, 7500.0] {
        // F = −(B_r + (½ − γ)KT)V, proved in steady motion
        for (gamma, share) in [(1.0, None), (1.0, Some(0.5)), (0.0, Some(1.0)), (0.0, Some(2.0))] {
            let damping = share.map(|s| s * 0.5 * k * T);
            let settings = CouplingSettings { damping, ..settings(k, gamma) };
            let mut c = VirtualCoupling::new(settings).unwrap();
            let (mut w, port) = world_of(&c, 1e-3);
            let mut force = 0.0;
            for tick in 0..3000 {
                let x = speed * T * f64::from(tick);
                force = step(&mut c, &mut w, port, &Handle::at([x, 0.0, 0.0])).force.x;
            }
            let b = share.unwrap_or(1.0) * 0.5 * k * T;
            let drag = -(b + (0.5 - gamma) * k * T) * speed;
            assert!((force - drag).abs() < 1e-6, "{k} {gamma} {share:?}: {force} {drag}");
            if share.is_none() {
                assert!(force.abs() < 1e-6, "{force}");
            }
        }
    }
}

/// A proxy of 1 DOF against a rigid, plastic wall at 0; it stays below.
struct Bench {
    mass: f64,
    stiffness: f64,
    damping: f64,
    x: f64,
    v: f64,
    y: f64,
}

impl Bench {
    fn new(stiffness: f64, damping: f64) -> Self {
        Self { mass: 1e-3, stiffness, damping, x: -0.02, v: 0.0, y: -0.02 }
    }

    /// Moves the reference, takes a step, shows what a port would.
    fn step(&mut self, input: PortInput) -> PortOutput {
        let (k, m) = (self.stiffness, self.mass);
        let stored = |g: f64| 0.5 * k * g * g;
        let before = stored(self.x - self.y);
        if let PortInput::Reference { position, .. } = input {
            self.y = position.x;
        }
        let work = stored(self.x - self.y) - before;
        // phase I: a closing proxy in contact loses its speed
        if self.x >= 0.0 && self.v > 0.0 {
            self.v = 0.0;
        }
        let free = (2.0 * m / T * self.v + k * (self.y - self.x))
            / (2.0 * m / T + self.damping + 0.5 * k * T);
        let mid = free.min(-self.x / T);
        (self.x, self.v) = ((self.x + T * mid).min(0.0), 2.0 * mid - self.v);
        PortOutput {
            position: Vec3::new(self.x, 0.0, 0.0),
            velocity: Vec3::new(mid, 0.0, 0.0),
            force: Vec3::new(k * (self.x - self.y), 0.0, 0.0),
            work,
            ..Default::default()
        }
    }

    fn energy(&self) -> f64 {
        0.5 * self.mass * self.v * self.v + 0.5 * self.stiffness * (self.x - self.y).powi(2)
    }
}

/// A device of 50 g, exact between samples for forces that are held.
struct Device {
    q: f64,
    v: f64,
    damping: f64,
}

impl Device {
    const MASS: f64 = 0.05;

    fn step(&mut self, force: f64) -> f64 {
        let (m, b) = (Self::MASS, self.damping);
        let (end, decay) = (force / b, (-b * T / m).exp());
        let moved = end * T + (self.v - end) * (m / b) * (1.0 - decay);
        self.v = end + (self.v - end) * decay;
        self.q += moved;
        moved
    }
}

/// Runs device, coupling and wall for `steps`; `hand` gives the hand's force from (t, q, v).
/// Returns the largest energy beyond what the hand supplied, and the forces felt.
fn push(
    k: f64,
    share: f64,
    steps: u32,
    mut hand: impl FnMut(f64, f64, f64) -> f64,
) -> (f64, Vec<f64>) {
    let mut c = VirtualCoupling::new(CouplingSettings::line(k, [2.0, 0.0, 0.0], T)).unwrap();
    let mut bench = Bench::new(k, c.damping()[0]);
    let mut device = Device { q: -0.02, v: 0.0, damping: share * 0.5 * k * T };
    let (mut supplied, mut worst, mut felt) = (0.0, f64::NEG_INFINITY, Vec::new());
    for tick in 0..steps {
        let input = c.sample(&Handle::at([device.q, 0.0, 0.0]));
        let force = c.force(&bench.step(input), T).force.x;
        let energy = bench.energy() + 0.5 * Device::MASS * device.v * device.v;
        worst = f64::max(worst, energy - supplied);
        let push = hand(f64::from(tick) * T, device.q, device.v);
        supplied += push * device.step(force + push);
        felt.push(force);
    }
    (worst, felt)
}

#[test]
fn random_pushing_against_a_rigid_wall_extracts_nothing() {
    for k in [1000.0, 7500.0] {
        let mut r = Random(11);
        let mut target = 0.0;
        let (worst, felt) = push(k, 1.0, 20_000, |_, q, _| {
            if r.below(100) == 0 {
                target = r.between(-0.01, 0.02);
            }
            300.0 * (target - q) + r.between(-1.0, 1.0)
        });
        // the hand supplied all there is; 20 000 sums of joules round by 1e-12
        assert!(worst < 1e-12, "{k}: {worst}");
        let most = felt.iter().fold(0.0, |a: f64, f| a.max(f.abs()));
        assert!(most > 1.0, "the wall was felt: {most} N");
    }
}

#[test]
fn a_zig_zag_at_the_wall_is_paid_by_the_bound_and_not_below_it() {
    // the hand moves the handle itself: work on it is the held force times the way
    for (share, passive) in [(0.95, false), (1.0, true), (1.05, true)] {
        let k = 7500.0;
        let settings = CouplingSettings {
            guard: Some(Guard { ceiling: f64::MAX, ..Guard::default() }),
            ..CouplingSettings::line(k, [1.0, 0.0, 0.0], T)
        };
        let mut c = VirtualCoupling::new(CouplingSettings { guard: None, ..settings }).unwrap();
        let mut bench = Bench::new(k, c.damping()[0]);
        let (mut to_hand, mut last, mut held): (f64, f64, f64) = (0.0, -0.02, 0.0);
        let path = (0..1000).map(|i| if i % 2 == 0 { 0.004 } else { 0.003 });
        for q in (0..100).map(|i| -0.02 + 2.4e-4 * f64::from(i)).chain(path) {
            to_hand += held * (q - last) - share * 0.5 * k * T * (q - last).powi(2) / T;
            last = q;
            let input = c.sample(&Handle::at([q, 0.0, 0.0]));
            held = c.force(&bench.step(input), T).force.x;
        }
        assert_eq!(to_hand < 1e-12, passive, "{share}: {to_hand} J");
    }
}

#[test]
fn at_rest_against_the_wall_the_force_does_not_alternate() {
    for k in [1000.0, 7500.0] {
        let (_, felt) = push(k, 1.0, 6000, |_, _, v| 2.0 - 5.0 * v);
        for pair in felt[5000..].windows(2) {
            // decayed from newtons by more than a thousand time constants: rounding is left
            assert!((pair[1] - pair[0]).abs() < 1e-9, "{k}: {pair:?}");
        }
        assert!((felt[5999] + 2.0).abs() < 1e-6, "the wall carries the hand: {}", felt[5999]);
    }
}

/// Hand that jumps, disappears and comes back; what it and the device's damping paid, against
/// what there is.
fn wild_run(guard: Option<Guard>, seed: u64) -> f64 {
    let settings = CouplingSettings { guard, ..CouplingSettings::point(2000.0, T) };
    let mut c = VirtualCoupling::new(settings).unwrap();
    let (mut w, port) = world_of(&c, 0.02);
    let (mut r, mut q, mut last) = (Random(seed), Vec3::zeros(), Vec3::zeros());
    let (mut held, mut paid, mut worst) = (Vec3::zeros(), 0.0, f64::MIN);
    let b = 0.5 * 2000.0 * T;
    for tick in 0..4000 {
        // long ways in the dark, then yielding to the force; now and then a jump
        let dark = (tick / 20) % 5 == 4;
        q += if dark { Vec3::new(1e-3, 0.0, 0.0) } else { r.vector(1e-4) + held * 1e-4 };
        if r.below(500) == 0 {
            q = r.vector(0.3);
        }
        let lost = dark || r.below(20) == 0;
        let seen = if lost { Handle::at([f64::NAN, 0.0, 0.0]) } else { Handle::at(q) };
        paid += b * (q - last).norm_squared() / T - held.dot(&(q - last));
        last = q;
        let felt = step(&mut c, &mut w, port, &seen);
        assert_eq!(felt.fault, lost.then_some(InputFault::Sample));
        assert!(!lost || felt.force == Vec3::zeros());
        held = felt.force;
        let e = w.energy();
        worst = f64::max(worst, e.kinetic + e.elastic - paid);
        assert!(c.reserve() >= 0.0);
        assert!(guard.is_none() || c.debt() < 1e-9, "{}", c.debt());
    }
    worst
}

#[test]
fn with_a_guard_lost_samples_and_jumps_create_nothing() {
    let guard = Guard { device_damping: 0.5 * 2000.0 * T, ..Guard::default() };
    for seed in 0..5 {
        let worst = wild_run(Some(guard), seed);
        // sums of joules: rounding
        assert!(worst < 1e-10, "{seed}: {worst}");
    }
    // the same without a guard makes joules out of lost samples
    assert!(wild_run(None, 0) > 0.1);
}

#[test]
fn a_guard_that_has_enough_changes_nothing() {
    let guard = Guard { device_damping: 1.0, grant: 1e3, ceiling: 1e4, ..Guard::default() };
    let plain = CouplingSettings::point(2000.0, T);
    let mut a = VirtualCoupling::new(plain).unwrap();
    let mut b = VirtualCoupling::new(CouplingSettings { guard: Some(guard), ..plain }).unwrap();
    let ((mut wa, port), (mut wb, _)) = (world_of(&a, 0.01), world_of(&b, 0.01));
    let (mut r, mut q) = (Random(9), Vec3::zeros());
    // the guard waits for a first look at the proxy
    b.force(&wb.port(port), T);
    for _ in 0..1000 {
        q += r.vector(1e-3);
        let hand = Handle::at(q);
        assert_eq!(step(&mut a, &mut wa, port, &hand), step(&mut b, &mut wb, port, &hand));
    }
}

#[test]
fn required_damping_is_the_closed_form() {
    // K = 7500, T = 1 ms: the table of the hybrid midpoint coupling
    for (br, needed) in
        [(0.1, 144.375), (0.5, 31.875), (1.0, 17.8125), (3.75, 7.5), (50.0, 4.03125)]
    {
        let of = |gamma| {
            let damping = Some(br);
            let settings = CouplingSettings { damping, ..settings(7500.0, gamma) };
            VirtualCoupling::new(settings).unwrap().required_damping()
        };
        assert!((of(0.0) / needed - 1.0).abs() < 1e-12);
        assert!((of(1.0) / 3.75 - 1.0).abs() < 1e-12);
    }
    let none = CouplingSettings { damping: Some(0.0), ..settings(7500.0, 0.0) };
    assert_eq!(VirtualCoupling::new(none).unwrap().required_damping(), f64::INFINITY);
}

#[test]
fn senseless_settings_are_refused_by_name() {
    let good = CouplingSettings::point(1000.0, T);
    let bad = [
        (CouplingSettings { stiffness: -1.0, ..good }, "stiffness"),
        (CouplingSettings { stiffness: f64::NAN, ..good }, "stiffness"),
        (CouplingSettings { period: 0.0, ..good }, "period"),
        (CouplingSettings { gamma: 1.5, ..good }, "gamma"),
        (CouplingSettings { damping: Some(-1.0), ..good }, "damping"),
        (CouplingSettings { freedom: Freedom::Line(Vec3::zeros()), ..good }, "direction"),
        (
            CouplingSettings {
                guard: Some(Guard { device_damping: f64::NAN, ..Guard::default() }),
                ..good
            },
            "damping",
        ),
    ];
    for (settings, field) in bad {
        let error = VirtualCoupling::new(settings).unwrap_err();
        assert!(error.to_string().contains(field), "{error}");
    }
}

#[test]
fn inputs_that_are_not_finite_give_zero_force_a_flag_and_no_harm() {
    let mut c = VirtualCoupling::new(CouplingSettings::pose(1000.0, 0.5, T)).unwrap();
    let (mut w, port) = world_of(&c, 0.01);
    step(&mut c, &mut w, port, &Handle::at([0.01, 0.0, 0.0]));
    let good = w.port(port);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(c.sample(&Handle::at([bad, 0.0, 0.0])), PortInput::Idle);
        assert_eq!(c.force(&good, T).fault, Some(InputFault::Sample));
        c.sample(&Handle::at([0.01, 0.0, 0.0]));
        assert_eq!(c.force(&good, bad).fault, Some(InputFault::Period));
        let port = PortOutput { force: Vec3::new(0.0, bad, 0.0), ..good };
        let felt = c.force(&port, T);
        assert_eq!((felt.fault, felt.force), (Some(InputFault::World), Vec3::zeros()));
    }
    assert_eq!(c.force(&good, 0.0).fault, Some(InputFault::Period));
    c.sample(&Handle::at([0.01, 0.0, 0.0]));
    let felt = c.force(&good, T);
    assert!(felt.fault.is_none() && felt.force.x < 0.0 && c.account().created().is_finite());
}

#[test]
fn a_lost_sample_is_booked_as_the_most_the_hand_could_take() {
    let guard = Some(Guard { device_damping: 2.0, grant: 1.0, ceiling: 2.0, ..Guard::default() });
    let settings = CouplingSettings { guard, ..CouplingSettings::point(1000.0, T) };
    let mut c = VirtualCoupling::new(settings).unwrap();
    let (mut w, port) = world_of(&c, 10.0);
    c.force(&w.port(port), T);
    let felt = step(&mut c, &mut w, port, &Handle::at([0.01, 0.0, 0.0]));
    let before = c.reserve();
    c.sample(&Handle::at([f64::NAN; 3]));
    // max over ways d of F·d − b d²/T
    let most = felt.force.norm_squared() * T / (4.0 * 2.0);
    assert!(most > 1e-3 && (before - c.reserve() - most).abs() < 1e-14, "{}", c.reserve());
}
