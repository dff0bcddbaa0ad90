//! Forces that a program applies to a body for one step, beside those of ports.

use super::scratch::{Applied, Scratch};
use super::{ChangeError, World};
use crate::math::{Vec3, Vec6, angular, join, linear};
use crate::model::{BodyId, Model};
use crate::stamp::{self, PortMap, Rule};

impl World {
    /// Applies a force [N] at the centre of mass of a body and a torque [N·m], both in world axes,
    /// during the next step that is taken; several calls add up. Its work is supplied energy.
    ///
    /// # Errors
    /// A body that is fixed, gone or of another world, a number that is not finite.
    pub fn apply_force(
        &mut self,
        body: BodyId,
        force: impl Into<Vec3>,
        torque: impl Into<Vec3>,
    ) -> Result<(), ChangeError> {
        let wrench = join(&force.into(), &torque.into());
        let b = self.moving(body).ok_or(ChangeError::Unknown { field: "body" })?;
        let sum = self.memory.applied[b] + wrench;
        if !sum.iter().all(|v| v.is_finite()) {
            return Err(ChangeError::NotFinite { field: "force" });
        }
        self.memory.applied[b] = sum;
        self.memory.applying = true;
        if let Some(carry) = &mut self.memory.contact {
            carry.sleep.wake(b);
        }
        Ok(())
    }

    /// The same for a force at a point, both in world axes; it turns with nothing.
    ///
    /// # Errors
    /// As above.
    pub fn apply_force_at(
        &mut self,
        body: BodyId,
        force: impl Into<Vec3>,
        point: impl Into<Vec3>,
    ) -> Result<(), ChangeError> {
        let (force, b) = (force.into(), self.moving(body));
        let b = b.ok_or(ChangeError::Unknown { field: "body" })?;
        let arm = point.into() - self.state.bodies[b].x;
        self.apply_force(body, force, arm.cross(&force))
    }

    /// Hands what is applied to the step that begins.
    pub(super) fn take_applied(&mut self) {
        let applied = &mut self.scratch.applied;
        applied.any = self.memory.applying;
        if applied.any {
            applied.forces.copy_from_slice(&self.memory.applied);
        }
    }

    /// What was applied acted for one step.
    pub(super) fn end_applied(&mut self) {
        if self.memory.applying {
            self.memory.applying = false;
            self.memory.applied.fill(Vec6::zeros());
            // bodies that nothing pushes are not looked at
            self.scratch.acting.wrenches.fill(Vec6::zeros());
        }
    }
}

/// Adds what is applied to a body to the forces on it.
pub(super) fn push_applied(model: &Model, scratch: &mut Scratch, rule: &Rule, b: usize) {
    let applied = scratch.applied.forces[b];
    if !scratch.applied.any || applied == Vec6::zeros() {
        return;
    }
    // nobody predicts how a body without elements turns
    let omega = match model.units.island_of(b) {
        None => scratch.work.bodies[b].omega,
        Some(_) => angular(&scratch.acting.twists[b]),
    };
    let (q, h) = (&scratch.work.bodies[b].q, if rule.secant { rule.h } else { 0.0 });
    let map = PortMap::new(&Vec3::zeros(), q, &omega, h);
    let wrench = stamp::port_wrench(&map, &linear(&applied), &angular(&applied));
    scratch.applied.wrenches[b] = wrench;
    scratch.acting.wrenches[b] += wrench;
}

/// Adds the work of this part of the step.
pub(super) fn collect_applied(scratch: &mut Scratch, rule: &Rule) {
    let Scratch { applied: Applied { any, forces, wrenches, work }, slate, .. } = scratch;
    if !*any {
        return;
    }
    for (b, force) in forces.iter().enumerate() {
        if *force != Vec6::zeros() {
            work[b] += rule.h * wrenches[b].dot(&slate.mid[b]);
        }
    }
}
