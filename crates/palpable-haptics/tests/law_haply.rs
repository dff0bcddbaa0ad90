//! The Haply driver against a fake service: one answer a sample, no step of force on any mishap,
//! and words for everything that can be wrong.

mod common;
mod fakes;

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use common::ball_on_spring;
use fakes::haply::{Bench, FakeHaply, Mood};
use fakes::until;
use palpable::Vec3;
use palpable_haptics::drivers::haply::{ForceKey, Haply, HaplySettings, inventory};
use palpable_haptics::rt::{Mapping, ServoHandle, SystemClock, VirtualClock};
use palpable_haptics::{
    Attached, Device, DeviceError, Direct, Ending, Fault, Flow, Limits, Pace, Safety, Servo,
    ServoThread, State, Tick,
};

const ID: &str = "049D";
/// Longer than any machine stalls.
const LONG: Duration = Duration::from_secs(30);
/// Short, where a test waits for it.
const SHORT: Duration = Duration::from_millis(100);

/// As a user has it, but with patience for a machine that stalls.
fn settings(fake: &FakeHaply) -> HaplySettings {
    HaplySettings {
        address: fake.address(),
        events: Some(fake.events()),
        broken_after: LONG,
        mute_after: LONG,
        open_within: LONG,
        ..Default::default()
    }
}

/// A servo loop in virtual time that waits for the service at each tick.
struct Rig {
    bench: Arc<Bench>,
    device: Haply,
    servo: Servo<Direct, VirtualClock>,
    handle: ServoHandle,
    limits: Limits,
}

impl Rig {
    fn new(fake: &FakeHaply, settings: HaplySettings) -> Self {
        Self::patient(fake, settings, 1e4)
    }

    /// Gives a silent device this many virtual seconds.
    fn patient(fake: &FakeHaply, settings: HaplySettings, jump_after: f64) -> Self {
        let device = Haply::open(settings).unwrap();
        let (world, port) = ball_on_spring(1);
        let centre = device.capabilities().workspace.centre();
        let render = Direct::new(world, port, Mapping { centre, ..Mapping::default() });
        // virtual time may run far ahead of the service
        let base = Limits::for_device(device.capabilities());
        let limits = Limits { ramp: 0.1, stale_after: 1e3, jump_after, ..base };
        let safety = Safety::new(limits.clone()).unwrap();
        let (servo, handle) = Servo::new(render, safety, VirtualClock::new());
        Self { bench: fake.bench.clone(), device, servo, handle, limits }
    }

    fn tick(&mut self) {
        self.servo.wait(Pace::Ours);
        assert_eq!(self.servo.tick(&mut self.device), Flow::Continue);
    }

    /// A tick, and the answer to it: the force has arrived as it was sent.
    fn round_trip(&mut self) {
        let before = self.device.round_trips();
        self.tick();
        let sent = self.handle.live().force;
        until("the answer of the service", || {
            let last = self.bench.last().map(|heard| heard.force);
            // a decimal number and back is off by a rounding at most
            let arrived = last.is_some_and(|f| (0..3).all(|i| (f[i] - sent[i]).abs() < 1e-12));
            arrived && self.device.round_trips() > before
        });
    }

    fn state(&self) -> State {
        self.servo.safety().machine().state()
    }

    fn count(&self, fault: Fault) -> u64 {
        self.servo.safety().machine().count(fault)
    }

    /// Round trips until the hand feels more than 1 N.
    fn push(&mut self) {
        for _ in 0..3000 {
            self.round_trip();
            if self.state() == State::Active && self.handle.live().force.norm() > 1.0 {
                return;
            }
        }
        panic!("no force within 3 s: {:?}", self.state());
    }

    /// Ticks without waiting for answers until the safety stage has come to a state.
    fn until_state(&mut self, state: State) {
        until("a state of the safety stage", || {
            self.tick();
            self.state() == state
        });
    }

