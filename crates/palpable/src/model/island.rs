//! Islands: bodies joined by elements, which move together and pay together.

use super::{ElementInfo, Params, State, element, element_ends};
use crate::math::Vec6;
use nalgebra::DMatrix;

/// Moving bodies connected by elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Island {
    /// Indices of its moving bodies, in ascending order.
    pub bodies: Vec<usize>,
    /// Indices of its elements.
    pub elements: Vec<usize>,
    /// True if an element holds on to something that does not move.
    pub anchored: bool,
    /// True if its strains cannot be chosen independently: more rows than freedoms somewhere.
    pub redundant: bool,
}

/// Sorts moving bodies into islands; the second list holds bodies without any element.
pub(super) fn find(bodies: usize, elements: &[ElementInfo]) -> (Vec<Island>, Vec<usize>) {
    let mut parent: Vec<usize> = (0..bodies).collect();
    for e in elements {
        if let [Some(a), Some(b)] = e.ends {
            let (a, b) = (root(&mut parent, a), root(&mut parent, b));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut islands: Vec<Option<Island>> = vec![None; bodies];
    for (i, e) in elements.iter().enumerate() {
        let Some(body) = e.ends[0].or(e.ends[1]) else { continue };
        let empty = Island { bodies: vec![], elements: vec![], anchored: false, redundant: false };
        let island = islands[root(&mut parent, body)].get_or_insert(empty);
        island.elements.push(i);
        island.anchored |= e.ends.contains(&None);
    }
    let mut free = Vec::new();
    for body in 0..bodies {
        match &mut islands[root(&mut parent, body)] {
            Some(island) => island.bodies.push(body),
            None => free.push(body),
        }
    }
    (islands.into_iter().flatten().collect(), free)
}

fn root(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}

/// Largest number of rows for which independence is worth a dense test.
const DENSE_ROWS: usize = 240;

/// True unless the strains of the island are independent at the given state.
///
/// Islands too large for the dense test count as redundant when they have loops.
pub(super) fn is_redundant(
    island: &Island,
    elements: &[ElementInfo],
    params: &Params,
    state: &State,
) -> bool {
    let rows: usize = island.elements.iter().map(|&e| elements[e].kind.rows()).sum();
    if rows > DENSE_ROWS {
        return island.elements.len() > island.bodies.len();
    }
    let local = |body: usize| island.bodies.binary_search(&body).unwrap_or(0);
    let mut jac = DMatrix::<f64>::zeros(rows, 6 * island.bodies.len());
    let mut first = 0;
    for &e in &island.elements {
        let ends = element_ends(&elements[e], &params.elements[e], state, None);
        let j = element::jacobian(&elements[e].kind, &ends[0], &ends[1], &state.strain[e], 0.0);
        let n = elements[e].kind.rows();
        for (side, body) in elements[e].ends.iter().enumerate() {
            let Some(body) = *body else { continue };
            let scale = inverse_root_mass(params, body);
            for (r, c) in (0..n).flat_map(|r| (0..6).map(move |c| (r, c))) {
                jac[(first + r, 6 * local(body) + c)] += j[side][(r, c)] * scale[c];
            }
        }
        first += n;
    }
    for mut row in jac.row_iter_mut() {
        let size = row.norm();
        if size > 0.0 {
            row /= size;
        }
    }
    let smallest = jac.clone() * jac.transpose();
    // rows are unit vectors: independence is a smallest eigenvalue clear of round-off
    smallest.symmetric_eigenvalues().min() < 1e-9
}

fn inverse_root_mass(params: &Params, body: usize) -> Vec6 {
    let p = &params.bodies[body];
    let (m, i) = (p.mass, p.inertia);
    Vec6::new(m, m, m, i.x, i.y, i.z).map(|v| 1.0 / v.sqrt())
}
