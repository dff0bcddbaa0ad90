//! Nothing that goes in can make the safety stage break a limit, and every fault brings the force
//! at the device to zero within the set time.

use std::time::Duration;

use palpable::Vec3;
use palpable_haptics::{
    Axes, Capabilities, Command, DeviceEvent, Fault, ForceLimit, Gripper, Limits, Safety, Sample,
    State, Wish, Wrench,
};
use palpable_random::Random;

const MS: Duration = Duration::from_millis(1);

fn device() -> Capabilities {
    Capabilities {
        force: ForceLimit::new(10.0, 3.0),
        torque: ForceLimit::new(0.5, 0.2),
        damping: Some(4.0),
        rotational_damping: Some(0.01),
        gripper: Some(Gripper {
            turns: false,
            low: 0.0,
            high: 0.03,
            force: ForceLimit::new(8.0, 8.0),
        }),
        ..Capabilities::new("test", Axes::SIX, 1000.0)
    }
}

fn limits() -> Limits {
    Limits { ramp: 0.1, ..Limits::for_device(&device()) }
}

/// A stage and its clock.
struct Bench {
    safety: Safety,
    now: Duration,
    sample: Sample,
    wish: Wish,
}

impl Bench {
    fn new(limits: Limits) -> Self {
        let mut safety = Safety::new(limits).unwrap();
        safety.start().unwrap();
        let sample = Sample { velocity: Some(Vec3::zeros()), ..Sample::default() };
        Self { safety, now: Duration::from_secs(1), sample, wish: Wish::default() }
    }

    /// Active, with 8 N of force.
    fn pushing() -> Self {
        let mut bench = Self::new(limits());
        bench.wish = Wish::fresh(Wrench::force([8.0, 0.0, 0.0]));
        let last = (0..200).map(|_| bench.tick(MS)).last().unwrap();
        assert_eq!((bench.state(), last.force().x), (State::Active, 8.0));
        bench
    }

    fn tick(&mut self, dt: Duration) -> Command {
        self.now += dt;
        self.sample.sequence += 1;
        self.safety.step(self.now, &self.sample, &self.wish)
    }

    fn state(&self) -> State {
        self.safety.machine().state()
    }

    fn fault(&self) -> Option<Fault> {
        self.safety.machine().fault()
    }

    /// Ticks until the force is zero; the time it took [s].
    fn time_to_zero(&mut self) -> f64 {
        let start = self.now;
        for _ in 0..1000 {
            if self.tick(MS).force() == Vec3::zeros() {
                return (self.now - start).as_secs_f64();
            }
        }
        panic!("no zero within a second");
    }

    fn stays_zero(&mut self, seconds: f64) {
        for _ in 0..(1000.0 * seconds) as u32 {
            assert_eq!(self.tick(MS).force(), Vec3::zeros());
        }
    }
}

#[test]
fn a_stalled_world_is_damped_then_faded_to_zero_in_the_set_time() {
    let mut bench = Bench::pushing();
    let limits = limits();
    let started = bench.now;
    bench.sample.velocity = Some(Vec3::new(0.0, 0.1, 0.0));
    let mut seen = Vec::new();
    let mut last = 8.0;
    loop {
        bench.wish.age = bench.now + MS - started;
        let force = bench.tick(MS).force();
        assert!(force.x <= last, "the stale force only decays");
        last = force.x;
        if bench.state() == State::Damping && bench.safety.machine().elapsed() > 0.01 {
            // half the device's own damping, against the motion
            assert!((force.y + 0.2).abs() < 1e-12, "{force}");
        }
        if seen.last() != Some(&bench.state()) {
            seen.push(bench.state());
        }
        if force == Vec3::zeros() {
            break;
        }
    }
    let took = (bench.now - started).as_secs_f64();
    assert_eq!(seen, [State::Active, State::Damping, State::Fading, State::Waiting]);
    // each of the three times may end up to one tick late
    assert!(took <= limits.time_to_zero() + 3e-3, "{took}");
    bench.sample.velocity = Some(Vec3::zeros());
    bench.stays_zero(1.0);
    assert_eq!(bench.fault(), Some(Fault::WorldStalled));
    // the answer comes back: wait, then ramp
    bench.wish.age = Duration::ZERO;
    bench.stays_zero(limits.settle - 2e-3);
    let mut forces: Vec<f64> = (0..200).map(|_| bench.tick(MS).force().x).collect();
    assert_eq!(bench.state(), State::Active);
    assert_eq!(forces.pop(), Some(8.0));
}

