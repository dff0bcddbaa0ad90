//! Between samples a simulated device moves as its differential equation says, exactly.

mod common;

use common::{Open, capabilities};
use palpable::{Rotation, Vec3, Vec6};
use palpable_haptics::simulated::Axis;
use palpable_haptics::{Arm, Axes, Device, Hand, Script, SimulatedDevice, Wrench};

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

#[test]
fn a_free_mass_decays_and_a_pushed_one_reaches_its_terminal_speed() {
    let axis = Axis::new(0.1, 2.0);
    // v0 e^(-bt/m), x0 + m v0/b (1 - e^(-bt/m))
    let [x, v] = axis.advance([0.3, 1.0], [0.0, 0.0], 0.05);
    assert!(close(v, (-1.0f64).exp(), 1e-15) && close(x, 0.3 + 0.05 * -(-1.0f64).exp_m1(), 1e-15));
    let [_, v] = axis.advance([0.0, 0.0], [3.0, 0.0], 10.0);
    assert!(close(v, 1.5, 1e-12), "F/b");
    // a ramp of force on a heavily damped mass: v = f1 (t/b - m/b²)
    let [_, v] = axis.advance([0.0, 0.0], [0.0, 3.0], 10.0);
    assert!(close(v, 3.0 * (10.0 / 2.0 - 0.1 / 4.0), 1e-11));
}

#[test]
fn an_undamped_spring_swings() {
    let axis = Axis { stiffness: 40.0, ..Axis::new(0.1, 0.0) };
    let [x, v] = axis.advance([0.01, 0.0], [0.0, 0.0], 0.7);
    // ten squarings of the exponential, each doubling the rounding
    let rounding = 1024.0 * f64::EPSILON;
    assert!(close(x, 0.01 * 14f64.cos(), 0.01 * rounding), "{x}");
    assert!(close(v, -0.2 * 14f64.sin(), 0.2 * rounding), "{v}");
}

#[test]
fn coulomb_friction_stops_sticks_and_breaks_away() {
    let axis = Axis { coulomb_friction: 0.5, ..Axis::new(0.1, 0.0) };
    // stops after m v²/2 f_c, for good
    let [x, v] = axis.advance([0.0, 0.2], [0.0, 0.0], 1.0);
    assert!(close(x, 0.1 * 0.04 / 1.0, 1e-15) && v == 0.0);
    assert_eq!(axis.advance([0.1, 0.0], [0.499, 0.0], 1.0), [0.1, 0.0]);
    // a load that rises by 1 N/s breaks away after 0.5 s, then x = f1 t³/6m
    let [x, v] = axis.advance([0.0, 0.0], [0.0, 1.0], 0.8);
    assert!(close(x, 0.3f64.powi(3) / 0.6, 1e-13) && close(v, 0.09 / 0.2, 1e-13));
    // preloaded by 0.2 N it goes 0.2 s earlier
    let [x, _] = axis.advance([0.0, 0.0], [0.2, 1.0], 0.6);
    assert!(close(x, 0.3f64.powi(3) / 0.6, 1e-13));
    // turned round by a force: slows with F + f_c, comes back with F - f_c
    let [x, v] = axis.advance([0.0, 1.0], [-1.0, 0.0], 0.1);
    let (stop, way) = (0.1 / 1.5, 0.05 / 1.5);
    let back = 0.1 - stop;
    assert!(close(x, way - 2.5 * back * back, 1e-15) && close(v, -5.0 * back, 1e-14));
}

