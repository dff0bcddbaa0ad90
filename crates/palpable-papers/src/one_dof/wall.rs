//! A mass against a one-sided spring-damper wall, with or without gravity.

use super::account::{
    Attempt, EnergyAccount, State, StepReport, Sums, check_inputs, next_velocity,
};
use super::crossing::Crossing;
use super::error::{BenchError, finite, not_negative, positive_mass};

/// A wall that fills every position above its surface and answers with a spring and a damper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// Position of the surface [m]; the wall is beyond it, towards larger positions.
    pub position: f64,
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Damping inside the wall [N·s/m].
    pub damping: f64,
}

/// What happens when a step meets the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CollisionRule {
    /// Split the step at the crossing; the side afterwards is that of the velocity, then of the
    /// force. Passive.
    #[default]
    SplitBySign,
    /// Split the step and change sides at each crossing, as printed in [Lee2008]. Creates energy
    /// when damping turns the velocity at the surface back inside: for comparison.
    SplitByToggle,
    /// No splitting: one side for the whole step, that of its start. Creates energy: for
    /// comparison.
    Unsplit,
}

/// A mass, a wall, gravity and a port. With gravity towards the wall it is a bouncing ball.
///
/// ```
/// use palpable_papers::one_dof::{Wall, WallBench};
/// # fn main() -> Result<(), palpable_papers::one_dof::BenchError> {
/// let floor = Wall { position: 0.0, stiffness: 1000.0, damping: 0.0 };
/// let mut ball = WallBench::new(0.1, 9.81, floor)?.starting_at(-0.5, 0.0)?;
/// for _ in 0..100 {
///     ball.step(0.13, 0.0);
/// }
/// assert!((ball.energy().stored() - 0.4905).abs() <= 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallBench {
    mass: f64,
    gravity: f64,
    wall: Wall,
    rule: CollisionRule,
    /// Position counted from the surface: a shallow contact keeps all its digits.
    state: State,
}

/// Which dynamics hold.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Outside,
    Inside,
}

/// A step under way: `p` is the position relative to the surface [m].
struct Progress {
    p: f64,
    v: f64,
    side: Side,
    sums: Sums,
}

impl WallBench {
    /// Mass [kg], gravity towards larger positions [m/s²], wall; at rest on the surface.
    pub fn new(mass: f64, gravity: f64, wall: Wall) -> Result<Self, BenchError> {
        finite("wall position", wall.position)?;
        not_negative("wall stiffness", wall.stiffness)?;
        not_negative("wall damping", wall.damping)?;
        Ok(Self {
            mass: positive_mass(mass)?,
            gravity: finite("gravity", gravity)?,
            wall,
            rule: CollisionRule::default(),
            state: State::default(),
        })
    }

    /// Puts the mass at a position [m] with a velocity [m/s].
    pub fn starting_at(self, position: f64, velocity: f64) -> Result<Self, BenchError> {
        let State { position, velocity } = State::checked(position, velocity)?;
        let from_surface = position - self.wall.position;
        Ok(Self { state: State::checked(from_surface, velocity)?, ..self })
    }

    /// Selects what happens when a step meets the surface.
    pub fn with_rule(self, rule: CollisionRule) -> Self {
        Self { rule, ..self }
    }

    /// Position and velocity now.
    pub fn state(&self) -> State {
        State { position: self.wall.position + self.state.position, ..self.state }
    }

    /// Energies stored now, with nothing moved. Gravity counts from the surface.
    pub fn energy(&self) -> EnergyAccount {
        let stored = self.stored(&self.state);
        stored.close(&stored)
    }

    /// Advances by `h` [s] under a held port force [N].
    ///
    /// # Equation
    /// ```text
    /// m (v_next − v)/h + b v_mid + k (p_next + p)/2 = f + m g      inside     [Lee2008, (13)]
    /// m (v_next − v)/h = f + m g                                   outside
    /// ```
    /// with the step split where `p = 0`, at most twice: after the first crossing the force can
    /// bring the mass back from one side only        [Lee2008, (15)-(18)].
    /// # Guarantee
    /// `f v_mid h = ΔE + damped` up to rounding, for every `h > 0`   [Lee2008, (11)].
    /// # Differs from the source
    /// The side after a crossing is the sign of the velocity, then of the force. The paper
    /// changes sides, and creates the wall's energy from nothing when damping leaves a velocity
    /// at the surface that points back inside.
    pub fn step(&mut self, h: f64, force: f64) -> StepReport {
        let (attempt, stored) = (self.attempt(h, force), self.stored(&self.state));
        self.state.take(attempt, stored)
    }

