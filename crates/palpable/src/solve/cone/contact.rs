//! What goes into a [`super::ConeProblem`] and what comes out.

/// Idle residual of the impulse phase relative to the midpoint phase. A midpoint solve turns a
/// speed that the impulse phase left alone around, and sees twice of it in the next step; with less
/// than a half the two phases would keep each other busy.
const IMPULSE_IDLE: f64 = 0.25;

/// How a contact's rows may push.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// One row, `0 ≤ v + target ⟂ λ ≥ 0`.
    Unilateral,
    /// One row, `|λ| ≤ limit` against the motion: dry friction of a joint.
    Bounded {
        /// Largest force, ≥ 0 [unit of λ].
        limit: f64,
    },
    /// Rows n, t1, t2 with `‖λ_t‖ ≤ mu λ_n`.
    Frictional {
        /// Coefficient of friction.
        mu: f64,
    },
    /// Rows n, t1, t2, spin about n, and optionally rolling about t1 and t2 (4 or 6 rows):
    /// `|m_s| ≤ spin_radius λ_n`, `‖m_r‖ ≤ roll_radius λ_n`.
    Rolling {
        /// Coefficient of friction.
        mu: f64,
        /// [m]
        spin_radius: f64,
        /// [m]
        roll_radius: f64,
    },
}

/// One velocity group that a contact moves.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// Number that `ConeProblem::group` returned.
    pub group: usize,
    /// First column of `jacobian` inside the group.
    pub column: usize,
    /// `J`, row-major, rows × width.
    pub jacobian: &'a [f64],
    /// `A⁻¹ Jᵀ` transposed: row-major, rows × dimension of the group. Row r is the velocity that a
    /// unit force along row r gives the group.
    pub response: &'a [f64],
}

/// A group of six that a point with friction moves, in fixed sizes: see [`Side`].
#[derive(Debug, Clone, Copy)]
pub struct PointSide<'a> {
    /// Number that `ConeProblem::group` returned.
    pub group: usize,
    /// `J`.
    pub jacobian: &'a [[f64; 6]; 3],
    /// `A⁻¹ Jᵀ` transposed.
    pub response: [[f64; 6]; 3],
}

/// One contact, or one row of a joint, as data.
#[derive(Debug, Clone, Copy)]
pub struct Contact<'a> {
    /// How its rows may push.
    pub law: Law,
    /// Admissible approach speed, ≥ 0, `max(gap, 0)/h` in the midpoint phase [m/s].
    pub target: f64,
    /// Restitution in −1..=1, negative for part of the plastic impulse; read by [`Rule::Impulse`]
    /// only.
    pub restitution: f64,
    /// `c`: velocity of the rows without contact forces [m/s].
    pub bias: &'a [f64],
    /// What the law does not see of the velocity of the rows, though forces work at it [m/s]; empty
    /// is nothing. Half the velocity at the start of a step makes friction oppose that at its end.
    pub carry: &'a [f64],
    /// `λ` to start from; empty is cold.
    pub start: &'a [f64],
    /// Groups it moves. Usually one or two; the immovable world is left out.
    pub sides: &'a [Side<'a>],
}

/// Why a contact was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A buffer is full.
    #[error("the contact buffers are full: build the problem with a larger Capacity")]
    Full,
    /// Lengths do not agree.
    #[error("field `{0}` has a length that does not fit the law's rows or the group")]
    Shape(&'static str),
}

/// Sizes of the buffers of a problem. They are never exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity {
    /// Velocity groups.
    pub groups: usize,
    /// Sum of the dimensions of the groups.
    pub coordinates: usize,
    /// Contacts.
    pub contacts: usize,
    /// Sum of their rows.
    pub rows: usize,
    /// Sum of their sides.
    pub sides: usize,
    /// Sum over sides of rows × width.
    pub jacobian: usize,
    /// Sum over sides of rows × dimension of the group.
    pub response: usize,
}

impl Capacity {
    /// Free bodies that touch at points with friction, two bodies each.
    pub fn bodies(bodies: usize, contacts: usize) -> Self {
        Self {
            groups: bodies,
            coordinates: 6 * bodies,
            contacts,
            rows: 3 * contacts,
            sides: 2 * contacts,
            jacobian: 36 * contacts,
            response: 36 * contacts,
        }
    }
}

