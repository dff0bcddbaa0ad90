//! One step: gates, the scheme, the ledger, and the one line that commits.

use super::World;
use super::gate::{Care, GateReport};
use super::live::Moved;
use super::midpoint::wrench_of;
use super::report::{Status, StepReport};
use super::scratch::{Last, Progress};
use super::sleep::is_active;
use crate::contact::{Ask, Moment, Sleeping};
use crate::ledger::Entry;
use crate::math::{Vec3, Vec6, angular, linear};
use crate::model::{ContactLaw, ElementParams, Kind, PortInfo};
use crate::port::{Inputs, PortInput};
use crate::stamp::Drive;

impl World {
    /// Advances the world by `h` [s]; `h` may differ from step to step.
    ///
    /// Never panics, never allocates after the first call (but for the printed contact laws).
    /// Non-finite port inputs count as idle; a
    /// senseless `h` or a result that is not finite refuses the step and leaves the state alone.
    pub fn step(&mut self, h: f64, inputs: &Inputs) -> StepReport {
        if !(h.is_finite() && h > 0.0) {
            return self.refused(Status::BadStep);
        }
        if !self.scheme_fits() {
            return self.refused(Status::Unsupported);
        }
        if self.sleeps_on(inputs) {
            return self.sleep_on(h);
        }
        let status = self.move_references(inputs);
        self.begin_budget();
        self.collide(h);
        self.scratch.gate.report = GateReport::default();
        let mut care = Care::default();
        let (mut progress, parts) = loop {
            let (mut progress, parts) = self.attempt(h, inputs, care);
            match self.pass(h, care, &mut progress) {
                Ok(()) => break (progress, parts),
                Err(more) => care = more,
            }
        };
        let entry = self.account(h, &mut progress);
        if !self.result_is_finite(&entry) {
            return self.refused(Status::NotFinite);
        }
        self.commit(h);
        self.end_applied();
        self.advance_clock(h);
        self.ledger.enter(self.tick, &entry, progress.booking.fallbacks);
        self.note_gate();
        self.publish_ports(inputs);
        let doubts =
            if progress.held { Default::default() } else { [progress.defect, progress.claim] };
        self.scratch.last = Last { committed: Some(entry), doubts };
        debug_assert_eq!(self.verify_promise(), Ok(()), "step {}", self.tick);
        StepReport {
            status,
            tick: self.tick,
            time: self.time,
            entry,
            substeps: parts,
            substeps_exhausted: progress.opening > self.options.substep_tolerance,
            resolves: progress.resolves,
            fallbacks: progress.booking.fallbacks,
            gap_before: progress.gap_before,
            gap: progress.booking.gap,
            residual: progress.residual,
            spent: self.counted(|purse| purse.spent),
            cut: self.counted(|purse| purse.cut),
            contact: self.scratch.contact.as_ref().map(|c| c.report).unwrap_or_default(),
            gate: self.scratch.gate.report,
        }
    }

    /// The step by the chosen scheme, divided where it is too coarse; returns into how many parts.
    fn attempt(&mut self, h: f64, inputs: &Inputs, care: Care) -> (Progress, u32) {
        let mut parts = care.parts();
        loop {
            self.scratch.passes.spent += self.cost_of_parts(parts);
            self.scratch.restart(&self.model, &self.state, &self.memory, &self.tank);
            if let (Some(stage), Some(carry)) = (&mut self.scratch.contact, &self.memory.contact) {
                let (model, params, state) = (&self.model, &self.trial, &self.state);
                stage.begin(carry, &Moment { model, params, state, h });
                for port in self.model.ports.iter().filter(|p| is_active(inputs, p)) {
                    stage.sleep.wake(port.body);
                }
            }
            if let Some(volume) = &mut self.scratch.volume {
                volume.means.cautious = care != Care::Usual;
            }
            let progress = if self.options.scheme.is_ours() {
                self.passive_midpoint(h, parts, care == Care::Usual, inputs)
            } else {
                self.rival_step(h, inputs)
            };
            match self.finer(parts, progress.opening) {
                Some(more) => parts = more,
                None => return (progress, parts),
            }
        }
    }

    /// Finds who may touch whom in this step.
    fn collide(&mut self, h: f64) {
        if let (Some(stage), Some(carry)) = (&mut self.scratch.contact, &self.memory.contact) {
            let o = &self.options;
            let sleeps = o.scheme.is_ours();
            stage.ask = Ask {
                settings: o.solver,
                coherence: o.coherence,
                limit: o.impulse_limit,
                resolution: o.collision,
                law: o.contact_law,
                sleeping: if sleeps { o.sleeping } else { Sleeping::NEVER },
                parts_left: 1,
                // of the time, which is in the hash of a state
                turn: (self.time / h).round() as u64,
            };
            let (model, params, state) = (&self.model, &self.trial, &self.state);
            stage.collide(carry, &Moment { model, params, state, h });
        }
    }

    /// Takes the step that was made. All that a world is changes here, and nowhere else in a step.
    fn commit(&mut self, h: f64) {
        std::mem::swap(&mut self.state, &mut self.scratch.work);
        std::mem::swap(&mut self.params, &mut self.trial);
        if let (Some(stage), Some(carry)) = (&mut self.scratch.contact, &mut self.memory.contact) {
            stage.count_calm(&self.model.bodies, &self.state.bodies, h);
            stage.commit(carry);
        }
        self.tank = self.scratch.tank;
        // the checker compares with the state in which the references had moved
        std::mem::swap(&mut self.scratch.work.strain, &mut self.scratch.slate.start);
    }

