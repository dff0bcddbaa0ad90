//! What a model is made of: bodies, shapes, materials, springs, joints and ports.

use crate::custom::Custom;
use crate::errors::{self, Refuse};
use crate::fluent::{Give, fluent, give};
use crate::geometry::{Impact, Motion, Proximity, RayHit, frame};
use crate::ids::{Anchor, SystemId};
use crate::pose::{Pose, Rotation};
use crate::vector::{Count, M3, Numbers, Points, Triangles, V3, V6};
use palpable::{CollisionShape as Collision, Material as Surface};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

give! {
    Shape => palpable::Shape: |s| s.inner;
    CollisionShape => Collision: |s| s.inner;
    Material => Surface: |m| m.inner;
    Spring => palpable::Spring: |s| s.inner;
    Option<f64> => Option<f64>: |v| v;
}

fluent! {
    /// A solid, in its own frame. Lengths in metres.
    Shape(palpable::Shape) like "Shape.sphere(0.01)" {
        make {
            /// A ball of the given radius \[m\].
            fn sphere(radius: f64) { palpable::Shape::sphere(radius).or_raise(errors::build)? }
            /// A cuboid with the given half edges \[m\].
            fn cuboid(half_extents: V3) {
                palpable::Shape::cuboid(half_extents).or_raise(errors::build)?
            }
            /// A capsule along z: half the length of the straight part and the radius \[m\].
            fn capsule(half_length: f64, radius: f64) {
                palpable::Shape::capsule(half_length, radius).or_raise(errors::build)?
            }
            /// A cylinder along z: half length and radius \[m\].
            fn cylinder(half_length: f64, radius: f64) {
                palpable::Shape::cylinder(half_length, radius).or_raise(errors::build)?
            }
            /// The convex hull of points \[m\].
            fn convex_hull(points: Points) {
                palpable::Shape::convex_hull(&points).or_raise(errors::build)?
            }
            /// A closed triangle mesh \[m\], wound outward.
            fn mesh(vertices: Points, triangles: Triangles) {
                palpable::Shape::mesh(vertices, triangles).or_raise(errors::build)?
            }
        }
        with {}
        own {
            /// Volume \[m³\].
            #[getter]
            fn volume(&self) -> f64 {
                self.inner.volume()
            }
        }
    }
}

