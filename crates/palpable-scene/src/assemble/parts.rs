//! Bodies that are made of several convex shapes.

use super::{Assembly, turn, vector};
use crate::built::Look;
use crate::document::{Shape, SolidPart};
use crate::place::At;
use crate::urdf::Form;
use crate::urdf::mass::{joined, moved};
use palpable::geometry::{CollisionShape, Isometry};
use palpable::{MassProperties, Pose};

/// What several shapes are together.
pub(super) struct Parts {
    pub collider: CollisionShape,
    /// At a density of 1 kg/m³.
    pub mass: MassProperties,
}

impl Assembly<'_> {
    /// Puts shapes together and has them drawn; `None` if that cannot be done, which is noted.
    pub(super) fn parts(
        &mut self,
        body: &str,
        given: &At<Vec<At<SolidPart>>>,
        is_drawn: bool,
    ) -> Option<Parts> {
        let (mut pieces, mut mass): (Vec<_>, Option<MassProperties>) = (Vec::new(), None);
        for part in &given.value {
            let shape = part.shape.get()?;
            if matches!(shape.value, Shape::HalfSpace(_)) {
                let message = "a half space cannot be part of a body";
                self.mistakes.add(&shape.place, message, "make it a body of its own");
                return None;
            }
            let solid = self.shape(shape)?;
            let pose = Pose {
                position: vector(part.position.get()),
                rotation: turn::rotation(part.orientation.get(), &mut self.mistakes),
            };
            let own = moved(&solid.mass_properties(1.0), &pose);
            mass = Some(mass.map_or(own, |mass| joined(&mass, &own)));
            let piece = CollisionShape::new(&solid)
                .map_err(|error| self.mistakes.add(&shape.place, error.to_string(), "change it"))
                .ok()?;
            pieces.push((Isometry::from_parts(pose.position.into(), pose.rotation), piece));
            if is_drawn {
                let (body, form) = (body.to_owned(), Form::Solid(solid));
                self.looks.push(Look { body, pose, form, color: None });
            }
        }
        let cure = "give convex shapes: balls, boxes, capsules, cylinders, hulls";
        let collider = CollisionShape::compound(&pieces)
            .map_err(|error| self.mistakes.add(&given.place, error.to_string(), cure))
            .ok()?;
        Some(Parts { collider, mass: mass? })
    }
}
