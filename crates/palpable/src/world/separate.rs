//! Bodies that are inside each other are parted once, and whoever asks for it pays.

use super::World;
use crate::ledger::Stored;
use crate::math::Vec3;
use crate::model::{BodyState, Model, Overlap, PerUnit, Span, Unit, pose_of};
use std::sync::Arc;

/// Passes at most; a pile of n bodies needs about n.
const PASSES: usize = 1000;
/// Parted beyond touching by this [m], so that the next pass does not find it again.
const CLEAR: f64 = 1e-8;

impl World {
    /// Moves bodies that are inside each other apart, without turning them, the lighter ones
    /// further; bodies that are joined move as one, what holds on to the world and chains stay.
    /// The energy of the move is supplied, or discarded. Returns what is still inside each other.
    ///
    /// Allocates; meant for the start of a world and for bodies that were put into others.
    pub fn separate(&mut self) -> Vec<Overlap> {
        let Some(contact) = &self.model.contact else { return Vec::new() };
        let mut pipeline = contact.pipeline.furnished();
        let (units, ease) = (Arc::clone(&self.model.units), self.ease());
        let before = self.state.bodies.clone();
        for _ in 0..PASSES {
            let poses: Vec<_> = self.model.bodies.iter().map(|b| pose_of(b, &self.state)).collect();
            pipeline.update(&poses, 0.0);
            let mut parted = false;
            let mut moved = PerUnit::new(&units, Vec3::zeros());
            for m in pipeline.manifolds() {
                let sides = [m.body_a, m.body_b].map(|b| self.model.bodies[b as usize].moving);
                let [a, b] = sides.map(|node| node.map(|n| units.of(n)));
                let way = |u: Option<Unit>| u.map_or(Vec3::zeros(), |u| moved[u]);
                let share = |u: Option<Unit>| u.map_or(0.0, |u| ease[u]);
                let gaps = pipeline.contacts()[m.range()].iter().map(|c| c.gap);
                // what the others of this pass have done counts
                let gap = gaps.fold(f64::INFINITY, f64::min) + m.normal.dot(&(way(b) - way(a)));
                let sum = share(a) + share(b);
                if gap >= 0.0 || sum <= 0.0 || a == b {
                    continue;
                }
                parted = true;
                let step = m.normal * ((CLEAR - gap) / sum);
                a.iter().for_each(|&u| moved[u] -= step * ease[u]);
                b.iter().for_each(|&u| moved[u] += step * ease[u]);
            }
            for unit in units.all() {
                let bodies = units.spans(unit).iter().filter_map(Span::body);
                bodies.for_each(|b| self.state.bodies[b].x += moved[unit]);
            }
            if !parted {
                break;
            }
        }
        self.book_lift(&before);
        self.model.overlaps_at(&self.state, &mut pipeline)
    }

    /// How easily each unit is moved, without turning [1/kg]: 0 for one that holds on to the world.
    fn ease(&self) -> PerUnit<f64> {
        let Model { units, islands, .. } = &self.model;
        let mut ease = PerUnit::new(units, 0.0);
        for unit in units.all() {
            let bodies = units.spans(unit).iter().filter_map(Span::body);
            let mass: f64 = bodies.map(|b| self.params.bodies[b].mass).sum();
            let anchored = units.island(unit).is_some_and(|i| islands[i].anchored);
            ease[unit] = if anchored { 0.0 } else { 1.0 / mass };
        }
        ease
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
