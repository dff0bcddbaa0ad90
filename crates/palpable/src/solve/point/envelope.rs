//! A symmetric positive matrix of blocks of six, stored inside its envelope, and its Cholesky
//! factors: a row of blocks begins at the first mover of its pile that its own mover touches,
//! directly or by those in between.
//!
//! ```text
//! L Lᵀ = A,    L_ij = (A_ij − Σ_k L_ik L_jkᵀ) L_jj⁻ᵀ,    k from the later of both beginnings
//! ```
//! Movers are taken breadth first, so that along a stack rows are two blocks wide and the cost is
//! linear in its height.

use super::{GROUND, Pile, Point};
use crate::math::Room;
use crate::math::vector_unit::{Kernel, run_wide};
use std::ops::Range;

/// No row yet.
const NONE: u32 = u32::MAX;
/// Numbers that an envelope may hold per mover, on average.
const WIDTH: usize = 1200;
/// Columns that are multiplied at once.
const LANES: usize = 4;

/// What an envelope holds and costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measure {
    /// Multiplications of a factorisation.
    pub cost: f64,
    /// Movers on the longest of the shortest ways to the ground, at least one.
    pub levels: usize,
}

/// Order, place and values of a pile's matrix.
#[derive(Debug, Clone)]
pub(super) struct Envelope {
    /// place of each mover in the order of elimination, and back
    rank: Room<u32>,
    order: Room<u32>,
    /// movers between each one and the ground, itself included
    level: Room<u32>,
    /// neighbours, mover by mover
    ends: Room<u32>,
    near: Room<u32>,
    /// first column of blocks of each row of blocks, and where its rows begin
    first: Room<u32>,
    start: Room<u32>,
    matrix: Room<f64>,
}

impl Envelope {
    /// Room for so many movers and points.
    pub fn new(movers: usize, points: usize) -> Self {
        Self {
            rank: Room::with_capacity(movers),
            order: Room::with_capacity(movers),
            level: Room::with_capacity(movers),
            ends: Room::with_capacity(movers + 2),
            near: Room::with_capacity(2 * points),
            first: Room::with_capacity(movers),
            start: Room::with_capacity(movers),
            matrix: Room::with_capacity(WIDTH * movers),
        }
    }

    /// Orders the movers of a pile and finds the envelope of its matrix; `None` if there is no room
    /// for it.
    pub fn analyse(&mut self, points: &[Point], pile: &Pile) -> Option<Measure> {
        self.neighbours(points, pile);
        let levels = self.find_levels(points, pile);
        self.find_order(pile.movers.len());
        let base = pile.movers.start;
        self.first.clear();
        self.first.extend(0..pile.movers.len() as u32);
        for [a, b] in points.iter().map(|p| p.movers.map(|m| m as usize)) {
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
            cost += 3.0 * (width * width) as f64;
        }
        let room = self.matrix.capacity();
        self.matrix.clear();
        (size <= room).then(|| {
            self.matrix.resize(size, 0.0);
            Measure { cost, levels }
        })
    }

    /// Breadth first, each connected part from where the one before ended: as far out as it gets.
    fn find_order(&mut self, movers: usize) {
        self.rank.clear();
        self.rank.resize(movers, NONE);
        self.order.clear();
        for seed in 0..movers {
            if self.rank[seed] != NONE {
                continue;
            }
            let begin = self.order.len();
            self.walk(seed);
            let Some(&last) = self.order.last() else { return };
            let taken = self.order.len();
            for k in begin..taken {
                self.rank[self.order[k] as usize] = NONE;
            }
            self.order.truncate(begin);
            self.walk(last as usize);
        }
    }

    /// Takes all that is connected with a mover, nearest first.
    fn walk(&mut self, seed: usize) {
        let mut next = self.order.len();
        self.take(seed);
        while let Some(&m) = self.order.get(next) {
            for k in self.around(m as usize) {
                let other = self.near[k] as usize;
                if self.rank[other] == NONE {
                    self.take(other);
                }
            }
            next += 1;
        }
    }

    fn take(&mut self, mover: usize) {
        self.rank[mover] = self.order.len() as u32;
        self.order.push(mover as u32);
    }

    fn around(&self, mover: usize) -> Range<usize> {
        self.ends[mover] as usize..self.ends[mover + 1] as usize
    }

