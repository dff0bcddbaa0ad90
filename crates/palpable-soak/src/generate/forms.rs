//! Shapes and surfaces.

use crate::random::Random;
use crate::scene::Form;
use palpable::{Material, Vec3};

/// A shape of about half size `size` [m]; those of moderate worlds are not thin.
pub fn draw_form(random: &mut Random, size: f64, moderate: bool) -> Form {
    match random.below(if moderate { 7 } else { 8 }) {
        0 | 1 => {
            let thinnest = if moderate { 0.3 } else { 0.02 };
            let y = size * random.spread(thinnest, 1.0);
            Form::Cuboid(Vec3::new(size, y, size * random.spread(thinnest, 1.0)))
        }
        2 => Form::Ball(size),
        3 => Form::Capsule { half_length: size * 0.6, radius: size * 0.4 },
        4 => Form::Cylinder { half_length: size * random.spread(0.1, 1.0), radius: size * 0.7 },
        5 => {
            let count = 6 + random.below(10);
            Form::Hull((0..count).map(|_| random.vector(1.0).normalize() * size).collect())
        }
        6 if random.chance(0.5) => Form::Bracket(size * 0.5),
        6 => Form::Cuboid(Vec3::repeat(size)),
        _ => Form::Dumbbell(size * 0.7),
    }
}

/// A surface; `rolls` gives it friction against rolling and spinning.
pub fn draw_material(random: &mut Random, rolls: bool) -> Material {
    let friction = if random.chance(0.15) { 0.0 } else { random.between(0.0, 2.0) };
    let restitution = match random.below(4) {
        0 | 1 => 0.0,
        2 => 1.0,
        _ => random.unit(),
    };
    let mut material = Material::new(friction, restitution);
    if random.chance(0.3) {
        material = material.sticky(friction * random.between(1.0, 2.0));
    }
    if rolls {
        let spin = random.spread(1e-5, 1e-1);
        material = material.rolling(spin, random.spread(1e-5, 1e-1));
    }
    material
}
