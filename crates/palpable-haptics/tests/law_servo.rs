//! The loop on a pretended clock: deadlines, counts, faults, endings. No wall-clock time is
//! asserted anywhere.

mod common;

use std::time::Duration;

use common::{ball_on_spring, capabilities};
use palpable::{Rotation, Vec3};
use palpable_haptics::rt::{
    Clock, HandleEnergy, Live, Remote, Render, Row, Schedule, ServoHandle, Stats, VirtualClock,
    Wake, Watchdog, WorldLoop,
};
use palpable_haptics::{
    Arm, Axes, Capabilities, Command, Device, DeviceError, DeviceEvent, Direct, Ending, Fault,
    Faulty, Flow, ForceLimit, Hand, Limits, Mapping, Mishap, Pace, Safety, Sample, Script, Servo,
    SimulatedDevice, State, Tick, Wish, Wrench,
};

const MS: Duration = Duration::from_millis(1);

#[test]
fn deadlines_stay_on_the_grid_and_missed_ones_are_skipped() {
    let mut schedule = Schedule::new(Duration::ZERO, MS);
    assert_eq!(schedule.aim(Duration::ZERO), MS);
    // on time, and a little late: no drift
    assert_eq!(schedule.woke(MS), Wake::default());
    let late = schedule.woke(2 * MS + Duration::from_micros(700));
    assert_eq!(late, Wake { lateness: Duration::from_micros(700), missed: 0 });
    assert_eq!(schedule.aim(2 * MS), 3 * MS);
    // 3.4 periods late: three deadlines are gone, the next one is on the grid
    let late = schedule.woke(6 * MS + Duration::from_micros(400));
    assert_eq!(late, Wake { lateness: Duration::from_micros(3400), missed: 3 });
    assert_eq!(schedule.aim(6 * MS), 7 * MS);
    // exactly one period late
    assert_eq!(schedule.woke(8 * MS).missed, 1);
    assert_eq!(schedule.aim(8 * MS), 9 * MS);
    // an hour later there is no burst
    let hour = Duration::from_secs(3600);
    assert_eq!(schedule.woke(9 * MS + hour).missed, 3_600_000);
    assert_eq!(schedule.aim(9 * MS + hour), 10 * MS + hour);
    // a clock that went back starts a new grid
    assert_eq!(schedule.aim(MS), 2 * MS);
}

#[test]
fn a_tick_before_its_deadline_does_not_move_the_grid_back() {
    let mut schedule = Schedule::new(Duration::ZERO, MS);
    assert_eq!(schedule.woke(Duration::from_micros(400)), Wake::default());
    assert_eq!(schedule.aim(Duration::from_micros(400)), 2 * MS);
}

#[test]
fn a_device_with_a_faster_pace_does_not_hide_what_it_misses() {
    let mut schedule = Schedule::new(Duration::ZERO, MS);
    let mut now = Duration::ZERO;
    for _ in 0..1000 {
        now += Duration::from_micros(900);
        assert_eq!(schedule.woke(now).missed, 0);
    }
    now += 5 * MS;
    // the grid is at most a period and a bit ahead of the ticks
    assert!((3..=4).contains(&schedule.woke(now).missed));
}

#[test]
fn statistics_tell_periods_lateness_and_latency() {
    let mut stats = Stats::new();
    for k in 1..=1000u64 {
        let late = if k == 500 { Duration::from_micros(2500) } else { Duration::from_micros(10) };
        let missed = if k == 500 { 2 } else { 0 };
        let now = k as u32 * MS + late;
        stats.begin(now, Wake { lateness: late, missed });
        stats.sent(now + Duration::from_micros(80));
    }
    assert_eq!((stats.ticks(), stats.missed()), (1000, 2));
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 2e-3; // three digits of the histogram
    assert!(near(stats.period().median, 1e-3) && near(stats.period().max, 3.49e-3));
    assert!(near(stats.lateness().p99, 10e-6) && near(stats.lateness().max, 2.5e-3));
    assert!(near(stats.latency().median, 80e-6) && near(stats.rate(), 1000.0));
    // beyond the histogram: kept at its end, no panic
    stats.begin(Duration::from_secs(90_000), Wake { lateness: Duration::MAX, missed: 1 });
    assert!(stats.lateness().max > 9.0);
}

