//! Velocities and forces as unknowns of one block-sparse system.

use super::{Problem, Side};
use crate::math::block_lu::{BlockId, BlockLu};
use crate::math::kernels::negative_transpose;
use crate::math::ordering::{Ordering, minimum_degree};

/// Ratio of mobilities beyond which the order of elimination has to respect it.
const MUCH_MORE: f64 = 30.0;

#[derive(Debug, Clone)]
struct ForceIds {
    diagonal: BlockId,
    /// per side: blocks (velocity, force) and (force, velocity)
    sides: Vec<(BlockId, BlockId)>,
}

/// Velocities are the nodes `0..n`, forces follow. A force is never eliminated before a body it
/// acts on, nor before the much lighter one of two: accuracy then depends neither on stiffness nor
/// on mass ratios. A tree of similar masses costs O(bodies).
#[derive(Debug, Clone)]
pub(super) struct Mixed {
    lu: BlockLu,
    velocity_ids: Vec<BlockId>,
    force_ids: Vec<ForceIds>,
}

impl Mixed {
    /// The order of elimination for unknowns of the given `sizes`; `hard` forces do not yield.
    pub fn order(
        problem: &Problem,
        sizes: &[usize],
        mobility: &[Vec<f64>],
        hard: &[bool],
    ) -> Ordering {
        let n = problem.velocities.len() + problem.wide.len();
        let mut after = vec![Vec::new(); n];
        let mut waits = vec![false; n];
        waits.extend_from_slice(hard);
        waits.resize(sizes.len(), false);
        let mut edges = Vec::new();
        for (f, force) in problem.forces.iter().enumerate() {
            edges.extend(force.sides.iter().map(|s| (s.block, n + f)));
            after.push(wait_for(&force.sides, &mobility[f]));
        }
        minimum_degree(sizes, &edges, &after, &waits)
    }

    pub fn new(problem: &Problem, sizes: &[usize], order: &Ordering) -> Self {
        let n = problem.velocities.len() + problem.wide.len();
        let mut lu = BlockLu::new(sizes, order);
        let find = |i, j| lu.block(i, j).expect("the pattern holds every edge it was built from");
        let velocity_ids: Vec<BlockId> = (0..n).map(|i| find(i, i)).collect();
        let forces = problem.forces.iter().enumerate();
        let force_ids: Vec<ForceIds> = forces
            .map(|(f, force)| {
                let both = |s: &Side| (find(s.block, n + f), find(n + f, s.block));
                let sides = force.sides.iter().map(both).collect();
                ForceIds { diagonal: find(n + f, n + f), sides }
            })
            .collect();
        let mut stamped = velocity_ids.clone();
        for ids in &force_ids {
            stamped.push(ids.diagonal);
            stamped.extend(ids.sides.iter().flat_map(|(up, down)| [*up, *down]));
        }
        lu.declare_stamped(&stamped);
        Self { lu, velocity_ids, force_ids }
    }

    pub fn factor(&mut self, problem: &Problem) {
        self.stamp(problem);
        self.lu.factor();
    }

    pub fn solve(&self, x: &mut [f64]) {
        self.lu.solve(x);
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
        for (block, ids) in problem.forces.iter().zip(&self.force_ids) {
            let rows = block.rows;
            let diagonal = self.lu.block_mut(ids.diagonal, rows * rows);
            diagonal.fill(0.0);
            (0..rows).for_each(|r| diagonal[r * (rows + 1)] = block.compliance[r]);
            for (side, &(up, down)) in block.sides.iter().zip(&ids.sides) {
                let jacobian = if side.wide.is_empty() {
                    side.jacobian[..rows].as_flattened()
                } else {
                    &side.wide
                };
                let n = jacobian.len() / rows;
                self.lu.block_mut(down, rows * n).copy_from_slice(jacobian);
                negative_transpose(self.lu.block_mut(up, rows * n), jacobian, rows, n);
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
