//! The face along which two solids overlap least: where one is inside the other, the overlap itself
//! does not say which way is out.

use super::mould::Mould;
use super::overlap::Placement;
use crate::math::Vec3;

impl Mould {
    /// Unit normal from `self` to `other`, which stands at `at`: of the face of either that the
    /// other is furthest before, or least behind. `None` if neither has faces and corners.
    pub fn way_out(&self, other: &Mould, at: &Placement) -> Option<Vec3> {
        let mut best = (f64::NEG_INFINITY, None);
        for face in &self.faces {
            let height = |v: &Vec3| face.normal.dot(&at.point(v)) - face.offset;
            consider(&mut best, other.vertices.iter().map(height), face.normal);
        }
        for face in &other.faces {
            let back = |v: &Vec3| at.rotation.tr_mul(&(v - at.origin));
            let height = |v: &Vec3| face.normal.dot(&back(v)) - face.offset;
            consider(&mut best, self.vertices.iter().map(height), -(at.rotation * face.normal));
        }
        best.1
    }
}

/// Takes a normal if the lowest of `heights` above its face is the highest so far.
fn consider(best: &mut (f64, Option<Vec3>), heights: impl Iterator<Item = f64>, normal: Vec3) {
    let lowest = heights.fold(f64::INFINITY, f64::min);
    if lowest.is_finite() && lowest > best.0 {
        *best = (lowest, Some(normal));
    }
}
