//! Surfaces that yield.

use super::Draft;
use crate::random::Random;
use palpable::{VolumeKind, VolumeLaw};

impl Draft {
    /// Gives layers to most bodies; where only one of two has one, it yields alone.
    pub(super) fn soften(&mut self) {
        // in some worlds all have the same, as things of one material
        let shared = self.random.chance(0.4).then(|| draw_layer(&mut self.random, self.scale));
        for body in &mut self.scene.bodies {
            if self.random.chance(0.2) {
                continue;
            }
            let own = draw_layer(&mut self.random, self.scale);
            body.material = body.material.soft(shared.unwrap_or(own));
        }
    }
}

/// A layer that bears 1 kg of water per litre of its size by 0.1 mm to half of the size, or is as
/// stiff as rubber to steel; without damping, or one that acts within 0.1 ms to 0.1 s.
fn draw_layer(random: &mut Random, scale: f64) -> VolumeLaw {
    let modulus = if random.chance(0.6) {
        1e4 * scale / random.spread(1e-4, 0.5 * scale.max(2e-4))
    } else {
        random.spread(1e6, 1e11)
    };
    let mut lag = || if random.chance(0.3) { 0.0 } else { random.spread(1e-4, 0.1) };
    let [press, rub] = [lag(), lag()];
    let stiff = if random.chance(0.2) { 0.0 } else { random.spread(0.1, 3.0) };
    let law = VolumeLaw::new(modulus, press * modulus).shear(stiff * modulus, rub * modulus);
    let law = if random.chance(0.2) { law.with_impulses() } else { law };
    // the printed law creates energy, which is its nature
    if random.chance(0.15) { at_a_point(law, scale) } else { law }
}

/// The same stiffness of a contact as large as a body.
fn at_a_point(law: VolumeLaw, scale: f64) -> VolumeLaw {
    let VolumeLaw { modulus, damping, shear, shear_damping, impulse, .. } = law;
    let area = scale * scale;
    let law = VolumeLaw::new(modulus * area, damping * area);
    let law = law.shear(shear * area, shear_damping * area).kind(VolumeKind::Point);
    if impulse { law.with_impulses() } else { law }
}
