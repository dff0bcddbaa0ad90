//! Impulses on the hand: felt when contact begins, never beyond the limits, through the same loop
//! as every device.

use palpable::coupling::{ImpulseChannel, Impulses, Rendering};
use palpable::{Body, Material, Model, Port, Vec3, Vec6, VolumeLaw, World};
use palpable_haptics::rt::Render;
use palpable_haptics::{Direct, Mapping, Sample};
use std::time::Duration;

/// A peg over a layer that begins with impulses, on its way down, held by 2 kN/m.
fn rig(impulses: Option<Impulses>, speed: f64) -> Direct {
    rig_of(impulses, speed, (2e7, 5e4), 2000.0)
}

/// The same over a layer of another modulus and damping, held by `k` [N/m].
fn rig_of(impulses: Option<Impulses>, speed: f64, layer: (f64, f64), k: f64) -> Direct {
    let mut model = Model::builder();
    model.gravity([0.0; 3]).contacts(0);
    model.body(Body::half_space("floor"));
    let layer = VolumeLaw::new(layer.0, layer.1).with_impulses();
    let peg = model.body(
        Body::cuboid("peg", [0.02, 0.02, 0.02])
            .mass(0.2)
            .position([0.0, 0.0, 0.05])
            .velocity([0.0, 0.0, -speed])
            .material(Material::new(0.3, 0.0).soft(layer)),
    );
    let b = 5e-4 * k;
    let stiffness = Vec6::new(k, k, k, 2.0, 2.0, 2.0);
    let damping = Vec6::new(b, b, b, 1e-3, 1e-3, 1e-3);
    let port = model.port(Port::reference("hand", peg.origin(), stiffness, damping));
    let world = World::new(model.build().expect("a peg over a floor"));
    let direct = Direct::new(world, port, Mapping::default());
    match impulses {
        Some(impulses) => direct.with_impulses(ImpulseChannel::new(impulses)),
        None => direct,
    }
}

/// Largest force while the hand goes down at 0.5 m/s and stops inside, and steps with an impulse.
fn strike(direct: &mut Direct) -> (f64, usize) {
    let (mut peak, mut steps) = (0.0f64, 0);
    for k in 0..300 {
        let z = (0.05 - 5e-4 * f64::from(k)).max(0.019);
        let sample = Sample { position: Vec3::new(0.0, 0.0, z), ..Sample::default() };
        let h = Duration::from_millis(1);
        let wish = direct.render(h * k as u32, h, &sample);
        peak = peak.max(wish.wrench.force.norm());
        let body = direct.world().body_named("peg").expect("a peg");
        steps += usize::from(direct.world().contact_impulse(body)[0].norm() > 0.0);
    }
    (peak, steps)
}

#[test]
fn the_hand_feels_the_impulse_within_the_limits() {
    let (plain, _) = strike(&mut rig(None, 0.0));
    for rendering in [Rendering::Spread, Rendering::Scale, Rendering::Saturate] {
        let limits = Impulses { rendering, ..Impulses::new(20.0, 0.5) };
        let (peak, steps) = strike(&mut rig(Some(limits), 0.0));
        println!("{rendering:?}: peak {peak} N, {steps} steps with impulses; without {plain} N");
        assert!(peak <= 20.0 * (1.0 + 1e-12), "{rendering:?}: {peak}");
        assert!(peak > 1.5 * plain, "{rendering:?}: {peak} against {plain}");
        if rendering == Rendering::Spread {
            assert!(steps > 2, "{steps}");
        }
    }
    let (full, steps) = strike(&mut rig(Some(Impulses::new(f64::INFINITY, f64::INFINITY)), 0.0));
    println!("full: {full} N in {steps} steps");
    assert!(full > 50.0);
}

/// A device and a tool of one mass come at one speed; nobody pushes. What a run left.
#[derive(Debug, Clone, Copy)]
struct Thrown {
    /// Impulses that tool and hand got [N·s].
    momentum: [f64; 2],
    /// Energy that impulses took from tool and hand [J].
    taken: [f64; 2],
    /// Largest force on the hand [N], and the fastest change of that of impulses [N/s].
    peak: f64,
    rate: f64,
    /// Least energy of the channel's account [J].
    least: f64,
}