#[test]
fn an_answer_during_damping_brings_the_force_back_without_a_step() {
    let mut bench = Bench::pushing();
    bench.wish.age = Duration::from_millis(150);
    for _ in 0..50 {
        bench.tick(MS);
    }
    assert_eq!(bench.state(), State::Damping);
    bench.wish.age = Duration::ZERO;
    let mut last = bench.tick(MS).force().x;
    assert!(last > 3.0 && last < 5.0, "{last}");
    for _ in 0..200 {
        let force = bench.tick(MS).force().x;
        // the ceiling rises by the peak within the ramp
        assert!(force >= last && force - last <= 10.0 * 0.001 / 0.1 + 1e-12);
        last = force;
    }
    assert_eq!(last, 8.0);
}

#[test]
fn a_force_that_is_not_finite_fades_from_the_last_good_one_and_stays_away() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for place in 0..7 {
            let mut bench = Bench::pushing();
            let wrench = &mut bench.wish.wrench;
            match place {
                0..3 => wrench.force[place] = bad,
                3..6 => wrench.torque[place - 3] = bad,
                _ => wrench.gripper = bad,
            }
            let first = bench.tick(MS).force();
            assert!(first.x <= 8.0 && first.x > 7.0, "no step: {first}");
            assert!(bench.time_to_zero() <= limits().fade + 1e-3);
            bench.wish = Wish::fresh(Wrench::force([8.0, 0.0, 0.0]));
            bench.stays_zero(1.0);
            assert_eq!((bench.state(), bench.fault()), (State::Stopped, Some(Fault::NotFinite)));
            bench.safety.start().unwrap();
            assert!((0..200).map(|_| bench.tick(MS)).last().unwrap().force().x == 8.0);
        }
    }
}

#[test]
fn a_late_loop_and_a_jumping_clock_fade_wait_and_come_back() {
    let late = Duration::from_millis(60);
    let slept = Duration::from_secs(3600);
    for (gap, fault) in [(late, Fault::LateLoop), (slept, Fault::ClockJump)] {
        let mut bench = Bench::pushing();
        bench.tick(gap);
        assert_eq!((bench.state(), bench.fault()), (State::Fading, Some(fault)));
        assert!(bench.time_to_zero() <= limits().fade + 1e-3);
        for _ in 0..350 {
            bench.tick(MS);
        }
        assert_eq!(bench.state(), State::Active);
    }
    let mut bench = Bench::pushing();
    bench.now -= Duration::from_millis(500);
    bench.tick(MS);
    assert_eq!(bench.fault(), Some(Fault::ClockJump));
    assert!(bench.time_to_zero() <= limits().fade + 1e-3);
}

#[test]
fn a_fast_hand_fades_and_stays_away() {
    let angular = Sample { angular_velocity: Some(Vec3::new(31.0, 0.0, 0.0)), ..Sample::default() };
    let linear = Sample { velocity: Some(Vec3::new(0.0, 3.1, 0.0)), ..Sample::default() };
    for sample in [angular, linear] {
        let mut bench = Bench::pushing();
        bench.sample = Sample { sequence: bench.sample.sequence, ..sample };
        assert!(bench.time_to_zero() <= limits().fade + 1e-3);
        bench.sample = Sample { velocity: Some(Vec3::zeros()), ..Sample::default() };
        bench.stays_zero(1.0);
        assert_eq!((bench.state(), bench.fault()), (State::Stopped, Some(Fault::TooFast)));
    }
}

