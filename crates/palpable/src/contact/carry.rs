//! What contact hands from one step to the next. It is state: whoever copies, compares, hashes or
//! restores a world does so with this, and the work space of the stage may be thrown away.

use super::stage::{Memory, Stage};
use super::touch::Touch;
use crate::geometry::CollisionMemory;
use crate::math::Room;

/// Contacts of the last step, and what they leave to the next one.
#[derive(Debug, Clone, PartialEq)]
pub struct Carry {
    /// Contacts of the last step, for whoever looks.
    pub touches: Room<Touch>,
    /// Forces, contact by contact.
    pub(super) memory: Room<Memory>,
    /// Who was recognised.
    pub(super) collision: CollisionMemory,
    /// forces of the lower stop, the upper stop and dry friction, three per element
    pub(super) stops: Vec<f64>,
}

impl Carry {
    /// What a world begins with.
    pub fn new(stage: &Stage) -> Self {
        Self {
            touches: Room::with_capacity(stage.touches.capacity()),
            memory: Room::with_capacity(stage.memory.capacity()),
            collision: stage.pipeline.memory().clone(),
            stops: vec![0.0; stage.stops.len()],
        }
    }

    /// Takes over another one in the room at hand.
    pub fn copy_from(&mut self, other: &Carry) {
        self.touches.clone_from(&other.touches);
        self.memory.clone_from(&other.memory);
        self.collision.copy_from(&other.collision);
        self.stops.clone_from(&other.stops);
    }

    /// Takes over another one whose elements came or went at the end.
    pub fn fit(&mut self, other: &Carry) {
        let stops = self.stops.len();
        self.copy_from(other);
        self.stops.resize(stops, 0.0);
    }

    /// Calls `each` with every number that the next step depends on.
    pub fn numbers(&self, mut each: impl FnMut(&[f64])) {
        for m in &self.memory {
            each(m.force.as_slice());
            each(m.torque.as_slice());
            each(&[f64::from(u8::from(m.stuck))]);
        }
        each(&self.stops);
        self.collision.numbers(each);
    }
}

impl Stage {
    /// Begins an attempt with what the last step left.
    pub(super) fn recall(&mut self, carry: &Carry) {
        self.stops.copy_from_slice(&carry.stops);
    }

    /// Hands over what the attempt that is being committed leaves to the next step.
    pub fn commit(&mut self, carry: &mut Carry) {
        std::mem::swap(&mut self.touches, &mut carry.touches);
        std::mem::swap(&mut self.memory, &mut carry.memory);
        std::mem::swap(&mut self.stops, &mut carry.stops);
        self.pipeline.swap_memory(&mut carry.collision);
    }
}
