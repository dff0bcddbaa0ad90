//! What there is to watch in a world, besides its energy.

use palpable::{Anchor, BodyId, PortId};

/// What a checker looks at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Watch {
    /// All ports; their work must be what the ledger calls supplied.
    pub ports: Vec<PortId>,
    /// True if there are chains: their potential is carried, not measured.
    pub chains: bool,
    /// True if there are beams, whose energy no pose shows.
    pub beams: bool,
    /// In a world that nothing acts on, the size of its largest body [m]: momentum is kept.
    pub free: Option<f64>,
    /// Bodies that must stay above the floor `z = 0`, and their radii [m].
    pub above: Vec<(BodyId, f64)>,
    /// Joints that must stay closed.
    pub closed: Vec<Closed>,
}

/// A hard joint that holds two points together.
#[derive(Debug, Clone, PartialEq)]
pub struct Closed {
    /// Its name.
    pub name: String,
    /// The two points.
    pub ends: [Anchor; 2],
    /// How far apart they were built [m].
    pub offset: f64,
}
