//! Islands: bodies and subsystems joined by elements, which move together and pay together.

use super::lagrangian::BaseSizes;
use super::{
    Block, ElementInfo, Kind, Model, Params, PerIsland, SystemAt, SystemWork, element, element_ends,
};
use crate::math::{Groups, Mat6, Place, Vec6, rows_of};
use nalgebra::DMatrix;

/// Moving bodies and subsystems connected by elements.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Island {
    /// Indices of its moving bodies, in ascending order.
    pub bodies: Vec<usize>,
    /// Indices of its subsystems, in ascending order.
    pub systems: Vec<SystemAt>,
    /// Indices of its elements.
    pub elements: Vec<usize>,
    /// True if an element holds on to something that does not move, or a subsystem is in it.
    pub anchored: bool,
    /// True if its strains cannot be chosen independently: more rows than freedoms somewhere.
    pub redundant: bool,
}

/// What moves in an island, or in a group of them that touch.
#[derive(Debug, Clone, Copy)]
pub struct Movers<'a> {
    /// Moving bodies.
    pub bodies: &'a [usize],
    /// Subsystems.
    pub systems: &'a [SystemAt],
    /// True if they hold on to something that does not move, or a subsystem is among them.
    pub anchored: bool,
}

impl Island {
    /// What moves in it.
    pub fn movers(&self) -> Movers<'_> {
        Movers { bodies: &self.bodies, systems: &self.systems, anchored: self.anchored }
    }

    /// Place of a velocity unknown among those of the island: bodies first, then subsystems.
    pub fn place(&self, block: Block) -> Option<usize> {
        match block {
            Block::Body(b) => self.bodies.binary_search(&b).ok(),
            Block::System(s) => self.systems.binary_search(&s).ok().map(|i| self.bodies.len() + i),
        }
    }
}

/// Sorts moving bodies and subsystems into islands; the second list holds bodies without any
/// element. Links of a subsystem belong to it.
pub(super) fn find(model: &Model) -> (PerIsland<Island>, Vec<usize>) {
    let bodies = model.moving.len();
    let count = bodies + model.systems.len();
    let mut groups: Groups<usize> = Groups::of(count);
    let index = |block: Block| match block {
        Block::Body(b) => b,
        Block::System(s) => bodies + s.index(),
    };
    for e in &model.elements {
        for pair in e.blocks.windows(2) {
            groups.join(index(pair[0]), index(pair[1]));
        }
    }
    let mut islands: Vec<Option<Island>> = vec![None; count];
    for (i, e) in model.elements.iter().enumerate() {
        let Some(&block) = e.blocks.first() else { continue };
        let island = islands[groups.leader(index(block))].get_or_insert_default();
        island.elements.push(i);
        island.anchored |= holds_on_to_the_world(e);
    }
    for s in model.systems.all() {
        let island = islands[groups.leader(bodies + s.index())].get_or_insert_default();
        island.systems.push(s);
        island.anchored = true;
    }
    let mut free = Vec::new();
    for body in (0..bodies).filter(|&b| model.owners[b].is_none()) {
        match &mut islands[groups.leader(body)] {
            Some(island) => island.bodies.push(body),
            None => free.push(body),
        }
    }
    (islands.into_iter().flatten().collect::<Vec<_>>().into(), free)
}

fn holds_on_to_the_world(e: &ElementInfo) -> bool {
    match &e.kind {
        Kind::Coordinates(_) => true,
        Kind::Gear(gear) => e.ends.contains(&None) || gear.ends.contains(&None),
        _ => e.ends.contains(&None),
    }
}

/// Largest number of rows for which independence is worth a dense test.
const DENSE_ROWS: usize = 240;

