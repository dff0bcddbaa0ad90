//! The equation of one step with a polynomial potential, and its safeguarded Newton solver.

/// Enough for a bracket 1e19 times too wide at the slowest rate of Newton, 4/5 per iteration.
const MAX_ITERATIONS: u32 = 200;

/// The discrete-gradient equation `g(v_mid) = 0` of a step.
///
/// # Equation
/// ```text
/// g(v_mid) = 2m/h (v_mid − v) + b v_mid + dφ(Δ) − f,  Δ = h v_mid    [Lee2008, (9)-(10)]
/// dφ(Δ) = [φ(x+Δ) − φ(x)]/Δ = Σ φ⁽ⁿ⁾(x)/n! Δⁿ⁻¹                     [Lee2008, (12)]
/// ```
/// # Guarantee
/// `g' ≥ 2m/h + b + h/2 min φ''`, the least slope; positive, it makes the root unique and no
/// further from zero than `|g(0)|` over it.
/// # Differs from the source
/// The paper solves a quartic in closed form, which loses up to ten digits in doubles. The
/// quotient of differences is never formed: it cancels. Solved for `v_mid`, not `Δ`, so that
/// one rounded `2m/h` serves every term, and energy does not drift with its rounding.
pub(super) struct StepEquation {
    /// Length of the step [s].
    pub h: f64,
    /// 2m/h [N·s/m].
    pub inertia: f64,
    /// b [N·s/m].
    pub damping: f64,
    /// Velocity at the start [m/s].
    pub v: f64,
    /// Held port force [N].
    pub force: f64,
    /// φ⁽ⁿ⁾(x)/n!, n = 1..6.
    pub taylor: [f64; 6],
    /// Lower bound of φ'' [N/m].
    pub minimum_curvature: f64,
}

/// The root of a step equation.
pub(super) struct Root {
    /// Representative velocity of the step [m/s].
    pub v_mid: f64,
    /// The spring's force over the step, dφ(Δ) [N].
    pub spring_force: f64,
    /// Slope of dφ at the root [N/m].
    pub spring_slope: f64,
    pub iterations: u32,
}

/// dφ, its slope, and the sum of the absolute values of its terms.
struct Spring {
    force: f64,
    slope: f64,
    magnitude: f64,
}

impl StepEquation {
    /// The root, to rounding; `None` if the numbers overflow or the slope may vanish.
    pub(super) fn solve(&self) -> Option<Root> {
        let least_slope = self.inertia + self.damping + 0.5 * self.h * self.minimum_curvature;
        let reach = -self.residual(0.0, &self.spring(0.0)) / least_slope;
        if !(least_slope > 0.0 && reach.is_finite()) {
            return None;
        }
        // twice the bound, so that rounding cannot shut the root out
        let (mut lower, mut upper) = ((2.0 * reach).min(0.0), (2.0 * reach).max(0.0));
        let mut v_mid = 0.0;
        for iterations in 0..MAX_ITERATIONS {
            let spring = self.spring(v_mid);
            let residual = self.residual(v_mid, &spring);
            if residual > 0.0 {
                upper = v_mid;
            } else {
                lower = v_mid;
            }
            let newton = v_mid - residual / (self.inertia + self.damping + self.h * spring.slope);
            let inside = newton > lower && newton < upper;
            let next = if inside { newton } else { 0.5 * (lower + upper) };
            if residual.abs() <= f64::EPSILON * self.terms(v_mid, &spring) || next == v_mid {
                return self.finish(newton, iterations);
            }
            v_mid = next;
        }
        None
    }

    fn spring(&self, v_mid: f64) -> Spring {
        let delta = self.h * v_mid;
        let start = Spring { force: 0.0, slope: 0.0, magnitude: 0.0 };
        self.taylor.iter().rev().fold(start, |s, t| Spring {
            slope: s.slope * delta + s.force,
            force: s.force * delta + t,
            magnitude: s.magnitude * delta.abs() + t.abs(),
        })
    }

    fn residual(&self, v_mid: f64, spring: &Spring) -> f64 {
        self.inertia * (v_mid - self.v) + self.damping * v_mid + spring.force - self.force
    }

    /// Sum of the absolute values of the terms of the residual, the scale of its rounding.
    fn terms(&self, v_mid: f64, spring: &Spring) -> f64 {
        self.inertia * (v_mid.abs() + self.v.abs())
            + self.damping * v_mid.abs()
            + spring.magnitude
            + self.force.abs()
    }

    /// The forces at the root.
    fn finish(&self, v_mid: f64, iterations: u32) -> Option<Root> {
        let spring = self.spring(v_mid);
        let root =
            Root { v_mid, spring_force: spring.force, spring_slope: spring.slope, iterations };
        (v_mid.is_finite() && spring.force.is_finite()).then_some(root)
    }
}
