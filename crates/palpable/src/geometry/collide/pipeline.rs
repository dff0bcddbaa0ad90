//! Collision detection of a whole scene: boxes, pairs, contacts, and who they were before.

use super::broad::{Broad, Kept};
use super::collision_error::CollisionError;
use super::collision_shape::CollisionShape;
use super::contact::{CollisionReport, Contact, Manifold};
use super::frame::{Frame, Isometry};
use super::glide::Glide;
use super::groups::Groups;
use super::manifold::Patch;
use super::persist::{Store, cluster, recognise};
use super::piece::{Body, Meeting, Piece, Workspace};
use crate::math::{Room, Vec3};

/// A shape on a body.
#[derive(Debug, Clone)]
pub struct Collider {
    /// Number of the body whose pose it follows.
    pub body: usize,
    /// Geometry.
    pub shape: CollisionShape,
    /// Frame of the shape in the frame of the body.
    pub offset: Isometry,
    /// Whom it meets.
    pub groups: Groups,
    /// True if its body does not move by itself: two still colliders never meet.
    pub still: bool,
}

impl Collider {
    /// A collider at the frame of a moving body, meeting everything.
    pub fn new(body: usize, shape: CollisionShape) -> Self {
        let offset = Isometry::identity();
        Self { body, shape, offset, groups: Groups::ALL, still: false }
    }

    /// The frame of the shape in the frame of the body.
    pub fn offset(mut self, offset: Isometry) -> Self {
        self.offset = offset;
        self
    }

    /// Whom it meets.
    pub fn groups(mut self, groups: Groups) -> Self {
        self.groups = groups;
        self
    }

    /// Belongs to a body that does not move by itself.
    pub fn still(mut self) -> Self {
        self.still = true;
        self
    }
}

/// Room and distances of a [`CollisionPipeline`], fixed when it is built.
#[derive(Debug, Clone, PartialEq)]
pub struct CollisionOptions {
    /// Most contacts kept; beyond it the shallowest are dropped. 0: eight per piece, at least 64.
    pub contacts: usize,
    /// Most pairs of near pieces. 0: 64 per piece.
    pub pairs: usize,
    /// Contacts of two bodies nearer than this [m] become one `[Constantinescu2005]`.
    pub cluster_distance: f64,
    /// A contact that moved less than this [m] on one of its bodies is still the same.
    pub coherence_distance: f64,
    /// Pairs of bodies that never touch, as neighbours in a chain.
    pub excluded: Vec<(usize, usize)>,
}

impl Default for CollisionOptions {
    fn default() -> Self {
        Self {
            contacts: 0,
            pairs: 0,
            cluster_distance: 1e-4,
            coherence_distance: 1e-2,
            excluded: Vec::new(),
        }
    }
}

/// What one update of a [`CollisionPipeline`] hands to the next: contacts, near pairs, numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CollisionMemory {
    pub(super) store: Store,
    pub(super) kept: Kept,
    pub(super) next_id: u64,
    /// near pairs before which a limited update begins
    pub(super) turn: u64,
}

impl CollisionMemory {
    /// Takes over another one of the same scene; does not allocate.
    pub fn copy_from(&mut self, other: &CollisionMemory) {
        self.store.copy_from(&other.store);
        self.kept.copy_from(&other.kept);
        self.next_id = other.next_id;
        self.turn = other.turn;
    }

    /// Calls `each` with every number that the next update depends on.
    pub(crate) fn numbers(&self, mut each: impl FnMut(&[f64])) {
        for c in &self.store.contacts {
            each(c.local_a.as_slice());
            each(c.local_b.as_slice());
            each(&[f64::from(c.feature), c.id as f64]);
        }
        self.store.manifolds.iter().for_each(|m| each(m.normal.as_slice()));
        each(&[self.turn as f64]);
        self.kept.numbers(each);
    }

    fn reset(&mut self) {
        self.store.clear();
        self.kept.reset();
        self.next_id = 0;
        self.turn = 0;
    }
}

/// What an update is told about its bodies besides their poses.
#[derive(Debug, Clone)]
pub(super) struct Told {
    /// bodies that are where they were: contacts of two of them are those of the last update
    pub(super) frozen: Vec<bool>,
    /// how the bodies move until the next update
    glides: Vec<Glide>,
    /// overlaps that are nothing to worry about [m]
    slight: f64,
    /// pairs that an update may look at
    limit: usize,
}