    /// Movers on the way to the ground; a pile without ground is as high as it is large.
    fn find_levels(&mut self, points: &[Point], pile: &Pile) -> usize {
        let (n, base) = (pile.movers.len(), pile.movers.start);
        self.level.clear();
        self.level.resize(n, NONE);
        self.order.clear();
        for p in points {
            for (own, other) in [(0, 1), (1, 0)] {
                let m = p.movers[own] as usize;
                if p.movers[other] as usize == GROUND && self.level[m - base] == NONE {
                    self.level[m - base] = 1;
                    self.order.push((m - base) as u32);
                }
            }
        }
        let mut next = 0;
        while let Some(&m) = self.order.get(next) {
            let above = self.level[m as usize] + 1;
            for k in self.around(m as usize) {
                let other = self.near[k] as usize;
                if self.level[other] == NONE {
                    self.level[other] = above;
                    self.order.push(other as u32);
                }
            }
            next += 1;
        }
        if self.order.len() < n {
            return n;
        }
        self.level.iter().max().map_or(1, |l| *l as usize)
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

    /// Place of a mover, counted from the first of its pile, in the order of elimination.
    pub fn place(&self, mover: usize) -> usize {
        self.rank[mover] as usize
    }

    /// All blocks zero.
    pub fn clear(&mut self) {
        self.matrix.fill(0.0);
    }

    /// Adds `Σ_k left_kᵀ right_k`, `left` in the rows of place `i` and `right` in the columns of
    /// place `j`; a block above the diagonal is left to its mirror image.
    pub fn add<const K: usize>(
        &mut self,
        [i, j]: [usize; 2],
        left: &[[f64; 6]; K],
        right: &[[f64; 6]; K],
    ) {
        if j > i {
            return;
        }
        let (width, column) = (self.width(i), 6 * (j - self.first[i] as usize));
        let from = self.start[i] as usize + column;
        for r in 0..6 {
            let row = &mut self.matrix[from + r * width..][..6];
            for (l, right) in left.iter().zip(right) {
                (0..6).for_each(|c| row[c] += l[r] * right[c]);
            }
        }
    }

    fn width(&self, i: usize) -> usize {
        6 * (i - self.first[i] as usize + 1)
    }

    /// Replaces the matrix by its factor; false if it is not positive.
    pub fn factor(&mut self) -> bool {
        let Self { first, start, matrix, .. } = self;
        let mut positive = true;
        let (first, start, positive_out) = (&first[..], &start[..], &mut positive);
        run_wide(Factor { first, start, matrix, positive: positive_out });
        positive
    }

    /// Solves for a vector, in the order of elimination, in place.
    pub fn solve(&self, vector: &mut [f64]) {
        let Self { first, start, matrix, .. } = self;
        run_wide(Solve { first, start, matrix, vector });
    }
}

/// The rows of a block from a column of blocks on.
struct Rows<'a> {
    all: &'a [f64],
    width: usize,
}

impl Rows<'_> {
    #[inline(always)]
    fn row(&self, r: usize, from: usize, count: usize) -> &[f64] {
        &self.all[r * self.width + from..][..count]
    }
}

struct Factor<'a> {
    first: &'a [u32],
    start: &'a [u32],
    matrix: &'a mut [f64],
    positive: &'a mut bool,
}

impl Kernel for Factor<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { first, start, matrix, positive } = self;
        for i in 0..first.len() {
            let (left, width) = (first[i] as usize, 6 * (i - first[i] as usize + 1));
            let (done, mine) = matrix.split_at_mut(start[i] as usize);
            let mine = &mut mine[..6 * width];
            for j in left..i {
                let (begin, theirs) = (first[j] as usize, 6 * (j - first[j] as usize + 1));
                let low = left.max(begin);
                let other = Rows { all: &done[start[j] as usize..][..6 * theirs], width: theirs };
                let sum = {
                    let own = Rows { all: mine, width };
                    products(&own, 6 * (low - left), &other, 6 * (low - begin), 6 * (j - low))
                };
                let (here, there) = (6 * (j - left), 6 * (j - begin));
                for (r, sum) in sum.iter().enumerate() {
                    let row = &mut mine[r * width + here..][..6];
                    for c in 0..6 {
                        let l = other.row(c, there, 6);
                        let mut x = row[c] - sum[c];
                        (0..c).for_each(|k| x -= row[k] * l[k]);
                        row[c] = x / l[c];
                    }
                }
            }
            let here = 6 * (i - left);
            let sum = {
                let own = Rows { all: mine, width };
                products(&own, 0, &own, 0, here)
            };
            for (r, sum) in sum.iter().enumerate() {
                for c in 0..=r {
                    let (a, b) = (r * width + here, c * width + here);
                    let mut x = mine[a + c] - sum[c];
                    (0..c).for_each(|k| x -= mine[a + k] * mine[b + k]);
                    if r == c && !(x > 0.0) {
                        *positive = false;
                        return;
                    }
                    mine[a + c] = if r == c { x.sqrt() } else { x / mine[b + c] };
                }
            }
        }
    }
}

