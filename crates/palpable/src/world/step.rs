//! One step: gates, the scheme, the ledger, and the one line that commits.

use super::World;
use super::gate::{Care, GateReport};
use super::midpoint::wrench_of;
use super::report::{Status, StepReport};
use super::scheme::Scheme;
use super::scratch::Progress;
use crate::contact::ContactLaw;
use crate::ledger::Entry;
use crate::math::{Vec3, Vec6, angular, linear};
use crate::model::{ElementInfo, ElementParams, Kind};
use crate::port::{Inputs, PortId, PortInput};
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
        let status = self.move_references(inputs);
        if let Some(stage) = &mut self.scratch.contact {
            stage.collide(&self.model, &self.params, &self.state, h);
        }
        self.scratch.gate.report = GateReport::default();
        let mut care = Care::default();
        let (progress, parts) = loop {
            let (mut progress, parts) = self.attempt(h, inputs, care);
            match self.pass(h, care, &mut progress) {
                Ok(()) => break (progress, parts),
                Err(more) => care = more,
            }
        };
        let entry = self.account(&progress);
        if !self.result_is_finite(&entry) {
            self.undo_references();
            return self.refused(Status::NotFinite);
        }
        std::mem::swap(&mut self.state, &mut self.scratch.work); // commit
        self.tank = self.scratch.tank;
        self.advance_clock(h);
        self.ledger.enter(self.tick, &entry, progress.fallbacks);
        self.note_gate();
        self.publish_ports(inputs);
        self.scratch.committed = Some(entry);
        debug_assert_eq!(self.verify(), Ok(()), "step {}", self.tick);
        let exhausted = progress.opening > self.options.substep_tolerance;
        StepReport {
            status,
            tick: self.tick,
            time: self.time,
            entry,
            substeps: parts,
            substeps_exhausted: self.options.scheme == Scheme::PassiveMidpoint && exhausted,
            resolves: progress.resolves,
            fallbacks: progress.fallbacks,
            gap_before: progress.gap_before,
            gap: progress.gap,
            residual: progress.residual,
            contact: self.scratch.contact.as_ref().map(|c| c.report).unwrap_or_default(),
            gate: self.scratch.gate.report,
        }
    }

    /// The step by the chosen scheme, divided where it is too coarse; returns into how many parts.
    fn attempt(&mut self, h: f64, inputs: &Inputs, care: Care) -> (Progress, u32) {
        let mut parts = care.parts();
        let mut again = care != Care::Usual;
        loop {
            self.scratch.restart(&self.model, &self.state, &self.tank);
            if let (true, Some(stage)) = (again, &mut self.scratch.contact) {
                stage.rewind(&self.model, &self.params, &self.state, h);
            }
            if let Some(volume) = &mut self.scratch.volume {
                volume.cautious = care != Care::Usual;
            }
            let progress = match self.options.scheme {
                Scheme::PassiveMidpoint => {
                    self.passive_midpoint(h, (parts, care == Care::Usual), inputs)
                }
                Scheme::PublishedMidpoint => self.published_midpoint(h, inputs),
                Scheme::ImplicitEuler => self.implicit_euler(h, inputs),
                Scheme::ExplicitEuler => self.explicit_euler(h, inputs, false),
                Scheme::SymplecticEuler => self.explicit_euler(h, inputs, true),
            };
            match self.finer(parts, progress.opening) {
                Some(more) => (parts, again) = (more, true),
                None => return (progress, parts),
            }
        }
    }

    /// True if neither scheme nor contact law creates energy by design.
    pub(super) fn is_passive(&self) -> bool {
        self.options.scheme == Scheme::PassiveMidpoint
            && self.options.contact_law == ContactLaw::Cone
            && !self.params.surfaces.any_printed()
    }

    /// Adds `h` to the time with compensation, so that a thousand milliseconds make a second.
    fn advance_clock(&mut self, h: f64) {
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

    /// Explicit schemes cannot hold hard joints; only ours knows subsystems, motors and gears.
    fn scheme_fits(&self) -> bool {
        let ours = self.options.scheme == Scheme::PassiveMidpoint;
        let gear = |e: &ElementInfo| matches!(e.kind, Kind::Gear(_));
        let special = !self.model.systems.is_empty()
            || self.model.ports.iter().any(|p| p.motor)
            || self.model.elements.iter().any(gear);
        let special = special || self.scratch.contact.is_some();
        if (special && !ours) || self.options.contact_law.check(&self.model).is_err() {
            return false;
        }
        let explicit =
            matches!(self.options.scheme, Scheme::ExplicitEuler | Scheme::SymplecticEuler);
        let hard = |p: &ElementParams| (0..6).any(|row| p.is_hard(row));
        !(explicit && self.params.elements.iter().any(hard))
    }

    /// Into how many parts to divide the step, if the last attempt was too coarse.
    ///
    /// The error of a strain falls with the cube of the step.
    fn finer(&self, parts: u32, opening: f64) -> Option<u32> {
        let (most, tolerance) = (self.options.max_substeps, self.options.substep_tolerance);
        let passive = self.options.scheme == Scheme::PassiveMidpoint;
        if !passive || parts > 1 || most <= 1 || opening <= tolerance {
            return None;
        }
        let wanted = (opening / tolerance).cbrt().ceil();
        // written so that NaN asks for the most
        Some(if wanted < f64::from(most) { (wanted as u32).max(2) } else { most })
    }

    /// Moves reference ports to their inputs. The work of moving is exactly the change of stored
    /// energy, so whoever holds the reference supplies it. One that would store more than a number
    /// can hold is ignored.
    fn move_references(&mut self, inputs: &Inputs) -> Status {
        let mut status = Status::Taken;
        self.scratch.undo.clear();
        for port in 0..self.model.ports.len() {
            self.scratch.reference_work[port] = 0.0;
            if let Some(e) = self.model.ports[port].element {
                self.scratch.drives[e] = Drive::default();
            }
            let input = inputs.get(PortId(port));
            let moved = match (input, self.model.ports[port].element) {
                (PortInput::Reference { position, rotation }, Some(e)) if input.is_finite() => {
                    let before = (e, self.params.elements[e], self.state.strain[e]);
                    let work = self.move_anchor(e, &position, &rotation);
                    work.inspect(|_| self.scratch.undo.push(before))
                }
                (PortInput::Effort(_) | PortInput::Rate(_) | PortInput::Target(_), Some(e))
                    if self.model.ports[port].motor && input.is_finite() =>
                {
                    self.set_drive(e, input, self.model.ports[port].limit)
                }
                (PortInput::Reference { .. } | PortInput::Target(_), _) => None,
                (PortInput::Effort(_) | PortInput::Rate(_), _) => None,
                _ => input.is_finite().then_some(0.0),
            };
            match moved {
                Some(work) if work.is_finite() => self.scratch.reference_work[port] = work,
                Some(_) => {
                    if let Some((e, params, strain)) = self.scratch.undo.pop() {
                        (self.params.elements[e], self.state.strain[e]) = (params, strain);
                    }
                    status = Status::InputIgnored;
                }
                None => status = Status::InputIgnored,
            }
        }
        status
    }

    /// Sets what a motor does in this step; returns the work of moving its target [J].
    fn set_drive(&mut self, e: usize, input: PortInput, limit: f64) -> Option<f64> {
        match input {
            PortInput::Effort(effort) => {
                self.scratch.drives[e].effort = effort.max(-limit).min(limit);
            }
            PortInput::Rate(rate) => self.scratch.drives[e].rate = rate,
            PortInput::Target(target) => {
                let before = (e, self.params.elements[e], self.state.strain[e]);
                let work = self.move_rest(e, target)?;
                self.scratch.undo.push(before);
                return Some(work);
            }
            _ => return None,
        }
        Some(0.0)
    }

    /// A refused step leaves the references where they were.
    fn undo_references(&mut self) {
        while let Some((e, params, strain)) = self.scratch.undo.pop() {
            (self.params.elements[e], self.state.strain[e]) = (params, strain);
        }
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
        self.scratch.ports.copy_from_slice(&self.scratch.draft);
        for (i, port) in self.model.ports.iter().enumerate() {
            let (s, out) = (&self.state.bodies[port.body], &mut self.scratch.ports[i]);
            if let (true, Some(e)) = (port.motor, port.element) {
                out.measure = self.state.strain[e][0] + self.params.elements[e].rest[0];
                (out.position, out.rotation) = (s.x + s.q * port.point, s.q * port.frame);
                continue;
            }
            (out.position, out.rotation) = (s.x + s.q * port.point, s.q * port.frame);
            (out.force, out.torque) = match port.element {
                Some(e) => {
                    let kind = &self.model.elements[e].kind;
                    spring_force(kind, &self.params.elements[e], &self.state.strain[e])
                }
                None => wrench_of(inputs, i).unwrap_or_default(),
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
