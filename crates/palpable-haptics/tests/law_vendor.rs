//! Makers' libraries, as stubs with the same functions: axes, forces, homing, failures, and a
//! scheduler that calls us from its own thread.
#![cfg(target_os = "linux")]

mod common;
mod fakes;

use std::path::Path;
use std::time::Duration;

use common::{Open, ball_on_spring};
use fakes::far::Far;
use fakes::{stub, until};
use palpable::Vec3;
use palpable_haptics::drivers::LibraryError;
use palpable_haptics::drivers::force_dimension::{self, ForceDimension, ForceDimensionSettings};
use palpable_haptics::drivers::open_haptics::{
    self, OpenHaptics, OpenHapticsLibrary, OpenHapticsSettings,
};
use palpable_haptics::rt::{Books, Clock, Mapping, Render, SystemClock, VirtualClock, Watchdog};
use palpable_haptics::{
    Attached, Axes, CallingDevice, Capabilities, Command, Device, DeviceError, Direct, Ending,
    Fault, Faulty, Flow, Limits, Mishap, Pace, Readiness, Safety, Sample, Servo, ServoThread,
    State, Tick, Wish, Wrench,
};

fn near(a: Vec3, b: [f64; 3], tolerance: f64) -> bool {
    (a - Vec3::from(b)).norm() <= tolerance
}

fn limits(capabilities: &Capabilities) -> Limits {
    // stubs stall with the machine
    let base = Limits::for_device(capabilities);
    Limits { ramp: 0.1, late_after: 5.0, jump_after: 50.0, stale_after: 5.0, ..base }
}

fn servo<C: palpable_haptics::rt::Clock>(
    capabilities: &Capabilities,
    clock: C,
) -> (Servo<Direct, C>, palpable_haptics::rt::ServoHandle) {
    let (world, port) = ball_on_spring(1);
    let centre = capabilities.workspace.centre();
    let render = Direct::new(world, port, Mapping { centre, ..Mapping::default() });
    Servo::new(render, Safety::new(limits(capabilities)).unwrap(), clock)
}

fn omega(library: &Path) -> ForceDimensionSettings {
    ForceDimensionSettings { library: Some(library.to_owned()), ..Default::default() }
}

#[test]
fn a_force_dimension_device_is_read_and_pushed_in_our_axes() {
    let library = stub::library("dhd", None);
    let mut device = ForceDimension::open(&omega(&library)).unwrap();
    let far = Far::of(&library);
    far.dhd(5, 5.0);
    assert_eq!(far.dhd(26, 0.0), 8.0, "the maker's own net has our peak");
    let c = device.capabilities().clone();
    assert_eq!((c.name.as_str(), c.sensed, c.actuated), ("stub omega.6", Axes::THREE, Axes::THREE));
    let sample = device.read().unwrap();
    // 2 cm to the right, 1 cm towards the user, 3 cm up, after two milliseconds of a slow hand
    assert!(near(sample.position, [0.02, -0.01, 0.03], 1e-4), "{sample:?}");
    assert_eq!((sample.gripper, sample.buttons.0), (Some(0.25), 5));
    assert!(near(c.workspace.centre(), [0.02, -0.01, 0.03], 1e-4));

    let (mut servo, mut handle) = servo(&c, VirtualClock::new());
    let (mut opposed, mut largest) = (0.0f64, 0.0f64);
    for _ in 0..2000 {
        servo.wait(Pace::Ours);
        assert_eq!(servo.tick(&mut device), Flow::Continue);
        let live = handle.live();
        // our x is the maker's y: what was sent arrives there, bit by bit
        assert_eq!(far.dhd(21, 0.0), live.force.x);
        assert_eq!((far.dhd(20, 0.0), far.dhd(22, 0.0)), (-live.force.y, live.force.z));
        opposed = opposed.min(live.force.x * (live.position.x - 0.02));
        largest = largest.max(live.force.x.abs());
    }
    assert!(largest > 0.5 && opposed < -1e-3, "the spring pulls back: {largest} N, {opposed} J");
    assert!(servo.energy().motors() < 0.0, "the hand put energy in");
    assert_eq!(far.dhd(23, 0.0), 1.0, "motors on");
    device.close().unwrap();
    assert_eq!([20, 21, 22, 23, 25].map(|what| far.dhd(what, 0.0)), [0.0; 5], "let go");
    assert_eq!(far.dhd(24, 0.0), 1.0, "brakes on");
    assert!(matches!(device.read(), Err(DeviceError::Lost(_))));
    device.close().unwrap();
}

