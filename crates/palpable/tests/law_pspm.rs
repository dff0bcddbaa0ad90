//! Passive set-position modulation: what leaves the device never exceeds what was put in, whatever
//! the link loses or delays; and the passivity observer.

mod common;

use common::Random;
use palpable::coupling::*;
use palpable::{Body, Dissipation, Model, Options, Port, PortId, TankPolicy, Vec3, World};
use std::collections::VecDeque;

fn at(x: f64) -> Handle {
    Handle::at([x, 0.0, 0.0])
}

#[test]
fn the_numbers_of_the_set_position_oracle() {
    // k1 = 500, b1 = 10, T = 2 ms, E0 = 1 mJ, device loop continuous as in the source
    let settings = PspmSettings {
        grant: 1e-3,
        ceiling: 1.0,
        continuous: true,
        ..PspmSettings::point(500.0, 10.0)
    };
    let mut side = DeviceSide::new(settings).unwrap();
    let packet = |sequence, x| Packet { sequence, handle: at(x), energy: 0.0 };
    side.receive(&packet(1, 0.0));
    side.sample(&at(0.0), 2e-3);
    let rows = [
        (0.001, 0.002, 0.002, 6e-3),
        (0.003, 0.02, 0.013_246_950_766, 0.0),
        (0.004, -0.03, -0.006_271_616_157, 0.0),
        (0.004, -0.03, -0.006_271_616_157, 0.0),
    ];
    for (i, (q, x, used, energy)) in rows.into_iter().enumerate() {
        side.receive(&packet(2 + i as u64, x));
        let felt = side.sample(&at(q), 2e-3);
        let set = side.set_position().unwrap().position.x;
        // the oracle has twelve places
        assert!((set - used).abs() < 1e-12, "{i}: {set} {used}");
        assert!((side.reserve() - energy).abs() < 1e-12, "{i}: {}", side.reserve());
        assert!((felt.force.x - 500.0 * (set - q)).abs() < 1e-12);
    }
}

/// A link of 200 ms delay that loses 30 % of its packets.
struct Link {
    queue: VecDeque<(f64, Packet)>,
    next: f64,
}

impl Link {
    const DELAY: f64 = 0.2;

    fn new() -> Self {
        Self { queue: VecDeque::new(), next: 0.0 }
    }

    /// Sends at random 0.5 to 30 ms.
    fn offer(&mut self, now: f64, r: &mut Random, packet: impl FnOnce() -> Option<Packet>) {
        if now < self.next {
            return;
        }
        self.next = now + r.between(0.5e-3, 30e-3);
        if let (Some(packet), false) = (packet(), r.unit() < 0.3) {
            self.queue.push_back((now + Self::DELAY, packet));
        }
    }

    fn deliver(&mut self, now: f64) -> Option<Packet> {
        let due = self.queue.front().is_some_and(|(time, _)| *time <= now);
        if due { self.queue.pop_front().map(|(_, packet)| packet) } else { None }
    }
}

/// A hand that does what it likes: yields to the force, drifts, shakes at the sample rate, jumps.
fn wander(r: &mut Random, q: &mut Vec3, force: &Vec3, tick: u64) {
    match (tick / 1000) % 5 {
        0 => *q += force * 1e-4,
        4 => *q += r.vector(2e-4),
        1 => *q += Vec3::new(if tick.is_multiple_of(2) { 2e-3 } else { -2e-3 }, 0.0, 0.0),
        2 => *q = Vec3::new((tick as f64 * 0.01).sin(), 0.0, 0.0) * 0.05,
        _ if r.below(50) == 0 => *q = r.vector(0.1),
        _ => *q += r.vector(1e-5),
    }
}

