//! Euler integrators, for comparison with the passive ones.

use super::account::State;
use super::wall::Wall;

/// The three Euler rules the papers compare with. None of them is passive with free choice of
/// step length: per step of an undamped oscillator, with `s = ωh`, the explicit rule multiplies
/// the energy by `1 + s²`, the implicit one divides by it, and the symplectic one diverges for
/// `s > 2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Euler {
    /// Position and velocity both from the old state        [Lee2008, (6)-(7)].
    Explicit,
    /// Velocity from the old position, then position from the new velocity.
    Symplectic,
    /// Position and velocity both from the new state.
    Implicit,
}

impl Euler {
    /// One step `h` [s] of `m dv/dt + b v + k x = f`: mass [kg], stiffness [N/m], damping
    /// [N·s/m], held force [N].
    pub fn oscillator(
        self,
        state: State,
        h: f64,
        mass: f64,
        [stiffness, damping]: [f64; 2],
        force: f64,
    ) -> State {
        let State { position: x, velocity: v } = state;
        let net = force - damping * v - stiffness * x;
        let velocity = match self {
            Euler::Explicit | Euler::Symplectic => v + h / mass * net,
            Euler::Implicit => {
                let resistance = h * (damping + h * stiffness);
                (mass * v + h * (force - stiffness * x)) / (mass + resistance)
            }
        };
        let position = x + h * if self == Euler::Explicit { v } else { velocity };
        State { position, velocity }
    }

    /// One step `h` [s] of a mass [kg] against a wall, under a held force [N] that includes its
    /// weight. The side at the start of the step decides whether the wall answers.
    pub fn ball(self, state: State, h: f64, mass: f64, wall: Wall, force: f64) -> State {
        let p = state.position - wall.position;
        let law = if p > 0.0 { [wall.stiffness, wall.damping] } else { [0.0, 0.0] };
        let start = State { position: p, velocity: state.velocity };
        let end = self.oscillator(start, h, mass, law, force);
        State { position: wall.position + end.position, velocity: end.velocity }
    }
}