#[test]
fn speed_is_found_from_positions_where_the_device_tells_none() {
    let mut bench = Bench::pushing();
    bench.sample.velocity = None;
    bench.tick(MS);
    bench.sample.position.x += 1e-3;
    bench.tick(MS);
    assert!((bench.safety.velocity().x - 1.0).abs() < 1e-12);
    assert_eq!(bench.state(), State::Active);
    // by the device's own clock, however the ticks come
    bench.sample.time = Some(Duration::from_secs(5));
    bench.tick(MS);
    bench.sample.time = Some(Duration::from_secs(5) + MS);
    bench.sample.position.x += 2e-3;
    bench.tick(MS / 20);
    assert!((bench.safety.velocity().x - 2.0).abs() < 1e-12);
    bench.sample.time = None;
    bench.sample.position.x += 4e-3;
    bench.tick(MS);
    assert_eq!(bench.fault(), Some(Fault::TooFast));
}

/// Whatever a device says of its velocity, positions are compared as well.
#[test]
fn a_jump_of_the_position_is_seen_whatever_velocity_is_told() {
    for told in [None, Some(Vec3::zeros()), Some(Vec3::new(0.1, 0.0, 0.0))] {
        // farther than 3 m/s in a tick, inside five times a workspace of 20 cm
        for way in [4e-3, 0.05, 0.3] {
            let mut bench = Bench::pushing();
            bench.sample.velocity = told;
            bench.sample.position.y += way;
            assert!(bench.time_to_zero() <= limits().fade + 1e-3, "{told:?} {way}");
            assert_eq!(bench.fault(), Some(Fault::TooFast), "{told:?} {way}");
        }
        // to and fro: each way alone would be a fast hand
        let mut bench = Bench::pushing();
        bench.sample.velocity = told;
        bench.sample.position.y = 2e-3;
        bench.tick(MS);
        assert_eq!(bench.state(), State::Active, "2 m/s is allowed");
        bench.sample.position.y = -2e-3;
        bench.tick(MS);
        assert_eq!(bench.fault(), Some(Fault::TooFast));
    }
    // a turn as well
    let mut bench = Bench::pushing();
    bench.sample.angular_velocity = Some(Vec3::zeros());
    bench.sample.rotation = palpable::Rotation::from_scaled_axis(Vec3::new(0.0, 0.1, 0.0));
    bench.tick(MS);
    assert_eq!(bench.fault(), Some(Fault::TooFast));
}

#[test]
fn a_position_far_outside_the_workspace_is_a_fault_however_it_was_reached() {
    for far in [0.51, 1e6, 1e300] {
        let mut bench = Bench::new(limits());
        bench.wish = Wish::fresh(Wrench::force([8.0, 0.0, 0.0]));
        // from the first reading on: nothing jumps
        bench.sample.position = Vec3::new(far, 0.0, 0.0);
        bench.tick(MS);
        assert!(bench.time_to_zero() <= limits().fade + 1e-3, "{far}");
        assert_eq!(bench.fault(), Some(Fault::OutOfReach), "{far}");
    }
    // our own hands go where they like
    let mut bench = Bench::new(Limits { reach: None, ..limits() });
    bench.sample.position = Vec3::new(1e3, 0.0, 0.0);
    bench.tick(MS);
    assert_eq!(bench.fault(), None);
}

#[test]
fn readings_that_contradict_each_other_are_a_fault() {
    // the position stays to the last bit while 0.5 m/s are told
    let mut bench = Bench::pushing();
    bench.sample.velocity = Some(Vec3::new(0.5, 0.0, 0.0));
    let ticks = (0..200).take_while(|_| {
        bench.tick(MS);
        bench.fault().is_none()
    });
    // 5 cm of it, and a tick
    assert!((99..=101).contains(&ticks.count()));
    assert_eq!(bench.fault(), Some(Fault::Contradiction));
    // an older reading, by its number and by its time
    let mut bench = Bench::pushing();
    bench.sample.sequence -= 100;
    bench.tick(MS);
    assert_eq!(bench.fault(), Some(Fault::Contradiction));
    let at = |ms: u64| Some(Duration::from_millis(ms));
    for (then, now) in [(5000, 4990), (5000, 6500)] {
        let mut bench = Bench::pushing();
        bench.sample.time = at(then);
        bench.tick(MS);
        assert_eq!(bench.fault(), None);
        bench.sample.time = at(now);
        bench.tick(MS);
        assert_eq!(bench.fault(), Some(Fault::Contradiction), "{then} then {now}");
        assert!(bench.time_to_zero() <= limits().fade + 1e-3);
    }
}