/// Finds the contacts of a scene from the poses of its bodies.
///
/// Topology is fixed when built; an update neither allocates nor panics. The order of manifolds
/// and contacts depends on the numbers of bodies and colliders only. Cloning it keeps what it
/// remembers; all of that is in [`CollisionMemory`].
#[derive(Debug, Clone)]
pub struct CollisionPipeline {
    bodies: usize,
    pub(super) pieces: Vec<Piece>,
    pub(super) broad: Broad,
    /// Frames of the bodies, then of the pieces; `None` where the pose is not one.
    body_frames: Vec<Option<Frame>>,
    pub(super) frames: Vec<Option<Frame>>,
    now: CollisionMemory,
    last: CollisionMemory,
    capacity: usize,
    options: CollisionOptions,
    pub(super) told: Told,
    flags: Room<bool>,
    ranks: Room<(f64, u32)>,
    work: Workspace,
    /// pairs of pieces left to another law
    pub(super) apart: Room<(u32, u32)>,
    report: CollisionReport,
}

impl CollisionPipeline {
    /// A scene of colliders on bodies `0..bodies`.
    pub fn new(
        bodies: usize,
        colliders: &[Collider],
        options: CollisionOptions,
    ) -> Result<Self, CollisionError> {
        check_distance("cluster_distance", options.cluster_distance)?;
        check_distance("coherence_distance", options.coherence_distance)?;
        check_hollow(colliders)?;
        let pieces = pieces_of(bodies, colliders)?;
        let n = pieces.len();
        let or = |given: usize, default: usize| if given > 0 { given } else { default.max(64) };
        let capacity = or(options.contacts, 8 * n);
        let order = |&(a, b): &(usize, usize)| (a.min(b) as u32, a.max(b) as u32);
        let mut excluded: Vec<_> = options.excluded.iter().map(order).collect();
        excluded.sort_unstable();
        let broad = Broad::new(&pieces, or(options.pairs, 64 * n), excluded);
        let now = blank(&broad, capacity);
        let (frozen, glides) = (vec![false; bodies], vec![Glide::NONE; bodies]);
        Ok(Self {
            bodies,
            body_frames: vec![None; bodies],
            frames: vec![None; n],
            pieces,
            last: now.clone(),
            now,
            flags: Room::with_capacity(2 * capacity + MOST_AT_ONCE),
            ranks: Room::with_capacity(2 * capacity + MOST_AT_ONCE),
            work: Workspace::new(),
            apart: Room::with_capacity(broad.capacity()),
            broad,
            capacity,
            options,
            told: Told { frozen, glides, slight: 0.0, limit: usize::MAX },
            report: CollisionReport::default(),
        })
    }

    /// Finds all contacts with a gap up to `margin` [m] at the given poses, one for each body.
    ///
    /// Bodies without a finite pose are left out and reported; so are missing poses. A margin
    /// that is negative or NaN counts as 0.
    pub fn update(&mut self, poses: &[Isometry], margin: f64) -> CollisionReport {
        std::mem::swap(&mut self.now, &mut self.last);
        let last = std::mem::take(&mut self.last);
        let report = self.update_apart(&last, poses, margin, |_, _| Listing::Contacts);
        self.last = last;
        report
    }

    /// The same with the memory of another update in the place of its own, but pairs of bodies that
    /// `listing` lists apart make no contacts, or have them besides: their pieces are listed by
    /// [`Self::apart`] where their boxes are near each other.
    pub fn update_apart(
        &mut self,
        last: &CollisionMemory,
        poses: &[Isometry],
        margin: f64,
        listing: impl Fn(usize, usize) -> Listing,
    ) -> CollisionReport {
        let margin = if margin.is_finite() { margin.max(0.0) } else { 0.0 };
        self.report = CollisionReport::default();
        self.place(poses);
        let (pieces, frames) = (&self.pieces, &self.frames);
        self.now.kept.copy_from(&last.kept);
        self.report.pairs_dropped = self.broad.update(&mut self.now.kept, pieces, frames, margin);
        self.report.pairs = self.now.kept.pairs.len();
        self.now.store.clear();
        self.apart.clear();
        self.narrow(last, margin, &listing);
        self.prune(self.capacity);
        let CollisionMemory { store, next_id, .. } = &mut self.now;
        *next_id = last.next_id;
        let distance = self.options.cluster_distance;
        self.report.clustered = cluster(store, distance, &mut self.flags);
        let distance = self.options.coherence_distance;
        recognise(store, &last.store, distance, next_id, &mut self.flags);
        self.report.manifolds = store.manifolds.len();
        self.report.contacts = store.contacts.len();
        self.report
    }