fluent! {
    /// What touches, where that is not the shape itself.
    CollisionShape(Collision) like "CollisionShape.sphere(0.01)" {
        make {
            /// A ball of a radius \[m\].
            fn sphere(radius: f64) { Collision::sphere(radius).or_raise(errors::build)? }
            /// A box with the given half edges \[m\].
            fn cuboid(half_extents: V3) { Collision::cuboid(half_extents).or_raise(errors::build)? }
            /// A capsule along z: half the length of the straight part and the radius \[m\].
            fn capsule(half_length: f64, radius: f64) {
                Collision::capsule(half_length, radius).or_raise(errors::build)?
            }
            /// A cylinder along z: half length and radius \[m\].
            fn cylinder(half_length: f64, radius: f64) {
                Collision::cylinder(half_length, radius).or_raise(errors::build)?
            }
            /// The convex hull of points \[m\].
            fn convex_hull(points: Points) {
                Collision::convex_hull(&points).or_raise(errors::build)?
            }
            /// As a solid.
            fn of(shape: Shape) { Collision::new(&shape).or_raise(errors::build)? }
            /// Everything below the plane z = 0 of its frame.
            fn half_space() { Collision::half_space() }
            /// Triangles \[m\] that convex shapes touch from their front.
            fn triangle_mesh(vertices: Points, triangles: Triangles) {
                Collision::triangle_mesh(vertices, triangles).or_raise(errors::build)?
            }
            /// Ground over a grid: heights \[m\] row by row; touched from above.
            fn height_field(columns: Count, dx: f64, dy: f64, heights: Numbers) {
                Collision::height_field(columns, [dx, dy], heights).or_raise(errors::build)?
            }
        }
        with {}
        own {
            /// Convex shapes that move as one: pairs of a pose and a shape.
            #[staticmethod]
            fn compound(py: Python<'_>, pieces: Vec<(Pose, CollisionShape)>) -> PyResult<Self> {
                let arguments = vec![pieces.clone().into_py_any(py)?];
                let recipe = crate::recipe::Recipe::begin(py, "compound", arguments)?;
                let pieces: Vec<_> =
                    pieces.into_iter().map(|(p, s)| (frame(&p), s.inner)).collect();
                let inner = Collision::compound(&pieces).or_raise(errors::build)?;
                Ok(Self { inner, recipe })
            }

            /// The nearest place of this shape at `pose` and another one, if nearer than
            /// `within` \[m\].
            fn proximity(
                &self,
                pose: Pose,
                other: CollisionShape,
                other_pose: Pose,
                within: f64,
            ) -> Option<Proximity> {
                let at = [frame(&pose), frame(&other_pose)];
                let found = self.inner.proximity(&at[0], &other.inner, &at[1], within);
                found.map(Proximity)
            }

            /// Where a ray from `start` \[m\] along `direction` enters the shape, up to
            /// `most` \[m\].
            fn ray_cast(&self, pose: Pose, start: V3, direction: V3, most: f64) -> Option<RayHit> {
                self.inner.ray_cast(&frame(&pose), &start.0, &direction.0, most).map(RayHit)
            }

            /// The first time within `duration` \[s\] at which this shape and another one touch,
            /// both moving.
            fn first_impact(
                &self,
                motion: Motion,
                other: CollisionShape,
                other_motion: Motion,
                duration: f64,
            ) -> Option<Impact> {
                let (a, b) = (&motion.0, &other_motion.0);
                self.inner.first_impact(a, &other.inner, b, duration).map(Impact)
            }
        }
    }
}

fluent! {
    /// How a surface rubs and bounces.
    Material(Surface) {
        make {
            /// One coefficient of friction and a restitution, 0 to 1.
            fn new(friction: f64, restitution: f64) { Surface::new(friction, restitution) }
        }
        with {
            /// A higher coefficient at rest.
            fn sticky(m, static_friction: f64) { m.sticky(static_friction) }
            /// Friction against spinning and rolling: levers \[m\] of the normal force.
            fn rolling(m, spin_radius: f64, roll_radius: f64) {
                m.rolling(spin_radius, roll_radius)
            }
        }
        own {
            /// Friction 0.5, no bounce, unless given.
            #[new]
            #[pyo3(signature = (friction=0.5, restitution=0.0))]
            fn create(py: Python<'_>, friction: f64, restitution: f64) -> PyResult<Self> {
                Self::new(py, friction, restitution)
            }

            /// A law of its own for its hard contacts: "cone", "printed-elastic" or
            /// "printed-plastic", the printed ones with a pyramid of `sides`.
            #[pyo3(signature = (name, sides=palpable::ContactLaw::SIDES))]
            fn law(&self, py: Python<'_>, name: &str, sides: u32) -> PyResult<Self> {
                use pyo3::IntoPyObjectExt;
                let arguments = vec![name.into_py_any(py)?, sides.into_py_any(py)?];
                let recipe = self.recipe.then(py, "law", arguments)?;
                Ok(Self { inner: self.inner.law(crate::options::law(name, sides)?), recipe })
            }

            /// Coefficient of friction while sliding.
            #[getter]
            fn friction(&self) -> f64 {
                self.inner.friction
            }

            /// Coefficient of friction at rest.
            #[getter]
            fn static_friction(&self) -> f64 {
                self.inner.static_friction
            }

            /// Restitution, 0 to 1.
            #[getter]
            fn restitution(&self) -> f64 {
                self.inner.restitution
            }
        }
    }
}