    fn attempt(&self, h: f64, force: f64) -> Attempt {
        check_inputs(h, force)?;
        let total = force + self.mass * self.gravity;
        let mut step = self.begin(total);
        let mut left = h;
        while step.sums.crossings < 2 && self.rule != CollisionRule::Unsplit {
            let Some(time) = self.crossing(&step, total).first().filter(|t| *t <= left) else {
                break;
            };
            self.cross(&mut step, time, total);
            left -= time;
        }
        if left > 0.0 {
            self.advance(&mut step, left, total);
        }
        let state = State { position: step.p, velocity: step.v };
        let stored = [self.stored(&self.state), self.stored(&state)];
        step.sums.finish(stored, state, h, force)
    }

    fn begin(&self, total: f64) -> Progress {
        let (p, v) = (self.state.position, self.state.velocity);
        let side = if p == 0.0 { side_at_surface(v, total) } else { side_of(p) };
        Progress { p, v, side, sums: Sums::default() }
    }

    /// Stiffness [N/m] and damping [N·s/m] that hold on a side.
    fn law(&self, side: Side) -> (f64, f64) {
        match side {
            Side::Outside => (0.0, 0.0),
            Side::Inside => (self.wall.stiffness, self.wall.damping),
        }
    }

    fn crossing(&self, step: &Progress, total: f64) -> Crossing {
        match step.side {
            Side::Outside => Crossing::entering(self.mass, step.p.abs(), step.v, total),
            Side::Inside => {
                Crossing::leaving(self.mass, self.law(step.side), step.p.abs(), step.v, total)
            }
        }
    }

    /// A substep that ends on the surface, and the choice of side there.
    fn cross(&self, step: &mut Progress, time: f64, total: f64) {
        let v_mid = -step.p / time;
        let (stiffness, damping) = self.law(step.side);
        let net = total - damping * v_mid - 0.5 * stiffness * step.p;
        self.settle(step, time, v_mid, net);
        step.p = 0.0;
        step.sums.crossings += 1;
        step.side = match (self.rule, step.side) {
            (CollisionRule::SplitByToggle, Side::Outside) => Side::Inside,
            (CollisionRule::SplitByToggle, Side::Inside) => Side::Outside,
            _ => side_at_surface(step.v, total),
        };
    }

    /// A substep of given length on one side.
    fn advance(&self, step: &mut Progress, h: f64, total: f64) {
        let (stiffness, damping) = self.law(step.side);
        let answer = damping + 0.5 * h * stiffness;
        let inertia = 2.0 * self.mass / h;
        let held = total - stiffness * step.p;
        let slope = inertia + answer;
        let v_mid = (inertia * step.v + held) / slope;
        // one refinement: the rounding of the slope has one sign for the whole run
        let v_mid = v_mid - (inertia * (v_mid - step.v) + answer * v_mid - held) / slope;
        self.settle(step, h, v_mid, held - answer * v_mid);
        step.p += h * v_mid;
    }

    /// Velocity and flows of a substep with midpoint velocity `v_mid` and net force `net`.
    fn settle(&self, step: &mut Progress, h: f64, v_mid: f64, net: f64) {
        let (stiffness, damping) = self.law(step.side);
        let answer = damping + 0.5 * h * stiffness;
        step.v = next_velocity(2.0 * self.mass / h, step.v, v_mid, net, answer);
        step.sums.displacement += h * v_mid;
        step.sums.damped += damping * v_mid * v_mid * h;
        step.sums.substeps += 1;
    }

    fn stored(&self, state: &State) -> EnergyAccount {
        let p = state.position;
        let depth = p.max(0.0);
        EnergyAccount {
            kinetic: 0.5 * self.mass * state.velocity * state.velocity,
            potential: -self.mass * self.gravity * p,
            wall: 0.5 * self.wall.stiffness * depth * depth,
            ..EnergyAccount::default()
        }
    }
}

fn side_of(direction: f64) -> Side {
    if direction > 0.0 { Side::Inside } else { Side::Outside }
}

/// On the surface: where the velocity points, or the force if there is none.
fn side_at_surface(v: f64, total: f64) -> Side {
    side_of(if v == 0.0 { total } else { v })
}
