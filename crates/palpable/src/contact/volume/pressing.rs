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

/// Whose contact it is, and by which law.
#[derive(Debug, Clone)]
pub(super) struct Between {
    /// of the collision pipeline
    pub pieces: (u32, u32),
    pub bodies: [usize; 2],
    pub nodes: [Option<usize>; 2],
    pub law: VolumeLaw,
    /// coefficients of friction
    pub mu: Coulomb,
}

/// Coefficients of friction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coulomb {
    pub sliding: f64,
    pub rest: f64,
}

/// Where it presses.
#[derive(Debug, Clone)]
pub(super) struct Region {
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
}

/// Springs along the normal, and what limits them.
#[derive(Debug, Clone, Default)]
pub(super) struct Springs {
    /// elastic wrench at the predicted midpoint
    pub push: Vec6,
    /// predicted twist that leads there
    pub expected: Vec6,
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
}

/// Friction over the region.
#[derive(Debug, Clone)]
pub(super) struct Friction {
    /// twist of the last step, and extrapolated to this one
    pub slid: [Vec6; 2],
    /// displacement of the friction spring at the start
    pub strain: Vec6,
    pub rubbing: Rubbing,
    /// friction damper of a slide
    pub drag: Mat3,
}

/// A contact of the present step.
#[derive(Debug, Clone)]
pub(super) struct Pressing {
    pub pair: Between,
    pub region: Region,
    pub memory: PatchMemory,
    /// sums over the region of `a aᵀ` and `b bᵀ`, weighted as the law says
    pub sums: Sums,
    pub springs: Springs,
    pub friction: Friction,
    /// rows towards the twists of its bodies
    pub rows: [Rows; 2],
    pub parts: Parts,
}

/// A force that depends on the motion: `λ = start − slope · u`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Linear {
    pub start: Vec6,
    pub slope: Slope,
}

/// Force and torque, world axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spatial {
    pub linear: Vec3,
    pub angular: Vec3,
}

impl Pressing {
    /// Its force as a function of the motion.
    pub fn linear(&self, h: f64) -> Linear {
        if self.springs.off {
            return Linear { start: Vec6::zeros(), slope: Slope::zeros() };
        }
        let Linear { mut start, mut slope } = self.elastic(h);
        match &self.springs.braked {
            Some(wrench) => start += wrench,
            None => slope.normal += self.sums.normal * self.pair.law.damping,
        }
        match &self.friction.rubbing {
            Rubbing::Smooth => {}
            Rubbing::Sticks => slope.shear += self.sums.shear * self.pair.law.shear_damping,
            Rubbing::Slips => slope.shear += self.friction.drag,
            Rubbing::Dragged(wrench) => start += wrench,
        }
        Linear { start, slope }
    }

    /// The same of its springs alone.
    fn elastic(&self, h: f64) -> Linear {
        let k = self.pair.law.modulus * 0.5 * h;
        let (mut start, mut slope) = match self.springs.fixed {
            Some(fixed) => (fixed, Slope::zeros()),
            None => {
                // linear about the predicted midpoint
                let normal = self.sums.normal * k;
                let start = self.springs.push + press(&normal, &self.springs.expected);
                (start, Slope { normal, shear: Mat3::zeros() })
            }
        };
        if self.friction.rubbing == Rubbing::Sticks && !self.springs.held_fast {
            slope.shear += self.sums.shear * (self.pair.law.shear * 0.5 * h);
            start -= rub(&self.sums.shear, &self.friction.strain) * self.pair.law.shear;
        }
        Linear { start, slope }
    }

    /// Writes the parts of its force at a twist.
    pub fn split(&mut self, h: f64, u: &Vec6) {
        if self.springs.off {
            self.parts = Parts::default();
            return;
        }
        let Linear { start, slope } = self.elastic(h);
        self.parts.elastic = start - slope.times(u);
        self.parts.damped = self
            .springs
            .braked
            .unwrap_or_else(|| press(&self.sums.normal, u) * -self.pair.law.damping);
        self.parts.rubbed = match &self.friction.rubbing {
            Rubbing::Smooth => Vec6::zeros(),
            Rubbing::Sticks => rub(&self.sums.shear, u) * -self.pair.law.shear_damping,
            Rubbing::Slips => -rub(&self.friction.drag, u),
            Rubbing::Dragged(wrench) => *wrench,
        };
    }

