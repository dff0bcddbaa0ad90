//! Bodies that are inside each other are parted once, and whoever asks for it pays.

use super::World;
use crate::ledger::Stored;
use crate::math::Vec3;
use crate::model::{BodyState, Overlap, pose_of};

/// Passes at most; a pile of n bodies needs about n.
const PASSES: usize = 1000;
/// Parted beyond touching by this [m], so that the next pass does not find it again.
const CLEAR: f64 = 1e-8;

/// Bodies that are moved together, without turning.
struct Unit {
    nodes: Vec<usize>,
    /// 0 for what cannot move
    inverse_mass: f64,
}

impl World {
    /// Moves bodies that are inside each other apart, without turning them, the lighter ones
    /// further; bodies that are joined move as one, what holds on to the world and chains stay.
    /// The energy of the move is supplied, or discarded. Returns what is still inside each other.
    ///
    /// Allocates; meant for the start of a world and for bodies that were put into others.
    pub fn separate(&mut self) -> Vec<Overlap> {
        let Some(contact) = &self.model.contact else { return Vec::new() };
        let mut pipeline = contact.pipeline.furnished();
        let (units, unit_of) = self.units();
        let before = self.state.bodies.clone();
        for _ in 0..PASSES {
            let poses: Vec<_> = self.model.bodies.iter().map(|b| pose_of(b, &self.state)).collect();
            pipeline.update(&poses, 0.0);
            let mut parted = false;
            let mut moved = vec![Vec3::zeros(); units.len()];
            for m in pipeline.manifolds() {
                let sides = [m.body_a, m.body_b].map(|b| self.model.bodies[b as usize].moving);
                let [a, b] = sides.map(|node| node.map(|n| unit_of[n]));
                let way = |u: Option<usize>| u.map_or(Vec3::zeros(), |u| moved[u]);
                let share = |u: Option<usize>| u.map_or(0.0, |u| units[u].inverse_mass);
                let gaps = pipeline.contacts()[m.range()].iter().map(|c| c.gap);
                // what the others of this pass have done counts
                let gap = gaps.fold(f64::INFINITY, f64::min) + m.normal.dot(&(way(b) - way(a)));
                let sum = share(a) + share(b);
                if gap >= 0.0 || sum <= 0.0 || a == b {
                    continue;
                }
                parted = true;
                let step = m.normal * ((CLEAR - gap) / sum);
                a.iter().for_each(|&u| moved[u] -= step * units[u].inverse_mass);
                b.iter().for_each(|&u| moved[u] += step * units[u].inverse_mass);
            }
            for (unit, by) in units.iter().zip(&moved) {
                unit.nodes.iter().for_each(|&n| self.state.bodies[n].x += by);
            }
            if !parted {
                break;
            }
        }
        self.book_lift(&before);
        self.model.overlaps_at(&self.state, &mut pipeline)
    }

    /// What moves as one, and the unit of each moving body.
    fn units(&self) -> (Vec<Unit>, Vec<usize>) {
        let mass = |b: &usize| self.params.bodies[*b].mass;
        let mut units: Vec<Unit> = Vec::new();
        let mut unit_of = vec![0; self.model.moving.len()];
        for &b in &self.model.free {
            unit_of[b] = units.len();
            units.push(Unit { nodes: vec![b], inverse_mass: 1.0 / mass(&b) });
        }
        for island in &self.model.islands {
            let links = island.systems.iter().flat_map(|&s| self.model.systems[s].nodes.clone());
            links.chain(island.bodies.iter().copied()).for_each(|n| unit_of[n] = units.len());
            let total: f64 = island.bodies.iter().map(mass).sum();
            let inverse_mass = if island.anchored { 0.0 } else { 1.0 / total };
            units.push(Unit { nodes: island.bodies.clone(), inverse_mass });
        }
        (units, unit_of)
    }

    /// Books the work against gravity of bodies that were moved.
    fn book_lift(&mut self, before: &[BodyState]) {
        let gravity = self.params.gravity;
        let moved = self.state.bodies.iter().zip(before).map(|(now, was)| now.x - was.x);
        let masses = self.params.bodies.iter().map(|p| p.mass);
        let lift: f64 = moved.zip(masses).map(|(by, mass)| -mass * gravity.dot(&by)).sum();
        if lift != 0.0 {
            let now = self.ledger.now();
            self.enter_jump(Stored { gravity: now.gravity + lift, ..now }, lift);
        }
    }
}