/// Which energy statement bounds the forces; applied per island to the warm start and to the end.
///
/// With `a = λ·Wλ` and `b = λ·c` a force `sλ` has the power `s²a + s b` over a midpoint step, an
/// impulse changes the energy by `½s²a + s b`. Cones stay satisfied under `0 ≤ s ≤ 1`,
/// so a scaled force is as lawful as the force was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// Zero-time impulse: `c = u⁻`, `A = M`, `ΔE = b + ½a ≤ 0`.
    ///
    /// The plastic solution `p` of an island is multiplied by `1 + e` where all approaching
    /// contacts agree on `e` and approach faster than `rest_speed`. Where they differ the clamped
    /// law holds at `û = ½(u⁻ + u⁺)`: `û_n ≥ ½(1−e_i) min(u⁻_n, 0)`. Both are passive for every e
    /// in 0..=1.
    Impulse {
        /// Approach speed below which nothing bounces, `2gh` works [m/s].
        rest_speed: f64,
    },
    /// Midpoint step: `c = û` without contact, `A = 2M/h + C + B`, power `a + b ≤ 0`.
    Midpoint,
}

/// Budget and accuracy of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConeSettings {
    /// Sweeps per island at most.
    pub sweeps: usize,
    /// Sweeps over a pile of free bodies that touch at points; a small pile may take more.
    pub point_sweeps: usize,
    /// Newton steps per island at most; 0 turns Newton off.
    pub newton_steps: usize,
    /// Islands of up to this many contacts are solved by Newton, larger ones by sweeps (32 at most,
    /// and 96 rows). Beyond 8 it leaves a tenth of the residual and takes twice the time where
    /// contacts change.
    pub newton_contacts: usize,
    /// Residual of the natural map at which an island that is worked on is done [m/s].
    pub tolerance: f64,
    /// Residual at which sweeps end, and Newton's method where it gains little [m/s]: what a step
    /// cannot feel. Below `tolerance` it says nothing.
    pub enough: f64,
    /// Residual up to which a warm start is taken as it is [m/s]; a quarter of it for impulses.
    ///
    /// Bodies at rest then cost no sweep, but for one thing: a small error of the forces moves
    /// them a little each step until the impulse phase has to stop them, again and again. So
    /// solve the midpoint phase with `idle = tolerance` after an impulse phase that was not idle.
    pub idle: f64,
    /// Nonsmooth conjugate gradients on top of the sweeps.
    pub accelerate: bool,
}

impl Default for ConeSettings {
    fn default() -> Self {
        let (sweeps, newton_steps, newton_contacts) = (50, 20, 8);
        let (tolerance, enough, idle) = (1e-11, 0.0, 1e-9);
        let (accelerate, point_sweeps) = (true, 8);
        Self {
            sweeps,
            point_sweeps,
            newton_steps,
            newton_contacts,
            tolerance,
            enough,
            idle,
            accelerate,
        }
    }
}

impl ConeSettings {
    /// Residual at which work on an island ends [m/s].
    pub fn good_enough(&self) -> f64 {
        self.tolerance.max(self.enough)
    }

    /// Residual up to which an impulse phase leaves a start as it is [m/s].
    pub fn impulse_idle(&self) -> f64 {
        (IMPULSE_IDLE * self.idle).max(self.tolerance)
    }
}

/// How one island went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IslandReport {
    /// Contacts in it.
    pub contacts: usize,
    /// Largest entry of the natural map before the last scaling [m/s].
    pub residual: f64,
    /// Scale of the warm start, 0..=1.
    pub start_scale: f64,
    /// Scale of the result, 0..=1; 1 unless the solver was stopped early.
    pub scale: f64,
    /// `1 + e` of an island that bounces, else 1.
    pub bounce: f64,
    /// Sweeps used.
    pub sweeps: usize,
    /// Newton steps used.
    pub newton_steps: usize,
    /// The warm start was taken as it is.
    pub idle: bool,
    /// Midpoint: power of the contacts [W]. Impulse: change of energy [J]. Not positive.
    pub work: f64,
}

/// How the whole problem went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConeReport {
    /// Islands solved.
    pub islands: usize,
    /// Largest residual of an island [m/s].
    pub residual: f64,
    /// Smallest scale of an island.
    pub scale: f64,
    /// Sum of all sweeps.
    pub sweeps: usize,
    /// Sum of all Newton steps.
    pub newton_steps: usize,
    /// Islands whose warm start was not good enough.
    pub busy: usize,
    /// Sum of the islands' work [W or J].
    pub work: f64,
}

impl Default for ConeReport {
    fn default() -> Self {
        let (islands, sweeps, newton_steps, busy) = (0, 0, 0, 0);
        Self { islands, residual: 0.0, scale: 1.0, sweeps, newton_steps, busy, work: 0.0 }
    }
}

impl ConeReport {
    pub(super) fn add(&mut self, island: &IslandReport) {
        self.islands += 1;
        self.residual = self.residual.max(island.residual);
        self.scale = self.scale.min(island.scale);
        self.sweeps += island.sweeps;
        self.newton_steps += island.newton_steps;
        self.busy += usize::from(!island.idle);
        self.work += island.work;
    }
}