impl Material {
    /// A material of the engine.
    pub fn wrap(py: Python<'_>, m: Surface) -> PyResult<Self> {
        let made = Self::new(py, m.friction, m.restitution)?.sticky(py, m.static_friction)?;
        let made = made.rolling(py, m.spin_radius, m.roll_radius)?;
        match m.law {
            Some(law) => made.law(py, law.name(), law.sides().unwrap_or(0)),
            None => Ok(made),
        }
    }
}

fluent! {
    /// A rigid body to be added to a model.
    Body(palpable::Body) like "Body.sphere(\"ball\", 0.01)" {
        make {
            /// A body without a shape; needs `inertia` unless it is fixed.
            fn new(name: String) { palpable::Body::new(name) }
            /// A ball of a radius \[m\].
            fn sphere(name: String, radius: f64) { palpable::Body::sphere(name, radius) }
            /// A box with the given half edges \[m\].
            fn cuboid(name: String, half_extents: V3) {
                palpable::Body::cuboid(name, half_extents)
            }
            /// A capsule along z: half the length of the straight part and the radius \[m\].
            fn capsule(name: String, half_length: f64, radius: f64) {
                palpable::Body::capsule(name, half_length, radius)
            }
            /// A cylinder along z: half length and radius \[m\].
            fn cylinder(name: String, half_length: f64, radius: f64) {
                palpable::Body::cylinder(name, half_length, radius)
            }
            /// The convex hull of points \[m\].
            fn convex_hull(name: String, points: Points) {
                palpable::Body::convex_hull(name, &points)
            }
            /// A closed triangle mesh \[m\], wound outward.
            fn mesh(name: String, vertices: Points, triangles: Triangles) {
                palpable::Body::mesh(name, vertices, triangles)
            }
            /// A body with a shape made elsewhere.
            fn with_shape(name: String, shape: Shape) { palpable::Body::with_shape(name, shape) }
            /// A fixed floor: everything below the x-y plane of its axes.
            fn half_space(name: String) { palpable::Body::half_space(name) }
        }
        with {
            /// What touches, where that is not the shape itself.
            fn collider(b, shape: CollisionShape) { b.collider(Ok(shape)) }
            /// How its surface rubs and bounces.
            fn material(b, material: Material) { b.material(material) }
            /// Nothing touches it.
            fn ghost(b) { b.ghost() }
            /// Density of the shape \[kg/m³\]; 1000 unless set.
            fn density(b, density: f64) { b.density(density) }
            /// Mass \[kg\], spread evenly over the shape.
            fn mass(b, mass: f64) { b.mass(mass) }
            /// Mass \[kg\], centre of mass \[m\] and inertia about it \[kg·m²\], body axes.
            fn inertia(b, mass: f64, center_of_mass: V3, inertia: M3) {
                b.inertia(mass, center_of_mass, inertia)
            }
            /// Mass \[kg\] and principal moments about the body's origin \[kg·m²\].
            fn principal_inertia(b, mass: f64, moments: V3) { b.principal_inertia(mass, moments) }
            /// Never moves.
            fn fixed(b) { b.fixed() }
            /// Where the body's origin starts \[m\].
            fn position(b, position: V3) { b.position(position) }
            /// Orientation of the body's axes at the start.
            fn rotation(b, rotation: Rotation) { b.rotation(rotation) }
            /// Velocity of the centre of mass at the start, world axes \[m/s\].
            fn velocity(b, velocity: V3) { b.velocity(velocity) }
            /// Angular velocity at the start, body axes \[rad/s\].
            fn angular_velocity(b, angular_velocity: V3) { b.angular_velocity(angular_velocity) }
            /// Viscous damping of the centre of mass \[N·s/m\] and the rotation \[N·m·s/rad\].
            fn damping(b, linear: f64, angular: f64) { b.damping(linear, angular) }
        }
        own {}
    }
}

