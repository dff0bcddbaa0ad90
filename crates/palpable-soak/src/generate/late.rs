//! Bodies that hit a pile after it has come to rest.

use super::Draft;
use super::forms::draw_form;
use crate::scene::{BodySpec, Form, Profile};
use palpable::Vec3;

impl Draft {
    pub(super) fn add_latecomers(&mut self) {
        if self.profile == Profile::PileHit {
            for k in 0..1 + self.random.below(3) {
                let body = self.draw_latecomer(k);
                self.scene.bodies.push(body);
            }
        }
    }

    /// A body that reaches the pile some 60 + 50 k steps after the start.
    fn draw_latecomer(&mut self, k: usize) -> BodySpec {
        let (random, scale, gravity) = (&mut self.random, self.scale, self.scene.gravity);
        let size = scale * random.spread(0.3, 1.0);
        let from = (random.vector(1.0) - self.down * 0.5).normalize();
        let time = self.scene.step_range[0] * (60.0 + 50.0 * k as f64);
        let speed = random.spread(0.05, 10.0) * scale.max(0.05) * 3.0;
        let target = self.upright * Vec3::new(scale, 0.0, scale);
        let fall = gravity * (0.5 * time * time);
        let form = match draw_form(random, size, false) {
            Form::Bracket(_) => Form::Ball(size),
            form => form,
        };
        BodySpec {
            id: self.scene.bodies.len(),
            form,
            mass: random.spread(0.05, 5.0),
            position: target + from * (speed * time + 3.0 * scale) - fall,
            turn: random.turn(),
            velocity: -from * speed,
            spin: random.vector(1.0),
            damping: [0.0; 2],
            material: self.material,
            fixed: false,
        }
    }
}
