//! This engine.

use crate::layout::Layout;
use crate::{End, Engine};
use palpable::{Body, BodyId, Inputs, Material, Model, Vec3, World};

pub struct Ours {
    world: World,
    step: f64,
    boxes: Vec<(BodyId, Vec3)>,
    residual: f64,
    sweeps: [usize; 2],
}

impl Ours {
    pub fn new(layout: &Layout) -> Self {
        let mut model = Model::builder();
        let rough = Material::new(0.5, 0.0);
        model.gravity([0.0, 0.0, -9.81]).contacts(12 * layout.places.len().max(8));
        model.body(Body::half_space("floor").material(rough));
        let mut boxes = Vec::new();
        for (i, &place) in layout.places.iter().enumerate() {
            let block = Body::cuboid(format!("b{i}"), layout.half).mass(1.0).position(place);
            boxes.push((model.body(block.material(rough)), Vec3::from(place)));
        }
        let world = World::new(model.build().expect("a valid world"));
        Self { world, step: layout.step, boxes, residual: 0.0, sweeps: [0; 2] }
    }
}

impl Engine for Ours {
    fn step(&mut self) {
        let report = self.world.step(self.step, &Inputs::none());
        self.residual = report.contact.residual;
        let [all, most] = self.sweeps;
        let taken = report.contact.iterations;
        self.sweeps = [all + taken, most.max(taken)];
    }

    fn count_from_here(&mut self) {
        self.sweeps = [0; 2];
    }

    fn end(&self) -> End {
        let moved = self.boxes.iter().map(|(b, p)| (self.world.pose(*b).position - p).norm());
        let speeds = self.boxes.iter().map(|(b, _)| self.world.velocity(*b).norm());
        End {
            moved: moved.fold(0.0, f64::max),
            speed: speeds.fold(0.0, f64::max),
            residual: Some(self.residual),
            sweeps: self.sweeps,
        }
    }
}
