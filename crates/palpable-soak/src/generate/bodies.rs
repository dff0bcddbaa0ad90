//! Bodies above the floor: towers, heaps, or loose ones; free ones are thrown at each other.

use super::Draft;
use super::forms::{draw_form, draw_material};
use crate::scene::{BodySpec, Form};
use palpable::Vec3;

/// How far the bodies have been stacked.
struct Stack {
    /// height of the next body [m]
    z: f64,
    /// true if boxes stand on each other
    tower: bool,
}

impl Draft {
    pub(super) fn add_bodies(&mut self) {
        let pile = self.profile.is_pile();
        self.movers = if pile { 3 + self.random.below(14) } else { 1 + self.random.below(10) };
        let mut stack = Stack { z: 0.0, tower: pile && self.random.chance(0.4) };
        for i in 0..self.movers {
            let body = self.draw_body(i, &mut stack);
            self.scene.bodies.push(body);
        }
    }

    fn draw_body(&mut self, i: usize, stack: &mut Stack) -> BodySpec {
        let size = self.draw_size();
        let form = self.draw_body_form(size, stack.tower);
        let mass = self.draw_mass();
        let (position, turn) = if stack.tower {
            self.place_in_tower(size, stack)
        } else {
            self.place_in_heap(i, form.radius(), stack)
        };
        let (moderate, iso) = (self.profile.is_moderate(), self.profile.is_iso());
        let random = &mut self.random;
        let speed = if moderate { 1.0 } else { random.spread(1e-2, 30.0) };
        let still = self.profile.is_pile() || random.chance(0.3);
        let rolls = self.rolls && random.chance(0.5);
        let own = !random.chance(0.5);
        let material = if own { draw_material(random, rolls) } else { self.material };
        let damped = random.chance(0.15) && !iso;
        let mut damp = |low, high| if damped { random.spread(low, high) } else { 0.0 };
        let damping = [damp(1e-4, 10.0), damp(1e-6, 0.1)];
        let mut motion = |most| if still { Vec3::zeros() } else { random.vector(most) };
        let (velocity, spin) = (motion(speed), motion(speed / size.max(1e-3)));
        let (id, fixed) = (self.scene.bodies.len(), false);
        BodySpec { id, form, mass, position, turn, velocity, spin, damping, material, fixed }
    }

    /// Half size of a body [m].
    fn draw_size(&mut self) -> f64 {
        let (random, scale) = (&mut self.random, self.scale);
        if self.profile.is_moderate() {
            scale * random.spread(0.5, 1.5)
        } else if self.profile.is_pile() {
            scale * random.spread(0.4, 1.5)
        } else if random.chance(0.15) {
            random.spread(1e-4, 10.0)
        } else {
            scale * random.spread(0.2, 2.0)
        }
    }

    /// Meshes touch boxes, but neither each other nor floors that are meshes: one a world.
    fn draw_body_form(&mut self, size: f64, tower: bool) -> Form {
        if tower {
            return Form::Cuboid(Vec3::new(size, size, size * 0.5));
        }
        let form = draw_form(&mut self.random, size, self.profile.is_moderate());
        let bodies = &self.scene.bodies;
        let on_box = bodies.first().is_some_and(|floor| matches!(floor.form, Form::Cuboid(_)));
        let alone = !bodies.iter().any(|body| matches!(body.form, Form::Bracket(_)));
        let meshes_fit = !self.profile.is_iso() && on_box && alone;
        if matches!(form, Form::Bracket(_)) && !meshes_fit {
            return Form::Cylinder { half_length: size * 0.3, radius: size * 0.6 };
        }
        form
    }

    /// Mass of a body [kg].
    fn draw_mass(&mut self) -> f64 {
        let random = &mut self.random;
        if self.profile.is_moderate() {
            random.spread(0.02, 5.0)
        } else if self.profile.is_pile() {
            let mass = random.spread(0.05, 5.0);
            mass * if random.chance(0.1) { random.spread(1e-3, 1e3) } else { 1.0 }
        } else if random.chance(0.3) {
            1.0
        } else {
            random.spread(1e-6, 1e6)
        }
    }

    /// Position [m] and rotation vector of the next box of a tower.
    fn place_in_tower(&mut self, size: f64, stack: &mut Stack) -> (Vec3, Vec3) {
        stack.z += size * 0.5;
        let x = self.random.between(-0.1, 0.1) * size;
        let y = self.random.between(-0.1, 0.1) * size;
        let position = self.upright * Vec3::new(x, y, stack.z);
        stack.z += size * 0.5 + if self.random.chance(0.3) { 1e-3 * size } else { 0.0 };
        (position, self.up_turn)
    }

    /// Position [m] and rotation vector of the next body of a heap, three in a layer; in worlds
    /// that are not moderate some overlap.
    fn place_in_heap(&mut self, i: usize, radius: f64, stack: &mut Stack) -> (Vec3, Vec3) {
        let (random, scale, moderate) = (&mut self.random, self.scale, self.profile.is_moderate());
        let apart = if moderate {
            2.1
        } else if random.chance(0.3) {
            random.between(0.1, 1.0)
        } else {
            2.0
        };
        stack.z += apart * radius * if i.is_multiple_of(3) { 1.0 } else { 0.35 };
        let column = (i % 3) as f64 * if moderate { 2.2 } else { 1.2 };
        let x = column * scale + random.between(-0.2, 0.2) * scale;
        let y = random.between(-1.0, 1.0) * scale;
        (self.upright * Vec3::new(x, y, stack.z), random.turn())
    }

    /// Free bodies: some in a row, all on their way to the middle.
    pub(super) fn throw_together(&mut self) {
        if !self.profile.is_iso() {
            return;
        }
        if self.random.chance(0.6) {
            line_up(&mut self.scene.bodies);
        }
        for body in &mut self.scene.bodies {
            let inward = -body.position * self.random.spread(0.1, 10.0);
            body.velocity = inward + self.random.vector(0.3);
        }
        if self.random.chance(0.4) {
            self.scene.step_range = [1e-3; 2];
        }
    }
}

/// Places bodies in a row along x that is not quite straight, its middle at the origin.
fn line_up(bodies: &mut [BodySpec]) {
    let mut x = 0.0;
    for body in bodies.iter_mut() {
        let radius = body.form.radius();
        x += radius * 1.05;
        let (y, z) = ((body.id % 3) as f64, (body.id % 2) as f64);
        body.position = Vec3::new(x, 0.1 * radius * y, 0.07 * radius * z);
        x += radius * 1.05;
    }
    for body in bodies {
        body.position.x -= 0.5 * x;
    }
}
