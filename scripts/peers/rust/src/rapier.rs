//! Rapier with f64, as it comes: four solver iterations, no sleeping.

use crate::layout::Layout;
use crate::{End, Engine};
use rapier3d_f64::prelude::*;

pub struct Rapier {
    world: PhysicsWorld,
    boxes: Vec<(RigidBodyHandle, [f64; 3])>,
}

impl Rapier {
    pub fn new(layout: &Layout) -> Self {
        let mut world = PhysicsWorld::default();
        world.gravity = Vector::new(0.0, 0.0, -9.81);
        world.integration_parameters.dt = layout.step;
        world.insert(
            RigidBodyBuilder::fixed().translation(Vector::new(0.0, 0.0, -1.0)),
            ColliderBuilder::cuboid(500.0, 500.0, 1.0).friction(0.5),
        );
        let mut boxes = Vec::new();
        for &place in &layout.places {
            let at = Vector::new(place[0], place[1], place[2]);
            let body = RigidBodyBuilder::dynamic().translation(at).can_sleep(false);
            let [x, y, z] = layout.half;
            let shape = ColliderBuilder::cuboid(x, y, z).mass(1.0).friction(0.5).restitution(0.0);
            let (handle, _) = world.insert(body, shape);
            boxes.push((handle, place));
        }
        Self { world, boxes }
    }
}

impl Engine for Rapier {
    fn step(&mut self) {
        self.world.step();
    }

    fn end(&self) -> End {
        let body = |h: &RigidBodyHandle| &self.world.bodies[*h];
        let moved = self.boxes.iter().map(|(h, p)| {
            let t = body(h).translation();
            let d = [t.x - p[0], t.y - p[1], t.z - p[2]];
            d.iter().map(|d| d * d).sum::<f64>().sqrt()
        });
        let speeds = self.boxes.iter().map(|(h, _)| body(h).linvel().length());
        End {
            moved: moved.fold(0.0, f64::max),
            speed: speeds.fold(0.0, f64::max),
            residual: None,
            sweeps: [0; 2],
        }
    }
}
