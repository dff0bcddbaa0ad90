//! What stands between a reading and a wish.

use std::time::Duration;

use crate::device::Sample;
use crate::safety::Wish;
use palpable::{Counts, Flows, Inputs, Stored, Vec3, World};

/// Sets the ports that no hand holds, from the simulated time [s]; called before each step.
pub type PortScript = Box<dyn FnMut(f64, &mut Inputs) + Send>;

/// Turns readings into forces: a world, a wall, anything.
pub trait Render: Send {
    /// The wish of this tick, `h` long; called once a tick at time `now`. Must not allocate, lock
    /// or wait.
    fn render(&mut self, now: Duration, h: Duration, sample: &Sample) -> Wish;

    /// The books of the world behind it, where it has one at hand.
    fn books(&self) -> Books {
        Books::default()
    }
}

/// The energy account of a world at one instant [J].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Books {
    /// Simulated time [s].
    pub time: f64,
    /// What is stored.
    pub stored: Stored,
    /// What crossed the boundary since the start.
    pub flows: Flows,
    /// Relative defect of the last step.
    pub defect: f64,
    /// State hash, where it is asked for.
    pub hash: u64,
    /// Who touches whom.
    pub contacts: Contacts,
    /// What the step was allowed to cost, and what was cut, where a deadline is kept.
    pub budget: Option<Counts>,
    /// What a budget left out of the step.
    pub cut: Counts,
}

/// Contacts that are recorded one by one, the strongest ones.
pub const STRONGEST: usize = 4;

/// The contacts of a world in one step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Contacts {
    /// Points within reach.
    pub count: usize,
    /// Deepest overlap [m].
    pub depth: f64,
    /// Those that push most, strongest first.
    pub strongest: [Option<Contact>; STRONGEST],
}

/// One contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Bodies of the model it is between.
    pub bodies: [usize; 2],
    /// Where, world axes [m].
    pub point: Vec3,
    /// Mean force on the second body over the step, world axes [N].
    pub force: Vec3,
}

impl Contacts {
    /// Reads a world after a step; does not allocate.
    pub fn of(world: &World) -> Self {
        let mut out = Self { count: world.contacts().len(), ..Self::default() };
        for touch in world.contacts() {
            out.depth = out.depth.max(-touch.gap);
            let size = touch.force.norm();
            let weaker = |held: &Option<Contact>| held.is_none_or(|c| c.force.norm() < size);
            if let Some(at) = out.strongest.iter().position(weaker).filter(|_| size > 0.0) {
                out.strongest[at..].rotate_right(1);
                let (bodies, point, force) = (touch.bodies, touch.point, touch.force);
                out.strongest[at] = Some(Contact { bodies, point, force });
            }
        }
        out
    }
}

impl Books {
    /// Reads a world after a step with relative `defect`; `hash` costs a pass over its state.
    pub fn of(world: &World, defect: f64, hash: bool) -> Self {
        Self {
            time: world.time(),
            stored: world.energy(),
            flows: world.ledger().totals(),
            defect,
            hash: if hash { world.state_hash() } else { 0 },
            contacts: Contacts::of(world),
            budget: None,
            cut: Counts::default(),
        }
    }
}