#[test]
fn a_device_that_answers_late_is_not_a_fast_hand() {
    // 7.5 mm in a tick: a jump, unless the reading before may be 15 ms old
    let mut bench = Bench::pushing();
    bench.sample.age = Duration::ZERO;
    bench.sample.position.x += 0.5e-3 * 15.0;
    bench.tick(MS);
    assert_eq!(bench.fault(), Some(Fault::TooFast));
    let mut bench = Bench::pushing();
    bench.sample.age = 15 * MS;
    bench.tick(MS);
    bench.sample.position.x += 0.5e-3 * 15.0;
    bench.tick(MS);
    assert_eq!(bench.fault(), None, "explained by the age of the reading before");
}

#[test]
fn a_lost_device_a_brake_and_an_emergency_cut_at_once() {
    let mut bench = Bench::pushing();
    bench.safety.emergency_stop();
    let command = bench.tick(MS);
    assert!(command.force() == Vec3::zeros() && !command.enabled());
    bench.stays_zero(1.0);
    assert_eq!(bench.fault(), Some(Fault::EmergencyStop));
    bench.safety.start().unwrap();
    assert!((0..200).map(|_| bench.tick(MS)).last().unwrap().force().x == 8.0);

    bench.safety.device_event(DeviceEvent::BrakeOn);
    assert!(!bench.tick(MS).enabled());
    bench.stays_zero(1.0);
    bench.safety.device_event(DeviceEvent::BrakeOff);
    assert!((0..400).map(|_| bench.tick(MS)).last().unwrap().force().x == 8.0);

    bench.safety.device_event(DeviceEvent::StabilityCeiling);
    assert!(bench.time_to_zero() <= limits().fade + 2e-3);
    assert!((0..400).map(|_| bench.tick(MS)).last().unwrap().force().x == 8.0);
    bench.safety.device_event(DeviceEvent::RateAnomaly);
    assert!(bench.tick(MS).force().x == 8.0);

    bench.safety.device_lost();
    assert!(!bench.tick(MS).enabled());
    assert_eq!(bench.fault(), Some(Fault::DeviceLost));
    assert!(bench.safety.start().is_err());
    bench.stays_zero(1.0);
}

#[test]
fn a_broken_link_cuts_and_its_return_ramps_from_nothing_even_within_one_tick() {
    for together in [true, false] {
        let mut bench = Bench::pushing();
        bench.safety.device_event(DeviceEvent::LinkDown);
        if !together {
            assert!(!bench.tick(MS).enabled());
            bench.stays_zero(0.3);
        }
        bench.safety.device_event(DeviceEvent::LinkUp);
        let mut last = 0.0;
        for _ in 0..400 {
            let force = bench.tick(MS).force().norm();
            // the ramp: the peak of 10 N over 0.1 s
            assert!(force - last <= 10.0 * 1e-3 / limits().ramp + 1e-12, "{last} to {force}");
            last = force;
        }
        assert_eq!((last, bench.fault()), (8.0, Some(Fault::LinkDown)));
        assert_eq!(bench.safety.machine().count(Fault::LinkDown), 1);
    }
    // a brake pressed meanwhile is not released by the link
    let mut bench = Bench::pushing();
    bench.safety.device_event(DeviceEvent::BrakeOn);
    bench.safety.device_event(DeviceEvent::LinkDown);
    bench.safety.device_event(DeviceEvent::LinkUp);
    bench.stays_zero(1.0);
    bench.safety.device_event(DeviceEvent::BrakeOff);
    assert!((0..400).map(|_| bench.tick(MS)).last().unwrap().force().x == 8.0);
}

#[test]
fn a_sample_that_is_not_finite_fades_and_stays_away() {
    let mut bench = Bench::pushing();
    bench.sample.position.y = f64::NAN;
    assert!(bench.time_to_zero() <= limits().fade + 1e-3);
    assert_eq!((bench.state(), bench.fault()), (State::Stopped, Some(Fault::BadSample)));
}

