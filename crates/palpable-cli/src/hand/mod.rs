//! `palpable run SCENE --device ...`: a scene in somebody's hand.

mod device;
mod drive;
mod post;
mod real;
mod report;
mod session;
mod summary;
mod together;
mod trouble;
mod view;

use crate::connections::Connections;
use crate::failure::Failure;
use crate::run::settings::duration;
use crate::{Done, output, stop};
use drive::Finished;
use palpable_haptics::Ending;
use palpable_haptics::rt::ignore_suspension;
use palpable_scene::Built;
use report::Report;
use serde::Serialize;
use std::path::PathBuf;
use trouble::Rehearsal;

/// Options of a run with a device.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "With a device")]
pub struct DeviceArgs {
    /// Hold the scene with a device: simulated, replay:FILE for a recorded hand, haply[:ID],
    /// forcedimension[:N], openhaptics[:NAME], or spacemouse (input only); once more for each
    /// further hand
    #[arg(long, value_name = "DEVICE")]
    device: Vec<String>,
    /// Reference port to hold, one for each device [default: the one called `hand`, else the
    /// first; then the next that follows no other]
    #[arg(long, value_name = "NAME", requires = "device")]
    port: Vec<String>,
    /// Rate of the servo loop [default: the device's, else 1000]
    #[arg(long, value_name = "HZ", requires = "device", value_parser = rate)]
    #[arg(allow_negative_numbers = true)]
    rate_hz: Option<f64>,
    /// Step the world on a second thread at this rate [default: in the servo loop]
    #[arg(long, value_name = "HZ", requires = "device", conflicts_with = "fast")]
    #[arg(value_parser = rate, allow_negative_numbers = true)]
    world_rate_hz: Option<f64>,
    /// Most that a step of the world may take on a processor, e.g. "0.8 ms"; what does not fit is
    /// left to the next step [default: no limit]
    #[arg(long, value_name = "TIME", requires = "device", conflicts_with = "world_rate_hz")]
    #[arg(value_parser = deadline)]
    deadline: Option<f64>,
    /// World metres per metre of the device
    #[arg(long, value_name = "FACTOR", requires = "device", default_value_t = 1.0)]
    #[arg(value_parser = factor, allow_negative_numbers = true)]
    scale: f64,
    /// Profile of the device, such as devices/touch.toml: what a simulated device is like, or
    /// what a real one does not tell of itself
    #[arg(long, value_name = "FILE", requires = "device")]
    profile: Option<PathBuf>,
    /// Largest force that a real device is asked for [default: cautious, or what it tells]
    #[arg(long, value_name = "N", requires = "device", value_parser = newtons)]
    #[arg(allow_negative_numbers = true)]
    max_force: Option<f64>,
    /// How the Haply service spells forces: values (to 3.4, and later) or vector (from 3.5)
    #[arg(long, value_name = "KEY", requires = "device", default_value = "values")]
    #[arg(value_parser = ["values", "vector"])]
    haply_force_key: String,
    /// Do not wait for the clock; for simulated devices and replays
    #[arg(long, requires = "device")]
    fast: bool,
    /// Ask for no real-time priority and no locked memory
    #[arg(long, requires = "device")]
    no_real_time: bool,
    /// Keep the port's stiffness where the device cannot render it passively
    #[arg(long, requires = "device")]
    keep_stiffness: bool,
    /// Put the body of the port where the device is, with no coupling between, and send the contact
    /// forces on it; `palpable passivity explain --direct` tells what that asks of the device
    #[arg(long, requires = "device", conflicts_with_all = ["world_rate_hz", "keep_stiffness"])]
    direct: bool,
    /// What the device is sent of impulses that it cannot apply in one step, where surfaces have
    /// the law "impulse": over several steps (spread), as much as it can in one (scale), the same
    /// but the scene gets all (saturate), nothing (off) [default: the scene's, else spread]
    #[arg(long, value_name = "HOW", requires = "device", conflicts_with = "world_rate_hz")]
    #[arg(value_parser = ["spread", "scale", "saturate", "off"])]
    impulses: Option<String>,
    /// Rehearse a fault of the first device: WHAT@SECONDS, where WHAT is lost, silent, garbled,
    /// jump, far, stuck, order, future, brake, stall, force, hang, panic, late or clock (with
    /// --fast)
    #[arg(long, value_name = "WHAT@S", requires = "device", value_parser = trouble::parse)]
    rehearse: Option<Rehearsal>,
    #[command(flatten)]
    connections: Connections,
}

