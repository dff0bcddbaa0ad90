//! What a scene file may say. Field names and comments here are those of the schema.

mod anchor;
mod beam;
mod body;
mod chain;
mod contact;
mod gear;
mod include;
mod inertia;
mod input;
mod joint;
mod motor;
mod orientation;
mod port;
mod rows;
mod run;
mod shape;
mod spring;
mod step;
mod studio;
mod visual;

pub(crate) use anchor::Anchor;
pub(crate) use beam::{Beam, MountKind};
pub(crate) use body::{Body, SolidPart};
pub(crate) use chain::{Chain, ChainBase, Link, LinkKind, Tendon};
pub(crate) use contact::{CollisionName, Contact, ImpulsesName, LawName, Material, SurfaceName};
pub(crate) use gear::{Gear, GearKind};
pub(crate) use include::{Base, Coordinates, Include};
pub(crate) use inertia::Inertia;
pub(crate) use input::{Constant, Input, Interpolation, Outside, Path, Sine, Table};
pub(crate) use joint::{Apart, Joint, JointDamping, JointKind, JointStiffness, Rigidity};
pub(crate) use motor::{
    ConstantDrive, Drive, DriveKind, Motor, MotorKind, PathDrive, SineDrive, TableDrive,
};
pub(crate) use orientation::Orientation;
pub(crate) use port::{Port, PortKind};
pub(crate) use rows::{Rows, Triple};
pub(crate) use run::{Dissipate, Record, Run, Selection, Surplus, Tank};
pub(crate) use shape::{CuboidSize, Hull, Mesh, Scale, Shape};
pub(crate) use spring::{Damper, Spring, SpringKind};
pub(crate) use step::{Random, Step, StepTable};
pub(crate) use studio::{EndOfRun, Studio};
pub(crate) use visual::Visual;

use crate::dimension::{Acceleration, Position};
use crate::place::{At, Mistakes, Place};
use crate::quantity::Quantity;
use crate::read::{Read, document};
use crate::tree::Node;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use std::borrow::Cow;

/// Three lengths [m].
pub(crate) type Point = [Quantity<Position>; 3];

document! {
    /// A scene of palpable: bodies, springs, dampers, joints, ports, and how to run them. Numbers
    /// are in SI units; most may also be texts with a unit, such as "2 kN/m" or "10 ms".
    struct Document {
        required {
            /// Version of this format: 1.
            version: Version,
        }
        optional {
            /// What the scene is called and what it shows.
            scene: Title,
            /// Acceleration of gravity, world axes [m/s^2]; none unless given.
            gravity: [Quantity<Acceleration>; 3],
            /// How bodies touch; those with shapes do, unless told otherwise.
            contact: Contact,
            /// Robots from URDF files.
            include: Vec<At<Include>>,
            /// Rigid bodies.
            body: Vec<At<Body>>,
            /// Articulated systems in joint coordinates.
            chain: Vec<At<Chain>>,
            /// Flexible beams.
            beam: Vec<At<Beam>>,
            /// Springs, with their own dampers.
            spring: Vec<At<Spring>>,
            /// Dampers without a spring.
            damper: Vec<At<Damper>>,
            /// Joints, hard or soft.
            joint: Vec<At<Joint>>,
            /// Gears, racks and couplings between joints.
            gear: Vec<At<Gear>>,
            /// Elastic tendons over the joints of chains.
            tendon: Vec<At<Tendon>>,
            /// Where forces or moving references enter.
            port: Vec<At<Port>>,
            /// Motors on joints.
            motor: Vec<At<Motor>>,
            /// How long the steps are.
            step: Step,
            /// How long and by which scheme the scene runs.
            run: Run,
            /// What a recording holds; everything at each step unless given.
            record: Record,
            /// How the studio shows the scene; nothing else reads it.
            studio: Studio,
        }
    }
}

document! {
    /// What the scene is called and what it shows.
    struct Title {
        required {}
        optional {
            /// Name; that of the file unless given.
            name: String,
            /// What it shows.
            description: String,
        }
    }
}

/// The version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Version(u64);

impl Read for Version {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        let version = u64::read(node, at, mistakes)?;
        if version != 1 {
            let message = format!("version {version} is not known");
            mistakes.add(at, message, "write version = 1, or use a newer palpable");
            return None;
        }
        Some(Version(version))
    }
}

impl JsonSchema for Version {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Version".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "const": 1 })
    }
}
