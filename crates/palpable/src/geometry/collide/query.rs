//! Questions to a whole scene, at the poses of its last update.

use super::collision_shape::CollisionShape;
use super::frame::{Aabb, Frame, Isometry};
use super::groups::Groups;
use super::impact::{Impact, Motion, of_moving};
use super::pipeline::CollisionPipeline;
use super::proximity::{Proximity, of_pieces};
use super::ray::{Ray, RayHit, cast};
use crate::math::Vec3;
use std::cell::Cell;

/// What a question found, and on which body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found<T> {
    /// The body.
    pub body: usize,
    /// The collider, as numbered when the pipeline was built.
    pub collider: usize,
    /// What was found there.
    pub what: T,
}

impl CollisionPipeline {
    /// The first collider that a ray from `from` [m] along `direction` enters, up to `most` [m].
    pub fn ray_cast(
        &self,
        from: &Vec3,
        direction: &Vec3,
        most: f64,
        groups: Groups,
    ) -> Option<Found<RayHit>> {
        let ray = Ray::new(from, direction, most)?;
        let inverse = ray.inverse();
        let nearest = |h: &RayHit| h.distance;
        self.best(groups, most, nearest, |b, limit| b.ray(from, &inverse, limit).is_some(), {
            |piece, frame, limit| {
                cast(&self.pieces[piece].shape, frame, &Ray { most: limit, ..ray })
            }
        })
    }

    /// The collider nearest to a shape at a pose, if nearer than `within` [m]; deepest if several
    /// overlap it. Its normal points from the shape to what was found.
    pub fn nearest(
        &self,
        shape: &CollisionShape,
        pose: &Isometry,
        within: f64,
        groups: Groups,
    ) -> Option<Found<Proximity>> {
        let at = Frame::checked(pose)?;
        let mut best: Option<Found<Proximity>> = None;
        shape.each_piece(|inner, body| {
            let frame = at.times(inner);
            let bounds = body.aabb(&frame);
            let enter = |b: &Aabb, limit: f64| {
                bounds.is_none_or(|own| own.grown(limit.max(0.0)).overlaps(b))
            };
            let limit = best.map_or(within, |b| b.what.gap);
            let found = self.best(
                groups,
                limit,
                |p: &Proximity| p.gap,
                enter,
                |piece, other, limit| {
                    of_pieces((body, &frame), (&self.pieces[piece].shape, other), limit)
                },
            );
            best = found.or(best);
        });
        best
    }

    /// The first collider that a moving shape touches within `duration` [s], all others standing
    /// where the last update left them.
    pub fn first_impact(
        &self,
        shape: &CollisionShape,
        motion: &Motion,
        duration: f64,
        groups: Groups,
    ) -> Option<Found<Impact>> {
        let mut best: Option<Found<Impact>> = None;
        let (start, end) = (Frame::checked(&motion.pose)?, Frame::checked(&motion.at(duration))?);
        shape.each_piece(|inner, body| {
            let own = body.aabb(&Frame::identity());
            // a ball around the piece, swept along
            let swept = own.map(|b| {
                let r = inner.x.norm() + b.low.abs().sup(&b.high.abs()).norm();
                Aabb::around([start.x, end.x]).grown(r)
            });
            let enter = |b: &Aabb, _: f64| swept.is_none_or(|s| s.overlaps(b));
            let limit = best.map_or(duration, |b| b.what.time);
            let found = self.best(
                groups,
                limit,
                |i: &Impact| i.time,
                enter,
                |piece, frame, limit| {
                    let stays = Motion::still(Isometry::identity());
                    of_moving(
                        (body, inner, motion),
                        (&self.pieces[piece].shape, frame, &stays),
                        limit,
                    )
                },
            );
            best = found.or(best);
        });
        best
    }

    /// The least answer of the pieces of some groups; `enter` says whether a box can hold one
    /// below the limit.
    fn best<T: Copy>(
        &self,
        groups: Groups,
        limit: f64,
        measure: impl Fn(&T) -> f64,
        enter: impl Fn(&Aabb, f64) -> bool,
        ask: impl Fn(usize, &Frame, f64) -> Option<T>,
    ) -> Option<Found<T>> {
        let best: Cell<Option<(u32, T)>> = Cell::new(None);
        let least = || best.get().map_or(limit, |(_, what)| measure(&what));
        let visit = |i: u32| {
            let piece = &self.pieces[i as usize];
            let Some(frame) = self.frames[i as usize].filter(|_| piece.groups.meet(&groups)) else {
                return;
            };
            // of equals the lower number, whatever order the tree has
            let better = |what: &T| {
                let (m, least) = (measure(what), least());
                m < least || m == least && best.get().is_none_or(|(j, _)| i < j)
            };
            if let Some(what) = ask(i as usize, &frame, least()).filter(better) {
                best.set(Some((i, what)));
            }
        };
        self.broad.tree().walk(|b| enter(b, least()), visit);
        self.broad.endless().iter().for_each(|&i| visit(i));
        best.get().map(|(i, what)| {
            let piece = &self.pieces[i as usize];
            Found { body: piece.body as usize, collider: piece.collider as usize, what }
        })
    }
}
