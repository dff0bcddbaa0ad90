//! Who presses on whom: overlaps in the middle of the step that the last one predicts.

use super::pressing::{
    Between, Coulomb, Friction, Parts, Pressing, Region, Rubbing, Spatial, Springs, Sums,
    write_spots,
};
use super::slope::{Rows, press};
use super::stage::VolumeStage;
use crate::contact::{Site, Stage};
use crate::geometry::{Overlap, Placement};
use crate::math::{Mat3, Vec3, Vec6, angular, join, linear, so3};
use crate::model::{Material, PatchMemory, VolumeKind, VolumeLaw};
use crate::stamp::Rule;

/// Two pieces that share a volume in the middle of the step that the last one predicts.
pub(super) struct Meeting {
    bodies: [usize; 2],
    nodes: [Option<usize>; 2],
    material: Material,
    law: VolumeLaw,
    ways: [Way; 2],
    frame: Placement,
    overlap: Overlap,
    known: Option<PatchMemory>,
}

impl VolumeStage {
    /// Finds the contacts of a part of a step, and marks their bodies as touching.
    pub fn find(&mut self, site: &mut Site, stage: &mut Stage, rule: &Rule) {
        self.pressings.clear();
        self.spots.clear();
        self.wrenches.fill(Vec6::zeros());
        self.near.clear();
        self.ways.fill(None);
        self.keep_resting(site, stage, rule);
        for k in 0..stage.search.pipeline.apart().len() {
            let pieces = stage.search.pipeline.apart()[k];
            // who falls asleep in this step was still looked at when it began
            if !self.is_resting(pieces) {
                self.look_at(site, pieces, stage, rule);
            }
        }
        // those that woke in this step were not looked at when it began
        for k in 0..site.state.volume.patches.len() {
            let pieces = site.state.volume.patches[k].pieces;
            if stage.search.pipeline.was_frozen(pieces.0, pieces.1) && !self.is_resting(pieces) {
                self.look_at(site, pieces, stage, rule);
            }
        }
    }

    fn look_at(&mut self, site: &Site, pieces: (u32, u32), stage: &mut Stage, rule: &Rule) {
        let nodes = self.nodes_of(site, pieces);
        // whoever may press in some part of the step is weighed after it
        for node in nodes.into_iter().flatten() {
            stage.bodies.touching[node] = !stage.sleep.is_asleep(node);
        }
        self.near.push((pieces, nodes));
        if self.pressings.len() < self.pressings.capacity() {
            self.press_on(site, pieces, stage, rule);
        }
    }

    /// Moving bodies that two pieces belong to.
    pub(super) fn nodes_of(&self, site: &Site, pieces: (u32, u32)) -> [Option<usize>; 2] {
        [pieces.0, pieces.1].map(|piece| {
            let body = self.moulds[piece as usize].as_ref()?.body;
            site.model.bodies.get(body)?.moving
        })
    }

