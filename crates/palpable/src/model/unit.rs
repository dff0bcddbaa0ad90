//! Units: what moves as one, and where its velocities stand in one vector.
//!
//! A body without elements is a unit; an island is one, with all bodies and subsystems that joints,
//! springs, stops and couplings join. Islands are found once, when a model is built or edited. What
//! touches, sleeps or pays together is a group of units ([`crate::math::Groups`]), and what a force
//! moves is a range of a unit's velocity vector ([`Span`]).

use super::{Block, Island, PerSystem, SystemAt, SystemInfo};
use crate::math::{Per, place};

place! {
    /// What moves as one: a free body or an island.
    Unit
}

/// Whose velocities stand in a range of a unit's vector: the twist of a body, the `ξ` of a
/// subsystem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Who.
    pub block: Block,
    /// First velocity.
    pub start: usize,
    /// How many.
    pub len: usize,
}

impl Span {
    /// The body that it is about, if it is one.
    pub fn body(&self) -> Option<usize> {
        if let Block::Body(b) = self.block { Some(b) } else { None }
    }

    /// The subsystem that it is about, if it is one.
    pub fn system(&self) -> Option<SystemAt> {
        if let Block::System(s) = self.block { Some(s) } else { None }
    }

    /// Its range of a vector of the unit.
    #[inline]
    pub fn of<'a>(&self, vector: &'a [f64]) -> &'a [f64] {
        &vector[self.start..self.start + self.len]
    }
}

/// The units of a model. Numbers below that of the first island are those of bodies; a body of an
/// island leaves its own number unused.
#[derive(Debug, Clone, Default)]
pub struct Units {
    /// per moving body or link: its unit, and which span of that is its own
    of: Vec<Unit>,
    places: Vec<u32>,
    /// bodies without elements, then islands
    all: Vec<Unit>,
    /// unit by unit
    spans: Vec<Span>,
    /// per unit: where its spans end
    ends: Vec<u32>,
}

impl Units {
    /// The units of so many moving bodies; those that are `free` are in none of the `islands`.
    pub(super) fn new(
        bodies: usize,
        free: &[usize],
        islands: &PerIsland<Island>,
        systems: &PerSystem<SystemInfo>,
    ) -> Self {
        let of = (0..bodies as u32).map(Unit).collect();
        let mut units = Self { of, places: vec![0; bodies], ..Self::default() };
        units.all.extend(free.iter().map(|&b| units.of[b]));
        for body in 0..bodies {
            if free.binary_search(&body).is_ok() {
                units.spans.push(Span { block: Block::Body(body), start: 0, len: 6 });
            }
            units.ends.push(units.spans.len() as u32);
        }
        for (i, island) in islands.entries() {
            let unit = units.of_island(i);
            units.all.push(unit);
            let mut start = 0;
            for (place, &body) in island.bodies.iter().enumerate() {
                (units.of[body], units.places[body]) = (unit, place as u32);
                units.spans.push(Span { block: Block::Body(body), start, len: 6 });
                start += 6;
            }
            for (place, &s) in (island.bodies.len()..).zip(&island.systems) {
                for link in systems[s].nodes.clone() {
                    (units.of[link], units.places[link]) = (unit, place as u32);
                }
                let len = systems[s].law.freedoms();
                units.spans.push(Span { block: Block::System(s), start, len });
                start += len;
            }
            units.ends.push(units.spans.len() as u32);
        }
        units
    }

    /// Places in a list that has one for each unit.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The unit of a moving body or link.
    #[inline]
    pub fn of(&self, node: usize) -> Unit {
        self.of[node]
    }

    /// The unit that an island is.
    #[inline]
    pub fn of_island(&self, island: IslandAt) -> Unit {
        Unit(self.of.len() as u32 + island.0)
    }

    /// Which island a unit is; `None` for a body without elements.
    #[inline]
    pub fn island(&self, unit: Unit) -> Option<IslandAt> {
        unit.0.checked_sub(self.of.len() as u32).map(IslandAt)
    }

    /// The island of a moving body or link; `None` for a body without elements.
    #[inline]
    pub fn island_of(&self, node: usize) -> Option<IslandAt> {
        self.island(self.of(node))
    }

