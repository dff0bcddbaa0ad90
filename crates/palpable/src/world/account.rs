//! The account of a step that is about to be committed.

use super::scratch::{Progress, Scratch};
use super::{World, kinetic, stored};
use crate::ledger::{Entry, Flows, Stored, beyond_rounding};

/// Part of the energy in play below which claimed and measured losses agree.
const AGREE: f64 = 1e-13;
/// Part of it beyond which a stage is wrong about what it took, and rounding does not explain it;
/// a tenth as much of the terms that cancel in a step, as for its raw defect.
const CLAIMED: f64 = 1e-9;
/// The same relative to the numbers in the accounts.
const ROUNDED: f64 = 1e-14;
/// A sum of energies below this part of its terms is measured anew.
const CANCELLED: f64 = 1e4;

impl World {
    /// What was stored before and after, what came in and what was lost. Stages say how losses
    /// split; what is really missing decides how large they are, and the tank is offered no more.
    pub(super) fn account(&mut self, h: f64, progress: &mut Progress) -> Entry {
        let (before, mut after) = (self.ledger.now(), self.stored_after(progress));
        let draft = &self.scratch.ports.draft;
        let applied = || self.scratch.applied.work.iter().filter(|_| self.memory.applying);
        let works = || draft.iter().map(|p| p.work).chain(applied().copied());
        let moved: f64 = works().map(f64::abs).sum();
        let mut flows = flows(progress, works().sum());
        let floor = self.ledger.lowest_gravity().min(after.gravity);
        let work = number(progress.tally.work) + number(progress.booking.booked) + moved;
        let mass: f64 = self.trial.bodies.iter().map(|p| p.mass).sum();
        let fall = mass * self.trial.fall(h);
        let in_play = before.total().max(after.total()) - floor + work + fall;
        if self.is_passive() {
            let size = before.size().max(after.size());
            let agree = |v: f64| beyond_rounding(v, size) <= AGREE * in_play;
            let missing = flows.entered() - (after - before).total();
            let excess = flows.lost() - missing;
            if !progress.weighed {
                let allowed = CLAIMED * (in_play + 0.1 * progress.tally.scale) + ROUNDED * size;
                progress.claim.worst(excess, allowed);
            }
            // a stage that took more than is missing, or less than nothing, is mistaken
            let mistaken = |v: f64| v > 0.0 && !agree(v);
            let negative = mistaken(-flows.impact) || mistaken(-flows.damped);
            if progress.weighed || mistaken(excess) || negative {
                flows.explain(missing);
            } else if mistaken(-excess) {
                // lost by arithmetic
                flows.discarded -= excess;
            }
            let lost = flows.lost().min(missing) - flows.discarded;
            flows.keep(self.scratch.tank.offer_dissipated(lost));
            after.tank = self.scratch.tank.content();
        }
        let (defect, booked) = (number(progress.tally.defect), number(progress.booking.booked));
        let mut entry = Entry { before, after, flows, defect, booked, in_play };
        if progress.measured {
            entry.defect = entry.closure();
        }
        entry
    }

    /// Stored energy after the step; gravity follows the motion by increments.
    fn stored_after(&self, progress: &Progress) -> Stored {
        let (scratch, tally) = (&self.scratch, &progress.tally);
        let lift = if progress.held { self.raised() } else { progress.booking.lift - tally.fall };
        let gravity = self.ledger.now().gravity + lift;
        if progress.held || progress.measured {
            let Scratch { work, tank, .. } = scratch;
            let stored = stored(&self.model, &self.trial, work, tank);
            return Stored { gravity, contact: stored.contact + progress.penalty, ..stored };
        }
        let elements = self.trial.elements.iter().zip(&scratch.work.strain);
        let mut moving = tally.kinetic + progress.booking.motion;
        if !(tally.kinetic.abs() <= CANCELLED * moving.abs()) {
            // next to nothing is left of large numbers: their rounding is not motion
            moving = kinetic(&self.model, &self.trial, &scratch.work);
        }
        Stored {
            kinetic: moving,
            elastic: elements.map(|(p, g)| p.elastic(g)).sum(),
            gravity,
            tank: scratch.tank.content(),
            contact: scratch.work.volume.stored(),
        }
    }

    /// Change of the potential of gravity from the poses alone [J].
    fn raised(&self) -> f64 {
        let (tank, at) = (&self.scratch.tank, [&self.scratch.work, &self.state]);
        let [after, before] = at.map(|s| stored(&self.model, &self.trial, s, tank).gravity);
        after - before
    }
}

/// What the stages say. The sum of friction and impact is exact, their split is not.
fn flows(progress: &Progress, supplied: f64) -> Flows {
    let contact = number(progress.friction) + number(progress.impact);
    let friction = number(progress.friction).min(contact).max(0.0);
    Flows {
        supplied,
        damped: number(progress.tally.damped),
        friction,
        impact: contact - friction,
        discarded: number(progress.booking.discarded),
        created: progress.created,
    }
}

/// A sum of a step in which a group was held may not be finite: it counts for nothing.
fn number(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}
