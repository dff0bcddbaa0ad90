//! Descriptions of rigid bodies.

use super::material::Material;
use crate::geometry::{CollisionError, CollisionShape, MassProperties, Shape, ShapeError};
use crate::math::{Mat3, Rotation, Vec3};
use crate::port::ANY;

/// Name of a body; made by the model builder. It stays valid while others come and go, and is
/// refused once the body is gone, and by other models (`model/lineage.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub(crate) usize, pub(crate) u64);

impl BodyId {
    /// Whatever body is at a place in the list, for whoever keeps numbers: other languages. It is
    /// equal to no id that a model gave.
    pub fn from_index(index: usize) -> Self {
        Self(index, ANY)
    }

    /// Position in the list of bodies.
    pub fn index(self) -> usize {
        self.0
    }

    /// Its mark, for whoever stores ids: [`BodyId::from_parts`] gives the id back.
    pub fn mark(self) -> u64 {
        self.1
    }

    /// The id with this place and mark; a model refuses marks that it did not give.
    pub fn from_parts(index: usize, mark: u64) -> Self {
        Self(index, mark)
    }

    /// True if both name the same body.
    pub(super) fn means(self, other: Self) -> bool {
        self.0 == other.0 && (self.1 == other.1 || self.1 == ANY || other.1 == ANY)
    }

    /// A point fixed to this body, in body axes [m].
    pub fn at(self, point: impl Into<Vec3>) -> Anchor {
        Anchor { body: Some(self), point: point.into(), rotation: Rotation::identity() }
    }

    /// The origin of this body.
    pub fn origin(self) -> Anchor {
        self.at(Vec3::zeros())
    }
}

/// A frame fixed to a body or to the world: where an element or port holds on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The body; `None` is the world.
    pub body: Option<BodyId>,
    /// Origin of the frame in body (or world) axes [m].
    pub point: Vec3,
    /// Orientation of the frame in body (or world) axes.
    pub rotation: Rotation,
}

impl Anchor {
    /// A point of the world [m].
    pub fn world(point: impl Into<Vec3>) -> Self {
        Self { body: None, point: point.into(), rotation: Rotation::identity() }
    }

    /// The same point with another orientation of the frame.
    pub fn turned(mut self, rotation: Rotation) -> Self {
        self.rotation = rotation;
        self
    }
}

/// Where the mass of a body comes from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum MassSource {
    /// density [kg/m³] of the shape
    Density(f64),
    /// mass [kg] spread evenly over the shape
    Mass(f64),
    /// given in body axes
    Explicit(MassProperties),
}

/// A rigid body to be added to a model.
///
/// ```
/// use palpable::Body;
/// let ball = Body::sphere("ball", 0.05).mass(0.2).position([0.0, 0.0, 1.0]);
/// ```
#[derive(Debug, Clone)]
pub struct Body {
    pub(super) name: String,
    pub(super) shape: Option<Result<Shape, ShapeError>>,
    pub(super) mass: MassSource,
    pub(super) fixed: bool,
    pub(super) position: Vec3,
    pub(super) rotation: Rotation,
    pub(super) velocity: Vec3,
    pub(super) angular_velocity: Vec3,
    pub(super) linear_damping: f64,
    pub(super) angular_damping: f64,
    pub(super) material: Material,
    /// false if nothing touches it
    pub(super) solid: bool,
    /// what touches, if not its shape
    pub(super) collider: Option<Result<CollisionShape, CollisionError>>,
    /// subsystem that carries it, and which of its links it is
    pub(super) owner: Option<(usize, usize)>,
}

