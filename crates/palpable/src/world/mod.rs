//! The hall: a world is a model, its state and its books; `step` is the scheme.

mod account;
mod apply;
mod budget;
mod edit;
mod fit;
mod gate;
mod joint;
mod live;
mod memory;
mod midpoint;
mod motor;
mod place;
mod report;
mod rivals;
mod scheme;
mod scratch;
mod separate;
mod sleep;
mod snapshot;
mod step;
mod surface;
mod verify;

pub use fit::OptionsError;
pub use gate::GateReport;
pub use live::{ChangeError, Payment, Receipt};
pub use report::{Status, StepReport};
pub use rivals::Penalty;
pub use scheme::{Options, Scheme};
pub use snapshot::Snapshot;
pub use verify::Violation;

use crate::contact::{Patch, Touch};
use crate::ledger::{Audit, Ledger, Stored, Tank};
use crate::math::{Vec3, Vec6};
use crate::model::{
    BodyId, ElementId, Model, Params, PortInfo, Pose, State, SystemAt, SystemId, SystemState,
    SystemWork,
};
use crate::port::{Inputs, PortId, PortOutput};
use crate::solve::cone::ConeSettings;
use memory::Memory;
use scratch::Scratch;

/// What is read of a part that is not there: no number, so that nobody takes it for one.
const UNKNOWN: Vec3 = Vec3::new(f64::NAN, f64::NAN, f64::NAN);

/// A simulated world.
///
/// ```
/// use palpable::{Anchor, Body, Inputs, Model, Spring, World};
/// # fn main() -> Result<(), palpable::BuildErrors> {
/// let mut model = Model::builder();
/// let ball = model.body(Body::sphere("ball", 0.01).mass(1e-5).position([0.1, 0.0, 0.0]));
/// model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(100.0));
/// let mut world = World::new(model.build()?);
/// for _ in 0..1000 {
///     assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
/// }
/// // half a joule, kept to round-off at any mass, stiffness and step
/// assert!((world.energy().total() / 0.5 - 1.0).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct World {
    model: Model,
    params: Params,
    /// parameters of the step being made: its references have moved
    trial: Params,
    state: State,
    memory: Memory,
    tank: Tank,
    ledger: Ledger,
    scratch: Scratch,
    options: Options,
    tick: u64,
    time: f64,
    /// what rounding added to `time` too much [s]
    time_error: f64,
}

impl World {
    /// A world with default options.
    pub fn new(model: Model) -> Self {
        Self::begin(model, Options::default())
    }

    /// A world with the given options.
    ///
    /// # Errors
    /// An option that does not suit the model, by name.
    pub fn with_options(model: Model, options: Options) -> Result<Self, OptionsError> {
        options.check(&model)?;
        Ok(Self::begin(model, options))
    }

    /// A world with the given options, suitable or not: its steps are refused until a live change
    /// makes them fit ([`Status::Unsupported`]). For whoever compares schemes.
    pub fn begin(model: Model, options: Options) -> Self {
        let tank = Tank::new(options.tank);
        let (params, state) = (model.params.clone(), model.state.clone());
        let initial = stored(&model, &params, &state, &tank);
        let scratch = Scratch::new(&model, tank);
        let mut world = Self {
            memory: Memory::new(scratch.contact.as_ref(), &model),
            scratch,
            trial: params.clone(),
            params,
            state,
            tank,
            ledger: Ledger::open(initial),
            options,
            model,
            tick: 0,
            time: 0.0,
            time_error: 0.0,
        };
        world.prepare_collisions();
        world
    }

    /// The frozen part.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The live parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Steps taken.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Stored energy by account [J].
    pub fn energy(&self) -> Stored {
        self.ledger.now()
    }

    /// The books since the start.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Checks the books; prints as text that says which account moved.
    pub fn audit(&self) -> Audit {
        self.ledger.audit()
    }

    /// True if an id names a body of this world; one that is gone, was never there or belongs to
    /// another model does not. Models that were described in the same way know each other's ids.
    pub fn has_body(&self, body: BodyId) -> bool {
        self.model.has_body(body)
    }

    /// True if an id names an element of this world.
    pub fn has_element(&self, element: ElementId) -> bool {
        self.model.has_element(element)
    }

    /// True if an id names a port of this world.
    pub fn has_port(&self, port: PortId) -> bool {
        self.model.port_place(port).is_some()
    }

    /// True if an id names a subsystem of this world.
    pub fn has_system(&self, system: SystemId) -> bool {
        self.model.system_place(system).is_some()
    }

