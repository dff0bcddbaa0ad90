//! Ports: random wrenches, jumping references, constant pressure.

use super::Draft;
use crate::drive::Drive;
use crate::scene::{PortSpec, Profile};
use palpable::Vec3;

/// Numbers of ports begin here.
const FIRST: usize = 100;

impl Draft {
    pub(super) fn add_ports(&mut self) {
        let press = self.profile == Profile::Press;
        let count = if self.profile.is_iso() {
            0
        } else if press {
            1 + self.random.below(2)
        } else {
            self.random.below(3)
        };
        for id in FIRST..FIRST + count {
            let port = self.draw_port(id);
            self.scene.ports.push(port);
        }
        if press && self.random.chance(0.5) {
            let first = self.first();
            self.scene.bodies[first].velocity = Vec3::zeros();
        }
    }

    fn draw_port(&mut self, id: usize) -> PortSpec {
        let mover = self.draw_mover();
        let body = &self.scene.bodies[mover];
        let (body, mass, radius) = (body.id, body.mass, body.form.radius());
        let (drive, stiffness) = self.draw_drive(mass, radius);
        PortSpec { id, body, at: self.random.vector(radius * 0.5), drive, stiffness }
    }

    /// A drive for a body of this mass [kg] and radius [m], and the stiffness of a reference [N/m].
    fn draw_drive(&mut self, mass: f64, radius: f64) -> (Drive, f64) {
        let random = &mut self.random;
        if self.profile == Profile::Press {
            return (Drive::Press(self.down * mass * random.spread(1.0, 1e4)), 0.0);
        }
        if self.profile.is_moderate() {
            return (Drive::Force { force: mass * 20.0, torque: mass * radius * 5.0 }, 0.0);
        }
        match random.below(3) {
            0 => {
                let force = mass * random.spread(1e-2, 1e5);
                (Drive::Force { force, torque: mass * radius * random.spread(1e-2, 1e3) }, 0.0)
            }
            1 => {
                let stiffness = random.spread(1e-2, 1e6);
                let amplitude = self.scale * random.spread(1e-3, 3.0);
                (Drive::Reference { center: Vec3::zeros(), amplitude }, stiffness)
            }
            _ => (Drive::Press(random.vector(1.0) * mass * random.spread(1.0, 1e3)), 0.0),
        }
    }
}