#[test]
fn the_end_is_a_fade_and_motors_off() {
    let mut bench = Bench::pushing();
    bench.safety.stop();
    assert!(bench.tick(MS).force().x > 7.0, "no step");
    assert!(bench.time_to_zero() <= limits().fade + 1e-3);
    assert_eq!((bench.state(), bench.fault()), (State::Off, None));
    assert!(!bench.tick(MS).enabled());
}

#[test]
fn the_start_is_a_ramp_from_nothing() {
    let mut bench = Bench::new(limits());
    bench.wish = Wish::fresh(Wrench::force([100.0, 0.0, 0.0]));
    for tick in 1..=100 {
        let force = bench.tick(MS).force().norm();
        // within a tick of the ramp
        assert!(force <= 10.0 * 0.01 * f64::from(tick) + 1e-12, "{tick}: {force}");
    }
    assert_eq!(bench.tick(MS).force(), Vec3::new(10.0, 0.0, 0.0));
}

#[test]
fn a_motor_that_pushes_for_ever_ends_at_its_continuous_force() {
    let mut bench = Bench::new(Limits { thermal_time: 2.0, ..limits() });
    bench.wish = Wish::fresh(Wrench::force([100.0, 0.0, 0.0]));
    let (mut heat, mut last, mut largest) = (0.0f64, 0.0f64, 0.0f64);
    for _ in 0..20_000 {
        let force = bench.tick(MS).force().norm();
        assert!(force <= last + 10.0 && bench.safety.load() <= 1.0);
        // Euler of θ' = (f² − θ)/τ, independent of the exponential form in the stage
        heat += 1e-3 / 2.0 * (force * force - heat);
        largest = largest.max(heat);
        last = force;
    }
    // Euler's error is h/2τ of θ', at most 0.025 % of (10² - 0)/3² here
    assert!(largest <= 9.0 * 1.003, "{largest}");
    assert!((last - 3.0).abs() < 0.01, "{last}");
    // and it is not needlessly weak: the first second was the peak
    let mut fresh = Bench::new(Limits { thermal_time: 100.0, ..limits() });
    fresh.wish = bench.wish;
    let after_a_second = (0..1000).map(|_| fresh.tick(MS)).last().unwrap().force().norm();
    assert_eq!(after_a_second, 10.0);
}

#[test]
fn weight_is_held_inside_the_limits() {
    let mut heavy = device();
    heavy.gravity_mass = Some(0.2);
    let mut bench = Bench::new(Limits { ramp: 0.1, ..Limits::for_device(&heavy) });
    let rest = (0..200).map(|_| bench.tick(MS)).last().unwrap();
    assert!((rest.force().z - 0.2 * 9.81).abs() < 1e-12);
    bench.wish = Wish::fresh(Wrench::force([0.0, 0.0, 9.5]));
    let full = (0..50).map(|_| bench.tick(MS)).last().unwrap();
    assert_eq!(full.force().z, 10.0, "compensation is inside the peak");
    bench.safety.stop();
    assert!(bench.time_to_zero() <= limits().fade + 1e-3, "and fades with the rest");
}

#[test]
fn axes_without_motors_get_nothing() {
    let limits = Limits { axes: Axes::ONE, ..limits() };
    let mut bench = Bench::new(limits);
    bench.wish = Wish::fresh(Wrench { torque: [0.1; 3].into(), ..Wrench::force([1.0; 3]) });
    let command = (0..300).map(|_| bench.tick(MS)).last().unwrap();
    assert_eq!((command.force(), command.torque()), (Vec3::x(), Vec3::zeros()));
}

/// Wild numbers, some of them not finite.
struct Wild(Random);

impl Wild {
    fn unit(&mut self) -> f64 {
        self.0.unit()
    }
    fn number(&mut self) -> f64 {
        let size = 10f64.powf(8.0 * self.unit() - 4.0) * if self.unit() < 0.5 { -1.0 } else { 1.0 };
        match (2000.0 * self.unit()) as u32 {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => 1e308,
            _ => size,
        }
    }
    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }
}

