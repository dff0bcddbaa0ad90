//! What can be wrong with a model, and what to do about it.

use crate::geometry::{CollisionError, MassError, ShapeError};
use std::fmt;
use thiserror::Error;

/// One mistake in a model. Each message names the part, the field and the cure.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BuildError {
    /// A shape cannot exist.
    #[error("body \"{body}\": {source}")]
    Shape {
        /// Name of the body.
        body: String,
        /// What is wrong with the shape.
        source: ShapeError,
    },
    /// Mass or inertia cannot belong to a rigid body.
    #[error("body \"{body}\": {source}")]
    Mass {
        /// Name of the body.
        body: String,
        /// What is wrong with the mass.
        source: MassError,
    },
    /// A moving body has neither shape nor inertia.
    #[error(
        "body \"{body}\": no shape and no inertia; give it a shape, or mass and inertia \
         explicitly, or make it fixed"
    )]
    NoInertia {
        /// Name of the body.
        body: String,
    },
    /// A number is NaN or infinite.
    #[error("{part}: {field} is not a finite number; check the file or formula it came from")]
    NotFinite {
        /// The part at fault, with its name.
        part: String,
        /// Its field.
        field: &'static str,
    },
    /// A number so large that its square, or its product with another, cannot be added up.
    #[error(
        "{part}: {field} is {value:e}; energies overflow beyond 1e40 in any unit: check its unit"
    )]
    TooLarge {
        /// The part at fault, with its name.
        part: String,
        /// Its field.
        field: &'static str,
        /// The value given.
        value: f64,
    },
    /// A mass so small that a quotient of it cannot be told from infinity.
    #[error("{part}: {field} is {value:e}; below {least:e} accelerations overflow: check its unit")]
    TooSmall {
        /// The part at fault, with its name.
        part: String,
        /// Its field.
        field: &'static str,
        /// The value given.
        value: f64,
        /// The least that is taken.
        least: f64,
    },
    /// A number that must not be negative is.
    #[error("{part}: {field} is {value}; it must be 0 or more")]
    Negative {
        /// The part at fault, with its name.
        part: String,
        /// Its field.
        field: &'static str,
        /// The value given.
        value: f64,
    },
    /// Two parts of one kind share a name.
    #[error("two {kind} are named \"{name}\"; rename one of them")]
    DuplicateName {
        /// Kind of part, plural.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// An element does not join two different things.
    #[error("{part}: both ends are on the same body; attach one end elsewhere")]
    SameBody {
        /// The part at fault, with its name.
        part: String,
    },
    /// Neither end of an element, or no port, can move.
    #[error("{part}: nothing it is attached to can move; attach it to a body that is not fixed")]
    NothingMoves {
        /// The part at fault, with its name.
        part: String,
    },
    /// An id of a part that is not there, or not any more.
    #[error("{kind} {place} is not in this model, or has left it; use an id of a part that is")]
    Gone {
        /// Kind of part.
        kind: &'static str,
        /// The place that the id names.
        place: usize,
    },
    /// An id from another builder.
    #[error("{part}: refers to a body of another model; use ids from this builder")]
    UnknownBody {
        /// The part at fault, with its name.
        part: String,
    },
    /// A user's element has an impossible number of rows.
    #[error("{part}: has {rows} rows; an element has 1 to 6")]
    Rows {
        /// The part at fault, with its name.
        part: String,
        /// Rows it claims.
        rows: usize,
    },
    /// A motor on a measure with several rows.
    #[error(
        "{part}: its measure has {rows} rows; a motor drives one: an angle, slide or coordinate"
    )]
    MotorRows {
        /// The part at fault, with its name.
        part: String,
        /// Rows of the measure.
        rows: usize,
    },
    /// A link hangs on one that comes later.
    #[error("{part}: its parent is not an earlier link; add parents before their children")]
    Parent {
        /// The part at fault, with its name.
        part: String,
    },
    /// A chain without links.
    #[error("{part}: has no links; add at least one")]
    NoLinks {
        /// The part at fault, with its name.
        part: String,
    },
    /// A number that must be positive is not.
    #[error("{part}: {field} is {value}; it must be greater than 0")]
    NotPositive {
        /// The part at fault, with its name.
        part: String,
        /// Its field.
        field: &'static str,
        /// The value given.
        value: f64,
    },
    /// A beam with too many or no modes.
    #[error("{part}: has {modes} modes; use 1 to 10")]
    Modes {
        /// The part at fault, with its name.
        part: String,
        /// Modes asked for.
        modes: usize,
    },
    /// More starting values than coordinates.
    #[error("{part}: has more starting values than coordinates; give one pair per coordinate")]
    Starts {
        /// The part at fault, with its name.
        part: String,
    },
    /// An element refers to a coordinate that its subsystem does not have.
    #[error("{part}: refers to coordinate {asked} of a subsystem that has {most}")]
    Coordinate {
        /// The part at fault, with its name.
        part: String,
        /// Coordinates there are.
        most: usize,
        /// Coordinates it takes for granted.
        asked: usize,
    },
    /// A subsystem's numbers do not fit its law.
    #[error(
        "{part}: has {counts:?} coordinates, velocities and dampings; its law expects {expected:?} \
         and at least one link"
    )]
    SystemSize {
        /// The part at fault, with its name.
        part: String,
        /// Numbers given.
        counts: [usize; 3],
        /// Numbers needed.
        expected: [usize; 3],
    },
    /// A body cannot be brought into contact.
    #[error("{part}: {source}")]
    Collision {
        /// The part at fault, with its name.
        part: String,
        /// What is wrong with its collision shape.
        source: CollisionError,
    },
    /// A material that cannot be.
    #[error("{part}: {field} is {value}; {}", material_cure(field))]
    Material {
        /// The part at fault, with its name.
        part: String,
        /// Its field.
        field: &'static str,
        /// The value given.
        value: f64,
    },
    /// Stops the wrong way round.
    #[error("{part}: its lower stop {lower} is not below its upper stop {upper}; exchange them")]
    Stops {
        /// The part at fault, with its name.
        part: String,
        /// Lower stop.
        lower: f64,
        /// Upper stop.
        upper: f64,
    },
    /// The mass matrix of a subsystem is singular where it starts.
    #[error(
        "{part}: its mass matrix is not positive definite at the start; give every joint something \
         to move: a mass, or an inertia about its axis"
    )]
    SingularMass {
        /// The part at fault, with its name.
        part: String,
    },
}

