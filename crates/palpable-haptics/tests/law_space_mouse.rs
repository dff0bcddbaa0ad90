//! SpaceMouse through a fake daemon: deflections are velocities, flown into a handle; no force.
#![cfg(unix)]

mod fakes;

use std::time::Duration;

use fakes::spacenavd::FakeSpacenavd;
use fakes::until;
use palpable::Vec3;
use palpable_haptics::drivers::Flown;
use palpable_haptics::drivers::space_mouse::{SpaceMouse, SpaceMouseSettings};
use palpable_haptics::rt::{SystemClock, VirtualClock};
use palpable_haptics::{Command, Device, DeviceError, Limits, Motion, Safety};

fn opened(fake: &mut FakeSpacenavd) -> SpaceMouse {
    let socket = fake.socket().to_owned();
    let mouse = SpaceMouse::open(SpaceMouseSettings { socket, ..Default::default() }).unwrap();
    fake.accept();
    mouse
}

#[test]
fn a_deflection_is_a_velocity_in_our_axes_and_buttons_are_bits() {
    let mut fake = FakeSpacenavd::start();
    let mut mouse = opened(&mut fake);
    assert_eq!(mouse.capabilities().motion, Motion::Twist);
    assert!(!mouse.capabilities().can_push());
    // half right, a fifth up, beyond full away; turning about the same axes
    fake.send([0, 175, 70, 9999, 35, -35, -350, 16]);
    fake.send([1, 0, 0, 0, 0, 0, 0, 0]);
    fake.send([1, 3, 0, 0, 0, 0, 0, 0]);
    // events of other kinds and buttons that do not exist change nothing
    for odd in
        [[3, 1, 2, 3, 4, 5, 6, 7], [-1; 8], [1, 99, 0, 0, 0, 0, 0, 0], [2, -5, 0, 0, 0, 0, 0, 0]]
    {
        fake.send(odd);
    }
    fake.send([2, 0, 0, 0, 0, 0, 0, 0]);
    until("the events", || mouse.read().unwrap().buttons.0 == 0b1000);
    let sample = mouse.read().unwrap();
    let near = |a: Vec3, b: [f64; 3]| (a - Vec3::from(b)).norm() < 1e-15;
    assert!(near(sample.velocity.unwrap(), [0.05, 0.1, 0.02]), "{sample:?}");
    assert!(near(sample.angular_velocity.unwrap(), [0.08, -0.8, -0.08]), "{sample:?}");
    mouse.write(&Command::zero()).unwrap();
    let limits = Limits::for_device(mouse.capabilities());
    assert!(Safety::new(limits).is_ok(), "an input device has sound limits: none");
    mouse.close().unwrap();
    assert!(matches!(mouse.read(), Err(DeviceError::Lost(_))));
}

#[test]
fn events_in_pieces_are_put_together_and_a_daemon_that_ends_is_a_lost_device() {
    let mut fake = FakeSpacenavd::start();
    let mut mouse = opened(&mut fake);
    let bytes: Vec<u8> =
        [0, 350, 0, 0, 0, 0, 0, 16i32].iter().flat_map(|w| w.to_ne_bytes()).collect();
    fake.send_bytes(&bytes[..5]);
    std::thread::sleep(Duration::from_millis(60));
    assert_eq!(mouse.read().unwrap().velocity, Some(Vec3::zeros()), "not yet whole");
    fake.send_bytes(&bytes[5..]);
    until("the event", || mouse.read().unwrap().velocity == Some(Vec3::new(0.1, 0.0, 0.0)));
    fake.hang_up();
    until("the end", || matches!(mouse.read(), Err(DeviceError::Lost(_))));
    assert!(mouse.read().unwrap_err().to_string().contains("spacenavd ended"));
}

#[test]
fn a_flown_handle_goes_as_fast_as_it_is_asked_to_and_stays_in_its_workspace() {
    let mut fake = FakeSpacenavd::start();
    let mouse = opened(&mut fake);
    let clock = VirtualClock::new();
    let mut flown = Flown::new(mouse, clock.clone());
    assert_eq!(flown.capabilities().motion, Motion::Pose);
    fake.send([0, 350, 0, -175, 0, 350, 0, 16]);
    until("the event", || flown.read().unwrap().angular_velocity.unwrap().z > 0.0);
    let start = flown.read().unwrap();
    for _ in 0..500 {
        clock.pass(Duration::from_millis(1));
        flown.read().unwrap();
    }
    let there = flown.read().unwrap();
    // 0.1 m/s to the right and half of it towards the user, 0.8 rad/s about the vertical, for 0.5 s
    let way = there.position - start.position;
    assert!((way - Vec3::new(0.05, -0.025, 0.0)).norm() < 1e-12, "{way}");
    let turn = (there.rotation * start.rotation.inverse()).scaled_axis();
    assert!((turn - Vec3::new(0.0, 0.0, 0.4)).norm() < 1e-9, "{turn}");
    for _ in 0..5000 {
        clock.pass(Duration::from_millis(1));
        flown.read().unwrap();
    }
    let edge = flown.read().unwrap();
    assert_eq!((edge.position.x, edge.position.y), (0.1, -0.1));
    clock.pass(Duration::from_millis(1));
    assert_eq!(flown.read().unwrap().velocity, Some(Vec3::zeros()), "at the edge");
    assert!(edge.sequence > there.sequence, "each reading is new");
    // a machine that slept does not make the handle leap
    fake.send([0, -350, 0, 0, 0, 0, 0, 16]);
    clock.pass(Duration::from_secs(100));
    until("the event", || flown.read().unwrap().angular_velocity.unwrap().z == 0.0);
    clock.pass(Duration::from_secs(100));
    assert!((flown.read().unwrap().position.x - 0.1).abs() <= 0.0101);
}

#[test]
fn what_keeps_it_from_opening_is_told_with_the_cure() {
    let nowhere = SpaceMouseSettings { socket: "/nowhere/spnav.sock".into(), ..Default::default() };
    let error = SpaceMouse::open(nowhere).err().unwrap().to_string();
    assert!(error.contains("spacenavd does not run") && error.contains("systemctl"), "{error}");
    // a socket that a daemon left behind
    let fake = FakeSpacenavd::start();
    let left = fake.socket().with_extension("left");
    let _ = std::fs::remove_file(&left);
    drop(std::os::unix::net::UnixListener::bind(&left).unwrap());
    let stale = SpaceMouseSettings { socket: left.clone(), ..Default::default() };
    let error = SpaceMouse::open(stale).err().unwrap().to_string();
    std::fs::remove_file(left).unwrap();
    assert!(error.contains("spacenavd does not run"), "{error}");
    drop(Flown::new(
        {
            let mut fake = FakeSpacenavd::start();
            opened(&mut fake)
        },
        SystemClock::new(Duration::ZERO),
    ));
}
