//! The worlds that are measured, the same ones on every run.

use super::heaps::Heap;
use crate::failure::Failure;
use palpable::{Anchor, Body, BodyId, BuildErrors, Model, ModelBuilder, Spring, World};

/// A kind of world and its number of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bodies that tumble freely.
    Free(usize),
    /// Bodies in a row, joined point to point and hung from the world.
    Chain(usize),
    /// Bodies joined at random by springs of all kinds.
    Net(usize),
    /// Boxes that fall into a box, with friction.
    Heap(usize),
}

impl Kind {
    /// One word, for programs.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Free(_) => "free",
            Kind::Chain(_) => "chain",
            Kind::Net(_) => "net",
            Kind::Heap(_) => "heap",
        }
    }

    /// What it is, for people.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Free(_) => "free bodies",
            Kind::Chain(_) => "spring chain",
            // of all kinds, between bodies at random
            Kind::Net(_) => "2 springs a body",
            Kind::Heap(_) => "boxes in a heap",
        }
    }

    /// Number of bodies.
    pub fn bodies(self) -> usize {
        let (Kind::Free(n) | Kind::Chain(n) | Kind::Net(n) | Kind::Heap(n)) = self;
        n
    }

    /// Builds the world.
    ///
    /// # Errors
    /// The engine refused the model, which is a bug.
    pub fn world(self) -> Result<World, Failure> {
        let (mut model, mut random) = (Model::ghosts(), Random(1));
        match self {
            Kind::Free(n) => {
                (0..n).for_each(|i| {
                    body(&mut model, i, &mut random);
                });
            }
            Kind::Chain(n) => chain(&mut model, n, &mut random),
            Kind::Net(n) => net(&mut model, n, &mut random),
            Kind::Heap(n) => return Heap::Boxes(n).world(),
        }
        Ok(World::new(model.build().map_err(refused)?))
    }
}

/// The failure of a world that should have been accepted.
pub fn refused(errors: BuildErrors) -> Failure {
    Failure::new(format!("the world was refused: {errors}; report this as a bug"))
}

/// A body that spins about no axis in particular.
fn body(model: &mut ModelBuilder, index: usize, random: &mut Random) -> BodyId {
    let spin = random.vector(5.0);
    let body = Body::cuboid(format!("body {index}"), [0.02, 0.03, 0.04])
        .mass(0.1)
        .position([0.1 * index as f64, 0.0, 0.0])
        .angular_velocity(spin);
    model.body(body)
}

fn chain(model: &mut ModelBuilder, n: usize, random: &mut Random) {
    model.gravity([0.0, 0.0, -9.81]);
    let mut hook = Anchor::world([-0.05, 0.0, 0.0]);
    for index in 0..n {
        let link = body(model, index, random);
        let near = link.at([-0.05, 0.0, 0.0]);
        model.spring(Spring::point(near, hook).stiffness(1e4).damping(0.1));
        hook = link.at([0.05, 0.0, 0.0]);
    }
}

fn net(model: &mut ModelBuilder, n: usize, random: &mut Random) {
    let bodies: Vec<BodyId> = (0..n).map(|index| body(model, index, random)).collect();
    for index in 0..2 * n {
        // each body has a spring to an earlier one or to the world, and as many again at random
        let a = bodies[index % n];
        let far = (random.unit() * (index % n + 1) as f64) as usize;
        let b = match far {
            0 => Anchor::world(random.vector(0.5)),
            far => bodies[far - 1].at(random.vector(0.05)),
        };
        let spring = match index % 3 {
            0 => Spring::point(a.at(random.vector(0.05)), b).stiffness(500.0),
            1 => Spring::rotation(a.origin(), b).stiffness(0.5),
            _ => Spring::pose(a.origin(), b).stiffness(200.0),
        };
        model.spring(spring);
    }
}

/// Numbers that look random (a linear congruence, Knuth's constants).
pub struct Random(pub u64);

impl Random {
    /// Between 0 and 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Between -1 and 1.
    pub fn sign(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Each part between `-size` and `size`.
    pub fn vector(&mut self, size: f64) -> [f64; 3] {
        std::array::from_fn(|_| size * (2.0 * self.unit() - 1.0))
    }
}
