//! Who presses on whom: overlaps in the middle of the step that the last one predicts.

use super::pressing::{Parts, Pressing, Rubbing, Sums, write_spots};
use super::slope::{Rows, press};
use super::stage::VolumeStage;
use crate::contact::{Site, Stage};
use crate::geometry::Placement;
use crate::math::{Mat3, Vec3, Vec6, angular, join, linear, so3};
use crate::model::{PatchMemory, VolumeKind};
use crate::stamp::Rule;

impl VolumeStage {
    /// Finds the contacts of a part of a step, and marks their bodies as touching.
    pub fn find(&mut self, site: &Site, stage: &mut Stage, rule: &Rule) {
        self.pressings.clear();
        self.spots.clear();
        self.corners.clear();
        self.depths.clear();
        self.wrenches.fill(Vec6::zeros());
        self.near.clear();
        self.ways.fill(None);
        for k in 0..stage.search.pipeline.apart().len() {
            let pieces = stage.search.pipeline.apart()[k];
            let bodies = [pieces.0, pieces.1].map(|p| self.moulds[p as usize].as_ref());
            let node = |body: usize| site.model.bodies.get(body).and_then(|b| b.moving);
            let nodes = bodies.map(|b| b.and_then(|piece| node(piece.body)));
            // whoever may press in some part of the step is weighed after it
            nodes.into_iter().flatten().for_each(|n| stage.bodies.touching[n] = true);
            self.near.push((pieces, nodes));
            if self.pressings.len() < self.pressings.capacity() {
                self.press_on(site, pieces, stage, rule);
            }
        }
    }

    fn press_on(&mut self, site: &Site, pieces: (u32, u32), stage: &Stage, rule: &Rule) {
        let [Some(one), Some(two)] = [pieces.0, pieces.1].map(|p| &self.moulds[p as usize]) else {
            return;
        };
        let bodies = [one.body, two.body];
        let material = site.params.surfaces.material(bodies[0], bodies[1]);
        let Some(law) = material.volume else { return };
        let early = law.kind == VolumeKind::Printed;
        let ways = bodies.map(|b| {
            let jumped = site.model.bodies[b].moving.is_some_and(|n| stage.effect.struck[n]);
            if early {
                return Way::new(site, b, (0.0, jumped));
            }
            *self.ways[b].get_or_insert_with(|| Way::new(site, b, (0.5 * rule.h, jumped)))
        });
        let frames = [ways[0].frame.times(&one.offset), ways[1].frame.times(&two.offset)];
        let known = site.state.volume.of(pieces.0, pieces.1).copied();
        let way_out = || {
            if let Some(m) = known {
                return one.offset.rotation.tr_mul(&m.normal);
            }
            // where they came from
            let starts = bodies.map(|b| Way::new(site, b, (0.0, false)).frame);
            let at = starts[0].times(&one.offset).view(&starts[1].times(&two.offset));
            one.mould.way_out(&two.mould, &at).unwrap_or_else(Vec3::z)
        };
        let at = frames[0].view(&frames[1]);
        let found = self.cutter.overlap(&one.mould, &two.mould, &at, way_out);
        let Some(overlap) = found else { return };
        let n = frames[0].rotation * overlap.normal;
        let [s, t] = self.cutter.axes.map(|v| frames[0].rotation * v);
        let axes = [n, s, t];
        let (first, corner) = (self.spots.len(), self.corners.len());
        let depths = self.depths.len();
        write_spots(&law, (&self.cutter, &overlap), &mut self.spots);
        self.corners.extend(self.cutter.polygon.iter().map(|p| frames[0].point(p)));
        self.depths.extend_from_slice(&self.cutter.depths);
        let spots = &self.spots[first..];
        let sums = Sums::new(spots, |s| s.area);
        let mut found = Pressing {
            pieces,
            bodies,
            nodes: bodies.map(|b| site.model.bodies[b].moving),
            law,
            mu: (material.friction, material.static_friction.max(material.friction)),
            axes,
            overlap,
            center: frames[0].point(&overlap.center),
            centroid: frames[0].point(&overlap.centroid),
            arms: [Vec3::zeros(); 2],
            spots: (first, self.spots.len()),
            corners: (corner, self.corners.len()),
            depths,
            memory: known.unwrap_or(PatchMemory { pieces, ..Default::default() }),
            normal_sum: sums.normal,
            shear_sum: sums.shear,
            push: Vec6::zeros(),
            expected: Vec6::zeros(),
            slid: [Vec6::zeros(); 2],
            strain: Vec6::zeros(),
            rubbing: Rubbing::Smooth,
            fixed: None,
            held_fast: false,
            braked: None,
            bounded: false,
            off: stage.spreads(bodies),
            rows: [Rows::zeros(); 2],
            drag: Mat3::zeros(),
            parts: Parts::default(),
        };
        found.aim(spots);
        found.remember(&ways);
        if early {
            found.freeze();
        } else if found.awaits_impulse() {
            // the impulse did it: no spring in the step in which a contact begins
            found.fixed = Some(Vec6::zeros());
        }
        found.begin_rubbing(spots);
        self.pressings.push(found);
    }
}

