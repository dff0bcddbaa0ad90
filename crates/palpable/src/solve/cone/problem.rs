//! [`ConeProblem`]: flat buffers that are cleared and refilled each step.

use super::collide::Collider;
use super::contact::{Capacity, Contact, IslandReport, Law, PointSide, Refused, Side};
use super::island::Islands;
use super::law::{Block, Kind};
use super::newton::Newton;
use super::sweep::Sweeper;
use crate::math::Room;
use crate::solve::Power;

/// One group a contact moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub group: usize,
    /// first velocity of the group in the flat buffer, and the first that `J` reads
    pub start: usize,
    pub read: usize,
    pub dim: usize,
    pub width: usize,
    pub jacobian: usize,
    pub response: usize,
}

/// A velocity group: where its velocities stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub start: usize,
    pub dim: usize,
    /// force that would stop it alone
    pub momentum: f64,
}

/// The data of the problem; not written while it is solved, but for `goal`.
#[derive(Debug, Clone, Default)]
pub(super) struct Blocks {
    pub groups: Room<Group>,
    pub contacts: Room<Block>,
    pub links: Room<Link>,
    pub jacobian: Room<f64>,
    pub response: Room<f64>,
    pub bias: Room<f64>,
    pub carry: Room<f64>,
}

impl Blocks {
    /// Joins the contact at work to a group, whose dimension it returns; its rows come next.
    #[inline]
    fn link(&mut self, group: usize, column: usize, width: usize) -> usize {
        let Group { start, dim, .. } = self.groups[group];
        let (jacobian, response) = (self.jacobian.len(), self.response.len());
        let read = start + column;
        self.links.push(Link { group, start, read, dim, width, jacobian, response });
        dim
    }
}

/// The unknowns.
#[derive(Debug, Clone, Default)]
pub(super) struct Unknowns {
    /// λ per row
    pub lambda: Room<f64>,
    /// bias, plus what earlier shocks changed
    pub free: Room<f64>,
    /// `v = free + J z` per row
    pub velocity: Room<f64>,
    /// `z = Σ A⁻¹Jᵀλ` per coordinate
    pub change: Room<f64>,
    /// λ and z of earlier shocks
    pub total: Room<f64>,
    pub base: Room<f64>,
}

/// Contact forces of one step as a complementarity problem in preallocated buffers.
///
/// ```
/// use palpable::solve::cone::*;
/// // a point of 2 kg that falls on a floor at 1 m/s: the plastic impulse is 2 N·s
/// let mut problem = ConeProblem::new(Capacity::bodies(4, 4));
/// problem.clear();
/// let point = problem.group(3).expect("room for a group");
/// let side = Side {
///     group: point,
///     column: 0,
///     jacobian: &[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
///     response: &[0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.5, 0.0],
/// };
/// let contact = Contact {
///     law: Law::Frictional { mu: 0.5 },
///     target: 0.0,
///     restitution: 0.0,
///     bias: &[-1.0, 0.1, 0.0],
///     carry: &[],
///     start: &[],
///     sides: &[side],
/// };
/// let id = problem.push(&contact).expect("room for a contact");
/// let report = problem.solve(&ConeSettings::default(), Rule::Impulse { rest_speed: 0.01 });
/// assert!((problem.lambda(id)[0] - 2.0).abs() < 1e-12 && report.work < 0.0);
/// ```
#[derive(Debug, Clone)]
pub struct ConeProblem {
    pub(super) capacity: Capacity,
    pub(super) blocks: Blocks,
    pub(super) unknowns: Unknowns,
    pub(super) islands: Islands,
    pub(super) sweeper: Sweeper,
    pub(super) newton: Newton,
    pub(super) collider: Collider,
    pub(super) reports: Room<IslandReport>,
}

impl ConeProblem {
    /// Allocates all buffers.
    pub fn new(capacity: Capacity) -> Self {
        let Capacity { groups, coordinates, contacts, rows, sides, jacobian, response } = capacity;
        let numbers = Room::<f64>::with_capacity;
        Self {
            capacity,
            blocks: Blocks {
                groups: Room::with_capacity(groups),
                contacts: Room::with_capacity(contacts),
                links: Room::with_capacity(sides),
                jacobian: numbers(jacobian),
                response: numbers(response),
                bias: numbers(rows),
                carry: numbers(rows),
            },
            unknowns: Unknowns {
                lambda: numbers(rows),
                free: numbers(rows),
                velocity: numbers(rows),
                change: numbers(coordinates),
                total: numbers(rows),
                base: numbers(coordinates),
            },
            islands: Islands::new(groups, contacts),
            sweeper: Sweeper::new(rows, coordinates),
            newton: Newton::new(rows),
            collider: Collider { shocks: Room::with_capacity(contacts), ..Collider::default() },
            reports: Room::with_capacity(contacts),
        }
    }

