//! A run that is recorded and played back takes the same steps, bit by bit.

mod common;

use std::path::PathBuf;
use std::time::Duration;

use common::capabilities;
use palpable_haptics::record::{Setup, columns};
use palpable_haptics::rt::{Mapping, Render, Row, VirtualClock};
use palpable_haptics::{
    Arm, Axes, Device, Direct, Ending, Fault, Faulty, Flow, Hand, Limits, Mishap, Pace, Recorder,
    Replay, Safety, Script, Servo, SimulatedDevice, State, Tick,
};
use palpable_record::{McapSink, Table, read_mcap};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A body held by a pose spring, so that its orientation counts as well, beside two balls.
fn direct() -> Direct {
    use palpable::{Body, Model, Port, Vec6, World};
    let mut model = Model::builder();
    let brick = model.body(Body::cuboid("brick", [0.04, 0.06, 0.1]).mass(0.2));
    let stiffness = Vec6::new(500.0, 500.0, 500.0, 0.5, 0.5, 0.5);
    let port = model.port(Port::reference("hand", brick.origin(), stiffness, stiffness * 5e-4));
    let world = World::new(model.build().unwrap());
    Direct::new(world, port, Mapping::default()).with_hash()
}

fn safety() -> Safety {
    let limits = Limits::for_device(&capabilities(Axes::SIX, 0.1, 2.0));
    Safety::new(Limits { ramp: 0.05, ..limits }).unwrap()
}

fn device() -> SimulatedDevice {
    let script = Script::still([0.0; 6]).swing([0.02, 0.01, 0.0, 0.0, 0.4, 0.0], 1.3, 0.0);
    let c = capabilities(Axes::SIX, 0.1, 2.0);
    SimulatedDevice::new(c, Hand::Arm(Arm::relaxed(script))).unwrap().with_jitter(0.2, 0.0, 9)
}

const SETUP: Setup = Setup { period: 1e-3, stiffness: 500.0, damping: 2.0, impulses: None };

/// Records a run of 1.5 s with a late tick, on a device that may fail; its last state hash.
fn record(device: &mut dyn Device, path: &PathBuf) -> (u64, Option<Ending>) {
    let clock = VirtualClock::new();
    let (servo, mut handle) = Servo::new(direct(), safety(), clock.clone());
    let mut servo = servo.recording();
    let mut recorder = Recorder::new(McapSink::create(path).unwrap(), SETUP).unwrap();
    for k in 0..1500 {
        if k == 700 {
            clock.be_late(Duration::from_micros(4200));
        }
        servo.wait(Pace::Ours);
        let flow = servo.tick(device);
        for row in handle.rows() {
            recorder.write(&row).unwrap();
        }
        if flow == Flow::Stop {
            break;
        }
    }
    recorder.finish().unwrap();
    (servo.render().books().hash, servo.ending().cloned())
}

/// Plays a recording back; the hash after each tick.
fn replay(path: &PathBuf) -> Vec<u64> {
    let mut replay = Replay::load(path).unwrap();
    assert_eq!((replay.setup(), replay.lost()), (SETUP, 0));
    let (servo, mut handle) = Servo::new(direct(), safety(), VirtualClock::new());
    let mut servo = servo.recording().from_zero();
    assert_eq!(servo.run(&mut replay), Ending::Over);
    let rows: Vec<Row> = handle.rows().collect();
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(Some(row.books.hash), replay.hash(i), "tick {i}");
    }
    rows.iter().map(|row| row.books.hash).collect()
}

#[test]
fn a_replay_reproduces_every_state_hash() {
    let path = file("replay.mcap");
    let (last, ending) = record(&mut device(), &path);
    assert_eq!(ending, None);
    let hashes = replay(&path);
    assert_eq!((hashes.len(), hashes.last()), (1500, Some(&last)));
    let all_different: std::collections::HashSet<_> = hashes.iter().collect();
    assert_eq!(all_different.len(), 1500, "the world moves at every tick");
}