#[test]
fn a_watchdog_barks_only_when_the_pulse_stops() {
    let mut dog = Watchdog::new(50 * MS);
    for k in 0..100 {
        assert!(!dog.barks(k * 40 * MS, u64::from(k)));
    }
    let last = 99 * 40 * MS;
    assert!(!dog.barks(last + 50 * MS, 99));
    assert!(dog.barks(last + 51 * MS, 99));
    assert!(!dog.barks(last + 52 * MS, 100));
}

/// A device with 10 N whose hand holds on 1 cm away, so that the world pulls with some newtons.
fn device() -> SimulatedDevice {
    let arm = Arm::relaxed(Script::still([0.01, 0.0, 0.0, 0.0, 0.0, 0.0]));
    SimulatedDevice::new(small(), Hand::Arm(arm)).unwrap()
}

fn small() -> Capabilities {
    Capabilities { force: ForceLimit::new(10.0, 10.0), ..capabilities(Axes::THREE, 0.1, 2.0) }
}

fn limits() -> Limits {
    Limits { ramp: 0.05, ..Limits::for_device(&small()) }
}

type TestServo = Servo<Direct, VirtualClock>;

fn servo(clock: &VirtualClock) -> (TestServo, ServoHandle) {
    let (world, port) = ball_on_spring(1);
    let safety = Safety::new(limits()).unwrap();
    let direct = Direct::new(world, port, Mapping::default()).with_hash();
    let (servo, handle) = Servo::new(direct, safety, clock.clone());
    (servo.with_damping(2.0).recording(), handle)
}

/// Ticks until the loop stops, or `ticks` times.
fn drive(servo: &mut TestServo, device: &mut dyn Device, ticks: u32) -> Flow {
    for _ in 0..ticks {
        servo.wait(Pace::Ours);
        if servo.tick(device) == Flow::Stop {
            return Flow::Stop;
        }
    }
    Flow::Continue
}

/// Servo, handle and device that push with some newtons.
fn pushing(clock: &VirtualClock) -> (TestServo, ServoHandle, SimulatedDevice) {
    let (mut servo, mut handle) = servo(clock);
    let mut device = device();
    assert_eq!(drive(&mut servo, &mut device, 500), Flow::Continue);
    let live = handle.live();
    assert_eq!((live.state, live.ticks, live.missed), (State::Active, 500, 0));
    assert!(live.force.norm() > 1.0, "{live:?}");
    assert_eq!(handle.rows().count(), 500);
    (servo, handle, device)
}

#[test]
fn late_ticks_are_counted_and_the_world_follows_the_clock() {
    let clock = VirtualClock::new();
    let (mut servo, mut handle) = servo(&clock);
    // a device without a clock of its own
    let mut device = Timeless(device());
    drive(&mut servo, &mut device, 10);
    clock.be_late(Duration::from_micros(3300));
    drive(&mut servo, &mut device, 5);
    assert_eq!((servo.stats().ticks(), servo.stats().missed()), (15, 3));
    let rows: Vec<Row> = handle.rows().collect();
    assert_eq!(rows[10].step, 4 * MS);
    assert_eq!(rows[10].lateness, Duration::from_micros(3300));
    assert!(rows.iter().enumerate().all(|(i, r)| i == 10 || r.step == MS));
    assert!((servo.render().world().time() - 0.018).abs() < 1e-15);
    // never more than ten periods, however long it took
    clock.be_late(Duration::from_millis(500));
    drive(&mut servo, &mut device, 1);
    assert_eq!(handle.rows().last().unwrap().step, 10 * MS);
}

/// Hides the device's own time.
struct Timeless<D>(D);

impl<D: Device> Device for Timeless<D> {
    fn capabilities(&self) -> &Capabilities {
        self.0.capabilities()
    }
    fn read(&mut self) -> Result<Sample, DeviceError> {
        self.0.read().map(|sample| Sample { time: None, ..sample })
    }
    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        self.0.write(command)
    }
    fn close(&mut self) -> Result<(), DeviceError> {
        self.0.close()
    }
}