/// Fine Runge-Kutta steps, stopping at zero speed: an independent, inexact method.
fn runge_kutta(axis: &Axis, mut s: (f64, f64), (f0, f1): (f64, f64), h: f64) -> (f64, f64) {
    let n = 400_000;
    let dt = h / f64::from(n);
    for i in 0..n {
        let t = dt * f64::from(i);
        let load = f0 + f1 * t - axis.stiffness * s.0;
        let way = if s.1 == 0.0 {
            if load.abs() <= axis.coulomb_friction {
                continue;
            }
            load.signum()
        } else {
            s.1.signum()
        };
        let rate = |(x, v): (f64, f64), t: f64| {
            let force = f0 + f1 * t - axis.stiffness * x - axis.damping * v;
            (v, (force - way * axis.coulomb_friction) / axis.mass)
        };
        let at = |k: (f64, f64), c: f64| (s.0 + c * k.0, s.1 + c * k.1);
        let k1 = rate(s, t);
        let k2 = rate(at(k1, 0.5 * dt), t + 0.5 * dt);
        let k3 = rate(at(k2, 0.5 * dt), t + 0.5 * dt);
        let k4 = rate(at(k3, dt), t + dt);
        let sum = |a: f64, b: f64, c: f64, d: f64| dt / 6.0 * (a + 2.0 * b + 2.0 * c + d);
        let v = s.1 + sum(k1.1, k2.1, k3.1, k4.1);
        s = (s.0 + sum(k1.0, k2.0, k3.0, k4.0), if v * way < 0.0 { 0.0 } else { v });
    }
    s
}

#[test]
fn an_axis_agrees_with_fine_steps_and_with_itself_in_parts() {
    let axis = Axis { mass: 0.3, damping: 5.5, stiffness: 500.0, coulomb_friction: 0.4 };
    for (start, force) in [([0.01, -0.2], [1.0, 30.0]), ([0.0, 0.5], [-2.0, 0.0])] {
        let whole = axis.advance(start, force, 0.3);
        let fine = runge_kutta(&axis, start.into(), force.into(), 0.3);
        // the fine steps miss each stop by up to a step: f_c dt/m dt ~ 1e-6 m/s each
        assert!(
            close(whole[0], fine.0, 1e-6) && close(whole[1], fine.1, 1e-4),
            "{whole:?} {fine:?}"
        );
        let half = axis.advance(start, force, 0.11);
        let parts = axis.advance(half, [force[0] + force[1] * 0.11, force[1]], 0.19);
        assert!(close(whole[0], parts[0], 1e-14) && close(whole[1], parts[1], 1e-12));
    }
}

#[test]
fn motor_work_is_kinetic_energy_and_loss() {
    let c = capabilities(Axes::THREE, 0.1, 2.0);
    let mut open = Open::new(&c);
    let mut device = SimulatedDevice::new(c, Hand::Free).unwrap();
    let force = Vec3::new(1.0, -0.5, 0.2);
    device.read().unwrap();
    device.write(&open.pass(Wrench::force(force))).unwrap();
    for _ in 0..50 {
        device.read().unwrap();
    }
    // from rest under F: x(t), v(t) and ∫ b v² in closed form; τ = m/b = 0.05 s = t
    let (e1, e2) = ((-1.0f64).exp(), (-2.0f64).exp());
    let f2 = force.norm_squared();
    let kinetic = 0.5 * 0.1 * f2 / 4.0 * (1.0 - e1) * (1.0 - e1);
    let lost = f2 / 2.0 * 0.05 * (1.0 - 2.0 * (1.0 - e1) + 0.5 * (1.0 - e2));
    assert!(close(device.energy(), kinetic, 1e-15));
    assert!(close(device.work(), kinetic + lost, 1e-15), "{}", device.work());
}