fluent! {
    /// A spring, damper or both between two anchors.
    Spring(palpable::Spring) like "Spring.point(a.origin(), b.origin())" {
        make {
            /// Pulls point `a` onto point `b`: three rows.
            fn point(a: Anchor, b: Anchor) { palpable::Spring::point(a, b) }
            /// Turns frame `a` onto frame `b`: three rows.
            fn rotation(a: Anchor, b: Anchor) { palpable::Spring::rotation(a, b) }
            /// Pulls and turns frame `a` onto frame `b`: six rows.
            fn pose(a: Anchor, b: Anchor) { palpable::Spring::pose(a, b) }
            /// Turns frame `a` back about the z axis of `b`, counting whole turns: one row.
            fn angle(a: Anchor, b: Anchor) { palpable::Spring::angle(a, b) }
            /// Pulls point `a` back along the z axis of `b`: one row.
            fn slide(a: Anchor, b: Anchor) { palpable::Spring::slide(a, b) }
            /// Pulls coordinate `i` of a subsystem back to its rest: one row.
            fn coordinate(system: SystemId, i: Count) { palpable::Spring::coordinate(system, i) }
            /// An elastic tendon over the joints of a chain: lengthening is the sum of pulley
            /// radius \[m\] times coordinate.
            fn tendon(system: SystemId, radii: Numbers) {
                palpable::Spring::tendon(system, &radii)
            }
            /// Your own measure: an object with `rows` (1 to 6) and `strain(a, b)`, which takes
            /// two poses and returns that many numbers.
            fn custom(element: Custom, a: Anchor, b: Anchor) {
                palpable::Spring::custom(Arc::new(element), a, b)
            }
        }
        with {
            /// The measure of the first row \[m or rad\] at which the spring is slack.
            fn rest(s, rest: f64) { s.rest(rest) }
            /// The first row's measure \[m or rad\] stays between these.
            fn stops(s, lower: f64, upper: f64) { s.stops(lower, upper) }
            /// Dry friction of the first row \[N or N·m\].
            fn friction(s, limit: f64) { s.friction(limit) }
            /// A name for plots and messages.
            fn named(s, name: String) { s.named(name) }
            /// The same stiffness on every row \[N/m or N·m/rad\].
            fn stiffness(s, k: f64) { s.stiffness(k) }
            /// The same damping on every row \[N·s/m or N·m·s/rad\].
            fn damping(s, b: f64) { s.damping(b) }
            /// Stiffness row by row.
            fn stiffness_rows(s, k: V6) { s.stiffness_rows(k) }
            /// Damping row by row.
            fn damping_rows(s, b: V6) { s.damping_rows(b) }
        }
        own {}
    }
}

fluent! {
    /// Joins two bodies so that some motions stay free; hard unless given a stiffness.
    Joint(palpable::Joint) like "Joint.hinge(a.origin(), b.origin())" {
        make {
            /// The two points stay together.
            fn ball(a: Anchor, b: Anchor) { palpable::Joint::ball(a, b) }
            /// Nothing is free.
            fn fixed(a: Anchor, b: Anchor) { palpable::Joint::fixed(a, b) }
            /// Turns about the common z axis.
            fn hinge(a: Anchor, b: Anchor) { palpable::Joint::hinge(a, b) }
            /// z of `a` stays perpendicular to x of `b`.
            fn universal(a: Anchor, b: Anchor) { palpable::Joint::universal(a, b) }
            /// Slides along z of `b` without turning.
            fn prismatic(a: Anchor, b: Anchor) { palpable::Joint::prismatic(a, b) }
            /// Slides along and turns about z of `b`.
            fn cylindrical(a: Anchor, b: Anchor) { palpable::Joint::cylindrical(a, b) }
            /// Slides in the x-y plane of `b` and turns about its normal.
            fn planar(a: Anchor, b: Anchor) { palpable::Joint::planar(a, b) }
            /// The two points keep a distance \[m\].
            fn distance(a: Anchor, b: Anchor, length: f64) {
                palpable::Joint::distance(a, b, length)
            }
            /// The angle of `a` against `b` plus `ratio` times that of `c` against `d` stays.
            fn gear(a: Anchor, b: Anchor, c: Anchor, d: Anchor, ratio: f64) {
                palpable::Joint::gear(a, b, c, d, ratio)
            }
            /// The angle of `a` against `b` plus `ratio` \[rad/m\] times the slide of `c` stays.
            fn rack(a: Anchor, b: Anchor, c: Anchor, d: Anchor, ratio: f64) {
                palpable::Joint::rack(a, b, c, d, ratio)
            }
            /// The slide of `a` against `b` plus `ratio` times that of `c` against `d` stays.
            fn tied_slides(a: Anchor, b: Anchor, c: Anchor, d: Anchor, ratio: f64) {
                palpable::Joint::tied_slides(a, b, c, d, ratio)
            }
            /// `q_i + ratio * q_j` of a subsystem stays what it is at `rest`.
            fn coupling(system: SystemId, i: Count, j: Count, ratio: f64, rest: f64) {
                palpable::Joint::coupling(system, i, j, ratio, rest)
            }
        }
        with {
            /// A soft joint: the same stiffness on every row.
            fn stiffness(j, k: f64) { j.stiffness(k) }
            /// Stiffness row by row; infinite is hard.
            fn stiffness_rows(j, k: V6) { j.stiffness_rows(k) }
            /// Damping of every row of a soft joint.
            fn damping(j, b: f64) { j.damping(b) }
            /// A name for plots and messages.
            fn named(j, name: String) { j.named(name) }
        }
        own {}
    }
}

