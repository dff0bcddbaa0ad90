//! Contact in motion: things that fall into a box, and a hand that ploughs through blocks.

use super::worlds::{Random, refused};
use crate::failure::Failure;
use palpable::{
    Body, BodyId, Inputs, Material, Model, ModelBuilder, Port, PortId, PortInput, Rotation, Vec3,
    World,
};

/// Things that fall into a box of a square metre, layer by layer, turned anyhow.
#[derive(Debug, Clone, Copy)]
pub enum Heap {
    /// Boxes of 10 to 20 cm.
    Boxes(usize),
    /// Boxes, balls and capsules in turn.
    Mixed(usize),
    /// Balls of 10 to 20 cm.
    Balls(usize),
}

/// Half the width of the box inside [m].
const WIDE: f64 = 0.5;

impl Heap {
    /// Builds the world.
    ///
    /// # Errors
    /// The engine refused the model, which is a bug.
    pub fn world(self) -> Result<World, Failure> {
        Ok(World::new(self.model().build().map_err(refused)?))
    }

    fn model(self) -> ModelBuilder {
        let (mut model, mut random) = (Model::builder(), Random(1));
        let (Heap::Boxes(n) | Heap::Mixed(n) | Heap::Balls(n)) = self;
        model.gravity([0.0, 0.0, -9.81]).contacts(40 * n);
        let far = WIDE + 0.5;
        wall(&mut model, "floor", [0.0, 0.0, -0.5], [WIDE + 1.0, WIDE + 1.0, 0.5]);
        for (k, side) in [far, -far].into_iter().enumerate() {
            wall(&mut model, &format!("wall x {k}"), [side, 0.0, 2.0], [0.5, WIDE + 1.0, 2.5]);
            wall(&mut model, &format!("wall y {k}"), [0.0, side, 2.0], [WIDE + 1.0, 0.5, 2.5]);
        }
        for i in 0..n {
            let (layer, place) = (i / 9, i % 9);
            let jog = random.vector(0.02);
            let at = [
                0.3 * (place % 3) as f64 - 0.3 + jog[0],
                0.3 * (place / 3) as f64 - 0.3 + jog[1],
                0.3 + 0.3 * layer as f64,
            ];
            let (turn, mut size) =
                (Vec3::from(random.vector(3.0)), || 0.075 + 0.025 * random.sign());
            let name = format!("{i}");
            let body = match (self, i % 3) {
                (Heap::Boxes(_), _) => Body::cuboid(name, [size(), size(), size()]),
                (Heap::Balls(_), _) => Body::sphere(name, size()),
                (_, 0) => Body::cuboid(name, [0.08, 0.06, 0.05]),
                (_, 1) => Body::sphere(name, 0.07),
                _ => Body::capsule(name, 0.04, 0.06),
            };
            let body = body.mass(0.2).position(at).rotation(Rotation::from_scaled_axis(turn));
            model.body(body.material(rough()));
        }
        model
    }
}

fn rough() -> Material {
    Material::new(0.5, 0.0)
}

fn wall(model: &mut ModelBuilder, name: &str, centre: [f64; 3], half: [f64; 3]) {
    model.body(Body::cuboid(name, half).fixed().position(centre).material(rough()));
}

/// The hand that holds a ball and ploughs through blocks, or stirs a pit of boxes.
#[derive(Debug, Clone, Copy)]
pub struct Stir(PortId, fn(f64) -> [f64; 3]);

impl Stir {
    /// A wall of so many blocks in rows, each shorter than the one below, and the hand's ball.
    ///
    /// # Errors
    /// The engine refused the model, which is a bug.
    pub fn world(blocks: usize) -> Result<(World, Self), Failure> {
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -9.81]).contacts(40 * blocks.max(8));
        wall(&mut model, "floor", [0.0, 0.0, -1.0], [50.0, 50.0, 1.0]);
        let mut row = (1..).find(|base| base * (base + 1) / 2 >= blocks).unwrap_or(1);
        let (mut left, mut height) = (blocks, 0.05);
        while left > 0 {
            let count = row.min(left);
            for i in 0..count {
                let x = 0.21 * (i as f64 - 0.5 * (count as f64 - 1.0));
                let name = format!("{left}-{i}");
                let block = Body::cuboid(name, [0.1, 0.05, 0.05]).mass(0.1);
                model.body(block.position([x, 0.0, height]).material(rough()));
            }
            left -= count;
            (row, height) = (row.saturating_sub(1).max(1), height + 0.1);
        }
        let stir = Self::held(&mut model, hand);
        Ok((World::new(model.build().map_err(refused)?), stir))
    }

    /// A pit with so many boxes, and the hand's ball that goes round in it.
    ///
    /// # Errors
    /// The engine refused the model, which is a bug.
    pub fn pit(boxes: usize) -> Result<(World, Self), Failure> {
        let mut model = Heap::Boxes(boxes).model();
        let stir = Self::held(&mut model, round);
        Ok((World::new(model.build().map_err(refused)?), stir))
    }

    /// A ball in a hand that follows `path`.
    fn held(model: &mut ModelBuilder, path: fn(f64) -> [f64; 3]) -> Self {
        let ball = Body::sphere("ball", 0.05).mass(0.2).position(Vec3::from(path(0.0)));
        let ball: BodyId = model.body(ball.material(rough()));
        let stiffness = [2e3, 2e3, 2e3, 1.0, 1.0, 1.0];
        let damping = [2.0, 2.0, 2.0, 0.01, 0.01, 0.01];
        Self(model.port(Port::reference("hand", ball.origin(), stiffness, damping)), path)
    }

    /// Where the hand is at a time [s].
    pub fn inputs(&self, time: f64, inputs: &mut Inputs) {
        let (position, rotation) = ((self.1)(time).into(), Rotation::identity());
        inputs.set(self.0, PortInput::Reference { position, rotation });
    }
}

fn hand(t: f64) -> [f64; 3] {
    let x = -1.5 + 1.5 * (1.0 - (1.2 * t).cos());
    [x, 0.15 * (3.1 * t).sin(), 0.10 + 0.05 * (2.3 * t).sin().abs()]
}

/// Round in the pit, up and down.
fn round(t: f64) -> [f64; 3] {
    let (s, c) = (2.0 * t).sin_cos();
    [0.25 * c, 0.25 * s, 0.15 + 0.08 * (1.3 * t).sin()]
}
