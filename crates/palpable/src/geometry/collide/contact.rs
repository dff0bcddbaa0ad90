//! Contacts as the solver sees them.

use crate::math::Vec3;

/// One contact: a point of each body, and the gap between them along the manifold's normal.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Contact {
    /// On the surface of body a, in the world [m].
    pub point_a: Vec3,
    /// On the surface of body b, in the world [m].
    pub point_b: Vec3,
    /// `point_a` in the frame of body a [m].
    pub local_a: Vec3,
    /// `point_b` in the frame of body b [m].
    pub local_b: Vec3,
    /// `(point_b − point_a) · normal` [m]: positive apart, negative inside each other.
    pub gap: f64,
    /// Which corners made it; equal in successive updates while the features stay the same.
    pub feature: u32,
    /// A number kept for the life of the contact, never used again.
    pub id: u64,
    /// Where the same contact stood in the list of the last update; `None` if it is new.
    pub previous: Option<u32>,
}

/// Contacts of two colliders that share one normal.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Manifold {
    /// The body with the lower number.
    pub body_a: u32,
    /// The body with the higher number.
    pub body_b: u32,
    /// Collider of body a, as numbered when the pipeline was built.
    pub collider_a: u32,
    /// Collider of body b.
    pub collider_b: u32,
    /// Unit vector in the world, from a to b: a pushes b along it.
    pub normal: Vec3,
    /// First contact of this manifold in the list of contacts.
    pub first: u32,
    /// How many contacts, 1 to 8.
    pub count: u32,
    /// Which pieces of the colliders (compounds and meshes have many).
    pub(super) pieces: (u32, u32),
    /// Its pieces are listed apart as well.
    pub listed: bool,
}

impl Manifold {
    /// Positions of its contacts in the list.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    pub(super) fn bodies(&self) -> (u32, u32) {
        (self.body_a, self.body_b)
    }
}

/// What an update did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CollisionReport {
    /// Pairs of pieces whose boxes are near each other.
    pub pairs: usize,
    /// Pairs whose contacts were found anew.
    pub pairs_found: usize,
    /// Near pairs whose contacts of the last update were moved with their bodies instead.
    pub pairs_repeated: usize,
    /// Manifolds found.
    pub manifolds: usize,
    /// Contacts found.
    pub contacts: usize,
    /// Contacts dropped for want of room, the shallowest first.
    pub contacts_dropped: usize,
    /// Pairs dropped for want of room, at least so many: the search ends with the first piece that
    /// finds none. They are looked for again at the next update.
    pub pairs_dropped: usize,
    /// Contacts merged into a near one.
    pub clustered: usize,
    /// Bodies left out because their pose is not finite, or not a pose.
    pub bodies_rejected: usize,
}
