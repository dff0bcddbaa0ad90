//! When a step reaches the surface of the wall.

/// A quadratic `a T² − b T − c = 0` in the time `T` to the surface, with `c ≥ 0`.
pub(super) struct Crossing {
    pub a: f64,
    pub b: f64,
    pub c: f64,
}

impl Crossing {
    /// From outside, a distance `gap ≥ 0` away: `f T² + 2 m v T − 2 m gap = 0`
    /// [Lee2008, (15)].
    pub(super) fn entering(mass: f64, gap: f64, v: f64, force: f64) -> Self {
        Self { a: force, b: -2.0 * mass * v, c: 2.0 * mass * gap }
    }

    /// From inside, `depth ≥ 0` under the surface:
    /// `(½ k depth − f) T² − (2 m v + b depth) T − 2 m depth = 0`, which is [Lee2008, (13)-(14)]
    /// with the surface as the end of the step.
    pub(super) fn leaving(
        mass: f64,
        (stiffness, damping): (f64, f64),
        depth: f64,
        v: f64,
        force: f64,
    ) -> Self {
        Self {
            a: 0.5 * stiffness * depth - force,
            b: 2.0 * mass * v + damping * depth,
            c: 2.0 * mass * depth,
        }
    }

    /// The smallest time greater than zero, if there is one; no difference of like numbers is
    /// formed outside the discriminant.
    pub(super) fn first(&self) -> Option<f64> {
        let Self { a, b, c } = *self;
        let root = if c == 0.0 {
            b / a
        } else {
            let discriminant = b * b + 4.0 * a * c;
            if discriminant < 0.0 {
                return None;
            }
            if b < 0.0 {
                2.0 * c / (discriminant.sqrt() - b)
            } else {
                0.5 * (b + discriminant.sqrt()) / a
            }
        };
        (root.is_finite() && root > 0.0).then_some(root)
    }
}
