//! A half-space against a convex solid.

use super::convex::Pair;
use super::feature::feature;
use super::manifold::{Patch, Point, Scratch};
use super::reduce::reduce;
use crate::math::Vec3;

/// Number of the contact at the lowest point where no corner is as low.
const LOWEST: u32 = 1 << 30;

/// Contacts of the half-space `z ≤ 0` (solid a) with solid b standing in its frame; `pair.a` is
/// not used.
pub(super) fn contacts(pair: &Pair, reach: f64, scratch: &mut Scratch) -> Patch {
    let (n, down) = (Vec3::z(), -Vec3::z());
    let radius = pair.b.radius;
    let lowest = pair.support_b(&down);
    if !(lowest.z - radius <= reach) {
        return Patch::default();
    }
    let Scratch { fb: shape, candidates, .. } = scratch;
    feature(&pair.b, &pair.frame.inverse_vector(&down), shape);
    shape.move_out(&pair.frame);
    let corners = &shape.points[..shape.count];
    let least = corners.iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
    let extra = (least > lowest.z + 1e-9 * pair.b.size()).then_some((&lowest, LOWEST));
    let numbered = corners.iter().zip(shape.ids).map(|(p, id)| (p, u32::from(id)));
    candidates.start(n, reach);
    for (p, id) in numbered.chain(extra) {
        let b = p - n * radius;
        candidates.push(Point { a: Vec3::new(b.x, b.y, 0.0), b, gap: b.z, id });
    }
    reduce(&n, candidates.list(), &candidates.glide)
}