/// Largest `Σ F·Δq − Σ b|Δq|²/T − received` over `steps` samples of a device whose far end jumps
/// about at random; `periods` are those of the servo.
fn extracted(settings: PspmSettings, steps: u64, periods: [f64; 2], seed: u64) -> f64 {
    let mut side = DeviceSide::new(settings).unwrap();
    let (mut r, mut link) = (Random(seed), Link::new());
    let (mut q, mut last, mut held, mut now) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros(), 0.0);
    let (mut got, mut worst, mut size) = (0.0, f64::MIN, 0.0);
    for tick in 0..steps {
        let period = r.between(periods[0], periods[1]);
        now += period;
        wander(&mut r, &mut q, &held, tick);
        // where an unknown world says its proxy is
        let proxy = r.vector(0.05);
        link.offer(now, &mut r, || {
            Some(Packet { sequence: tick, handle: Handle::at(proxy), energy: 0.0 })
        });
        if let Some(packet) = link.deliver(now) {
            side.receive(&packet);
        }
        let moved = q - last;
        last = q;
        got += held.dot(&moved) - settings.damping * moved.norm_squared() / period;
        size += (held.dot(&moved)).abs();
        worst = f64::max(worst, got);
        held = side.sample(&Handle::at(q), period).force;
        assert!(side.reserve() >= 0.0, "reservoir {}", side.reserve());
        // rounding of what went through
        assert!(side.debt() <= 1e-15 * (1.0 + size), "{} of {size}", side.debt());
    }
    assert!(size > 1.0, "something happened: {size} J");
    worst
}

#[test]
fn a_million_samples_with_loss_and_delay_extract_no_more_than_was_granted() {
    // servo at 1 kHz, b = kT/2; then servo periods of 0.5 to 30 ms, b = k T_max/2
    let fixed = PspmSettings { grant: 2e-3, ..PspmSettings::point(1000.0, 0.5) };
    let worst = extracted(fixed, 1_000_000, [1e-3, 1e-3], 3);
    assert!(worst <= 2e-3 + 1e-9 && worst > 1e-4, "{worst}");
    let varying = PspmSettings { grant: 2e-3, ..PspmSettings::point(1000.0, 15.0) };
    let worst = extracted(varying, 200_000, [0.5e-3, 30e-3], 4);
    assert!(worst <= 2e-3 + 1e-9, "{worst}");
    // with a reservoir that never empties the same jumps feed the hand
    let free = PspmSettings { grant: 1e6, ceiling: 1e6, ..fixed };
    assert!(extracted(free, 100_000, [1e-3, 1e-3], 3) > 1.0);
}

/// A 1 g tool between two springs of the world, on the world's side of the link.
fn world(settings: &PspmSettings) -> (World, PortId) {
    let mut model = Model::builder();
    let tool = model.body(Body::sphere("tool", 0.01).mass(1e-3));
    let (k, b) = (settings.port_stiffness(), settings.port_damping());
    let hand = model.port(Port::reference("hand", tool.at([0.0; 3]), k, b));
    let tank = TankPolicy { dissipation: Dissipation::Drop, ..Default::default() };
    let options = Options { tank, ..Default::default() };
    (World::with_options(model.build().unwrap(), options).expect("options that fit"), hand)
}