fluent! {
    /// Where a hand, a motor or a script holds on.
    Port(palpable::Port) like "Port.force(\"hand\", body.origin())" {
        make {
            /// Takes forces and torques at an anchor on a moving body.
            fn force(name: String, anchor: Anchor) { palpable::Port::force(name, anchor) }
            /// Takes a reference pose, joined to the anchor by stiffness and damping: three
            /// offsets \[N/m, N·s/m\], three rotations \[N·m/rad, N·m·s/rad\].
            fn reference(name: String, anchor: Anchor, stiffness: V6, damping: V6) {
                palpable::Port::reference(name, anchor, stiffness, damping)
            }
            /// A motor on a measure of one row: an angle, slide or coordinate.
            fn motor(name: String, measure: Spring) { palpable::Port::motor(name, measure) }
        }
        with {
            /// The largest effort \[N·m or N\] that may be asked of a motor.
            fn limit(p, effort: f64) { p.limit(effort) }
        }
        own {}
    }
}

fluent! {
    /// A link of a chain.
    Link(palpable::Link) like "Link.revolute(\"upper\")" {
        make {
            /// Turns about the z axis of its joint.
            fn revolute(name: String) { palpable::Link::revolute(name) }
            /// Slides along the z axis of its joint.
            fn prismatic(name: String) { palpable::Link::prismatic(name) }
        }
        with {
            /// The link it hangs on, by its number in the chain.
            fn on(l, parent: Count) { l.on(parent) }
            /// The joint's frame in the parent's axes \[m\].
            fn at(l, point: V3, rotation: Rotation) { l.at(point, rotation) }
            /// The joint's frame in the link's own axes \[m\].
            fn held_at(l, point: V3, rotation: Rotation) { l.held_at(point, rotation) }
            /// Mass \[kg\], centre of mass \[m\] and inertia about it \[kg·m²\], link axes.
            fn inertia(l, mass: f64, center_of_mass: V3, inertia: M3) {
                l.inertia(mass, center_of_mass, inertia)
            }
            /// A shape whose even density \[kg/m³\] gives the inertia.
            fn shape(l, shape: Shape, density: f64) { l.shape(shape, density) }
            /// A shape for contact and pictures that leaves the inertia alone.
            fn looks(l, shape: Shape) { l.looks(shape) }
            /// What touches, if not its shape.
            fn collider(l, shape: CollisionShape) { l.collider(Ok(shape)) }
            /// Where the joint starts \[rad or m\], and how fast \[rad/s or m/s\].
            fn start(l, position: f64, velocity: f64) { l.start(position, velocity) }
            /// Viscous damping of the joint \[N·m·s/rad or N·s/m\].
            fn damping(l, damping: f64) { l.damping(damping) }
        }
        own {}
    }
}