#[test]
fn no_input_breaks_a_limit() {
    let mut wild = Wild(Random(7));
    let mut faults = 0;
    for _ in 0..200 {
        let mut bench = Bench::new(limits());
        let mut last = [Vec3::zeros(); 3];
        for _ in 0..500 {
            let slow = Vec3::repeat(wild.unit());
            bench.sample.velocity = Some(if wild.unit() < 0.01 { wild.vector() } else { slow });
            bench.wish.wrench.force = wild.vector();
            bench.wish.wrench.torque = wild.vector();
            bench.wish.wrench.gripper = wild.number();
            bench.wish.age = Duration::from_secs_f64(0.11 * wild.unit());
            let dt = if wild.unit() < 0.01 { 0.08 } else { 0.002 } * wild.unit();
            let command = bench.tick(Duration::from_secs_f64(dt));
            let gripper = Vec3::new(command.gripper(), 0.0, 0.0);
            let now = [command.force(), command.torque(), gripper];
            for ((now, last), (peak, slew)) in
                now.iter().zip(&last).zip([(10.0, 2000.0), (0.5, 100.0), (8.0, 1600.0)])
            {
                assert!(now.norm() <= peak * (1.0 + 1e-15), "{now}");
                // one tick of slew; the end of a fade may drop what a long tick left of it
                let long = bench.limits_drop(dt);
                assert!((now - last).norm() <= slew * 1e-3 + peak * long + 1e-12, "{now} {last}");
            }
            last = now;
            if bench.state() == State::Stopped {
                faults += 1;
                bench.safety.start().unwrap();
            }
        }
    }
    assert!(faults > 50, "the wild inputs were too tame: {faults}");
}

impl Bench {
    /// Share of the peak by which the ceiling of a fade falls in `dt` beyond what slew allows.
    fn limits_drop(&self, dt: f64) -> f64 {
        (dt / limits().fade - 1e-3 / 5e-3).clamp(0.0, 1.0)
    }
}

#[test]
fn senseless_limits_are_refused_with_the_field_and_the_cure() {
    type Change = fn(&mut Limits);
    let cases: [(&str, Change); 8] = [
        ("period", |l| l.period = 0.0),
        ("ramp", |l| l.ramp = f64::NAN),
        ("late_after", |l| l.late_after = 1e-4),
        ("late_after", |l| l.late_after = 2.0),
        ("damping", |l| l.damping = -1.0),
        ("force.peak", |l| l.force.continuous = 20.0),
        ("torque.peak", |l| l.torque.peak = f64::INFINITY),
        ("force_slew", |l| l.force_slew = 100.0),
    ];
    for (field, change) in cases {
        let mut limits = limits();
        change(&mut limits);
        let error = Safety::new(limits).unwrap_err();
        assert!(error.field.starts_with(field), "{error}");
    }
}

/// Whatever is wished, and in whatever state the stage is: ramps, damping and fades among them.
#[test]
fn no_force_grows_on_a_reading_that_is_not_new() {
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let (mut repeated, mut grown) = (0, 0);
    for _ in 0..200 {
        let mut bench = Bench::new(limits());
        let mut last = bench.tick(MS);
        for _ in 0..500 {
            if random() < 0.05 {
                let force = Vec3::new(random() - 0.5, random() - 0.5, random() - 0.5) * 40.0;
                let wrench = Wrench { torque: force * 0.05, ..Wrench::force(force) };
                bench.wish.wrench = Wrench { gripper: force.x, ..wrench };
            }
            if random() < 0.01 {
                bench.wish.age = Duration::from_millis(if random() < 0.5 { 150 } else { 0 });
            }
            bench.sample.velocity = Some(Vec3::new(random(), 0.0, 0.0));
            let again = random() < 0.5;
            bench.sample.sequence -= u64::from(again);
            let now = bench.tick(MS);
            let sizes = |c: &Command| [c.force().norm(), c.torque().norm(), c.gripper().abs()];
            for (now, last) in sizes(&now).into_iter().zip(sizes(&last)) {
                // one rounding of a square root
                assert!(!again || now <= last * (1.0 + 1e-15), "{last} to {now}");
                grown += u32::from(now > last);
            }
            repeated += u32::from(again);
            last = now;
        }
    }
    assert!(repeated > 10_000 && grown > 10_000, "{repeated} {grown}");
}
