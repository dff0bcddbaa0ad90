//! Runs a scene under the eyes of a checker.

use crate::build::{Built, Driven, attached_gains, build};
use crate::change::{add_ball, ask_in_vain, kick, remove_ball};
use crate::change::{scale_mass, scale_stiffness, set_effort};
use crate::check::checker::Checker;
use crate::check::finding::{Findings, Kind};
use crate::check::same::Taken;
use crate::clock::thread_seconds;
use crate::drive::{Drive, step_length};
use crate::scene::{Change, Scene};
use palpable::{BodyId, Inputs, Port, StepReport};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Numbers of ports that are attached live begin here.
pub const ATTACHED: usize = 20000;

/// How a port that is attached live is pushed.
pub const ATTACHED_FORCE: Drive = Drive::Force { force: 10.0, torque: 0.1 };

/// What became of a world.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Why the engine refused to build it, if it did.
    pub refusal: Option<String>,
    /// Steps taken or refused.
    pub steps: usize,
    /// Steps in which something touched.
    pub touching: usize,
    /// The slowest step. Reported, not judged.
    pub slowest: Slowest,
    /// What the engine's last gate did.
    pub gate: GateCounts,
    /// What was found.
    pub findings: Findings,
    /// Hash of the last state.
    pub hash: u64,
}

/// The slowest step of a world.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Slowest {
    /// Its processor time [s].
    pub seconds: f64,
    /// Which it was.
    pub step: usize,
}

/// What the last gate before the commit of a step did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GateCounts {
    /// Times that motion paid for a gain.
    pub paid: u64,
    /// Steps that were done again.
    pub retries: u64,
    /// Groups that stayed where they were.
    pub held: u64,
}

impl GateCounts {
    /// Of one step. The counts of `StepReport::gate` are read here once the engine has it.
    fn of(report: &StepReport) -> Self {
        let gate = &report.gate;
        Self { paid: gate.paid.into(), retries: gate.retries.into(), held: gate.held.into() }
    }

    /// Adds others.
    pub fn add(&mut self, other: &Self) {
        self.paid += other.paid;
        self.retries += other.retries;
        self.held += other.held;
    }
}

/// Runs a scene. A panic of the engine is a finding, too.
pub fn run(scene: &Scene) -> Outcome {
    let outcome = catch_unwind(AssertUnwindSafe(|| run_checked(scene)));
    outcome.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = panic.downcast_ref::<String>().cloned().or(text).unwrap_or_default();
        let mut outcome = Outcome::default();
        outcome.findings.add(Kind::Panic, 1.0, 1.0, || text);
        outcome
    })
}

fn run_checked(scene: &Scene) -> Outcome {
    let mut outcome = Outcome::default();
    let built = match build(scene) {
        Ok(built) => built,
        Err(refusal) => return Outcome { refusal: Some(refusal), ..outcome },
    };
    let mut running = Running::new(scene, built);
    while outcome.steps < scene.steps && !running.checker.is_over() {
        running.change(outcome.steps);
        running.step(&mut outcome);
    }
    running.checker.finish(&running.built.world);
    outcome.hash = running.built.world.state_hash();
    outcome.findings = running.checker.findings;
    outcome
}

/// A world that runs.
struct Running<'a> {
    scene: &'a Scene,
    built: Built,
    attached: Vec<Driven>,
    added: Vec<BodyId>,
    checker: Checker,
    changes: usize,
}

impl<'a> Running<'a> {
    fn new(scene: &'a Scene, built: Built) -> Self {
        let checker = Checker::new(&built.world, built.watch.clone());
        let (attached, added) = (Vec::new(), Vec::new());
        Self { scene, built, attached, added, checker, changes: 0 }
    }

    fn step(&mut self, outcome: &mut Outcome) {
        let step = outcome.steps;
        let h = step_length(self.scene.step_range, self.scene.seed, step);
        let taken = Taken { h, inputs: self.inputs(step) };
        let world = &mut self.built.world;
        self.checker.before(world);
        let began = thread_seconds();
        let report = world.step(h, &taken.inputs);
        let seconds = thread_seconds() - began;
        self.checker.after_step(world, &report, &taken);
        if seconds > outcome.slowest.seconds {
            outcome.slowest = Slowest { seconds, step };
        }
        outcome.steps += 1;
        outcome.touching += usize::from(report.contact.points > 0);
        outcome.gate.add(&GateCounts::of(&report));
    }