    /// All of them: bodies without elements, then islands.
    pub fn all(&self) -> impl Iterator<Item = Unit> + '_ {
        self.all.iter().copied()
    }

    /// Whose velocities make up the vector of a unit: bodies, then subsystems.
    #[inline]
    pub fn spans(&self, unit: Unit) -> &[Span] {
        let i = unit.0 as usize;
        let first = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.spans[first..self.ends[i] as usize]
    }

    /// Which span of its unit is that of a moving body, or of the subsystem of a link.
    #[inline]
    pub fn place(&self, node: usize) -> usize {
        self.places[node] as usize
    }

    /// Length of that vector.
    #[inline]
    pub fn dimension(&self, unit: Unit) -> usize {
        self.spans(unit).last().map_or(0, |span| span.start + span.len)
    }
}

place! {
    /// Which island: its place among those of a model.
    IslandAt
}

/// A value for each island.
pub type PerIsland<T> = Per<IslandAt, T>;

/// A value for each unit.
pub type PerUnit<T> = Per<Unit, T>;

impl<T: Clone> PerUnit<T> {
    /// The same for all.
    pub fn new(units: &Units, value: T) -> Self {
        vec![value; units.count()].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Shape;
    use crate::math::{Groups, Rotation};
    use crate::model::{Body, Chain, Joint, Link, Model};

    /// A free ball, two balls on a rod, a chain of three links with a ball that hangs on its end.
    fn mixed() -> Model {
        let mut model = Model::ghosts();
        let ball = |name: &str, x: f64| Body::sphere(name, 0.01).position([x, 0.0, 0.0]);
        let ids: Vec<_> = ["a", "b", "c", "d"].map(|name| model.body(ball(name, 0.1))).into();
        model.joint(Joint::distance(ids[1].origin(), ids[3].origin(), 0.1));
        let mut arm = Chain::new("arm");
        for (i, name) in ["l0", "l1", "l2"].into_iter().enumerate() {
            let link = Link::revolute(name).shape(Shape::Sphere { radius: 0.02 }, 1e3);
            let at = [0.1 * i as f64, 0.0, 0.0];
            arm.link(if i > 0 { link.on(i - 1).at(at, Rotation::identity()) } else { link });
        }
        let chain = model.chain(arm);
        model.joint(Joint::distance(ids[0].origin(), chain.link(2).origin(), 0.1));
        model.build().expect("a valid model")
    }

    #[test]
    fn every_velocity_stands_in_one_span_of_one_unit() {
        let model = mixed();
        let (units, mut bodies, mut systems) = (&model.units, Vec::new(), Vec::new());
        for unit in units.all() {
            let mut next = 0;
            for (place, span) in units.spans(unit).iter().enumerate() {
                assert_eq!(span.start, next, "ranges follow each other");
                next += span.len;
                bodies.extend(span.body());
                systems.extend(span.system());
                let nodes = match span.block {
                    Block::Body(b) => b..b + 1,
                    Block::System(s) => model.systems[s].nodes.clone(),
                };
                nodes.for_each(|n| assert_eq!((units.of(n), units.place(n)), (unit, place)));
            }
            assert_eq!(units.dimension(unit), next);
        }
        bodies.sort_unstable();
        let own = (0..model.moving.len()).filter(|&n| model.owners[n].is_none());
        assert_eq!((bodies, systems), (own.collect(), model.systems.all().collect()));
        assert_eq!(
            units.all().map(|u| units.island(u)).collect::<Vec<_>>(),
            [None, Some(IslandAt(0)), Some(IslandAt(1))]
        );
    }

    #[test]
    fn the_first_unit_leads_in_whatever_order_groups_are_joined() {
        let units = mixed().units;
        let all: Vec<Unit> = units.all().collect();
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let mut groups = Groups::of(units.count());
            order.windows(2).for_each(|k| drop(groups.join(all[k[0]], all[k[1]]).to_vec()));
            assert!(all.iter().all(|&unit| groups.leader(unit) == all[0]));
            groups.part(units.count());
            assert!(all.iter().all(|&unit| groups.leader(unit) == unit));
        }
    }
}
