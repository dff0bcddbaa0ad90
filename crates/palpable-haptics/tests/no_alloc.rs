//! A tick allocates nothing once the loop runs: with the world in it, and with the world beside.

mod common;
mod fakes;

use std::time::Duration;

use common::{ball_on_spring, capabilities};
use fakes::haply::{Bench, FakeHaply};
use palpable_count::{Counting, allocations};
use palpable_haptics::drivers::haply::{Haply, HaplySettings};
use palpable_haptics::rt::{Clock, Mapping, Remote, Render, VirtualClock, WorldLoop};
use palpable_haptics::{
    Arm, Axes, Direct, Flow, Hand, Limits, Pace, Safety, Script, Servo, SimulatedDevice, Tick,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn device() -> SimulatedDevice {
    let mut c = capabilities(Axes::SIX, 0.1, 2.0);
    (c.coulomb_friction, c.encoder_step, c.delay) = (Some(0.1), Some(2e-5), Some(4e-4));
    let script = Script::still([0.0; 6]).swing([0.02, 0.0, 0.01, 0.0, 0.3, 0.0], 1.0, 0.0);
    SimulatedDevice::new(c, Hand::Arm(Arm::relaxed(script))).unwrap().with_jitter(0.2, 0.2, 3)
}

fn ticks<R: Render>(servo: &mut Servo<R, VirtualClock>, device: &mut SimulatedDevice, n: u32) {
    for _ in 0..n {
        servo.wait(Pace::Ours);
        assert_eq!(servo.tick(device), Flow::Continue);
    }
}

fn safety() -> Safety {
    Safety::new(Limits::for_device(&capabilities(Axes::SIX, 0.1, 2.0))).unwrap()
}

#[test]
fn counting_works() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1.0; 100]))) >= 2);
}

#[test]
fn a_tick_with_the_world_in_it_allocates_nothing() {
    let clock = VirtualClock::new();
    let (world, port) = ball_on_spring(10);
    let direct = Direct::new(world, port, Mapping::default()).with_hash();
    let (servo, mut handle) = Servo::new(direct, safety(), clock.clone());
    let (mut servo, mut device) = (servo.recording(), device());
    ticks(&mut servo, &mut device, 100);
    let n = allocations(|| {
        ticks(&mut servo, &mut device, 2000);
        // faults on the way: late, and an emergency
        clock.be_late(Duration::from_millis(200));
        ticks(&mut servo, &mut device, 1000);
        assert!(handle.rows().count() > 3000);
        handle.live();
    });
    assert_eq!(n, 0);
}

#[test]
fn a_tick_beside_the_world_allocates_nothing_on_either_side() {
    let clock = VirtualClock::new();
    let (world, port) = ball_on_spring(10);
    let (remote, link) =
        Remote::link(&world, port, Mapping::default(), &capabilities(Axes::SIX, 0.1, 2.0), 1e-3)
            .unwrap();
    let mut turns = WorldLoop::new(world, vec![link], clock.clone(), Duration::from_millis(3));
    let (mut servo, _handle) = Servo::new(remote, safety(), clock.clone());
    let mut device = device();
    let mut both = |n: u32| {
        for _ in 0..n {
            turns.turn();
            ticks(&mut servo, &mut device, 3);
        }
    };
    both(50);
    assert_eq!(allocations(|| both(1000)), 0);
    assert!(clock.now() > Duration::from_secs(3));
}

#[test]
fn a_tick_with_a_haply_allocates_nothing_in_the_loop() {
    let fake = FakeHaply::start(&Bench::new(&["049D"]));
    let address = HaplySettings { address: fake.address(), events: None, ..Default::default() };
    let mut device = Haply::open(address).unwrap();
    let (world, port) = ball_on_spring(1);
    let direct = Direct::new(world, port, Mapping::default());
    let (mut servo, _handle) = Servo::new(direct, safety(), VirtualClock::new());
    let mut counted = 0;
    for tick in 0..300 {
        let before = device.round_trips();
        let n = allocations(|| {
            servo.wait(Pace::Ours);
            assert_eq!(servo.tick(&mut device), Flow::Continue);
        });
        // the first ticks warm up
        counted += if tick < 50 { 0 } else { n };
        fakes::until("an answer", || device.round_trips() > before);
    }
    assert_eq!(counted, 0);
}
