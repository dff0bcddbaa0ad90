//! A robot put into a model.

use super::mass::compose;
use super::remark::Remark;
use super::robot::{JointKind, Robot};
use super::{generalized, maximal, start};
use palpable::{Anchor, BodyId, ElementId, ModelBuilder, Pose, Rotation, SystemId, Vec3, World};
use thiserror::Error;

/// Whether the root of a robot moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Base {
    /// It stays where it is put.
    #[default]
    Fixed,
    /// It moves freely.
    Free,
}

/// Coordinates that a robot is simulated in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coordinates {
    /// Six for each part; joints are hard constraints.
    #[default]
    Maximal,
    /// One for each joint.
    Generalized,
}

/// How a robot is put into a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Mount {
    /// Put before all names with a slash; empty for none.
    pub name: String,
    /// Where its root starts.
    pub pose: Pose,
    /// Whether its root moves.
    pub base: Base,
    /// Coordinates.
    pub coordinates: Coordinates,
    /// Where joints start, by their number [rad or m]; 0 for all others, or the middle of their
    /// limits if these leave 0 out.
    pub positions: Vec<(usize, f64)>,
}

impl Default for Mount {
    fn default() -> Self {
        Self {
            name: String::new(),
            pose: Pose { position: Vec3::zeros(), rotation: Rotation::identity() },
            base: Base::Fixed,
            coordinates: Coordinates::Maximal,
            positions: Vec::new(),
        }
    }
}

impl Mount {
    /// A name of the robot in the model.
    pub fn full_name(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { format!("{}/{name}", self.name) }
    }
}

/// Why a robot cannot be put into a model in this way.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MountError {
    /// The root is to move and has no mass.
    #[error("the root link `{link}` has no mass; give it an <inertial>, or keep the base fixed")]
    MasslessBase {
        /// Name of the root.
        link: String,
    },
    /// The root is to move and its inertia is singular.
    #[error("the root link `{link}` cannot move freely: its {why}")]
    SingularBase {
        /// Name of the root.
        link: String,
        /// What is wrong, and the cure.
        why: String,
    },
    /// A position for a joint that does not exist or has no single position.
    #[error(
        "joint {joint} takes no start position; give one to revolute, continuous and prismatic \
         joints that follow no other"
    )]
    NoPosition {
        /// Number of the joint.
        joint: usize,
    },
    /// A start position beyond the limits of the joint.
    #[error("joint `{joint}` cannot start at {position}; its limits are {lower} to {upper}")]
    BeyondLimits {
        /// Name of the joint.
        joint: String,
        /// Position asked for [rad or m].
        position: f64,
        /// Lower limit.
        lower: f64,
        /// Upper limit.
        upper: f64,
    },
    /// More joints than a dense mass matrix is good for.
    #[error(
        "{joints} joints are more than the {most} that generalized coordinates bear; use \
             maximal coordinates"
    )]
    TooMany {
        /// Joints of the robot.
        joints: usize,
        /// Most joints.
        most: usize,
    },
    /// A joint that has no generalized coordinate.
    #[error("joint `{joint}` is planar, which chains cannot be; use maximal coordinates")]
    Planar {
        /// Name of the joint.
        joint: String,
    },
}

/// A robot in a model: which body is which part, which element is which joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Mounted {
    /// Bodies of the parts of the robot, in their order.
    pub bodies: Vec<BodyId>,
    /// Where they start.
    pub starts: Vec<Pose>,
    /// Joints in the order of the robot; `None` for fixed and floating ones, and in generalized
    /// coordinates, which need none.
    pub joints: Vec<Option<ElementId>>,
    /// Dampers of the joints that have damping, in maximal coordinates.
    pub dampers: Vec<Option<ElementId>>,
    /// What ties joints that follow others to these.
    pub mimics: Vec<Option<ElementId>>,
    /// Chain and number in it of the joints, in generalized coordinates.
    pub coordinates: Vec<Option<(SystemId, usize)>>,
    /// All elements that were added, with their names, in the order of the model.
    pub elements: Vec<(String, ElementId)>,
    /// Where the joints start [rad or m]; 0 for those without a single position.
    pub positions: Vec<f64>,
    /// What is not simulated yet, and what was decided on the way.
    pub remarks: Vec<Remark>,
}

/// Joints of a robot in generalized coordinates: its mass matrix is dense, and a step takes a fifth
/// of a second with so many, half a minute with a thousand.
pub(crate) const MOST_JOINTS: usize = 300;

