//! The parts of [`super::Stage`], by what they are about; allocated once.

use super::frame::{Frame, Start, closing};
use super::meet::{Coherence, ImpulseLimit};
use super::sleep::Sleeping;
use super::touch::{PerTouch, Touch, TouchAt};
use crate::geometry::{CollisionPipeline, Isometry};
use crate::math::{Groups, Room, Vec3, Vec6};
use crate::model::{ContactLaw, Model, PerIsland, PerSystem, PerUnit, SystemInfo, Unit, Units};
use crate::solve::Purse;
use crate::solve::cone::{Capacity, ConeSettings, Resolution};

/// What the world asks of contact in a step.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Budget of the solver.
    pub settings: ConeSettings,
    /// How contacts are recognised.
    pub coherence: Coherence,
    /// What a device can do.
    pub limit: ImpulseLimit,
    /// How collisions are resolved.
    pub resolution: Resolution,
    /// Law of pairs whose surfaces name none, and of stops.
    pub law: ContactLaw,
    /// When piles sleep.
    pub sleeping: Sleeping,
    /// Parts of the step that are still to come, this one included.
    pub parts_left: usize,
    /// Steps of this length since the start: what is done in some of them only goes by this.
    pub turn: u64,
}

impl Default for Ask {
    fn default() -> Self {
        Self {
            settings: ConeSettings::default(),
            coherence: Coherence::default(),
            limit: ImpulseLimit::default(),
            resolution: Resolution::default(),
            law: ContactLaw::Cone,
            sleeping: Sleeping::default(),
            parts_left: 1,
            turn: 0,
        }
    }
}

/// Who is near whom.
#[derive(Debug, Clone)]
pub struct Search {
    pub(super) pipeline: CollisionPipeline,
    pub(super) poses: Vec<Isometry>,
    /// points and pairs that the pipeline had no room for
    pub(super) missed: usize,
    /// contacts of the last step that may be recognised by their place, by their bodies
    pub(super) places: Room<TouchAt>,
    /// What collision detection found anew, and could not.
    pub pairs: Purse,
}

impl Search {
    pub(super) fn new(model: &Model, points: usize) -> Option<Self> {
        let found = model.contact.as_ref();
        let none = || CollisionPipeline::new(0, &[], Default::default()).ok();
        Some(Self {
            pipeline: found.map(|c| c.pipeline.furnished()).or_else(none)?,
            poses: vec![Isometry::identity(); found.map_or(0, |_| model.bodies.len())],
            missed: 0,
            places: Room::with_capacity(points),
            pairs: Purse::default(),
        })
    }
}

/// Per moving body.
#[derive(Debug, Clone)]
pub struct Bodies {
    /// It touches something.
    pub touching: Vec<bool>,
    /// Contacts over a volume act on it: its rate was chosen with those forces.
    pub pressing: Vec<bool>,
    /// Predicted rate, if it is free.
    pub w_star: Vec<Vec3>,
    /// it touches, or is touched in its sleep
    pub(super) near: Vec<bool>,
    /// where it is in the phase at work
    pub(super) frames: Vec<Frame>,
    /// where it begins, if it is near
    pub(super) starts: Vec<Start>,
    /// bounding radius [m]
    pub(super) radii: Vec<f64>,
    /// how far it reaches from its centre of mass at most [m]
    pub(super) spans: Vec<f64>,
    /// midpoint velocity without contact
    pub(super) mid: Vec<Vec6>,
    /// speed of its fastest point in the middle of the step without contact at most [m/s], and how
    /// fast it turns [rad/s]
    pub(super) paces: Vec<[f64; 2]>,
    /// its turning there, world axes [rad/s]
    pub(super) spins: Vec<Vec3>,
    /// speed at which others run into it in this step [m/s]
    pub(super) pushes: Vec<f64>,
    /// who touches whom, for collisions
    pub(super) groups: Groups<usize>,
}

impl Bodies {
    pub(super) fn new(model: &Model) -> Self {
        let n = model.moving.len();
        Self {
            touching: vec![false; n],
            pressing: vec![false; n],
            w_star: vec![Vec3::zeros(); n],
            near: vec![false; n],
            frames: vec![Frame::default(); n],
            starts: vec![Start::default(); n],
            radii: radii(model),
            spans: spans(model),
            mid: vec![Vec6::zeros(); n],
            paces: vec![[0.0; 2]; n],
            spins: vec![Vec3::zeros(); n],
            pushes: vec![0.0; n],
            groups: Groups::of(n),
        }
    }

    /// Where the bodies of a touch are in the phase at work.
    #[inline]
    pub(super) fn frames_of(&self, touch: &Touch) -> [Option<&Frame>; 2] {
        touch.nodes().map(|node| node.map(|n| &self.frames[n]))
    }

    /// Speed at which the bodies of a touch close at most without contact [m/s].
    #[inline]
    pub(super) fn closing(&self, touch: &Touch) -> f64 {
        closing(touch.nodes().map(|b| b.map_or([0.0; 2], |b| self.paces[b])), touch.gap)
    }
}

/// Flags of islands.
#[derive(Debug, Clone)]
pub struct Islands {
    /// A push moved it.
    pub pushed: PerIsland<bool>,
    /// it touches something
    pub(super) joined: PerIsland<bool>,
    /// phase I cleaned it
    pub(super) cleaned: PerIsland<bool>,
    /// points push on it
    pub(super) pressed: PerIsland<bool>,
}

impl Islands {
    pub(super) fn new(model: &Model) -> Self {
        let none = PerIsland::from(vec![false; model.islands.len()]);
        let [pushed, joined, cleaned, pressed] = [none.clone(), none.clone(), none.clone(), none];
        Self { pushed, joined, cleaned, pressed }
    }
}

