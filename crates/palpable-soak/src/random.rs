//! The draws that random scenes are made of.

use palpable::Vec3;
use std::ops::{Deref, DerefMut};

/// A stream of random numbers.
#[derive(Debug, Clone, Copy)]
pub struct Random(palpable_random::Random);

impl Random {
    /// The stream a scene is drawn from.
    pub fn of_scene(seed: u64) -> Self {
        let seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(12345);
        Self(palpable_random::Random(seed))
    }

    /// The stream of one thing `who` at one time `when`, so that leaving something out of a scene
    /// does not change what the rest draws.
    pub fn of_event(seed: u64, when: u64, who: u64) -> Self {
        let when = when.wrapping_mul(0xa24b_aed4_963e_e407);
        let who = who.wrapping_mul(0x9fb2_1c65_1e98_df25);
        let mut random = palpable_random::Random(seed ^ when ^ who);
        random.bits();
        Self(random)
    }

    /// Evenly from a cube of half side `size` about the origin.
    pub fn vector(&mut self, size: f64) -> Vec3 {
        let (x, y) = (self.signed(), self.signed());
        Vec3::new(x, y, self.signed()) * size
    }

    /// A rotation vector [rad].
    pub fn turn(&mut self) -> Vec3 {
        self.vector(3.0)
    }
}

impl Deref for Random {
    type Target = palpable_random::Random;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Random {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
