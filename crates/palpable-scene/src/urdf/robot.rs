//! A robot as its file describes it: a tree of links and joints, checked, in no world yet.

use super::Remark;
use crate::mesh_file::TriangleMesh;
use palpable::{MassProperties, Pose, Shape, Vec3};
use std::path::{Path, PathBuf};

/// A robot from a URDF file.
///
/// ```
/// # fn main() -> Result<(), palpable_scene::SceneErrors> {
/// let text = r#"<robot name="pendulum">
///   <link name="base"/>
///   <link name="rod">
///     <inertial>
///       <origin xyz="0 0 -0.5"/><mass value="2"/>
///       <inertia ixx="0.2" iyy="0.2" izz="0.01"/>
///     </inertial>
///   </link>
///   <joint name="pin" type="continuous">
///     <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
///   </joint>
/// </robot>"#;
/// let robot = palpable_scene::Robot::parse(text, "pendulum.urdf")?;
/// assert_eq!((robot.links.len(), robot.joints.len()), (2, 1));
/// assert_eq!(robot.mass(), 2.0);
/// assert!(robot.remarks.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Robot {
    /// Its name.
    pub name: String,
    /// Links, in the order of the file.
    pub links: Vec<Link>,
    /// Joints, in the order of the file.
    pub joints: Vec<Joint>,
    /// The link without a parent.
    pub root: usize,
    /// Links that move as one, parents before children; the first holds the root.
    pub parts: Vec<Part>,
    /// Every tag that was ignored, and what else is worth knowing, in the order of the file.
    pub remarks: Vec<Remark>,
    pub(super) file: PathBuf,
}

/// A link of a robot.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Its name.
    pub name: String,
    /// Mass, centre of mass and inertia about it, in the axes of the link; `None` if massless.
    pub inertial: Option<MassProperties>,
    /// What it looks like.
    pub visuals: Vec<Geometry>,
    /// What touches: solids only.
    pub collisions: Vec<Geometry>,
    /// The joint above it; `None` for the root.
    pub parent_joint: Option<usize>,
    /// Line in the file.
    pub line: usize,
}

/// A shape of a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Geometry {
    /// Its name, possibly empty.
    pub name: String,
    /// Where it is in the axes of the link.
    pub pose: Pose,
    /// The shape.
    pub form: Form,
    /// Red, green, blue and opacity, each from 0 to 1.
    pub color: Option<[f64; 4]>,
    /// Line in the file.
    pub line: usize,
}

/// What a geometry is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A solid.
    Solid(Shape),
    /// Triangles that need not enclose anything; visuals only.
    Surface(TriangleMesh),
}

/// How a joint lets its child move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// Turns about the axis, within limits.
    Revolute,
    /// Turns about the axis without end.
    Continuous,
    /// Slides along the axis.
    Prismatic,
    /// Does not move.
    Fixed,
    /// Moves freely.
    Floating,
    /// Slides in the plane perpendicular to the axis and turns about it.
    Planar,
}

impl JointKind {
    /// The words of the file.
    pub(super) const WORDS: [(&'static str, Self); 6] = [
        ("revolute", Self::Revolute),
        ("continuous", Self::Continuous),
        ("prismatic", Self::Prismatic),
        ("fixed", Self::Fixed),
        ("floating", Self::Floating),
        ("planar", Self::Planar),
    ];

    /// The word of the file.
    pub fn name(self) -> &'static str {
        Self::WORDS.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }

    /// True if it turns about its axis and does nothing else.
    pub fn turns(self) -> bool {
        matches!(self, Self::Revolute | Self::Continuous)
    }

    /// True if one number says where it is: an angle [rad] or a way [m].
    pub fn is_single(self) -> bool {
        self.turns() || self == Self::Prismatic
    }
}

/// A joint of a robot. Its frame is that of its child.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// The link above.
    pub parent: usize,
    /// The link below.
    pub child: usize,
    /// Where the child is in the axes of the parent when the joint is at 0.
    pub origin: Pose,
    /// Unit vector in the axes of the child.
    pub axis: Vec3,
    /// How far, how strongly and how fast it may move.
    pub limits: Option<Limits>,
    /// What slows it down.
    pub dynamics: Dynamics,
    /// The joint that it follows.
    pub mimic: Option<Mimic>,
    /// Line in the file.
    pub line: usize,
}

/// What slows a joint down.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dynamics {
    /// Viscous damping [N·m·s/rad or N·s/m].
    pub damping: f64,
    /// Dry friction [N·m or N].
    pub friction: f64,
    /// Line in the file, 0 if nothing is given.
    pub line: usize,
}

/// Limits of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Least and greatest position [rad or m]; none for joints that turn without end.
    pub range: Option<[f64; 2]>,
    /// Greatest torque or force of its motor [N·m or N].
    pub effort: Option<f64>,
    /// Greatest speed [rad/s or m/s].
    pub velocity: Option<f64>,
    /// Line in the file.
    pub line: usize,
}

/// Keeps `position = multiplier · position of another joint + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mimic {
    /// The joint that is followed.
    pub joint: usize,
    /// Factor.
    pub multiplier: f64,
    /// Position where the other joint is at 0 [rad or m].
    pub offset: f64,
    /// Line in the file.
    pub line: usize,
}

/// Links that fixed joints make one.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Its uppermost link, whose name and axes it has.
    pub top: usize,
    /// All its links, and where each is in the axes of the top; the top comes first.
    pub links: Vec<(usize, Pose)>,
    /// Mass properties of them all, in the axes of the top; `None` if massless.
    pub inertial: Option<MassProperties>,
    /// The moving joint above; `None` for the part of the root.
    pub joint: Option<usize>,
}

impl Robot {
    /// The file it came from.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Mass of all links together [kg].
    pub fn mass(&self) -> f64 {
        self.links.iter().filter_map(|link| link.inertial).map(|i| i.mass).sum()
    }

    /// Finds a link by its name.
    pub fn link_named(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// Finds a joint by its name.
    pub fn joint_named(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// The part that a link belongs to, and where the link is in the axes of the part.
    pub fn part_of(&self, link: usize) -> Option<(usize, Pose)> {
        self.parts.iter().enumerate().find_map(|(i, part)| {
            part.links.iter().find(|(l, _)| *l == link).map(|(_, pose)| (i, *pose))
        })
    }
}