/// Forces sent after the first tick of trouble, and the time until they are zero for good [s].
fn time_to_zero(rows: &[Row], trouble: usize) -> f64 {
    let zero = |row: &Row| row.command.force() == Vec3::zeros();
    let last = rows.iter().rposition(|row| !zero(row)).map_or(trouble, |i| i + 1);
    let end = rows.get(last).expect("zero before the end");
    (end.time - rows[trouble].time).as_secs_f64()
}

#[test]
fn a_lost_device_ends_the_loop_and_the_rows_are_complete() {
    let clock = VirtualClock::new();
    let (mut servo, mut handle) = servo(&clock);
    let mut device = Faulty::new(device(), Mishap::Lost, 300);
    let ending = servo.run(&mut device);
    assert!(matches!(ending, Ending::Device(DeviceError::Lost(_))), "{ending:?}");
    let rows: Vec<Row> = handle.rows().collect();
    assert_eq!(rows.len(), 300);
    let last = rows.last().unwrap();
    assert_eq!((last.state, last.fault), (State::Stopped, Some(Fault::DeviceLost)));
    assert_eq!(last.command, Command::zero());
    assert_eq!(device.largest_after(), 0.0);
}

#[test]
fn a_silent_device_fades_and_comes_back() {
    let clock = VirtualClock::new();
    let (mut servo, mut handle) = servo(&clock);
    let mut device = Faulty::new(device(), Mishap::Silent(600), 500);
    drive(&mut servo, &mut device, 1900);
    let rows: Vec<Row> = handle.rows().collect();
    assert!(rows[498].command.force().norm() > 1.0);
    let silent = time_to_zero(&rows[..1100], 498);
    assert!(silent <= limits().time_to_zero() + 3e-3, "{silent}");
    assert_eq!(servo.stats().silent(), 600);
    assert_eq!(servo.safety().machine().count(Fault::WorldStalled), 1);
    assert!(rows.last().unwrap().command.force().norm() > 1.0, "and comes back");
    // silent for longer than the limit of a jump: given up
    let mut device = Faulty::new(self::device(), Mishap::Silent(5000), 100);
    let (mut servo, _) = self::servo(&clock);
    assert!(matches!(servo.run(&mut device), Ending::Device(DeviceError::Late(_))));
}

/// The world pulls a hand that it does not see harder and harder; the hand must not feel it, from
/// the first reading that is missing: whether the device says that it is late, or tells again what
/// it told before, as a service does whose answer has not come.
#[test]
fn the_force_of_a_silent_device_does_not_grow() {
    struct Growing(f64);
    impl Render for Growing {
        fn render(&mut self, _: Duration, _: Duration, _: &Sample) -> Wish {
            self.0 += 0.01;
            Wish::fresh(Wrench { torque: [self.0 * 1e-3; 3].into(), ..Wrench::force([self.0; 3]) })
        }
        fn books(&self) -> palpable_haptics::rt::Books {
            Default::default()
        }
    }
    /// Tells the same for some ticks.
    struct Repeating(SimulatedDevice, u64, Option<Sample>);
    impl Device for Repeating {
        fn capabilities(&self) -> &Capabilities {
            self.0.capabilities()
        }
        fn read(&mut self) -> Result<Sample, DeviceError> {
            self.1 += 1;
            match self.2 {
                Some(last) if (300..360).contains(&self.1) => Ok(last),
                _ => self.0.read().inspect(|sample| self.2 = Some(*sample)),
            }
        }
        fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
            self.0.write(command)
        }
        fn close(&mut self) -> Result<(), DeviceError> {
            self.0.close()
        }
    }
    for late in [true, false] {
        let clock = VirtualClock::new();
        let (servo, mut handle) =
            Servo::new(Growing(0.0), Safety::new(limits()).unwrap(), clock.clone());
        let mut servo = servo.recording();
        let mut faulty = Faulty::new(device(), Mishap::Silent(60), 300);
        let mut repeating = Repeating(device(), 0, None);
        for _ in 0..400 {
            servo.wait(Pace::Ours);
            servo.tick(if late { &mut faulty } else { &mut repeating });
        }
        let rows: Vec<Row> = handle.rows().collect();
        let felt = |i: usize| rows[i].command.force().norm();
        assert!(felt(298) > 0.5 && felt(298) > felt(297), "it grows: {}", felt(298));
        for silent in 299..359 {
            // one rounding of a square root
            assert!(felt(silent) <= felt(silent - 1) * (1.0 + 1e-15), "{silent}: {}", felt(silent));
            let torque = |i: usize| rows[i].command.torque().norm();
            assert!(torque(silent) <= torque(silent - 1) * (1.0 + 1e-15), "{silent}");
        }
        assert_eq!(rows[340].state, rows[298].state, "and nothing else happened");
        assert!(felt(359) > felt(358), "the device is back: {}", felt(359));
    }
}

