//! A run with a device in words and numbers for people, at 80 columns.

use super::drive::{Finished, faults};
use crate::files;
use crate::text::{grouped, hanging, plural, rounded, seconds, si, si3, wrapped};
use palpable::coupling::Rendering;
use palpable_haptics::Ending;
use palpable_haptics::rt::Quantiles;

/// Everything about a run, hand by hand.
pub fn text(hands: &[Finished]) -> String {
    let Some(first) = hands.first() else { return String::new() };
    let mut text = wrapped(&first.scene[0], 0);
    if !first.scene[1].is_empty() {
        text.push_str(&wrapped(&first.scene[1], 2));
    }
    for run in hands {
        text.push_str(&heading(run));
        text.push_str(&times(run));
        text.push('\n');
        text.push_str(&hand(run));
        text.push('\n');
    }
    text.push_str(&world(first));
    for note in hands.iter().flat_map(|run| &run.notes) {
        text.push_str(&hanging(&format!("note: {note}"), 2, 2));
    }
    let written: Vec<_> = hands.iter().flat_map(|run| run.files.clone()).collect();
    if !written.is_empty() {
        text.push('\n');
        text.push_str(&files::text(&written));
    }
    text
}

fn heading(run: &Finished) -> String {
    let mut text = String::new();
    let world = match run.world_rate {
        Some(rate) => format!("world on its own thread at {}", si3(rate, "Hz")),
        None => "world in the loop".to_owned(),
    };
    let how = if run.privileges.is_none() { ", in virtual time" } else { "" };
    let rate = si3(run.capabilities.rate, "Hz");
    let name = &run.capabilities.name;
    text.push_str(&wrapped(&format!("{name} at port `{}`, {rate}{how}, {world}", run.port), 2));
    if let Some(privileges) = &run.privileges {
        for statement in privileges.statements() {
            text.push_str(&hanging(&statement, 2, 2));
        }
    }
    text.push('\n');
    text
}

fn times(run: &Finished) -> String {
    let stats = &run.stats;
    let ended = match &run.ending {
        Ending::Asked if run.interrupted => ", interrupted",
        Ending::Asked => "",
        Ending::Over => ", to the end of the recording",
        Ending::Device(_) => ", until the device failed",
        Ending::Fault(_) => ", until a fault",
    };
    let ticks = plural(stats.ticks() as usize, "tick", "ticks");
    let missed = plural(stats.missed() as usize, "deadline", "deadlines");
    let rate = rounded(stats.rate());
    let mut text = format!("  {ticks} at {rate} Hz{ended}; {missed} missed\n");
    if stats.silent() > 0 {
        text.push_str(&format!("  the device was silent {} times\n", grouped(stats.silent())));
    }
    if stats.dropped() > 0 {
        text.push_str(&format!("  {} ticks were not recorded\n", grouped(stats.dropped())));
    }
    if run.privileges.is_some() {
        text.push_str(&quantiles("period", &stats.period()));
        text.push_str(&quantiles("lateness", &stats.lateness()));
        text.push_str(&quantiles("to the force", &stats.latency()));
    }
    text
}

fn quantiles(name: &str, q: &Quantiles) -> String {
    let at = |t: f64| si3(t, "s");
    let (median, p99, p999, max) = (at(q.median), at(q.p99), at(q.p999), at(q.max));
    format!("  {name:<13} median {median}, p99 {p99}, p99.9 {p999}, max {max}\n")
}

fn hand(run: &Finished) -> String {
    if !run.capabilities.can_push() {
        return replayed(run);
    }
    let (largest, peak) = (si3(run.largest_force, "N"), si3(run.capabilities.force.peak, "N"));
    let mut text = format!("  largest force {largest} of {peak}\n");
    if let Some(sent) = &run.impulses {
        let how = match sent.impulses.rendering {
            Rendering::Spread => "spread over as many steps as it takes",
            Rendering::Scale => "as much as it can do in a step",
            Rendering::Saturate => "as much as it can do in a step, the scene gets all",
        };
        text.push_str(&hanging(&format!("impulses of collisions: {how}"), 2, 2));
    }
    let (given, most) = (run.energy.given(), run.energy.most());
    let words = match (given > 0.0, most > 0.0) {
        (true, _) => format!("the hand received {} in all", si(given, "J")),
        (false, true) => format!(
            "the hand put in {}; at one time it had received {}",
            si(-given, "J"),
            si(most, "J")
        ),
        (false, false) => {
            let in_all = si(-given, "J");
            format!("the hand put in {in_all} and never got back more than it had put in")
        }
    };
    text.push_str(&hanging(&words, 2, 2));
    for (fault, count) in faults(&run.safety) {
        let times = plural(count as usize, "time", "times");
        text.push_str(&hanging(&format!("{times}: {}", fault.text()), 2, 2));
    }
    text.push_str(&replayed(run));
    text
}

/// How a replay compares with its recording.
fn replayed(run: &Finished) -> String {
    let mut text = String::new();
    if let Some(replay) = &run.replay {
        let words = match replay.first_difference {
            Some(tick) => format!("differs from the recording from tick {tick} on"),
            None if replay.ticks == 0 => "the recording holds no state hashes".to_owned(),
            None => format!("all {} state hashes as recorded", grouped(replay.ticks)),
        };
        text.push_str(&hanging(&format!("replay: {words}"), 2, 2));
        if replay.lost > 0 {
            let lost = plural(replay.lost as usize, "tick", "ticks");
            text.push_str(&hanging(&format!("the recording had lost {lost}"), 2, 2));
        }
    }
    text
}

fn world(run: &Finished) -> String {
    let ledger = run.world.ledger();
    let (from, to, flows) = (ledger.initial(), ledger.now(), ledger.totals());
    let mut text = format!(
        "  world: {} simulated; {} stored at the start, {} at the end\n",
        seconds(run.world.time()),
        si(from.total(), "J"),
        si(to.total(), "J")
    );
    // what is below the rounding of the accounts is nothing
    let seen = |energy: f64| if energy.abs() < 1e-30 { 0.0 } else { energy };
    let lost = flows.lost();
    text.push_str(&format!(
        "  {} supplied by ports, {} lost; largest defect of a step {:.1e}\n",
        si(seen(flows.supplied), "J"),
        si(seen(lost), "J"),
        ledger.max_defect()
    ));
    if flows.created > 0.0 {
        let (created, law) = (si(flows.created, "J"), run.world.options().contact_law.name());
        text.push_str(&format!("  {created} created by the contact law {law}\n"));
    }
    text.push_str(&format!("  state hash {:016x}\n", run.world.state_hash()));
    text
}
