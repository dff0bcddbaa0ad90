//! Ways out of a broken bound: each knob turned alone until everything holds.

use crate::device::Device;
use crate::explain::{Knob, WayOut, all_hold};
use crate::mass::CoupledMass;
use crate::midpoint::MidpointCoupling;
use crate::rendering::Rendering;

/// How far a knob is turned before it is given up.
const REACH: f64 = 1e4;
const HALVINGS: usize = 30;

/// A device and a rendering with one knob moved.
type Trial = Option<(Device, Rendering)>;

/// A knob, its present value, the factor that turns it all the way, and the sentence for it.
struct Candidate<'a> {
    knob: Knob,
    from: f64,
    limit: f64,
    moved: Box<dyn Fn(f64) -> Trial + 'a>,
    text: &'static str,
}

/// Every single change that makes all bounds hold, smallest relative change first.
pub(crate) fn ways_out(device: &Device, rendering: &Rendering) -> Vec<WayOut> {
    let mut ways: Vec<WayOut> = candidates(device, rendering).iter().filter_map(turn).collect();
    if let Some(way) = send_the_end_of_the_step(device, rendering) {
        ways.push(way);
    }
    let effort =
        |w: &WayOut| if w.from > 0.0 && w.to > 0.0 { (w.to / w.from).ln().abs() } else { 0.0 };
    ways.sort_by(|a, b| effort(a).total_cmp(&effort(b)));
    ways
}

fn candidates<'a>(device: &'a Device, rendering: &'a Rendering) -> Vec<Candidate<'a>> {
    let mut list = virtual_knobs(device, rendering);
    list.extend(loop_knobs(device, rendering));
    list.extend(hardware_knobs(device, rendering));
    list
}

fn virtual_knobs<'a>(device: &'a Device, rendering: &'a Rendering) -> Vec<Candidate<'a>> {
    let (k, b) = (rendering.stiffness(), rendering.damping());
    let same = move |r: Rendering| -> Trial { Some((device.clone(), r)) };
    let midpoint = matches!(rendering, Rendering::Midpoint(_));
    let mut list = vec![
        Candidate {
            knob: Knob::Stiffness,
            from: k,
            limit: 1.0 / REACH,
            // a midpoint world keeps its damping; elsewhere the ratio B/(KT) is kept
            moved: Box::new(move |s| {
                rendering.with(k * s, if midpoint { b } else { b * s }).ok().and_then(same)
            }),
            text: "lower the stiffness [N/m], and a wall's damping in proportion",
        },
        Candidate {
            knob: Knob::Damping,
            from: b,
            limit: if midpoint { REACH } else { 1.0 / REACH },
            moved: Box::new(move |s| rendering.with(k, b * s).ok().and_then(same)),
            text: "change the virtual damping [N·s/m]",
        },
    ];
    if let Rendering::Mass(mass) = *rendering {
        list.push(Candidate {
            knob: Knob::Mass,
            from: mass.mass,
            limit: REACH,
            moved: Box::new(move |s| {
                same(Rendering::Mass(CoupledMass { mass: mass.mass * s, ..mass }))
            }),
            text: "raise the virtual mass [kg], or use the midpoint coupling, which has no minimum",
        });
    }
    list
}

fn loop_knobs<'a>(device: &'a Device, rendering: &'a Rendering) -> Vec<Candidate<'a>> {
    let with = move |rate: f64, delay: f64| -> Trial {
        Some((Device { rate, delay, ..device.clone() }, *rendering))
    };
    let (rate, delay) = (device.rate, device.delay);
    let mut list = vec![Candidate {
        knob: Knob::Rate,
        from: rate,
        limit: REACH,
        moved: Box::new(move |s| with(rate * s, delay)),
        text: "raise the update rate [Hz]",
    }];
    if delay > 0.0 {
        list.push(Candidate {
            knob: Knob::RateAndDelay,
            from: rate,
            limit: REACH,
            moved: Box::new(move |s| with(rate * s, delay / s)),
            text: "raise the update rate [Hz] and shorten the delay with it",
        });
        list.push(Candidate {
            knob: Knob::Delay,
            from: delay,
            limit: 1.0 / REACH,
            moved: Box::new(move |s| with(rate, delay * s)),
            text: "send the force sooner after the sample, delay [s]",
        });
    }
    list
}

fn hardware_knobs<'a>(device: &'a Device, rendering: &'a Rendering) -> Vec<Candidate<'a>> {
    let with = move |d: Device| -> Trial { Some((d, *rendering)) };
    vec![
        Candidate {
            knob: Knob::DeviceDamping,
            from: device.damping,
            limit: REACH,
            moved: Box::new(move |s| {
                with(Device { damping: device.damping * s, ..device.clone() })
            }),
            text: "add physical damping to the device [N·s/m], e.g. an eddy-current brake",
        },
        Candidate {
            knob: Knob::Friction,
            from: device.coulomb_friction,
            limit: REACH,
            moved: Box::new(move |s| {
                let coulomb_friction = device.coulomb_friction * s;
                with(Device { coulomb_friction, ..device.clone() })
            }),
            text: "let the device have more Coulomb friction [N]",
        },
        Candidate {
            knob: Knob::EncoderStep,
            from: device.encoder_step,
            limit: 1.0 / REACH,
            moved: Box::new(move |s| {
                with(Device { encoder_step: device.encoder_step * s, ..device.clone() })
            }),
            text: "use a finer encoder [m per step]",
        },
    ]
}

/// The least turn of one knob at which all bounds hold; `None` if turning it all the way fails.
fn turn(candidate: &Candidate) -> Option<WayOut> {
    if candidate.from == 0.0 {
        return None;
    }
    let holds = |s: f64| (candidate.moved)(s).is_some_and(|(d, r)| all_hold(&d, &r));
    // bounds need not be monotone in a knob: take the first decade that holds
    let decade = candidate.limit.powf(1.0 / 16.0);
    let (mut bad, mut good) = (1.0, decade);
    while !holds(good) {
        bad = good;
        good *= decade;
        if (good.ln() / candidate.limit.ln()) > 1.0 + 1e-9 {
            return None;
        }
    }
    for _ in 0..HALVINGS {
        let middle = (bad * good).sqrt();
        if holds(middle) { good = middle } else { bad = middle }
    }
    let to = candidate.from * good;
    let text = format!("{}: from {:.6} to {to:.6}", candidate.text, candidate.from);
    Some(WayOut { knob: candidate.knob, from: candidate.from, to, text })
}

fn send_the_end_of_the_step(device: &Device, rendering: &Rendering) -> Option<WayOut> {
    let Rendering::Midpoint(coupling) = rendering else { return None };
    let end = MidpointCoupling::new(coupling.stiffness(), coupling.virtual_damping(), 1.0).ok()?;
    if coupling.gamma() == 1.0 || !all_hold(device, &Rendering::Midpoint(end)) {
        return None;
    }
    let text = format!("send the end-of-step position: gamma from {} to 1", coupling.gamma());
    Some(WayOut { knob: Knob::Gamma, from: coupling.gamma(), to: 1.0, text })
}