#[test]
fn both_sides_together_never_make_energy_over_a_bad_link() {
    let ceiling = 0.01;
    let device = PspmSettings { ceiling, ..PspmSettings::point(500.0, 0.25) };
    let virtual_side = PspmSettings { ceiling, ..PspmSettings::point(5000.0, 10.0) };
    let mut sides = (DeviceSide::new(device).unwrap(), WorldSide::new(virtual_side).unwrap());
    let (mut w, port) = world(&virtual_side);
    let mut inputs = w.inputs();
    let (mut r, mut up, mut down) = (Random(8), Link::new(), Link::new());
    let (mut q, mut last, mut held) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
    let (mut paid, mut next_step, mut worst, mut far) = (0.0, 0.0, f64::MIN, 0.0_f64);
    for tick in 0..60_000u64 {
        let now = tick as f64 * 1e-3;
        wander(&mut r, &mut q, &held, tick);
        while let Some(packet) = down.deliver(now) {
            sides.0.receive(&packet);
        }
        let moved = q - last;
        last = q;
        paid += device.damping * moved.norm_squared() / 1e-3 - held.dot(&moved);
        held = sides.0.sample(&Handle::at(q), 1e-3).force;
        up.offer(now, &mut r, || sides.0.send());
        while let Some(packet) = up.deliver(now) {
            sides.1.receive(&packet);
        }
        if now >= next_step {
            let h = r.between(0.5e-3, 10e-3);
            next_step = now + h;
            inputs.set(port, sides.1.reference());
            let _ = w.step(h, &inputs);
            sides.1.after_step(&w.port(port), h);
            down.offer(now, &mut r, || sides.1.send());
        }
        let e = w.energy();
        worst = f64::max(worst, e.kinetic + e.elastic - paid);
        far = far.max(w.port(port).position.norm());
        assert!(sides.0.reserve() >= 0.0 && sides.1.reserve() >= 0.0);
        assert!(sides.0.debt() < 1e-12 && sides.1.debt() < 1e-9, "{}", sides.1.debt());
    }
    // all there ever was: the two grants and what hand and damping paid
    assert!(worst <= device.grant + virtual_side.grant + 1e-9, "{worst}");
    assert!(far > 0.01, "the tool followed the hand: {far} m");
}

#[test]
fn with_energy_to_spare_the_modulation_is_a_plain_coupling() {
    let settings = PspmSettings { grant: 1e3, ceiling: 1e3, ..PspmSettings::point(800.0, 0.4) };
    let mut side = DeviceSide::new(settings).unwrap();
    let mut r = Random(2);
    for tick in 0..1000u64 {
        let (q, x) = (r.vector(0.05), r.vector(0.05));
        side.receive(&Packet { sequence: tick, handle: Handle::at(x), energy: 0.0 });
        let felt = side.sample(&Handle::at(q), 1e-3);
        assert!((felt.force - (x - q) * 800.0).norm() < 1e-12 * 800.0);
    }
}

#[test]
fn energy_above_the_ceiling_goes_to_the_other_side_and_late_packets_bring_only_energy() {
    let settings = PspmSettings { ceiling: 0.02, ..PspmSettings::point(1000.0, 50.0) };
    let mut side = DeviceSide::new(settings).unwrap();
    // shaking against much damping earns energy
    for i in 0..100 {
        side.sample(&at(if i % 2 == 0 { 1e-3 } else { 0.0 }), 1e-3);
    }
    assert!((side.reserve() - 0.02).abs() < 1e-15);
    let sent = side.send().unwrap().energy;
    // 99 moves of 1 mm: b Δq²/T − ½kΔq² each, 10 mJ of them to fill up
    let earned = 99.0 * (50.0 * 1e-6 / 1e-3) - side.to_hand();
    assert!((sent - (earned - 0.01)).abs() < 1e-2 * earned, "{sent} {earned}");
    assert_eq!(side.send().unwrap().energy, 0.0);
    let mut other = DeviceSide::new(PspmSettings { ceiling: 1.0, ..settings }).unwrap();
    other.receive(&Packet { sequence: 9, handle: at(0.001), energy: 0.1 });
    other.receive(&Packet { sequence: 3, handle: at(0.5), energy: 0.2 });
    other.receive(&Packet { sequence: 10, handle: at(f64::NAN), energy: f64::NAN });
    other.sample(&at(0.0), 1e-3);
    assert_eq!(other.set_position().unwrap(), at(0.001));
    assert!((other.received() - 0.3).abs() < 1e-15);
}

