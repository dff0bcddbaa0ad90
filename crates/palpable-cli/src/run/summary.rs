//! A run in words and numbers for people, at 80 columns.

use super::bearing::Bearing;
use super::joints::Joints;
use super::simulate::{Ended, Run};
use crate::files;
use crate::text::{fit, grouped, plural, rounded, seconds, si, si3, wrapped};
use palpable::Stored;

/// Everything about a run.
pub fn text(run: &Run) -> String {
    let mut text = heading(run);
    if run.world.tick() == 0 && matches!(run.ended, Ended::Refused(_)) {
        // no numbers of steps that were not taken
        return text + "  no step was taken\n";
    }
    text.push_str(&speed(run));
    text.push('\n');
    text.push_str(&books(run));
    text.push('\n');
    text.push_str(&places(run));
    text.push_str(&times(run));
    if !run.files.is_empty() {
        text.push('\n');
        text.push_str(&files::text(&run.files));
    }
    text
}

fn heading(run: &Run) -> String {
    let model = run.world.model();
    let ports = model.ports();
    // a reference port brings an element of its own
    let couplings = ports.iter().filter(|port| port.element.is_some()).count();
    let mut text = wrapped(&run.built.name, 0);
    if !run.built.description.is_empty() {
        text.push_str(&wrapped(&run.built.description, 2));
    }
    let parts = [
        (model.bodies().len(), "body", "bodies"),
        (model.elements().len() - couplings, "spring or damper", "springs and dampers"),
        (ports.len(), "port", "ports"),
    ];
    let parts = parts.iter().filter(|part| part.0 > 0);
    let mut parts: Vec<String> = parts.map(|(n, one, many)| plural(*n, one, many)).collect();
    parts.push(run.built.options.scheme.name().to_owned());
    let law = run.built.options.contact_law;
    if let Some(sides) = law.sides() {
        parts.push(format!("contact law {} of {sides} sides", law.name()));
    }
    text.push_str(&wrapped(&parts.join(", "), 2));
    text.push('\n');
    text
}

/// Steps, simulated time and how fast it went.
pub fn speed(run: &Run) -> String {
    let (simulated, wall) = (run.world.time(), run.wall.as_secs_f64());
    let steps = plural(run.world.tick() as usize, "step", "steps");
    let times = rounded(simulated / wall.max(1e-9));
    let mut text = format!(
        "  {steps}, {} simulated in {} ({times} x real time)\n",
        seconds(simulated),
        si3(wall, "s"),
    );
    match run.ended {
        Ended::Finished => {}
        Ended::Interrupted => {
            text.push_str(&format!("  interrupted before {}\n", seconds(run.built.duration)));
        }
        Ended::Refused(_) => text.push_str("  stopped: the next step was refused\n"),
    }
    text
}

/// Energies by account, what crossed the boundary, and what the audit says.
pub fn books(run: &Run) -> String {
    let ledger = run.world.ledger();
    let (from, to, flows) = (ledger.initial(), ledger.now(), ledger.totals());
    let mut text = row("stored energy", "at the start", "at the end");
    let names = ["kinetic", "elastic", "layers", "gravity", "tank", "total"];
    // what is below the rounding of the largest account is none
    let scale = [values(&from), values(&to)].concat().iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let scale = scale.max(flows.supplied.abs()).max(flows.lost().abs());
    let sound = |value: f64| if value.abs() < 1e-12 * scale { 0.0 } else { value };
    let rows = names.into_iter().zip(values(&from).map(sound)).zip(values(&to).map(sound));
    // accounts that never held anything say nothing
    for ((name, first), last) in rows.filter(|((_, first), last)| *first != 0.0 || *last != 0.0) {
        text.push_str(&row(&format!("  {name}"), &si(first, "J"), &si(last, "J")));
    }
    let losses = [
        ("supplied by ports", flows.supplied),
        ("lost to damping", flows.damped),
        ("lost to friction", flows.friction),
        ("lost in impacts", flows.impact),
        ("discarded", flows.discarded),
        ("created by contact", flows.created),
    ];
    let losses = losses.map(|(name, value)| (name, sound(value)));
    for (name, value) in losses.into_iter().filter(|(_, value)| *value != 0.0) {
        text.push_str(&row(name, "", &si(value, "J")));
    }
    text.push('\n');
    text.push_str(&audit(run));
    text
}

fn values(stored: &Stored) -> [f64; 6] {
    [stored.kinetic, stored.elastic, stored.contact, stored.gravity, stored.tank, stored.total()]
}

