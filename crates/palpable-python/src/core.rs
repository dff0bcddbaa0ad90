//! A world as Python holds it: the engine's world, what was done to it, and the scene it is from.

use crate::custom;
use crate::errors::StepError;
use crate::inputs::Held;
use crate::journal::Journal;
use palpable::model::Kind;
use palpable::{Inputs, PortId, Status, StepReport, SystemId, World};
use palpable_scene::{ChainJoint, Look, Script, Staging, Steps};
use pyo3::PyErr;
use std::sync::Arc;
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
    /// What it looks like.
    pub shown: Arc<Shown>,
}

/// What a scene says about its looks, for the studio.
#[derive(Debug, Default)]
pub struct Shown {
    /// Shapes that are drawn with bodies.
    pub looks: Vec<Look>,
    /// Joints of chains.
    pub joints: Vec<ChainJoint>,
    /// Chains and beams.
    pub systems: Vec<(String, SystemId)>,
    /// Width and thickness of beams \[m\].
    pub sections: Vec<(String, [f64; 2])>,
    /// Viewpoint, and what happens at the end.
    pub staging: Staging,
}

/// How steps are to be taken.
#[derive(Debug, Clone, Copy)]
pub struct Orders<'a> {
    /// Length \[s\]; the scene's own if none.
    pub h: Option<f64>,
    /// What enters; nothing if none.
    pub inputs: Option<&'a Held>,
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
    /// True if Python measures the strain of one of its springs.
    pub custom: bool,
    /// True if a step takes longer than handing the interpreter over.
    pub heavy: bool,
    /// Its ports.
    pub ports: Arc<[PortId]>,
}

/// Worlds with fewer parts than this step in less time than it takes to hand the interpreter over.
const LIGHT: usize = 5;

impl Core {
    /// A world at its start.
    pub fn new(world: World, scene: Option<SceneRun>) -> Self {
        let (journal, ports) = (Journal::default(), Arc::default());
        let mut core = Self { world, journal, scene, custom: false, heavy: false, ports };
        core.look_again();
        core
    }

    /// Notes what the world is made of; after each edit.
    pub fn look_again(&mut self) {
        let model = self.world.model();
        self.custom = model.elements().iter().any(|e| matches!(e.kind, Kind::Custom(_)));
        let parts = model.bodies().len() + model.elements().len() + model.systems().len();
        self.heavy = parts >= LIGHT || model.contact().is_some();
        self.ports = model.ports().iter().map(|p| p.id).collect();
    }

    /// Idle inputs for all ports.
    pub fn inputs(&self) -> Held {
        Held { ports: self.ports.clone(), inner: self.world.inputs() }
    }

    /// One step.
    #[inline]
    pub fn step(&mut self, orders: Orders<'_>) -> Result<StepReport, PyErr> {
        let (report, h) = self.take(orders);
        self.check(report.status, h)?;
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
        let (mut done, mut pause) = (0, 1);
        let mut result = Ok(());
        while done < count && result.is_ok() {
            let (more, outcome) = self.some(orders, (count - done).min(pause));
            (done, result) = (done + more, outcome);
            let spent = start.elapsed();
            if spent >= patience {
                break;
            }
            if spent * 8 < patience {
                pause *= 2;
            }
        }
        self.journal.steps(orders.h, orders.inputs, orders.scripted, done);
        (done, result)
    }

    /// Takes `count` steps without a look at the clock; returns how many went well.
    fn some(&mut self, orders: Orders<'_>, count: u64) -> (u64, Result<(), PyErr>) {
        for done in 0..count {
            let (report, h) = self.take(orders);
            if !report.status.is_taken() || self.custom {
                let checked = self.check(report.status, h);
                if checked.is_err() {
                    return (done, checked);
                }
            }
        }
        (count, Ok(()))
    }

    /// One step by the world itself, and its length.
    #[inline(always)]
    fn take(&mut self, orders: Orders<'_>) -> (StepReport, f64) {
        let none = Inputs::none();
        let (mut h, mut inputs) = (orders.h, orders.inputs.map_or(&none, |held| &held.inner));
        if let Some(scene) = &mut self.scene {
            h = h.or_else(|| Some(scene.steps.next_length()));
            if orders.scripted {
                let length = h.unwrap_or(0.0);
                scene.script.during(self.world.time(), length, &mut scene.inputs);
                inputs = &scene.inputs;
            }
        }
        let h = h.unwrap_or(f64::NAN);
        (self.world.step(h, inputs), h)
    }

    /// What the user's own code raised, or why the step was refused.
    fn check(&self, status: Status, h: f64) -> Result<(), PyErr> {
        if self.custom
            && let Some(error) = custom::raised()
        {
            return Err(error);
        }
        if status.is_taken() { Ok(()) } else { Err(refusal(status, h)) }
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
