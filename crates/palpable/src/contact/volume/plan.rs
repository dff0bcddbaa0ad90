//! Who is eliminated when: least neighbours first. Made anew only if other unknowns hang together
//! than in the last system; it depends on nothing else.

use crate::math::Room;

/// Blocks between two unknowns, seen from one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link(u32);

impl Link {
    fn new(edge: usize, first: bool) -> Self {
        Self((edge as u32) << 1 | u32::from(first))
    }

    /// Number of the pair of blocks.
    #[inline(always)]
    pub fn edge(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// The unknown is the first of the two.
    #[inline(always)]
    pub fn is_first(self) -> bool {
        self.0 & 1 == 1
    }

    fn turned(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A neighbour of an unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Near {
    pub node: u32,
    /// seen from the unknown
    pub link: Link,
}

/// An unknown that is eliminated, and where its lists begin and end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pivot {
    pub node: u32,
    near: (u32, u32),
    fill: (u32, u32),
}

/// The order of elimination, and which blocks it changes.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    /// links of each unknown of the system at hand; empty ones keep their room
    lists: Vec<Room<Near>>,
    count: usize,
    /// ends of the pairs of blocks that were asked for
    ends: Room<(u32, u32)>,
    /// the same when the plan was made, and of how many unknowns
    known: Room<(u32, u32)>,
    known_count: usize,
    /// pairs of blocks, those that elimination fills included
    edges: usize,
    pivots: Room<Pivot>,
    near: Room<Near>,
    /// per pivot: blocks of each pair of neighbours `(m, l < m)`, seen from `m`
    fill: Room<Link>,
    done: Room<bool>,
    degree: Room<u32>,
}

impl Plan {
    pub fn with_capacity(nodes: usize) -> Self {
        Self {
            lists: (0..nodes).map(|_| Room::with_capacity(32)).collect(),
            ends: Room::with_capacity(8 * nodes),
            known: Room::with_capacity(8 * nodes),
            pivots: Room::with_capacity(nodes),
            near: Room::with_capacity(8 * nodes),
            fill: Room::with_capacity(32 * nodes),
            done: Room::with_capacity(nodes),
            degree: Room::with_capacity(nodes),
            ..Self::default()
        }
    }

    /// Begins a system without unknowns.
    pub fn clear(&mut self) {
        self.lists[..self.count].iter_mut().for_each(|list| list.clear());
        self.count = 0;
        self.ends.clear();
    }

    /// Adds an unknown; returns its number.
    pub fn add_node(&mut self) -> u32 {
        self.count += 1;
        if self.lists.len() < self.count {
            self.lists.push(Room::with_capacity(16));
        }
        self.count as u32 - 1
    }

    /// The blocks between two unknowns, seen from the first; made if there are none.
    pub fn link(&mut self, a: u32, b: u32) -> Link {
        if let Some(known) = find(&self.lists, a, b) {
            return known;
        }
        let link = Link::new(self.ends.len(), true);
        self.ends.push((a, b));
        join(&mut self.lists, a, b, link);
        link
    }

    /// Unknowns.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.pivots.len()
    }

    /// Pairs of blocks.
    pub fn edges(&self) -> usize {
        self.edges
    }

    #[inline(always)]
    pub fn pivot(&self, at: usize) -> Pivot {
        self.pivots[at]
    }

    /// Neighbours of a pivot that are eliminated after it.
    #[inline(always)]
    pub fn neighbours(&self, pivot: Pivot) -> &[Near] {
        &self.near[pivot.near.0 as usize..pivot.near.1 as usize]
    }

    /// Blocks that a pivot changes besides the diagonal.
    #[inline(always)]
    pub fn fill(&self, pivot: Pivot) -> &[Link] {
        &self.fill[pivot.fill.0 as usize..pivot.fill.1 as usize]
    }

    /// Makes the plan, if it is not known. Links that it fills stand in the lists until the next
    /// system begins.
    pub fn make(&mut self) {
        if self.known_count == self.count && *self.known == *self.ends {
            return;
        }
        self.known_count = self.count;
        self.known.clone_from(&self.ends);
        self.edges = self.ends.len();
        self.pivots.clear();
        self.near.clear();
        self.fill.clear();
        self.done.clear();
        self.done.resize(self.count, false);
        self.degree.clear();
        self.degree.extend(self.lists[..self.count].iter().map(|list| list.len() as u32));
        while let Some(node) = self.next() {
            self.eliminate(node);
        }
    }

    /// Who has the fewest neighbours left.
    fn next(&self) -> Option<u32> {
        let left = (0..self.count).filter(|&n| !self.done[n]);
        left.min_by_key(|&n| self.degree[n]).map(|n| n as u32)
    }

    fn eliminate(&mut self, k: u32) {
        self.done[k as usize] = true;
        let (near, fill) = (self.near.len(), self.fill.len());
        let Self { near: all, lists, done, .. } = self;
        all.extend(lists[k as usize].iter().filter(|n| !done[n.node as usize]));
        for m in near..self.near.len() {
            let i = self.near[m].node;
            self.degree[i as usize] -= 1;
            for l in near..m {
                let link = self.filled(i, self.near[l].node);
                self.fill.push(link);
            }
        }
        let part = |from: usize, to: usize| (from as u32, to as u32);
        let (near, fill) = (part(near, self.near.len()), part(fill, self.fill.len()));
        self.pivots.push(Pivot { node: k, near, fill });
    }

    /// The blocks between two unknowns, seen from the first, filled by elimination or known.
    fn filled(&mut self, a: u32, b: u32) -> Link {
        if let Some(known) = find(&self.lists, a, b) {
            return known;
        }
        let link = Link::new(self.edges, true);
        self.edges += 1;
        join(&mut self.lists, a, b, link);
        self.degree[a as usize] += 1;
        self.degree[b as usize] += 1;
        link
    }
}

fn join(lists: &mut [Room<Near>], a: u32, b: u32, link: Link) {
    lists[a as usize].push(Near { node: b, link });
    lists[b as usize].push(Near { node: a, link: link.turned() });
}

fn find(lists: &[Room<Near>], a: u32, b: u32) -> Option<Link> {
    let (one, two) = (&lists[a as usize], &lists[b as usize]);
    if one.len() <= two.len() {
        return one.iter().find(|n| n.node == b).map(|n| n.link);
    }
    two.iter().find(|n| n.node == a).map(|n| n.link.turned())
}