    /// No step between two forces that arrived is larger than the slew limit allows for one tick,
    /// but for cuts to zero. A device without a connection shows none.
    fn assert_no_step(&self) {
        let most = self.limits.force_slew * self.limits.period + 1e-9;
        let mut last = (1, [0.0; 3]);
        for heard in self.bench.heard() {
            if heard.connection != last.0 {
                last = (heard.connection, [0.0; 3]);
                assert_eq!(heard.force, [0.0; 3], "the first force of a connection");
            }
            let step: f64 = (0..3).map(|i| (heard.force[i] - last.1[i]).powi(2)).sum();
            let cut = heard.force == [0.0; 3];
            assert!(cut || step.sqrt() <= most, "{:?} to {:?}", last.1, heard.force);
            last.1 = heard.force;
        }
    }
}

#[test]
fn every_tick_has_its_round_trip_in_both_spellings_and_the_hand_gets_no_energy() {
    for (force_key, name) in [(ForceKey::Values, "values"), (ForceKey::Vector, "vector")] {
        let fake = FakeHaply::start(&Bench::new(&[ID]));
        let mut rig = Rig::new(&fake, HaplySettings { force_key, ..settings(&fake) });
        for _ in 0..1500 {
            rig.round_trip();
        }
        assert!(rig.device.round_trips() >= 1500);
        assert_eq!(rig.state(), State::Active);
        assert!(rig.servo.energy().motors() < 0.0, "the hand pushed: {:?}", rig.servo.energy());
        let heard = rig.bench.heard();
        assert!(heard.iter().all(|heard| heard.key == name));
        assert!(heard.iter().enumerate().all(|(i, heard)| heard.session == (i == 0)));
        let largest = heard.iter().map(|heard| heard.force[0].abs()).fold(0.0, f64::max);
        assert!(largest > 1.0 && largest <= 5.0, "{largest} N");
        rig.assert_no_step();
        let last = rig.device.read().unwrap();
        assert!(last.buttons.is_pressed(1) && !last.buttons.is_pressed(0));
        rig.device.close().unwrap();
        assert_eq!(rig.bench.last().unwrap().force, [0.0; 3], "lets go without force");
        assert!(matches!(rig.device.read(), Err(DeviceError::Lost(_))));
        rig.device.close().unwrap();
    }
}

#[test]
fn a_service_that_is_killed_and_restarted_is_found_again_without_a_step() {
    let bench = Bench::new(&["0001", ID]);
    let mut fake = FakeHaply::start(&bench);
    let chosen = HaplySettings { device_id: Some(ID.into()), ..settings(&fake) };
    let mut rig = Rig::new(&fake, chosen);
    for restart in 1..=2 {
        rig.push();
        let (port, events) = fake.kill();
        rig.until_state(State::Stopped);
        // the loop goes on without force while nobody answers
        for _ in 0..500 {
            rig.tick();
            assert_eq!(rig.handle.live().force.norm(), 0.0);
        }
        fake = FakeHaply::start_on(&bench, port, events);
        rig.until_state(State::Waiting);
        rig.push();
        assert_eq!(rig.count(Fault::LinkDown), restart);
        assert_eq!(bench.connections(), 1 + restart);
    }
    rig.assert_no_step();
    assert!(bench.heard().iter().filter(|heard| heard.session).count() == 3, "introduces itself");
}

#[test]
fn a_connection_that_is_back_before_the_loop_looks_gets_no_force_meant_for_the_old_one() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    let mut rig = Rig::new(&fake, settings(&fake));
    rig.push();
    // the loop does not tick meanwhile; the driver keeps the service awake by itself
    rig.bench.set(Mood::Cuts);
    until("a second connection", || rig.bench.connections() == 2);
    let many = rig.bench.messages() + 3;
    until("messages over it", || rig.bench.messages() > many);
    assert_eq!(rig.bench.last().unwrap().force, [0.0; 3]);
    rig.push();
    assert_eq!(rig.count(Fault::LinkDown), 1);
    rig.assert_no_step();
}

