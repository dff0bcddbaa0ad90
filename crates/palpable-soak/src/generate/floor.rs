//! The floor: half space, box, flat mesh, bowl or height field, sometimes tilted.

use super::Draft;
use crate::scene::{BodySpec, Form, rotation};
use palpable::Vec3;

impl Draft {
    pub(super) fn add_floor(&mut self) {
        if self.profile.is_iso() {
            return;
        }
        let moderate = self.profile.is_moderate();
        let tilted = !moderate && self.random.chance(0.3);
        let tilt = if tilted { self.random.vector(0.3) } else { Vec3::zeros() };
        let turn = (rotation(&tilt) * self.upright).scaled_axis();
        let (form, place) = self.draw_floor();
        let position = rotation(&turn) * place;
        let (velocity, spin, damping) = (Vec3::zeros(), Vec3::zeros(), [0.0; 2]);
        let (material, fixed) = (self.material, true);
        self.scene.bodies.push(BodySpec {
            id: 0,
            form,
            mass: 1.0,
            position,
            turn,
            velocity,
            spin,
            damping,
            material,
            fixed,
        });
    }

    /// A floor and where it lies in its own axes [m].
    fn draw_floor(&mut self) -> (Form, Vec3) {
        let (scale, moderate) = (self.scale, self.profile.is_moderate());
        match self.random.below(if moderate { 2 } else { 6 }) {
            1 => {
                let half = Vec3::new(5.0, 5.0, 1.0) * if moderate { 1.0 } else { scale * 4.0 };
                (Form::Cuboid(half), Vec3::new(0.0, 0.0, -half.z))
            }
            2 => (Form::Plane(scale * 10.0), Vec3::zeros()),
            3 => {
                let form = Form::Bowl { half_side: scale * 8.0, depth: scale * 3.0 };
                (form, Vec3::new(0.0, 0.0, -scale))
            }
            4 => (Form::Field(scale * 8.0), Vec3::new(-scale * 8.0, -scale * 8.0, -scale)),
            _ => (Form::HalfSpace, Vec3::zeros()),
        }
    }
}
