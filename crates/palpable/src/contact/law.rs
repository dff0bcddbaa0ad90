//! The seam of contact laws: which stage takes which touches.
//!
//! Every touch has the law of its pair of materials ([`crate::model::Material::law`]), or that of
//! the world where neither surface names one; stops of joints have that of the world. A stage asks
//! the touch whether it is one of its own:
//!
//! | law | in no time | at the midpoint velocity | places |
//! |---|---|---|---|
//! | `cone` | [`super::impulse`] | `solve/point`, `solve/cone` | [`super::push_out`] |
//! | `printed-elastic`, `printed-plastic` | | [`super::printed`], Lemke's method | |
//!
//! Pairs that yield are listed apart by the pipeline (`contact/volume`). They become touches only
//! where their law has impulses, and then nothing but impulses acts on these ([`super::meet`]).
//! A pile in which laws meet is solved as one, by the solver of the exact cone.

use super::stage::Stage;
use super::touch::Touch;
use crate::model::ContactLaw;

impl Touch {
    /// It is stopped, or bounces, in no time, and its overlap is pushed out.
    #[inline]
    pub(super) fn is_conic(&self) -> bool {
        self.law == ContactLaw::Cone && !self.meeting.yields
    }
}

impl Stage {
    /// Stops of joints are stopped in no time, and pushed back.
    #[inline]
    pub(super) fn has_conic_stops(&self) -> bool {
        !self.stops.blocks.is_empty() && self.ask.law == ContactLaw::Cone
    }
}
