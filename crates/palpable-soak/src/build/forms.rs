//! Shapes become bodies.

use crate::scene::Form;
use crate::solids;
use palpable::Body;

/// A body of a shape, not placed yet.
pub fn body(form: &Form, name: String) -> Body {
    match form {
        Form::Cuboid(half) => Body::cuboid(name, *half),
        Form::Ball(radius) => Body::sphere(name, *radius),
        Form::Capsule { half_length, radius } => Body::capsule(name, *half_length, *radius),
        Form::Cylinder { half_length, radius } => Body::cylinder(name, *half_length, *radius),
        Form::Hull(points) => Body::convex_hull(name, points),
        Form::Bracket(size) => solids::bracket(name, *size),
        Form::Dumbbell(size) => solids::dumbbell(name, *size),
        Form::HalfSpace => Body::half_space(name),
        Form::Plane(side) => solids::plane(name, *side),
        Form::Bowl { half_side, depth } => solids::bowl(name, *half_side, *depth),
        Form::Field(side) => solids::field(name, *side),
    }
}