    fn inputs(&self, step: usize) -> Inputs {
        let mut inputs = self.built.world.inputs();
        for driven in &self.built.driven {
            inputs.set(driven.port, driven.drive.input(self.scene.seed, step, driven.id));
        }
        for (i, driven) in self.attached.iter().enumerate() {
            let id = (ATTACHED + i) as u64;
            inputs.set(driven.port, driven.drive.input(self.scene.seed, step, id));
        }
        inputs
    }

    /// Makes the changes that are due before a step.
    fn change(&mut self, step: usize) {
        let scene = self.scene;
        while let Some(event) = scene.events.get(self.changes).filter(|e| e.step <= step) {
            self.changes += 1;
            if event.change == Change::Snapshot {
                self.checker.begin_replay(&self.built.world);
                continue;
            }
            self.checker.before(&self.built.world);
            self.apply(&event.change);
            self.checker.after_change(&self.built.world);
        }
    }

    /// Makes one change. One that the engine refuses changes nothing, which is checked like any.
    fn apply(&mut self, change: &Change) {
        let body = |id: &usize| self.built.bodies.get(id).copied();
        let world = &mut self.built.world;
        match change {
            Change::Mass { body: id, factor, payment } => {
                let _ = body(id).map(|body| scale_mass(world, body, *factor, *payment));
            }
            Change::Stiffness { element, factor, payment } => {
                scale_stiffness(world, *element, *factor, *payment);
            }
            Change::Gravity { gravity, payment } => drop(world.set_gravity(*gravity, *payment)),
            Change::Surface { body: id, material } => {
                let _ = body(id).map(|body| world.set_material(body, *material));
            }
            Change::Damping { body: id, damping } => {
                let _ = body(id).map(|body| world.set_body_damping(body, *damping, damping * 0.01));
            }
            Change::Effort(effort) => set_effort(world, effort.sweeps, effort.newton_steps),
            Change::Grant(energy) => drop(world.grant(*energy)),
            Change::AttachForce { .. } | Change::AttachReference { .. } => self.attach(change),
            Change::Detach => self.release(self.attached.len().wrapping_sub(1)),
            Change::Release { which } => self.release(which % self.attached.len().max(1)),
            Change::Refused => ask_in_vain(world),
            Change::Add { at, radius, velocity } => {
                let name = format!("ball {}", self.changes);
                self.added.extend(add_ball(world, &name, *at, *radius, *velocity));
            }
            Change::Remove => {
                let _ = self.added.pop().map(|ball| remove_ball(world, ball));
            }
            Change::Kick { body: id, velocity } => {
                let _ = body(id).map(|body| kick(world, body, *velocity));
            }
            Change::Snapshot => {}
        }
    }

    fn attach(&mut self, change: &Change) {
        let name = format!("a{}", self.changes);
        let world = &mut self.built.world;
        let (port, drive) = match *change {
            Change::AttachForce { body, at } => {
                let Some(body) = self.built.bodies.get(&body) else { return };
                (Port::force(name, body.at(at)), ATTACHED_FORCE)
            }
            Change::AttachReference { body, at, stiffness, amplitude } => {
                let Some(body) = self.built.bodies.get(&body) else { return };
                let [stiffness, damping] = attached_gains(stiffness);
                let pose = world.pose(*body);
                let center = pose.position + pose.rotation * at;
                let port = Port::reference(name, body.at(at), stiffness, damping);
                (port, Drive::Reference { center, amplitude })
            }
            _ => return,
        };
        if let Ok(port) = world.attach(port) {
            let id = (ATTACHED + self.attached.len()) as u64;
            self.attached.push(Driven { id, port, drive });
            self.checker.watch.ports.push(port);
        }
    }

    fn release(&mut self, which: usize) {
        if which >= self.attached.len() {
            return;
        }
        let driven = self.attached.remove(which);
        self.checker.watch.ports.retain(|port| *port != driven.port);
        let detached = self.built.world.detach(driven.port);
        assert!(detached.is_ok(), "a port that is there is refused: {detached:?}");
        assert!(self.built.world.detach(driven.port).is_err(), "a port leaves once");
    }
}