    /// Where a body's own frame is now. Here and below, an id that names nothing here
    /// ([`World::has_body`]) reads NaN; calls that change something refuse it.
    pub fn pose(&self, body: BodyId) -> Pose {
        if !self.model.has_body(body) {
            return Pose { position: UNKNOWN, rotation: PortOutput::UNKNOWN.rotation };
        }
        let info = &self.model.bodies[body.0];
        let Some(moving) = info.moving else { return info.start };
        let s = &self.state.bodies[moving];
        let rotation = s.q * info.body_from_principal.inverse();
        Pose { position: s.x - rotation * info.center_of_mass, rotation }
    }

    /// Velocity of a body's centre of mass, world axes [m/s].
    pub fn velocity(&self, body: BodyId) -> Vec3 {
        self.moving(body).map_or(self.still(body), |m| self.state.bodies[m].v)
    }

    /// Angular velocity of a body in its own axes [rad/s].
    pub fn angular_velocity(&self, body: BodyId) -> Vec3 {
        let turn = |m: usize| self.model.bodies[self.model.moving[m].0].body_from_principal;
        self.moving(body).map_or(self.still(body), |m| turn(m) * self.state.bodies[m].omega)
    }

    /// Angular momentum of all moving bodies about the origin, world axes [kg·m²/s].
    pub fn angular_momentum(&self) -> Vec3 {
        let of = |(s, p): (&crate::model::BodyState, &crate::model::BodyParams)| {
            s.x.cross(&(s.v * p.mass)) + s.q * p.inertia.component_mul(&s.omega)
        };
        self.state.bodies.iter().zip(&self.params.bodies).map(of).sum()
    }

    /// Linear momentum of all moving bodies [kg·m/s].
    pub fn momentum(&self) -> Vec3 {
        self.state.bodies.iter().zip(&self.params.bodies).map(|(s, p)| s.v * p.mass).sum()
    }

    /// Carried strain of an element [m or rad per row].
    pub fn strain(&self, element: ElementId) -> Vec6 {
        let known = self.model.has_element(element);
        if known { self.state.strain[element.0] } else { Vec6::repeat(f64::NAN) }
    }

    /// Coordinates of a subsystem; those of a floating base (position, quaternion) come first. None
    /// if the id names nothing here.
    pub fn coordinates(&self, system: SystemId) -> &[f64] {
        self.model.system_place(system).map_or(&[], |s| &self.state.systems[s].q)
    }

    /// Velocities of a subsystem, into `out`, as many as fit.
    pub fn coordinate_rates(&self, system: SystemId, out: &mut [f64]) {
        match self.model.system_place(system) {
            Some(place) => self.rates_of(place, out),
            None => out.fill(f64::NAN),
        }
    }

    fn rates_of(&self, place: SystemAt, out: &mut [f64]) {
        let s = &self.state.systems[place];
        let mut work = SystemWork::new(&self.model.systems[place].law);
        work.configure(&s.q, &self.params.gravity);
        work.take_rates(&s.xi);
        out.iter_mut().zip(&work.row).for_each(|(o, w)| *o = *w);
    }

    /// What a port showed at the last step.
    pub fn port(&self, port: PortId) -> PortOutput {
        self.model.port_place(port).map_or(PortOutput::UNKNOWN, |i| self.memory.ports[i])
    }

    /// The contacts of the last step, those out of reach of a force included.
    pub fn contacts(&self) -> &[Touch] {
        self.memory.contact.as_ref().map_or(&[], |c| &c.touches)
    }

    /// The contacts over a volume of the last step: area, pressure, force and torque.
    pub fn patches(&self) -> &[Patch] {
        self.scratch.volume.as_ref().map_or(&[], |v| &v.patches)
    }

    /// Corners of the region of a contact over a volume, world axes [m].
    pub fn patch_corners(&self, patch: &Patch) -> &[Vec3] {
        let all: &[Vec3] = self.scratch.volume.as_ref().map_or(&[], |v| &v.corners);
        all.get(patch.listed.corners.0..patch.listed.corners.1).unwrap_or_default()
    }

    /// Lengths of the overlap at the corners of [`World::patch_corners`] and, last, at the centre
    /// of the region [m]; [`Patch::pressure_at`] makes them pressures.
    pub fn patch_depths(&self, patch: &Patch) -> &[f64] {
        let all: &[f64] = self.scratch.volume.as_ref().map_or(&[], |v| &v.depths);
        let ((from, to), depths) = (patch.listed.corners, patch.listed.depths);
        all.get(depths..depths + to - from + 1).unwrap_or_default()
    }

    /// Sum of the forces of contact on a body over the last step, world axes [N].
    pub fn contact_force(&self, body: BodyId) -> Vec3 {
        self.contact_wrench(body, Vec3::zeros())[0]
    }

    /// How hard the solver of contact works, [`Options::solver`]; `None` if nothing can touch.
    pub fn contact_settings(&mut self) -> Option<&mut ConeSettings> {
        self.memory.contact.as_ref().map(|_| &mut self.options.solver)
    }

