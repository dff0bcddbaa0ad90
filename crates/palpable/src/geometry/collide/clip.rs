//! Clipping a polygon or line against the sides of a reference face.

use super::feature::Feature;
use super::polyhedron::MOST_CORNERS;
use crate::math::Vec3;

/// A corner of the clipped feature, with a number that stays the same while the features do.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Corner {
    pub point: Vec3,
    pub id: u32,
}

/// Room for a polygon of most corners clipped by another.
pub(super) const ROOM: usize = 2 * MOST_CORNERS;

/// The clipped feature.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clipped {
    pub corners: [Corner; ROOM],
    pub count: usize,
}

impl Clipped {
    fn empty() -> Self {
        Self { corners: [Corner::default(); ROOM], count: 0 }
    }

    #[inline]
    fn push(&mut self, point: Vec3, id: u32) {
        if self.count < ROOM {
            self.corners[self.count] = Corner { point, id };
            self.count += 1;
        }
    }

    pub fn list(&self) -> &[Corner] {
        &self.corners[..self.count]
    }
}

/// The part of `incident` inside the prism over `reference`; corners up to `slack` [m] outside
/// count as inside, so that aligned faces keep their own corners.
pub(super) fn clip(incident: &Feature, reference: &Feature, slack: f64) -> Clipped {
    let mut kept = Clipped::empty();
    for i in 0..incident.count {
        kept.push(incident.points[i], u32::from(incident.ids[i]));
    }
    let n = reference.count;
    for k in 0..n {
        let (p, q) = (reference.points[k], reference.points[(k + 1) % n]);
        let side = (q - p).cross(&reference.normal);
        let length = side.norm();
        if length > 0.0 {
            kept = cut(&kept, &p, &(side / length), slack, 1 + k as u32);
        }
    }
    if incident.count == 2 { ends(&kept) } else { kept }
}

/// Drops what lies beyond one plane (Sutherland, Hodgman).
#[inline]
fn cut(from: &Clipped, p: &Vec3, side: &Vec3, slack: f64, plane: u32) -> Clipped {
    let mut heights = [0.0; ROOM];
    let mut crossed = false;
    for (h, c) in heights.iter_mut().zip(from.list()) {
        *h = (c.point - p).dot(side);
        crossed |= *h > slack;
    }
    if !crossed {
        return *from;
    }
    let mut kept = Clipped::empty();
    for i in 0..from.count {
        let j = if i + 1 == from.count { 0 } else { i + 1 };
        let (c, d) = (&from.corners[i], &from.corners[j]);
        let (hc, hd) = (heights[i], heights[j]);
        if hc <= slack {
            kept.push(c.point, c.id);
        }
        if (hc <= slack) != (hd <= slack) {
            let t = (hc / (hc - hd)).clamp(0.0, 1.0);
            // the corner kept, and the plane that made the new one
            let inner = if hc <= slack { c.id } else { d.id };
            let leaving = u32::from(hc <= slack);
            let id = inner & 0xffff | plane << 16 | leaving << 24;
            kept.push(c.point + (d.point - c.point) * t, id);
        }
    }
    kept
}

/// A clipped line comes back with doubled points: keeps its two ends.
fn ends(from: &Clipped) -> Clipped {
    let mut kept = Clipped::empty();
    let Some(first) = from.list().first() else { return kept };
    let far = |c: &&Corner| (c.point - first.point).norm_squared();
    let one = from.list().iter().max_by(|c, d| far(c).total_cmp(&far(d))).unwrap_or(first);
    let far = |c: &&Corner| (c.point - one.point).norm_squared();
    let two = from.list().iter().max_by(|c, d| far(c).total_cmp(&far(d))).unwrap_or(first);
    kept.push(one.point, one.id & !(1 << 24));
    if two.point != one.point {
        kept.push(two.point, two.id & !(1 << 24));
    }
    kept
}