/// True unless the strains of the island are independent at the model's first state.
///
/// Islands too large for the dense test count as redundant when they have loops.
pub(super) fn is_redundant(island: &Island, model: &Model) -> bool {
    let of = |e: usize| model.elements[e].kind.rows();
    let rows: usize = island.elements.iter().map(|&e| of(e)).sum();
    if rows > DENSE_ROWS {
        return island.elements.len() > island.bodies.len() + island.systems.len();
    }
    let works: Vec<SystemWork> = island
        .systems
        .iter()
        .map(|&s| {
            let mut work = SystemWork::new(&model.systems[s].law);
            work.configure(&model.state.systems[s].q, &model.params.gravity);
            work
        })
        .collect();
    let mut starts: Vec<usize> = (0..island.bodies.len()).map(|i| 6 * i).collect();
    let mut columns = 6 * island.bodies.len();
    for work in &works {
        starts.push(columns);
        columns += work.row.len();
    }
    let jac = DMatrix::<f64>::zeros(rows, columns);
    let (mut stack, mut first) = (Stack { model, island, works, starts, jac }, 0);
    for &e in &island.elements {
        stack.add(e, first);
        first += of(e);
    }
    let mut jac = stack.jac;
    for mut row in jac.row_iter_mut() {
        let size = row.norm();
        if size > 0.0 {
            row /= size;
        }
    }
    let smallest = jac.clone() * jac.transpose();
    // rows are unit vectors: independence is a smallest eigenvalue clear of round-off
    rows > 0 && smallest.symmetric_eigenvalues().min() < 1e-9
}

/// The rows of an island's elements, in coordinates whose mass matrix is the identity.
struct Stack<'a> {
    model: &'a Model,
    island: &'a Island,
    /// its subsystems, evaluated
    works: Vec<SystemWork>,
    /// first column of each of its bodies and subsystems
    starts: Vec<usize>,
    jac: DMatrix<f64>,
}

impl Stack<'_> {
    /// Writes the rows of element `e`, beginning with row `first`.
    fn add(&mut self, e: usize, first: usize) {
        let Self { model, island, works, starts, jac } = self;
        let (info, params) = (&model.elements[e], &model.params.elements[e]);
        let n = info.kind.rows();
        if let Kind::Coordinates(c) = &info.kind {
            let Some(place) = island.place(Block::System(c.system)) else { return };
            let work = &mut works[place - island.bodies.len()];
            let skip = BaseSizes::of(model.systems[c.system].law.as_ref()).w;
            let mut row = vec![0.0; work.row.len()];
            for (r, a) in c.rows.iter().enumerate() {
                work.row_of(a, skip, &mut row);
                row.iter().enumerate().for_each(|(k, v)| jac[(first + r, starts[place] + k)] = *v);
            }
            return;
        }
        let ends = element_ends(info, params, &model.state, None);
        let [a, b] = element::jacobian(&info.kind, &ends[0], &ends[1], &model.state.strain[e], 0.0);
        let mut sides: Vec<(Option<usize>, Mat6)> = vec![(info.ends[0], a), (info.ends[1], b)];
        if let Kind::Gear(gear) = &info.kind {
            let second = gear.second(&model.state, None);
            let [c, d] = gear.jacobian([&second[0], &second[1]], 0.0, 1);
            sides.extend([(gear.ends[0], c), (gear.ends[1], d)]);
        }
        for (node, j) in sides {
            let Some(node) = node else { continue };
            let (block, link) = match model.owners[node] {
                Some((system, link)) => (Block::System(system), Some(link)),
                None => (Block::Body(node), None),
            };
            let Some(place) = island.place(block) else { continue };
            if let Some(link) = link {
                let work = &mut works[place - island.bodies.len()];
                let width = work.row.len();
                let mut rows = vec![0.0; n * width];
                work.add_rows(link, &rows_of(&j)[..n], &mut rows);
                for (i, v) in rows.iter().enumerate() {
                    jac[(first + i / width, starts[place] + i % width)] += v;
                }
            } else {
                let scale = inverse_root_mass(&model.params, node);
                for (r, c) in (0..n).flat_map(|r| (0..6).map(move |c| (r, c))) {
                    jac[(first + r, starts[place] + c)] += j[(r, c)] * scale[c];
                }
            }
        }
    }
}

fn inverse_root_mass(params: &Params, body: usize) -> Vec6 {
    let p = &params.bodies[body];
    let (m, i) = (p.mass, p.inertia);
    Vec6::new(m, m, m, i.x, i.y, i.z).map(|v| 1.0 / v.sqrt())
}