fn row(name: &str, first: &str, second: &str) -> String {
    format!("  {}{first:>16}{second:>16}\n", fit(name, 22))
}

fn audit(run: &Run) -> String {
    let audit = run.world.audit();
    let words = audit.to_string();
    let mut text: String = words.lines().map(|line| wrapped(line, 2)).collect();
    let defect = audit.max_defect;
    if defect > 0.0 {
        let worst = format!("Largest defect of a step: {defect:.1e} of the energy in play.");
        text.push_str(&wrapped(&worst, 2));
    }
    if run.divided > 0 {
        let count = grouped(run.divided);
        text.push_str(&wrapped(&format!("{count} steps were divided to follow the motion."), 2));
    }
    if run.left_out > 0 {
        let points = plural(run.left_out as usize, "contact", "contacts");
        let words = format!(
            "Up to {points} in a step found no room, so bodies may have sunk: write a larger \
             `capacity` under [contact]."
        );
        text.push_str(&wrapped(&words, 2));
    }
    if run.unsolved > 0 {
        let piles = plural(run.unsolved as usize, "pile was", "piles were");
        let words = format!("{piles} not solved by Lemke's method and held by the cone instead.");
        text.push_str(&wrapped(&words, 2));
    }
    if run.ignored_inputs > 0 {
        let count = grouped(run.ignored_inputs);
        let words = format!("At {count} steps an input was not a finite number and was ignored.");
        text.push_str(&wrapped(&words, 2));
    }
    text
}

/// Bodies and joints listed at most.
const LISTED: usize = 8;

/// The last digit of a place [m] and of an angle [rad] that is shown.
const LAST: f64 = 1e-4;
const LAST_ANGLE: f64 = 0.01 * std::f64::consts::PI / 180.0;
/// Size of an atom [m].
const ATOM: f64 = 1e-10;

/// A rate [1/s], or 0 if it would not change the last digit shown in ten times the time of the run.
fn moving_by(rate: f64, last: f64, run: &Run) -> f64 {
    if 10.0 * rate.abs() * run.world.time() < 0.5 * last { 0.0 } else { rate }
}

/// Where bodies and joints ended, and how hard they touched.
fn places(run: &Run) -> String {
    let world = &run.world;
    let mut text = String::new();
    if run.contacts > 0 {
        text.push_str(&format!(
            "  contacts: {} now, {} at most; deepest overlap {}, strongest force {}\n",
            Bearing::of(world).pushing,
            run.contacts,
            // less than an atom is rounding
            si3(if run.depth < ATOM { 0.0 } else { run.depth }, "m"),
            si3(run.force, "N"),
        ));
    }
    let moving: Vec<_> = world.model().bodies().iter().filter(|b| b.moving.is_some()).collect();
    for body in moving.iter().take(LISTED) {
        let Some(id) = world.body_named(&body.name) else { continue };
        let (p, v) = (world.pose(id).position, world.velocity(id).norm());
        // the zero behind a point has no sign
        let shown = |c: f64| if c.abs() < 0.5 * LAST { 0.0 } else { c };
        let place = p.iter().map(|c| format!("{:>9.4}", shown(*c))).collect::<String>();
        let v = moving_by(v, LAST, run);
        text.push_str(&format!("  {}at{place} m, {}\n", fit(&body.name, 22), si3(v, "m/s")));
    }
    if moving.len() > LISTED {
        let more = moving.len() - LISTED;
        text.push_str(&format!("  and {more} more: --json lists them all\n"));
    }
    for (name, turns, [q, rate]) in
        Joints::of(&run.built, world).read(world).into_iter().take(LISTED)
    {
        let (q, rate) = match turns {
            true => {
                let angle = if q.abs() < 0.5 * LAST_ANGLE { 0.0 } else { q.to_degrees() };
                (format!("{angle:.2} deg"), si3(moving_by(rate, LAST_ANGLE, run), "rad/s"))
            }
            false => {
                let way = if q.abs() < ATOM { 0.0 } else { q };
                (si3(way, "m"), si3(moving_by(rate, LAST, run), "m/s"))
            }
        };
        text.push_str(&format!("  {}joint {q}, {rate}\n", fit(&name, 22)));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn times(run: &Run) -> String {
    let q = run.times.quantiles();
    let at = |microseconds: f64| si3(1e-6 * microseconds, "s");
    format!(
        "  step time: median {}, p99 {}, p99.9 {}, max {}\n",
        at(q.median),
        at(q.p99),
        at(q.p999),
        at(q.max)
    )
}
