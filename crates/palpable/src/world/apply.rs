//! Forces that a program applies to a body for one step, beside those of ports.

use super::midpoint::Part;
use super::scratch::{Applied, Scratch};
use super::{ChangeError, World};
use crate::math::{Vec3, Vec6, angular, join, linear};
use crate::model::BodyId;
use crate::stamp::{self, PortMap};

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

impl Part<'_> {
    /// Adds what is applied to a body to the forces on it.
    pub(super) fn push_applied(&mut self, b: usize) {
        let Some(applied) = self.applied.get(b).filter(|f| **f != Vec6::zeros()) else { return };
        let Scratch { work, acting, applied: sums, .. } = &mut *self.scratch;
        // nobody predicts how a body without elements turns
        let omega = match self.model.units.island_of(b) {
            None => work.bodies[b].omega,
            Some(_) => angular(&acting.twists[b]),
        };
        let h = if self.rule.secant { self.rule.h } else { 0.0 };
        let map = PortMap::new(&Vec3::zeros(), &work.bodies[b].q, &omega, h);
        sums.wrenches[b] = stamp::port_wrench(&map, &linear(applied), &angular(applied));
        acting.wrenches[b] += sums.wrenches[b];
    }

    /// Adds the work of this part of the step.
    pub(super) fn collect_applied(&mut self) {
        let Scratch { applied: Applied { wrenches, work }, slate, .. } = &mut *self.scratch;
        for (b, _) in self.applied.iter().enumerate().filter(|(_, f)| **f != Vec6::zeros()) {
            work[b] += self.rule.h * wrenches[b].dot(&slate.mid[b]);
        }
    }
}
