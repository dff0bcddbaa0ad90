//! A ball that bounces on a spring: the exact motion, and how far the passive one lags behind it.

/// Ball and floor. Positions count from the floor, downwards.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    /// Mass \[kg\].
    pub mass: f64,
    /// Gravity \[m/s²\].
    pub gravity: f64,
    /// Stiffness of the floor \[N/m\].
    pub stiffness: f64,
    /// Height from which it is let go at rest \[m\].
    pub height: f64,
}

impl Ball {
    /// Energy above that of rest on the undeformed floor \[J\].
    pub(super) fn energy(&self) -> f64 {
        self.mass * self.gravity * self.height
    }

    /// Frequency of the floor's spring with the ball \[rad/s\].
    pub(super) fn omega(&self) -> f64 {
        (self.stiffness / self.mass).sqrt()
    }

    /// Where the spring carries the weight \[m\].
    fn sag(&self) -> f64 {
        self.mass * self.gravity / self.stiffness
    }

    /// Speed at the floor \[m/s\].
    fn impact_speed(&self) -> f64 {
        (2.0 * self.gravity * self.height).sqrt()
    }

    /// Amplitude of the arc inside the floor \[m\] and its phase at the surface \[rad\].
    fn arc(&self) -> (f64, f64) {
        let (sag, side) = (self.sag(), self.impact_speed() / self.omega());
        (sag.hypot(side), sag.atan2(side))
    }

    /// Largest speed of the motion \[m/s\], at the sag.
    pub(super) fn top_speed(&self) -> f64 {
        self.omega() * self.arc().0
    }

    /// Duration of a fall, of a contact, and of a whole bounce \[s\].
    pub(super) fn durations(&self) -> (f64, f64, f64) {
        let fall = self.impact_speed() / self.gravity;
        let contact = (std::f64::consts::PI + 2.0 * self.arc().1) / self.omega();
        (fall, contact, 2.0 * fall + contact)
    }

    /// Exact position at a time after the release \[m\].
    ///
    /// ```text
    /// outside  p = −height + g t²/2
    /// inside   p = sag + A sin(ω τ − β),  A sin β = sag,  A cos β = v_0/ω
    /// ```
    pub(super) fn exact(&self, time: f64) -> f64 {
        let (fall, contact, period) = self.durations();
        let t = time.rem_euclid(period);
        let flight = |t: f64| 0.5 * self.gravity * t * t - self.height;
        let (amplitude, phase) = self.arc();
        if t < fall {
            flight(t)
        } else if t < fall + contact {
            self.sag() + amplitude * (self.omega() * (t - fall) - phase).sin()
        } else {
            flight(period - t)
        }
    }

    /// Time that a passive step `h` from `(p, v)` spends inside the floor, up to the surface
    /// \[s\]. Holds while the ball cannot leave and come back within a step.
    ///
    /// ```text
    /// entering  g T² + 2 v T − 2 |p| = 0                               [Lee2008, (15)]
    /// leaving   (k p/2 − m g) T² − 2 m v T − 2 m p = 0                 [Lee2008, (13)-(14)]
    /// ```
    pub(super) fn time_inside(&self, p: f64, v: f64, h: f64) -> f64 {
        let Self { mass: m, gravity: g, stiffness: k, .. } = *self;
        if p < 0.0 || (p == 0.0 && v < 0.0) {
            let entry = ((v * v - 2.0 * g * p).sqrt() - v) / g;
            return (h - entry).max(0.0);
        }
        let (a, b) = (0.5 * k * p - m * g, m * v);
        let discriminant = b * b + 2.0 * m * p * a;
        let exit = (b + discriminant.sqrt()) / a;
        if exit.is_finite() && exit > 0.0 { h.min(exit) } else { h }
    }

    /// How much a passive part step `T` inside the floor lags behind the exact motion \[s\]: it
    /// turns by `2 atan(ωT/2)` where the motion turns by `ωT`.
    pub(super) fn lag(&self, part: f64) -> f64 {
        let omega = self.omega();
        part - 2.0 / omega * (0.5 * omega * part).atan()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BALL: Ball = Ball { mass: 1.0, gravity: 9.81, stiffness: 100.0, height: 1.0 };

    #[test]
    fn the_exact_motion_obeys_its_equation_and_keeps_its_energy() {
        let (d, mut t) = (1e-4, 0.01);
        while t < 4.0 {
            let p = |shift: f64| BALL.exact(t + shift * d);
            let v = (p(1.0) - p(-1.0)) / (2.0 * d);
            let a = (p(1.0) - 2.0 * p(0.0) + p(-1.0)) / (d * d);
            let force = 9.81 - 100.0 * p(0.0).max(0.0);
            let energy = 0.5 * v * v - 9.81 * p(0.0) + 50.0 * p(0.0).max(0.0).powi(2);
            // differences over 1e-4 s: truncation 1e-6, rounding of a 1e-7; a kink of the force
            // at the surface shows as half a step of its slope, 100 N/m · 4.4 m/s · 1e-4 s
            assert!((a - force).abs() < 0.03, "{t} {a} {force}");
            assert!((energy / BALL.energy() - 1.0).abs() < 1e-4, "{t} {energy}");
            t += 0.0137;
        }
    }
}