    /// Says which bodies are where they were at the last update.
    pub fn freeze(&mut self, is_frozen: impl Fn(usize) -> bool) {
        self.told.frozen.iter_mut().enumerate().for_each(|(b, frozen)| *frozen = is_frozen(b));
    }

    /// Says how many pairs an update may look at. Where more are near each other they take turns;
    /// the contacts of the others go on with their bodies.
    pub fn limit(&mut self, pairs: usize) {
        self.told.limit = pairs;
    }

    /// Says how the bodies will move until the next update: a centre [m], how far it moves [m] and
    /// how the body turns about it [rad], small, in the world. Corners of two faces that overlap by
    /// more than `slight` [m] then are kept besides the four that stand for all of them.
    pub fn foresee(&mut self, slight: f64, motion: impl Fn(usize) -> [Vec3; 3]) {
        self.told.slight = slight;
        for (b, glide) in self.told.glides.iter_mut().enumerate() {
            let [center, shift, turn] = motion(b);
            *glide = Glide::about(&center, shift, turn);
        }
    }

    /// Manifolds of the last update, ordered by bodies.
    pub fn manifolds(&self) -> &[Manifold] {
        &self.now.store.manifolds
    }

    /// Contacts of the last update; each belongs to one manifold.
    pub fn contacts(&self) -> &[Contact] {
        &self.now.store.contacts
    }

    /// What the last update hands to the next.
    pub fn memory(&self) -> &CollisionMemory {
        &self.now
    }

    /// Exchanges that for another memory of the same scene.
    pub fn swap_memory(&mut self, other: &mut CollisionMemory) {
        std::mem::swap(&mut self.now, other);
    }

    /// Contacts of the update before, to which [`Contact::previous`] points.
    pub fn previous_contacts(&self) -> &[Contact] {
        &self.last.store.contacts
    }

    /// What the last update did.
    pub fn report(&self) -> CollisionReport {
        self.report
    }

    /// Most contacts an update can report.
    pub fn contact_capacity(&self) -> usize {
        self.capacity
    }

    /// Forgets contacts and pairs, as after a jump to another state.
    pub fn reset(&mut self) {
        self.now.reset();
        self.last.reset();
        self.apart.clear();
    }

    /// The same scene without room for what updates find: a plan that many worlds may copy. About
    /// 14 kB a piece are given back.
    pub(crate) fn emptied(mut self) -> Self {
        (self.now, self.last) = Default::default();
        (self.flags, self.ranks, self.apart) = Default::default();
        self
    }

    /// A scene that can be updated, from a plan.
    pub(crate) fn furnished(&self) -> Self {
        let most = 2 * self.capacity + MOST_AT_ONCE;
        Self {
            now: self.blank(),
            last: self.blank(),
            flags: Room::with_capacity(most),
            ranks: Room::with_capacity(most),
            apart: Room::with_capacity(self.broad.capacity()),
            ..self.clone()
        }
    }

    /// A memory of nothing, with room for this scene.
    pub(super) fn blank(&self) -> CollisionMemory {
        blank(&self.broad, self.capacity)
    }

    /// Frames of bodies and pieces.
    fn place(&mut self, poses: &[Isometry]) {
        for b in 0..self.bodies {
            self.body_frames[b] = poses.get(b).and_then(Frame::checked);
        }
        let missing = self.body_frames.iter().filter(|f| f.is_none()).count();
        self.report.bodies_rejected = missing;
        for (frame, piece) in self.frames.iter_mut().zip(&self.pieces) {
            *frame = self.body_frames[piece.body as usize].map(|f| f.times(&piece.offset));
        }
    }

