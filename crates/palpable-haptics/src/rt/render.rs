//! What stands between a reading and a wish.

use std::time::Duration;

use crate::device::Sample;
use crate::safety::Wish;
use palpable::{Inputs, World};

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
    /// Kinetic energy.
    pub kinetic: f64,
    /// Elastic energy.
    pub elastic: f64,
    /// Energy of height.
    pub gravity: f64,
    /// The tank.
    pub tank: f64,
    /// Put in through ports since the start.
    pub supplied: f64,
    /// Lost to damping since the start.
    pub damped: f64,
    /// Lost to friction since the start.
    pub friction: f64,
    /// Lost in impacts since the start.
    pub impact: f64,
    /// Dropped by a full tank since the start.
    pub discarded: f64,
    /// Relative defect of the last step.
    pub defect: f64,
    /// State hash, where it is asked for.
    pub hash: u64,
}

impl Books {
    /// Reads a world after a step with relative `defect`; `hash` costs a pass over its state.
    pub fn of(world: &World, defect: f64, hash: bool) -> Self {
        let (now, flows) = (world.energy(), world.ledger().totals());
        Self {
            time: world.time(),
            kinetic: now.kinetic,
            elastic: now.elastic,
            gravity: now.gravity,
            tank: now.tank,
            supplied: flows.supplied,
            damped: flows.damped,
            friction: flows.friction,
            impact: flows.impact,
            discarded: flows.discarded,
            defect,
            hash: if hash { world.state_hash() } else { 0 },
        }
    }

    /// Everything stored [J].
    pub fn stored(&self) -> f64 {
        self.kinetic + self.elastic + self.gravity + self.tank
    }
}
