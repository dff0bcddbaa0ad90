//! One contact over a volume in one step: its region, its springs and dampers, its forces.
//!
//! Twists and wrenches are those of the second body against the first, at the centre of the region,
//! along its normal and two tangents: `[v_n, v_1, v_2, ω_n, ω_1, ω_2]`. With `x`, `y` from the
//! centre along the tangents, the velocity at a point of the region is
//!
//! ```text
//! a·u = v_n + y ω_1 − x ω_2      along the normal,     a  = [1, 0, 0,  0, y, −x]
//! b₁·u = v_1 − y ω_n             across,               b₁ = [0, 1, 0, −y, 0, 0]
//! b₂·u = v_2 + x ω_n                                   b₂ = [0, 0, 1,  x, 0, 0]
//! ```

use super::slope::{Rows, Slope, press, rub};
use crate::geometry::{Cutter, Overlap, Sample};
use crate::math::{Mat3, Vec3, Vec6};
use crate::model::{PatchMemory, VolumeKind, VolumeLaw};

/// A point of the region in its own axes, from its centre.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spot {
    pub x: f64,
    pub y: f64,
    pub area: f64,
    pub depth: f64,
}

/// How a contact rubs in this step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rubbing {
    /// Not at all.
    Smooth,
    /// Held by the distributed spring.
    Sticks,
    /// Slides: a damper that has the bound of Coulomb at the predicted velocity.
    Slips,
    /// Slides with this wrench.
    Dragged(Vec6),
}

/// Forces of a contact by where their work goes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    /// To and from the store.
    pub elastic: Vec6,
    /// Lost in dampers.
    pub damped: Vec6,
    /// Lost by friction.
    pub rubbed: Vec6,
}

impl Parts {
    pub fn sum(&self) -> Vec6 {
        self.elastic + self.damped + self.rubbed
    }
}

/// A contact of the present step.
#[derive(Debug, Clone)]
pub(super) struct Pressing {
    pub pieces: (u32, u32),
    pub bodies: [usize; 2],
    pub nodes: [Option<usize>; 2],
    pub law: VolumeLaw,
    /// coefficients of friction: sliding, at rest
    pub mu: (f64, f64),
    /// normal and tangents, world axes
    pub axes: [Vec3; 3],
    pub overlap: Overlap,
    /// centre of the region and centroid of the overlap, world axes [m]
    pub center: Vec3,
    pub centroid: Vec3,
    /// from the centres of its bodies to the centre of the region, world axes [m]
    pub arms: [Vec3; 2],
    /// its points in the list of the stage
    pub spots: (usize, usize),
    /// its corners in the list of the stage
    pub corners: (usize, usize),
    /// where the depths at these corners begin in the list of the stage
    pub depths: usize,
    pub memory: PatchMemory,
    /// sums over the region of `a aᵀ` and `b bᵀ`, weighted as the law says
    pub normal_sum: Mat3,
    pub shear_sum: Mat3,
    /// elastic wrench at the predicted midpoint
    pub push: Vec6,
    /// predicted twist that leads there
    pub expected: Vec6,
    /// twist of the last step, and extrapolated to this one
    pub slid: [Vec6; 2],
    /// displacement of the friction spring at the start
    pub strain: Vec6,
    pub rubbing: Rubbing,
    /// elastic forces that stay as they are, whatever the motion
    pub fixed: Option<Vec6>,
    /// the friction spring is among them
    pub held_fast: bool,
    /// the same for its normal dampers
    pub braked: Option<Vec6>,
    /// its springs begin with what its store has
    pub bounded: bool,
    /// pulls, or waits for impulses: no force in this step
    pub off: bool,
    /// rows towards the twists of its bodies
    pub rows: [Rows; 2],
    /// friction damper of a slide
    pub drag: Mat3,
    pub parts: Parts,
}

impl Pressing {
    /// Linear part of its force: `λ = start − slope · u`.
    pub fn linear(&self, h: f64) -> (Vec6, Slope) {
        if self.off {
            return (Vec6::zeros(), Slope::zeros());
        }
        let (mut start, mut slope) = self.elastic(h);
        match &self.braked {
            Some(wrench) => start += wrench,
            None => slope.normal += self.normal_sum * self.law.damping,
        }
        match &self.rubbing {
            Rubbing::Smooth => {}
            Rubbing::Sticks => slope.shear += self.shear_sum * self.law.shear_damping,
            Rubbing::Slips => slope.shear += self.drag,
            Rubbing::Dragged(wrench) => start += wrench,
        }
        (start, slope)
    }

