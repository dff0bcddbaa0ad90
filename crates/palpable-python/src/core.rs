//! A world as Python holds it: the engine's world, what was done to it, and the scene it is from.

use crate::custom;
use crate::errors::StepError;
use crate::journal::Journal;
use palpable::{Inputs, Status, StepReport, World};
use palpable_scene::{Script, Steps};
use pyo3::PyErr;
use std::time::{Duration, Instant};

/// What a scene adds to a world.
#[derive(Debug, Clone)]
pub struct SceneRun {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub description: String,
    /// How long it lasts \[s\].
    pub duration: f64,
    /// What enters at its ports over time.
    pub script: Script,
    /// Its step lengths.
    pub steps: Steps,
    /// Room for what the script says.
    pub inputs: Inputs,
}

/// How steps are to be taken.
#[derive(Debug, Clone, Copy)]
pub struct Orders<'a> {
    /// Length \[s\]; the scene's own if none.
    pub h: Option<f64>,
    /// What enters; nothing if none.
    pub inputs: Option<&'a Inputs>,
    /// True if the scene's script says what enters.
    pub scripted: bool,
}

/// Everything of a world that changes.
#[derive(Debug, Clone)]
pub struct Core {
    /// The engine's world.
    pub world: World,
    /// What was done to it.
    pub journal: Journal,
    /// The scene it is from.
    pub scene: Option<SceneRun>,
}

impl Core {
    /// One step.
    #[inline]
    pub fn step(&mut self, orders: Orders<'_>) -> Result<StepReport, PyErr> {
        let report = self.take(orders)?;
        self.journal.step(orders.h, orders.inputs, orders.scripted);
        Ok(report)
    }

    /// Takes up to `count` steps, until `patience` is over; returns how many.
    pub fn steps(
        &mut self,
        orders: Orders<'_>,
        count: u64,
        patience: Duration,
    ) -> (u64, Result<(), PyErr>) {
        let start = Instant::now();
        // the clock is asked ever more seldom, as long as it has hardly moved
        let (mut done, mut pause, mut look) = (0, 1, 1);
        let mut result = Ok(());
        while done < count {
            if let Err(error) = self.take(orders) {
                result = Err(error);
                break;
            }
            done += 1;
            if done == look {
                let spent = start.elapsed();
                if spent >= patience {
                    break;
                }
                if spent * 8 < patience {
                    pause *= 2;
                }
                look = done + pause;
            }
        }
        self.journal.steps(orders.h, orders.inputs, orders.scripted, done);
        (done, result)
    }

    #[inline]
    fn take(&mut self, orders: Orders<'_>) -> Result<StepReport, PyErr> {
        let none = Inputs::none();
        let (mut h, mut inputs) = (orders.h, orders.inputs.unwrap_or(&none));
        if let Some(scene) = &mut self.scene {
            h = h.or_else(|| Some(scene.steps.next_length()));
            if orders.scripted {
                scene.script.inputs(self.world.time(), &mut scene.inputs);
                inputs = &scene.inputs;
            }
        }
        let h = h.unwrap_or(f64::NAN);
        let report = self.world.step(h, inputs);
        if let Some(error) = custom::raised() {
            return Err(error);
        }
        if report.status.is_taken() { Ok(report) } else { Err(refusal(report.status, h)) }
    }
}

/// Why a step was refused, and what to do.
#[cold]
fn refusal(status: Status, h: f64) -> PyErr {
    let words = match status {
        Status::BadStep => format!("h is {h}; a step is a positive finite number of seconds"),
        Status::Unsupported => "this scheme or contact law cannot simulate this model; use \
                                scheme=\"passive-midpoint\" and contact_law=\"cone\""
            .to_owned(),
        _ => "the result would not be finite; use scheme=\"passive-midpoint\", or a shorter step"
            .to_owned(),
    };
    StepError::new_err(words)
}
