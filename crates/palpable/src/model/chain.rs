//! Serial and branched chains in generalized coordinates, with a fixed or a floating base.

use super::{BuildError, Pose};
use crate::geometry::{CollisionError, CollisionShape, MassProperties, Shape};
use crate::math::{Mat3, Rotation, Vec3};

/// How a link moves against its parent, about or along the z axis of its joint frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// Turns about z.
    Revolute,
    /// Slides along z.
    Prismatic,
}

/// A link of a chain, to be added to [`Chain`].
#[derive(Debug, Clone)]
pub struct Link {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) motion: Motion,
    /// joint frame in the parent's body axes (world axes for the first)
    pub(super) joint_in_parent: Pose,
    /// joint frame in the link's own body axes
    pub(super) joint_in_link: Pose,
    pub(super) mass: MassProperties,
    pub(super) shape: Option<Shape>,
    pub(super) collider: Option<Result<CollisionShape, CollisionError>>,
    pub(super) position: f64,
    pub(super) velocity: f64,
    pub(super) damping: f64,
}

impl Link {
    fn new(name: impl Into<String>, motion: Motion) -> Self {
        Self {
            name: name.into(),
            parent: None,
            motion,
            joint_in_parent: Pose::default(),
            joint_in_link: Pose::default(),
            mass: MassProperties {
                mass: 0.0,
                center_of_mass: Vec3::zeros(),
                inertia: Mat3::zeros(),
            },
            shape: None,
            collider: None,
            position: 0.0,
            velocity: 0.0,
            damping: 0.0,
        }
    }

    /// A link that turns about the z axis of its joint.
    pub fn revolute(name: impl Into<String>) -> Self {
        Self::new(name, Motion::Revolute)
    }

    /// A link that slides along the z axis of its joint.
    pub fn prismatic(name: impl Into<String>) -> Self {
        Self::new(name, Motion::Prismatic)
    }

    /// The link it hangs on, by its number in the chain; the base unless set.
    pub fn on(mut self, parent: usize) -> Self {
        self.parent = Some(parent);
        self
    }

    /// The joint's frame in the parent's axes [m].
    pub fn at(mut self, point: impl Into<Vec3>, rotation: Rotation) -> Self {
        self.joint_in_parent = Pose { position: point.into(), rotation };
        self
    }

    /// The joint's frame in the link's own axes [m]; its origin and axes unless set.
    pub fn held_at(mut self, point: impl Into<Vec3>, rotation: Rotation) -> Self {
        self.joint_in_link = Pose { position: point.into(), rotation };
        self
    }

    /// Mass [kg], centre of mass in link axes [m] and inertia about it in link axes [kg·m²].
    pub fn inertia(mut self, mass: f64, center_of_mass: impl Into<Vec3>, inertia: Mat3) -> Self {
        let center_of_mass = center_of_mass.into();
        self.mass = MassProperties { mass, center_of_mass, inertia };
        self
    }

    /// A shape; its even density [kg/m³] gives the inertia.
    pub fn shape(mut self, shape: Shape, density: f64) -> Self {
        self.mass = shape.mass_properties(density);
        self.shape = Some(shape);
        self
    }

    /// A shape for contact and pictures that leaves the inertia alone.
    pub fn looks(mut self, shape: Shape) -> Self {
        self.shape = Some(shape);
        self
    }

    /// What touches, if not its shape.
    pub fn collider(mut self, shape: Result<CollisionShape, CollisionError>) -> Self {
        self.collider = Some(shape);
        self
    }

    /// Where the joint starts [rad or m], and how fast [rad/s or m/s].
    pub fn start(mut self, position: f64, velocity: f64) -> Self {
        (self.position, self.velocity) = (position, velocity);
        self
    }

    /// Viscous damping of the joint [N·m·s/rad or N·s/m].
    pub fn damping(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }
}

/// A floating base: a rigid body that carries the chain.
#[derive(Debug, Clone)]
pub(super) struct Base {
    pub name: String,
    pub mass: MassProperties,
    pub shape: Option<Shape>,
    pub collider: Option<Result<CollisionShape, CollisionError>>,
    pub pose: Pose,
    pub velocity: Vec3,
    pub angular_velocity: Vec3,
}