impl DeviceArgs {
    /// True if a device is asked for.
    pub fn is_wanted(&self) -> bool {
        !self.device.is_empty()
    }

    /// The first device.
    fn name(&self) -> &str {
        self.device.first().map_or("", String::as_str)
    }

    /// The port of the first device, if one is named.
    fn port(&self) -> Option<&str> {
        self.port.first().map(String::as_str)
    }

    /// The options of device `k` alone.
    fn of(&self, k: usize) -> Self {
        let one = |list: &[String]| list.get(k).cloned().into_iter().collect();
        let (device, port) = (one(&self.device), one(&self.port));
        let rehearse = self.rehearse.filter(|_| k == 0);
        Self { device, port, rehearse, ..self.clone() }
    }
}

fn newtons(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(force) if (0.1..=100.0).contains(&force) => Ok(force),
        _ => Err("give a force from 0.1 to 100 in N, e.g. 5".into()),
    }
}

fn rate(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(hz) if session::RATES.contains(&hz) => Ok(hz),
        _ => Err("give a rate from 1 to 20000 in Hz, e.g. 1000".into()),
    }
}

pub(crate) fn deadline(text: &str) -> Result<f64, String> {
    match duration(text) {
        Ok(time) if (1e-5..=1.0).contains(&time) => Ok(time),
        Ok(_) => Err("give a time from 10 us to 1 s, e.g. \"0.8 ms\"".into()),
        Err(error) => Err(error),
    }
}

fn factor(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(scale) if scale.is_finite() && scale > 0.0 => Ok(scale),
        _ => Err("give a factor above 0, e.g. 2".into()),
    }
}

/// Runs a scene with the device of `args`.
///
/// # Errors
/// A device that cannot be opened, a scene without a port, files that cannot be written.
pub fn main(
    built: Built,
    args: &DeviceArgs,
    recording: Option<PathBuf>,
    json: bool,
) -> Result<Done, Failure> {
    stop::listen();
    ignore_suspension();
    if args.port.len() > args.device.len() {
        return Err(Failure::new("--port: there are more ports than devices"));
    }
    if args.device.len() > 1 {
        return together::main(built, args, recording, json);
    }
    let session = session::open(built, args)?;
    let finished = drive::run(session, args, recording, json)?;
    let report = Report::new(&finished);
    tell(&[finished], json.then_some(&report))
}

/// Prints what became of the hands, as JSON if there is any.
fn tell<R: Serialize>(hands: &[Finished], json: Option<&R>) -> Result<Done, Failure> {
    match json {
        Some(report) => output::print_json(report)?,
        None => output::print(&summary::text(hands))?,
    }
    ended(hands)
}

/// How the program ends; says on standard error if something was wrong.
fn ended(hands: &[Finished]) -> Result<Done, Failure> {
    for run in hands {
        if let Some(unwritten) = &run.unwritten
            && run.problem().as_ref() == Some(unwritten)
        {
            return Err(Failure::new(format!("{unwritten}; the run itself went to its end")));
        }
    }
    let all: Vec<Done> = hands.iter().map(done).collect();
    let worst = |wanted: &Done| all.iter().any(|done| done == wanted);
    let found = [Done::Failed, Done::Interrupted].into_iter().find(worst);
    Ok(found.unwrap_or(Done::Well))
}

fn done(run: &Finished) -> Done {
    if let Some(problem) = run.problem() {
        output::remark(&format!("error: {problem}"));
        return Done::Failed;
    }
    match run.ending {
        Ending::Asked if run.interrupted => {
            output::remark("interrupted: the force was faded out and the recording is complete");
            Done::Interrupted
        }
        _ => Done::Well,
    }
}