/// A device of mass `m` [kg] at `v` [m/s] towards the floor; its tool of 0.2 kg goes along.
fn throw(direct: Direct, m: f64, v: f64, rate_hz: f64) -> Thrown {
    let (h, mut direct) = (1.0 / rate_hz, direct);
    let body = direct.world().body_named("peg").expect("a peg");
    let (mut z, mut speed) = (0.05, -v);
    let mut left = Thrown { momentum: [0.0; 2], taken: [0.0; 2], peak: 0.0, rate: 0.0, least: 0.0 };
    let mut last = 0.0;
    for k in 0..(0.06 / v * rate_hz) as u32 {
        let before = direct.world().velocity(body).z;
        let sample = Sample { position: Vec3::new(0.0, 0.0, z), ..Sample::default() };
        let h_step = Duration::from_secs_f64(h);
        let force = direct.render(h_step * k, h_step, &sample).wrench.force.z;
        let p = direct.world().contact_impulse(body)[0].z;
        left.momentum[0] += p;
        // an impulse takes `−p (v⁻ + v⁺)/2`
        left.taken[0] -= p * (before + 0.5 * p / 0.2);
        let of_impulse = direct.impulses().expect("a channel").force()[0].z;
        left.momentum[1] += of_impulse * h;
        left.taken[1] -= of_impulse * h * (speed + 0.5 * force / m * h);
        left.peak = left.peak.max(force.abs());
        left.rate = left.rate.max((of_impulse - last).abs() / h);
        left.least = left.least.min(direct.impulses().expect("a channel").energy());
        last = of_impulse;
        // held over the period
        z += h * speed + 0.5 * force / m * h * h;
        speed += force / m * h;
    }
    left
}

#[test]
fn spread_gives_hand_and_tool_one_impulse_and_takes_one_energy() {
    for (v, most, rate) in [(0.3, 20.0, 4000.0), (0.5, 8.0, 4000.0), (0.2, 5.0, 2000.0)] {
        // from faint beside the impulses to one that would stop the tool by itself in a step
        for layer in [(2e4, 10.0), (2e6, 5e3), (2e7, 5e4), (1e9, 1e5)] {
            let channel = ImpulseChannel::new(Impulses::new(most, 0.5));
            // the spring between the two is faint
            let direct = rig_of(None, v, layer, 2.0).with_impulses(channel);
            let thrown = throw(direct, 0.2, v, rate);
            println!("{v} m/s, {most} N, {rate} Hz, {layer:?}: {thrown:?}");
            let [tool, hand] = thrown.momentum;
            assert!(tool > 0.8 * 0.2 * v, "it was struck: {layer:?}");
            // all that the tool got, but for the rounding of the sum
            assert!((hand / tool - 1.0).abs() < 1e-9, "{layer:?}: {tool} N·s and {hand} N·s");
            let [a, b] = thrown.taken;
            // an impulse acts at once, its force over a period: half a period's change of speed
            let late = (most / 0.2) / rate / v;
            assert!((b / a - 1.0).abs() < late, "{layer:?}: {a} J and {b} J, {late}");
            assert!(thrown.peak <= most * (1.0 + 1e-12), "{} N", thrown.peak);
        }
    }
}

#[test]
fn a_device_that_is_slow_to_push_gets_the_same_impulse_later() {
    for slew in [500.0, 2000.0, 1e4] {
        let channel = ImpulseChannel::new(Impulses::new(10.0, 0.5)).with_slew(slew, 50.0);
        let thrown = throw(rig(None, 0.3).with_impulses(channel), 0.2, 0.3, 4000.0);
        println!("{slew} N/s: {thrown:?}");
        let [tool, hand] = thrown.momentum;
        assert!((hand / tool - 1.0).abs() < 0.05, "{tool} N·s and {hand} N·s");
        assert!(thrown.rate <= slew * (1.0 + 1e-9), "{} N/s", thrown.rate);
        assert!(thrown.peak <= 10.0 * (1.0 + 1e-12), "{} N", thrown.peak);
    }
}

#[test]
fn a_hand_lighter_than_its_tool_is_stopped_and_never_thrown_back_with_more() {
    for m in [0.02, 0.05, 0.1, 0.2, 1.0] {
        for rendering in [Rendering::Spread, Rendering::Scale, Rendering::Saturate] {
            for slew in [f64::INFINITY, 4000.0] {
                let limits = Impulses { rendering, ..Impulses::new(20.0, 0.5) };
                let channel = ImpulseChannel::new(limits).with_slew(slew, 100.0);
                let thrown = throw(rig(None, 0.3).with_impulses(channel), m, 0.3, 4000.0);
                println!("{m} kg, {rendering:?}, {slew} N/s: {thrown:?}");
                // within one period a force of 20 N does `F²h²/2m` at most; while it is taken
                // away at its slew, `F²/2 slew` at 1 m/s
                let period = 20.0 * 20.0 / (2.0 * m) / 4000.0 / 4000.0;
                let ending = thrown.peak * thrown.peak / (2.0 * slew);
                assert!(
                    thrown.least >= -2.0 * period - ending,
                    "{m} kg, {rendering:?}: {thrown:?}"
                );
                // and in the end it has gained nothing
                assert!(thrown.taken[1] >= -2.0 * period, "{m} kg, {rendering:?}: {thrown:?}");
            }
        }
    }
}
