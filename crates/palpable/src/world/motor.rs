//! Motors: what their inputs ask for, and what they show. They act as elements, by effort and
//! damping (`stamp`), and their work is weighed with those (`settle/advance.rs`).

use super::World;
use super::live::moved_rest;
use super::midpoint::Part;
use super::scratch::Scratch;
use crate::port::PortInput;

impl World {
    /// Sets what a motor does in this step; returns the work of moving its target [J].
    pub(super) fn set_drive(&mut self, e: usize, input: PortInput, limit: f64) -> Option<f64> {
        match input {
            PortInput::Effort(effort) => {
                self.scratch.acting.drives[e].effort = effort.max(-limit).min(limit);
            }
            PortInput::Rate(rate) => self.scratch.acting.drives[e].rate = rate,
            PortInput::Target(target) => {
                let now = (&self.trial.elements[e], &self.scratch.slate.start[e]);
                let moved = moved_rest(now, target)?;
                return Some(self.take_reference(e, moved));
            }
            _ => return None,
        }
        Some(0.0)
    }
}

impl Part<'_> {
    /// Adds this part's share to the rate of motor `i` and to its effort, and its work.
    pub(super) fn collect_motor(&mut self, i: usize, share: f64) {
        let Some(e) = self.model.ports[i].element else { return };
        let Scratch { acting, ports, .. } = &mut *self.scratch;
        let (drive, rate) = (acting.drives[e], ports.motor_rates[i]);
        let pull = -self.params.elements[e].damping[0] * (rate - drive.rate);
        let out = &mut ports.draft[i];
        out.rate += rate * share;
        out.effort += (drive.effort + pull) * share;
        out.work += self.rule.h * (drive.effort * rate + pull * drive.rate);
    }
}
