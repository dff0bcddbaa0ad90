//! Velocities and forces as unknowns of one block-sparse system.

use super::{Problem, Side};
use crate::math::block_lu::{BlockId, BlockLu};
use crate::math::kernels::negative_transpose;
use crate::math::ordering::{Ordering, minimum_degree};
use std::collections::BTreeMap;

/// Ratio of mobilities beyond which the order of elimination has to respect it.
const MUCH_MORE: f64 = 30.0;

/// Where a force lies in the system.
#[derive(Debug, Clone)]
struct ForceIds {
    diagonal: BlockId,
    /// per side: blocks (velocity, force) and (force, velocity)
    sides: Vec<(BlockId, BlockId)>,
    /// rows of its node, and how many of them come before its own
    rows: usize,
    before: usize,
}

/// Velocities are the nodes `0..n`, forces follow. A force is never eliminated before a body it
/// acts on, nor before the much lighter one of two: accuracy then depends neither on stiffness nor
/// on mass ratios. A tree of similar masses costs O(bodies).
///
/// Forces that yield and act on the same bodies (two points of a hinge, the tendons of a hand)
/// are one node: they would fill the blocks between them anyway.
#[derive(Debug, Clone)]
pub(super) struct Mixed {
    lu: BlockLu,
    starts: Vec<usize>,
    velocity_ids: Vec<BlockId>,
    force_ids: Vec<ForceIds>,
    /// diagonal blocks of nodes of forces, and their rows
    diagonals: Vec<(BlockId, usize)>,
}

/// Which forces share a node, and the nodes' sizes.
struct Nodes {
    /// velocities, then groups of forces
    sizes: Vec<usize>,
    /// per force: its node, and the rows of that before its own
    of: Vec<(usize, usize)>,
    /// per group: its first force
    first: Vec<usize>,
}

impl Nodes {
    fn new(problem: &Problem, after: &[Vec<usize>], hard: &[bool]) -> Self {
        let mut sizes = vec![6; problem.velocities.len()];
        sizes.extend(problem.wide.iter().map(|w| w.rhs.len()));
        let (mut of, mut first, mut known) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (f, force) in problem.forces.iter().enumerate() {
            let blocks: Vec<usize> = force.sides.iter().map(|s| s.block).collect();
            let is_wide = force.sides.iter().any(|s| !s.wide.is_empty());
            // points and bodies have kernels of their own, which only six rows keep
            let fits = |rows: usize| is_wide || rows + force.rows == 6;
            let yields = !blocks.is_empty() && !hard.get(f).is_some_and(|hard| *hard);
            let alike = (blocks, after[f].clone());
            let joined = known.get(&alike).copied().filter(|node| yields && fits(sizes[*node]));
            let node = joined.unwrap_or(sizes.len());
            if node == sizes.len() {
                first.push(f);
                sizes.push(0);
                if yields {
                    known.insert(alike, node);
                }
            }
            of.push((node, sizes[node]));
            sizes[node] += force.rows;
        }
        Self { sizes, of, first }
    }

    /// The order of elimination.
    fn order(&self, problem: &Problem, after: &[Vec<usize>], hard: &[bool]) -> Ordering {
        let n = self.sizes.len() - self.first.len();
        let (mut waits, mut edges) = (vec![false; n], Vec::new());
        let mut after_node = vec![Vec::new(); n];
        for (group, &f) in self.first.iter().enumerate() {
            edges.extend(problem.forces[f].sides.iter().map(|s| (s.block, n + group)));
            after_node.push(after[f].clone());
            waits.push(hard.get(f).copied().unwrap_or(false));
        }
        minimum_degree(&self.sizes, &edges, &after_node, &waits)
    }
}