/// `A Bᵀ` of six rows each, `count` columns from `at` and `from` on.
#[inline(always)]
fn products(a: &Rows, at: usize, b: &Rows, from: usize, count: usize) -> [[f64; 6]; 6] {
    let mut out = [[0.0; 6]; 6];
    for r in [0, 3] {
        let left = [0, 1, 2].map(|k| a.row(r + k, at, count));
        for c in [0, 3] {
            let right = [0, 1, 2].map(|k| b.row(c + k, from, count));
            let tile = tile(&left, &right, count);
            for k in 0..3 {
                out[r + k][c..c + 3].copy_from_slice(&tile[k]);
            }
        }
    }
    out
}

/// Nine inner products at once.
#[inline(always)]
fn tile(a: &[&[f64]; 3], b: &[&[f64]; 3], count: usize) -> [[f64; 3]; 3] {
    let mut sums = [[[0.0; LANES]; 3]; 3];
    let whole = count - count % LANES;
    let mut at = 0;
    while at < whole {
        let x = a.map(|row| lanes(row, at));
        let y = b.map(|row| lanes(row, at));
        for r in 0..3 {
            for c in 0..3 {
                (0..LANES).for_each(|k| sums[r][c][k] += x[r][k] * y[c][k]);
            }
        }
        at += LANES;
    }
    let mut out = sums.map(|row| row.map(|[p, q, r, s]| (p + r) + (q + s)));
    for k in whole..count {
        for r in 0..3 {
            (0..3).for_each(|c| out[r][c] += a[r][k] * b[c][k]);
        }
    }
    out
}

#[inline(always)]
fn lanes(row: &[f64], at: usize) -> [f64; LANES] {
    let x = &row[at..at + LANES];
    [x[0], x[1], x[2], x[3]]
}

struct Solve<'a> {
    first: &'a [u32],
    start: &'a [u32],
    matrix: &'a [f64],
    vector: &'a mut [f64],
}

impl Kernel for Solve<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { first, start, matrix, vector } = self;
        let row = |i: usize, r: usize| {
            let (left, width) = (6 * first[i] as usize, 6 * (i - first[i] as usize + 1));
            let count = 6 * i + r - left;
            (left, &matrix[start[i] as usize + r * width..][..=count])
        };
        for i in 0..first.len() {
            for r in 0..6 {
                let ((left, l), own) = (row(i, r), 6 * i + r);
                let sum = dot(&l[..own - left], &vector[left..own]);
                vector[own] = (vector[own] - sum) / l[own - left];
            }
        }
        for i in (0..first.len()).rev() {
            for r in (0..6).rev() {
                let ((left, l), own) = (row(i, r), 6 * i + r);
                let x = vector[own] / l[own - left];
                vector[own] = x;
                for (l, y) in l.iter().zip(&mut vector[left..own]) {
                    *y -= l * x;
                }
            }
        }
    }
}

#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (mut sum, whole) = ([0.0; LANES], a.len() - a.len() % LANES);
    let mut at = 0;
    while at < whole {
        let (x, y) = (lanes(a, at), lanes(b, at));
        (0..LANES).for_each(|k| sum[k] += x[k] * y[k]);
        at += LANES;
    }
    let rest: f64 = (whole..a.len()).map(|k| a[k] * b[k]).sum();
    (sum[0] + sum[2]) + (sum[1] + sum[3]) + rest
}
