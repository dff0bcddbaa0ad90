//! A number that tells models apart, so that a snapshot of another one can be refused.

use super::{BodyInfo, ElementInfo, Model, SystemInfo};
use crate::geometry::Shape;
use crate::math::Place;
use std::fmt::Write;

/// Text of one part that is taken into account at most [bytes]: a large mesh must not take long.
const MOST: usize = 1 << 16;

/// A 64-bit hash (FNV-1a) that is fed with numbers and text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fnv(pub u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// The bits of numbers.
    pub fn add(&mut self, values: &[f64]) {
        values.iter().for_each(|v| self.word(v.to_bits()));
    }

    /// A count or a number.
    pub fn count(&mut self, value: usize) {
        self.word(value as u64);
    }

    /// Whether it is there, and if so which.
    pub fn place(&mut self, place: Option<usize>) {
        self.word(place.map_or(u64::MAX, |p| p as u64));
    }

    /// A text and its end.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        self.count(text.len());
    }

    /// What describes itself, as far as [`MOST`] reaches; does not allocate.
    pub fn described(&mut self, what: &dyn std::fmt::Debug) {
        let mut paper = Paper { hash: self, left: MOST };
        // an error says that the paper is full
        let _ = write!(paper, "{what:?}");
    }

    fn word(&mut self, word: u64) {
        self.bytes(&word.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Takes text until it is full.
struct Paper<'a> {
    hash: &'a mut Fnv,
    left: usize,
}

impl Write for Paper<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.hash.bytes(text.as_bytes());
        self.left = self.left.saturating_sub(text.len());
        if self.left > 0 { Ok(()) } else { Err(std::fmt::Error) }
    }
}

/// The mark of a model without the ports that come and go: everything that a snapshot does not
/// hold itself. Masses, stiffnesses and other parameters are in the snapshot.
pub(super) fn mark(model: &Model) -> u64 {
    let mut hash = Fnv::default();
    hash.count(model.bodies.len());
    model.bodies.iter().for_each(|body| add_body(&mut hash, body));
    hash.count(model.elements.len());
    model.elements.iter().for_each(|element| add_element(&mut hash, element));
    hash.count(model.systems.len());
    model.systems.iter().for_each(|system| add_system(&mut hash, system));
    if let Some(contact) = &model.contact {
        hash.count(contact.capacity);
        hash.count(contact.rows);
    }
    hash.0
}

fn add_body(hash: &mut Fnv, body: &BodyInfo) {
    hash.text(&body.name);
    hash.place(body.moving);
    hash.place(body.owner.map(|(system, _)| system.index()));
    hash.place(body.owner.map(|(_, link)| link));
    hash.add(body.center_of_mass.as_slice());
    hash.add(body.body_from_principal.coords.as_slice());
    if body.moving.is_none() {
        hash.add(body.start.position.as_slice());
        hash.add(body.start.rotation.coords.as_slice());
    }
    match &body.shape {
        None => hash.count(0),
        Some(shape) => add_shape(hash, shape),
    }
    match &body.collider {
        None => hash.count(0),
        Some(_) if body.from_shape => hash.count(1),
        Some(collider) => hash.described(collider),
    }
}

pub(super) fn add_shape(hash: &mut Fnv, shape: &Shape) {
    match shape {
        Shape::Sphere { radius } => hash.add(&[1.0, *radius]),
        Shape::Box { half_extents: e } => hash.add(&[2.0, e.x, e.y, e.z]),
        Shape::Capsule { half_length, radius } => hash.add(&[3.0, *half_length, *radius]),
        Shape::Cylinder { half_length, radius } => hash.add(&[4.0, *half_length, *radius]),
        Shape::ConvexHull { surface } | Shape::Mesh { surface } => {
            hash.count(surface.triangles().len());
            hash.count(surface.vertices().len());
            surface.vertices().iter().for_each(|v| hash.add(v.as_slice()));
        }
    }
}

fn add_element(hash: &mut Fnv, element: &ElementInfo) {
    hash.text(&element.name);
    hash.described(&element.kind);
    element.ends.iter().for_each(|end| hash.place(*end));
    hash.count(usize::from(element.joint) + 2 * usize::from(element.rubs));
    hash.add(&element.stops.unwrap_or([f64::NAN; 2]));
}

fn add_system(hash: &mut Fnv, system: &SystemInfo) {
    hash.text(&system.name);
    hash.count(system.nodes.start);
    hash.count(system.nodes.end);
    hash.count(system.law.freedoms());
    hash.described(&system.law);
}