#[test]
fn a_wrist_turns_and_is_turned_in_our_axes() {
    let library = stub::library("dhd", None);
    let far = Far::of(&library);
    far.dhd(4, 1.0);
    let mut device = ForceDimension::open(&omega(&library)).unwrap();
    assert_eq!(device.capabilities().actuated, Axes::SIX);
    // the maker's quarter turn about x, which is our -y: z to x
    let rotation = device.read().unwrap().rotation;
    assert!(near(rotation * Vec3::z(), [-1.0, 0.0, 0.0], 1e-12), "{rotation}");
    assert!(near(rotation * Vec3::y(), [0.0, 1.0, 0.0], 1e-12), "{rotation}");
}

#[test]
fn its_own_force_button_is_a_brake_and_its_release_ramps_in() {
    let library = stub::library("dhd", None);
    let mut device = ForceDimension::open(&omega(&library)).unwrap();
    let far = Far::of(&library);
    let (mut servo, mut handle) = servo(&device.capabilities().clone(), VirtualClock::new());
    let mut ticks = |n: u32, device: &mut ForceDimension| {
        for _ in 0..n {
            servo.wait(Pace::Ours);
            assert_eq!(servo.tick(device), Flow::Continue);
        }
        (servo.safety().machine().state(), handle.live().force.norm())
    };
    assert_eq!(ticks(300, &mut device).0, State::Active);
    far.dhd(1, 1.0);
    assert_eq!(ticks(20, &mut device), (State::Stopped, 0.0));
    assert_eq!(ticks(500, &mut device), (State::Stopped, 0.0));
    far.dhd(1, 0.0);
    assert_eq!(ticks(100, &mut device).0, State::Waiting);
    assert_eq!(ticks(400, &mut device).0, State::Active);
}

/// Renders, and then does not come back until it may.
struct Hangs(Direct, u32, std::sync::Arc<std::sync::atomic::AtomicBool>);

