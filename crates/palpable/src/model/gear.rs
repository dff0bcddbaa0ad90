//! Gears: one joint's motion tied to another's.

use super::element::End;
use super::element_rows::{Row, angle_near, angle_rates, jacobian, strain};
use super::{State, end_at};
use crate::math::{Mat6, Rotation, Vec3, Vec6};

/// Ties two measures: `first + ratio · second` stays what it was at the start.
///
/// Each is the angle about, or the offset along, the z axis of its joint. The carried strain keeps
/// the two measures beside the row itself, so that whole turns are counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Gear {
    /// Weight of the second measure.
    pub ratio: f64,
    /// What each pair measures: [`Row::Angle`] or `Row::Offset(2)`.
    pub measures: [Row; 2],
    /// Moving bodies of the second pair; the element's own ends are the first.
    pub ends: [Option<usize>; 2],
    /// Frames of the second pair, as in [`super::ElementParams`].
    pub points: [Vec3; 2],
    /// Their orientations.
    pub frames: [Rotation; 2],
}

impl Gear {
    /// The ends of the second pair.
    pub fn second(&self, state: &State, twists: Option<&[Vec6]>) -> [End; 2] {
        [0, 1].map(|i| end_at(self.ends[i], (self.points[i], self.frames[i]), state, twists))
    }

    /// `[first + ratio · second, first, second, 0, 0, 0]`.
    pub(super) fn strain(&self, first: &[End; 2], second: &[End; 2], near: &Vec6) -> Vec6 {
        let of = |ends: &[End; 2], which: usize| match self.measures[which] {
            Row::Angle => angle_near(&ends[0], &ends[1], near[1 + which]),
            row => strain(&[row], &ends[0], &ends[1], &Vec6::zeros())[0],
        };
        let (a, b) = (of(first, 0), of(second, 1));
        Vec6::new(a + self.ratio * b, a, b, 0.0, 0.0, 0.0)
    }

    /// Jacobians of the row towards the two ends of pair `which`.
    pub fn jacobian(&self, ends: [&End; 2], h: f64, which: usize) -> [Mat6; 2] {
        let mut out = match self.measures[which] {
            Row::Angle => {
                let rates = angle_rates(ends[0], ends[1], h);
                rates.map(|rate| {
                    let mut j = Mat6::zeros();
                    j.fixed_view_mut::<1, 3>(0, 3).copy_from(&rate);
                    j
                })
            }
            row => jacobian(&[row], ends[0], ends[1], &Vec6::zeros(), h),
        };
        if which == 1 {
            out.iter_mut().for_each(|j| *j *= self.ratio);
        }
        out
    }
}
