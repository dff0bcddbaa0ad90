//! Energy at the handle, from what was sent and where the handle went.

use crate::device::Sample;
use crate::safety::Command;
use palpable::math::so3;

/// Energy that the hand received.
///
/// # Equation
/// ```text
/// motors += w,            w = f_(k-1)·Δx + τ_(k-1)·Δφ    exact for a held force
/// given  += w − b|Δx|²/h                                 the damper takes ∫bv² ≥ b|Δx|²/h
/// ```
/// # Symbols
/// `Δφ` rotation vector of the turn; `b` the device's own damping [N·s/m], 0 if not known.
/// # Guarantee
/// The hand, and the mass of the handle, got no more than `given`; exact positions assumed. Encoder
/// steps `Δ` blur it by `fΔ` a reversal. Torque is exact to second order.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HandleEnergy {
    damping: f64,
    motors: f64,
    given: f64,
    most: f64,
    last: Option<(Sample, Command)>,
}

impl HandleEnergy {
    /// On a device with this damping of its own [N·s/m].
    pub fn new(damping: f64) -> Self {
        Self { damping, ..Self::default() }
    }

    /// A new reading arrived, `h` [s] after the last one.
    pub fn arrive(&mut self, sample: &Sample, h: f64) {
        let Some((seen, held)) = &self.last else { return };
        if !sample.is_finite() || !seen.is_finite() {
            return;
        }
        let way = sample.position - seen.position;
        let turn = so3::log(&(sample.rotation * seen.rotation.inverse()));
        let work = held.force().dot(&way) + held.torque().dot(&turn);
        self.motors += work;
        self.given += work - self.damping * way.norm_squared() / h;
        self.most = self.most.max(self.given);
    }

    /// Work that the motors did since the start [J].
    pub fn motors(&self) -> f64 {
        self.motors
    }

    /// A command was sent, to be held from `sample` on.
    pub fn hold(&mut self, sample: &Sample, command: &Command) {
        self.last = Some((*sample, *command));
    }

    /// Energy that the hand received since the start, negative if it put energy in [J].
    pub fn given(&self) -> f64 {
        self.given
    }

    /// The most it ever had received: above zero the hand got back more than it had put in [J].
    pub fn most(&self) -> f64 {
        self.most
    }
}
