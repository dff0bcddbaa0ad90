//! Same inputs, same bits: a clone that goes along, and a replay from a snapshot.

use crate::check::finding::{Findings, Kind};
use palpable::{Inputs, Snapshot, World};

/// Steps that are replayed.
const REPLAYED: usize = 12;

/// A step as it was taken.
#[derive(Debug, Clone)]
pub struct Taken {
    /// Length [s].
    pub h: f64,
    /// What entered.
    pub inputs: Inputs,
}

/// A step of a replay, and the hash it led to.
struct Recorded {
    taken: Taken,
    hash: u64,
}

/// What goes along with a world from a snapshot on, until the world is changed live.
#[derive(Default)]
pub struct Companions {
    clone: Option<World>,
    snapshot: Option<Snapshot>,
    recorded: Vec<Recorded>,
}

impl Companions {
    /// Starts at a world as it is, unless some go along already.
    pub fn begin(&mut self, world: &World) {
        if self.snapshot.is_none() {
            *self = Self {
                clone: Some(world.clone()),
                snapshot: Some(world.snapshot()),
                recorded: Vec::new(),
            };
        }
    }

    /// Forgets them: the world was changed.
    pub fn end(&mut self) {
        *self = Self::default();
    }

    /// Takes a step that the world took, refused ones included.
    pub fn follow(&mut self, world: &mut World, taken: &Taken, findings: &mut Findings) {
        if let Some(clone) = &mut self.clone {
            if self.snapshot.is_some() {
                // nothing of the next step is in the work space
                clone.forget_scratch();
            }
            let _ = clone.step(taken.h, &taken.inputs);
            // what no hash shows may come out many steps later
            let apart = self.snapshot.is_some() && clone.snapshot() != world.snapshot();
            if apart || clone.state_hash() != world.state_hash() {
                findings.add(Kind::CloneDiffers, 1.0, 1.0, String::new);
                self.clone = None;
            }
        }
        if self.snapshot.is_some() {
            self.recorded.push(Recorded { taken: taken.clone(), hash: world.state_hash() });
        }
        if self.recorded.len() == REPLAYED {
            self.replay(world, findings);
        }
    }

    /// Goes back to the snapshot, takes the recorded steps again, and returns.
    fn replay(&mut self, world: &mut World, findings: &mut Findings) {
        let Some(snapshot) = self.snapshot.take() else { return };
        let now = world.snapshot();
        if !world.restore(&snapshot) {
            findings.add(Kind::RestoreRefused, 1.0, 1.0, String::new);
        }
        for (step, recorded) in self.recorded.drain(..).enumerate() {
            let _ = world.step(recorded.taken.h, &recorded.taken.inputs);
            if world.state_hash() != recorded.hash {
                let note = || format!("{step} steps after the snapshot");
                findings.add(Kind::ReplayDiffers, 1.0, 1.0, note);
                break;
            }
        }
        world.restore(&now);
    }
}