#[test]
fn every_mishap_of_a_device_brings_its_force_to_zero_in_time() {
    let events = [
        (Mishap::NotANumber, Fault::BadSample),
        (Mishap::Jump(0.3), Fault::TooFast),
        (Mishap::Jump(0.6), Fault::OutOfReach),
        (Mishap::Event(DeviceEvent::BrakeOn), Fault::DeviceBrake),
        (Mishap::Event(DeviceEvent::StabilityCeiling), Fault::DeviceLimit),
        (Mishap::Event(DeviceEvent::Disconnected), Fault::DeviceLost),
    ];
    for (mishap, fault) in events {
        let clock = VirtualClock::new();
        let (mut servo, mut handle) = servo(&clock);
        let mut device = Faulty::new(device(), mishap, 400);
        drive(&mut servo, &mut device, 600);
        let rows: Vec<Row> = handle.rows().collect();
        assert!(rows[398].command.force().norm() > 1.0);
        let took = time_to_zero(&rows, 398);
        assert!(took <= limits().fade + 2e-3, "{mishap:?}: {took}");
        assert_eq!(servo.safety().machine().fault(), Some(fault));
        let ends = fault.is_latched();
        assert_eq!(servo.ending(), ends.then_some(Ending::Fault(fault)).as_ref(), "{mishap:?}");
        assert!(rows.iter().all(|r| r.command.force().norm() <= 10.0));
    }
}

#[test]
fn a_late_loop_and_a_clock_jump_bring_the_force_to_zero_in_time() {
    for (late, fault) in [(80, Fault::LateLoop), (5000, Fault::ClockJump)] {
        let clock = VirtualClock::new();
        let (mut servo, mut handle, mut device) = pushing(&clock);
        clock.be_late(Duration::from_millis(late));
        drive(&mut servo, &mut device, 150);
        let rows: Vec<Row> = handle.rows().collect();
        assert_eq!(servo.safety().machine().fault(), Some(fault));
        assert!(time_to_zero(&rows, 0) <= limits().fade + 2e-3);
    }
    let clock = VirtualClock::new();
    let (mut servo, mut handle, mut device) = pushing(&clock);
    clock.set(Duration::from_millis(100));
    drive(&mut servo, &mut device, 150);
    let rows: Vec<Row> = handle.rows().collect();
    assert_eq!(servo.safety().machine().fault(), Some(Fault::ClockJump));
    assert!(time_to_zero(&rows, 0) <= limits().fade + 2e-3);
}

/// Not a number from a certain tick on.
struct Breaks(Direct, u32);

impl Render for Breaks {
    fn render(&mut self, now: Duration, h: Duration, sample: &Sample) -> Wish {
        let wish = self.0.render(now, h, sample);
        self.1 = self.1.saturating_sub(1);
        if self.1 > 0 { wish } else { Wish::fresh(Wrench::force([f64::NAN, 0.0, 0.0])) }
    }
}

