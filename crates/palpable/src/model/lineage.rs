//! Marks of parts: an id of another model is refused, whoever is at its place.
//!
//! # Rule
//! The mark of a part is a hash of all that was described up to it, itself included: names, kinds,
//! shapes, who holds on to whom, and what was taken out. So an id is known to clones of its model,
//! to worlds built from them, however they were edited since, and to a model that was described in
//! the same way up to that part, where it names the same part; to no other. Masses, stiffnesses and
//! where things begin do not count, as for snapshots. Nothing depends on what else a program built.
//!
//! # Differs from certainty
//! Two histories have the same mark by chance once in 2⁶⁴ pairs.

use super::body::{Anchor, Body};
use super::builder::{Port, turns};
use super::mark::{Fnv, add_shape};
use super::spring::Spring;
use crate::port::ANY;

/// What was described so far, as a number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lineage(Fnv);

/// Kinds of parts.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    Body,
    Element,
    Port,
    System,
}

impl Lineage {
    /// The mark of a body that is added.
    pub fn body(&mut self, body: &Body) -> u64 {
        self.begin(Part::Body);
        self.describe(body);
        self.mark()
    }

    /// The mark of a spring, damper or joint that is added.
    pub fn element(&mut self, spring: &Spring) -> u64 {
        self.begin(Part::Element);
        self.measure(spring);
        self.mark()
    }

    /// The mark of a port that is added.
    pub fn port(&mut self, port: &Port) -> u64 {
        self.begin(Part::Port);
        self.0.text(&port.name);
        self.anchor(&port.anchor);
        self.0.place(port.coupling.as_ref().map(|coupling| usize::from(turns(coupling))));
        port.drive.iter().for_each(|drive| self.measure(drive));
        self.mark()
    }

    /// The mark of a subsystem that is added; its links follow it ([`along`]).
    pub fn system(&mut self, name: &str, freedoms: usize, links: &[Body]) -> u64 {
        self.begin(Part::System);
        self.0.text(name);
        self.0.count(freedoms);
        links.iter().for_each(|link| self.describe(link));
        self.mark()
    }

    /// A part leaves.
    pub fn remove(&mut self, part: Part, place: usize) {
        self.begin(part);
        self.0.place(None);
        self.0.count(place);
    }

    fn begin(&mut self, part: Part) {
        self.0.count(part as usize);
    }

    fn describe(&mut self, body: &Body) {
        self.0.text(&body.name);
        self.0.count(usize::from(body.fixed) + 2 * usize::from(body.solid));
        match &body.shape {
            Some(Ok(shape)) => add_shape(&mut self.0, shape),
            _ => self.0.count(0),
        }
    }

    fn measure(&mut self, spring: &Spring) {
        self.0.text(&spring.name);
        self.0.described(&spring.measure);
        self.0.count(usize::from(spring.joint));
        spring.ends.iter().for_each(|end| self.anchor(end));
    }

    fn anchor(&mut self, anchor: &Anchor) {
        self.0.place(anchor.body.map(|body| body.0));
    }

    fn mark(self) -> u64 {
        known(self.0.0)
    }
}

/// The mark of the part `i` places behind one, where several are added as one.
pub(crate) fn along(mark: u64, i: usize) -> u64 {
    // an odd number far from small ones: no two of 2⁶⁴ places meet
    let far = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    if mark == ANY { ANY } else { known(mark.wrapping_add(far)) }
}

/// The mark of the element that a port brings along.
pub(super) fn element_of(port: u64) -> u64 {
    let mut hash = Fnv(port);
    hash.count(Part::Element as usize);
    known(hash.0)
}

/// The mark of a place that nobody has.
pub(super) const NOBODY: u64 = u64::MAX;

/// A mark that means one part: neither whatever there is nor nobody.
fn known(mark: u64) -> u64 {
    if mark == ANY || mark == NOBODY { 1 } else { mark }
}
