//! Work space of contact over a volume: allocated once, grown by the largest step.

use super::find::Way;
use super::island_side::Answers;
use super::pile::Pile;
use super::pressing::{Pressing, Spot};
use crate::contact::Tie;
use crate::contact::frame::Frame;
use crate::geometry::{Cutter, MouldPiece};
use crate::math::{Room, Vec3, Vec6};
use crate::model::Model;

/// A contact over an area, as it was in the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patch {
    /// Bodies of the model it is between.
    pub bodies: [usize; 2],
    /// Unit normal from the first to the second body, world axes.
    pub normal: Vec3,
    /// Centre of its area, world axes [m].
    pub center: Vec3,
    /// Where its pressure acts: the centroid of the overlap, world axes [m].
    pub centroid: Vec3,
    /// Area [m²].
    pub area: f64,
    /// Volume of the overlap [m³].
    pub volume: f64,
    /// Largest extent of the overlap along the normal [m].
    pub depth: f64,
    /// Mean pressure [Pa].
    pub pressure: f64,
    /// Mean force on the second body over the step, world axes [N].
    pub force: Vec3,
    /// Mean torque on the second body about the centre, world axes [N·m].
    pub torque: Vec3,
    /// Torque of friction about the normal [N·m].
    pub friction_torque: f64,
    /// Energy that its springs may give back [J].
    pub store: f64,
    /// Slides.
    pub slips: bool,
    pub(crate) listed: Listed,
}

/// Where the parts of a contact over an area stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Listed {
    /// pieces of the collision pipeline that touch
    pub pieces: (u32, u32),
    /// its corners in the list of [`VolumeStage::corners`]
    pub corners: (usize, usize),
    /// where their depths begin in the list of [`VolumeStage::depths`]
    pub depths: usize,
}

impl Patch {
    /// Pressure where the overlap has the length `depth` [m] along the normal [Pa].
    pub fn pressure_at(&self, depth: f64) -> f64 {
        if self.volume > 0.0 { self.pressure * depth * (self.area / self.volume) } else { 0.0 }
    }
}

/// Two pieces, and the moving bodies they belong to.
pub type NearPair = ((u32, u32), [Option<usize>; 2]);

/// What the springs of a step may draw on besides their stores.
#[derive(Debug, Clone, Copy, Default)]
pub struct Means {
    /// The step is done again: springs begin with what their stores have.
    pub cautious: bool,
    /// What the tank pays for springs that lack energy [J].
    pub credit: f64,
}

/// Everything contact over a volume needs besides the state.
#[derive(Debug, Clone)]
pub struct VolumeStage {
    /// pieces of the pipeline
    pub(super) moulds: Vec<Option<MouldPiece>>,
    pub(super) cutter: Cutter,
    /// predicted middles of bodies in this part of a step, as far as they are known
    pub(super) ways: Vec<Option<Way>>,
    /// pieces that may press in some part of the step, and the moving bodies they belong to
    pub(super) near: Room<NearPair>,
    pub(super) pressings: Room<Pressing>,
    pub(super) spots: Room<Spot>,
    /// Corners of all regions, world axes [m]; each belongs to one patch.
    pub corners: Room<Vec3>,
    /// Depths of all overlaps at corners, and at their centres [m].
    pub depths: Room<f64>,
    pub(super) pile: Pile,
    pub(super) answers: Answers,
    pub(super) seats: Vec<NodeSeat>,
    /// Forces on bodies in the last midpoint solve.
    pub wrenches: Vec<Vec6>,
    /// Contacts of the last step.
    pub patches: Room<Patch>,
    /// What springs may draw on.
    pub means: Means,
    pub(super) rest: Resting,
}

/// A moving body in the solve at hand.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NodeSeat {
    /// number of a free body in the pile
    pub number: Option<u32>,
    /// how it turns in the step
    pub frame: Option<Frame>,
}

/// What sleeps, and who hangs together.
#[derive(Debug, Clone)]
pub(super) struct Resting {
    /// pieces whose bodies sleep or cannot move, sorted
    pub pieces: Room<(u32, u32)>,
    /// how many of the patches are theirs: the first
    pub shown: usize,
    pub ties: Room<Tie>,
    /// what is shown belongs to another state
    pub stale: bool,
}

impl VolumeStage {
    /// Space for a model; `None` if no surface yields.
    pub fn new(model: &Model) -> Option<Self> {
        let contact = model.contact.as_ref()?;
        if !model.params.surfaces.any_soft() {
            return None;
        }
        let moulds = contact.pipeline.moulds();
        let most = contact.capacity;
        let cutter = Cutter::with_room_for(moulds.iter().flatten().map(|p| &p.mould));
        Some(Self {
            moulds,
            cutter,
            ways: vec![None; model.bodies.len()],
            near: Room::with_capacity(4 * most),
            pressings: Room::with_capacity(most),
            spots: Room::with_capacity(64 * most),
            corners: Room::with_capacity(32 * most),
            depths: Room::with_capacity(33 * most),
            pile: Pile::with_capacity(2 * model.moving.len()),
            answers: Answers::with_room(model),
            seats: vec![NodeSeat::default(); model.moving.len()],
            wrenches: vec![Vec6::zeros(); model.moving.len()],
            patches: Room::with_capacity(most),
            means: Means::default(),
            rest: Resting {
                pieces: Room::with_capacity(most),
                shown: 0,
                ties: Room::with_capacity(5 * most),
                stale: false,
            },
        })
    }

    /// Pieces that may press in some part of the step, and the moving bodies they belong to.
    pub fn pairs(&self) -> impl Iterator<Item = NearPair> {
        self.near.iter().copied()
    }
}