#[test]
fn a_force_that_is_not_finite_ends_the_loop_with_its_fault() {
    let clock = VirtualClock::new();
    let (world, port) = ball_on_spring(1);
    let breaks = Breaks(Direct::new(world, port, Mapping::default()), 400);
    let safety = Safety::new(limits()).unwrap();
    let (servo, mut handle) = Servo::new(breaks, safety, clock.clone());
    let mut servo = servo.recording();
    let mut device = device();
    assert_eq!(servo.run(&mut device), Ending::Fault(Fault::NotFinite));
    let rows: Vec<Row> = handle.rows().collect();
    assert!(time_to_zero(&rows, 399) <= limits().fade + 1e-3);
    assert!(device.read().is_err(), "closed");
}

#[test]
fn a_refused_step_counts_as_a_force_that_is_not_finite() {
    use palpable::{Anchor, Body, Model, Options, Port, Scheme, Spring, Vec6, World};
    let mut model = Model::builder();
    let ball = model.body(Body::sphere("ball", 0.01).mass(1e-6).position([0.01, 0.0, 0.0]));
    model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(1e4));
    let port = model.port(Port::reference("hand", ball.origin(), Vec6::zeros(), Vec6::zeros()));
    // explicit steps of a light ball on a stiff spring overflow within a hundred ticks
    let options = Options { scheme: Scheme::ExplicitEuler, ..Options::default() };
    let world = World::with_options(model.build().unwrap(), options).expect("options that fit");
    let clock = VirtualClock::new();
    let safety = Safety::new(limits()).unwrap();
    let direct = Direct::new(world, port, Mapping::default());
    let (mut servo, _) = Servo::new(direct, safety, clock.clone());
    assert_eq!(drive(&mut servo, &mut device(), 1000), Flow::Stop);
    assert_eq!(servo.ending(), Some(&Ending::Fault(Fault::NotFinite)));
}

#[test]
fn a_stop_fades_and_an_emergency_cuts() {
    let clock = VirtualClock::new();
    let (mut servo, mut handle, mut device) = pushing(&clock);
    handle.stop();
    assert_eq!(drive(&mut servo, &mut device, 100), Flow::Stop);
    assert_eq!(servo.ending(), Some(&Ending::Asked));
    let rows: Vec<Row> = handle.rows().collect();
    assert!(rows[0].command.force().norm() > 1.0, "no step");
    assert!(time_to_zero(&rows, 0) <= limits().fade + 1e-3);

    let (mut servo, mut handle, mut device) = pushing(&clock);
    handle.emergency_stop();
    assert_eq!(drive(&mut servo, &mut device, 100), Flow::Stop);
    assert_eq!(servo.ending(), Some(&Ending::Fault(Fault::EmergencyStop)));
    assert_eq!(time_to_zero(&handle.rows().collect::<Vec<Row>>(), 0), 0.0);
}

#[test]
fn a_loop_that_stays_after_a_fault_can_be_started_again() {
    let clock = VirtualClock::new();
    let (servo, mut handle, mut device) = pushing(&clock);
    let mut servo = servo.staying_after_faults();
    handle.emergency_stop();
    assert_eq!(drive(&mut servo, &mut device, 100), Flow::Continue);
    assert_eq!((handle.live().state, handle.live().force), (State::Stopped, Vec3::zeros()));
    handle.restart();
    assert_eq!(drive(&mut servo, &mut device, 100), Flow::Continue);
    let live: Live = handle.live();
    assert!(live.state == State::Active && live.force.norm() > 1.0);
    assert!(handle.beats() == 700);
}

#[test]
fn a_full_ring_loses_rows_and_says_so_but_never_waits() {
    let clock = VirtualClock::new();
    let (mut servo, mut handle) = servo(&clock);
    drive(&mut servo, &mut device(), 9000);
    assert_eq!(servo.stats().dropped(), 9000 - 8192);
    assert_eq!(handle.rows().count(), 8192);
}