#[test]
fn encoders_round_and_motors_saturate() {
    let mut c = capabilities(Axes::THREE, 0.1, 0.0);
    c.encoder_step = Some(2e-5);
    c.force.peak = 4.0;
    c.force.continuous = 4.0;
    let unlimited = capabilities(Axes::THREE, 0.1, 0.0);
    let mut open = Open::new(&unlimited);
    let mut device = SimulatedDevice::new(c, Hand::Free).unwrap();
    let mut sample = device.read().unwrap();
    device.write(&open.pass(Wrench::force([9.0, 0.0, 1.0]))).unwrap();
    for _ in 0..100 {
        sample = device.read().unwrap();
        let steps = sample.position / 2e-5;
        assert!(steps.iter().all(|s| close(*s, s.round(), 1e-9)));
        assert!((sample.position.x - device.position()[0]).abs() <= 1e-5 * (1.0 + 1e-9));
    }
    assert!(close(device.position()[0], 0.5 * 40.0 * 0.01, 1e-12), "4 N, not 9");
    assert!(close(device.position()[2], 0.5 * 10.0 * 0.01, 1e-12));
    assert_eq!((sample.velocity, sample.time.map(|t| t.as_millis())), (None, Some(100)));
}

#[test]
fn a_force_acts_after_the_delay_and_not_before() {
    for delay in [0.0, 0.3e-3, 1e-3, 2.7e-3, 20e-3] {
        let mut c = capabilities(Axes::ONE, 0.1, 0.0);
        c.delay = Some(delay);
        let mut open = Open::new(&c);
        let mut device = SimulatedDevice::new(c, Hand::Free).unwrap();
        for _ in 0..51 {
            device.read().unwrap();
            device.write(&open.pass(Wrench::force([1.0, 0.0, 0.0]))).unwrap();
        }
        let t = 0.05 - delay;
        assert!(close(device.position()[0], 5.0 * t * t, 1e-14), "{delay}");
        assert!(close(device.position()[1], 0.0, 0.0), "other axes are locked");
    }
}

#[test]
fn jitter_is_even_bounded_and_repeats() {
    let device = || {
        let mut c = capabilities(Axes::ONE, 0.1, 1.0);
        c.delay = Some(0.5e-3);
        SimulatedDevice::new(c, Hand::Push(Vec6::x())).unwrap()
    };
    let run = |seed| {
        let mut device = device().with_jitter(0.3, 0.5, seed);
        let times: Vec<f64> =
            (0..2001).map(|_| device.read().unwrap().time.unwrap().as_secs_f64()).collect();
        (times, device.position()[0])
    };
    let (times, end) = run(5);
    assert_eq!((times.clone(), end), run(5));
    assert_ne!(end, run(6).1);
    let periods: Vec<f64> = times.windows(2).map(|t| t[1] - t[0]).collect();
    assert!(periods.iter().all(|p| (0.7e-3 - 1e-9..1.3e-3 + 1e-9).contains(p)));
    // the mean of 2000 even numbers of half width 0.3 ms: within five of its deviations
    let mean = periods.iter().sum::<f64>() / 2000.0;
    assert!(close(mean, 1e-3, 5.0 * 0.3e-3 / 3f64.sqrt() / 2000f64.sqrt()), "{mean}");
}

#[test]
fn an_arm_holds_its_place_and_follows_its_script() {
    let c = capabilities(Axes::SIX, 0.1, 1.0);
    let place = Vec6::new(0.01, 0.02, 0.0, 0.1, 0.0, -0.2);
    let arm = Arm::relaxed(Script::still(place));
    let mut device = SimulatedDevice::new(c.clone(), Hand::Arm(arm)).unwrap();
    let sample = (0..3000).map(|_| device.read().unwrap()).last().unwrap();
    assert!((device.position() - place).norm() < 1e-9);
    let turn = Rotation::from_scaled_axis(Vec3::new(0.1, 0.0, -0.2));
    assert!(sample.rotation.angle_to(&turn) < 1e-9);

    // a slow swing is followed with the lag of the device's own damping: x ≈ r - (b/k) r'
    let swing = Script::still(Vec6::zeros()).swing(Vec6::x() * 0.01, 0.5, 0.0);
    let arm = Arm::new(0.0, 0.0, 500.0, swing.clone());
    let mut device = SimulatedDevice::new(c, Hand::Arm(arm)).unwrap();
    for _ in 0..=5000 {
        device.read().unwrap();
    }
    let omega = std::f64::consts::PI;
    let rate = 0.01 * omega * (omega * 5.0).cos();
    // second-order terms: m ω² r / k = 2e-3 of 1 cm
    assert!(close(device.position()[0], swing.at(5.0)[0] - rate / 500.0, 3e-5));
}

