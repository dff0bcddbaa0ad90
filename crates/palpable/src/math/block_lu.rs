//! Block-sparse LU of a matrix with a symmetric pattern and a positive-definite symmetric part.

use super::kernels::{self, Product, Run};
use super::ordering::Ordering;
use super::vector_unit::{Kernel, run_wide};
use std::collections::{BTreeMap, BTreeSet};

/// Place of a block inside a [`BlockLu`]; obtained once, when the pattern is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockId(usize);

/// One block row and column, in the order of elimination. Its blocks lie side by side: the
/// diagonal one, then two per neighbour.
#[derive(Debug, Clone, Copy)]
struct Pivot {
    /// first unknown, and how many
    place: Run,
    /// where its blocks begin and end
    blocks: (usize, usize),
    /// where its list of neighbours begins and ends
    around: (usize, usize),
    /// what its diagonal block was replaced by
    form: Form,
}

/// What a diagonal block is replaced by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Triangular factors.
    Factors,
    /// Triangular factors of exchanged rows.
    Exchanged,
}

/// A node that is still there when a pivot goes, and touches it.
#[derive(Debug, Clone, Copy)]
struct Neighbour {
    /// first unknown, and how many
    place: Run,
    /// block (neighbour, pivot), counted from the end of the pivot's diagonal block
    lower: usize,
    /// block (pivot, neighbour), likewise
    upper: usize,
}

/// A square matrix of dense blocks, its factors, and the program that makes one from the other.
///
/// # Equation
/// ```text
/// for each pivot p:  A_pp = L_p U_p,   Y_pj = A_pp⁻¹ A_pj,   A_ij −= A_ip Y_pj
/// ```
/// # Guarantee
/// Blocks are never exchanged, which a positive-definite symmetric part allows; rows are, inside a
/// diagonal block. The pattern is analysed once; [`BlockLu::factor`] and [`BlockLu::solve`] do not
/// allocate.
/// # Cost
/// O(nodes) for a tree in leaf-to-root order.
#[derive(Debug, Clone)]
pub struct BlockLu {
    sizes: Vec<usize>,
    starts: Vec<usize>,
    pivots: Vec<Pivot>,
    neighbours: Vec<Neighbour>,
    /// per unknown: the row of its block that was taken at its turn
    taken: Vec<u16>,
    /// blocks that each pair of neighbours changes, counted from the end of the pivot's own
    updates: Vec<usize>,
    values: Vec<f64>,
    /// offset and length of blocks that nobody stamps
    fill: Vec<(usize, usize)>,
    lookup: BTreeMap<(usize, usize), usize>,
}

impl BlockLu {
    /// Lays out the blocks for nodes of the given `sizes` and an elimination order.
    pub fn new(sizes: &[usize], ordering: &Ordering) -> Self {
        let starts: Vec<usize> =
            sizes.iter().scan(0, |s, n| Some(std::mem::replace(s, *s + n))).collect();
        let place = |i: usize| Run { start: starts[i], len: sizes[i] };
        let mut layout = Layout { sizes, lookup: BTreeMap::new(), len: 0 };
        let (mut pivots, mut neighbours) = (Vec::new(), Vec::new());
        for (&p, around) in ordering.order.iter().zip(&ordering.neighbours) {
            let (begin, first) = (layout.place(p, p), neighbours.len());
            let own = layout.len;
            for &i in around {
                let (lower, upper) = (layout.place(i, p) - own, layout.place(p, i) - own);
                neighbours.push(Neighbour { place: place(i), lower, upper });
            }
            let (blocks, around) = ((begin, layout.len), (first, neighbours.len()));
            pivots.push(Pivot { place: place(p), blocks, around, form: Form::Factors });
        }
        let mut updates = Vec::new();
        for (pivot, around) in pivots.iter().zip(&ordering.neighbours) {
            let pairs = around.iter().flat_map(|&i| around.iter().map(move |&j| (i, j)));
            // two neighbours of one pivot meet later, in blocks further on
            updates.extend(pairs.map(|(i, j)| layout.place(i, j) - pivot.blocks.1));
        }
        Self {
            sizes: sizes.to_vec(),
            taken: vec![0; sizes.iter().sum()],
            starts,
            pivots,
            neighbours,
            updates,
            values: vec![0.0; layout.len],
            fill: vec![(0, layout.len)],
            lookup: layout.lookup,
        }
    }

    /// Where block `(i, j)` lies, if the pattern has it.
    pub fn block(&self, i: usize, j: usize) -> Option<BlockId> {
        self.lookup.get(&(i, j)).map(|&offset| BlockId(offset))
    }

    /// First unknown of node `i` in a right-hand side.
    pub fn start(&self, i: usize) -> usize {
        self.starts[i]
    }

