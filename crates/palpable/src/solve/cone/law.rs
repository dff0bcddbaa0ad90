//! The friction set of one contact: projection onto it and the natural map.
//!
//! A contact is a normal row and up to three discs whose radius grows with the normal force:
//! friction (t1, t2), spin, rolling.

use super::contact::Law;

/// Largest coefficient that is told apart from infinity.
const ROUGH: f64 = 1e9;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Unilateral,
    Bounded,
    Frictional,
    Rolling,
}

/// One contact as stored: its law with senseless numbers removed, and where its data are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub kind: Kind,
    /// three rows and free bodies on all sides: fixed-size kernels
    pub fast: bool,
    pub rows: usize,
    pub row: usize,
    pub side: usize,
    pub sides: usize,
    pub mu: f64,
    /// largest force of a bounded row
    pub limit: f64,
    pub spin: f64,
    pub roll: f64,
    pub target: f64,
    pub restitution: f64,
    /// target of the running solve: see `Rule::Impulse`
    pub goal: f64,
    /// mobility of the normal row and of the three discs
    pub weight: [f64; 4],
    /// the contact cannot move anything along its normal
    pub dead: bool,
}

/// `‖λ[first..first + len]‖ ≤ slope λ_n + offset`; only a bounded row has an offset. `weight` is
/// the rows' mobility and `unit` turns their velocity into m/s.
#[derive(Debug, Clone, Copy)]
pub(super) struct Disc {
    pub first: usize,
    pub len: usize,
    pub slope: f64,
    pub offset: f64,
    pub weight: f64,
    pub unit: f64,
}

impl Block {
    /// The law without rows and data.
    pub fn new(law: Law) -> Self {
        let at_least_0 = |x: f64| x.clamp(0.0, ROUGH).max(0.0);
        let (kind, mu, limit, spin, roll) = match law {
            Law::Unilateral => (Kind::Unilateral, 0.0, 0.0, 0.0, 0.0),
            Law::Bounded { limit } => (Kind::Bounded, 0.0, limit, 0.0, 0.0),
            Law::Frictional { mu } => (Kind::Frictional, mu, 0.0, 0.0, 0.0),
            Law::Rolling { mu, spin_radius, roll_radius } => {
                (Kind::Rolling, mu, 0.0, spin_radius, roll_radius)
            }
        };
        let limit = if limit.is_finite() { limit.max(0.0) } else { 0.0 };
        let (fast, dead) = (false, false);
        Self {
            kind,
            fast,
            rows: 0,
            row: 0,
            side: 0,
            sides: 0,
            mu: at_least_0(mu),
            limit,
            spin: at_least_0(spin),
            roll: at_least_0(roll),
            target: 0.0,
            restitution: 0.0,
            goal: 0.0,
            weight: [0.0; 4],
            dead,
        }
    }

    /// True if its first row is a normal, which pushes and never pulls.
    #[inline]
    pub fn has_normal(&self) -> bool {
        self.kind != Kind::Bounded
    }

    /// Number of discs.
    #[inline]
    pub fn discs(&self) -> usize {
        match self.kind {
            Kind::Unilateral | Kind::Bounded => 0,
            Kind::Frictional => 1,
            Kind::Rolling => 2 + usize::from(self.rows == 6),
        }
    }

    /// Disc `k`.
    #[inline]
    pub fn disc(&self, k: usize) -> Disc {
        let weight = self.weight[k + 1];
        let (first, len, slope, unit) = match k {
            0 => (1, 2, self.mu, 1.0),
            1 => (3, 1, self.spin, self.spin),
            _ => (4, 2, self.roll, self.roll),
        };
        Disc { first, len, slope, offset: 0.0, weight, unit }
    }

    /// Nearest lawful force row by row: normal first, then each disc. Non-finite counts as zero.
    #[inline]
    pub fn clip(&self, lambda: &mut [f64]) {
        if self.dead || lambda.iter().any(|x| !x.is_finite()) {
            lambda.fill(0.0);
            return;
        }
        if self.kind == Kind::Bounded {
            return clip_disc(lambda, self.limit);
        }
        lambda[0] = lambda[0].max(0.0);
        for k in 0..self.discs() {
            let disc = self.disc(k);
            let radius = disc.slope * lambda[0] + disc.offset;
            clip_disc(&mut lambda[disc.first..disc.first + disc.len], radius);
        }
    }

    /// Largest entry of the natural map [m/s]: zero if and only if the contact is solved.
    #[inline]
    pub fn residual(&self, lambda: &[f64], v: &[f64]) -> f64 {
        if self.dead {
            return 0.0;
        }
        if self.kind == Kind::Bounded {
            return self.as_disc().residual(lambda, v);
        }
        // w (λ − max(0, λ − v/w)) = min(v, w λ)
        let mut worst = (v[0] + self.goal).min(self.weight[0] * lambda[0]).abs();
        for k in 0..self.discs() {
            worst = worst.max(self.disc(k).residual(lambda, v));
        }
        worst
    }
}

impl Block {
    /// The set of a bounded row.
    #[inline]
    pub fn as_disc(&self) -> Disc {
        let (offset, weight) = (self.limit, self.weight[0]);
        Disc { first: 0, len: 1, slope: 0.0, offset, weight, unit: 1.0 }
    }

    /// [`Block::residual`] of a normal row with one disc of friction.
    #[inline(always)]
    pub fn residual3(&self, l: &[f64; 3], v: &[f64; 3]) -> f64 {
        if self.dead {
            return 0.0;
        }
        let normal = (v[0] + self.goal).min(self.weight[0] * l[0]).abs();
        let radius = self.mu * l[0];
        if radius <= 0.0 {
            return normal;
        }
        let w = self.weight[1];
        let y = [w * l[1] - v[1], w * l[2] - v[2]];
        let (size, reach) = (y[0] * y[0] + y[1] * y[1], w * radius);
        if size <= reach * reach {
            return normal.max(v[1].abs()).max(v[2].abs());
        }
        let shrink = reach / size.sqrt();
        let gap = [w * l[1] - shrink * y[0], w * l[2] - shrink * y[1]];
        normal.max(gap[0].abs()).max(gap[1].abs())
    }
}

impl Disc {
    #[inline]
    fn residual(&self, lambda: &[f64], v: &[f64]) -> f64 {
        let radius = self.slope * lambda[0] + self.offset;
        if radius <= 0.0 {
            return 0.0;
        }
        let at = |x: &[f64], i: usize| if i < self.len { x[self.first + i] } else { 0.0 };
        let (w, l) = (self.weight, [at(lambda, 0), at(lambda, 1)]);
        let v = [at(v, 0), at(v, 1)];
        let y = [w * l[0] - v[0], w * l[1] - v[1]];
        let (size, reach) = (y[0] * y[0] + y[1] * y[1], w * radius);
        if size <= reach * reach {
            return self.unit * v[0].abs().max(v[1].abs());
        }
        let shrink = reach / size.sqrt();
        let gap = [w * l[0] - shrink * y[0], w * l[1] - shrink * y[1]];
        self.unit * gap[0].abs().max(gap[1].abs())
    }
}

/// Shortens `x` to `radius`.
#[inline]
pub(super) fn clip_disc(x: &mut [f64], radius: f64) {
    let (radius, size) = (radius.max(0.0), x.iter().map(|x| x * x).sum::<f64>());
    if size > radius * radius {
        let shrink = radius / size.sqrt();
        x.iter_mut().for_each(|x| *x *= shrink);
    }
}