/// All mistakes of a model at once.
#[derive(Debug, Clone, PartialEq, Error)]
pub struct BuildErrors(pub Vec<BuildError>);

impl fmt::Display for BuildErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            let end = if i + 1 < self.0.len() { "\n" } else { "" };
            write!(f, "{error}{end}")?;
        }
        Ok(())
    }
}

/// Largest number that a model takes, in SI units: an energy is a product of three of them, a step
/// squares it, and that is a number still.
pub(crate) const LARGEST: f64 = 1e40;

/// Smallest mass of a body [kg].
pub(crate) const LIGHTEST: f64 = 1e-40;
/// Smallest principal moment of inertia [kg·m²], of bodies as small as they may be light.
pub(crate) const LEAST_INERTIA: f64 = 1e-120;

/// The first number of a list whose energy cannot be added up.
pub(crate) fn too_large(values: &[f64]) -> Option<f64> {
    values.iter().copied().find(|v| v.abs() > LARGEST)
}

/// Collects mistakes about numbers.
pub(super) struct Checker {
    pub errors: Vec<BuildError>,
}

impl Checker {
    pub fn finite(&mut self, part: &str, field: &'static str, values: &[f64]) {
        if values.iter().any(|v| !v.is_finite()) {
            self.errors.push(BuildError::NotFinite { part: part.to_owned(), field });
        } else if let Some(value) = too_large(values) {
            self.errors.push(BuildError::TooLarge { part: part.to_owned(), field, value });
        }
    }

    /// Numbers that others are divided by, each at least `least`.
    pub fn at_least(&mut self, part: &str, field: &'static str, values: &[f64], least: f64) {
        self.finite(part, field, values);
        if let Some(&value) = values.iter().find(|v| **v < least) {
            let part = part.to_owned();
            self.errors.push(BuildError::TooSmall { part, field, value, least });
        }
    }

    pub fn not_negative(&mut self, part: &str, field: &'static str, values: &[f64]) {
        self.finite(part, field, values);
        if let Some(&value) = values.iter().find(|v| **v < 0.0) {
            self.errors.push(BuildError::Negative { part: part.to_owned(), field, value });
        }
    }

    pub fn unique<'a>(&mut self, kind: &'static str, names: impl Iterator<Item = &'a str>) {
        let mut seen = std::collections::BTreeSet::new();
        for name in names.filter(|n| !n.is_empty()) {
            if !seen.insert(name) {
                self.errors.push(BuildError::DuplicateName { kind, name: name.to_owned() });
            }
        }
    }
}

/// What a field of a material may be.
fn material_cure(field: &str) -> &'static str {
    match field {
        "restitution" => "give 0 to 1; down to -1 where contacts begin with impulses",
        "modulus" => "a surface that yields needs a finite modulus above 0",
        "sides of its law" => "give 4 to 64",
        _ => "give a finite number of 0 or more",
    }
}
