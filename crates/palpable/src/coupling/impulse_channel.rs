//! Impulses on the way to a device: what it cannot do at once it does in the steps that follow.

use super::rendering::{Impulses, Rendering, within};
use crate::math::Vec3;

/// The channel of the four-channel controller that brings the collisions of the tool to the hand,
/// beside the spring between them.
///
/// # Equation
/// ```text
/// F = s + i,   Σ h i = Σ 𝒥ᵀp,   |F| ≤ most,   |Δi| ≤ slew h          [Constantinescu2005, (26)]
/// W = −Σ i·Δy ≥ 0
/// ```
/// # Symbols
/// `s`, `i` force of the spring and of impulses on the hand [N]; `p` impulses on the tool [N·s];
/// `y` the hand [m]; `W` energy that the hand gave to impulses and did not get back [J]. The same
/// for torques.
/// # Guarantee
/// Force and torque never exceed the limits. The hand gets no more energy from impulses than it
/// gave to them, up to what a force does within one period or until the slew of the device has
/// ended it (`i²/2 slew` times the speed), and that is taken back by a damper.
/// With [`Rendering::Spread`] and [`Rendering::Scale`] hand and tool get the same impulse, unless
/// the hand would gain by it: a hand lighter than its tool stops, the rest is forgotten.
/// # Differs from the source
/// The slew of a device and the account of energy are ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpulseChannel {
    impulses: Impulses,
    slew: [f64; 2],
    /// what the tool had and the hand not yet [N·s, N·m·s]
    owed: [Vec3; 2],
    /// forces of impulses on the hand in the last period
    held: [Vec3; 2],
    energy: f64,
}

impl ImpulseChannel {
    /// A channel to a device that may change its force at once.
    pub fn new(impulses: Impulses) -> Self {
        let none = [Vec3::zeros(); 2];
        Self { impulses, slew: [f64::INFINITY; 2], owed: none, held: none, energy: 0.0 }
    }

    /// Fastest change of the force of impulses [N/s] and of their torque [N·m/s]; what makes no
    /// sense counts as no limit.
    pub fn with_slew(mut self, force: f64, torque: f64) -> Self {
        self.slew = [force, torque].map(|s| if s > 0.0 { s } else { f64::INFINITY });
        self
    }

    /// What it was made with.
    pub fn impulses(&self) -> &Impulses {
        &self.impulses
    }

    /// Energy that the hand gave to impulses and did not get back [J].
    pub fn energy(&self) -> f64 {
        self.energy
    }

    /// Force and torque of impulses on the hand in the present period [N, N·m].
    pub fn force(&self) -> [Vec3; 2] {
        self.held
    }

    /// Impulse that the hand has yet to get [N·s], and its moment [N·m·s].
    pub fn owed(&self) -> [Vec3; 2] {
        self.owed
    }

    /// Force and torque on the hand in the coming period of `h` [s]: of impulses on the tool in the
    /// step before, with their moments, besides the spring. The hand has moved by a way [m] and a
    /// turn [rad] in the last period. What is not a number counts as nothing.
    pub fn felt(
        &mut self,
        impulse: [Vec3; 2],
        spring: [Vec3; 2],
        moved: [Vec3; 2],
        h: f64,
    ) -> [Vec3; 2] {
        if !(h > 0.0 && h.is_finite()) {
            return [Vec3::zeros(); 2];
        }
        let [impulse, moved] = [impulse, moved].map(|pair| pair.map(sound));
        self.energy -= self.held[0].dot(&moved[0]) + self.held[1].dot(&moved[1]);
        let most = [self.impulses.force, self.impulses.torque];
        let keeps = self.impulses.rendering != Rendering::Saturate;
        let rest = [0, 1].map(|k| impulse[k] + self.owed[k] * f64::from(keeps));
        let share = self.affordable(&rest, &moved, h);
        let brake = [within(self.brake(&moved[0]), self.slew[0] * h), Vec3::zeros()];
        let mut out = [Vec3::zeros(); 2];
        for k in 0..2 {
            let s = within(spring[k], most[k]);
            let size = rest[k].norm();
            // so large that it can be gone again when all is applied, or what the hand gave is back
            let away = rest[k].dot(&moved[k]) / (h * size.max(f64::MIN_POSITIVE));
            let paid = if away > 0.0 { self.energy.max(0.0) / away } else { f64::INFINITY };
            let top = (2.0 * self.slew[k] * size.min(paid)).sqrt().min(size / h);
            let wanted = within(rest[k] * (share / h), top) + brake[k];
            let i = self.held[k] + within(wanted - self.held[k], self.slew[k] * h);
            let room = if (s + i).norm() > most[k] { most[k] - s.norm() } else { most[k] };
            let i = within(i, room.max(0.0));
            self.owed[k] = if share < 1.0 { Vec3::zeros() } else { rest[k] - i * h };
            out[k] = s + i;
            self.held[k] = i;
        }
        out
    }

    /// Part of the impulses that the hand may get without gaining by them, at its present pace.
    fn affordable(&self, rest: &[Vec3; 2], moved: &[Vec3; 2], h: f64) -> f64 {
        let gain = (rest[0].dot(&moved[0]) + rest[1].dot(&moved[1])) / h;
        let have = self.energy.max(0.0);
        if gain > have { have / gain } else { 1.0 }
    }

    /// A damper that takes back what the hand got beyond what it gave, as far as it moves [N].
    fn brake(&self, moved: &Vec3) -> Vec3 {
        let square = moved.norm_squared();
        let owes = self.energy < 0.0 && square > 0.0;
        if owes { sound(moved * (self.energy / square)) } else { Vec3::zeros() }
    }
}

fn sound(v: Vec3) -> Vec3 {
    if v.iter().all(|a| a.is_finite()) { v } else { Vec3::zeros() }
}
