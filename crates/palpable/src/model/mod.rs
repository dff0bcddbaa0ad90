//! Ground floor: bodies, chains, springs, joints. Topology is frozen once built, parameters live.

mod beam;
mod body;
mod builder;
mod chain;
mod chain_law;
mod contact_law;
mod edit;
pub mod element;
mod element_custom;
mod element_point;
mod element_pose;
mod element_rotation;
mod element_rows;
mod error;
mod freeze;
mod freeze_contact;
mod gear;
mod island;
mod joint;
pub mod lagrangian;
mod lineage;
pub(crate) mod mark;
mod material;
mod overlap;
mod params;
mod site;
mod slots;
mod spring;
mod state;
mod system;
mod unit;
mod volume;

pub use beam::{Beam, Mount};
pub use body::{Anchor, Body, BodyId};
pub use builder::{ModelBuilder, Port};
pub use chain::{Chain, Link, Motion};
pub use contact_law::{ContactLaw, LawError};
pub use element::{Element, End, Kind, Pose};
pub use element_point::point_rows;
pub use element_rows::Row;
pub use error::{BuildError, BuildErrors};
pub(crate) use error::{LIGHTEST, too_large};
pub(crate) use freeze::begin;
pub use gear::Gear;
pub use island::{Island, Movers};
pub use joint::Joint;
pub use lagrangian::{Lagrangian, Start, Terms};
pub use material::{ContactModel, Material, Surfaces};
pub use overlap::Overlap;
pub(crate) use overlap::pose_of;
pub use params::{BodyParams, ElementParams, Params};
pub use site::Site;
pub use spring::{ElementId, Spring};
pub use state::{BodyState, History, State};
pub use system::{
    Begun, PerSystem, Predicted, SystemAt, SystemId, SystemInfo, SystemParams, SystemState,
    SystemWork,
};
pub use unit::{IslandAt, PerIsland, PerUnit, Span, Unit, Units};
pub use volume::{PatchMemory, VolumeKind, VolumeLaw, VolumeMemory};

use crate::geometry::{CollisionShape, Shape};
use crate::math::{Mat3, Rotation, Vec3, Vec6, angular, join, linear};
use crate::port::PortId;
use std::sync::Arc;

/// A body of a frozen model.
#[derive(Debug, Clone)]
pub struct BodyInfo {
    /// Its name.
    pub name: String,
    /// Its shape, if any.
    pub shape: Option<Shape>,
    /// What touches, if it may touch anything.
    pub collider: Option<CollisionShape>,
    /// True if that is the shape itself.
    pub from_shape: bool,
    /// Centre of mass in body axes [m].
    pub center_of_mass: Vec3,
    /// Principal axes in body axes.
    pub body_from_principal: Rotation,
    /// Index among the moving bodies; `None` if fixed.
    pub moving: Option<usize>,
    /// The subsystem that carries it, and which of its links it is.
    pub owner: Option<(SystemAt, usize)>,
    /// True if it was taken out of the world; its place is kept until another takes it.
    pub gone: bool,
    /// Where it starts; where a fixed body stays.
    pub start: Pose,
}

/// An element of a frozen model.
#[derive(Debug, Clone)]
pub struct ElementInfo {
    /// Its name, possibly empty.
    pub name: String,
    /// What it measures.
    pub kind: Kind,
    /// Moving bodies at its ends; `None` is the world or a fixed body.
    pub ends: [Option<usize>; 2],
    /// True for joints: rows may be hard, and vibration that the step cannot resolve is damped.
    pub joint: bool,
    /// Stops of its first row: smallest and largest measure [m or rad].
    pub stops: Option<[f64; 2]>,
    /// True if its first row has dry friction.
    pub rubs: bool,
    /// The distinct velocity unknowns it touches.
    pub blocks: Vec<Block>,
    /// Which of them each end touches; the last two are the second pair of a gear.
    pub side: [Option<usize>; 4],
}

impl ElementInfo {
    /// True if its first row has stops or dry friction.
    pub(crate) fn is_bounded(&self) -> bool {
        self.stops.is_some() || self.rubs
    }
}

impl ElementInfo {
    /// What stands in the place of an element that was taken out: no rows, nothing to hold on to.
    pub(crate) fn gone() -> Self {
        let (kind, ends) = (Kind::Rows(Vec::new()), [None; 2]);
        let (joint, rubs, blocks, side) = (false, false, Vec::new(), [None; 4]);
        Self { name: String::new(), kind, ends, joint, stops: None, rubs, blocks, side }
    }
}

/// A velocity unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Block {
    /// A rigid body, by its index among the moving ones.
    Body(usize),
    /// A subsystem.
    System(SystemAt),
}