#[test]
fn energy_at_the_handle_is_work_minus_what_the_damper_takes() {
    let mut open = common::Open::new(&capabilities(Axes::SIX, 0.1, 2.0));
    let mut energy = HandleEnergy::new(3.0);
    let held = open.pass(Wrench { torque: Vec3::z() * 0.2, ..Wrench::force([2.0, 0.0, 0.0]) });
    energy.hold(&Sample::at(1, [0.0; 3]), &held);
    let rotation = Rotation::from_scaled_axis(Vec3::z() * 0.05);
    energy.arrive(&Sample { rotation, ..Sample::at(2, [1e-3, 0.0, 0.0]) }, 1e-3);
    assert!((energy.motors() - (2e-3 + 0.01)).abs() < 1e-15);
    assert!((energy.given() - (energy.motors() - 3.0 * 1e-6 / 1e-3)).abs() < 1e-15);
    assert_eq!(energy.most(), energy.given());
}

#[test]
fn a_world_in_the_loop_gives_the_hand_no_energy() {
    let clock = VirtualClock::new();
    let (servo, mut handle) = servo(&clock);
    // the coupling's 500 N/m at 1 kHz ask for 0.25 N·s/m; the device has 2
    let mut servo = servo.with_damping(2.0);
    let script = Script::still([0.0; 6]).swing([0.02, 0.01, 0.0, 0.0, 0.0, 0.0], 1.3, 0.0);
    let script = script.swing([0.0, 0.005, 0.01, 0.0, 0.0, 0.0], 7.0, 1.0);
    let mut device = SimulatedDevice::new(small(), Hand::Arm(Arm::relaxed(script))).unwrap();
    let mut most = f64::NEG_INFINITY;
    for _ in 0..20 {
        drive(&mut servo, &mut device, 500);
        most = most.max(handle.rows().map(|r| r.given).fold(f64::NEG_INFINITY, f64::max));
    }
    assert!(most <= 1e-15, "the hand got {most} J");
    assert!((servo.energy().motors() - device.work()).abs() < 1e-12, "exact encoder");
    let books = servo.render().books();
    // what left through the port was given to the ball or lost in the world
    let flows = &books.flows;
    let open = flows.supplied - (books.stored.total() + flows.damped);
    assert!(open.abs() < 1e-12 * flows.supplied);
    assert!(books.hash == servo.render().world().state_hash());
}

#[test]
fn a_coupling_of_ones_own_takes_the_place_of_the_ports() {
    use palpable::{CouplingSettings, VirtualCoupling};
    let coupled = |gamma: f64| {
        let (world, port) = ball_on_spring(1);
        let settings = CouplingSettings { gamma, ..CouplingSettings::point(500.0, 1e-3) };
        let direct = Direct::new(world, port, Mapping::default());
        direct.with_coupling(VirtualCoupling::new(settings).unwrap()).unwrap()
    };
    let (world, port) = ball_on_spring(1);
    let (mut plain, mut end) = (Direct::new(world, port, Mapping::default()), coupled(1.0));
    let mut start = coupled(0.0);
    let mut before = Vec3::zeros();
    for k in 0..500u32 {
        let y = [0.02 * (0.02 * f64::from(k)).sin(), 0.0, 0.001];
        let sample = Sample::at(u64::from(k), y);
        let [a, b, c] = [&mut plain, &mut end, &mut start]
            .map(|direct| direct.render(k * MS, MS, &sample).wrench.force);
        // γ = 1 sends the end of the step, as a plain port does; γ = 0 its start
        assert!((a - b).norm() < 1e-12, "{a} {b}");
        if k > 0 {
            let published = (before - Vec3::from(y)) * 500.0;
            assert!((c - published).norm() < 1e-9, "{c} {published}");
        }
        before = start.world().port(port).position;
    }
    assert!(end.coupling().is_some() && plain.coupling().is_none());
}

/// A run with the world at its own rate.
struct RemoteRun {
    hand: Hand,
    start: f64,
    turns_per_100: u32,
    stall: bool,
}