/// Links joined by turning and sliding joints, simulated in joint coordinates.
///
/// ```
/// use palpable::{Chain, Link, Mat3, Model, Rotation, Vec3};
/// let rod = Mat3::from_diagonal(&Vec3::new(1e-5, 1e-3, 1e-3));
/// let mut arm = Chain::new("arm");
/// let upper = arm.link(Link::revolute("upper").inertia(0.1, [0.15, 0.0, 0.0], rod));
/// let lower = Link::revolute("lower").on(upper).at([0.3, 0.0, 0.0], Rotation::identity());
/// arm.link(lower.inertia(0.1, [0.15, 0.0, 0.0], rod));
/// let mut model = Model::builder();
/// model.chain(arm);
/// assert!(model.build().is_ok());
/// ```
#[derive(Debug, Clone)]
pub struct Chain {
    pub(super) name: String,
    pub(super) base: Option<Base>,
    pub(super) links: Vec<Link>,
}

impl Chain {
    /// A chain on a fixed base.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), base: None, links: Vec::new() }
    }

    /// Puts the chain on a free body: mass [kg], centre of mass and inertia in its own axes.
    pub fn floating(mut self, name: impl Into<String>, mass: MassProperties, pose: Pose) -> Self {
        let zero = Vec3::zeros();
        self.base = Some(Base {
            name: name.into(),
            mass,
            shape: None,
            collider: None,
            pose,
            velocity: zero,
            angular_velocity: zero,
        });
        self
    }

    /// How a floating base starts: velocity of its centre of mass, world axes [m/s], and angular
    /// velocity in its own axes [rad/s].
    pub fn base_velocity(mut self, v: impl Into<Vec3>, omega: impl Into<Vec3>) -> Self {
        if let Some(base) = &mut self.base {
            (base.velocity, base.angular_velocity) = (v.into(), omega.into());
        }
        self
    }

    /// The shape of a floating base.
    pub fn base_shape(mut self, shape: Shape) -> Self {
        if let Some(base) = &mut self.base {
            base.shape = Some(shape);
        }
        self
    }

    /// What touches of a floating base, if not its shape.
    pub fn base_collider(mut self, shape: Result<CollisionShape, CollisionError>) -> Self {
        if let Some(base) = &mut self.base {
            base.collider = Some(shape);
        }
        self
    }

    /// Adds a link; returns its number for [`Link::on`].
    pub fn link(&mut self, link: Link) -> usize {
        self.links.push(link);
        self.links.len() - 1
    }

    /// Mistakes of the description.
    pub(super) fn check(&self, errors: &mut Vec<BuildError>) {
        let bodies = self.base.iter().map(|b| (&b.name, &b.mass));
        let links = self.links.iter().map(|l| (&l.name, &l.mass));
        for (name, mass) in bodies.chain(links) {
            if let Err(source) = mass.validate() {
                errors.push(BuildError::Mass { body: name.clone(), source });
            }
        }
        for (i, link) in self.links.iter().enumerate() {
            let part = || format!("link \"{}\" of \"{}\"", link.name, self.name);
            if link.parent.is_some_and(|p| p >= i) {
                errors.push(BuildError::Parent { part: part() });
            }
            let frames = [&link.joint_in_parent, &link.joint_in_link];
            let numbers = frames.iter().flat_map(|f| {
                f.position.iter().chain(f.rotation.coords.iter()).copied().collect::<Vec<_>>()
            });
            let start = [link.position, link.velocity, link.damping];
            if numbers.chain(start).any(|v| !v.is_finite()) {
                errors.push(BuildError::NotFinite { part: part(), field: "frame or start" });
            }
            if link.damping < 0.0 {
                let (part, field, value) = (part(), "damping", link.damping);
                errors.push(BuildError::Negative { part, field, value });
            }
        }
        if self.links.is_empty() {
            errors.push(BuildError::NoLinks { part: format!("chain \"{}\"", self.name) });
        }
    }
}
