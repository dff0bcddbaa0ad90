//! The loop on real threads: it starts, ticks, is asked to stop, and gives everything back. How
//! fast is not asserted.

mod common;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::{Caller, ball_on_spring, capabilities};
use palpable_haptics::rt::{
    Books, Mapping, Outcome, Remote, Render, ServoHandle, SystemClock, WorldLoop, WorldThread,
};
use palpable_haptics::{
    Arm, Attached, Axes, Capabilities, Command, Device, DeviceError, Direct, Ending, Fault, Hand,
    Limits, Readiness, Safety, Sample, Script, Servo, ServoThread, SimulatedDevice, State, Wish,
};

fn device() -> SimulatedDevice {
    let arm = Arm::relaxed(Script::still([0.01, 0.0, 0.0, 0.0, 0.0, 0.0]));
    SimulatedDevice::new(capabilities(Axes::THREE, 0.1, 2.0), Hand::Arm(arm)).unwrap()
}

fn safety() -> Safety {
    // a shared machine may stall for long: nothing here is about lateness
    let limits = Limits::for_device(&capabilities(Axes::THREE, 0.1, 2.0));
    let limits = Limits { late_after: 9.0, jump_after: 10.0, stale_after: 9.0, ..limits };
    Safety::new(Limits { ramp: 0.01, force_slew: 1e9, torque_slew: 1e9, ..limits }).unwrap()
}

/// Starts, waits until something is felt, stops.
fn feel<R: Render + 'static>(
    attached: Attached,
    servo: (Servo<R, SystemClock>, ServoHandle),
) -> Outcome<R> {
    let mut thread = ServoThread::start(attached, servo, None).unwrap();
    loop {
        assert!(thread.is_running(), "ended by itself");
        let live = thread.handle().live();
        if live.state == State::Active && live.force.norm() > 0.5 {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    thread.handle().stop();
    let (outcome, mut handle) = thread.join().unwrap();
    assert_eq!(outcome.ending, Ending::Asked);
    assert_eq!(handle.live().force.norm(), 0.0);
    assert_eq!(handle.live().ticks, outcome.stats.ticks());
    outcome
}

#[test]
fn our_thread_and_the_devices_thread_run_the_same_loop() {
    let calling = Caller::new(device(), Duration::from_micros(100));
    for attached in [Attached::Polled(Box::new(device())), Attached::Calling(Box::new(calling))] {
        let (world, port) = ball_on_spring(1);
        let direct = Direct::new(world, port, Mapping::default());
        let clock = SystemClock::new(Duration::ZERO);
        let outcome = feel(attached, Servo::new(direct, safety(), clock));
        let [priority, memory] = outcome.privileges.statements();
        assert!(priority.starts_with("ordinary priority") && memory.starts_with("memory not"));
        assert_eq!(outcome.render.world().tick(), outcome.stats.ticks());
    }
}

#[test]
fn a_world_on_its_own_thread_serves_two_hands() {
    let clock = SystemClock::new(Duration::ZERO);
    let (world, port) = ball_on_spring(2);
    let device = capabilities(Axes::THREE, 0.1, 2.0);
    let (left, left_link) = Remote::link(&world, port, Mapping::default(), &device, 1e-3).unwrap();
    let (right, right_link) =
        Remote::link(&world, port, Mapping::default(), &device, 1e-3).unwrap();
    let links = vec![left_link, right_link];
    let turns = WorldLoop::new(world, links, clock, Duration::from_millis(3));
    let world = WorldThread::start(turns, None).unwrap();
    let first = Attached::Polled(Box::new(self::device()));
    let second = Attached::Polled(Box::new(self::device()));
    let other = std::thread::spawn(move || feel(second, Servo::new(right, safety(), clock)));
    feel(first, Servo::new(left, safety(), clock));
    other.join().unwrap();
    assert!(world.beats() > 0);
    let end = world.stop().unwrap();
    assert!(end.world.tick() > 0 && end.world.ledger().totals().supplied > 0.0);
}

/// A device that tells the last force it was sent, and whether it was closed, when it is gone.
struct Told(SimulatedDevice, Arc<Mutex<(f64, bool)>>);

impl Device for Told {
    fn capabilities(&self) -> &Capabilities {
        self.0.capabilities()
    }
    fn read(&mut self) -> Result<Sample, DeviceError> {
        self.0.read()
    }
    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        self.1.lock().unwrap().0 = command.force().norm();
        self.0.write(command)
    }
    fn close(&mut self) -> Result<(), DeviceError> {
        self.1.lock().unwrap().1 = true;
        self.0.close()
    }
}

/// A loop that pushes, and what its device was told last.
fn told<R: Render + 'static>(render: R) -> (ServoThread<R>, Arc<Mutex<(f64, bool)>>) {
    let last = Arc::new(Mutex::new((0.0, false)));
    let attached = Attached::Polled(Box::new(Told(device(), last.clone())));
    let made = Servo::new(render, safety(), SystemClock::new(Duration::ZERO));
    (ServoThread::start(attached, made, None).unwrap(), last)
}

