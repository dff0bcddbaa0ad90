//! Springs that cannot give back more than the store of their contact has.
//!
//! Two ways. The first keeps the force that spends the store, as far as the mobility of two free
//! bodies tells; it is exact for one contact, and an estimate where others press on the same bodies
//! or joints hold them. The second is exact for any motion: the springs begin at the depth that the
//! store pays for.
//!
//! # Equation
//! ```text
//! h s [λ·(u − (1 − s) W λ) + max(0, −½ λ·u⁻)] = store                          the first
//! d = max(0, δ + (h/2) a·u*),   U = ½ κ ∫ d² dS + ½ k_t ∫ |r + θ×p|² dS        the second
//! d, r, θ ← s d, s r, s θ,   s² = store/U   where   U > store
//! ```
//! `u⁻` is the motion at the start of the step: without its term the force that does no work turns
//! an approach around, `u⁺ = 2û − u⁻ = −u⁻`, and a body on a layer without energy would hop from
//! step to step for ever. With it an empty store stops what comes, and the store has it then.
//!
//! # Guarantee
//! A linear spring at the midpoint gives `h λ·û = U − U⁺ ≤ U`, whatever `û` is.

use super::pressing::{Pressing, Rubbing, Spot};
use super::rub::drag;
use super::slope::{Rows, Slope, rub};
use crate::contact::Site;
use crate::math::{Mat6, Vec6};
use crate::model::VolumeKind;
use crate::stamp;

/// Works that differ by less than this part of what the force alone would do are equal: velocities
/// are differences of what forces cause.
const ROUNDING: f64 = 1e-13;

impl Pressing {
    /// Springs that would give back more than they have are kept to that.
    pub(super) fn stay_within_store(&mut self, site: &Site, h: f64, u: &Vec6) -> bool {
        if self.springs.off || self.springs.held_fast || self.pair.law.kind == VolumeKind::Printed {
            return false;
        }
        let lambda = self.parts.elastic;
        let given = h * lambda.dot(u);
        // losses fill the store afterwards: they change with the force
        let budget = self.memory.store.max(0.0);
        if given <= budget {
            return false;
        }
        let a = lambda.dot(&(self.mobility(site, h) * lambda));
        let stops = (-0.5 * lambda.dot(&self.twist_at_start(site))).max(0.0);
        let b = lambda.dot(u) - a + stops;
        let root = (b * b + 4.0 * a * budget / h).sqrt();
        let scale = if a > 0.0 { (0.5 * (root - b) / a).clamp(0.0, 1.0) } else { 0.0 };
        let sticks = self.friction.rubbing == Rubbing::Sticks;
        self.springs.fixed = Some(if scale.is_finite() { lambda * scale } else { Vec6::zeros() });
        self.springs.held_fast = sticks;
        true
    }

    /// How its bodies moved when the step began.
    fn twist_at_start(&self, site: &Site) -> Vec6 {
        let of = |(node, j): (&Option<usize>, &Rows)| {
            node.map_or(Vec6::zeros(), |n| j.times(&site.state.bodies[n].twist()))
        };
        self.pair.nodes.iter().zip(&self.rows).map(of).sum()
    }

    /// `J A⁻¹ Jᵀ` by its bodies' masses and its own dampers: `(W⁻¹ + D)⁻¹`.
    fn mobility(&self, site: &Site, h: f64) -> Mat6 {
        let mut sum = Mat6::zeros();
        for (node, j) in self.pair.nodes.iter().zip(&self.rows) {
            let Some(node) = *node else { continue };
            let mass = stamp::mass_vector(&site.params.bodies[node]);
            let inverse = mass.map(|m| if m > 0.0 { 0.5 * h / m } else { 0.0 });
            let j = j.matrix();
            sum += j * Mat6::from_diagonal(&inverse) * j.transpose();
        }
        let mut damper = Slope::zeros();
        match &self.friction.rubbing {
            Rubbing::Sticks => damper.shear = self.sums.shear * self.pair.law.shear_damping,
            Rubbing::Slips => damper.shear = self.friction.drag,
            Rubbing::Smooth | Rubbing::Dragged(_) => {}
        }
        if self.springs.braked.is_none() {
            damper.normal = self.sums.normal * self.pair.law.damping;
        }
        let slower = (Mat6::identity() + damper.matrix() * sum).try_inverse();
        slower.map_or(sum, |s| sum * s)
    }

    /// What its springs, and what is meant to brake, would give beyond its store [J].
    pub(super) fn shortage(&self, site: &Site, h: f64, u: &Vec6) -> f64 {
        let parts = &self.parts;
        let (given, damped, rubbed) =
            (parts.elastic.dot(u), parts.damped.dot(u), parts.rubbed.dot(u));
        let wanted = given + damped.max(0.0) + rubbed.max(0.0);
        let short = h * wanted - self.memory.store.max(0.0);
        if !(short > 0.0) || self.pair.law.kind == VolumeKind::Printed {
            return 0.0;
        }
        let lambda = parts.sum();
        let alone = lambda.dot(&(self.mobility(site, h) * lambda));
        let size = given.abs() + damped.abs() + rubbed.abs() + alone;
        if short > ROUNDING * h * size { short } else { 0.0 }
    }

    /// Lets its springs begin with what its store has, and a slide brake whatever the motion, about
    /// the twist `u`. False if they do already.
    pub(super) fn begin_from_store(&mut self, spots: &[Spot], h: f64, u: &Vec6) -> bool {
        if self.pair.law.kind == VolumeKind::Printed {
            return false;
        }
        let mut changed = !self.springs.bounded;
        if let Rubbing::Dragged(_) = self.friction.rubbing {
            self.friction.drag = drag(spots, self.pressure().max(0.0) * self.pair.mu.sliding, u);
            self.friction.rubbing = Rubbing::Slips;
            changed = true;
        }
        if !self.springs.bounded {
            self.springs.bounded = true;
            self.begin_with(spots, h);
        }
        changed
    }

    fn begin_with(&mut self, spots: &[Spot], h: f64) {
        let sticks = self.friction.rubbing == Rubbing::Sticks;
        let stretched = if sticks { self.friction.strain } else { Vec6::zeros() };
        let rate = self.springs.expected * (0.5 * h);
        let (mut energy, mut push) = (0.0, Vec6::zeros());
        for s in spots {
            let depth = (s.depth + rate[0] + s.y * rate[4] - s.x * rate[5]).max(0.0);
            let force = self.pair.law.modulus * s.area * depth;
            energy += 0.5 * force * depth;
            push += Vec6::new(force, 0.0, 0.0, 0.0, force * s.y, -force * s.x);
        }
        // no spring in the step in which an impulse acts
        if self.awaits_impulse() {
            (energy, push) = (0.0, Vec6::zeros());
        } else {
            self.springs.fixed = None;
        }
        self.springs.held_fast = false;
        energy += 0.5 * self.pair.law.shear * stretched.dot(&rub(&self.sums.shear, &stretched));
        let store = self.memory.store.max(0.0);
        let scale = if energy > store { (store / energy).sqrt() } else { 1.0 };
        let scale = if scale.is_finite() { scale } else { 0.0 };
        (self.springs.push, self.springs.expected) = (push * scale, Vec6::zeros());
        self.friction.strain *= scale;
    }
}