#[test]
fn bad_samples_give_zero_force_and_are_not_credited_twice() {
    let mut side = DeviceSide::new(PspmSettings::point(1000.0, 0.5)).unwrap();
    side.receive(&Packet { sequence: 1, handle: at(0.001), energy: 0.0 });
    side.sample(&at(0.0), 1e-3);
    for (hand, elapsed, fault) in [
        (at(f64::NAN), 1e-3, InputFault::Sample),
        (at(f64::INFINITY), 1e-3, InputFault::Sample),
        (at(0.0), f64::NAN, InputFault::Period),
        (at(0.0), 0.0, InputFault::Period),
    ] {
        let felt = side.sample(&hand, elapsed);
        assert_eq!((felt.fault, felt.force), (Some(fault), Vec3::zeros()));
    }
    // an unseen way under 1 N for 1 ms may have taken F²T/4b, and its damping is not counted
    let mut side = DeviceSide::new(PspmSettings::point(1000.0, 0.5)).unwrap();
    side.receive(&Packet { sequence: 1, handle: at(0.001), energy: 0.0 });
    side.sample(&at(0.0), 1e-3);
    let before = side.reserve();
    side.sample(&at(f64::NAN), 1e-3);
    assert!((before - side.reserve() - 1e-3 / (4.0 * 0.5)).abs() < 1e-15);
    side.sample(&at(0.0), 1e-3);
    assert_eq!(side.damped(), 0.0);
}

#[test]
fn the_numbers_of_the_passivity_observer() {
    // forces of the hand as in the source; ours are those on the hand
    let force = [0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 0.5];
    let velocity = [0.0, 0.1, 0.1, -0.05, -0.2, -0.1, 0.05];
    let added = [0.0, 0.0, 0.0, 0.0, 6.25, 10.0, 0.0];
    let out = [0.0, 1.0, 2.0, 3.0, 0.75, 0.0, 0.5];
    let energy = [0.0, 1e-4, 3e-4, 1.5e-4, 0.0, 0.0, 2.5e-5];
    let mut observer = PassivityObserver::default();
    for i in 0..7 {
        let v = Vec3::new(velocity[i], 0.0, 0.0);
        let seen = observer.step(Vec3::new(-force[i], 0.0, 0.0), v, 1e-3);
        assert!((seen.added_damping - added[i]).abs() < 1e-12, "{i}: {seen:?}");
        assert!((seen.force.x + out[i]).abs() < 1e-12, "{i}: {seen:?}");
        assert!((seen.energy - energy[i]).abs() < 1e-12, "{i}: {seen:?}");
    }
}

#[test]
fn a_held_force_is_counted_by_the_way_it_pushed() {
    // an active source: it pushes the hand whichever way it goes
    let (mut observer, mut r, mut held) = (PassivityObserver::default(), Random(4), Vec3::zeros());
    let (mut got, mut unguarded) = (0.0, 0.0);
    let (mut q, mut v) = (Vec3::zeros(), Vec3::new(0.1, 0.0, 0.0));
    for _ in 0..2000 {
        let moved = v * 1e-3;
        q += moved;
        got += held.dot(&moved);
        assert!((observer.energy() + got - held.dot(&moved)).abs() < 1e-9);
        let source = v * 3.0;
        unguarded += source.dot(&moved);
        held = observer.step_held(source, moved, 1e-3).force;
        // a hand of 100 g that feels the force
        v += (held + r.vector(0.1)) * (1e-3 / 0.1);
    }
    assert!(unguarded > 1e-3 && got < 0.1 * unguarded, "{got} of {unguarded}");
    for bad in [f64::NAN, f64::INFINITY] {
        let seen = observer.step(Vec3::new(bad, 0.0, 0.0), v, 1e-3);
        assert_eq!((seen.force, seen.fault), (Vec3::zeros(), Some(InputFault::Sample)));
        let seen = observer.step_held(v, v, bad);
        assert_eq!((seen.force, seen.fault), (Vec3::zeros(), Some(InputFault::Period)));
    }
    assert!(observer.energy().is_finite());
}