    fn narrow(
        &mut self,
        last: &CollisionMemory,
        margin: f64,
        listing: &impl Fn(usize, usize) -> Listing,
    ) {
        let turns = self.turns(last.turn, margin);
        self.now.turn = turns.next();
        let mut near = 0;
        for i in 0..self.now.kept.pairs.len() {
            let pair = self.now.kept.pairs[i].key;
            if self.is_frozen(i) {
                self.now.store.repeat(&last.store, pair);
            } else if self.is_near(i, margin) {
                if turns.has(near) {
                    self.narrow_pair(i, margin, listing);
                    self.report.pairs_found += 1;
                } else {
                    let frame = |b: u32| self.body_frames[b as usize].as_ref();
                    let (a, b) = pair.bodies;
                    let (Some(fa), Some(fb)) = (frame(a), frame(b)) else { continue };
                    self.now.store.follow(&last.store, pair, [fa, fb]);
                    self.report.pairs_repeated += 1;
                }
                near += 1;
            }
            if self.now.store.contacts.len() >= 2 * self.capacity {
                self.prune(self.capacity);
            }
        }
    }

    /// Whose turn it is in this update.
    fn turns(&self, turn: u64, margin: f64) -> Turns {
        let pairs = 0..self.now.kept.pairs.len();
        if pairs.len() <= self.told.limit {
            return Turns { first: 0, most: u64::MAX, all: 1 };
        }
        let near = pairs.filter(|&i| !self.is_frozen(i) && self.is_near(i, margin)).count();
        let all = near.max(1) as u64;
        Turns { first: turn % all, most: self.told.limit as u64, all }
    }

    /// Both bodies of a pair are where they were.
    fn is_frozen(&self, index: usize) -> bool {
        let (a, b) = self.now.kept.pairs[index].key.bodies;
        self.told.frozen[a as usize] && self.told.frozen[b as usize]
    }

    /// The boxes of a pair are within the margin.
    fn is_near(&self, index: usize, margin: f64) -> bool {
        let tight = self.broad.tight();
        let (a, b) = self.now.kept.pairs[index].key.pieces;
        let (a, b) = (a as usize, b as usize);
        let (Some(fa), Some(fb)) = (&self.frames[a], &self.frames[b]) else { return false };
        match (&self.pieces[a].shape, &self.pieces[b].shape) {
            (Body::HalfSpace, _) => tight[b].below(fa, margin),
            (_, Body::HalfSpace) => tight[a].below(fb, margin),
            _ => tight[a].is_near(&tight[b], margin),
        }
    }

    fn narrow_pair(
        &mut self,
        index: usize,
        margin: f64,
        listing: &impl Fn(usize, usize) -> Listing,
    ) {
        let near = &mut self.now.kept.pairs[index];
        let (a, b) = near.key.pieces;
        let (a, b) = (a as usize, b as usize);
        let (p, q) = (&self.pieces[a], &self.pieces[b]);
        let (Some(fa), Some(fb)) = (&self.frames[a], &self.frames[b]) else { return };
        let bodies = (p.body as usize, q.body as usize);
        let solid = |shape: &Body| matches!(shape, Body::Solid(_) | Body::HalfSpace);
        let mut listed = false;
        if solid(&p.shape) && solid(&q.shape) {
            let listing = listing(bodies.0, bodies.1);
            listed = listing != Listing::Contacts;
            if listed {
                self.apart.push((a as u32, b as u32));
            }
            if listing == Listing::Apart {
                return;
            }
        }
        let (Some(wa), Some(wb)) = (&self.body_frames[bodies.0], &self.body_frames[bodies.1])
        else {
            return;
        };
        let head = Manifold {
            body_a: p.body,
            body_b: q.body,
            collider_a: p.collider,
            collider_b: q.collider,
            pieces: (a as u32, b as u32),
            listed,
            ..Manifold::default()
        };
        let (guess, now) = (&mut near.guess, &mut self.now.store);
        let [ga, gb] = [bodies.0, bodies.1].map(|b| &self.told.glides[b]);
        let glide = gb.past(ga, self.told.slight);
        let meeting = Meeting { shapes: [&p.shape, &q.shape], frames: [fa, fb], glide };
        meeting.contacts(margin, guess, &mut self.work, |patch| {
            write(now, head, patch, fa, (wa, wb));
        });
    }