#[test]
fn a_loop_that_hangs_leaves_no_force_and_ramps_in_again() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    let mut rig = Rig::new(&fake, HaplySettings { mute_after: SHORT, ..settings(&fake) });
    rig.push();
    until("the force to go", || rig.bench.last().unwrap().force == [0.0; 3]);
    assert_eq!(rig.bench.connections(), 1, "the connection stays");
    rig.push();
    assert!(rig.count(Fault::LinkDown) >= 1);
    rig.assert_no_step();
}

#[test]
fn answers_that_come_late_or_twice_slow_the_loop_down_and_no_more() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    for mood in [Mood::Delays(3), Mood::Delays(30), Mood::Twice] {
        let mut rig = Rig::new(&fake, settings(&fake));
        rig.bench.set(mood);
        let before = rig.device.round_trips();
        until("forty answers", || {
            rig.tick();
            // a little faster than the answers, so that readings repeat
            std::thread::sleep(Duration::from_micros(500));
            rig.device.round_trips() >= before + 40
        });
        rig.bench.set(Mood::Well);
        rig.push();
        assert_eq!(rig.count(Fault::DeviceLost) + rig.count(Fault::BadSample), 0, "{mood:?}");
        assert_eq!(rig.count(Fault::TooFast), 0, "late is not fast: {mood:?}");
        rig.device.close().unwrap();
    }
}

#[test]
fn a_service_is_not_sent_a_command_before_it_has_answered_the_last_one() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    let mut rig = Rig::new(&fake, settings(&fake));
    rig.push();
    rig.bench.set(Mood::Delays(20));
    let (before, start) = (rig.bench.messages(), std::time::Instant::now());
    for _ in 0..400 {
        rig.tick();
        std::thread::sleep(Duration::from_millis(1));
    }
    // the service reads one, then sleeps for 20 ms before it answers: if they queued up, it would
    // have read no fewer, but what it reads would be old
    let most = start.elapsed().as_millis() as usize / 20 + 2;
    assert!(rig.bench.messages() - before <= most, "{} of {most}", rig.bench.messages() - before);
    // asked to end, it hears zero as the next or the next but one
    let heard = rig.bench.messages();
    rig.device.close().unwrap();
    assert_eq!(rig.bench.last().unwrap().force, [0.0; 3]);
    assert!(rig.bench.messages() <= heard + 2, "{} after {heard}", rig.bench.messages());
}

#[test]
fn an_answer_that_does_not_come_breaks_the_link_and_leaves_it_with_zero() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    for mood in [Mood::Drops(7), Mood::Floods(300), Mood::Drips, Mood::Delays(400)] {
        let quick = HaplySettings { broken_after: SHORT, ..settings(&fake) };
        let mut rig = Rig::new(&fake, quick);
        rig.push();
        let connection = rig.bench.connections();
        rig.bench.set(mood);
        until("another connection", || {
            rig.servo.wait(Pace::Ours);
            rig.servo.tick(&mut rig.device);
            std::thread::sleep(Duration::from_micros(500));
            rig.bench.connections() > connection
        });
        assert!(rig.count(Fault::LinkDown) >= 1, "{mood:?}");
        let last = || {
            let heard = rig.bench.heard();
            heard.into_iter().rfind(|heard| heard.connection == connection).unwrap().force
        };
        // what was sent before may still be on its way to a service that is busy
        until("zero over the old connection", || last() == [0.0; 3]);
        rig.bench.set(Mood::Well);
        rig.push();
        rig.device.close().unwrap();
        assert_eq!(rig.bench.last().unwrap().force, [0.0; 3], "{mood:?}");
    }
}