    /// Number of scalar unknowns.
    pub fn len(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// True for a system without unknowns.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Declares the blocks that are written in full before each factorisation; the rest is fill.
    pub fn declare_stamped(&mut self, stamped: &[BlockId]) {
        let written: BTreeSet<usize> = stamped.iter().map(|id| id.0).collect();
        let size = |&(i, j): &(usize, usize)| self.sizes[i] * self.sizes[j];
        let blocks = self.lookup.iter().filter(|(_, offset)| !written.contains(offset));
        self.fill = blocks.map(|(place, offset)| (*offset, size(place))).collect();
    }

    /// Sets the fill to zero (everything, unless stamped blocks were declared).
    pub fn clear(&mut self) {
        for &(offset, len) in &self.fill {
            self.values[offset..offset + len].fill(0.0);
        }
    }

    /// The `len` numbers of a block, row by row, to be written.
    #[inline]
    pub fn block_mut(&mut self, id: BlockId, len: usize) -> &mut [f64] {
        &mut self.values[id.0..id.0 + len]
    }

    /// Replaces the stamped blocks by their factors.
    pub fn factor(&mut self) {
        run_wide(Factor(self));
    }

    /// Replaces the right-hand side by the solution; call after [`BlockLu::factor`].
    pub fn solve(&self, x: &mut [f64]) {
        run_wide(Solve(self, x));
    }

    /// The same for `m` right-hand sides, `m` numbers per unknown.
    pub fn solve_many(&self, x: &mut [f64], m: usize) {
        run_wide(SolveMany(self, x, m));
    }

    /// The same for three right-hand sides, three numbers per unknown, of which most are zero.
    pub fn solve_three(&self, x: &mut [f64]) {
        run_wide(SolveThree(self, x));
    }

    #[inline(always)]
    fn solve_many_here(&self, x: &mut [f64], m: usize) {
        for pivot in &self.pivots {
            let Run { start, len: n } = pivot.place;
            if x[m * start..m * (start + n)].iter().all(|x| *x == 0.0) {
                continue;
            }
            let (diagonal, own) = self.values[pivot.blocks.0..].split_at(n * n);
            let taken = &self.taken[start..start + n];
            pivot.form.divide(diagonal, taken, &mut x[m * start..], m);
            for i in &self.neighbours[pivot.around.0..pivot.around.1] {
                subtract_many(x, i.place, &own[i.lower..], pivot.place, m);
            }
        }
        for pivot in self.pivots.iter().rev() {
            let own = &self.values[pivot.blocks.0 + pivot.place.len * pivot.place.len..];
            for i in &self.neighbours[pivot.around.0..pivot.around.1] {
                subtract_many(x, pivot.place, &own[i.upper..], i.place, m);
            }
        }
    }

    #[inline(always)]
    fn factor_here(&mut self) {
        let mut updates = self.updates.iter();
        for pivot in &mut self.pivots {
            let Run { start, len: n } = pivot.place;
            let (done, later) = self.values.split_at_mut(pivot.blocks.1);
            let (diagonal, own) = done[pivot.blocks.0..].split_at_mut(n * n);
            let taken = &mut self.taken[start..start + n];
            pivot.form = Form::of(diagonal, n, taken);
            let taken = &self.taken[start..start + n];
            let around = &self.neighbours[pivot.around.0..pivot.around.1];
            for j in around {
                pivot.form.divide(diagonal, taken, &mut own[j.upper..], j.place.len);
            }
            for i in around {
                for (j, &target) in around.iter().zip(&mut updates) {
                    let sizes = Product { rows: i.place.len, inner: n, columns: j.place.len };
                    let (left, right) = (&own[i.lower..], &own[j.upper..]);
                    kernels::multiply_subtract(&mut later[target..], left, right, sizes);
                }
            }
        }
    }

    #[inline(always)]
    fn solve_here(&self, x: &mut [f64]) {
        for pivot in &self.pivots {
            let Run { start, len: n } = pivot.place;
            let (diagonal, own) = self.values[pivot.blocks.0..].split_at(n * n);
            let taken = &self.taken[start..start + n];
            pivot.form.divide(diagonal, taken, &mut x[start..], 1);
            for i in &self.neighbours[pivot.around.0..pivot.around.1] {
                kernels::apply_subtract(x, i.place, &own[i.lower..], pivot.place);
            }
        }
        for pivot in self.pivots.iter().rev() {
            let own = &self.values[pivot.blocks.0 + pivot.place.len * pivot.place.len..];
            for i in &self.neighbours[pivot.around.0..pivot.around.1] {
                kernels::apply_subtract(x, pivot.place, &own[i.upper..], i.place);
            }
        }
    }
}

impl Form {
    /// Replaces the `n × n` block by its factors; `taken` receives the order of its rows.
    #[inline(always)]
    fn of(diagonal: &mut [f64], n: usize, taken: &mut [u16]) -> Self {
        if kernels::factor(diagonal, n, taken) { Form::Exchanged } else { Form::Factors }
    }

