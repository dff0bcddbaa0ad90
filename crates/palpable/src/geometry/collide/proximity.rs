//! How near two shapes are.

use super::collision_shape::{CollisionShape, Form};
use super::convex::{Pair, Solid};
use super::frame::{Frame, Isometry};
use super::manifold::{Patch, Scratch};
use super::narrow;
use super::piece::{self, Body};
use crate::math::Vec3;

/// The nearest, or deepest, place of two shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proximity {
    /// Signed distance [m]: negative is how far they must be moved apart along the normal.
    pub gap: f64,
    /// Unit vector in the world, from a to b.
    pub normal: Vec3,
    /// On the surface of a, in the world [m].
    pub point_a: Vec3,
    /// On the surface of b, in the world [m].
    pub point_b: Vec3,
}

impl Proximity {
    /// The same with a and b exchanged.
    pub fn flipped(&self) -> Self {
        let (point_a, point_b) = (self.point_b, self.point_a);
        Self { gap: self.gap, normal: -self.normal, point_a, point_b }
    }
}

impl CollisionShape {
    /// The nearest place of this shape at `pose` and another, if nearer than `within` [m].
    ///
    /// `None` also for poses that are not finite, and for two meshes, height fields or
    /// half-spaces, which have no common inside to speak of. No allocation for convex shapes.
    pub fn proximity(
        &self,
        pose: &Isometry,
        other: &CollisionShape,
        other_pose: &Isometry,
        within: f64,
    ) -> Option<Proximity> {
        let (fa, fb) = (Frame::checked(pose)?, Frame::checked(other_pose)?);
        let mut best = None;
        self.each_piece(|ga, a| {
            let fa = fa.times(ga);
            other.each_piece(|gb, b| {
                keep(&mut best, of_pieces((a, &fa), (b, &fb.times(gb)), within))
            });
        });
        best
    }

    /// Calls `found` with every piece and its frame.
    pub(super) fn each_piece(&self, mut found: impl FnMut(&Frame, &Body)) {
        let here = Frame::identity();
        match &self.form {
            // clones share their data: nothing is copied but a few numbers
            Form::Solid(solid) => found(&here, &Body::Solid(solid.clone())),
            Form::HalfSpace => found(&here, &Body::HalfSpace),
            Form::Compound(list) => {
                list.iter().for_each(|(frame, solid)| found(frame, &Body::Solid(solid.clone())));
            }
            Form::Mesh(mesh) => found(&here, &Body::Mesh(mesh.clone())),
            Form::Field(field) => found(&here, &Body::Field(field.clone())),
        }
    }
}

/// Takes the nearer of two.
fn keep(best: &mut Option<Proximity>, found: Option<Proximity>) {
    if let Some(f) = found.filter(|f| best.is_none_or(|b| f.gap < b.gap)) {
        *best = Some(f);
    }
}

/// The nearest place of two pieces at frames in the world.
pub(super) fn of_pieces(
    (a, fa): (&Body, &Frame),
    (b, fb): (&Body, &Frame),
    within: f64,
) -> Option<Proximity> {
    let mut best = None;
    match (a, b) {
        (Body::Solid(one), Body::Solid(two)) => {
            best = of_solids((one, fa), (two, fb)).filter(|p| p.gap <= within);
        }
        (surface, Body::Solid(solid)) => {
            let mut scratch = Scratch::new();
            piece::each_patch(surface, solid, &fa.view(fb), within, &mut scratch, |patch| {
                keep(&mut best, deepest(patch, fa));
            });
        }
        (Body::Solid(_), _) => best = of_pieces((b, fb), (a, fa), within).map(|p| p.flipped()),
        _ => {}
    }
    best
}

fn deepest(patch: &Patch, fa: &Frame) -> Option<Proximity> {
    let p = patch.list().iter().min_by(|p, q| p.gap.total_cmp(&q.gap))?;
    let (point_a, point_b) = (fa.point(&p.a), fa.point(&p.b));
    Some(Proximity { gap: p.gap, normal: fa.vector(&patch.normal), point_a, point_b })
}

fn of_solids((one, fa): (&Solid, &Frame), (two, fb): (&Solid, &Frame)) -> Option<Proximity> {
    let pair = Pair { a: one.view(), b: two.view(), frame: fa.view(fb) };
    let axis = narrow::nearest(&pair, &Vec3::zeros());
    let gap = axis.gap - pair.a.radius - pair.b.radius;
    if !gap.is_finite() {
        return None;
    }
    let n = axis.normal;
    let (a, b) = axis.witness.unwrap_or_else(|| {
        let b = pair.support_b(&-n);
        (b - n * axis.gap, b)
    });
    Some(Proximity {
        gap,
        normal: fa.vector(&n),
        point_a: fa.point(&(a + n * pair.a.radius)),
        point_b: fa.point(&(b - n * pair.b.radius)),
    })
}