#[test]
fn a_link_that_breaks_backs_off() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    let mut rig = Rig::new(&fake, HaplySettings { broken_after: SHORT, ..settings(&fake) });
    rig.push();
    let before = rig.bench.connections();
    rig.bench.set(Mood::Huge);
    let start = std::time::Instant::now();
    while start.elapsed() < Duration::from_secs(2) {
        rig.servo.wait(Pace::Ours);
        rig.servo.tick(&mut rig.device);
        std::thread::sleep(Duration::from_micros(500));
    }
    // 20, 40, 80 ms and so on: without a pause there were a thousand in two seconds
    let tried = rig.bench.connections() - before;
    assert!((2..=9).contains(&tried), "{tried} connections in two seconds");
}

/// The safety stage sees a jump of the position although the service says that nothing moves.
#[test]
fn a_position_that_jumps_while_the_velocity_is_zero_takes_the_force_away() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    let cases = [
        (Mood::Jumps(300), &[Fault::TooFast][..]),
        (Mood::Jumps(1_000_000_000), &[Fault::OutOfReach]),
        (Mood::Toggles(50), &[Fault::TooFast]),
        (Mood::Toggles(1000), &[Fault::TooFast, Fault::OutOfReach]),
        (Mood::Stuck, &[Fault::Contradiction]),
    ];
    for (mood, faults) in cases {
        let mut rig = Rig::new(&fake, settings(&fake));
        rig.push();
        rig.bench.set(mood);
        until("the end of the loop", || {
            let before = rig.device.round_trips();
            rig.servo.wait(Pace::Ours);
            let over = rig.servo.tick(&mut rig.device) == Flow::Stop;
            // virtual time is as fast as the service, as real time would be
            until("an answer", || over || rig.device.round_trips() > before);
            over
        });
        let Some(Ending::Fault(fault)) = rig.servo.ending() else { panic!("{mood:?}") };
        assert!(faults.contains(fault), "{mood:?}: {fault:?}");
        rig.device.close().unwrap();
        assert_eq!(rig.bench.last().unwrap().force, [0.0; 3], "{mood:?}");
        rig.bench.set(Mood::Well);
    }
}

#[test]
fn a_service_that_does_not_acknowledge_zero_is_told_of() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    let mut rig = Rig::new(&fake, HaplySettings { broken_after: SHORT, ..settings(&fake) });
    rig.push();
    rig.bench.set(Mood::Mute);
    let error = rig.device.close().unwrap_err().to_string();
    assert!(error.contains("did not acknowledge zero force"), "{error}");
    until("zero, heard but not answered", || rig.bench.last().unwrap().force == [0.0; 3]);
    rig.device.close().unwrap();
}

#[test]
fn answers_that_queue_up_are_read_away() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    let mut rig = Rig::new(&fake, settings(&fake));
    rig.bench.set(Mood::Twice);
    for _ in 0..300 {
        rig.round_trip();
    }
    // if answers had queued up, every reading would lag by 300 messages, which is centimetres of
    // the swing; messages of the driver's own while this thread sleeps are some millimetres, and
    // more in the few readings where the machine stalls
    let mut behind: Vec<f64> = (0..200)
        .map(|_| {
            rig.round_trip();
            let shown = rig.device.read().unwrap().position;
            (shown - Vec3::from(rig.bench.position())).norm()
        })
        .collect();
    behind.sort_by(f64::total_cmp);
    assert!(behind[100] < 5e-3, "{} m behind", behind[100]);
}

/// What the loop makes of a mood that lasts: `read` says why, and a second later it ends.
#[test]
fn what_cannot_be_understood_is_no_sample_and_ends_the_loop_with_words() {
    let cases = [
        (Mood::Nonsense, "another form"),
        (Mood::NotANumber, "another form"),
        (Mood::Null, "another form"),
        (Mood::OtherDevice, "does not list our Inverse3"),
    ];
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    for (mood, words) in cases {
        let mut rig = Rig::patient(&fake, settings(&fake), 5.0);
        rig.push();
        rig.bench.set(mood);
        let mut told = None;
        until("the words for it", || {
            rig.servo.wait(Pace::Ours);
            let flow = rig.servo.tick(&mut rig.device);
            let live = rig.handle.live();
            assert!(live.position.iter().all(|x| x.is_finite()), "{mood:?}");
            if flow == Flow::Stop {
                told = Some(rig.servo.ending().cloned());
            }
            // virtual time is faster than the service: a second of silence is a second of both
            std::thread::sleep(Duration::from_micros(100));
            told.is_some()
        });
        let Some(Some(Ending::Device(error))) = told else { panic!("{mood:?}: {told:?}") };
        assert!(error.to_string().contains(words), "{mood:?}: {error}");
        assert_eq!(rig.handle.live().force.norm(), 0.0, "{mood:?}");
        assert!(rig.device.garbled() > 0);
        rig.bench.set(Mood::Well);
        rig.device.close().unwrap();
    }
}