/// Most energy that the hand ever had received [J], largest force [N], stalls that were noticed.
fn remote_run(run: RemoteRun) -> (f64, f64, u64) {
    let clock = VirtualClock::new();
    let (world, port) = ball_on_spring(1);
    let (remote, link) = Remote::link(&world, port, Mapping::default(), &small(), 1e-3).unwrap();
    let period = 100 * MS / run.turns_per_100;
    let mut turns = WorldLoop::new(world, vec![link], clock.clone(), period);
    let safety = Safety::new(limits()).unwrap();
    let (mut servo, mut handle) = Servo::new(remote, safety, clock.clone());
    servo = servo.with_damping(2.0);
    let mut device = SimulatedDevice::new(small(), run.hand)
        .unwrap()
        .starting_at([run.start, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0; 6]);
    let (mut next, mut largest) = (Duration::ZERO, 0.0f64);
    for k in 0..6000u32 {
        servo.wait(Pace::Ours);
        let stalled = run.stall && (2000..3000).contains(&k);
        if clock.now() >= next && !stalled {
            turns.turn();
            next += period;
        }
        assert_eq!(servo.tick(&mut device), Flow::Continue);
        largest = largest.max(handle.live().force.norm());
        if run.stall && k == 2999 {
            assert_eq!(handle.live().force, Vec3::zeros(), "a stalled world is let go");
        }
    }
    (servo.energy().most(), largest, servo.safety().machine().count(Fault::WorldStalled))
}

/// What both sides were granted at the start [J].
const GRANTED: f64 = 2e-3;

#[test]
fn a_world_of_any_rate_gives_the_hand_no_more_than_was_granted() {
    let swing = Script::still([0.0; 6]).swing([0.02, 0.01, 0.0, 0.0, 0.0, 0.0], 1.3, 0.0);
    let swinging = || Hand::Arm(Arm::relaxed(swing.clone()));
    for turns_per_100 in [100, 37, 20, 11] {
        let run = RemoteRun { hand: swinging(), start: 0.0, turns_per_100, stall: false };
        let (most, largest, stalls) = remote_run(run);
        assert!(most <= GRANTED, "{turns_per_100}: {most} J");
        assert!(largest > 0.5, "{turns_per_100}: felt {largest} N");
        assert_eq!(stalls, 0);
    }
    let run = RemoteRun { hand: swinging(), start: 0.0, turns_per_100: 50, stall: true };
    let (most, _, stalls) = remote_run(run);
    assert!(most <= GRANTED, "{most} J");
    assert_eq!(stalls, 1);
    // a lossless hand on a slow world: a plain spring to the last answer would feed it
    for turns_per_100 in [5, 2] {
        let hand = Hand::Arm(Arm::new(0.2, 0.0, 300.0, Script::default()));
        let (most, ..) = remote_run(RemoteRun { hand, start: 0.02, turns_per_100, stall: false });
        assert!(most <= GRANTED, "{turns_per_100}: {most} J");
    }
}

#[test]
fn a_world_on_another_thread_needs_a_port_and_a_device_with_damping() {
    let (world, port) = ball_on_spring(1);
    let link = |device: &Capabilities| {
        Remote::link(&world, port, Mapping::default(), device, 1e-3).map(|(remote, _)| remote)
    };
    let unknown = Capabilities { damping: None, ..small() };
    let error = link(&unknown).err().unwrap().to_string();
    assert!(error.contains("damping") && error.contains("Measure"), "{error}");
    assert!(link(&small()).is_ok());
}

#[test]
fn scaled_and_turned_mappings_keep_power() {
    let mapping = Mapping {
        centre: Vec3::new(0.1, 0.0, -0.2),
        scale: 2.5,
        world_from_device: Rotation::from_euler_angles(0.3, -1.0, 2.0),
        offset: Vec3::new(1.0, 2.0, 3.0),
        rotation: Rotation::from_euler_angles(0.1, 0.2, 0.3),
    };
    let (a, b) = (Sample::at(1, [0.11, 0.0, -0.2]), Sample::at(2, [0.12, -0.03, -0.1]));
    let force = Vec3::new(1.0, -2.0, 0.5);
    let world = force.dot(&(mapping.position(&b) - mapping.position(&a)));
    let device = mapping.wrench(&force, &Vec3::zeros()).force.dot(&(b.position - a.position));
    assert!((world - device).abs() < 1e-15);
    assert_eq!(mapping.position(&Sample::at(0, mapping.centre)), mapping.offset);
    assert!(mapping.orientation(&a).angle_to(&mapping.rotation) < 1e-12);
}
