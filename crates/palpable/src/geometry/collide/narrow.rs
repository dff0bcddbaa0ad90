//! Contacts of two convex solids: which method for which pair.

use super::convex::{Core, Pair};
use super::epa::{self, perpendicular};
use super::frame::Frame;
use super::manifold::{Axis, Patch, Scratch, patch};
use super::sat_box::{PREFERENCE, cuboids};
use super::{gjk, point, sat_poly};
use crate::math::Vec3;

/// Contacts nearer than `reach` [m]. `guess` is the normal of the last time (zero for none), in
/// the frame of a; it comes back as a good guess for the next.
pub(super) fn contacts(pair: &Pair, reach: f64, guess: &mut Vec3, scratch: &mut Scratch) -> Patch {
    let most = reach + pair.a.radius + pair.b.radius;
    if *guess != Vec3::zeros() && pair.separation(guess) > most {
        return Patch::default();
    }
    if let (Core::Cuboid(ha, _), Core::Cuboid(hb, _)) = (&pair.a.core, &pair.b.core)
        && let Some(done) = boxes(pair, (ha, hb), reach, guess, scratch)
    {
        return done;
    }
    if let Some(done) = again(pair, reach, guess, scratch) {
        return done;
    }
    let axis = nearest(pair, guess);
    *guess = axis.normal;
    if axis.gap > most || !axis.gap.is_finite() {
        return Patch::default();
    }
    patch(pair, &axis, reach, scratch)
}

/// Overlaps up to this share of the size may keep the face of the last time.
const SHALLOW: f64 = 1e-5;

/// Contacts on the face of the last time, if the deepest point still lies over it.
///
/// Apart, that proves the distance: no direction shows more than the distance, and these points
/// have no more. A little inside it is the nearest way out for small motions.
fn again(pair: &Pair, reach: f64, guess: &Vec3, scratch: &mut Scratch) -> Option<Patch> {
    if *guess == Vec3::zeros() {
        return None;
    }
    let own = pair.a.face_normal(guess).filter(|m| m.dot(guess) > 1.0 - 1e-9);
    let other = || {
        let m = pair.b.face_normal(&pair.frame.inverse_vector(&-guess))?;
        Some(-pair.frame.vector(&m)).filter(|m| m.dot(guess) > 0.999_9)
    };
    let normal = own.or_else(other)?;
    let gap = pair.separation(&normal);
    let size = pair.size();
    if gap < -SHALLOW * size {
        return None;
    }
    let made = patch(pair, &Axis { normal, gap, witness: None }, reach, scratch);
    let radii = pair.a.radius + pair.b.radius;
    (made.count > 0 && made.gap() + radii <= gap + PREFERENCE * size).then_some(made)
}

/// Two boxes by their fifteen axes; `None` if those give only a bound of the distance.
fn boxes(
    pair: &Pair,
    (ha, hb): (&Vec3, &Vec3),
    reach: f64,
    guess: &mut Vec3,
    scratch: &mut Scratch,
) -> Option<Patch> {
    let Some(found) = cuboids(ha, hb, &pair.frame, reach) else {
        return Some(Patch::default());
    };
    *guess = found.axis.normal;
    let apart = found.axis.gap > 0.0;
    if !found.face {
        return (found.crossing || !apart).then(|| patch(pair, &found.axis, reach, scratch));
    }
    let made = patch(pair, &found.axis, reach, scratch);
    // apart, the gap is the distance only if a contact point has it
    let exact = !apart || made.gap() <= found.axis.gap + PREFERENCE * pair.size();
    (exact && made.count > 0).then_some(made)
}

/// The axis of the distance of two cores, or of their least penetration.
pub(super) fn nearest(pair: &Pair, guess: &Vec3) -> Axis {
    if let Core::Point = pair.b.core {
        if let Some(axis) = point::from_core(&pair.a, &pair.frame.x) {
            return axis;
        }
    } else if let Core::Point = pair.a.core {
        let seen = pair.frame.inverse();
        if let Some(axis) = point::from_core(&pair.b, &seen.x) {
            return turned(&pair.frame, &axis);
        }
    }
    let start = if *guess == Vec3::zeros() { pair.frame.x } else { *guess };
    let near = gjk::closest(pair, &start);
    let axis = if near.distance > 0.0 {
        Axis { normal: near.normal, gap: near.distance, witness: Some((near.a, near.b)) }
    } else {
        deepest(pair, &start)
    };
    snapped(pair, axis)
}

/// An axis found in the frame of b, from a to b in the frame of a.
fn turned(frame: &Frame, axis: &Axis) -> Axis {
    let witness = axis.witness.map(|(b, a)| (frame.point(&a), frame.point(&b)));
    Axis { normal: -frame.vector(&axis.normal), gap: axis.gap, witness }
}

/// Overlapping cores.
fn deepest(pair: &Pair, start: &Vec3) -> Axis {
    if let Some(axis) = sat_poly::least_penetration(pair) {
        return axis;
    }
    if let (Core::Segment(_), Core::Segment(_)) = (&pair.a.core, &pair.b.core) {
        return crossed_lines(pair);
    }
    epa::least_penetration(pair, start)
}

/// Two lines that cross: at right angles to both.
fn crossed_lines(pair: &Pair) -> Axis {
    let e = pair.frame.vector(&Vec3::z());
    let n = Vec3::z().cross(&e);
    let normal = if n.norm() > 1e-9 { n.normalize() } else { perpendicular(&Vec3::z()) };
    let (up, down) = (pair.separation(&normal), pair.separation(&-normal));
    let (normal, gap) = if down > up { (-normal, down) } else { (normal, up) };
    Axis { normal, gap, witness: None }
}

/// Takes the normal of a face where it says the same up to rounding.
///
/// Iterations end near a face normal, faces make manifolds: rounding must not decide.
fn snapped(pair: &Pair, axis: Axis) -> Axis {
    let bias = PREFERENCE * pair.size();
    let n = axis.normal;
    let own = pair.a.face_normal(&n);
    let other = pair.b.face_normal(&pair.frame.inverse_vector(&-n));
    let other = other.map(|m| -pair.frame.vector(&m));
    for normal in [own, other].into_iter().flatten() {
        // a distance above 0 needs the true direction: the face must show the same gap
        let gap = pair.separation(&normal);
        if normal.dot(&n) > 0.999 && gap >= axis.gap - bias {
            return Axis { normal, gap, witness: axis.witness };
        }
    }
    axis
}
