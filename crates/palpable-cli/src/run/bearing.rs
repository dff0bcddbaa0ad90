//! What bears on what: contacts at points and over areas, counted together.

use palpable::World;

/// Contacts of the last step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bearing {
    /// Points within reach, and areas.
    pub near: usize,
    /// Those that push.
    pub pushing: usize,
    /// Deepest overlap [m].
    pub depth: f64,
    /// Strongest force [N].
    pub force: f64,
}

impl Bearing {
    /// Of a world. Where surfaces yield, the area counts, not the points at which impulses act.
    pub fn of(world: &World) -> Self {
        let mut sum = Self::default();
        for touch in world.contacts().iter().filter(|touch| !touch.yields()) {
            sum.add(-touch.gap, touch.force.norm());
        }
        for patch in world.patches() {
            sum.add(patch.depth, patch.force.norm());
        }
        sum
    }

    fn add(&mut self, depth: f64, force: f64) {
        self.near += 1;
        self.pushing += usize::from(force > 0.0);
        self.depth = self.depth.max(depth);
        self.force = self.force.max(force);
    }
}