    /// Keeps the deepest contacts.
    fn prune(&mut self, most: usize) {
        let store = &mut self.now.store;
        let n = store.contacts.len();
        if n <= most {
            return;
        }
        self.ranks.clear();
        self.ranks.extend(store.contacts.iter().zip(0u32..).map(|(c, i)| (c.gap, i)));
        let order = |x: &(f64, u32), y: &(f64, u32)| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1));
        self.ranks.select_nth_unstable_by(most, order);
        self.flags.clear();
        self.flags.resize(n, false);
        for &(_, i) in &self.ranks[..most] {
            self.flags[i as usize] = true;
        }
        let keep = &self.flags;
        store.retain(|i, _| keep[i]);
        self.report.contacts_dropped += n - most;
    }
}

/// What an update makes of a pair of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Contacts at points.
    Contacts,
    /// Its pieces, listed apart.
    Apart,
    /// Both.
    Both,
}

/// Near pairs whose turn it is: `most` of `all`, from the `first` on and around.
#[derive(Debug, Clone, Copy)]
struct Turns {
    first: u64,
    most: u64,
    all: u64,
}

impl Turns {
    fn has(&self, near: u64) -> bool {
        self.most >= self.all || (near + self.all - self.first) % self.all < self.most
    }

    /// Where the next update begins.
    fn next(&self) -> u64 {
        if self.most >= self.all { 0 } else { (self.first + self.most) % self.all }
    }
}

/// A memory of nothing for so many contacts.
fn blank(broad: &Broad, contacts: usize) -> CollisionMemory {
    // an update may find twice as many before it drops the shallowest
    let store = Store::with_capacity(2 * contacts + MOST_AT_ONCE);
    CollisionMemory { store, kept: broad.kept(), next_id: 0, turn: 0 }
}

/// Most contacts that one pair of pieces can add.
const MOST_AT_ONCE: usize = super::facet::MOST_PATCHES * super::manifold::MOST_POINTS;

/// Appends a patch given in the frame of piece a.
fn write(store: &mut Store, head: Manifold, patch: &Patch, fa: &Frame, (wa, wb): (&Frame, &Frame)) {
    if patch.count == 0 {
        return;
    }
    let first = store.contacts.len() as u32;
    let normal = fa.vector(&patch.normal);
    for p in patch.list() {
        let (point_a, point_b) = (fa.point(&p.a), fa.point(&p.b));
        store.contacts.push(Contact {
            point_a,
            point_b,
            local_a: wa.inverse_point(&point_a),
            local_b: wb.inverse_point(&point_b),
            gap: p.gap,
            feature: p.id,
            id: 0,
            previous: None,
        });
    }
    store.manifolds.push(Manifold { normal, first, count: patch.count as u32, ..head });
}

fn check_distance(field: &'static str, value: f64) -> Result<(), CollisionError> {
    if value.is_finite() && value >= 0.0 {
        Ok(())
    } else {
        Err(CollisionError::Distance { field, value })
    }
}

/// Two surfaces cannot meet, so one that moves would pass through the other unseen.
fn check_hollow(colliders: &[Collider]) -> Result<(), CollisionError> {
    for (first, a) in colliders.iter().enumerate().filter(|(_, c)| c.shape.is_hollow()) {
        for (more, b) in colliders[first + 1..].iter().enumerate() {
            let meet = b.shape.is_hollow() && a.body != b.body && a.groups.meet(&b.groups);
            if meet && !(a.still && b.still) {
                return Err(CollisionError::BothHollow { first, second: first + 1 + more });
            }
        }
    }
    Ok(())
}

fn pieces_of(bodies: usize, colliders: &[Collider]) -> Result<Vec<Piece>, CollisionError> {
    let mut pieces = Vec::new();
    for (index, collider) in colliders.iter().enumerate() {
        let body = collider.body;
        if body >= bodies {
            return Err(CollisionError::BodyOutOfRange { collider: index, body, bodies });
        }
        let wrong = CollisionError::Offset { what: "collider", index };
        let offset = Frame::checked(&collider.offset).ok_or(wrong)?;
        for (frame, shape) in Body::pieces_of(&collider.shape) {
            pieces.push(Piece {
                body: body as u32,
                collider: index as u32,
                still: collider.still,
                groups: collider.groups,
                shape,
                offset: offset.times(&frame),
            });
        }
    }
    Ok(pieces)
}
