//! Contacts over an area: their outlines, their pressures, the torque of friction.

use palpable::{Patch, Vec3, World};

/// Words shown at most: 16 k corners, far more than a screen tells apart.
const MOST_WORDS: usize = 1 << 16;

/// The areas of a lane as they are sent.
#[derive(Debug, Clone, Default)]
pub(super) struct Areas {
    /// How many there are.
    pub count: usize,
    /// Twelve words each, and four a corner.
    pub words: Vec<u32>,
}

impl Areas {
    /// Takes over those of a world, in the room that it has.
    pub fn fill(&mut self, world: &World) {
        self.words.clear();
        self.count = 0;
        for patch in world.patches() {
            let (corners, depths) = (world.patch_corners(patch), world.patch_depths(patch));
            if self.words.len() + 12 + 4 * corners.len() > MOST_WORDS {
                break;
            }
            self.add(patch, corners, depths);
        }
    }

    fn add(&mut self, patch: &Patch, corners: &[Vec3], depths: &[f64]) {
        let [a, b] = patch.bodies.map(|body| body.min(0x7fff) as u32);
        let middle = patch.pressure_at(depths.last().copied().unwrap_or(0.0));
        self.words.push(a | b << 16);
        self.words.push(corners.len() as u32 | u32::from(patch.slips) << 31);
        let (c, n) = (patch.center, patch.normal);
        let rest = [patch.pressure, middle, patch.friction_torque, patch.area];
        let numbers = [c.x, c.y, c.z, n.x, n.y, n.z].into_iter().chain(rest);
        self.words.extend(numbers.map(|v| (v as f32).to_bits()));
        for (p, depth) in corners.iter().zip(depths) {
            let words = [p.x, p.y, p.z, patch.pressure_at(*depth)];
            self.words.extend(words.map(|v| (v as f32).to_bits()));
        }
        self.count += 1;
    }
}