impl Render for Hangs {
    fn render(&mut self, now: Duration, h: Duration, sample: &Sample) -> Wish {
        self.1 += 1;
        while self.1 > 400 && !self.2.load(std::sync::atomic::Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.0.render(now, h, sample)
    }
    fn books(&self) -> Books {
        self.0.books()
    }
}

#[test]
fn a_loop_that_hangs_has_its_force_taken_away_past_it() {
    let library = stub::library("dhd", None);
    let device = ForceDimension::open(&omega(&library)).unwrap();
    let far = Far::of(&library);
    far.dhd(5, 5.0);
    let (world, port) = ball_on_spring(1);
    let c = device.capabilities().clone();
    let mapping = Mapping { centre: c.workspace.centre(), ..Mapping::default() };
    let back = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let render = Hangs(Direct::new(world, port, mapping), 0, back.clone());
    let clock = SystemClock::new(Duration::ZERO);
    let made = Servo::new(render, Safety::new(limits(&c)).unwrap(), clock);
    let mut thread = ServoThread::start(Attached::Polled(Box::new(device)), made, None).unwrap();
    let mut dog = Watchdog::new(Duration::from_millis(500));
    until("the loop to hang", || {
        dog.barks(clock.now(), thread.handle().beats()) && thread.handle().beats() >= 400
    });
    let pushed = [20, 21, 22].map(|what| far.dhd(what, 0.0));
    assert!(pushed.iter().any(|f| f.abs() > 0.1) && far.dhd(23, 0.0) == 1.0, "{pushed:?}");
    thread.release();
    assert_eq!([20, 21, 22, 23].map(|what| far.dhd(what, 0.0)), [0.0; 4], "let go");
    back.store(true, std::sync::atomic::Ordering::SeqCst);
    drop(thread);
    assert_eq!([20, 21, 22, 23].map(|what| far.dhd(what, 0.0)), [0.0; 4], "and stays so");
}

/// A mishap in the tick of a device that calls us: the same faults as in one that we read.
#[test]
fn mishaps_are_rehearsed_on_a_device_that_calls_us_too() {
    let library = stub::library("hd", None);
    let far = Far::of(&library);
    for (mishap, fault) in [
        (Mishap::Jump(0.3), Fault::TooFast),
        (Mishap::NotANumber, Fault::BadSample),
        (Mishap::Stuck(Vec3::x()), Fault::Contradiction),
    ] {
        let device = OpenHaptics::open(&touch(&library)).unwrap();
        let made = servo(device.capabilities(), SystemClock::new(Duration::ZERO));
        let faulty = Faulty::new(device, mishap, 300);
        let thread = ServoThread::start(Attached::Calling(Box::new(faulty)), made, None).unwrap();
        let (outcome, _) = thread.join().unwrap();
        assert_eq!(outcome.ending, Ending::Fault(fault), "{mishap:?}");
        assert_eq!([20, 21, 22].map(|what| far.hd(0, what, 0.0)), [0.0; 3], "{mishap:?}");
    }
}

#[test]
fn failures_of_the_library_are_late_or_lost_with_its_own_words() {
    let library = stub::library("dhd", None);
    let mut device = ForceDimension::open(&omega(&library)).unwrap();
    let far = Far::of(&library);
    far.dhd(0, 7.0);
    assert!(matches!(device.read(), Err(DeviceError::Late(_))));
    far.dhd(0, 0.0);
    assert!(device.read().is_ok());
    far.dhd(0, 2.0);
    let error = device.read().unwrap_err();
    assert!(error.to_string().contains("communication error; check its cable"), "{error}");
    assert!(!error.is_passing());
    // a library without words for it
    far.dhd(0, 99.0);
    assert!(device.read().unwrap_err().to_string().contains("no reason given"));
}

#[test]
fn homing_is_announced_before_the_handle_moves() {
    let library = stub::library("dhd", None);
    let far = Far::of(&library);
    far.dhd(2, 0.0);
    let mut device = ForceDimension::open(&omega(&library)).unwrap();
    assert!(matches!(device.readiness(), Readiness::NeedsHoming(_)));
    assert!(matches!(device.prepare().unwrap(), Readiness::NeedsHoming(_)), "only says so");
    assert_eq!(device.prepare().unwrap(), Readiness::Ready);
    drop(device);
    far.dhd(2, 0.0);
    far.dhd(0, 0.0);
    let mut device = ForceDimension::open(&omega(&library)).unwrap();
    device.prepare().unwrap();
    far.dhd(0, 2.0);
    assert!(device.prepare().is_err(), "homing that fails");
    drop(device);
    // a device that the robotic part does not take
    for (what, value) in [(0, 0.0), (2, 0.0), (6, 1.0)] {
        far.dhd(what, value);
    }
    let device = ForceDimension::open(&omega(&library)).unwrap();
    assert_eq!(device.readiness(), Readiness::Ready);
    drop(device);
    // a library without the robotic part cannot tell, and the maker's tool homes
    let plain = stub::library("dhd", Some("without_drd"));
    Far::of(&plain).dhd(2, 0.0);
    let device = ForceDimension::open(&omega(&plain)).unwrap();
    assert_eq!(device.readiness(), Readiness::Ready);
}

#[test]
fn what_keeps_a_library_from_being_used_is_told_apart() {
    let missing = force_dimension::find(Some(Path::new("/nowhere/libdrd.so"))).unwrap_err();
    assert!(matches!(&missing, LibraryError::NotFound { .. }), "{missing}");
    assert!(missing.to_string().contains("FORCEDIM_SDK"), "{missing}");
    let missing = open_haptics::find(Some(Path::new("/nowhere/libHD.so"))).unwrap_err();
    assert!(missing.to_string().contains("install OpenHaptics"), "{missing}");
    // a file that is no library
    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let unfit = force_dimension::find(Some(&text)).unwrap_err();
    assert!(matches!(&unfit, LibraryError::NotLoadable { .. }), "{unfit}");
    // libraries that lack a function
    let poor = stub::library("dhd", Some("without_force"));
    let error = force_dimension::find(Some(&poor)).unwrap_err();
    let LibraryError::NoSymbol { symbol, .. } = &error else { panic!("{error}") };
    assert_eq!(*symbol, "dhdSetForce");
    assert!(error.to_string().contains("install version 3.14"), "{error}");
    let poor = stub::library("hd", Some("without_force"));
    let error = OpenHaptics::open(&touch(&poor)).err().unwrap().to_string();
    assert!(error.contains("no function hdSetDoublev"), "{error}");
    // a sound one without a device, and a device that somebody else has
    let library = stub::library("dhd", None);
    let far = Far::of(&library);
    let found = force_dimension::find(Some(&library)).unwrap();
    assert_eq!((found.version.as_deref(), found.devices), (Some("3.17.6.1"), 1));
    far.dhd(3, 0.0);
    let error = ForceDimension::open(&omega(&library)).err().unwrap().to_string();
    assert!(error.contains("udev rule for USB vendor 1451"), "{error}");
    far.dhd(3, 1.0);
    let first = ForceDimension::open(&omega(&library)).unwrap();
    let error = ForceDimension::open(&omega(&library)).err().unwrap().to_string();
    assert!(error.contains("no device found") && error.contains("other programs"), "{error}");
    drop(first);
}

fn touch(library: &Path) -> OpenHapticsSettings {
    OpenHapticsSettings { library: Some(library.to_owned()), ..Default::default() }
}

/// Runs a loop on the scheduler's thread until the hand feels something, then stops it.
fn feel(device: OpenHaptics, far: &Far, of: i32) -> Ending {
    let made = servo(device.capabilities(), SystemClock::new(Duration::ZERO));
    let attached = Attached::Calling(Box::new(device));
    let mut thread = ServoThread::start(attached, made, None).unwrap();
    until("a force", || {
        assert!(thread.is_running(), "ended by itself");
        let live = thread.handle().live();
        live.state == State::Active && live.force.norm() > 0.3
    });
    assert_eq!(far.hd(of, 23, 0.0), 1.0, "motors on");
    thread.handle().stop();
    let (outcome, mut handle) = thread.join().unwrap();
    assert_eq!(handle.live().force.norm(), 0.0);
    assert_eq!(outcome.render.world().tick(), outcome.stats.ticks());
    outcome.ending
}

#[test]
fn open_haptics_calls_us_from_its_own_thread_and_can_be_left() {
    let library = stub::library("hd", None);
    let device = OpenHaptics::open(&touch(&library)).unwrap();
    let far = Far::of(&library);
    let c = device.capabilities().clone();
    assert_eq!((c.name.as_str(), c.force.peak, c.force.continuous), ("stub Touch", 3.3, 0.88));
    // 1 cm to the right, 3 cm towards the user, 2 cm up
    assert!(near(c.workspace.centre(), [0.01, -0.03, 0.02], 1e-4), "{:?}", c.workspace);
    assert_eq!(feel(device, &far, 0), Ending::Asked);
    assert_eq!([20, 21, 22, 23, 24, 27].map(|what| far.hd(0, what, 0.0)), [0.0; 6], "let go");
    let largest = far.hd(0, 25, 0.0);
    assert!(largest > 0.3 && largest <= 3.3, "{largest} N");
}

#[test]
fn two_devices_share_one_scheduler() {
    let library = stub::library("hd", None);
    let shared = OpenHapticsLibrary::load(Some(&library)).unwrap();
    let far = Far::of(&library);
    let open = |name: &str| {
        shared.open(&OpenHapticsSettings { name: name.into(), ..touch(&library) }).unwrap()
    };
    let (first, second) = (open("Default Device"), open("Second"));
    let made = servo(second.capabilities(), SystemClock::new(Duration::ZERO));
    let mut other = ServoThread::start(Attached::Calling(Box::new(second)), made, None).unwrap();
    feel(first, &far, 0);
    // the first one has ended; the second goes on
    assert_eq!(far.hd(1, 27, 0.0), 1.0, "the scheduler runs");
    let ticks = other.handle().live().ticks;
    until("more ticks", || other.handle().live().ticks > ticks + 10);
    other.handle().stop();
    assert_eq!(other.join().unwrap().0.ending, Ending::Asked);
    assert_eq!(far.hd(1, 27, 0.0), 0.0, "the scheduler stands still");
}

/// What a tick sees inside the scheduler's frame.
struct Look(std::sync::mpsc::Sender<(Sample, std::thread::ThreadId)>);

impl Tick for Look {
    fn tick(&mut self, device: &mut dyn Device) -> Flow {
        let _ = self.0.send((device.read().unwrap(), std::thread::current().id()));
        Flow::Stop
    }
}

#[test]
fn a_tick_sees_our_axes_on_their_thread_once_and_comes_back() {
    let library = stub::library("hd", None);
    let mut device = OpenHaptics::open(&touch(&library)).unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    device.start(Box::new(Look(sender.clone()))).unwrap();
    assert!(device.start(Box::new(Look(sender))).is_err(), "started twice");
    let (sample, thread) = receiver.recv_timeout(Duration::from_secs(60)).unwrap();
    assert_ne!(thread, std::thread::current().id());
    assert!(near(sample.position, [0.01, -0.03, 0.02], 1e-3), "{sample:?}");
    // the maker's quarter turn about y (up), which is our z: x to y
    let turned = sample.rotation * Vec3::x();
    assert!(near(turned, [0.0, 1.0, 0.0], 1e-12), "{turned}");
    assert_eq!(sample.buttons.0, 0b10);
    until("the end", || !device.is_running());
    assert!(device.stop().is_some(), "the tick comes back");
    assert!(device.stop().is_none());
    assert_eq!(receiver.try_iter().count(), 0, "called once");
}

/// A tick that pushes, then breaks down.
struct Breaks(Command, u32);

impl Tick for Breaks {
    fn tick(&mut self, device: &mut dyn Device) -> Flow {
        self.1 += 1;
        assert!(self.1 < 10, "breaks down for the test");
        device.write(&self.0).unwrap();
        Flow::Continue
    }
}

#[test]
fn a_panic_leaves_no_force_and_does_not_run_through_the_makers_code() {
    let library = stub::library("hd", None);
    let far = Far::of(&library);
    let mut device = OpenHaptics::open(&touch(&library)).unwrap();
    let push = Open::new(device.capabilities()).pass(Wrench::force([0.5, 0.0, 0.0]));
    device.start(Box::new(Breaks(push, 0))).unwrap();
    until("the end", || !device.is_running());
    assert_eq!(far.hd(0, 25, 0.0), 0.5, "it had pushed");
    assert_eq!([20, 21, 22, 23].map(|what| far.hd(0, what, 0.0)), [0.0; 4], "and let go");
    assert!(device.stop().is_some());
}

#[test]
fn errors_of_the_scheduler_reach_the_safety_stage() {
    let library = stub::library("hd", None);
    let far = Far::of(&library);
    let start = || {
        let device = OpenHaptics::open(&touch(&library)).unwrap();
        let made = servo(device.capabilities(), SystemClock::new(Duration::ZERO));
        ServoThread::start(Attached::Calling(Box::new(device)), made, None).unwrap()
    };
    let mut thread = start();
    until("forces", || thread.handle().live().state == State::Active);
    // warm motors
    far.hd(0, 0, f64::from(0x0200));
    until("a fade", || thread.handle().live().fault == Some(Fault::DeviceLimit));
    until("forces again", || thread.handle().live().state == State::Active);
    // the cable is out
    far.hd(0, 0, f64::from(0x0302));
    let outcome = thread.join().unwrap().0;
    let Ending::Device(DeviceError::Lost(words)) = &outcome.ending else {
        panic!("{:?}", outcome.ending)
    };
    assert!(words.contains("communication error"), "{words}");
    assert_eq!([20, 21, 22].map(|what| far.hd(0, what, 0.0)), [0.0; 3]);
    // and it can be opened again
    let mut again = start();
    again.handle().stop();
    assert!(again.join().is_some());
}

#[test]
fn calibration_and_names_are_told_with_their_cure() {
    let library = stub::library("hd", None);
    let far = Far::of(&library);
    let unknown = OpenHapticsSettings { name: "Third".into(), ..touch(&library) };
    let error = OpenHaptics::open(&unknown).err().unwrap().to_string();
    assert!(error.contains("`Third` cannot be opened (communication error)"), "{error}");
    assert!(error.contains("set-up program"), "{error}");
    let mut device = OpenHaptics::open(&touch(&library)).unwrap();
    far.hd(0, 1, f64::from(0x5002));
    assert!(matches!(device.prepare().unwrap(), Readiness::NeedsCalibration(_)));
    far.hd(0, 1, f64::from(0x5001));
    assert!(matches!(device.readiness(), Readiness::Busy(_)));
    assert_eq!(device.prepare().unwrap(), Readiness::Ready);
    let error = OpenHaptics::open(&touch(&library)).err().unwrap().to_string();
    assert!(error.contains("already initiated"), "{error}");
}