    /// Empties the problem; capacity stays.
    pub fn clear(&mut self) {
        let b = &mut self.blocks;
        b.groups.clear();
        b.contacts.clear();
        b.links.clear();
        b.jacobian.clear();
        b.response.clear();
        b.bias.clear();
        b.carry.clear();
        let u = &mut self.unknowns;
        for buffer in [&mut u.lambda, &mut u.free, &mut u.velocity, &mut u.total] {
            buffer.clear();
        }
        u.change.clear();
        u.base.clear();
        self.reports.clear();
    }

    /// Adds a velocity group and returns its number; `None` if the buffers are full.
    pub fn group(&mut self, dim: usize) -> Option<usize> {
        let (groups, start) = (self.blocks.groups.len(), self.unknowns.change.len());
        if groups == self.capacity.groups || start + dim > self.capacity.coordinates {
            return None;
        }
        self.blocks.groups.push(Group { start, dim, momentum: f64::INFINITY });
        self.unknowns.change.resize(start + dim, 0.0);
        self.unknowns.base.resize(start + dim, 0.0);
        Some(groups)
    }

    /// Says what force would stop a group alone; bounds the forces of indeterminate contacts, which
    /// are unbounded otherwise.
    pub fn weigh(&mut self, group: usize, momentum: f64) {
        if let Some(group) = self.blocks.groups.get_mut(group) {
            group.momentum = momentum;
        }
    }

    /// Adds a contact and returns its number. A refused contact leaves the problem unchanged.
    pub fn push(&mut self, contact: &Contact) -> Result<usize, Refused> {
        let rows = contact.bias.len();
        let fits = match contact.law {
            Law::Unilateral | Law::Bounded { .. } => rows == 1,
            Law::Frictional { .. } => rows == 3,
            Law::Rolling { .. } => rows == 4 || rows == 6,
        };
        if !fits {
            return Err(Refused::Shape("bias"));
        }
        if !contact.start.is_empty() && contact.start.len() != rows {
            return Err(Refused::Shape("start"));
        }
        self.check_sides(contact, rows)?;
        let mut block = self.begin(contact, rows, contact.sides.len());
        for (k, side) in contact.sides.iter().enumerate() {
            let width = side.jacobian.len() / rows;
            let dim = self.blocks.link(side.group, side.column, width);
            // the fixed-size kernels leave out what one side does to another of the same group
            block.fast &= contact.sides[..k].iter().all(|other| other.group != side.group);
            block.fast &= width == 6 && dim == 6;
            self.blocks.jacobian.extend_from_slice(side.jacobian);
            self.blocks.response.extend_from_slice(side.response);
        }
        Ok(self.finish(contact, block))
    }

    /// Adds a point with friction between one or two groups of six: [`Self::push`] at less cost.
    /// The sides of `contact` are not read.
    pub fn push_point(&mut self, contact: &Contact, sides: &[PointSide]) -> Result<usize, Refused> {
        let (b, room, own) = (&self.blocks, &self.capacity, 18 * sides.len());
        let full = b.contacts.len() == room.contacts
            || b.bias.len() + 3 > room.rows
            || b.links.len() + sides.len() > room.sides
            || b.jacobian.len() + own > room.jacobian
            || b.response.len() + own > room.response;
        if full {
            return Err(Refused::Full);
        }
        let start = contact.start.len();
        if contact.bias.len() != 3 || (start != 0 && start != 3) {
            return Err(Refused::Shape("bias"));
        }
        let mut block = self.begin(contact, 3, sides.len());
        for side in sides {
            block.fast &= self.blocks.link(side.group, 0, 6) == 6;
            self.blocks.jacobian.extend_from_slice(side.jacobian.as_flattened());
            self.blocks.response.extend_from_slice(side.response.as_flattened());
        }
        block.fast &= sides.len() < 2 || sides[0].group != sides[1].group;
        Ok(self.finish(contact, block))
    }

    /// A contact without its sides, which come next.
    #[inline]
    fn begin(&self, contact: &Contact, rows: usize, sides: usize) -> Block {
        let mut block = Block::new(contact.law);
        block.rows = rows;
        block.row = self.blocks.bias.len();
        (block.side, block.sides) = (self.blocks.links.len(), sides);
        block.target = if contact.target.is_finite() { contact.target.max(0.0) } else { 0.0 };
        let e = contact.restitution;
        block.restitution = if e.is_nan() { 0.0 } else { e.clamp(-1.0, 1.0) };
        block.fast = block.kind == Kind::Frictional;
        block
    }