#[test]
fn a_recording_of_a_lost_device_is_complete_readable_and_replayable() {
    let path = file("lost.mcap");
    let mut device = Faulty::new(device(), Mishap::Lost, 801);
    let (last, ending) = record(&mut device, &path);
    assert!(matches!(ending, Some(Ending::Device(_))));
    let table = read_mcap(&path).unwrap();
    assert_eq!(table.len(), 801);
    let end = |name: &str| table.column(name).unwrap()[800];
    assert_eq!(end("safety.state"), 6.0);
    let lost = Fault::ALL.iter().position(|f| *f == Fault::DeviceLost).unwrap();
    assert_eq!(end("safety.fault"), lost as f64);
    assert_eq!([end("command.fx"), end("command.fy"), end("safety.enabled")], [0.0; 3]);
    assert_eq!(replay(&path).last(), Some(&last));
}

#[test]
fn a_recording_dropped_in_the_middle_is_complete_up_to_there() {
    let path = file("dropped.mcap");
    let (servo, mut handle) = Servo::new(direct(), safety(), VirtualClock::new());
    let (mut servo, mut device) = (servo.recording(), device());
    let mut recorder = Recorder::new(McapSink::create(&path).unwrap(), SETUP).unwrap();
    for _ in 0..300 {
        servo.wait(Pace::Ours);
        servo.tick(&mut device);
    }
    handle.rows().for_each(|row| recorder.write(&row).unwrap());
    assert_eq!(recorder.rows(), 300);
    drop(recorder);
    assert_eq!(replay(&path).len(), 300);
}

#[test]
fn the_columns_fit_the_rows_and_tell_what_was_sent() {
    let (servo, mut handle) = Servo::new(direct(), safety(), VirtualClock::new());
    let (mut servo, mut device) = (servo.recording(), device());
    let mut table = Table::default();
    let mut recorder = Recorder::new(&mut table, SETUP).unwrap();
    let mut last = None;
    for _ in 0..200 {
        servo.wait(Pace::Ours);
        servo.tick(&mut device);
        for row in handle.rows() {
            recorder.write(&row).unwrap();
            last = Some(row);
        }
    }
    drop(recorder);
    let row = last.unwrap();
    assert_eq!(table.columns(), columns());
    let end = |name: &str| *table.column(name).unwrap().last().unwrap();
    assert_eq!([end("command.fx"), end("wish.fy")], [row.command.force().x, row.wish.force.y]);
    assert_eq!([end("hand.z"), end("tick.number")], [row.sample.position.z, 200.0]);
    assert_eq!((row.state, end("safety.state"), end("safety.fault")), (State::Active, 2.0, -1.0));
    assert_eq!([end("energy.kinetic"), end("energy.given")], [row.books.stored.kinetic, row.given]);
    assert!(end("hand.vx").is_nan(), "this device tells no velocity");
    // and the hand of a recording can hold another device
    let script = Script::recorded(&table).unwrap();
    let place = script.at(row.time.as_secs_f64());
    assert!((place[0] - row.sample.position.x).abs() < 1e-12);
    assert!((place[4] - row.sample.rotation.scaled_axis().y).abs() < 1e-12);
}

#[test]
fn what_is_no_recording_of_a_hand_is_refused_in_words() {
    let missing = Replay::load(file("no such file.mcap")).unwrap_err().to_string();
    assert!(missing.contains("no such file.mcap"), "{missing}");
    let mut table = Table::new(&[palpable_record::Column::new("ball.x", "m", "ball")]);
    table.push(0.0, &[1.0]).unwrap();
    let other = Replay::of_table(&table, "other.mcap".as_ref()).unwrap_err().to_string();
    assert!(other.contains("other.mcap") && other.contains("palpable run"), "{other}");
    let empty = Table::new(&columns());
    let empty = Replay::of_table(&empty, "empty.mcap".as_ref()).unwrap_err().to_string();
    assert!(empty.contains("no ticks"), "{empty}");
}