/// How a body is predicted to move: where it is then, and its twist in world axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    frame: Placement,
    center: Vec3,
    v: Vec3,
    w: Vec3,
}

impl Way {
    /// After `t` [s] at the midpoint velocity of the last step, or at that of now if it jumped.
    fn new(site: &Site, body: usize, (t, jumped): (f64, bool)) -> Self {
        let info = &site.model.bodies[body];
        let turn = |q: &crate::math::Rotation| q.to_rotation_matrix().into_inner();
        let Some(node) = info.moving else {
            let rotation = turn(&info.start.rotation);
            let frame = Placement { rotation, origin: info.start.position };
            let zero = Vec3::zeros();
            return Self { frame, center: info.start.position, v: zero, w: zero };
        };
        let s = &site.state.bodies[node];
        let history = &site.state.history;
        let now = jumped || t == 0.0 || history.depth == 0;
        let u = if now { s.twist() } else { history.mid[node][0] };
        let center = s.x + linear(&u) * t;
        let q = so3::compose(&s.q, &so3::cayley(&(angular(&u) * t)));
        let rotation = turn(&(q * info.body_from_principal.inverse()));
        let origin = center - rotation * info.center_of_mass;
        let frame = Placement { rotation, origin };
        Self { frame, center, v: linear(&u), w: q * angular(&u) }
    }
}

impl Pressing {
    /// Elastic wrench at the predicted midpoint.
    fn aim(&mut self, spots: &[super::pressing::Spot]) {
        let weight: f64 = spots.iter().map(|s| s.area * s.depth).sum();
        let arm = self.centroid - self.center;
        let (x, y) = match (self.law.kind, spots.first()) {
            (VolumeKind::Point, Some(s)) => (s.x, s.y),
            _ => (arm.dot(&self.axes[1]), arm.dot(&self.axes[2])),
        };
        let force = self.law.modulus * weight;
        self.push = Vec6::new(force, 0.0, 0.0, 0.0, force * y, -force * x);
    }

    /// Takes over what the last step left, in the axes of now.
    fn remember(&mut self, ways: &[Way; 2]) {
        let at = |way: &Way| way.v + way.w.cross(&(self.center - way.center));
        let (v, w) = (at(&ways[1]) - at(&ways[0]), ways[1].w - ways[0].w);
        self.expected = self.to_local(&v, &w);
        self.arms = [0, 1].map(|side| self.center - ways[side].center);
        let m = &self.memory;
        let local = |u: &Vec6| self.to_local(&linear(u), &angular(u));
        let [last, before] = m.rates.map(|u| local(&u));
        let next = if m.age > 1 { last * 2.0 - before } else { last };
        let frame = &ways[0].frame;
        // the centre moved: the same turn is another slide there
        let moved = self.center - frame.point(&m.center);
        let n = self.axes[0];
        let slide = frame.rotation * m.slide + n.cross(&moved) * m.turn;
        self.strain = self.to_local(&slide, &(n * m.turn));
        self.strain[0] = 0.0;
        self.slid = [last, next];
    }

    /// Keeps its normal forces as they are at the start of the step.
    fn freeze(&mut self) {
        self.fixed = Some(self.push);
        self.braked = Some(press(&self.normal_sum, &self.expected) * -self.law.damping);
    }

    /// What it leaves to the next step, if it moved at `u` in this one of `h` [s].
    pub(super) fn leave(&self, frame: &Placement, h: f64, u: &Vec6) -> PatchMemory {
        let strain = self.next_strain(h, u);
        let (slide, _) = self.to_world(&strain);
        let (v, w) = self.to_world(u);
        let back = |v: &Vec3| frame.rotation.tr_mul(v);
        PatchMemory {
            slide: back(&slide),
            turn: strain[3],
            center: back(&(self.center - frame.origin)),
            normal: back(&self.axes[0]),
            rates: [join(&v, &w), self.memory.rates[0]],
            age: (self.memory.age + 1).min(2),
            slips: matches!(self.rubbing, Rubbing::Slips | Rubbing::Dragged(_)),
            ..self.memory
        }
    }

    /// The frame of its first body at the end of a step.
    pub(super) fn frame_of_first(&self, site: &Site) -> Placement {
        Way::new(site, self.bodies[0], (0.0, false)).frame
    }
}
