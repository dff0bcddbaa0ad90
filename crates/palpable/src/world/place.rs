//! Bodies that are put elsewhere, or given another velocity; whoever does it pays.

use super::live::finite;
use super::{ChangeError, Receipt, UNKNOWN, World, kinetic};
use crate::ledger::{Entry, Flows, Stored};
use crate::math::{Rotation, Vec3, Vec6};
use crate::model::{BodyId, BodyState, Pose, element_strain};
use crate::port::PortId;

/// Where a device is and how it moves, world axes.
struct Shown {
    pose: Pose,
    v: Vec3,
    w: Vec3,
}

impl Shown {
    fn new(pose: Pose, v: Vec3, w: Vec3) -> Result<Self, ChangeError> {
        finite("position", pose.position.as_slice())?;
        finite("rotation", pose.rotation.coords.as_slice())?;
        finite("velocity", v.as_slice())?;
        finite("angular velocity", w.as_slice())?;
        Ok(Self { pose, v, w })
    }

    /// A body whose centre of mass is `arm` away [m], turned by `q`.
    fn body(&self, arm: Vec3, q: Rotation) -> BodyState {
        let Self { pose, v, w } = self;
        BodyState { x: pose.position + arm, q, v: v + w.cross(&arm), omega: q.inverse() * w }
    }
}

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

    /// A direct haptic pointer `[Hasegawa2004, sec. 3.2]`: puts a body where a device is, with the
    /// velocity [m/s] and angular velocity [rad/s], both in world axes, that the device has. Called
    /// before a step; after it, [`World::contact_wrench`] is what the device should render. Between
    /// two calls the body moves by its own mass. The hand pays: what the move stores is supplied,
    /// what it sets free is discarded. Allocates nothing.
    ///
    /// The hand feels a sampled spring as stiff as the contact, and no coupling limits it: see
    /// `palpable passivity explain --direct` for what that asks of the device.
    ///
    /// # Errors
    /// As those of [`World::set_pose`] and [`World::set_velocity`].
    pub fn drive(
        &mut self,
        body: BodyId,
        pose: Pose,
        velocity: impl Into<Vec3>,
        angular_velocity: impl Into<Vec3>,
    ) -> Result<Receipt, ChangeError> {
        let shown = Shown::new(pose, velocity.into(), angular_velocity.into())?;
        let b = self.known_body(body)?;
        let info = &self.model.bodies[body.0];
        let arm = pose.rotation * info.center_of_mass;
        let q = pose.rotation * info.body_from_principal;
        self.place(b, shown.body(arm, q))
    }

    /// The same for the body of a port: the port's frame goes where the device is. A reference port
    /// should have no stiffness and no damping then, or they brake the body.
    ///
    /// # Errors
    /// As those of [`World::drive`], or a port that is not there or whose body cannot be put.
    pub fn drive_port(
        &mut self,
        port: PortId,
        pose: Pose,
        velocity: impl Into<Vec3>,
        angular_velocity: impl Into<Vec3>,
    ) -> Result<Receipt, ChangeError> {
        let shown = Shown::new(pose, velocity.into(), angular_velocity.into())?;
        let place = self.model.port_place(port).ok_or(ChangeError::Unknown { field: "port" })?;
        let info = &self.model.ports[place];
        let (b, point, frame) = (info.body, info.point, info.frame);
        if self.model.owners[b].is_some() {
            return Err(ChangeError::Unknown { field: "body that moves freely, of the port" });
        }
        let q = pose.rotation * frame.inverse();
        self.place(b, shown.body(-(q * point), q))
    }

    /// What contacts do to the body of a port in the last step, world axes: force [N], and torque
    /// [N·m] about the port. No number for a port that is not there.
    pub fn port_contact(&self, port: PortId) -> [Vec3; 2] {
        let place = self.model.port_place(port);
        let body = place.map(|p| self.model.ports[p].body);
        let body = body.and_then(|b| self.model.bodies.iter().position(|i| i.moving == Some(b)));
        body.map_or([UNKNOWN; 2], |b| self.wrench_on(b, &self.port(port).position))
    }

    /// What contacts do to a body in the last step, world axes: force [N], and torque [N·m] about
    /// `point` [m]. No number for a body that is not there.
    pub fn contact_wrench(&self, body: BodyId, point: impl Into<Vec3>) -> [Vec3; 2] {
        if !self.model.has_body(body) {
            return [UNKNOWN; 2];
        }
        self.wrench_on(body.0, &point.into())
    }

    fn wrench_on(&self, body: usize, about: &Vec3) -> [Vec3; 2] {
        let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
        let sign = |bodies: [usize; 2]| match bodies {
            [_, b] if b == body => 1.0,
            [a, _] if a == body => -1.0,
            _ => 0.0,
        };
        let mut add = |sign: f64, at: &Vec3, f: &Vec3, m: &Vec3| {
            force += f * sign;
            torque += ((at - about).cross(f) + m) * sign;
        };
        for t in self.contacts() {
            add(sign(t.bodies), &t.point, &t.force, &t.torque);
        }
        for p in self.patches() {
            add(sign(p.bodies), &p.center, &p.force, &p.torque);
        }
        [force, torque]
    }

    /// How far the strain of an element moves if body `b` were in the state `next`; hard rows are
    /// closed by the next projection.
    fn strain_moved(&mut self, e: usize, b: usize, next: &BodyState) -> Vec6 {
        let (info, q) = (&self.model.elements[e], &self.params.elements[e]);
        let g = self.state.strain[e];
        let now = element_strain(info, q, &self.state, &g);
        let was = std::mem::replace(&mut self.state.bodies[b], *next);
        let mut moved = element_strain(info, q, &self.state, &g) - now;
        self.state.bodies[b] = was;
        (0..6).filter(|&row| q.is_hard(row)).for_each(|row| moved[row] = 0.0);
        moved
    }

    /// Gives a moving body another state; strains follow by exactly the change of the true ones.
    fn place(&mut self, b: usize, next: BodyState) -> Result<Receipt, ChangeError> {
        let before = self.ledger.now();
        let (p, was) = (self.params.bodies[b], self.state.bodies[b]);
        let touched = |world: &Self, e: usize| {
            world.model.elements[e].blocks.contains(&crate::model::Block::Body(b))
        };
        let mut elastic = 0.0;
        for e in 0..self.model.elements.len() {
            let mut g = self.state.strain[e];
            if touched(self, e) {
                g += self.strain_moved(e, b, &next);
            }
            elastic += self.params.elements[e].elastic(&g);
            self.scratch.slate.strains[e] = g;
        }
        self.state.bodies[b] = next;
        let after = Stored {
            // a difference would leave the rounding of what a fast body had
            kinetic: kinetic(&self.model, &self.params, &self.state),
            elastic,
            gravity: before.gravity - p.mass * self.params.gravity.dot(&(next.x - was.x)),
            tank: before.tank,
            contact: before.contact,
        };
        self.state.bodies[b] = was;
        let jump = (after - before).total();
        if !jump.is_finite() || !next.is_finite() {
            return Err(ChangeError::NotFinite { field: "energy after the move" });
        }
        self.state.strain.copy_from_slice(&self.scratch.slate.strains);
        self.state.bodies[b] = next;
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
