//! A mass, a damper and a polynomial potential.

use super::account::{
    Attempt, EnergyAccount, State, StepReport, StepStatus, Sums, check_inputs, next_velocity,
};
use super::discrete_gradient::StepEquation;
use super::error::{BenchError, not_negative, positive_mass};
use super::polynomial::Polynomial;

/// Most substeps one step may be cut into before it is refused.
pub const MAX_SUBSTEPS: u32 = 4096;

/// A mass, a damper and a potential, stepped passively with any step length.
///
/// ```
/// use palpable_papers::one_dof::{Oscillator, Polynomial};
/// # fn main() -> Result<(), palpable_papers::one_dof::BenchError> {
/// let mut duffing = Oscillator::new(1.0, 0.0, Polynomial::new(&[0.0, 0.0, 0.5, 0.0, 0.25])?)?
///     .starting_at(1.0, 0.0)?;
/// let report = duffing.step(0.1, 0.0);
/// assert!(report.advanced() && report.energy.defect.abs() <= 1e-15);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oscillator {
    mass: f64,
    damping: f64,
    potential: Polynomial,
    /// Position counted from the centre of the potential: no digits go to a far centre.
    state: State,
}

impl Oscillator {
    /// Mass [kg], damping [N·s/m] and potential; at rest at the origin.
    pub fn new(mass: f64, damping: f64, potential: Polynomial) -> Result<Self, BenchError> {
        let (mass, damping) = (positive_mass(mass)?, not_negative("damping", damping)?);
        Self { mass, damping, potential, state: State::default() }.starting_at(0.0, 0.0)
    }

    /// Puts the mass at a position [m] with a velocity [m/s].
    pub fn starting_at(self, position: f64, velocity: f64) -> Result<Self, BenchError> {
        let State { position, velocity } = State::checked(position, velocity)?;
        let from_center = position - self.potential.center();
        Ok(Self { state: State::checked(from_center, velocity)?, ..self })
    }

    /// Position and velocity now.
    pub fn state(&self) -> State {
        State { position: self.potential.center() + self.state.position, ..self.state }
    }

    /// Energies stored now, with nothing moved.
    pub fn energy(&self) -> EnergyAccount {
        let stored = self.stored(&self.state);
        stored.close(&stored)
    }

    /// Advances by `h` [s] under a held port force [N].
    ///
    /// # Equation
    /// ```text
    /// m (v_next − v)/h + b v_mid + dφ = f                          [Lee2008, (10)]
    /// v_mid = (v_next + v)/2 = (x_next − x)/h                      [Lee2008, (9)]
    /// unique root:  2m/h² + b/h + ½ min φ'' > 0
    /// ```
    /// # Guarantee
    /// `f v_mid h = ΔE + damped` up to rounding, for every `h > 0`   [Lee2008, (11)].
    /// # Differs from the source
    /// When the condition for a unique root fails (a hill of the potential and a long step), the
    /// step is cut into equal substeps that meet it: beyond it no rule picks the root that
    /// belongs to the motion. More than [`MAX_SUBSTEPS`] of them: the step is refused.
    pub fn step(&mut self, h: f64, force: f64) -> StepReport {
        let (attempt, stored) = (self.attempt(h, force), self.stored(&self.state));
        self.state.take(attempt, stored)
    }

    fn attempt(&self, h: f64, force: f64) -> Attempt {
        check_inputs(h, force)?;
        let substeps = self.substeps(h)?;
        let (mut state, mut progress) = (self.state, Sums { substeps, ..Sums::default() });
        for _ in 0..substeps {
            state = self.substep(state, h / f64::from(substeps), force, &mut progress)?;
        }
        let stored = [self.stored(&self.state), self.stored(&state)];
        progress.finish(stored, state, h, force)
    }

    /// How many equal parts of `h` have a unique root: the least n with
    /// `2m n²/h² + b n/h + ½ min φ'' > 0`, with 1 % to spare.
    fn substeps(&self, h: f64) -> Result<u32, StepStatus> {
        let hill = -self.potential.minimum_curvature();
        if hill <= 0.0 {
            return Ok(1);
        }
        let b = self.damping;
        let limit = h * hill / (b + (b * b + 4.0 * self.mass * hill).sqrt());
        let parts = (1.01 * limit).ceil().max(1.0);
        if parts <= f64::from(MAX_SUBSTEPS) {
            Ok(parts as u32)
        } else {
            Err(StepStatus::TooManySubsteps)
        }
    }

    fn substep(
        &self,
        state: State,
        h: f64,
        force: f64,
        progress: &mut Sums,
    ) -> Result<State, StepStatus> {
        let (b, v) = (self.damping, state.velocity);
        let inertia = 2.0 * self.mass / h;
        let equation = StepEquation {
            h,
            inertia,
            damping: b,
            v,
            force,
            taylor: self.potential.taylor(state.position),
            minimum_curvature: self.potential.minimum_curvature(),
        };
        let root = equation.solve().ok_or(StepStatus::Unsolved)?;
        let v_mid = root.v_mid;
        let net = force - b * v_mid - root.spring_force;
        let answer = b + h * root.spring_slope.abs();
        progress.displacement += h * v_mid;
        progress.damped += b * v_mid * v_mid * h;
        progress.iterations += root.iterations;
        Ok(State {
            position: state.position + h * v_mid,
            velocity: next_velocity(inertia, v, v_mid, net, answer),
        })
    }

    fn stored(&self, state: &State) -> EnergyAccount {
        EnergyAccount {
            kinetic: 0.5 * self.mass * state.velocity * state.velocity,
            potential: self.potential.energy_from_center(state.position),
            ..EnergyAccount::default()
        }
    }
}