#[test]
fn torque_and_spin_do_the_work_of_the_motors() {
    let c = capabilities(Axes::SIX, 0.1, 1.0);
    let mut open = Open::new(&c);
    let start = Vec6::new(0.0, 0.0, 0.0, 0.8, -0.5, 0.3);
    let mut device = SimulatedDevice::new(c, Hand::Free)
        .unwrap()
        .starting_at(start, Vec6::zeros())
        .with_velocity();
    let torque = Vec3::new(1e-3, 2e-3, -1e-3);
    let mut work = 0.0;
    for _ in 0..200 {
        let spin = device.read().unwrap().angular_velocity.unwrap();
        device.write(&open.pass(Wrench { torque, ..Wrench::ZERO })).unwrap();
        work += 1e-3 * torque.dot(&spin);
    }
    // rectangle rule: off by half the last step of power
    let last = 1e-3 * torque.dot(&device.read().unwrap().angular_velocity.unwrap());
    assert!(device.work() > 1e-5);
    assert!(close(device.work(), work + 0.5 * last, 5e-3 * work), "{} {work}", device.work());
}

#[test]
fn a_recorded_hand_moves_as_it_did() {
    use palpable_record::{Column, Table};
    let columns = ["x", "y", "z"].map(|c| Column::new(format!("hand.{c}"), "m", "hand"));
    let mut table = Table::new(&columns);
    table.push(0.0, &[0.0, 0.1, 0.0]).unwrap();
    table.push(2.0, &[0.2, 0.1, -0.4]).unwrap();
    let script = Script::recorded(&table).unwrap();
    assert!((script.at(0.5) - Vec6::new(0.05, 0.1, -0.1, 0.0, 0.0, 0.0)).norm() < 1e-15);
    assert_eq!(script.at(9.0), script.at(2.0));
    assert_eq!(Script::recorded(&Table::default()), None);
}

#[test]
fn senseless_devices_are_refused_with_the_field() {
    let refused = |change: fn(&mut palpable_haptics::Capabilities), hand: Hand| {
        let mut c = capabilities(Axes::SIX, 0.1, 1.0);
        change(&mut c);
        SimulatedDevice::new(c, hand).unwrap_err().field
    };
    assert_eq!(refused(|c| c.mass = None, Hand::Free), "mass [kg]");
    assert_eq!(refused(|c| c.damping = Some(-1.0), Hand::Free), "damping [N·s/m]");
    assert_eq!(refused(|c| c.inertia = None, Hand::Free), "inertia [kg·m²]");
    assert_eq!(refused(|c| c.rate = f64::NAN, Hand::Free), "rate [Hz]");
    assert_eq!(refused(|c| c.delay = Some(1.0), Hand::Free), "delay [s]");
    assert_eq!(refused(|c| c.encoder_step = Some(-1.0), Hand::Free), "encoder_step [m]");
    let network = Hand::Network(palpable_passivity::Network::none());
    assert_eq!(refused(|c| c.coulomb_friction = Some(1.0), network), "coulomb_friction [N]");
    let arm = Hand::Arm(Arm::new(-1.0, 1.0, 1.0, Script::default()));
    assert_eq!(refused(|_| {}, arm), "hand mass [kg]");
}

#[test]
fn a_closed_device_is_lost() {
    let c = capabilities(Axes::ONE, 0.1, 1.0);
    let mut device = SimulatedDevice::new(c, Hand::Free).unwrap();
    device.read().unwrap();
    device.close().unwrap();
    device.close().unwrap();
    assert!(!device.read().unwrap_err().is_passing());
}
