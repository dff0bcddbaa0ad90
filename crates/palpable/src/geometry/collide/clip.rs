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
    pub fn empty() -> Self {
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

/// The part of `incident` inside the prism over `reference`, in one of the buffers; corners up to
/// `slack` [m] outside count as inside, so that aligned faces keep their own corners.
pub(super) fn clip<'s>(
    incident: &Feature,
    reference: &Feature,
    slack: f64,
    buffers: &'s mut (Clipped, Clipped),
) -> &'s Clipped {
    let (mut kept, mut spare) = (&mut buffers.0, &mut buffers.1);
    kept.count = 0;
    for (p, id) in incident.points[..incident.count].iter().zip(incident.ids) {
        kept.push(*p, u32::from(id));
    }
    let n = reference.count;
    let mut tail = reference.points[n - 1];
    for (k, head) in reference.points[..n].iter().enumerate() {
        // not of unit length: heights are compared with each other, and with a slack that is rough
        let side = (head - tail).cross(&reference.normal);
        let length = side.amax();
        if length > 0.0 && cut(kept, &tail, &side, slack * length, 1 + k as u32, spare) {
            std::mem::swap(&mut kept, &mut spare);
        }
        tail = *head;
    }
    if incident.count == 2 {
        ends(kept);
    }
    kept
}

/// Writes what lies on this side of a plane (Sutherland, Hodgman); false if that is everything.
#[inline]
fn cut(from: &Clipped, p: &Vec3, side: &Vec3, slack: f64, plane: u32, kept: &mut Clipped) -> bool {
    let mut heights = [0.0; ROOM];
    let mut crossed = false;
    for (h, c) in heights.iter_mut().zip(from.list()) {
        *h = (c.point - p).dot(side);
        crossed |= *h > slack;
    }
    if !crossed {
        return false;
    }
    kept.count = 0;
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
    true
}

/// A clipped line comes back with doubled points: keeps its two ends.
fn ends(line: &mut Clipped) {
    let Some(&first) = line.list().first() else { return };
    let one = furthest(line, &first);
    let two = furthest(line, &one);
    line.count = 0;
    line.push(one.point, one.id & !(1 << 24));
    if two.point != one.point {
        line.push(two.point, two.id & !(1 << 24));
    }
}

fn furthest(line: &Clipped, from: &Corner) -> Corner {
    let far = |c: &&Corner| (c.point - from.point).norm_squared();
    *line.list().iter().max_by(|c, d| far(c).total_cmp(&far(d))).unwrap_or(from)
}