    /// What two pieces share; `struck` bodies do not go on as they did.
    pub(super) fn meet(
        &mut self,
        site: &Site,
        pieces: (u32, u32),
        struck: &[bool],
        rule: &Rule,
    ) -> Option<Meeting> {
        let [Some(one), Some(two)] = [pieces.0, pieces.1].map(|p| &self.moulds[p as usize]) else {
            return None;
        };
        let bodies = [one.body, two.body];
        let material = site.params.surfaces.material(bodies[0], bodies[1]);
        let law = material.volume?;
        let early = law.kind == VolumeKind::Printed;
        let ways = bodies.map(|b| {
            let jumped = site.model.bodies[b].moving.is_some_and(|n| struck.get(n) == Some(&true));
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
        let overlap = self.cutter.overlap(&one.mould, &two.mould, &at, way_out)?;
        let nodes = bodies.map(|b| site.model.bodies[b].moving);
        Some(Meeting { bodies, nodes, material, law, ways, frame: frames[0], overlap, known })
    }

    pub(super) fn press_on(&mut self, site: &Site, pieces: (u32, u32), stage: &Stage, rule: &Rule) {
        let Some(met) = self.meet(site, pieces, &stage.effect.struck, rule) else { return };
        let Meeting { bodies, nodes, material, law, ways, frame, overlap, known } = met;
        let early = law.kind == VolumeKind::Printed;
        // who sleeps stands still in this step, and wakes in the next
        let nodes = nodes.map(|n| n.filter(|&n| !stage.sleep.is_asleep(n)));
        let n = frame.rotation * overlap.normal;
        let [s, t] = self.cutter.axes.map(|v| frame.rotation * v);
        let (first, corner) = (self.spots.len(), self.corners.len());
        let depths = self.depths.len();
        write_spots(&law, &self.cutter, &overlap, &mut self.spots);
        self.corners.extend(self.cutter.polygon.iter().map(|p| frame.point(p)));
        self.depths.extend_from_slice(&self.cutter.depths);
        let spots = &self.spots[first..];
        let (sliding, rest) = (material.friction, material.static_friction.max(material.friction));
        let mut found = Pressing {
            pair: Between { pieces, bodies, nodes, law, mu: Coulomb { sliding, rest } },
            region: Region {
                axes: [n, s, t],
                overlap,
                center: frame.point(&overlap.center),
                centroid: frame.point(&overlap.centroid),
                arms: [Vec3::zeros(); 2],
                spots: (first, self.spots.len()),
                corners: (corner, self.corners.len()),
                depths,
            },
            memory: known.unwrap_or(PatchMemory { pieces, ..Default::default() }),
            sums: Sums::new(spots),
            springs: Springs { off: stage.spreads(bodies), ..Default::default() },
            friction: Friction {
                slid: [Vec6::zeros(); 2],
                strain: Vec6::zeros(),
                rubbing: Rubbing::Smooth,
                drag: Mat3::zeros(),
            },
            rows: [Rows::zeros(); 2],
            parts: Parts::default(),
        };
        found.aim(spots);
        found.remember(&ways);
        if early {
            found.freeze();
        } else if found.awaits_impulse() {
            // the impulse did it: no spring in the step in which a contact begins
            found.springs.fixed = Some(Vec6::zeros());
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
        let arm = self.region.centroid - self.region.center;
        let (x, y) = match (self.pair.law.kind, spots.first()) {
            (VolumeKind::Point, Some(s)) => (s.x, s.y),
            _ => (arm.dot(&self.region.axes[1]), arm.dot(&self.region.axes[2])),
        };
        let force = self.pair.law.modulus * self.sums.volume;
        self.springs.push = Vec6::new(force, 0.0, 0.0, 0.0, force * y, -force * x);
    }

    /// Takes over what the last step left, in the axes of now.
    fn remember(&mut self, ways: &[Way; 2]) {
        let at = |way: &Way| way.v + way.w.cross(&(self.region.center - way.center));
        let (v, w) = (at(&ways[1]) - at(&ways[0]), ways[1].w - ways[0].w);
        self.springs.expected = self.to_local(&v, &w);
        self.region.arms = [0, 1].map(|side| self.region.center - ways[side].center);
        let m = &self.memory;
        let local = |u: &Vec6| self.to_local(&linear(u), &angular(u));
        let [last, before] = m.rates.map(|u| local(&u));
        let next = if m.age > 1 { last * 2.0 - before } else { last };
        let frame = &ways[0].frame;
        // the centre moved: the same turn is another slide there
        let moved = self.region.center - frame.point(&m.center);
        let n = self.region.axes[0];
        let slide = frame.rotation * m.slide + n.cross(&moved) * m.turn;
        self.friction.strain = self.to_local(&slide, &(n * m.turn));
        self.friction.strain[0] = 0.0;
        self.friction.slid = [last, next];
    }

    /// Keeps its normal forces as they are at the start of the step.
    fn freeze(&mut self) {
        self.springs.fixed = Some(self.springs.push);
        self.springs.braked =
            Some(press(&self.sums.normal, &self.springs.expected) * -self.pair.law.damping);
    }

    /// What it leaves to the next step, if it moved at `u` in this one of `h` [s].
    pub(super) fn leave(&self, frame: &Placement, h: f64, u: &Vec6) -> PatchMemory {
        let strain = self.next_strain(h, u);
        let slide = self.to_world(&strain).linear;
        let Spatial { linear: v, angular: w } = self.to_world(u);
        let back = |v: &Vec3| frame.rotation.tr_mul(v);
        PatchMemory {
            slide: back(&slide),
            turn: strain[3],
            center: back(&(self.region.center - frame.origin)),
            normal: back(&self.region.axes[0]),
            rates: [join(&v, &w), self.memory.rates[0]],
            age: (self.memory.age + 1).min(2),
            slips: matches!(self.friction.rubbing, Rubbing::Slips | Rubbing::Dragged(_)),
            depth: self.region.overlap.depth,
            ..self.memory
        }
    }

    /// The frame of its first body at the end of a step.
    pub(super) fn frame_of_first(&self, site: &Site) -> Placement {
        Way::new(site, self.pair.bodies[0], (0.0, false)).frame
    }
}
