//! Makes chains simpler.

use super::Candidates;
use crate::scene::LinkSpec;
use palpable::Vec3;

/// What can be made simpler in a link.
const LINK_EDITS: [fn(&mut LinkSpec); 9] = [
    |link| link.at_turn = Vec3::zeros(),
    |link| link.held_turn = Vec3::zeros(),
    |link| link.start[1] = 0.0,
    |link| link.start[0] = 0.0,
    |link| link.damping = 0.0,
    |link| link.capsule = false,
    |link| link.density = 1000.0,
    |link| link.slides = false,
    |link| link.at.y = 0.0,
];

impl Candidates<'_> {
    pub(super) fn simplify_chains(&mut self) {
        for i in 0..self.scene.chains.len() {
            self.add(|scene| scene.chains[i].tendon = None);
            self.add(|scene| scene.chains[i].coupling = None);
            self.add(|scene| scene.chains[i].bound = None);
            self.add(|scene| scene.chains[i].motor = None);
            if self.scene.chains[i].links.len() > 1 {
                self.add(|scene| {
                    scene.chains[i].links.pop();
                });
            }
            for link in 0..self.scene.chains[i].links.len() {
                for edit in LINK_EDITS {
                    self.add(|scene| edit(&mut scene.chains[i].links[link]));
                }
            }
            self.add(|scene| {
                if let Some(base) = &mut scene.chains[i].base {
                    (base.turn, base.velocity, base.spin) = Default::default();
                }
            });
        }
    }
}