    /// `x := A⁻¹ x` for a block `x` of `m` columns; `taken` has a number for each of its rows.
    #[inline(always)]
    fn divide(self, a: &[f64], taken: &[u16], x: &mut [f64], m: usize) {
        match self {
            Form::Factors => kernels::divide(a, None, x, taken.len(), m),
            Form::Exchanged => kernels::divide(a, Some(taken), x, taken.len(), m),
        }
    }
}

struct Factor<'a>(&'a mut BlockLu);

impl Kernel for Factor<'_> {
    #[inline(always)]
    fn run(self) {
        self.0.factor_here();
    }
}

struct Solve<'a>(&'a BlockLu, &'a mut [f64]);

impl Kernel for Solve<'_> {
    #[inline(always)]
    fn run(self) {
        self.0.solve_here(self.1);
    }
}

struct SolveThree<'a>(&'a BlockLu, &'a mut [f64]);

impl Kernel for SolveThree<'_> {
    #[inline(always)]
    fn run(self) {
        self.0.solve_many_here(self.1, 3);
    }
}

struct SolveMany<'a>(&'a BlockLu, &'a mut [f64], usize);

impl Kernel for SolveMany<'_> {
    #[inline(always)]
    fn run(self) {
        self.0.solve_many_here(self.1, self.2);
    }
}

/// `y −= a x` inside one array of `m` columns; `y` and `x` are given by where they start and their
/// sizes.
#[inline(always)]
fn subtract_many(v: &mut [f64], y: Run, a: &[f64], x: Run, m: usize) {
    let sizes = Product { rows: y.len, inner: x.len, columns: m };
    let (y, x, n) = (y.start, x.start, x.len);
    // the two do not overlap, whichever comes first
    let (out, known) = if y < x {
        let (low, high) = v.split_at_mut(m * x);
        (&mut low[m * y..], &high[..m * n])
    } else {
        let (low, high) = v.split_at_mut(m * y);
        (high, &low[m * x..])
    };
    kernels::multiply_subtract(out, a, known, sizes);
}

struct Layout<'a> {
    sizes: &'a [usize],
    lookup: BTreeMap<(usize, usize), usize>,
    len: usize,
}

impl Layout<'_> {
    fn place(&mut self, i: usize, j: usize) -> usize {
        let (area, len) = (self.sizes[i] * self.sizes[j], &mut self.len);
        *self.lookup.entry((i, j)).or_insert_with(|| std::mem::replace(len, *len + area))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::ordering::minimum_degree;

    /// A reproducible number in [-1, 1].
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    #[test]
    fn the_solution_satisfies_a_random_system_with_loops_and_odd_sizes() {
        let sizes = [6, 6, 3, 1, 5, 3, 2];
        let edges = [(0, 2), (1, 2), (1, 3), (4, 3), (0, 5), (4, 5), (6, 0), (6, 4)];
        let ordering = minimum_degree(
            &sizes,
            &edges,
            &vec![Vec::new(); sizes.len()],
            &vec![false; sizes.len()],
        );
        let mut lu = BlockLu::new(&sizes, &ordering);
        let n = lu.len();
        let mut seed = 7;
        let mut dense = nalgebra::DMatrix::<f64>::zeros(n, n);
        lu.clear();
        let all = edges.iter().flat_map(|&(i, j)| [(i, j), (j, i)]);
        for (i, j) in all.chain((0..sizes.len()).map(|i| (i, i))) {
            let id = lu.block(i, j).expect("pattern has every edge");
            let (si, sj) = (lu.start(i), lu.start(j));
            for (r, c) in (0..sizes[i]).flat_map(|r| (0..sizes[j]).map(move |c| (r, c))) {
                let diagonal = if i == j && r == c { 40.0 } else { 0.0 };
                let value = noise(&mut seed) + diagonal;
                dense[(si + r, sj + c)] = value;
                lu.block_mut(id, sizes[i] * sizes[j])[r * sizes[j] + c] = value;
            }
        }
        let b = nalgebra::DVector::from_fn(n, |_, _| noise(&mut seed));
        let mut x = b.as_slice().to_vec();
        lu.factor();
        lu.solve(&mut x);
        let residual = (&dense * nalgebra::DVector::from_vec(x) - &b).norm();
        // diagonally dominant: no growth, so a few units of round-off per row
        assert!(residual < 1e-14 * b.norm(), "{residual:e}");
        // three sides at once, of which two are zero but for one node
        let mut three = vec![0.0; 3 * n];
        (0..n).for_each(|i| three[3 * i] = b[i]);
        let [first, last] = [lu.start(1), lu.start(4)];
        (three[3 * first + 1], three[3 * last + 2]) = (1.0, 1.0);
        let sides = nalgebra::DMatrix::from_row_slice(n, 3, &three);
        lu.solve_three(&mut three);
        let residual = (&dense * nalgebra::DMatrix::from_row_slice(n, 3, &three) - &sides).norm();
        assert!(residual < 1e-14 * sides.norm(), "{residual:e}");
    }
}