    /// Takes a contact whose sides are in.
    #[inline]
    fn finish(&mut self, contact: &Contact, mut block: Block) -> usize {
        self.blocks.bias.extend_from_slice(contact.bias);
        let first = self.blocks.carry.len();
        self.blocks.carry.resize(self.blocks.bias.len(), 0.0);
        for (k, carry) in contact.carry.iter().enumerate().take(contact.bias.len()) {
            self.blocks.bias[first + k] -= carry;
            self.blocks.carry[first + k] = *carry;
        }
        match contact.start {
            [] => self.unknowns.lambda.resize(self.blocks.bias.len(), 0.0),
            start => self.unknowns.lambda.extend_from_slice(start),
        }
        self.blocks.weigh(&mut block);
        self.blocks.contacts.push(block);
        self.blocks.contacts.len() - 1
    }

    fn check_sides(&self, contact: &Contact, rows: usize) -> Result<(), Refused> {
        let (mut jacobian, mut response) = (0, 0);
        for side in contact.sides {
            let group = self.blocks.groups.get(side.group).ok_or(Refused::Shape("group"))?;
            let width = side.jacobian.len() / rows;
            if width * rows != side.jacobian.len() || side.column + width > group.dim {
                return Err(Refused::Shape("jacobian"));
            }
            if side.response.len() != rows * group.dim {
                return Err(Refused::Shape("response"));
            }
            jacobian += side.jacobian.len();
            response += side.response.len();
        }
        let (b, room) = (&self.blocks, &self.capacity);
        let full = b.contacts.len() == room.contacts
            || b.bias.len() + rows > room.rows
            || b.links.len() + contact.sides.len() > room.sides
            || b.jacobian.len() + jacobian > room.jacobian
            || b.response.len() + response > room.response;
        if full { Err(Refused::Full) } else { Ok(()) }
    }

    /// Contacts in the problem.
    pub fn len(&self) -> usize {
        self.blocks.contacts.len()
    }

    /// No contact was added.
    pub fn is_empty(&self) -> bool {
        self.blocks.contacts.is_empty()
    }

    /// Force or impulse of a contact's rows [N or N·s].
    pub fn lambda(&self, contact: usize) -> &[f64] {
        let block = &self.blocks.contacts[contact];
        &self.unknowns.lambda[block.row..block.row + block.rows]
    }

    /// What the law did not see of the velocity of a contact's rows [m/s].
    pub fn carry(&self, contact: usize) -> &[f64] {
        let block = &self.blocks.contacts[contact];
        &self.blocks.carry[block.row..block.row + block.rows]
    }

    /// Velocity of a contact's rows as the law sees it, with the forces acting [m/s]; empty before
    /// the first solve.
    pub fn velocity(&self, contact: usize) -> &[f64] {
        let block = &self.blocks.contacts[contact];
        self.unknowns.velocity.get(block.row..block.row + block.rows).unwrap_or_default()
    }

    /// `z = Σ A⁻¹Jᵀλ`: what the contacts add to the velocity of a group.
    pub fn change(&self, group: usize) -> &[f64] {
        let Group { start, dim, .. } = self.blocks.groups[group];
        &self.unknowns.change[start..start + dim]
    }

    /// Power of the forces that were found, at the velocities that they lead to [W].
    pub fn power(&self) -> Power {
        let (mut power, u) = (Power::default(), &self.unknowns);
        // nothing was solved yet where there are no velocities
        for block in self.blocks.contacts.iter().filter(|_| !u.velocity.is_empty()) {
            for k in 0..block.rows {
                let row = block.row + k;
                let carry = self.blocks.carry[row];
                let rates = [u.velocity[row] + carry, self.blocks.bias[row] + carry];
                power.add(u.lambda[row], rates, block.weight[[0, 1, 1, 2, 3, 3][k]]);
            }
        }
        power
    }

    /// The sides of a contact, as they were given.
    pub fn sides(&self, contact: usize) -> impl Iterator<Item = Side<'_>> {
        let block = &self.blocks.contacts[contact];
        self.blocks.links(block).iter().map(|link| {
            let (j, y) = (block.rows * link.width, block.rows * link.dim);
            Side {
                group: link.group,
                column: link.read - link.start,
                jacobian: &self.blocks.jacobian[link.jacobian..link.jacobian + j],
                response: &self.blocks.response[link.response..link.response + y],
            }
        })
    }

    /// One report per island, in the order of the islands' first contacts.
    pub fn islands(&self) -> &[IslandReport] {
        &self.reports
    }

    /// Numbers of the contacts of an island.
    pub fn island_contacts(&self, island: usize) -> impl Iterator<Item = usize> + '_ {
        self.islands.contacts(island).iter().map(|&c| c as usize)
    }
}
