//! Mass and shape of links and bases.

use super::body::matrix;
use super::{Assembly, vector};
use crate::dimension::{Density, Mass};
use crate::document::{Inertia, Point, Shape};
use crate::place::{At, Place};
use crate::quantity::Quantity;
use palpable::{MassProperties, Shape as Solid};

/// Density unless one is given [kg/m³].
pub(super) const WATER: f64 = 1000.0;

/// What a part says about its mass.
pub(super) struct Matter<'d> {
    pub shape: Option<&'d At<Shape>>,
    pub mass: Option<&'d At<Quantity<Mass>>>,
    pub density: Option<&'d At<Quantity<Density>>>,
    pub center_of_mass: Option<&'d At<Point>>,
    pub inertia: Option<&'d At<Inertia>>,
    pub place: &'d Place,
}

impl Assembly<'_> {
    /// Mass properties and shape; `None` if they are not clear, which is noted.
    pub(super) fn matter(&mut self, of: &Matter<'_>) -> Option<(MassProperties, Option<Solid>)> {
        let shape = match of.shape {
            Some(shape) => Some(self.shape(shape)?),
            None => None,
        };
        if let (Some(_), Some(density)) = (of.mass, of.density) {
            self.mistakes.add(&density.place, "both mass and density", "keep one of them");
            return None;
        }
        if let (Some(center), None) = (of.center_of_mass, of.inertia) {
            let cure = "add `mass` and `inertia`, or leave it to the shape";
            self.note_once(&center.place, "a centre of mass without an inertia", cure);
            return None;
        }
        let density = of.density.map_or(WATER, |d| d.0);
        let mass = match (of.mass, of.inertia, &shape) {
            (Some(mass), Some(inertia), _) => MassProperties {
                mass: mass.0,
                center_of_mass: vector(of.center_of_mass),
                inertia: matrix(inertia),
            },
            (None, Some(inertia), _) => {
                self.note_once(&inertia.place, "an inertia without a mass", "add `mass = ..`");
                return None;
            }
            (Some(mass), None, Some(shape)) => {
                MassProperties { mass: mass.0, ..shape.mass_properties(mass.0 / shape.volume()) }
            }
            (None, None, Some(shape)) => shape.mass_properties(density),
            (_, None, None) => {
                let cure = "give it a shape, or mass and inertia";
                self.note_once(of.place, "no shape and no inertia", cure);
                return None;
            }
        };
        if let Err(error) = mass.validate() {
            let text = error.to_string();
            let (message, cure) = text.split_once("; ").unwrap_or((&text, "change it"));
            let place = of.inertia.map(|i| &i.place).or_else(|| of.mass.map(|m| &m.place));
            self.mistakes.add(place.unwrap_or(of.place), message, cure);
            return None;
        }
        Some((mass, shape))
    }
}