#[test]
fn a_few_messages_of_nonsense_pass_unnoticed() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    let mut rig = Rig::new(&fake, settings(&fake));
    rig.push();
    rig.bench.set(Mood::Nonsense);
    until("a few of them", || {
        rig.tick();
        rig.device.garbled() >= 3
    });
    rig.bench.set(Mood::Well);
    rig.push();
    assert_eq!(rig.count(Fault::BadSample) + rig.count(Fault::DeviceLost), 0);
}

#[test]
fn half_closed_deaf_mute_and_oversized_connections_are_left_for_new_ones() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    for mood in [Mood::HalfClosed, Mood::Mute, Mood::Deaf, Mood::Binary, Mood::Huge] {
        let mut rig = Rig::new(&fake, HaplySettings { broken_after: SHORT, ..settings(&fake) });
        rig.push();
        let before = rig.bench.connections();
        rig.bench.set(mood);
        until("a new connection", || {
            rig.device.event();
            rig.bench.connections() > before
        });
        rig.bench.set(Mood::Well);
        rig.push();
        assert!(rig.count(Fault::LinkDown) >= 1, "{mood:?}");
        rig.device.close().unwrap();
    }
}

#[test]
fn a_service_that_does_not_come_back_is_a_lost_device() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    let short = HaplySettings { reconnect_for: Duration::from_millis(50), ..settings(&fake) };
    let mut rig = Rig::new(&fake, short);
    rig.push();
    fake.kill();
    let mut last = Flow::Continue;
    until("the end", || {
        rig.servo.wait(Pace::Ours);
        last = rig.servo.tick(&mut rig.device);
        last == Flow::Stop
    });
    let Some(Ending::Device(DeviceError::Lost(words))) = rig.servo.ending() else {
        panic!("{:?}", rig.servo.ending())
    };
    assert!(words.contains("did not come back"), "{words}");
}

#[test]
fn events_of_the_service_reach_the_safety_stage() {
    let fake = FakeHaply::start(&Bench::new(&[ID]));
    let mut rig = Rig::new(&fake, settings(&fake));
    rig.push();
    rig.bench.tell_safety("another", "ebrake_triggered");
    rig.bench.tell_safety(ID, "ebrake_triggered");
    rig.until_state(State::Stopped);
    assert_eq!((rig.count(Fault::DeviceBrake), rig.handle.live().force.norm()), (1, 0.0));
    rig.bench.tell_safety(ID, "ebrake_released");
    rig.until_state(State::Waiting);
    rig.push();
    rig.bench.tell_safety(ID, "stability_ceiling");
    rig.until_state(State::Fading);
    assert_eq!(rig.count(Fault::DeviceLimit), 1);
    rig.push();
    rig.bench.tell(&serde_json::json!({"name": "device-disconnected", "data": {"device_id": ID}}));
    until("the end", || {
        rig.servo.wait(Pace::Ours);
        rig.servo.tick(&mut rig.device) == Flow::Stop
    });
    assert_eq!(rig.servo.ending(), Some(&Ending::Fault(Fault::DeviceLost)));
    rig.assert_no_step();
}