/// A port of a frozen model.
#[derive(Debug, Clone)]
pub struct PortInfo {
    /// Its name.
    pub name: String,
    /// Its id.
    pub id: PortId,
    /// The moving body it acts on.
    pub body: usize,
    /// Its point in principal axes from the centre of mass [m].
    pub point: Vec3,
    /// Its frame in principal axes.
    pub frame: Rotation,
    /// The element that couples a reference to the body, for reference ports; or the motor's.
    pub element: Option<usize>,
    /// True for a motor: its input is an effort or a rate of its element's row.
    pub motor: bool,
    /// Largest effort that a motor takes [N or N·m]; infinite if there is none.
    pub limit: f64,
}

/// What does not change once a world is built.
#[derive(Debug, Clone)]
pub struct Model {
    /// the description it was made from, each part in its place
    pub(crate) source: Arc<ModelBuilder>,
    pub(crate) bodies: Vec<BodyInfo>,
    pub(crate) moving: Vec<BodyId>,
    pub(crate) elements: Vec<ElementInfo>,
    pub(crate) ports: Vec<PortInfo>,
    pub(crate) systems: PerSystem<SystemInfo>,
    /// per moving body: the subsystem that carries it, and which link of that it is
    pub(crate) owners: Vec<Option<(SystemAt, usize)>>,
    pub(crate) contact: Option<ContactModel>,
    pub(crate) islands: PerIsland<Island>,
    pub(crate) free: Vec<usize>,
    pub(crate) units: Arc<Units>,
    pub(crate) params: Params,
    pub(crate) state: State,
    /// tells this model from others, whatever ports came and went
    pub(crate) mark: u64,
}

impl Model {
    /// Starts a description.
    pub fn builder() -> ModelBuilder {
        ModelBuilder::default()
    }

    /// Starts a description of bodies that pass through each other.
    pub fn ghosts() -> ModelBuilder {
        let mut builder = ModelBuilder::default();
        builder.ghosts();
        builder
    }

    /// The description that it was built from, to be changed and built anew; ids stay valid.
    pub fn description(&self) -> ModelBuilder {
        ModelBuilder::clone(&self.source)
    }

    /// All bodies, by the places of their ids: in the order they were added, unless a world was
    /// edited.
    pub fn bodies(&self) -> &[BodyInfo] {
        &self.bodies
    }

    /// All elements, by the places of their ids: in the order they were added, those of ports at
    /// the end, unless a world was edited.
    pub fn elements(&self) -> &[ElementInfo] {
        &self.elements
    }

    /// All ports, in the order they were added.
    pub fn ports(&self) -> &[PortInfo] {
        &self.ports
    }

    /// All subsystems, in the order they were added.
    pub fn systems(&self) -> &[SystemInfo] {
        &self.systems
    }

    /// Groups of bodies joined by elements.
    pub fn islands(&self) -> &[Island] {
        &self.islands
    }

    /// Who may touch whom; `None` if nothing does.
    pub fn contact(&self) -> Option<&ContactModel> {
        self.contact.as_ref()
    }

    /// The parameters a world starts with.
    pub fn params(&self) -> &Params {
        &self.params
    }
}

/// One end of an element: a frame at `point`, `frame` on `body`, or in the world.
#[inline]
fn end_at(
    body: Option<usize>,
    (point, frame): (Vec3, Rotation),
    state: &State,
    twists: Option<&[Vec6]>,
) -> End {
    let Some(body) = body else {
        let zero = Vec3::zeros();
        let (q, r) = (Rotation::identity(), Mat3::identity());
        return End { x: zero, q, r, v: zero, omega: zero, point, frame };
    };
    let s = &state.bodies[body];
    let twist = twists.map_or(Vec6::zeros(), |t| t[body]);
    let r = s.q.to_rotation_matrix().into_inner();
    End { x: s.x, q: s.q, r, v: linear(&twist), omega: angular(&twist), point, frame }
}

/// The two ends of an element at a state; `twists` are the predicted midpoint velocities.
#[inline]
pub fn element_ends(
    info: &ElementInfo,
    params: &ElementParams,
    state: &State,
    twists: Option<&[Vec6]>,
) -> [End; 2] {
    // not a map over an array: that would copy both ends twice
    let end = |i: usize| end_at(info.ends[i], (params.points[i], params.frames[i]), state, twists);
    [end(0), end(1)]
}

/// The strain `G(q)` of an element at a state, rotations on the branch nearest to `near`.
pub fn element_strain(
    info: &ElementInfo,
    params: &ElementParams,
    state: &State,
    near: &Vec6,
) -> Vec6 {
    match &info.kind {
        Kind::Coordinates(c) => c.strain(&state.systems[c.system].q) - params.rest,
        Kind::Gear(gear) => {
            let ends = element_ends(info, params, state, None);
            gear.strain(&ends, &gear.second(state, None), near) - params.rest
        }
        Kind::Point => {
            let at = |i: usize| match info.ends[i] {
                Some(body) => state.bodies[body].x + state.bodies[body].q * params.points[i],
                None => params.points[i],
            };
            join(&(at(0) - at(1)), &Vec3::zeros()) - params.rest
        }
        kind => {
            let ends = element_ends(info, params, state, None);
            element::strain(kind, &ends[0], &ends[1], &(near + params.rest)) - params.rest
        }
    }
}