impl Mixed {
    /// Analyses the pattern; `hard` forces do not yield.
    pub fn new(problem: &Problem, mobility: &[Vec<f64>], hard: &[bool]) -> Self {
        let n = problem.velocities.len() + problem.wide.len();
        let forces = problem.forces.iter().zip(mobility);
        let after: Vec<Vec<usize>> = forces.map(|(f, m)| wait_for(&f.sides, m)).collect();
        let nodes = Nodes::new(problem, &after, hard);
        let order = nodes.order(problem, &after, hard);
        let mut lu = BlockLu::new(&nodes.sizes, &order);
        let find = |i, j| lu.block(i, j).expect("the pattern holds every edge it was built from");
        let velocity_ids: Vec<BlockId> = (0..n).map(|i| find(i, i)).collect();
        let of = nodes.of.iter().zip(&problem.forces);
        let force_ids: Vec<ForceIds> = of
            .map(|(&(node, before), force)| {
                let both = |s: &Side| (find(s.block, node), find(node, s.block));
                let sides = force.sides.iter().map(both).collect();
                let rows = nodes.sizes[node];
                ForceIds { diagonal: find(node, node), sides, rows, before }
            })
            .collect();
        let diagonals = (n..nodes.sizes.len()).map(|i| (find(i, i), nodes.sizes[i])).collect();
        let mut stamped = velocity_ids.clone();
        for ids in &force_ids {
            stamped.push(ids.diagonal);
            stamped.extend(ids.sides.iter().flat_map(|(up, down)| [*up, *down]));
        }
        lu.declare_stamped(&stamped);
        let mut starts: Vec<usize> = (0..n).map(|i| lu.start(i)).collect();
        starts.extend(nodes.of.iter().map(|&(node, before)| lu.start(node) + before));
        Self { lu, starts, velocity_ids, force_ids, diagonals }
    }

    /// First unknown of each velocity, then of each force.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Number of scalar unknowns.
    pub fn len(&self) -> usize {
        self.lu.len()
    }

    pub fn factor(&mut self, problem: &Problem) {
        self.stamp(problem);
        self.lu.factor();
    }

    pub fn solve(&self, x: &mut [f64]) {
        self.lu.solve(x);
    }

    /// `m` right-hand sides at once, `m` numbers per unknown.
    pub fn solve_many(&self, x: &mut [f64], m: usize) {
        self.lu.solve_many(x, m);
    }

    /// Three right-hand sides at once, three numbers per unknown.
    pub fn solve_three(&self, x: &mut [f64]) {
        self.lu.solve_three(x);
    }

    fn stamp(&mut self, problem: &Problem) {
        self.lu.clear();
        for (block, &id) in problem.velocities.iter().zip(&self.velocity_ids) {
            self.lu.block_mut(id, 36).copy_from_slice(block.matrix().transpose().as_slice());
        }
        let wide_ids = &self.velocity_ids[problem.velocities.len()..];
        for (block, &id) in problem.wide.iter().zip(wide_ids) {
            self.lu.block_mut(id, block.matrix.len()).copy_from_slice(&block.matrix);
        }
        for &(id, rows) in &self.diagonals {
            self.lu.block_mut(id, rows * rows).fill(0.0);
        }
        for (block, ids) in problem.forces.iter().zip(&self.force_ids) {
            let (rows, all, before) = (block.rows, ids.rows, ids.before);
            let diagonal = self.lu.block_mut(ids.diagonal, all * all);
            (0..rows).for_each(|r| diagonal[(before + r) * (all + 1)] = block.compliance[r]);
            for (side, &(up, down)) in block.sides.iter().zip(&ids.sides) {
                let jacobian = if side.wide.is_empty() {
                    side.jacobian[..rows].as_flattened()
                } else {
                    &side.wide
                };
                let n = jacobian.len() / rows;
                let down = self.lu.block_mut(down, all * n);
                down[before * n..(before + rows) * n].copy_from_slice(jacobian);
                let up = self.lu.block_mut(up, all * n);
                negative_transpose(&mut up[before..], all, jacobian, rows, n);
            }
        }
    }
}

/// The blocks one of which must be eliminated before a force: those that move much more easily
/// than the others, or any.
fn wait_for(sides: &[Side], mobility: &[f64]) -> Vec<usize> {
    let most = mobility.iter().copied().fold(0.0, f64::max);
    let mobile = |m: f64| most <= MUCH_MORE * m;
    let sides = sides.iter().zip(mobility);
    sides.filter(|(_, m)| mobile(**m)).map(|(s, _)| s.block).collect()
}
