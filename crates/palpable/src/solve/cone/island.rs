//! Connected components of contacts through the groups they share, without allocation.

use super::problem::Blocks;
use crate::math::{Groups, Room};
use std::ops::Range;

/// No number yet.
const NONE: u32 = u32::MAX;

/// Contacts that are solved together, and the groups that they push.
#[derive(Clone, Copy)]
pub(super) struct Island<'a> {
    pub blocks: &'a Blocks,
    pub contacts: &'a [u32],
    pub groups: &'a [u32],
}

impl Island<'_> {
    /// Calls `each` with the ranges of the island's rows, neighbours joined.
    #[inline]
    pub fn rows(&self, mut each: impl FnMut(Range<usize>)) {
        let mut run = 0..0;
        for &i in self.contacts {
            let block = &self.blocks.contacts[i as usize];
            if block.row != run.end {
                each(run);
                run = block.row..block.row;
            }
            run.end = block.row + block.rows;
        }
        each(run);
    }

    /// The same for the coordinates of its groups.
    #[inline]
    pub fn coordinates(&self, mut each: impl FnMut(Range<usize>)) {
        let mut run = 0..0;
        for &g in self.groups {
            let group = self.blocks.groups[g as usize];
            if group.start != run.end {
                each(run);
                run = group.start..group.start;
            }
            run.end = group.start + group.dim;
        }
        each(run);
    }
}

/// Islands of the problem; the immovable world does not join them.
#[derive(Debug, Clone, Default)]
pub(super) struct Islands {
    joined: Groups<usize>,
    /// island of a group
    number: Room<u32>,
    contacts: Room<u32>,
    contact_ends: Room<u32>,
    groups: Room<u32>,
    group_ends: Room<u32>,
}

impl Islands {
    pub fn new(groups: usize, contacts: usize) -> Self {
        Self {
            joined: Groups::of(groups),
            number: Room::with_capacity(groups),
            contacts: Room::with_capacity(contacts),
            contact_ends: Room::with_capacity(contacts + 2),
            groups: Room::with_capacity(groups),
            group_ends: Room::with_capacity(contacts + 2),
        }
    }

    /// Number of islands found.
    pub fn len(&self) -> usize {
        self.contact_ends.len().saturating_sub(1)
    }

    /// An island of `blocks`.
    pub fn get<'a>(&'a self, island: usize, blocks: &'a Blocks) -> Island<'a> {
        Island { blocks, contacts: self.contacts(island), groups: self.groups(island) }
    }

    /// Contacts of an island in the order they were added.
    pub fn contacts(&self, island: usize) -> &[u32] {
        &self.contacts[self.contact_ends[island] as usize..self.contact_ends[island + 1] as usize]
    }

    /// Groups of an island.
    pub fn groups(&self, island: usize) -> &[u32] {
        &self.groups[self.group_ends[island] as usize..self.group_ends[island + 1] as usize]
    }

    /// Finds the islands of `blocks`. A contact without sides belongs to none.
    pub fn find(&mut self, blocks: &Blocks) {
        self.joined.part(blocks.groups.len());
        for block in &blocks.contacts {
            let links = blocks.links(block);
            for pair in links.windows(2) {
                self.joined.join(pair[0].group, pair[1].group);
            }
        }
        self.number.clear();
        self.number.resize(blocks.groups.len(), NONE);
        self.contact_ends.clear();
        self.contact_ends.push(0);
        self.contact_ends.push(0);
        for block in blocks.contacts.iter().filter(|b| b.sides > 0) {
            let group = blocks.links[block.side].group;
            let root = self.joined.leader(group);
            if self.number[root] == NONE {
                self.number[root] = self.contact_ends.len() as u32 - 2;
                self.contact_ends.push(0);
            }
            self.number[group] = self.number[root];
            self.contact_ends[self.number[root] as usize + 2] += 1;
        }
        for group in 0..blocks.groups.len() {
            let root = self.joined.leader(group);
            self.number[group] = self.number[root];
        }
        self.sort_contacts(blocks);
        self.sort_groups(blocks.groups.len());
    }

    /// Counting sort; the counts stand two places up.
    fn sort_contacts(&mut self, blocks: &Blocks) {
        accumulate(&mut self.contact_ends);
        self.contacts.clear();
        self.contacts.resize(blocks.contacts.len(), 0);
        for (i, block) in blocks.contacts.iter().enumerate().filter(|(_, b)| b.sides > 0) {
            let island = self.number[blocks.links[block.side].group] as usize;
            let at = &mut self.contact_ends[island + 1];
            self.contacts[*at as usize] = i as u32;
            *at += 1;
        }
        self.contact_ends.pop();
    }

    fn sort_groups(&mut self, groups: usize) {
        self.group_ends.clear();
        let ends = self.len() + 2;
        self.group_ends.resize(ends, 0);
        self.groups.clear();
        self.groups.resize(groups, 0);
        for island in self.number.iter().filter(|n| **n != NONE) {
            self.group_ends[*island as usize + 2] += 1;
        }
        accumulate(&mut self.group_ends);
        for (group, island) in self.number.iter().enumerate().filter(|(_, n)| **n != NONE) {
            let at = &mut self.group_ends[*island as usize + 1];
            self.groups[*at as usize] = group as u32;
            *at += 1;
        }
        self.group_ends.pop();
    }
}

/// Counts to ends.
fn accumulate(ends: &mut [u32]) {
    for i in 1..ends.len() {
        ends[i] += ends[i - 1];
    }
}
