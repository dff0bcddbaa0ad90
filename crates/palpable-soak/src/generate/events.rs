//! Live changes and snapshots, and how long the world runs.

use super::{Draft, draw_effort};
use crate::random::Random;
use crate::scene::{Change, Event};
use palpable::{Material, Payment};

impl Draft {
    pub(super) fn add_events(&mut self) {
        let (moderate, iso) = (self.profile.is_moderate(), self.profile.is_iso());
        if self.random.chance(0.4) && !moderate && !iso {
            for _ in 0..self.random.below(12) {
                let step = self.random.below(self.scene.steps);
                let change = self.draw_change();
                self.scene.events.push(Event { step, change });
            }
        }
        if self.random.chance(0.5) {
            let step = 20 + self.random.below(150);
            self.scene.events.push(Event { step, change: Change::Snapshot });
        }
        if self.random.chance(0.3) && !moderate && !iso {
            for _ in 0..self.random.below(12) {
                let step = self.random.below(self.scene.steps);
                let change = self.draw_edit();
                self.scene.events.push(Event { step, change });
            }
        }
        if self.profile.is_pile() || moderate {
            self.scene.steps = if self.scene.step_range[0] < 5e-4 { 900 } else { 500 };
        }
        self.scene.events.sort_by_key(|event| event.step);
    }

    fn draw_change(&mut self) -> Change {
        let mover = self.draw_mover();
        let body = self.scene.bodies[mover].id;
        let (random, scale) = (&mut self.random, self.scale);
        match random.below(11) {
            0 => {
                let factor = random.spread(0.05, 20.0);
                Change::Mass { body, factor, payment: draw_payment(random) }
            }
            1 => {
                let (element, factor) = (random.below(50), random.spread(0.01, 100.0));
                Change::Stiffness { element, factor, payment: draw_payment(random) }
            }
            2 => {
                let gravity = random.vector(1.0) * random.spread(0.1, 100.0);
                Change::Gravity { gravity, payment: draw_payment(random) }
            }
            3 => {
                let friction = random.between(0.0, 2.0);
                Change::Surface { body, material: Material::new(friction, random.unit()) }
            }
            4 => Change::Effort(draw_effort(random)),
            5 | 6 => Change::AttachForce { body, at: random.vector(scale * 0.3) },
            7 => {
                let (at, stiffness) = (random.vector(scale * 0.3), random.spread(1.0, 1e5));
                let amplitude = scale * random.spread(1e-3, 1.0);
                Change::AttachReference { body, at, stiffness, amplitude }
            }
            8 => Change::Detach,
            9 => Change::Grant(random.spread(1e-6, 1.0)),
            _ => Change::Damping { body, damping: random.spread(1e-3, 10.0) },
        }
    }

    /// Parts that come and go, and steps that are refused.
    fn draw_edit(&mut self) -> Change {
        let mover = self.draw_mover();
        let body = self.scene.bodies[mover].id;
        let (random, scale) = (&mut self.random, self.scale);
        match random.below(8) {
            0 | 1 => {
                let (at, radius) = (random.vector(3.0 * scale), scale * random.spread(0.05, 1.0));
                Change::Add { at, radius, velocity: random.vector(1.0) }
            }
            2 => Change::Remove,
            3 => Change::AttachForce { body, at: random.vector(scale * 0.3) },
            4 | 5 => Change::Release { which: random.below(8) },
            6 => Change::Refused,
            _ => Change::Kick { body, velocity: random.vector(1.0) },
        }
    }
}

fn draw_payment(random: &mut Random) -> Payment {
    if random.chance(0.5) { Payment::Supply } else { Payment::Tank }
}