impl Robot {
    /// Adds the robot to a model.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use palpable_scene::{Robot, urdf::Mount};
    /// let robot = Robot::load("../../scenes/robots/arm.urdf")?;
    /// let mut model = palpable::Model::builder();
    /// let mounted = robot.mount(&mut model, &Mount::default())?;
    /// assert_eq!(mounted.bodies.len(), robot.parts.len());
    /// let mut world = palpable::World::new(model.build()?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The options do not suit this robot.
    pub fn mount(&self, model: &mut ModelBuilder, mount: &Mount) -> Result<Mounted, MountError> {
        if mount.base == Base::Free {
            self.check_free_base()?;
        }
        let (joints, most) = (self.joints.len(), MOST_JOINTS);
        if mount.coordinates == Coordinates::Generalized && joints > most {
            return Err(MountError::TooMany { joints, most });
        }
        let mut remarks = Vec::new();
        let positions = start::positions(self, mount, &mut remarks)?;
        let starts = self.poses(&mount.pose, &positions);
        let mut mounted = match mount.coordinates {
            Coordinates::Maximal => maximal::build(self, model, mount, starts, positions),
            Coordinates::Generalized => generalized::build(self, model, mount, starts, positions)?,
        };
        remarks.append(&mut mounted.remarks);
        remarks.sort_by_key(|remark| remark.line);
        Ok(Mounted { remarks, ..mounted })
    }

    fn check_free_base(&self) -> Result<(), MountError> {
        let link = || self.links[self.root].name.clone();
        let Some(mass) = self.parts.first().and_then(|part| part.inertial) else {
            return Err(MountError::MasslessBase { link: link() });
        };
        let singular = |e: palpable::geometry::MassError| MountError::SingularBase {
            link: link(),
            why: e.to_string(),
        };
        mass.validate().map_err(singular)
    }

    /// Where the parts are if the root is at `root` and the joints at `positions` [rad or m].
    pub fn poses(&self, root: &Pose, positions: &[f64]) -> Vec<Pose> {
        let mut poses: Vec<Pose> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let Some(index) = part.joint else {
                poses.push(*root);
                continue;
            };
            let joint = &self.joints[index];
            let q = positions.get(index).copied().unwrap_or(0.0);
            let motion = match joint.kind {
                JointKind::Revolute | JointKind::Continuous if q != 0.0 => Pose {
                    position: Vec3::zeros(),
                    rotation: Rotation::from_scaled_axis(joint.axis * q),
                },
                JointKind::Prismatic => {
                    Pose { position: joint.axis * q, rotation: Rotation::identity() }
                }
                _ => Pose::default(),
            };
            // parents come before children
            let (above, frame) = self.part_of(joint.parent).unwrap_or_default();
            let parent = compose(&poses[above], &frame);
            poses.push(compose(&compose(&parent, &joint.origin), &motion));
        }
        poses
    }
}

impl Mounted {
    pub(super) fn new(
        robot: &Robot,
        starts: Vec<Pose>,
        positions: Vec<f64>,
        remarks: Vec<Remark>,
    ) -> Self {
        let none = || vec![None; robot.joints.len()];
        Self {
            bodies: Vec::new(),
            starts,
            joints: none(),
            dampers: none(),
            mimics: none(),
            coordinates: vec![None; robot.joints.len()],
            elements: Vec::new(),
            positions,
            remarks,
        }
    }

    /// Where a joint is now: an angle within half a turn [rad], or a way [m]; `None` for joints
    /// that have no single position.
    pub fn position(&self, robot: &Robot, world: &World, joint: usize) -> Option<f64> {
        let joint = robot.joints.get(joint).filter(|j| j.kind.is_single())?;
        let [child, parent] = super::axis::anchors(robot, joint, self)?;
        let pose = |anchor: &Anchor| {
            let body = world.pose(anchor.body?);
            Some(compose(&body, &Pose { position: anchor.point, rotation: anchor.rotation }))
        };
        let (child, parent) = (pose(&child)?, pose(&parent)?);
        if joint.kind == JointKind::Prismatic {
            let way = child.position - parent.position;
            return Some((parent.rotation.inverse() * way).z);
        }
        let turn = parent.rotation.inverse() * child.rotation;
        let angle = 2.0 * turn.coords.z.atan2(turn.coords.w);
        let whole = std::f64::consts::TAU;
        Some(angle - whole * (angle / whole).round())
    }

    /// A point of a link [m, in the axes of the link], for springs and ports.
    pub fn anchor(&self, robot: &Robot, link: usize, point: impl Into<Vec3>) -> Option<Anchor> {
        let (part, frame) = robot.part_of(link)?;
        let at = frame.position + frame.rotation * point.into();
        Some(self.bodies.get(part)?.at(at).turned(frame.rotation))
    }
}
