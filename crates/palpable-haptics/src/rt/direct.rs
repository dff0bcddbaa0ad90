//! The world on the servo thread: one step a tick.

use std::time::Duration;

use super::deadline::Deadline;
use super::mapping::Mapping;
use super::os::thread_time;
use super::render::{Books, PortScript, Render};
use crate::device::Sample;
use crate::safety::{Wish, Wrench};
use palpable::coupling::{Bounds, ImpulseChannel};
use palpable::math::so3;
use palpable::{
    BodyId, ChangeError, Counts, Handle, ImpulseLimit, Inputs, Payment, PortId, PortInput, Pose,
    StepReport, Vec3, VirtualCoupling, World,
};

/// A world that is stepped in every tick, held at a reference port.
///
/// The force on the hand is that of the port's spring at the end of the step, `−K(y − x_(k+1))`:
/// γ = 1, passive on any device with `b ≥ KT/2`. As a pointer ([`Direct::as_pointer`]) the body is
/// where the device is, and the hand feels what touches it.
pub struct Direct {
    world: World,
    port: PortId,
    mapping: Mapping,
    inputs: Inputs,
    script: Option<PortScript>,
    coupling: Option<VirtualCoupling>,
    impulses: Option<ImpulseChannel>,
    /// the body goes where the device is
    pointer: bool,
    /// the last reading, and how the hand moved and turned since the one before
    hand: Option<Handle>,
    moved: [Vec3; 2],
    budgets: Budgets,
    hashed: bool,
    books: Books,
    broken: bool,
}

/// How many times its own mass a pointer has.
const HEAVY: f64 = 100.0;

/// Where the budget of a step comes from.
enum Budgets {
    /// Options of the world.
    World,
    /// A deadline on this machine.
    Deadline(Deadline),
    /// A recording, from the place of the next step on.
    Recorded(Vec<Option<Counts>>, usize),
}

impl Direct {
    /// Holds `world` at `port`, a reference port.
    pub fn new(world: World, port: PortId, mapping: Mapping) -> Self {
        let inputs = world.inputs();
        let books = Books::of(&world, 0.0, false);
        let (script, coupling, impulses) = (None, None, None);
        let (hashed, broken, budgets) = (false, false, Budgets::World);
        Self {
            world,
            port,
            mapping,
            inputs,
            script,
            coupling,
            impulses,
            pointer: false,
            hand: None,
            moved: [Vec3::zeros(); 2],
            budgets,
            hashed,
            books,
            broken,
        }
    }

    /// Keeps steps below `allowed` on a processor: see [`Deadline`].
    pub fn with_deadline(mut self, allowed: Duration) -> Self {
        self.budgets = Budgets::Deadline(Deadline::new(allowed, &self.world));
        self
    }

    /// Gives each step the budget that a recorded one had.
    pub fn with_budgets(mut self, budgets: Vec<Option<Counts>>) -> Self {
        self.budgets = Budgets::Recorded(budgets, 0);
        self
    }

    /// Sets other ports before each step, from the simulated time [s].
    pub fn with_script(mut self, script: impl FnMut(f64, &mut Inputs) + Send + 'static) -> Self {
        self.script = Some(Box::new(script));
        self
    }

    /// Holds the port by a coupling of one's own: another γ, a guard, one axis. The port takes its
    /// stiffness and damping.
    /// # Errors
    /// Not a reference port, or a hard one.
    pub fn with_coupling(mut self, coupling: VirtualCoupling) -> Result<Self, ChangeError> {
        let index = self.world.port_info(self.port).and_then(|port| port.element);
        let element = index
            .and_then(|e| self.world.element(e))
            .ok_or(ChangeError::Unknown { field: "reference port" })?;
        self.world.set_stiffness(element, coupling.stiffness(), Payment::Supply)?;
        self.world.set_damping(element, coupling.damping())?;
        self.coupling = Some(coupling);
        Ok(self)
    }

    /// Puts the body of the port where the device is in every tick, and lets the hand feel the
    /// contact forces on it, six-dimensional, friction included `[Hasegawa2004, sec. 3.2]`. No
    /// coupling stands between: the hand feels stiffness `K` and damping `B` of the contact, looked
    /// at half a step ahead and held over the step, which asks `b ≥ KT + B` of the device.
    /// # Errors
    /// Not a reference port, or one of a link.
    pub fn as_pointer(mut self) -> Result<Self, ChangeError> {
        let unknown = ChangeError::Unknown { field: "reference port" };
        let info = self.world.port_info(self.port).ok_or(unknown.clone())?;
        let (carried, index) = (info.body, info.element.ok_or(unknown.clone())?);
        let element = self.world.element(index).ok_or(unknown)?;
        // its spring would act beside the contact
        self.world.set_stiffness(element, palpable::Vec6::zeros(), Payment::Supply)?;
        self.world.set_damping(element, palpable::Vec6::zeros())?;
        // the device carries it: within a step it must not yield to what touches it
        let bodies = self.world.model().bodies();
        let body = bodies.iter().position(|b| b.moving == Some(carried)).map(BodyId::from_index);
        let body = body.ok_or(ChangeError::Unknown { field: "body of the port" })?;
        let mass = self.world.params().bodies[carried].mass;
        self.world.set_mass(body, HEAVY * mass, Payment::Supply)?;
        self.pointer = true;
        Ok(self)
    }

