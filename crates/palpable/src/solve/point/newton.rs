//! Newton's method on the velocities of a pile, for what sweeps are slow at: long stacks, heavy on
//! light.
//!
//! ```text
//! A (u − c) = Jᵀ γ,    γ = P(λ − (J u + goal)/R),    λ ← γ
//! ```
//! `P` projects on the friction cones, so its fixed point solves the contact problem for any
//! `R > 0` (a method of multipliers); with `R` well below the mobility of the heaviest body it
//! contracts fast. The normal row sees `μ ‖u_t‖` added, as Coulomb's law asks. Each step factors
//! `A + Jᵀ G J` with `G = −∂γ/∂(J u)`, which is symmetric, by Cholesky inside the envelope of the
//! pile's graph: along a stack the cost is linear.

use super::{Budget, GROUND, Pile, Point, PointProblem, Twist, dot3};
use crate::math::{Room, dot6};
use crate::solve::{PER_VISIT, Purse};

/// `R` relative to the least mobility of a mover in the first round, when it is not known yet who
/// pushes,
const SOFT: f64 = 0.1;
/// how much smaller it becomes from round to round,
const FIRMER: f64 = 0.1;
/// and in the end, divided by the square of their number: so mobile is a stack as a whole.
const FIRM: f64 = 1e-2;
/// Newton steps between two changes of the multipliers at most,
const STEPS: usize = 8;
/// Fewer factorisations than this are of no use.
const FEWEST: usize = 8;
/// Halvings of a step at most.
const HALVINGS: usize = 6;
/// Numbers that an envelope may hold per mover, on average.
const WIDTH: usize = 1200;
const NONE: u32 = u32::MAX;
/// Where the six numbers of a velocity stand.
const LANES: [usize; 6] = [0, 1, 2, 4, 5, 6];

/// Buffers of a factorisation.
#[derive(Debug, Clone)]
pub(super) struct Newton {
    /// place of each mover in the order of elimination, and back
    rank: Room<u32>,
    order: Room<u32>,
    /// neighbours, mover by mover
    ends: Room<u32>,
    near: Room<u32>,
    /// first column of each row of blocks, and where its rows begin
    first: Room<u32>,
    start: Room<u32>,
    matrix: Room<f64>,
    vector: Room<f64>,
    downhill: Room<f64>,
    masses: Room<[[f64; 6]; 6]>,
    saved: Room<[f64; 4]>,
    shifts: Room<f64>,
    gains: Room<([f64; 3], [f64; 9])>,
}

impl Newton {
    pub fn new(movers: usize, points: usize) -> Self {
        Self {
            rank: Room::with_capacity(movers),
            order: Room::with_capacity(movers),
            ends: Room::with_capacity(movers + 2),
            near: Room::with_capacity(2 * points),
            first: Room::with_capacity(movers),
            start: Room::with_capacity(movers),
            matrix: Room::with_capacity(WIDTH * movers),
            vector: Room::with_capacity(6 * movers),
            downhill: Room::with_capacity(6 * movers),
            masses: Room::with_capacity(movers),
            saved: Room::with_capacity(points),
            shifts: Room::with_capacity(points),
            gains: Room::with_capacity(points),
        }
    }

    /// Orders the movers of a pile breadth first and finds the envelope of its matrix; returns the
    /// cost of a factorisation in multiplications, or `None` if there is no room for it or it would
    /// cost more than `most`.
    pub fn analyse(&mut self, points: &[Point], pile: &Pile, most: f64) -> Option<f64> {
        let (n, base) = (pile.movers.len(), pile.movers.start);
        self.neighbours(points, pile);
        self.rank.clear();
        self.rank.resize(n, NONE);
        self.order.clear();
        for seed in 0..n {
            if self.rank[seed] != NONE {
                continue;
            }
            self.take(seed);
            let mut next = self.order.len() - 1;
            while next < self.order.len() {
                let m = self.order[next] as usize;
                for k in self.ends[m]..self.ends[m + 1] {
                    let other = self.near[k as usize] as usize;
                    if self.rank[other] == NONE {
                        self.take(other);
                    }
                }
                next += 1;
            }
        }
        self.first.clear();
        self.first.extend(0..n as u32);
        for p in points {
            let [a, b] = p.movers.map(|m| m as usize);
            if a != GROUND && b != GROUND {
                let (i, j) = (self.rank[a - base], self.rank[b - base]);
                let (low, high) = (i.min(j), i.max(j) as usize);
                self.first[high] = self.first[high].min(low);
            }
        }
        self.start.clear();
        let (mut size, mut cost) = (0, 0.0);
        for (i, &first) in self.first.iter().enumerate() {
            self.start.push(size as u32);
            let width = 6 * (i - first as usize + 1);
            size += 6 * width;
            cost += 6.0 * (width * width) as f64;
        }
        let room = self.matrix.capacity();
        self.matrix.clear();
        (size <= room && cost <= most).then(|| {
            self.matrix.resize(size, 0.0);
            cost
        })
    }

