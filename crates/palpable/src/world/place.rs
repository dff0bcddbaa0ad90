//! Bodies that are put elsewhere, or given another velocity; whoever does it pays.

use super::live::finite;
use super::{ChangeError, Receipt, World, kinetic};
use crate::ledger::{Entry, Flows, Stored};
use crate::math::Vec3;
use crate::model::{BodyId, BodyState, Pose, element_strain};

impl World {
    /// Puts a body elsewhere, at the velocity that it has. Springs on it are stretched by the move,
    /// hard joints pull it back in the next steps. What that stores is supplied, what it sets free
    /// is discarded.
    ///
    /// # Errors
    /// A body that is fixed, a link, gone or of another world; a pose that is not finite, or where
    /// more would be stored than a number can hold.
    pub fn set_pose(&mut self, body: BodyId, pose: Pose) -> Result<Receipt, ChangeError> {
        finite("position", pose.position.as_slice())?;
        finite("rotation", pose.rotation.coords.as_slice())?;
        let b = self.known_body(body)?;
        let (info, now) = (&self.model.bodies[body.0], self.state.bodies[b]);
        let x = pose.position + pose.rotation * info.center_of_mass;
        let q = pose.rotation * info.body_from_principal;
        self.place(b, BodyState { x, q, ..now })
    }

    /// Sets the velocity of a body's centre of mass, world axes [m/s], and its angular velocity in
    /// its own axes [rad/s]. What that stores is supplied, what it takes is discarded.
    ///
    /// # Errors
    /// A body that is fixed, a link, gone or of another world; a velocity that is not finite, or at
    /// which more would be stored than a number can hold.
    pub fn set_velocity(
        &mut self,
        body: BodyId,
        velocity: impl Into<Vec3>,
        angular_velocity: impl Into<Vec3>,
    ) -> Result<Receipt, ChangeError> {
        let (v, omega) = (velocity.into(), angular_velocity.into());
        finite("velocity", v.as_slice())?;
        finite("angular velocity", omega.as_slice())?;
        let b = self.known_body(body)?;
        let turn = self.model.bodies[body.0].body_from_principal.inverse();
        let now = self.state.bodies[b];
        self.place(b, BodyState { v, omega: turn * omega, ..now })
    }

    /// Gives a moving body another state; strains follow by exactly the change of the true ones.
    fn place(&mut self, b: usize, next: BodyState) -> Result<Receipt, ChangeError> {
        let before = self.ledger.now();
        let (p, was) = (self.params.bodies[b], self.state.bodies[b]);
        let mut state = self.state.clone();
        state.bodies[b] = next;
        for (e, info) in self.model.elements.iter().enumerate() {
            if info.blocks.contains(&crate::model::Block::Body(b)) {
                let (q, g) = (&self.params.elements[e], self.state.strain[e]);
                let moved =
                    element_strain(info, q, &state, &g) - element_strain(info, q, &self.state, &g);
                // a hard row is closed by the next projection
                (0..6)
                    .filter(|&row| !q.is_hard(row))
                    .for_each(|row| state.strain[e][row] += moved[row]);
            }
        }
        let elements = self.params.elements.iter().zip(&state.strain);
        let after = Stored {
            // a difference would leave the rounding of what a fast body had
            kinetic: kinetic(&self.model, &self.params, &state),
            elastic: elements.map(|(p, g)| p.elastic(g)).sum(),
            gravity: before.gravity - p.mass * self.params.gravity.dot(&(next.x - was.x)),
            tank: before.tank,
            contact: before.contact,
        };
        let jump = (after - before).total();
        if !jump.is_finite() || !next.is_finite() {
            return Err(ChangeError::NotFinite { field: "energy after the move" });
        }
        self.state = state;
        self.wake();
        if self.scratch.layout.tracked.binary_search(&b).is_ok() {
            // what was cannot be extrapolated
            self.state.history.mid[b] = [next.twist(); 2];
        }
        self.enter_jump(after, jump);
        Ok(Receipt { applied: 1.0, jump, tank: 0.0, supplied: jump.max(0.0) })
    }

    /// Enters a jump of stored energy [J]: supplied if it rose, discarded if it fell.
    pub(super) fn enter_jump(&mut self, after: Stored, jump: f64) {
        let (supplied, discarded) = (jump.max(0.0), (-jump).max(0.0));
        self.enter_flows(after, Flows { supplied, discarded, ..Flows::default() });
    }

    /// Enters what a change between steps supplied and discarded.
    pub(super) fn enter_flows(&mut self, after: Stored, flows: Flows) {
        let before = self.ledger.now();
        let moved = flows.supplied.abs() + flows.discarded.abs();
        let in_play = before.total().abs().max(after.total().abs()) + moved;
        let entry = Entry { before, after, flows, booked: 0.0, in_play, defect: 0.0 };
        self.ledger.enter(self.tick, &entry, 0);
        self.scratch.last.committed = None;
    }
}