fn direct() -> Direct {
    let (world, port) = ball_on_spring(1);
    Direct::new(world, port, Mapping::default())
}

#[test]
fn a_loop_that_is_dropped_fades_closes_its_device_and_is_gone() {
    let (mut thread, last) = told(direct());
    while thread.handle().live().force.norm() < 0.5 {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(last.lock().unwrap().0 > 0.0);
    drop(thread);
    assert_eq!(*last.lock().unwrap(), (0.0, true));
    assert_eq!(Arc::strong_count(&last), 1, "the thread has ended");
}

/// Renders, then breaks down.
struct Breaks(Direct, u32);

impl Render for Breaks {
    fn render(&mut self, now: Duration, h: Duration, sample: &Sample) -> Wish {
        self.1 += 1;
        assert!(self.1 < 400, "breaks down for the test");
        self.0.render(now, h, sample)
    }
    fn books(&self) -> Books {
        self.0.books()
    }
}

#[test]
fn a_loop_that_breaks_down_leaves_zero_and_a_closed_device() {
    let (thread, last) = told(Breaks(direct(), 0));
    assert!(thread.join().is_none(), "it is told to whoever waits");
    assert_eq!(*last.lock().unwrap(), (0.0, true));
}

#[test]
fn a_world_that_breaks_down_beside_the_loop_is_a_stalled_world() {
    let clock = SystemClock::new(Duration::ZERO);
    let (world, port) = ball_on_spring(1);
    let like = capabilities(Axes::THREE, 0.1, 2.0);
    let (remote, link) = Remote::link(&world, port, Mapping::default(), &like, 1e-3).unwrap();
    let mut turns = 0;
    let turns = WorldLoop::new(world, vec![link], clock, Duration::from_millis(2)).with_script(
        move |_, _| {
            turns += 1;
            assert!(turns < 300, "breaks down for the test");
        },
    );
    let world = WorldThread::start(turns, None).unwrap();
    let last = Arc::new(Mutex::new((0.0, false)));
    let attached = Attached::Polled(Box::new(Told(self::device(), last.clone())));
    let limits = Limits { stale_after: 0.1, ..safety().limits().clone() };
    let made = Servo::new(remote, Safety::new(limits).unwrap(), clock);
    let mut thread = ServoThread::start(attached, made, None).unwrap();
    while thread.handle().live().state != State::Waiting {
        assert!(thread.is_running());
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(thread.handle().live().fault, Some(Fault::WorldStalled));
    assert_eq!(last.lock().unwrap().0, 0.0);
    drop(thread);
    assert!(world.stop().is_none(), "it is told to whoever waits");
}

/// A device that has to be homed by calling `prepare` three times.
struct Unhomed(SimulatedDevice, u32);

impl Device for Unhomed {
    fn capabilities(&self) -> &Capabilities {
        self.0.capabilities()
    }
    fn readiness(&self) -> Readiness {
        if self.1 < 3 { Readiness::NeedsHoming("move the handle") } else { Readiness::Ready }
    }
    fn prepare(&mut self) -> Result<Readiness, DeviceError> {
        self.1 += 1;
        Ok(self.readiness())
    }
    fn read(&mut self) -> Result<Sample, DeviceError> {
        self.0.read()
    }
    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        self.0.write(command)
    }
    fn close(&mut self) -> Result<(), DeviceError> {
        self.0.close()
    }
}

#[test]
fn a_device_gets_no_force_before_it_is_ready() {
    let servo = || {
        let (world, port) = ball_on_spring(1);
        let direct = Direct::new(world, port, Mapping::default());
        Servo::new(direct, safety(), SystemClock::new(Duration::ZERO))
    };
    let attached = || Attached::Polled(Box::new(Unhomed(device(), 0)));
    let refused = ServoThread::start(attached(), servo(), None).err().unwrap().to_string();
    assert!(refused.contains("not homed: move the handle"), "{refused}");
    let mut homed = attached();
    while !homed.prepare().unwrap().is_ready() {}
    feel(homed, servo());
}

#[test]
fn asking_for_real_time_is_answered_in_words() {
    // on a thread of its own: a test must not keep a real-time priority
    let asked = std::thread::spawn(|| palpable_haptics::rt::gain_privileges(50)).join().unwrap();
    let [priority, memory] = asked.statements();
    match asked.priority {
        Ok(level) => assert!(level == 50 && priority.contains("real-time priority 50")),
        Err(_) => assert!(priority.starts_with("ordinary priority: ")),
    }
    assert!(memory.contains("memory"));
}
