//! The energy of a world computed anew from poses, velocities, strains and parameters. The ledger
//! and its running sums are not asked.

use palpable::{BodyId, Vec3, World};

/// Energies of a world and the scales of their rounding.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Own {
    /// Kinetic energy of all bodies and links [J].
    pub kinetic: f64,
    /// Energy of all strains [J]; hard rows store none.
    pub elastic: f64,
    /// Potential of gravity `−Σ m g·x` [J].
    pub gravity: f64,
    /// What soft surfaces may give back, no function of poses: their stores are believed [J].
    pub stored: f64,
    /// Size of the numbers that were added up [J].
    pub size: f64,
    /// `Σ m |v|` [kg·m/s].
    pub momentum: f64,
}

impl Own {
    /// Measures a world. Beams store energy in shapes that no body shows: they are left out.
    pub fn of(world: &World) -> Self {
        let mut own = Own::default();
        for (body, center) in moving(world) {
            own.add_body(world, body, center);
        }
        own.elastic = elastic(world);
        own.stored = world.energy().contact;
        own.size += own.kinetic + own.elastic;
        own
    }

    /// Sum of the accounts [J].
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravity + self.elastic + self.stored
    }

    fn add_body(&mut self, world: &World, body: BodyId, center: Vec3) {
        let info = &world.model().bodies()[body.index()];
        let Some(params) = info.moving.map(|m| &world.params().bodies[m]) else { return };
        if !(params.mass > 0.0) {
            return;
        }
        let v = world.velocity(body);
        let omega = info.body_from_principal.inverse() * world.angular_velocity(body);
        let spin = omega.dot(&params.inertia.component_mul(&omega));
        self.kinetic += 0.5 * params.mass * v.norm_squared() + 0.5 * spin;
        let g = world.params().gravity;
        self.gravity -= params.mass * g.dot(&center);
        self.size += params.mass * g.norm() * center.norm();
        self.momentum += params.mass * v.norm();
    }
}

/// The moving bodies, and where their centres of mass are [m].
pub fn moving(world: &World) -> impl Iterator<Item = (BodyId, Vec3)> {
    let bodies = world.model().bodies().iter().filter(|info| info.moving.is_some());
    bodies.filter_map(|info| {
        let body = world.body_named(&info.name)?;
        Some((body, center_of_mass(world, body)))
    })
}

/// Where the centre of mass of a body is, world axes [m].
pub fn center_of_mass(world: &World, body: BodyId) -> Vec3 {
    let pose = world.pose(body);
    pose.position + pose.rotation * world.model().bodies()[body.index()].center_of_mass
}

/// `Σ ½ k g²` over all rows of finite stiffness [J].
fn elastic(world: &World) -> f64 {
    let elements = world.params().elements.iter().enumerate();
    let energies = elements.filter_map(|(index, params)| {
        let strain = world.strain(world.element(index)?);
        let rows = (0..6).filter(|row| params.stiffness[*row].is_finite());
        Some(rows.map(|row| 0.5 * params.stiffness[row] * strain[row] * strain[row]).sum::<f64>())
    });
    energies.sum()
}
