//! Bodies.

use super::matter::WATER;
use super::{Added, Assembly, check_names, turn, vector};
use crate::document::{Body, Inertia, Shape, SolidPart};
use crate::place::At;
use palpable::{Body as Rigid, MassProperties, Mat3, Pose, Vec3};

impl Assembly<'_> {
    pub(super) fn add_bodies(&mut self) {
        let bodies = self.document.body.get().map_or(&[][..], |list| &list.value);
        let names = bodies.iter().filter_map(|b| b.name.get());
        check_names("bodies", &self.bodies, names, &mut self.mistakes);
        for body in bodies {
            self.add_body(body);
        }
        if let Some(list) = self.document.body.get()
            && list.value.is_empty()
        {
            self.note_once(&list.place, "there are no bodies", "add a [[body]]");
        }
    }

    fn add_body(&mut self, body: &At<Body>) {
        let name = body.name.get().map_or(String::new(), |n| n.value.clone());
        let (rigid, start) = self.rigid(body);
        let (id, place) = (self.builder.body(rigid), body.place.clone());
        let ends = [place.clone(), place.clone()];
        self.bodies.push(Added { id, name, place, ends });
        self.starts.push(start);
    }

    /// A body as the engine takes it, and where it starts; notes what it looks like.
    pub(super) fn rigid(&mut self, body: &At<Body>) -> (Rigid, Pose) {
        let name = body.name.get().map_or(String::new(), |n| n.value.clone());
        let shape = body.shape.get().and_then(|s| self.shape(s));
        let position = vector(body.position.get());
        let rotation = turn::rotation(body.orientation.get(), &mut self.mistakes);
        let numbers = |v: [f64; 3]| Vec3::from(v);
        let endless = body.shape.get().is_some_and(|s| matches!(s.value, Shape::HalfSpace(_)));
        let rigid = match shape {
            None if endless => Rigid::half_space(name.as_str()),
            Some(shape) => Rigid::with_shape(name.as_str(), shape),
            None => Rigid::new(name.as_str()),
        };
        let rigid = match body.parts.get() {
            Some(parts) => self.add_parts(rigid, &name, body, parts),
            None => self.add_mass(rigid, body),
        };
        let mut rigid = rigid.position(position).rotation(rotation);
        if let Some(velocity) = body.velocity.get() {
            rigid = rigid.velocity(numbers(velocity.value.map(|c| c.0)));
        }
        if let Some(omega) = body.angular_velocity.get() {
            rigid = rigid.angular_velocity(numbers(omega.value.map(|c| c.0)));
        }
        if let Some(damping) = body.damping.get() {
            let linear = damping.linear.get().map_or(0.0, |d| d.0);
            rigid = rigid.damping(linear, damping.angular.get().map_or(0.0, |d| d.0));
        }
        if let Some(material) = body.material.get() {
            rigid = rigid.material(self.material(material));
        }
        if body.ghost.or(false) {
            rigid = rigid.ghost();
        }
        if body.fixed.or(false) {
            rigid = rigid.fixed();
        }
        self.add_visuals(&name, &body.visual);
        (rigid, Pose { position, rotation })
    }

    /// Matter and surface of a body of several shapes.
    fn add_parts(
        &mut self,
        rigid: Rigid,
        name: &str,
        body: &Body,
        parts: &At<Vec<At<SolidPart>>>,
    ) -> Rigid {
        if let Some(shape) = body.shape.get() {
            let cure = "make the shape one of the parts, or remove the parts";
            self.mistakes.add(&shape.place, "a body has both a shape and parts", cure);
            return rigid;
        }
        let is_fixed = body.fixed.or(false);
        let Some(all) = self.parts(name, parts, body.visual.is_empty()) else { return rigid };
        let rigid = rigid.collider(Ok(all.collider));
        if body.inertia.get().is_some() || is_fixed {
            return if is_fixed { rigid } else { self.add_mass(rigid, body) };
        }
        let density = match (body.mass.get(), body.density.get()) {
            (Some(mass), None) => mass.0 / all.mass.mass,
            (None, density) => density.map_or(WATER, |d| d.0),
            (Some(_), Some(density)) => {
                let message = "a body has both mass and density";
                self.mistakes.add(&density.place, message, "keep one of them");
                return rigid;
            }
        };
        let MassProperties { mass, center_of_mass, inertia } = all.mass;
        rigid.inertia(mass * density, center_of_mass, inertia * density)
    }

    fn add_mass(&mut self, rigid: Rigid, body: &Body) -> Rigid {
        let (mass, density) = (body.mass.get(), body.density.get());
        let inertia = body.inertia.get();
        if let (Some(_), Some(density)) = (mass, density) {
            let message = "a body has both mass and density";
            self.mistakes.add(&density.place, message, "keep one of them");
        }
        match (mass, inertia) {
            (Some(mass), Some(inertia)) => {
                let center = vector(body.center_of_mass.get());
                return rigid.inertia(mass.0, center, matrix(inertia));
            }
            (None, Some(inertia)) => {
                let message = "an inertia without a mass";
                self.note_once(&inertia.place, message, "add `mass = ..`");
            }
            _ => {}
        }
        if let (Some(center), None) = (body.center_of_mass.get(), inertia) {
            let message = "a centre of mass without an inertia";
            let cure = "add `mass` and `inertia`, or leave it to the shape";
            self.note_once(&center.place, message, cure);
        }
        match (mass, density) {
            (Some(mass), _) => rigid.mass(mass.0),
            (None, Some(density)) => rigid.density(density.0),
            (None, None) => rigid,
        }
    }
}

pub(super) fn matrix(inertia: &Inertia) -> Mat3 {
    match inertia {
        Inertia::Diagonal(d) => Mat3::from_diagonal(&Vec3::from(d.map(|c| c.0))),
        Inertia::Matrix(rows) => Mat3::from_fn(|i, j| rows[i][j].0),
        Inertia::Parts(parts) => {
            let numbers = |v: &[_; 3]| [0, 1, 2].map(|i: usize| quantity(&v[i]));
            let [xx, yy, zz] = parts.diagonal.get().map_or([0.0; 3], |d| numbers(&d.value));
            let [xy, xz, yz] = parts.products.get().map_or([0.0; 3], |p| numbers(&p.value));
            Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
        }
    }
}

fn quantity<D>(quantity: &crate::quantity::Quantity<D>) -> f64 {
    quantity.0
}
