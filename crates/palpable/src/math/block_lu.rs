//! Block-sparse LU of a matrix with a symmetric pattern and a positive-definite symmetric part.

use super::kernels;
use super::ordering::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Place of a block inside a [`BlockLu`]; obtained once, when the pattern is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockId(usize);

#[derive(Debug, Clone, Copy)]
struct Neighbour {
    node: usize,
    /// block (node, pivot)
    lower: usize,
    /// block (pivot, node)
    upper: usize,
}

/// A square matrix of dense blocks, its factors, and the program that makes one from the other.
///
/// # Equation
/// ```text
/// for each pivot p:  A_pp = L_p U_p,   X_ip = A_ip A_pp⁻¹,   A_ij −= X_ip A_pj
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
    order: Vec<usize>,
    diagonal: Vec<usize>,
    /// per unknown: the row of its block that was taken at its turn
    pivots: Vec<u16>,
    neighbours: Vec<Neighbour>,
    neighbour_start: Vec<usize>,
    updates: Vec<usize>,
    values: Vec<f64>,
    /// offset and length of blocks that nobody stamps
    fill: Vec<(usize, usize)>,
    lookup: BTreeMap<(usize, usize), usize>,
}

impl BlockLu {
    /// Lays out the blocks for nodes of the given `sizes` and an elimination order.
    pub fn new(sizes: &[usize], ordering: &Ordering) -> Self {
        let mut layout = Layout { sizes, lookup: BTreeMap::new(), len: 0 };
        let diagonal: Vec<usize> = (0..sizes.len()).map(|i| layout.place(i, i)).collect();
        let (mut neighbours, mut neighbour_start) = (Vec::new(), vec![0]);
        let mut updates = Vec::new();
        for (&p, around) in ordering.order.iter().zip(&ordering.neighbours) {
            for &i in around {
                let (lower, upper) = (layout.place(i, p), layout.place(p, i));
                neighbours.push(Neighbour { node: i, lower, upper });
            }
            neighbour_start.push(neighbours.len());
            for &i in around {
                updates.extend(around.iter().map(|&j| layout.place(i, j)));
            }
        }
        let starts = sizes.iter().scan(0, |s, n| Some(std::mem::replace(s, *s + n))).collect();
        Self {
            sizes: sizes.to_vec(),
            starts,
            order: ordering.order.clone(),
            pivots: vec![0; sizes.iter().sum()],
            diagonal,
            neighbours,
            neighbour_start,
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

    /// Writes a block from `value(row, column)`; `columns` is the width of the block.
    #[inline]
    pub fn set(
        &mut self,
        id: BlockId,
        (rows, columns): (usize, usize),
        value: impl Fn(usize, usize) -> f64,
    ) {
        let block = &mut self.values[id.0..id.0 + rows * columns];
        for i in 0..rows {
            for j in 0..columns {
                block[i * columns + j] = value(i, j);
            }
        }
    }

    /// Replaces the stamped blocks by their factors.
    pub fn factor(&mut self) {
        let mut update = 0;
        for (t, &p) in self.order.iter().enumerate() {
            let n = self.sizes[p];
            let around = &self.neighbours[self.neighbour_start[t]..self.neighbour_start[t + 1]];
            let pivots = &mut self.pivots[self.starts[p]..self.starts[p] + n];
            let block = self.diagonal[p]..self.diagonal[p] + n * n;
            kernels::factor(&mut self.values[block], n, pivots);
            for i in around {
                let r = self.sizes[i.node];
                let (x, lu) = pair(&mut self.values, (i.lower, r * n), (self.diagonal[p], n * n));
                kernels::divide_right(x, lu, pivots, r, n);
            }
            for i in around {
                let r = self.sizes[i.node];
                for j in around {
                    let m = self.sizes[j.node];
                    let target = self.updates[update];
                    update += 1;
                    let (c, a, b) = triple(
                        &mut self.values,
                        (target, r * m),
                        (i.lower, r * n),
                        (j.upper, n * m),
                    );
                    kernels::multiply_subtract(c, a, b, (r, n, m));
                }
            }
        }
    }

    /// Replaces the right-hand side by the solution; call after [`BlockLu::factor`].
    pub fn solve(&self, x: &mut [f64]) {
        for (t, &p) in self.order.iter().enumerate() {
            for i in &self.neighbours[self.neighbour_start[t]..self.neighbour_start[t + 1]] {
                let (y, source) = self.split(x, i.node, p);
                let block = &self.values[i.lower..i.lower + y.len() * source.len()];
                kernels::apply_subtract(y, block, source);
            }
        }
        for (t, &p) in self.order.iter().enumerate().rev() {
            for i in &self.neighbours[self.neighbour_start[t]..self.neighbour_start[t + 1]] {
                let (y, source) = self.split(x, p, i.node);
                let block = &self.values[i.upper..i.upper + y.len() * source.len()];
                kernels::apply_subtract(y, block, source);
            }
            let (s, n) = (self.starts[p], self.sizes[p]);
            let lu = &self.values[self.diagonal[p]..self.diagonal[p] + n * n];
            kernels::divide_left(lu, &self.pivots[s..s + n], &mut x[s..s + n]);
        }
    }

    /// The unknowns of node `i` to write and those of node `j` to read.
    fn split<'a>(&self, x: &'a mut [f64], i: usize, j: usize) -> (&'a mut [f64], &'a [f64]) {
        pair(x, (self.starts[i], self.sizes[i]), (self.starts[j], self.sizes[j]))
    }
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

/// Two disjoint ranges `(offset, length)`, the first writable.
fn pair(v: &mut [f64], a: (usize, usize), b: (usize, usize)) -> (&mut [f64], &[f64]) {
    if a.0 < b.0 {
        let (left, right) = v.split_at_mut(b.0);
        (&mut left[a.0..a.0 + a.1], &right[..b.1])
    } else {
        let (left, right) = v.split_at_mut(a.0);
        (&mut right[..a.1], &left[b.0..b.0 + b.1])
    }
}

/// Three ranges, the first writable and disjoint from the others.
fn triple(
    v: &mut [f64],
    c: (usize, usize),
    a: (usize, usize),
    b: (usize, usize),
) -> (&mut [f64], &[f64], &[f64]) {
    let (left, rest) = v.split_at_mut(c.0);
    let (middle, right) = rest.split_at_mut(c.1);
    let (left, right) = (&*left, &*right);
    let shift = c.0 + c.1;
    let pick = |r: (usize, usize)| {
        if r.0 < c.0 { &left[r.0..r.0 + r.1] } else { &right[r.0 - shift..r.0 - shift + r.1] }
    };
    (middle, pick(a), pick(b))
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
        let ordering = minimum_degree(&sizes, &edges, &vec![Vec::new(); sizes.len()]);
        let mut lu = BlockLu::new(&sizes, &ordering);
        let n = lu.len();
        let mut seed = 7;
        let mut dense = nalgebra::DMatrix::<f64>::zeros(n, n);
        lu.clear();
        let all = edges.iter().flat_map(|&(i, j)| [(i, j), (j, i)]);
        for (i, j) in all.chain((0..sizes.len()).map(|i| (i, i))) {
            let id = lu.block(i, j).expect("pattern has every edge");
            for (r, c) in (0..sizes[i]).flat_map(|r| (0..sizes[j]).map(move |c| (r, c))) {
                let diagonal = if i == j && r == c { 40.0 } else { 0.0 };
                dense[(lu.start(i) + r, lu.start(j) + c)] = noise(&mut seed) + diagonal;
            }
            let view = dense.clone();
            let (si, sj) = (lu.start(i), lu.start(j));
            lu.set(id, (sizes[i], sizes[j]), |r, c| view[(si + r, sj + c)]);
        }
        let b = nalgebra::DVector::from_fn(n, |_, _| noise(&mut seed));
        let mut x = b.as_slice().to_vec();
        lu.factor();
        lu.solve(&mut x);
        let residual = (&dense * nalgebra::DVector::from_vec(x) - &b).norm();
        // diagonally dominant: no growth, so a few units of round-off per row
        assert!(residual < 1e-14 * b.norm(), "{residual:e}");
    }
}
