//! After the step: what springs took and gave back, out of the store of each contact.

use super::pressing::{Pressing, Rubbing, Spatial};
use super::stage::{Listed, Patch, VolumeStage};
use crate::contact::Site;
use crate::ledger::Tank;
use crate::math::{Vec3, Vec6};
use crate::model::{PatchMemory, VolumeKind, VolumeMemory};

/// What contacts over a volume did in a part of a step [J].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Settled {
    /// Lost in dampers, and what ended contacts still had.
    pub damped: f64,
    /// Lost by friction.
    pub rubbed: f64,
    /// Created by the printed law.
    pub created: f64,
    /// Sum of the magnitudes of all work.
    pub work: f64,
}

/// What one contact did [J].
#[derive(Debug, Clone, Copy, Default)]
struct Account {
    store: f64,
    damped: f64,
    rubbed: f64,
    created: f64,
    work: f64,
    /// what its store is short of
    missing: f64,
}

impl VolumeStage {
    /// Settles the stores with the velocities `mid` that bodies really had, and remembers the
    /// contacts. What a store is short of is taken from the tank; `paid` is told by whom, how much,
    /// and what nobody paid.
    pub fn settle(
        &mut self,
        site: &mut Site,
        mid: &[Vec6],
        tank: &mut Tank,
        h: f64,
        mut paid: impl FnMut([Option<usize>; 2], f64, f64),
    ) -> Settled {
        let mut sum = Settled::default();
        let before = site.state.volume.stored();
        self.patches.truncate(self.rest.shown);
        let resting = &self.rest.pieces;
        site.state.volume.patches.retain(|p| resting.binary_search(&p.pieces).is_ok());
        let mut carried = site.state.volume.stored();
        for k in 0..self.pressings.len() {
            let u = self.rate_of(k, mid);
            let pressing = &self.pressings[k];
            carried += pressing.memory.store;
            let account = pressing.settle(pressing.potential(), h, &u);
            if account.missing > 0.0 {
                let drawn = tank.pay(account.missing);
                paid(pressing.pair.nodes, drawn, account.missing - drawn);
            }
            sum.damped += account.damped;
            sum.rubbed += account.rubbed;
            sum.created += account.created;
            sum.work += account.work;
            let left = pressing.leave(&pressing.frame_of_first(site), h, &u);
            let left = PatchMemory { store: account.store, ..left };
            self.patches.push(pressing.show(&left));
            site.state.volume.patches.push(left);
        }
        site.state.volume.patches.sort_unstable_by_key(|p| p.pieces);
        // contacts that ended keep nothing
        sum.damped += (before - carried).max(0.0);
        sum
    }
}

impl Pressing {
    /// The store after a step at the twist `u`; `potential` is that of its springs in the middle.
    fn settle(&self, potential: f64, h: f64, u: &Vec6) -> Account {
        let given = h * self.parts.elastic.dot(u);
        let (damped, rubbed) = (-h * self.parts.damped.dot(u), -h * self.parts.rubbed.dot(u));
        let mut out = Account {
            damped: damped.max(0.0),
            rubbed: rubbed.max(0.0),
            work: given.abs() + damped.abs() + rubbed.abs(),
            ..Account::default()
        };
        // what pushed along although it was meant to brake comes from the store, too
        let mut store = self.memory.store - given + damped.min(0.0) + rubbed.min(0.0);
        if self.pair.law.kind == VolumeKind::Printed {
            (out.store, out.created) = (store.max(0.0), (-store).max(0.0));
            return out;
        }
        // losses fill a store that is behind its springs
        let target = (potential - 0.5 * given).max(0.0);
        for loss in [&mut out.damped, &mut out.rubbed] {
            let part = (target - store).max(0.0).min(*loss);
            *loss -= part;
            store += part;
        }
        (out.store, out.missing) = (store.max(0.0), (-store).max(0.0));
        out
    }

    /// What the world shows of it.
    pub(super) fn show(&self, left: &PatchMemory) -> Patch {
        let lambda = self.parts.sum();
        let Spatial { linear: force, angular: torque } = self.to_world(&lambda);
        let area = self.region.overlap.area;
        let sticks = self.friction.rubbing == Rubbing::Sticks;
        let held = if sticks { self.parts.elastic[3] } else { 0.0 };
        Patch {
            bodies: self.pair.bodies,
            normal: self.region.axes[0],
            center: self.region.center,
            centroid: self.region.centroid,
            area,
            volume: self.region.overlap.volume,
            depth: self.region.overlap.depth,
            pressure: if area > 0.0 { self.pressure() / area } else { 0.0 },
            force,
            torque,
            friction_torque: held + self.parts.rubbed[3],
            store: left.store,
            slips: left.slips,
            listed: Listed {
                pieces: self.pair.pieces,
                corners: self.region.corners,
                depths: self.region.depths,
            },
        }
    }
}

impl VolumeStage {
    /// A body was put back where it was, at rest: its contacts have what they had before the step,
    /// and no springs.
    pub fn forget(&mut self, node: usize, was: &VolumeMemory, is: &mut VolumeMemory) {
        for (pressing, patch) in self.pressings.iter().zip(&mut self.patches[self.rest.shown..]) {
            if !pressing.pair.nodes.contains(&Some(node)) {
                continue;
            }
            (patch.force, patch.torque) = (Vec3::zeros(), Vec3::zeros());
            let kept = was.of(pressing.pair.pieces.0, pressing.pair.pieces.1).copied();
            let found = is.patches.iter_mut().find(|p| p.pieces == pressing.pair.pieces);
            if let Some(memory) = found {
                let none = PatchMemory { pieces: pressing.pair.pieces, ..Default::default() };
                *memory = kept.unwrap_or(none);
            }
        }
    }
}
