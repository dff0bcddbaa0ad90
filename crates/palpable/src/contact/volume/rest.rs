//! Contacts of bodies that sleep: nothing is cut or solved, what was shown stays, stores keep what
//! they have.

use super::stage::{Listed, VolumeStage};
use crate::contact::{Site, Stage, Tie, TieKind};
use crate::math::{Vec6, linear};
use crate::model::{PatchMemory, VolumeKind};
use crate::stamp::Rule;

impl VolumeStage {
    /// Bodies that pressed on each other in the last step, and those that press on sleepers now.
    pub(in crate::contact) fn tie(&mut self, site: &Site, stage: &Stage, rule: &Rule) -> &[Tie] {
        self.rest.ties.clear();
        self.ways.fill(None);
        let mixed = |nodes: [Option<usize>; 2]| match nodes {
            [Some(a), Some(b)] => stage.sleep.is_asleep(a) != stage.sleep.is_asleep(b),
            _ => false,
        };
        for patch in &site.state.volume.patches {
            let nodes = self.nodes_of(site, patch.pieces);
            let kind = match self.law_of(site, patch.pieces) {
                Some(VolumeKind::Printed) => TieKind::Restless,
                _ if mixed(nodes) => TieKind::Wakes,
                // slow against its body, but not against its own depth: a layer that still yields
                _ if yielding(patch) > stage.ask.sleeping.speed * patch.depth => TieKind::Restless,
                _ => TieKind::Holds,
            };
            self.rest.ties.push(Tie { nodes, kind });
        }
        for k in 0..stage.search.pipeline.apart().len() {
            let pieces = stage.search.pipeline.apart()[k];
            let nodes = self.nodes_of(site, pieces);
            if mixed(nodes) && self.meet(site, pieces, &[], rule).is_some() {
                self.rest.ties.push(Tie { nodes, kind: TieKind::Wakes });
            }
        }
        &self.rest.ties
    }

    fn law_of(&self, site: &Site, pieces: (u32, u32)) -> Option<VolumeKind> {
        let body = |piece: u32| self.moulds[piece as usize].as_ref().map(|m| m.body);
        let surfaces = &site.params.surfaces;
        surfaces.material(body(pieces.0)?, body(pieces.1)?).volume.map(|law| law.kind)
    }

    /// Both bodies of two pieces sleep, or cannot move, in this part of a step.
    pub(super) fn is_resting(&self, pieces: (u32, u32)) -> bool {
        self.rest.pieces.binary_search(&pieces).is_ok()
    }

    /// Another state was loaded: what is shown belongs to the last one.
    pub fn doubt(&mut self) {
        self.rest.stale = true;
    }

    /// All contacts of a state that has so many can be read.
    pub fn shows(&self, contacts: usize) -> bool {
        !self.rest.stale && self.patches.len() == contacts
    }

    /// Keeps the contacts of sleepers as they were shown, before all others; those that are not
    /// shown, as in a world that was loaded, are shown again.
    pub(super) fn keep_resting(&mut self, site: &mut Site, stage: &Stage, rule: &Rule) {
        self.rest.pieces.clear();
        for k in 0..site.state.volume.patches.len() {
            let pieces = site.state.volume.patches[k].pieces;
            let nodes = self.nodes_of(site, pieces);
            if nodes.into_iter().flatten().all(|n| stage.sleep.is_asleep(n)) {
                self.rest.pieces.push(pieces);
                site.state.volume.patches[k].rates = [Vec6::zeros(); 2];
            }
        }
        if std::mem::take(&mut self.rest.stale) {
            self.patches.clear();
        }
        let (mut kept, mut corner, mut depth) = (0, 0, 0);
        for k in 0..self.patches.len() {
            let mut patch = self.patches[k];
            if !self.is_resting(patch.listed.pieces) {
                continue;
            }
            let Listed { corners: (from, to), depths, pieces } = patch.listed;
            let count = to - from;
            self.corners.copy_within(from..to, corner);
            self.depths.copy_within(depths..depths + count + 1, depth);
            patch.listed = Listed { pieces, corners: (corner, corner + count), depths: depth };
            self.patches[kept] = patch;
            (kept, corner, depth) = (kept + 1, corner + count, depth + count + 1);
        }
        self.patches.truncate(kept);
        self.corners.truncate(corner);
        self.depths.truncate(depth);
        if kept < self.rest.pieces.len() {
            self.show_resting(site, stage, rule);
        }
        self.rest.shown = self.patches.len();
    }

    /// Shows contacts of sleepers by the poses of their bodies; those that share nothing ended.
    fn show_resting(&mut self, site: &Site, stage: &Stage, rule: &Rule) {
        let mut k = 0;
        while k < self.rest.pieces.len() {
            let pieces = self.rest.pieces[k];
            if !self.patches.iter().any(|p| p.listed.pieces == pieces) {
                self.press_on(site, pieces, stage, rule);
                let Some(mut pressing) = self.pressings.pop() else {
                    self.rest.pieces.remove(k);
                    continue;
                };
                pressing.split(rule.h, &Vec6::zeros());
                let shown = pressing.show(&pressing.memory);
                self.patches.push(shown);
            }
            k += 1;
        }
    }
}

/// How fast a layer yields, over two steps [m/s]: a stiff one turns its rate around in each.
fn yielding(patch: &PatchMemory) -> f64 {
    0.5 * linear(&(patch.rates[0] + patch.rates[1])).norm()
}