    /// Throws the work space away, as a test of the law that no step depends on it. Allocates.
    #[doc(hidden)]
    pub fn forget_scratch(&mut self) {
        self.scratch = Scratch::new(&self.model, self.tank);
        self.prepare_collisions();
        self.scratch.work.clone_from(&self.state);
        self.scratch.measure_arms(&self.model, &self.params);
        self.scratch.reorder(&self.model, &self.params);
    }

    /// Idle inputs for all ports, so that setting them does not allocate.
    pub fn inputs(&self) -> Inputs {
        Inputs::with_capacity(self.model.source.ports.slots.len())
    }

    /// The id of a body by name.
    pub fn body_named(&self, name: &str) -> Option<BodyId> {
        let named = self.model.bodies.iter().position(|b| b.name == name && !b.gone);
        named.map(|i| self.model.source.body_id(i))
    }

    /// The id of a body by its place in [`Model::bodies`].
    pub fn body(&self, index: usize) -> Option<BodyId> {
        let source = &self.model.source;
        source.bodies.slots.is_taken(index).then(|| source.body_id(index))
    }

    /// The id of an element by its place in [`Model::elements`].
    pub fn element(&self, index: usize) -> Option<ElementId> {
        let slots = &self.model.source.springs.slots;
        slots.is_taken(index).then(|| ElementId(index, slots.mark(index)))
    }

    /// The id of a port by name.
    pub fn port_named(&self, name: &str) -> Option<PortId> {
        self.model.ports.iter().find(|p| p.name == name).map(|p| p.id)
    }

    /// The id of a port by its place ([`PortId::index`]).
    pub fn port_id(&self, index: usize) -> Option<PortId> {
        self.model.ports.iter().map(|p| p.id).find(|id| id.index() == index)
    }

    /// The id of a subsystem by name.
    pub fn system_named(&self, name: &str) -> Option<SystemId> {
        let info = self.model.systems.iter().find(|s| s.name == name)?;
        let first_body = *self.model.moving.get(info.nodes.start)?;
        let (index, bases) = (info.slot, usize::from(info.law.floating()));
        Some(SystemId { index, mark: first_body.1, first_body, bases })
    }

    /// What a body that does not move shows: nothing, or NaN if the id names none.
    fn still(&self, body: BodyId) -> Vec3 {
        if self.model.has_body(body) { Vec3::zeros() } else { UNKNOWN }
    }

    /// What a port is made of; `None` if the id names nothing here.
    pub fn port_info(&self, port: PortId) -> Option<&PortInfo> {
        self.model.port_place(port).map(|place| &self.model.ports[place])
    }

    fn moving(&self, body: BodyId) -> Option<usize> {
        self.model.bodies.get(body.0).filter(|_| self.model.has_body(body))?.moving
    }
}

/// Links carry the mass of a subsystem, but for the stations of a beam.
fn links_weigh(model: &Model, params: &Params, s: SystemAt) -> bool {
    model.systems[s].nodes.clone().all(|n| params.bodies[n].mass > 0.0)
}

/// Stored energy of a state.
fn stored(model: &Model, params: &Params, state: &State, tank: &Tank) -> Stored {
    let mechanical = weigh(model, (params, state), |_| true, |_| true);
    Stored { tank: tank.content(), contact: state.volume.stored(), ..mechanical }
}

/// Energy of some moving bodies, subsystems (by their first links, which are counted with them) and
/// elements.
fn weigh(
    model: &Model,
    (params, state): (&Params, &State),
    node: impl Fn(usize) -> bool,
    element: impl Fn(usize) -> bool,
) -> Stored {
    let own = |&n: &usize| model.owners[n].is_none() && node(n);
    let body = |n: usize| (&params.bodies[n], &state.bodies[n]);
    let bodies = || (0..model.moving.len()).filter(own).map(body);
    let taken = |&s: &SystemAt| node(model.systems[s].nodes.start);
    let systems = || model.systems.all().filter(taken).map(|s| &state.systems[s]);
    let elements = (0..model.elements.len()).filter(|&e| element(e));
    Stored {
        kinetic: bodies().map(|(p, s)| p.kinetic(&s.v, &s.omega)).sum::<f64>()
            + systems().map(SystemState::kinetic).sum::<f64>(),
        gravity: bodies().map(|(p, s)| -p.mass * params.gravity.dot(&s.x)).sum::<f64>()
            + systems().map(|s| s.potential).sum::<f64>(),
        elastic: elements.map(|e| params.elements[e].elastic(&state.strain[e])).sum(),
        ..Stored::default()
    }
}

/// Kinetic energy of bodies and subsystems [J].
fn kinetic(model: &Model, params: &Params, state: &State) -> f64 {
    weigh(model, (params, state), |_| true, |_| false).kinetic
}
