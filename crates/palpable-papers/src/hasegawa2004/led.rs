//! Scenes of the gallery, led by their scripts.

use crate::{Check, PaperError};
use palpable::{BodyId, Inputs, PortId, World};
use palpable_scene::{Built, Scene};

/// A scene that is run step by step.
pub struct Led {
    pub built: Built,
    pub world: World,
    inputs: Inputs,
    defect: f64,
}

impl Led {
    /// Opens the scene of this text, kept in a file of this name.
    pub fn open(text: &str, file: &str) -> Result<Self, PaperError> {
        let built = Scene::parse(text, file)?.build()?;
        let world = built.world();
        let inputs = world.inputs();
        Ok(Self { built, world, inputs, defect: 0.0 })
    }

    /// The body of this name.
    pub fn body(&self, name: &'static str) -> Result<BodyId, PaperError> {
        self.world.body_named(name).ok_or(PaperError::Missing { what: name })
    }

    /// The port of this name.
    pub fn port(&self, name: &'static str) -> Result<PortId, PaperError> {
        self.world.port_named(name).ok_or(PaperError::Missing { what: name })
    }

    /// Takes a step of `h` \[s\] with the inputs of the script, which `change` may replace.
    pub fn step(&mut self, h: f64, change: impl FnOnce(&World, &mut Inputs)) {
        self.built.script.inputs(self.world.time(), &mut self.inputs);
        change(&self.world, &mut self.inputs);
        let report = self.world.step(h, &self.inputs);
        self.defect = self.defect.max(report.entry.relative_defect());
    }

    /// What its books have to show.
    pub fn books(&self) -> [Check; 2] {
        let clean = f64::from(u8::from(self.world.audit().is_clean()));
        [
            Check::at_most("largest defect of a step's account", self.defect, 1e-12),
            Check::at_least("the audit is clean", clean, 1.0),
        ]
    }
}
