//! The columns of a recorded run, and a row of values.

use crate::rt::{Row, STRONGEST};
use crate::safety::{Fault, State};
use palpable::coupling::{ImpulseChannel, Impulses, Rendering};
use palpable::{Counts, Flows, Stored};
use palpable_record::Column;

/// What does not change during a run, and a replay needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setup {
    /// Period of the loop [s].
    pub period: f64,
    /// Stiffness of the coupling that was used [N/m].
    pub stiffness: f64,
    /// Damping of the device itself [N·s/m]; not a number if not known.
    pub damping: f64,
    /// What impulses were sent by, if they were.
    pub impulses: Option<ImpulseSetup>,
}

/// What brings impulses to a device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpulseSetup {
    /// Within which limits, and what becomes of larger ones.
    pub impulses: Impulses,
    /// Fastest change of force [N/s] and torque [N·m/s].
    pub slew: [f64; 2],
}

impl ImpulseSetup {
    /// The channel.
    pub fn channel(&self) -> ImpulseChannel {
        ImpulseChannel::new(self.impulses).with_slew(self.slew[0], self.slew[1])
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];
const STATES: [State; 7] = [
    State::Off,
    State::Ramping,
    State::Active,
    State::Damping,
    State::Fading,
    State::Waiting,
    State::Stopped,
];

/// The columns of a recorded run.
///
/// `hand` is what the device reported, in its own frame; numbers that it did not report are not
/// numbers. `safety.state` counts [`State`] from `Off` = 0, `safety.fault` is a place in
/// [`Fault::ALL`], or -1. `contact0` to `contact3` are the contacts that push most: the numbers of
/// their bodies in the model, place, and force on the second; not numbers where there is none.
/// `budget` is what the step was allowed to cost, not numbers if no deadline is kept; `cut` is what
/// it wanted beyond.
pub fn columns() -> Vec<Column> {
    let mut list = Vec::new();
    let mut add = |owner: &str, parts: &[&str], unit: &str| {
        list.extend(parts.iter().map(|p| Column::new(format!("{owner}.{p}"), unit, owner)));
    };
    add("tick", &["number"], "");
    add("tick", &["step", "lateness"], "s");
    add("hand", &["sequence"], "");
    add("hand", &AXES, "m");
    add("hand", &["qx", "qy", "qz", "qw"], "");
    add("hand", &["vx", "vy", "vz"], "m/s");
    add("hand", &["wx", "wy", "wz"], "rad/s");
    add("hand", &["gripper", "buttons", "held"], "");
    add("hand", &["age"], "s");
    for owner in ["wish", "command"] {
        add(owner, &["fx", "fy", "fz"], "N");
        add(owner, &["tx", "ty", "tz"], "N·m");
        add(owner, &["gripper"], "");
    }
    add("safety", &["state", "fault", "enabled"], "");
    add("energy", &["given"], "J");
    add("energy", &Stored::NAMES, "J");
    add("energy", &Flows::NAMES, "J");
    add("energy", &["defect"], "");
    add("world", &["time"], "s");
    add("world", &["hash_high", "hash_low"], "");
    for owner in ["budget", "cut"] {
        add(owner, &["visits", "pairs", "passes"], "");
    }
    add("contacts", &["count"], "");
    add("contacts", &["depth"], "m");
    for k in 0..STRONGEST {
        let owner = format!("contact{k}");
        add(&owner, &["a", "b"], "");
        add(&owner, &AXES, "m");
        add(&owner, &["fx", "fy", "fz"], "N");
    }
    add("setup", &["period"], "s");
    add("setup", &["stiffness"], "N/m");
    add("setup", &["damping"], "N·s/m");
    add("setup", &["impulses"], "");
    add("setup", &["impulse_force"], "N");
    add("setup", &["impulse_torque"], "N·m");
    add("setup", &["force_slew"], "N/s");
    add("setup", &["torque_slew"], "N·m/s");
    list
}

/// Appends the values of a row, in the order of [`columns`].
pub(super) fn fill(values: &mut Vec<f64>, row: &Row, setup: &Setup) {
    let (s, c, b) = (&row.sample, &row.command, &row.books);
    let none = f64::NAN;
    values.extend([row.tick as f64, row.step.as_secs_f64(), row.lateness.as_secs_f64()]);
    values.push(s.sequence as f64);
    values.extend(s.position.iter().chain(s.rotation.coords.iter()));
    for v in [s.velocity, s.angular_velocity] {
        values.extend(v.map_or([none; 3], Into::into));
    }
    let held = s.held.map_or(none, f64::from);
    values.extend([s.gripper.unwrap_or(none), f64::from(s.buttons.0), held]);
    values.push(s.age.as_secs_f64());
    values.extend(row.wish.force.iter().chain(row.wish.torque.iter()));
    values.push(row.wish.gripper);
    values.extend(c.force().iter().chain(c.torque().iter()));
    values.push(c.gripper());
    let state = STATES.iter().position(|state| *state == row.state);
    let fault = row.fault.and_then(|fault| Fault::ALL.iter().position(|f| *f == fault));
    let index = |place: Option<usize>| place.map_or(-1.0, |i| i as f64);
    values.extend([index(state), index(fault), f64::from(c.enabled()), row.given]);
    values.extend(b.stored.values());
    values.extend(b.flows.values());
    values.extend([b.defect, b.time, (b.hash >> 32) as f64, (b.hash & 0xffff_ffff) as f64]);
    let counts = |c: &Counts| [c.visits as f64, c.pairs as f64, c.passes as f64];
    values.extend(b.budget.as_ref().map_or([none; 3], counts));
    values.extend(counts(&b.cut));
    values.extend([b.contacts.count as f64, b.contacts.depth]);
    for contact in &b.contacts.strongest {
        let Some(c) = contact else {
            values.extend([none; 8]);
            continue;
        };
        values.extend(c.bodies.map(|body| body as f64));
        values.extend(c.point.iter().chain(c.force.iter()));
    }
    values.extend([setup.period, setup.stiffness, setup.damping]);
    let sent = setup.impulses.map(|sent| {
        let kind = Rendering::ALL.iter().position(|r| *r == sent.impulses.rendering);
        let Impulses { force, torque, .. } = sent.impulses;
        [index(kind), force, torque, sent.slew[0], sent.slew[1]]
    });
    values.extend(sent.unwrap_or([none; 5]));
}
