//! A run with a device as one JSON object.

use super::drive::{Finished, faults};
use crate::energy::Energy;
use crate::step_times::Quantiles;
use palpable_haptics::{Ending, rt};
use serde::Serialize;
use std::collections::BTreeMap;

/// The object that `palpable run --device ... --json` prints.
#[derive(Serialize)]
pub struct Report {
    scene: String,
    port: String,
    device: Device,
    status: &'static str,
    interrupted: bool,
    /// what went wrong
    problem: Option<String>,
    ticks: u64,
    simulated_seconds: f64,
    rate_hz: f64,
    missed_deadlines: u64,
    silent_readings: u64,
    lost_rows: u64,
    /// not there in virtual time
    period_us: Option<Quantiles>,
    lateness_us: Option<Quantiles>,
    latency_us: Option<Quantiles>,
    real_time: Option<[String; 2]>,
    max_force: f64,
    /// how impulses of collisions were sent to the device
    impulses: Option<&'static str>,
    handle_energy: HandleEnergy,
    faults: BTreeMap<String, u64>,
    energy: Energy,
    replay: Option<Replay>,
    notes: Vec<String>,
    state_hash: String,
    files: Vec<String>,
}

#[derive(Serialize)]
struct Device {
    name: String,
    rate_hz: f64,
    peak_force: f64,
    damping: Option<f64>,
}

/// Energy that the hand received \[J\]; below zero it put energy in.
#[derive(Serialize)]
struct HandleEnergy {
    given: f64,
    most_given: f64,
    motors: f64,
}

#[derive(Serialize)]
struct Replay {
    compared_ticks: u64,
    first_difference: Option<u64>,
    lost_rows: u64,
}

impl Report {
    /// Collects the numbers of a run.
    pub fn new(run: &Finished) -> Self {
        let status = match run.ending {
            _ if run.interrupted => "interrupted",
            Ending::Asked | Ending::Over => "finished",
            Ending::Device(_) => "device failed",
            Ending::Fault(_) => "fault",
        };
        let c = &run.capabilities;
        let timed = |q: rt::Quantiles| run.privileges.as_ref().map(|_| q.into());
        Self {
            scene: run.scene[0].clone(),
            port: run.port.clone(),
            device: Device {
                name: c.name.clone(),
                rate_hz: c.rate,
                peak_force: c.force.peak,
                damping: c.damping,
            },
            status,
            interrupted: run.interrupted,
            problem: run.problem(),
            ticks: run.stats.ticks(),
            simulated_seconds: run.world.time(),
            rate_hz: run.stats.rate(),
            missed_deadlines: run.stats.missed(),
            silent_readings: run.stats.silent(),
            lost_rows: run.stats.dropped(),
            period_us: timed(run.stats.period()),
            lateness_us: timed(run.stats.lateness()),
            latency_us: timed(run.stats.latency()),
            real_time: run.privileges.as_ref().map(|p| p.statements()),
            max_force: run.largest_force,
            impulses: run.impulses.map(|sent| sent.impulses.rendering.name()),
            handle_energy: HandleEnergy {
                given: run.energy.given(),
                most_given: run.energy.most(),
                motors: run.energy.motors(),
            },
            faults: faults(&run.safety).iter().map(|(f, n)| (format!("{f:?}"), *n)).collect(),
            energy: Energy::of(&run.world),
            replay: run.replay.as_ref().map(|replay| Replay {
                compared_ticks: replay.ticks,
                first_difference: replay.first_difference,
                lost_rows: replay.lost,
            }),
            notes: run.notes.clone(),
            state_hash: format!("{:016x}", run.world.state_hash()),
            files: run.files.iter().map(|file| file.display().to_string()).collect(),
        }
    }
}