    /// The body of a pointer follows the device; false if the world refused.
    fn follow(&mut self, h: f64) -> bool {
        let (true, Some(hand)) = (self.pointer, self.hand) else { return true };
        let pose = Pose { position: hand.position, rotation: hand.rotation };
        let [v, w] = self.moved.map(|way| way / h);
        // so that it has this velocity in the middle of the step
        let v = v - self.world.params().gravity * (0.5 * h);
        self.world.drive_port(self.port, pose, v, w).is_ok()
    }

    /// Lets the hand feel the impulses of collisions on the body that it holds, besides the spring
    /// of the port: `𝒥ᵀp/Δt` `[Constantinescu2005, (26)]`, all of it within the limits given. The
    /// tool is struck no harder than the device can be, as its rendering says.
    pub fn with_impulses(mut self, channel: ImpulseChannel) -> Self {
        let Bounds { force, torque, spread } = channel.impulses().limits();
        self.world.set_impulse_limit(ImpulseLimit { force, torque, spread });
        self.impulses = Some(channel);
        self
    }

    /// What brings impulses to the hand, with its account.
    pub fn impulses(&self) -> Option<&ImpulseChannel> {
        self.impulses.as_ref()
    }

    /// What the hand feels of the last step's impulses besides the spring.
    fn with_impulse(&mut self, spring: [Vec3; 2], h: f64) -> [Vec3; 2] {
        let impulse = self.world.port_impulse(self.port);
        let Some(channel) = &mut self.impulses else { return spring };
        channel.felt(impulse, spring, self.moved, h)
    }

    /// The coupling of one's own, with its energy account.
    pub fn coupling(&self) -> Option<&VirtualCoupling> {
        self.coupling.as_ref()
    }

    /// What enters at the port for this reading.
    fn reference(&mut self, sample: &Sample) -> PortInput {
        let (position, rotation) =
            (self.mapping.position(sample), self.mapping.orientation(sample));
        if let Some(last) = self.hand.replace(Handle { position, rotation }) {
            let turn = so3::compose(&rotation, &last.rotation.inverse());
            self.moved = [position - last.position, so3::log(&turn)];
        }
        match &mut self.coupling {
            Some(coupling) => coupling.sample(&Handle { position, rotation }),
            None => PortInput::Reference { position, rotation },
        }
    }

    /// Puts the state hash into the books after each step.
    pub fn with_hash(mut self) -> Self {
        self.hashed = true;
        self
    }

    /// Steps the world within its budget.
    fn step(&mut self, h: Duration) -> (StepReport, Option<Counts>) {
        let (began, budget) = match &mut self.budgets {
            Budgets::World => (None, None),
            Budgets::Deadline(deadline) => (Some(thread_time()), Some(deadline.budget())),
            Budgets::Recorded(list, next) => {
                *next += 1;
                (None, list.get(*next - 1).copied().flatten())
            }
        };
        if let Some(budget) = budget {
            self.world.set_budget(budget);
        }
        let report = self.world.step(h.as_secs_f64(), &self.inputs);
        if let (Budgets::Deadline(deadline), Some(began)) = (&mut self.budgets, began) {
            deadline.learn(thread_time().saturating_sub(began), &report);
        }
        (report, budget)
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }
}

impl Render for Direct {
    fn render(&mut self, _: Duration, h: Duration, sample: &Sample) -> Wish {
        if let Some(script) = &mut self.script {
            script(self.world.time(), &mut self.inputs);
        }
        let reference = self.reference(sample);
        self.inputs.set(self.port, reference);
        let driven = self.follow(h.as_secs_f64());
        let (report, budget) = self.step(h);
        // a refused step leaves the world as it was; it must not pass for a force
        self.broken |= !driven || !report.status.is_taken();
        self.books = Books {
            budget,
            cut: report.cut,
            ..Books::of(&self.world, report.entry.relative_defect(), self.hashed)
        };
        if self.broken {
            return Wish::fresh(Wrench::force(Vec3::repeat(f64::NAN)));
        }
        let port = self.world.port(self.port);
        let (force, torque) = match &mut self.coupling {
            Some(coupling) => {
                let felt = coupling.force(&port, h.as_secs_f64());
                (felt.force, felt.torque)
            }
            None if self.pointer => self.world.port_contact(self.port),
            None => (port.force, port.torque),
        };
        let [force, torque] = self.with_impulse([force, torque], h.as_secs_f64());
        Wish::fresh(self.mapping.wrench(&force, &torque))
    }

    fn books(&self) -> Books {
        self.books
    }
}