    fn take(&mut self, mover: usize) {
        self.rank[mover] = self.order.len() as u32;
        self.order.push(mover as u32);
    }

    /// Counting sort of the other ends of all points.
    fn neighbours(&mut self, points: &[Point], pile: &Pile) {
        let (n, base) = (pile.movers.len(), pile.movers.start);
        let pairs = || {
            let both = points.iter().map(|p| p.movers.map(|m| m as usize));
            let inner = both.filter(|m| !m.contains(&GROUND));
            inner.flat_map(move |[a, b]| [(a - base, b - base), (b - base, a - base)])
        };
        self.ends.clear();
        self.ends.resize(n + 2, 0);
        pairs().for_each(|(a, _)| self.ends[a + 2] += 1);
        (1..n + 2).for_each(|i| self.ends[i] += self.ends[i - 1]);
        self.near.clear();
        self.near.resize(self.ends[n + 1] as usize, 0);
        for (a, b) in pairs() {
            self.near[self.ends[a + 1] as usize] = b as u32;
            self.ends[a + 1] += 1;
        }
    }

    /// The row of the envelope and its first column, for scalar row `6 i + r`.
    fn row(&self, i: usize, r: usize) -> (std::ops::Range<usize>, usize) {
        let width = 6 * (i - self.first[i] as usize + 1);
        let from = self.start[i] as usize + r * width;
        (from..from + width, 6 * self.first[i] as usize)
    }

    /// Adds a block at rows of `i` and columns of `j`, both places in the order.
    fn add(&mut self, i: usize, j: usize, value: impl Fn(usize, usize) -> f64) {
        if j > i {
            return;
        }
        for r in 0..6 {
            let (row, column) = self.row(i, r);
            let at = row.start + 6 * j - column;
            for (c, entry) in self.matrix[at..at + 6].iter_mut().enumerate() {
                *entry += value(r, c);
            }
        }
    }

    /// Adds `Jᵀ G J` of a point to the matrix and `Jᵀ γ` to the vector.
    fn add_point(&mut self, point: &Point, base: usize, gamma: &[f64; 3], gain: &[f64; 9]) {
        let rows = [point.rows(0), point.rows(1)];
        for side in 0..2 {
            let m = point.movers[side] as usize;
            if m == GROUND {
                continue;
            }
            let i = self.rank[m - base] as usize;
            let mut left = [[0.0; 3]; 6];
            for (r, left) in left.iter_mut().enumerate() {
                let row = [rows[side][0][r], rows[side][1][r], rows[side][2][r]];
                self.vector[6 * i + r] += dot3(&row, gamma);
                *left = std::array::from_fn(|b| dot3(&row, &[gain[b], gain[3 + b], gain[6 + b]]));
            }
            for (other, right) in point.movers.iter().zip(&rows) {
                let m = *other as usize;
                if m != GROUND {
                    let j = self.rank[m - base] as usize;
                    self.add(i, j, |r, c| dot3(&left[r], &[right[0][c], right[1][c], right[2][c]]));
                }
            }
        }
    }