impl Body {
    /// A body without a shape; needs [`Body::inertia`] unless it is fixed.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            shape: None,
            mass: MassSource::Density(1000.0),
            fixed: false,
            position: Vec3::zeros(),
            rotation: Rotation::identity(),
            velocity: Vec3::zeros(),
            angular_velocity: Vec3::zeros(),
            linear_damping: 0.0,
            angular_damping: 0.0,
            material: Material::default(),
            solid: true,
            collider: None,
            owner: None,
        }
    }

    /// A link of a subsystem; the subsystem moves it.
    pub(super) fn link(name: &str, mass: MassProperties, shape: Option<Shape>) -> Self {
        let mass = MassSource::Explicit(mass);
        Self { mass, shape: shape.map(Ok), ..Self::new(name) }
    }

    fn shaped(name: impl Into<String>, shape: Result<Shape, ShapeError>) -> Self {
        Self { shape: Some(shape), ..Self::new(name) }
    }

    /// A ball of `radius` [m].
    pub fn sphere(name: impl Into<String>, radius: f64) -> Self {
        Self::shaped(name, Shape::sphere(radius))
    }

    /// A box with the given half edges [m].
    pub fn cuboid(name: impl Into<String>, half_extents: impl Into<Vec3>) -> Self {
        Self::shaped(name, Shape::cuboid(half_extents.into()))
    }

    /// A capsule along z: half the length of the straight part and the radius [m].
    pub fn capsule(name: impl Into<String>, half_length: f64, radius: f64) -> Self {
        Self::shaped(name, Shape::capsule(half_length, radius))
    }

    /// A cylinder along z: half length and radius [m].
    pub fn cylinder(name: impl Into<String>, half_length: f64, radius: f64) -> Self {
        Self::shaped(name, Shape::cylinder(half_length, radius))
    }

    /// The convex hull of points [m].
    pub fn convex_hull(name: impl Into<String>, points: &[Vec3]) -> Self {
        Self::shaped(name, Shape::convex_hull(points))
    }

    /// A closed triangle mesh [m], wound outward.
    pub fn mesh(name: impl Into<String>, vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self::shaped(name, Shape::mesh(vertices, triangles))
    }

    /// A body with a shape made elsewhere.
    pub fn with_shape(name: impl Into<String>, shape: Shape) -> Self {
        Self::shaped(name, Ok(shape))
    }

    /// A fixed floor: everything below the x-y plane of its axes.
    pub fn half_space(name: impl Into<String>) -> Self {
        Self::new(name).fixed().collider(Ok(CollisionShape::half_space()))
    }

    /// What touches, where that is not the shape itself: a compound, a mesh, a height field.
    pub fn collider(mut self, shape: Result<CollisionShape, CollisionError>) -> Self {
        self.collider = Some(shape);
        self
    }

    /// How its surface rubs and bounces.
    pub fn material(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    /// Nothing touches it.
    pub fn ghost(mut self) -> Self {
        self.solid = false;
        self
    }

    /// Density of the shape [kg/m³]; 1000 unless set.
    pub fn density(mut self, density: f64) -> Self {
        self.mass = MassSource::Density(density);
        self
    }

    /// Mass [kg], spread evenly over the shape.
    pub fn mass(mut self, mass: f64) -> Self {
        self.mass = MassSource::Mass(mass);
        self
    }

    /// Explicit mass [kg], centre of mass in body axes [m] and inertia about it in body axes
    /// [kg·m²]; products of inertia are allowed.
    pub fn inertia(mut self, mass: f64, center_of_mass: impl Into<Vec3>, inertia: Mat3) -> Self {
        let center_of_mass = center_of_mass.into();
        self.mass = MassSource::Explicit(MassProperties { mass, center_of_mass, inertia });
        self
    }

    /// Explicit mass [kg] and principal moments about the body's origin [kg·m²].
    pub fn principal_inertia(self, mass: f64, moments: impl Into<Vec3>) -> Self {
        self.inertia(mass, Vec3::zeros(), Mat3::from_diagonal(&moments.into()))
    }

    /// Never moves.
    pub fn fixed(mut self) -> Self {
        self.fixed = true;
        self
    }

    /// Where the body's origin starts [m].
    pub fn position(mut self, position: impl Into<Vec3>) -> Self {
        self.position = position.into();
        self
    }

    /// Orientation of the body's axes at the start.
    pub fn rotation(mut self, rotation: Rotation) -> Self {
        self.rotation = rotation;
        self
    }

    /// Velocity of the centre of mass at the start, world axes [m/s].
    pub fn velocity(mut self, velocity: impl Into<Vec3>) -> Self {
        self.velocity = velocity.into();
        self
    }

    /// Angular velocity at the start, body axes [rad/s].
    pub fn angular_velocity(mut self, angular_velocity: impl Into<Vec3>) -> Self {
        self.angular_velocity = angular_velocity.into();
        self
    }

    /// Viscous damping against the world: of the centre of mass [N·s/m] and of the rotation
    /// [N·m·s/rad].
    pub fn damping(mut self, linear: f64, angular: f64) -> Self {
        (self.linear_damping, self.angular_damping) = (linear, angular);
        self
    }
}