fluent! {
    /// A slender beam that bends in the x-y plane of its frame.
    Beam(palpable::Beam) like "Beam.new(\"beam\", 1.0, 0.1, 10.0)" {
        make {
            /// Length \[m\], mass \[kg\] and bending stiffness E I \[N·m²\]; three modes.
            fn new(name: String, length: f64, mass: f64, rigidity: f64) {
                palpable::Beam::new(name, length, mass, rigidity)
            }
            /// Length, width, thickness \[m\], density \[kg/m³\] and Young's modulus \[Pa\].
            fn rectangular(name: String, size: V3, density: f64, young: f64) {
                palpable::Beam::rectangular(name, size.into(), density, young)
            }
        }
        with {
            /// Number of bending modes.
            fn modes(b, modes: Count) { b.modes(modes) }
            /// Where the root is; x along the beam, y the way it bends.
            fn at(b, frame: Pose) { b.at(frame) }
            /// Damping of every mode as a part of critical damping.
            fn damping_ratio(b, ratio: f64) { b.damping_ratio(ratio) }
            /// Frames along the beam besides root and tip.
            fn stations(b, stations: Count) { b.stations(stations) }
            /// Starting values and rates of the coordinates in turn, mount first, then modes.
            fn start(b, values_and_rates: Numbers) {
                let pair = |c: &[f64]| (c[0], c.get(1).copied().unwrap_or(0.0));
                b.start(values_and_rates.chunks(2).map(pair).collect())
            }
            /// What its root may do (`clamped`, `hub` or `planar`), with mass \[kg\] and inertia
            /// \[kg·m²\] of the mount itself.
            fn mount(b, mount: String, mass: f64, inertia: f64) {
                b.mount(mount_named(&mount)?, mass, inertia)
            }
        }
        own {
            /// Angular frequency of bending mode `i` with the root clamped \[rad/s\].
            fn frequency(&self, i: Count) -> f64 {
                self.inner.frequency(i.give())
            }
        }
    }
}

fn mount_named(name: &str) -> PyResult<palpable::Mount> {
    match name {
        "clamped" => Ok(palpable::Mount::Clamped),
        "hub" => Ok(palpable::Mount::Hub),
        "planar" => Ok(palpable::Mount::Planar),
        _ => {
            let words = format!("mount is {name:?}; use \"clamped\", \"hub\" or \"planar\"");
            Err(PyValueError::new_err(words))
        }
    }
}

fluent! {
    /// Links joined by turning and sliding joints, simulated in joint coordinates.
    Chain(palpable::Chain) like "Chain.new(\"arm\")" {
        make {
            /// A chain on a fixed base.
            fn new(name: String) { palpable::Chain::new(name) }
        }
        with {
            /// The same chain with one more link; links count from 0.
            fn link(c, link: Link) {
                let mut chain = c;
                chain.link(link);
                chain
            }
            /// On a free body: mass \[kg\], centre of mass \[m\], inertia \[kg·m²\], and its pose.
            fn floating(c, name: String, mass: f64, center_of_mass: V3, inertia: M3, pose: Pose) {
                let mass = palpable::MassProperties { mass, center_of_mass, inertia };
                c.floating(name, mass, pose)
            }
            /// The same, of a shape with an even density \[kg/m³\].
            fn floating_shape(c, name: String, shape: Shape, density: f64, pose: Pose) {
                let mass = shape.mass_properties(density);
                c.floating(name, mass, pose).base_shape(shape)
            }
            /// How a floating base starts: velocity \[m/s\], angular velocity \[rad/s\].
            fn base_velocity(c, v: V3, omega: V3) { c.base_velocity(v, omega) }
            /// The shape of a floating base.
            fn base_shape(c, shape: Shape) { c.base_shape(shape) }
        }
        own {}
    }
}

give! {
    Link => palpable::Link: |l| l.inner;
}