    /// `L Lᵀ` in place; false if the matrix is not positive.
    fn factor(&mut self) -> bool {
        for i in 0..self.first.len() {
            for r in 0..6 {
                let (row, column) = self.row(i, r);
                let (done, mine) = self.matrix.split_at_mut(row.start);
                let own = 6 * i + r;
                for c in column..own {
                    let (j, s) = (c / 6, c % 6);
                    let width = 6 * (j - self.first[j] as usize + 1);
                    let (from, left) =
                        (self.start[j] as usize + s * width, 6 * self.first[j] as usize);
                    let low = column.max(left);
                    let other = |done: &[f64], mine: &[f64]| -> f64 {
                        // a row of the same block lies before `mine`, too
                        let theirs = &done[from + low - left..from + c - left];
                        theirs.iter().zip(&mine[low - column..c - column]).map(|(a, b)| a * b).sum()
                    };
                    let pivot = done[from + c - left];
                    mine[c - column] = (mine[c - column] - other(done, mine)) / pivot;
                }
                let sum: f64 = mine[..own - column].iter().map(|x| x * x).sum();
                let rest = mine[own - column] - sum;
                if !(rest > 0.0) {
                    return false;
                }
                mine[own - column] = rest.sqrt();
            }
        }
        true
    }

    /// Solves for the vector in place.
    fn solve(&mut self) {
        for i in 0..self.first.len() {
            for r in 0..6 {
                let ((row, column), own) = (self.row(i, r), 6 * i + r);
                let l = &self.matrix[row.start..row.start + own - column + 1];
                let sum: f64 = l.iter().zip(&self.vector[column..own]).map(|(l, x)| l * x).sum();
                self.vector[own] = (self.vector[own] - sum) / l[own - column];
            }
        }
        for i in (0..self.first.len()).rev() {
            for r in (0..6).rev() {
                let ((row, column), own) = (self.row(i, r), 6 * i + r);
                let l = &self.matrix[row.start..row.start + own - column + 1];
                let x = self.vector[own] / l[own - column];
                self.vector[own] = x;
                for (l, y) in l.iter().zip(&mut self.vector[column..own]) {
                    *y -= l * x;
                }
            }
        }
    }
}

impl PointProblem {
    /// Improves the forces of a pile by factorisations that cost no more than budget and purse
    /// allow; returns how many it took: none where so few would not help.
    pub(super) fn refine(&mut self, pile: &Pile, budget: &Budget, purse: &mut Purse) -> usize {
        let points = &self.points[pile.points.clone()];
        let dearest = budget.factor / FEWEST as f64;
        let Some(cost) = self.newton.analyse(points, pile, dearest) else { return 0 };
        let (each, tolerance) = (1 + (cost as u64) / PER_VISIT, budget.tolerance);
        // half of the purse is left to what tells whether it was any good
        let budget = ((budget.factor / cost) as usize).min((purse.left() / 2 / each) as usize);
        if budget < FEWEST {
            purse.cut += each * FEWEST as u64;
            return 0;
        }
        let least = self.answers[pile.movers.clone()].iter().fold(f64::MAX, |m, a| m.min(a.place));
        let firmest = FIRM * least / (pile.movers.len() * pile.movers.len()) as f64;
        let mut firm = SOFT * least;
        if !(firmest > 0.0 && self.weigh_movers(pile)) {
            return 0;
        }
        let mut taken = 0;
        while taken < budget {
            self.freeze_shifts(pile);
            for _ in 0..STEPS.min(budget - taken) {
                taken += 1;
                let moved = self.newton_step(pile, firm);
                if !(moved > tolerance) {
                    break;
                }
            }
            if !(self.take_forces(pile, firm) > tolerance) {
                break;
            }
            firm = firmest.max(FIRMER * firm);
        }
        purse.spent += each * taken as u64;
        taken
    }

    /// Masses of the movers; false if one of them has none.
    fn weigh_movers(&mut self, pile: &Pile) -> bool {
        let Self { newton, answers, full, .. } = self;
        newton.masses.clear();
        let masses =
            answers[pile.movers.clone()].iter().map_while(|a| a.mass(full.get(a.full as usize)));
        newton.masses.extend(masses);
        newton.masses.len() == pile.movers.len()
    }

    /// `μ ‖u_t‖` of each point, as it is.
    fn freeze_shifts(&mut self, pile: &Pile) {
        self.newton.shifts.clear();
        for p in pile.points.clone() {
            let shift = self.points[p].mu * self.slip(p);
            self.newton.shifts.push(shift);
        }
    }

