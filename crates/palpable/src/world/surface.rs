//! Live changes of contact: friction, bounce, and the law itself.

use super::{ChangeError, Scheme, UNKNOWN, World};
use crate::contact::{ContactState, ImpulseLimit, Touch};
use crate::math::Vec3;
use crate::model::{BodyId, ContactLaw, LawError, Material};
use crate::port::PortId;
use crate::solve::cone::Resolution;

impl World {
    /// How the surface of a body rubs and bounces; `None` if nothing can touch in this world,
    /// or the id names nothing here.
    pub fn material(&self, body: BodyId) -> Option<Material> {
        self.params.surfaces.bodies.get(body.0).filter(|_| self.model.has_body(body)).copied()
    }

    /// Sets how the surface of a body rubs and bounces. Costs nothing: a surface stores no energy,
    /// friction only takes, and an impact gives back at most what it stopped.
    ///
    /// # Errors
    /// A world in which nothing can touch, an unknown body, a number out of range, or a lever
    /// against spinning or rolling where the model was built with none.
    pub fn set_material(&mut self, body: BodyId, material: Material) -> Result<(), ChangeError> {
        self.check_material(&material)?;
        if body.0 >= self.params.surfaces.bodies.len() || !self.model.has_body(body) {
            return Err(ChangeError::Unknown { field: "surface of the body" });
        }
        self.set_params(|p| p.surfaces.bodies[body.0] = material);
        Ok(())
    }

    /// The same for a pair of bodies that was given a material of its own.
    ///
    /// # Errors
    /// A pair without one, and as above.
    pub fn set_pair_material(
        &mut self,
        a: BodyId,
        b: BodyId,
        material: Material,
    ) -> Result<(), ChangeError> {
        self.check_material(&material)?;
        let key = (a.0.min(b.0), a.0.max(b.0));
        if !(self.model.has_body(a) && self.model.has_body(b)) {
            return Err(ChangeError::Unknown { field: "body of the pair" });
        }
        let known = self.params.surfaces.pairs.iter().position(|(pair, _)| *pair == key);
        let known = known.ok_or(ChangeError::Unknown { field: "material of the pair" })?;
        self.set_params(|p| p.surfaces.pairs[known].1 = material);
        Ok(())
    }

    /// Sets how bodies that touch act on each other unless their surfaces name a law, from the next
    /// step on; the present one is in [`World::options`]. Costs nothing: what a law creates, it
    /// creates in steps.
    ///
    /// # Errors
    /// The law does not suit the model; nothing changed.
    pub fn set_contact_law(&mut self, law: ContactLaw) -> Result<(), LawError> {
        law.check(&self.model)?;
        self.options.contact_law = law;
        self.wake();
        Ok(())
    }

    /// Sets how impulses are found where several bodies collide at once, from the next step on.
    /// No choice creates energy.
    pub fn set_collision(&mut self, resolution: Resolution) {
        self.options.collision = resolution;
        self.prepare_collisions();
        self.wake();
    }

    /// Makes room for the collisions that were chosen.
    pub(super) fn prepare_collisions(&mut self) {
        if let Some(stage) = &mut self.scratch.contact {
            stage.prepare(self.options.collision);
        }
    }

    /// Sets what impulses on a body that a port acts on may be, from the next step on.
    pub fn set_impulse_limit(&mut self, limit: ImpulseLimit) {
        self.options.impulse_limit = limit;
    }

    /// Impulse of contact on a body at the start of the last step, world axes [N·s], and its moment
    /// about the centre of mass [N·m·s]: `Jᵀp` `[Constantinescu2005, (26)]`.
    pub fn contact_impulse(&self, body: BodyId) -> [Vec3; 2] {
        let found = self.memory.contact.as_ref().zip(self.moving(body));
        found.map_or([self.still(body); 2], |(carry, node)| carry.impulses[node])
    }

    /// The same for the body that a port acts on.
    pub fn port_impulse(&self, port: PortId) -> [Vec3; 2] {
        let Some(place) = self.model.port_place(port) else { return [UNKNOWN; 2] };
        let (carry, node) = (self.memory.contact.as_ref(), self.model.ports[place].body);
        carry.map_or([Vec3::zeros(); 2], |carry| carry.impulses[node])
    }

    /// Whether a body is free, collides or rests, where its contacts begin with impulses
    /// `[Constantinescu2005 sec. III]`. An id that names nothing here is free.
    pub fn contact_state(&self, body: BodyId) -> ContactState {
        let Some(node) = self.moving(body) else { return ContactState::Free };
        let stage = self.scratch.contact.as_ref();
        if stage.is_some_and(|s| s.effect.colliding[node]) {
            return ContactState::Colliding;
        }
        let at = |t: &&Touch| t.nodes().contains(&Some(node));
        let met = |t: &Touch| t.meeting.met || t.force != Vec3::zeros();
        let touched = self.contacts().iter().filter(at).any(met);
        let pressed = self.patches().iter().any(|p| p.bodies.contains(&body.0));
        if touched || pressed { ContactState::Resting } else { ContactState::Free }
    }

    /// Sets the scheme by which the world goes on from the next step.
    pub fn set_scheme(&mut self, scheme: Scheme) {
        self.options.scheme = scheme;
        self.wake();
    }

    /// Lets schemes that know neither contact nor hard joints hold them by springs, or no longer.
    pub fn set_penalty(&mut self, penalty: Option<super::Penalty>) {
        self.options.penalty = penalty;
    }

    fn check_material(&self, material: &Material) -> Result<(), ChangeError> {
        match material.fault() {
            Some((field, value)) if !value.is_finite() => {
                return Err(ChangeError::NotFinite { field });
            }
            Some((field, value)) if value < 0.0 => {
                return Err(ChangeError::Negative { field, value });
            }
            Some((field, value)) => {
                let need = if field.starts_with("sides") { "4 to 64" } else { "between 0 and 1" };
                return Err(ChangeError::OutOfRange { field, value, need });
            }
            None => {}
        }
        // room for rows was made when the model was built
        let rows = self.model.contact.as_ref().map_or(3, |c| c.rows);
        if material.rows() > rows {
            let (field, need) = ("spin or roll radius", "0 unless the model was built with one");
            let value = material.spin_radius.max(material.roll_radius);
            return Err(ChangeError::OutOfRange { field, value, need });
        }
        Ok(())
    }
}