    /// An impulse acts in this step, and no spring.
    pub fn awaits_impulse(&self) -> bool {
        self.pair.law.impulse && self.memory.age == 0
    }

    /// Normal force [N].
    pub fn pressure(&self) -> f64 {
        self.parts.elastic[0] + self.parts.damped[0]
    }

    /// A wrench of its own axes in those of the world: force, torque about the centre.
    pub fn to_world(&self, wrench: &Vec6) -> Spatial {
        let [n, s, t] = self.region.axes;
        let turn = |k: usize| n * wrench[k] + s * wrench[k + 1] + t * wrench[k + 2];
        Spatial { linear: turn(0), angular: turn(3) }
    }

    /// A twist or wrench of world axes in its own.
    pub fn to_local(&self, v: &Vec3, w: &Vec3) -> Vec6 {
        let [n, s, t] = &self.region.axes;
        Vec6::new(n.dot(v), s.dot(v), t.dot(v), n.dot(w), s.dot(w), t.dot(w))
    }

    /// Energy of its springs at the predicted midpoint, friction included [J].
    pub fn potential(&self) -> f64 {
        let normal = 0.5 * self.pair.law.modulus * self.sums.square;
        let strain = self.friction.strain;
        normal + 0.5 * self.pair.law.shear * strain.dot(&rub(&self.sums.shear, &strain))
    }
}

/// Sums over a region, weighted as the law says.
#[derive(Debug, Clone, Default)]
pub(super) struct Sums {
    /// `∫ a aᵀ dS` and `∫ b bᵀ dS`
    pub normal: Mat3,
    pub shear: Mat3,
    /// `∫ depth dS` [m³] and `∫ depth² dS` [m⁴]
    pub volume: f64,
    pub square: f64,
    /// `∫ depth x dS`, `∫ depth y dS` [m⁴] and `∫ depth (x² + y²) dS` [m⁵]
    pub lean: [f64; 2],
    pub polar: f64,
    /// largest distance from the centre, squared [m²]
    pub reach: f64,
}

impl Sums {
    pub fn new(spots: &[Spot]) -> Self {
        let mut out = Self::default();
        let mut sums = [0.0; 6];
        for s in spots {
            count(&mut sums, s, s.area);
            let (volume, square) = (s.area * s.depth, s.x * s.x + s.y * s.y);
            out.volume += volume;
            out.square += volume * s.depth;
            out.lean[0] += volume * s.x;
            out.lean[1] += volume * s.y;
            out.polar += volume * square;
            out.reach = if square > out.reach { square } else { out.reach };
        }
        let [s, sx, sy, xx, xy, yy] = sums;
        out.normal = Mat3::new(s, sy, -sx, sy, yy, -xy, -sx, -xy, xx);
        out.shear = shear(&sums);
        out
    }
}

/// Adds a point of weight `w` to `∫ [1, x, y, x², x y, y²]`.
fn count(sums: &mut [f64; 6], s: &Spot, w: f64) {
    let (x, y) = (w * s.x, w * s.y);
    sums[0] += w;
    sums[1] += x;
    sums[2] += y;
    sums[3] += x * s.x;
    sums[4] += x * s.y;
    sums[5] += y * s.y;
}

fn shear(&[s, sx, sy, xx, _, yy]: &[f64; 6]) -> Mat3 {
    Mat3::new(s, 0.0, -sy, 0.0, s, sx, -sy, sx, xx + yy)
}

/// `∫ w b bᵀ dS`.
pub(super) fn shear_of(spots: &[Spot], weight: impl Fn(&Spot) -> f64) -> Mat3 {
    let mut sums = [0.0; 6];
    spots.iter().for_each(|s| count(&mut sums, s, weight(s)));
    shear(&sums)
}

/// The points of the region that `cutter` found last. A law at one point keeps the deepest alone.
pub(super) fn write_spots(law: &VolumeLaw, cutter: &Cutter, found: &Overlap, out: &mut Vec<Spot>) {
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