    /// Makes the forces that the velocities ask for the multipliers; returns the largest violation
    /// of the law [m/s].
    fn take_forces(&mut self, pile: &Pile, firm: f64) -> f64 {
        let mut off = 0.0f64;
        for (k, p) in pile.points.clone().enumerate() {
            let shift = self.newton.shifts[k];
            let (gamma, _) = gamma(&self.points[p], &self.velocities, shift, firm);
            let before =
                std::mem::replace(&mut self.points[p].lambda, [gamma[0], gamma[1], gamma[2], 0.0]);
            for k in 0..3 {
                off = off.max(firm * (gamma[k] - before[k]).abs());
            }
        }
        off
    }

    /// One Newton step with a line search; returns the largest change of a velocity [m/s].
    fn newton_step(&mut self, pile: &Pile, firm: f64) -> f64 {
        self.newton.gains.clear();
        for (k, p) in pile.points.clone().enumerate() {
            let shift = self.newton.shifts[k];
            let gain = gamma(&self.points[p], &self.velocities, shift, firm);
            self.newton.gains.push(gain);
        }
        if !self.assemble(pile) {
            return 0.0;
        }
        self.newton.downhill.clear();
        let Newton { downhill, vector, .. } = &mut self.newton;
        downhill.extend_from_slice(vector);
        self.newton.solve();
        let Newton { downhill, vector, .. } = &self.newton;
        let slope: f64 = downhill.iter().zip(vector.iter()).map(|(g, d)| -g * d).sum();
        let moved = vector.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
        if !(slope < 0.0 && moved.is_finite()) {
            return 0.0;
        }
        let (start, mut part, mut last) = (self.merit(pile, firm), 1.0, 0.0);
        for _ in 0..HALVINGS {
            self.move_along(pile, part - last);
            last = part;
            if self.merit(pile, firm) <= start + 1e-4 * part * slope {
                break;
            }
            part *= 0.5;
        }
        moved * last
    }

    fn move_along(&mut self, pile: &Pile, part: f64) {
        for (k, u) in self.velocities[pile.movers.clone()].iter_mut().enumerate() {
            let at = 6 * self.newton.rank[k] as usize;
            (0..6).for_each(|r| u[LANES[r]] += part * self.newton.vector[at + r]);
        }
    }

    /// `½ (u − c)·A(u − c) + ½ R Σ γ²`, which the velocity of a pile makes least.
    fn merit(&self, pile: &Pile, firm: f64) -> f64 {
        let mut sum = 0.0;
        for (k, m) in pile.movers.clone().enumerate() {
            let d = self.change(m);
            let mass = &self.newton.masses[k];
            sum += (0..6).map(|r| d[r] * dot6(&mass[r], &d)).sum::<f64>();
        }
        for (k, p) in pile.points.clone().enumerate() {
            let shift = self.newton.shifts[k];
            let (g, _) = gamma(&self.points[p], &self.velocities, shift, firm);
            sum += firm * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        }
        0.5 * sum
    }

    /// Matrix and right-hand side of a step; false if it cannot be factored.
    fn assemble(&mut self, pile: &Pile) -> bool {
        let Self { newton, points, velocities, bases, .. } = self;
        newton.matrix.fill(0.0);
        newton.vector.clear();
        newton.vector.resize(6 * pile.movers.len(), 0.0);
        for (k, m) in pile.movers.clone().enumerate() {
            let (mass, rank) = (newton.masses[k], newton.rank[k] as usize);
            newton.add(rank, rank, |r, c| mass[r][c]);
            let change = LANES.map(|c| velocities[m][c] - bases[m][c]);
            for (r, row) in mass.iter().enumerate() {
                newton.vector[6 * rank + r] -= dot6(row, &change);
            }
        }
        for (k, p) in pile.points.clone().enumerate() {
            let (gamma, gain) = newton.gains[k];
            if gamma != [0.0; 3] {
                newton.add_point(&points[p], pile.movers.start, &gamma, &gain);
            }
        }
        newton.factor()
    }

    /// Keeps the forces of a pile, in case others are worse.
    pub(super) fn save(&mut self, pile: &Pile) {
        self.newton.saved.clear();
        let forces = self.points[pile.points.clone()].iter().map(|p| p.lambda);
        self.newton.saved.extend(forces);
    }

    /// Goes back to the forces that were kept.
    pub(super) fn go_back(&mut self, pile: &Pile) {
        for (p, saved) in self.points[pile.points.clone()].iter_mut().zip(&self.newton.saved) {
            p.lambda = *saved;
        }
        self.warm(pile);
    }
}

