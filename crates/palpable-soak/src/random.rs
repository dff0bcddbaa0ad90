//! Random numbers that are the same everywhere: SplitMix64, and the draws that scenes are made of.

use palpable::Vec3;

/// A stream of random numbers.
#[derive(Debug, Clone, Copy)]
pub struct Random(u64);

impl Random {
    /// The stream a scene is drawn from.
    pub fn of_scene(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(12345))
    }

    /// The stream of one thing `who` at one time `when`, so that leaving something out of a scene
    /// does not change what the rest draws.
    pub fn of_event(seed: u64, when: u64, who: u64) -> Self {
        let when = when.wrapping_mul(0xa24b_aed4_963e_e407);
        let who = who.wrapping_mul(0x9fb2_1c65_1e98_df25);
        let mut random = Self(seed ^ when ^ who);
        random.bits();
        random
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Evenly from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// From `low` to `high`, both positive, with an even logarithm.
    pub fn spread(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    /// One of `0..count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// True with probability `share`.
    pub fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// Evenly from a cube of half side `size` about the origin.
    pub fn vector(&mut self, size: f64) -> Vec3 {
        let (x, y) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
        Vec3::new(x, y, self.between(-1.0, 1.0)) * size
    }

    /// A rotation vector [rad].
    pub fn turn(&mut self) -> Vec3 {
        self.vector(3.0)
    }
}
