//! A balanced tree of boxes over the pieces of a scene, for pairs and queries.

use super::frame::Aabb;
use crate::math::{Room, Vec3};

/// A node: a leaf holds one piece, an inner node two nodes.
#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Aabb,
    /// The piece of a leaf; `INNER` otherwise.
    piece: u32,
    left: u32,
    right: u32,
    parent: u32,
}

/// Marks nodes that hold nodes.
const INNER: u32 = u32::MAX;
/// Deep enough for any number of pieces: the tree halves its pieces at every level.
const DEPTH: usize = 64;

/// Boxes of pieces in a binary tree, built anew now and then and refitted between.
///
/// # Cost
/// Build O(n log n), refit of a leaf and queries O(log n) plus what is found; no allocation after
/// [`Tree::new`].
#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Room<Node>,
    leaf_of: Vec<u32>,
    order: Vec<u32>,
    /// Leaves that moved since the tree was built.
    stale: usize,
}

impl Tree {
    /// Room for pieces `0..pieces`; `members` are those with a finite box.
    pub fn new(pieces: usize, members: Vec<u32>) -> Self {
        let nodes = Room::with_capacity(2 * members.len());
        Self { nodes, leaf_of: vec![INNER; pieces], order: members, stale: 0 }
    }

    /// Builds the tree from the boxes of its members.
    pub fn build(&mut self, boxes: &[Aabb]) {
        self.nodes.clear();
        self.stale = 0;
        let mut order = std::mem::take(&mut self.order);
        if !order.is_empty() {
            self.split(&mut order, boxes, INNER);
        }
        self.order = order;
    }

    fn split(&mut self, order: &mut [u32], boxes: &[Aabb], parent: u32) -> u32 {
        let index = self.nodes.len() as u32;
        let all = order.iter().fold(Aabb::NONE, |b, &p| b.join(&boxes[p as usize]));
        let node = Node { bounds: all, piece: INNER, left: INNER, right: INNER, parent };
        self.nodes.push(node);
        if let [piece] = *order {
            self.nodes[index as usize].piece = piece;
            self.leaf_of[piece as usize] = index;
            return index;
        }
        let centers =
            order.iter().fold(Aabb::NONE, |b, &p| b.join(&at(boxes[p as usize].center())));
        let axis = (centers.high - centers.low).imax();
        let middle = order.len() / 2;
        // equal centres fall back on the number of the piece: the tree is the same every time
        let key = |p: &u32| boxes[*p as usize].center()[axis];
        order.select_nth_unstable_by(middle, |p, q| key(p).total_cmp(&key(q)).then(p.cmp(q)));
        let (low, high) = order.split_at_mut(middle);
        let left = self.split(low, boxes, index);
        let right = self.split(high, boxes, index);
        (self.nodes[index as usize].left, self.nodes[index as usize].right) = (left, right);
        index
    }

    /// Takes the boxes that differ from its own; builds the tree anew once as many leaves moved as
    /// there are.
    pub fn follow(&mut self, boxes: &[Aabb]) {
        if self.nodes.is_empty() {
            return self.build(boxes);
        }
        for piece in 0..self.leaf_of.len() as u32 {
            let leaf = self.leaf_of[piece as usize];
            if leaf != INNER && self.nodes[leaf as usize].bounds != boxes[piece as usize] {
                self.refit(piece, boxes);
            }
        }
    }

    fn refit(&mut self, piece: u32, boxes: &[Aabb]) {
        let leaf = self.leaf_of[piece as usize];
        if leaf == INNER {
            return;
        }
        self.stale += 1;
        if self.stale > self.order.len() {
            return self.build(boxes);
        }
        self.nodes[leaf as usize].bounds = boxes[piece as usize];
        let mut at = self.nodes[leaf as usize].parent;
        while at != INNER {
            let node = self.nodes[at as usize];
            let (left, right) = (node.left as usize, node.right as usize);
            let bounds = self.nodes[left].bounds.join(&self.nodes[right].bounds);
            if bounds == node.bounds {
                break;
            }
            self.nodes[at as usize].bounds = bounds;
            at = node.parent;
        }
    }

    /// Calls `found` with every piece whose box overlaps.
    pub fn overlaps(&self, bounds: &Aabb, mut found: impl FnMut(u32)) {
        self.walk(
            |b| b.overlaps(bounds),
            |piece| {
                found(piece);
            },
        );
    }

    /// Walks down where `enter` says so, which is asked again at each leaf.
    pub fn walk(&self, enter: impl Fn(&Aabb) -> bool, mut leaf: impl FnMut(u32)) {
        let mut stack = [0u32; DEPTH];
        let mut height = usize::from(!self.nodes.is_empty());
        while height > 0 {
            height -= 1;
            let node = &self.nodes[stack[height] as usize];
            if !enter(&node.bounds) {
                continue;
            }
            if node.piece != INNER {
                leaf(node.piece);
            } else if height + 2 <= DEPTH {
                (stack[height], stack[height + 1]) = (node.right, node.left);
                height += 2;
            }
        }
    }
}

fn at(p: Vec3) -> Aabb {
    Aabb { low: p, high: p }
}