    /// The same of its springs alone.
    fn elastic(&self, h: f64) -> (Vec6, Slope) {
        let k = self.law.modulus * 0.5 * h;
        let (mut start, mut slope) = match self.fixed {
            Some(fixed) => (fixed, Slope::zeros()),
            None => {
                // linear about the predicted midpoint
                let normal = self.normal_sum * k;
                let start = self.push + press(&normal, &self.expected);
                (start, Slope { normal, shear: Mat3::zeros() })
            }
        };
        if self.rubbing == Rubbing::Sticks && !self.held_fast {
            slope.shear += self.shear_sum * (self.law.shear * 0.5 * h);
            start -= rub(&self.shear_sum, &self.strain) * self.law.shear;
        }
        (start, slope)
    }

    /// Writes the parts of its force at a twist.
    pub fn split(&mut self, h: f64, u: &Vec6) {
        if self.off {
            self.parts = Parts::default();
            return;
        }
        let (start, slope) = self.elastic(h);
        self.parts.elastic = start - slope.times(u);
        self.parts.damped =
            self.braked.unwrap_or_else(|| press(&self.normal_sum, u) * -self.law.damping);
        self.parts.rubbed = match &self.rubbing {
            Rubbing::Smooth => Vec6::zeros(),
            Rubbing::Sticks => rub(&self.shear_sum, u) * -self.law.shear_damping,
            Rubbing::Slips => -rub(&self.drag, u),
            Rubbing::Dragged(wrench) => *wrench,
        };
    }

    /// An impulse acts in this step, and no spring.
    pub fn awaits_impulse(&self) -> bool {
        self.law.impulse && self.memory.age == 0
    }

    /// Normal force [N].
    pub fn pressure(&self) -> f64 {
        self.parts.elastic[0] + self.parts.damped[0]
    }

    /// A wrench of its own axes in those of the world: force, torque about the centre.
    pub fn to_world(&self, wrench: &Vec6) -> (Vec3, Vec3) {
        let [n, s, t] = self.axes;
        let turn = |k: usize| n * wrench[k] + s * wrench[k + 1] + t * wrench[k + 2];
        (turn(0), turn(3))
    }

    /// A twist or wrench of world axes in its own.
    pub fn to_local(&self, v: &Vec3, w: &Vec3) -> Vec6 {
        let [n, s, t] = &self.axes;
        Vec6::new(n.dot(v), s.dot(v), t.dot(v), n.dot(w), s.dot(w), t.dot(w))
    }

    /// Energy of its springs at the predicted midpoint, friction included [J].
    pub fn potential(&self, spots: &[Spot]) -> f64 {
        let of = |s: &Spot| s.area * s.depth * s.depth;
        let normal = 0.5 * self.law.modulus * spots.iter().map(of).sum::<f64>();
        let strain = self.strain;
        normal + 0.5 * self.law.shear * strain.dot(&rub(&self.shear_sum, &strain))
    }
}

/// Sums over a region.
pub(super) struct Sums {
    pub normal: Mat3,
    pub shear: Mat3,
}

impl Sums {
    pub fn new(spots: &[Spot], weight: impl Fn(&Spot) -> f64) -> Self {
        let (mut s, mut sx, mut sy) = (0.0, 0.0, 0.0);
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for spot in spots {
            let w = weight(spot);
            let (x, y) = (spot.x, spot.y);
            s += w;
            sx += w * x;
            sy += w * y;
            xx += w * x * x;
            xy += w * x * y;
            yy += w * y * y;
        }
        let normal = Mat3::new(s, sy, -sx, sy, yy, -xy, -sx, -xy, xx);
        let shear = Mat3::new(s, 0.0, -sy, 0.0, s, sx, -sy, sx, xx + yy);
        Self { normal, shear }
    }
}

/// The points of the region that `cutter` found last. A law at one point keeps the deepest alone.
pub(super) fn write_spots(
    law: &VolumeLaw,
    (cutter, found): (&Cutter, &Overlap),
    out: &mut Vec<Spot>,
) {
    if law.kind == VolumeKind::Point {
        let s = cutter.deepest(found);
        out.push(Spot { x: s.x, y: s.y, area: 1.0, depth: s.depth });
        return;
    }
    // a stiffness of the whole contact is shared by its area
    let share = if law.kind == VolumeKind::Printed { 1.0 / found.area } else { 1.0 };
    let spot = |s: &Sample| Spot { x: s.x, y: s.y, area: s.area * share, depth: s.depth };
    out.extend(cutter.samples.iter().map(spot));
}
