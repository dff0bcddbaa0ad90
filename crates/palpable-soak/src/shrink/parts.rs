//! Leaves out whole parts.

use super::Candidates;

impl Candidates<'_> {
    pub(super) fn leave_out_parts(&mut self) {
        self.add(|scene| {
            scene.steps = (scene.steps / 2).max(1);
            scene.events.retain(|event| event.step < scene.steps);
        });
        for i in 0..self.scene.chains.len() {
            self.add(|scene| {
                scene.chains.remove(i);
            });
        }
        for i in 0..self.scene.beams.len() {
            self.add(|scene| {
                scene.beams.remove(i);
            });
        }
        for i in 0..self.scene.gears.len() {
            self.add(|scene| {
                scene.gears.remove(i);
            });
        }
        for i in 0..self.scene.bodies.len() {
            self.add(|scene| scene.remove_body(i));
        }
        for i in 0..self.scene.joints.len() {
            self.add(|scene| {
                scene.joints.remove(i);
            });
        }
        for i in 0..self.scene.ports.len() {
            self.add(|scene| {
                scene.ports.remove(i);
            });
        }
        for i in 0..self.scene.events.len() {
            self.add(|scene| {
                scene.events.remove(i);
            });
        }
    }
}
