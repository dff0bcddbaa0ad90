//! Collisions of the last moments, for whoever looks and listens.

use palpable::{Resolution, Touch, Vec3, World};

/// Collisions kept at most; of more, the strongest.
pub const MOST: usize = 32;
/// Pictures in which a collision is told, so that one that is never seen is missed by nobody.
const TOLD: u8 = 8;
/// Steps between two impulses of a pair that belong to one collision: what a device cannot do in
/// one step is spread over several.
const APART: u64 = 2;

/// One collision of a pair of bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strike {
    /// Counts up: the same collision has the same number in every picture.
    pub number: u32,
    /// Bodies of the model it is between.
    pub bodies: [usize; 2],
    /// Where most of it acts [m].
    pub point: Vec3,
    /// Impulse on the second body [N·s].
    pub impulse: Vec3,
    /// sizes of its parts, added [N·s]
    weight: f64,
    last: u64,
    told: u8,
}

/// The collisions of a world in the last pictures; never more than [`MOST`].
#[derive(Debug, Clone)]
pub struct Strikes {
    list: Vec<Strike>,
    count: u32,
}

impl Default for Strikes {
    fn default() -> Self {
        Self { list: Vec::with_capacity(MOST), count: 0 }
    }
}

impl Strikes {
    /// Those to be told.
    pub fn list(&self) -> &[Strike] {
        &self.list
    }

    /// Takes note of the step that a world has taken: impulses of surfaces whose contacts begin
    /// with them, and all of a world that says how its collisions are resolved.
    pub fn watch(&mut self, world: &World) {
        let chosen = world.options().collision != Resolution::default();
        let tick = world.tick();
        for touch in world.contacts().iter().filter(|t| t.collides() || chosen) {
            self.add(touch, tick);
        }
    }

    fn add(&mut self, touch: &Touch, tick: u64) {
        let size = touch.impulse.norm();
        if !(size > 0.0 && size.is_finite()) {
            return;
        }
        let same = |s: &&mut Strike| s.bodies == touch.bodies && tick - s.last.min(tick) <= APART;
        if let Some(strike) = self.list.iter_mut().find(same) {
            strike.weight += size;
            strike.point += (touch.point - strike.point) * (size / strike.weight);
            strike.impulse += touch.impulse;
            (strike.last, strike.told) = (tick, 0);
            return;
        }
        if self.list.len() == MOST {
            let weakest = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1);
            let weights = self.list.iter().map(|s| s.weight).enumerate();
            match weights.min_by(weakest) {
                Some((place, weight)) if weight < size => self.list.remove(place),
                _ => return,
            };
        }
        self.count = self.count.wrapping_add(1);
        self.list.push(Strike {
            number: self.count,
            bodies: touch.bodies,
            point: touch.point,
            impulse: touch.impulse,
            weight: size,
            last: tick,
            told: 0,
        });
    }

    /// A picture was made: what was told often enough is forgotten.
    pub(super) fn tell(&mut self) {
        self.list.iter_mut().for_each(|s| s.told += 1);
        self.list.retain(|s| s.told < TOLD);
    }
}
