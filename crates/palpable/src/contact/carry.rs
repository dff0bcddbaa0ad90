//! What contact hands from one step to the next. It is state: whoever copies, compares, hashes or
//! restores a world does so with this, and the work space of the stage may be thrown away.

use super::sleep::Sleep;
use super::stage::Stage;
use super::touch::{PerTouch, Touch};
use crate::geometry::CollisionMemory;
use crate::math::{Groups, Vec3};
use crate::model::{BodyInfo, Model, PerUnit};

/// Contacts of the last step, and what they leave to the next one.
#[derive(Debug, Clone, PartialEq)]
pub struct Carry {
    /// Contacts of the last step, with their forces.
    pub touches: PerTouch<Touch>,
    /// Impulses on moving bodies in the last step, and their moments, for whoever looks.
    pub impulses: Vec<[Vec3; 2]>,
    /// Who was recognised.
    pub(super) collision: CollisionMemory,
    /// forces of the lower stop, the upper stop and dry friction, per element
    pub(super) stops: Vec<[f64; 3]>,
    /// who sleeps
    pub sleep: Sleep,
}

/// What stays of a model that was edited.
#[derive(Debug)]
pub struct Stay<'a> {
    /// Per body: it was there before.
    pub bodies: &'a [bool],
    /// Per moving body of before: which one it is now.
    pub nodes: &'a [Option<usize>],
    /// Per element: which one it was before.
    pub elements: &'a [Option<usize>],
}

impl Carry {
    /// What a world begins with.
    pub fn new(stage: &Stage) -> Self {
        Self {
            touches: PerTouch::with_capacity(stage.touches.capacity()),
            impulses: stage.effect.impulses.clone(),
            collision: stage.search.pipeline.memory().clone(),
            stops: vec![[0.0; 3]; stage.stops.forces.len()],
            sleep: Sleep::new(stage.bodies.touching.len()),
        }
    }

    /// Takes over another one in the room at hand.
    pub fn copy_from(&mut self, other: &Carry) {
        self.touches.clone_from(&other.touches);
        self.impulses.clone_from(&other.impulses);
        self.collision.copy_from(&other.collision);
        self.stops.clone_from(&other.stops);
        self.sleep.copy_from(&other.sleep);
    }

    /// Takes over what another model's contacts and joints left, as far as they stay. Allocates.
    pub fn adopt(&mut self, was: &Carry, [new, old]: [&Model; 2], stay: &Stay) {
        for (e, from) in stay.elements.iter().enumerate() {
            if let Some(from) = *from {
                self.stops[e] = was.stops[from];
            }
        }
        self.sleep.adopt(&was.sleep, stay.nodes);
        self.rouse(was, [new, old], stay);
        let (Some(here), Some(there)) = (&new.contact, &old.contact) else { return };
        let stays = |body: u32| stay.bodies.get(body as usize) == Some(&true);
        let adopted = here.pipeline.adopt(&there.pipeline, &was.collision, stays);
        self.collision = adopted.memory;
        for i in adopted.kept {
            let Some(mut touch) = was.touches.get(i).copied() else { continue };
            for foot in &mut touch.feet {
                foot.node = foot.node.and_then(|n| stay.nodes[n]);
            }
            self.touches.push(touch);
        }
    }

    /// Wakes the piles that an edit touches: those that something left, or that are held now. What
    /// comes wakes whom it meets in the next step, unless it is fixed: then nobody knows, and all
    /// wake.
    fn rouse(&mut self, was: &Carry, [new, old]: [&Model; 2], stay: &Stay) {
        let stays = |body: usize| stay.bodies.get(body) == Some(&true);
        let built = |(b, info): (usize, &BodyInfo)| {
            !stays(b) && info.moving.is_none() && info.collider.is_some()
        };
        let rebuilt = new.bodies.iter().enumerate().any(built);
        // ties over volumes are in the state, which is not at hand
        let soft = old.params.surfaces.any_soft() || new.params.surfaces.any_soft();
        if rebuilt || soft || !new.source.has_pairs_of(&old.source) {
            return self.sleep.wake_all();
        }
        let mut groups = Groups::of(old.units.count());
        for touch in &was.touches {
            if let [Some(a), Some(b)] = touch.nodes() {
                groups.join(old.units.of(a), old.units.of(b));
            }
        }
        let mut roused = PerUnit::new(&old.units, false);
        let mut rouse = |node: usize| roused[groups.leader(old.units.of(node))] = true;
        for (node, to) in stay.nodes.iter().enumerate() {
            if to.is_none_or(|to| new.units.island_of(to).is_some()) {
                rouse(node);
            }
        }
        let gone = was.touches.iter().filter(|t| !t.bodies.into_iter().all(stays));
        gone.flat_map(|t| t.nodes()).flatten().for_each(rouse);
        for (node, to) in stay.nodes.iter().enumerate() {
            if let (Some(to), true) = (*to, roused[groups.leader(old.units.of(node))]) {
                self.sleep.wake(to);
            }
        }
    }

    /// Calls `each` with every number that the next step depends on.
    pub fn numbers(&self, mut each: impl FnMut(&[f64])) {
        for touch in &self.touches {
            let m = &touch.meeting;
            each(touch.force.as_slice());
            each(touch.torque.as_slice());
            each(&[m.stuck, m.met, m.pending].map(|b| f64::from(u8::from(b))));
        }
        each(self.stops.as_flattened());
        self.sleep.numbers(&mut each);
        self.collision.numbers(each);
    }
}

impl Stage {
    /// Begins an attempt with what the last step left.
    pub(super) fn recall(&mut self, carry: &Carry) {
        self.stops.forces.copy_from_slice(&carry.stops);
        self.sleep.copy_from(&carry.sleep);
    }

    /// Hands over what the attempt that is being committed leaves to the next step.
    pub fn commit(&mut self, carry: &mut Carry) {
        std::mem::swap(&mut self.touches, &mut carry.touches);
        std::mem::swap(&mut self.effect.impulses, &mut carry.impulses);
        std::mem::swap(&mut self.stops.forces, &mut carry.stops);
        std::mem::swap(&mut self.sleep, &mut carry.sleep);
        self.search.pipeline.swap_memory(&mut carry.collision);
    }
}
