//! The world on the servo thread: one step a tick.

use std::time::Duration;

use super::mapping::Mapping;
use super::render::{Books, PortScript, Render};
use crate::device::Sample;
use crate::safety::{Wish, Wrench};
use palpable::{Inputs, PortId, Vec3, World};

/// A world that is stepped in every tick, held at a reference port.
///
/// The force on the hand is that of the port's spring at the end of the step, `−K(y − x_(k+1))`:
/// γ = 1, passive on any device with `b ≥ KT/2`.
pub struct Direct {
    world: World,
    port: PortId,
    mapping: Mapping,
    inputs: Inputs,
    script: Option<PortScript>,
    hashed: bool,
    books: Books,
    broken: bool,
}

impl Direct {
    /// Holds `world` at `port`, a reference port.
    pub fn new(world: World, port: PortId, mapping: Mapping) -> Self {
        let inputs = world.inputs();
        let books = Books::of(&world, 0.0, false);
        let (script, hashed, broken) = (None, false, false);
        Self { world, port, mapping, inputs, script, hashed, books, broken }
    }

    /// Sets other ports before each step, from the simulated time [s].
    pub fn with_script(mut self, script: impl FnMut(f64, &mut Inputs) + Send + 'static) -> Self {
        self.script = Some(Box::new(script));
        self
    }

    /// Puts the state hash into the books after each step.
    pub fn with_hash(mut self) -> Self {
        self.hashed = true;
        self
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
        self.inputs.set(self.port, self.mapping.reference(sample));
        let report = self.world.step(h.as_secs_f64(), &self.inputs);
        // a refused step leaves the world as it was; it must not pass for a force
        self.broken |= !report.status.is_taken();
        self.books = Books::of(&self.world, report.entry.relative_defect(), self.hashed);
        if self.broken {
            return Wish::fresh(Wrench::force(Vec3::repeat(f64::NAN)));
        }
        let port = self.world.port(self.port);
        Wish::fresh(self.mapping.wrench(&port.force, &port.torque))
    }

    fn books(&self) -> Books {
        self.books
    }
}