/// `γ` and `G` of a point at given velocities.
fn gamma(p: &Point, velocities: &[Twist], shift: f64, firm: f64) -> ([f64; 3], [f64; 9]) {
    let none = ([0.0; 3], [0.0; 9]);
    if p.dead {
        return none;
    }
    let [a, b] = p.movers.map(|m| &velocities[m as usize]);
    let u = p.rates(a, b);
    let y = [
        p.lambda[0] - (u[0] + p.shift[0] + shift) / firm,
        p.lambda[1] - (u[1] + p.shift[1]) / firm,
        p.lambda[2] - (u[2] + p.shift[2]) / firm,
    ];
    let (size, g) = ((y[1] * y[1] + y[2] * y[2]).sqrt(), 1.0 / firm);
    if size <= p.mu * y[0] {
        return (y, [g, 0.0, 0.0, 0.0, g, 0.0, 0.0, 0.0, g]);
    }
    let mix = 1.0 + p.mu * p.mu;
    let n = (y[0] + p.mu * size) / mix;
    if !(n > 0.0) {
        return none;
    }
    let (x, z) = (y[1] / size, y[2] / size);
    let (nn, nt, tt) = (g / mix, g * p.mu / mix, g * p.mu * p.mu / mix);
    let across = g * p.mu * n / size;
    let (xx, zz, xz) =
        (tt * x * x + across * z * z, tt * z * z + across * x * x, (tt - across) * x * z);
    let gain = [nn, nt * x, nt * z, nt * x, xx, xz, nt * z, xz, zz];
    ([n, p.mu * n * x, p.mu * n * z], gain)
}

#[cfg(test)]
mod tests {
    use super::super::{Budget, Mover, Touching};
    use super::*;

    /// Cubes of side 0.2 m on the ground, the top one of `ratio` kg, over a step of 1 ms.
    fn tower(boxes: usize, ratio: f64) -> (PointProblem, Pile) {
        let mut p = PointProblem::new(boxes, 4 * boxes);
        let h = 1e-3;
        for k in 0..boxes {
            let mass = if k + 1 == boxes { ratio } else { 1.0 };
            let place = h / (2.0 * mass);
            let t = place / (0.01 * 2.0 / 3.0);
            let turn = [[t, 0.0, 0.0], [0.0, t, 0.0], [0.0, 0.0, t]];
            let velocity = [0.0, 0.0, -9.81 * h / 2.0, 0.0, 0.0, 0.0];
            p.add_mover(&Mover { velocity, place, turn, momentum: 9.81 * mass, full: None });
        }
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let axes = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        for k in 0..boxes {
            for (x, y) in [(0.1, 0.1), (-0.1, 0.1), (-0.1, -0.1), (0.1, -0.1)] {
                let up = axes.map(|a| cross([x, y, 0.1], a).map(|c| -c));
                let down = axes.map(|a| cross([x, y, -0.1], a));
                let turns = [if k == 0 { [[0.0; 3]; 3] } else { up }, down];
                let point = Touching { movers: [k, k + 1], axes, turns, mu: 0.5, start: [0.0; 3] };
                p.add_point(&point);
            }
        }
        (p, Pile { points: 0..4 * boxes, movers: 1..boxes + 1 })
    }

    #[test]
    fn newton_holds_heavy_on_light() {
        for (boxes, ratio) in [(1, 1.0), (2, 1e6), (4, 1e4), (16, 1.0), (32, 1e3)] {
            let (mut p, pile) = tower(boxes, ratio);
            p.warm(&pile);
            let (sweeps, tolerance, factor) = (8, 1e-12, 2e7);
            let budget = Budget { sweeps, visits: 0, tolerance, factor, poor: 0.0 };
            p.relax(&pile, &budget, &mut Purse::default());
            let steps = p.refine(&pile, &budget, &mut Purse::default());
            p.warm(&pile);
            let speed = |m: usize| p.velocities[m].iter().fold(0.0, |a: f64, v| a.max(v.abs()));
            let worst = pile.movers.clone().map(speed).fold(0.0, f64::max);
            println!("{boxes} {ratio:e}: {worst:e} m/s after {steps} factorisations");
            // forces of 1e7 N are rounded, and move the lightest box
            assert!(worst < 1e-8, "{boxes} {ratio:e}: {worst:e}");
        }
    }
}