    /// True if neither scheme nor contact law creates energy by design.
    pub(super) fn is_passive(&self) -> bool {
        self.options.scheme.is_ours()
            && self.options.contact_law == ContactLaw::Cone
            && !self.params.surfaces.any_printed()
    }

    /// Adds `h` to the time with compensation, so that a thousand milliseconds make a second.
    pub(super) fn advance_clock(&mut self, h: f64) {
        let (owed, before) = (h - self.time_error, self.time);
        self.time = before + owed;
        self.time_error = (self.time - before) - owed;
        self.tick += 1;
    }

    fn refused(&self, status: Status) -> StepReport {
        let now = self.ledger.now();
        let entry = Entry { before: now, after: now, ..Default::default() };
        StepReport { status, tick: self.tick, time: self.time, entry, ..Default::default() }
    }

    /// Scheme and contact law can simulate this model as it is now.
    pub(super) fn scheme_fits(&self) -> bool {
        self.options.suit(&self.model, &self.params).is_ok()
    }

    /// Into how many parts to divide the step, if the last attempt was too coarse.
    ///
    /// The error of a strain falls with the cube of the step.
    fn finer(&mut self, parts: u32, opening: f64) -> Option<u32> {
        let (most, tolerance) = (self.options.max_substeps, self.options.substep_tolerance);
        if parts > 1 || most <= 1 || opening <= tolerance {
            return None;
        }
        let wanted = (opening / tolerance).cbrt().ceil();
        // written so that NaN asks for the most
        let wanted = if wanted < f64::from(most) { (wanted as u32).max(2) } else { most };
        let (each, passes) = (self.cost_of_parts(1), &mut self.scratch.passes);
        let paid = u64::from(wanted).min(passes.left() / each);
        passes.cut += (u64::from(wanted) - paid) * each;
        (paid > 1).then_some(paid as u32)
    }

    /// Moves reference ports to their inputs, in the parameters and strains of the step being made.
    /// The work of moving is exactly the change of stored energy, so whoever holds the reference
    /// supplies it. One that would store more than a number can hold is ignored.
    fn move_references(&mut self, inputs: &Inputs) -> Status {
        let mut status = Status::Taken;
        // they differ by nothing but the references that the last step moved
        for e in self.model.ports.iter().filter_map(|p| p.element) {
            self.trial.elements[e] = self.params.elements[e];
        }
        debug_assert_eq!(self.trial, self.params);
        self.scratch.slate.start.copy_from_slice(&self.state.strain);
        for port in 0..self.model.ports.len() {
            let PortInfo { id, element, motor, limit, .. } = self.model.ports[port];
            if let Some(e) = element {
                self.scratch.acting.drives[e] = Drive::default();
            }
            let input = inputs.get(id);
            let work = match (input, element) {
                _ if !input.is_finite() => None,
                (PortInput::Reference { position, rotation }, Some(e)) => {
                    let now = (&self.trial.elements[e], &self.scratch.slate.start[e]);
                    let moved = self.moved_anchor(e, now, &position, &rotation);
                    moved.map(|moved| self.take_reference(e, moved))
                }
                (PortInput::Effort(_) | PortInput::Rate(_) | PortInput::Target(_), Some(e))
                    if motor =>
                {
                    self.set_drive(e, input, limit)
                }
                (PortInput::Wrench { .. } | PortInput::Idle, _) => Some(0.0),
                _ => None,
            };
            self.scratch.ports.reference_work[port] = work.unwrap_or(0.0);
            if work.is_none() {
                status = Status::InputIgnored;
            }
        }
        status
    }

    /// Takes over a reference that moved; returns the work [J].
    pub(super) fn take_reference(&mut self, e: usize, moved: Moved) -> f64 {
        (self.trial.elements[e], self.scratch.slate.start[e]) = (moved.params, moved.strain);
        moved.work
    }

    fn result_is_finite(&self, entry: &Entry) -> bool {
        let work = &self.scratch.work;
        entry.in_play.is_finite()
            && entry.closure().is_finite()
            && work.bodies.iter().all(|b| b.is_finite())
            && work.systems.iter().all(|s| s.q.iter().chain(&s.xi).all(|v| v.is_finite()))
            && work.strain.iter().all(|g| g.iter().all(|v| v.is_finite()))
    }
}

impl World {
    /// Shows what the ports did in the committed step, and where they are now.
    fn publish_ports(&mut self, inputs: &Inputs) {
        self.memory.ports.copy_from_slice(&self.scratch.ports.draft);
        for (i, port) in self.model.ports.iter().enumerate() {
            let (s, out) = (&self.state.bodies[port.body], &mut self.memory.ports[i]);
            (out.position, out.rotation) = (s.x + s.q * port.point, s.q * port.frame);
            if let (true, Some(e)) = (port.motor, port.element) {
                out.measure = self.state.strain[e][0] + self.params.elements[e].rest[0];
                continue;
            }
            (out.force, out.torque) = match port.element {
                Some(e) => {
                    let kind = &self.model.elements[e].kind;
                    spring_force(kind, &self.params.elements[e], &self.state.strain[e])
                }
                None => wrench_of(inputs, port.id).unwrap_or_default(),
            };
        }
    }
}

/// Force and torque of a reference port's spring on whoever holds the reference, world axes.
fn spring_force(kind: &Kind, p: &ElementParams, g: &Vec6) -> (Vec3, Vec3) {
    let pull = p.stiffness.component_mul(g);
    // a pose spring measures in the axes of the reference, a point spring in world axes
    let axes = if matches!(kind, Kind::Pose) { p.frames[1] } else { Default::default() };
    (axes * linear(&pull), axes * angular(&pull))
}