#[test]
fn what_keeps_it_from_opening_is_told_with_the_cure() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = free.local_addr().unwrap().to_string();
    drop(free);
    let open = |settings: HaplySettings| match Haply::open(settings) {
        Ok(_) => panic!("opened"),
        Err(error) => error.to_string(),
    };
    let quick = HaplySettings {
        open_within: Duration::from_millis(200),
        events: None,
        ..HaplySettings::default()
    };
    let at = |address: &str| HaplySettings { address: address.into(), ..quick.clone() };
    assert!(open(at(&nobody)).contains("start the Haply Inverse Service"));
    assert!(open(at("nowhere")).contains("HOST:PORT"));
    // something that accepts and says nothing, or hangs up
    let mute = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = mute.local_addr().unwrap().to_string();
    assert!(open(at(&address)).contains("not the Haply service"));
    let hangs_up = std::thread::spawn(move || drop((mute.accept(), mute.accept())));
    assert!(open(at(&address)).contains("not the Haply service"));
    hangs_up.join().unwrap();

    let empty = FakeHaply::start(&Bench::new(&[]));
    assert!(open(at(&empty.address())).contains("plug it in"));
    let two = FakeHaply::start(&Bench::new(&["0001", ID]));
    let wrong = HaplySettings { device_id: Some("beef".into()), ..at(&two.address()) };
    assert!(open(wrong).contains("no Inverse3 `beef`; there are: 0001, 049D"));
    let listed = inventory(&at(&two.address())).unwrap();
    assert!(listed.devices == ["0001", ID] && listed.grip);
}

/// Sixty seconds with `PALPABLE_LONG`, two without: a loop at 2 kHz on real threads.
#[test]
fn a_real_loop_keeps_up_and_survives_a_restart() {
    let long = std::env::var_os("PALPABLE_LONG").is_some();
    let seconds = if long { 60.0 } else { 2.0 };
    let bench = Bench::new(&[ID]);
    let mut fake = FakeHaply::start(&bench);
    let device = Haply::open(HaplySettings { rate: 2000.0, ..settings(&fake) }).unwrap();
    let (world, port) = ball_on_spring(1);
    // a machine that stalls must not end the test: late, not lost
    let limits = Limits {
        late_after: 5.0,
        jump_after: 50.0,
        stale_after: 5.0,
        ..{ Limits::for_device(device.capabilities()) }
    };
    let render = Direct::new(world, port, Mapping::default());
    let clock = SystemClock::new(Duration::ZERO);
    let made = Servo::new(render, Safety::new(limits).unwrap(), clock);
    let mut thread = ServoThread::start(Attached::Polled(Box::new(device)), made, None).unwrap();
    let start = std::time::Instant::now();
    let active = |thread: &mut ServoThread<Direct>| {
        let live = thread.handle().live();
        live.state == State::Active && live.force.norm() > 0.5
    };
    while start.elapsed().as_secs_f64() < seconds || !active(&mut thread) {
        assert!(thread.is_running() && start.elapsed().as_secs_f64() < seconds + 60.0);
        std::thread::sleep(Duration::from_millis(5));
    }
    let (messages, passed) = (bench.messages(), start.elapsed().as_secs_f64());
    let ticks = thread.handle().live().ticks;
    let rate = messages as f64 / passed;
    println!("{messages} round trips in {passed:.1} s: {rate:.0} Hz; {ticks} ticks");
    assert!(!long || rate >= 1000.0, "{rate} Hz");
    let (port, events) = fake.kill();
    until("the force to go", || thread.handle().live().state == State::Stopped);
    fake = FakeHaply::start_on(&bench, port, events);
    until("the force to come back", || active(&mut thread));
    thread.handle().stop();
    let (outcome, mut handle) = thread.join().unwrap();
    assert_eq!(outcome.ending, Ending::Asked);
    assert_eq!(outcome.safety.machine().count(Fault::LinkDown), 1);
    assert_eq!(bench.connections(), 2);
    assert_eq!(handle.live().force.norm(), 0.0);
    drop(fake);
}