/// Numbers of units in the problem being solved.
#[derive(Debug, Clone)]
pub(super) struct Numbers {
    of: PerUnit<Option<u32>>,
    /// units by their numbers
    units: Room<Unit>,
}

impl Numbers {
    fn new(units: &Units) -> Self {
        let room = Room::with_capacity(units.all().count());
        Self { of: PerUnit::new(units, None), units: room }
    }

    /// The number of a unit, if it is in the problem.
    #[inline]
    pub fn of(&self, unit: Unit) -> Option<usize> {
        self.of[unit].map(|number| number as usize)
    }

    /// The unit of a number.
    pub fn unit(&self, number: usize) -> Unit {
        self.units[number]
    }

    /// All units that have a number, in its order.
    pub fn all(&self) -> &[Unit] {
        &self.units
    }

    /// Gives a unit the next number.
    pub fn give(&mut self, unit: Unit, number: usize) {
        debug_assert_eq!(number, self.units.len());
        self.of[unit] = Some(number as u32);
        self.units.push(unit);
    }

    pub fn clear(&mut self) {
        self.units.iter().for_each(|unit| self.of[*unit] = None);
        self.units.clear();
    }
}

/// Rows of the problem being built.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub numbers: Numbers,
    pub jacobian: Vec<f64>,
    pub response: Vec<f64>,
    /// how far these two are filled
    pub used: [usize; 2],
    /// how much smaller responses are than by masses alone [s or 1]
    pub scale: f64,
    /// velocities of the rows of each touch at the start
    pub start_rates: PerTouch<[f64; 6]>,
    /// touches whose surfaces yield, by their numbers in the problem
    pub numbered: Room<Option<TouchAt>>,
    /// velocities of the sides of a problem, for collisions body by body
    pub side_rates: Room<f64>,
}

impl Rows {
    pub fn new(model: &Model, points: usize, capacity: &Capacity) -> Self {
        let widest = capacity.coordinates.max(6);
        Self {
            numbers: Numbers::new(&model.units),
            jacobian: vec![0.0; 24 * widest],
            response: vec![0.0; 24 * widest],
            used: [0; 2],
            scale: 1.0,
            start_rates: vec![[0.0; 6]; points].into(),
            numbered: Room::with_capacity(capacity.contacts),
            side_rates: Room::default(),
        }
    }

    /// Begins the rows of a contact.
    pub fn rewind(&mut self) {
        self.used = [0; 2];
    }
}

/// What contact does to the world in a part of a step.
#[derive(Debug, Clone)]
pub struct Effect {
    /// Forces on bodies, as the midpoint phase found them.
    pub wrenches: Vec<Vec6>,
    /// The same on the `ξ` of subsystems.
    pub forces: PerSystem<Vec<f64>>,
    /// Bodies whose velocity jumped.
    pub struck: Vec<bool>,
    /// Subsystems whose velocity jumped.
    pub struck_systems: PerSystem<bool>,
    /// Bodies whose group collides.
    pub colliding: Vec<bool>,
    /// Power that the law created in the midpoint phase [W]; 0 for a passive one.
    pub created: f64,
    /// impulses on bodies in this step, and their moments about the centres of mass, world axes
    pub(super) impulses: Vec<[Vec3; 2]>,
}

impl Effect {
    pub(super) fn new(model: &Model) -> Self {
        let (bodies, systems) = (model.moving.len(), &model.systems);
        let freedoms = |s: &SystemInfo| vec![0.0; s.law.freedoms()];
        Self {
            wrenches: vec![Vec6::zeros(); bodies],
            forces: systems.iter().map(freedoms).collect::<Vec<_>>().into(),
            struck: vec![false; bodies],
            struck_systems: vec![false; systems.len()].into(),
            colliding: vec![false; bodies],
            created: 0.0,
            impulses: vec![[Vec3::zeros(); 2]; bodies],
        }
    }
}

/// Bounding radii of the moving bodies [m].
fn radii(model: &Model) -> Vec<f64> {
    let mut radii = vec![0.0; model.moving.len()];
    for body in &model.bodies {
        if let (Some(node), Some(shape)) = (body.moving, &body.shape) {
            radii[node] = shape.bounding_radius();
        }
    }
    radii
}

/// How far the moving bodies reach from their centres of mass at most [m].
fn spans(model: &Model) -> Vec<f64> {
    let mut spans = radii(model);
    for body in &model.bodies {
        if let Some(node) = body.moving {
            spans[node] += body.center_of_mass.norm();
        }
    }
    spans
}

/// Work space for a model: whatever `ContactModel` allows, every stop and all dry friction.
pub(super) fn capacity(model: &Model, points: usize) -> Capacity {
    let dimensions = || model.units.all().map(|unit| model.units.dimension(unit));
    let widest = dimensions().max().unwrap_or(6).max(6);
    let elements = model.elements.len();
    let joint_rows: usize = model.elements.iter().map(|e| e.kind.rows()).sum();
    let own = model.contact.as_ref().map_or(3, |c| c.rows);
    let width = model.systems.iter().map(|s| s.law.freedoms()).max().unwrap_or(6);
    let rows = own * points + joint_rows + 2 * elements;
    Capacity {
        groups: model.units.all().count(),
        coordinates: dimensions().sum(),
        contacts: points + 3 * elements,
        rows,
        sides: 2 * points + 12 * elements,
        jacobian: rows * 2 * width.max(12),
        response: rows * 2 * widest,
    }
}
