//! One degree of freedom with viscous and Coulomb friction, solved exactly.

use nalgebra::Matrix4;
use palpable_passivity::expm;

/// Stops and starts that one interval may hold; more than four are not known to happen.
const EVENTS: u32 = 16;

/// A mass on a spring and a damper with Coulomb friction, under a force `f0 + f1 t`.
///
/// # Equation
/// ```text
/// m v' + b v + k x + f_c sign(v) = f0 + f1 t,   x' = v;   stuck while |f0 + f1 t − k x| ≤ f_c
/// ```
/// # Guarantee
/// Exact to rounding: each stretch between stops is one matrix exponential, stops are found to the
/// last bit. Units of translation; for a rotation read [kg·m²], [N·m·s/rad] and so on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// Moving mass [kg].
    pub mass: f64,
    /// Viscous damping [N·s/m].
    pub damping: f64,
    /// Stiffness to ground [N/m].
    pub stiffness: f64,
    /// Coulomb friction [N].
    pub coulomb_friction: f64,
}

impl Axis {
    /// A free mass.
    pub fn new(mass: f64, damping: f64) -> Self {
        Self { mass, damping, stiffness: 0.0, coulomb_friction: 0.0 }
    }

    /// Position and velocity after `h` [s] under the force `f0 + f1 t` [N].
    pub fn advance(&self, [x, v]: [f64; 2], [f0, f1]: [f64; 2], h: f64) -> [f64; 2] {
        if self.coulomb_friction == 0.0 {
            return self.glide([x, v], [f0, f1], h);
        }
        self.rub([x, v], [f0, f1], h)
    }

    /// Without Coulomb friction.
    fn glide(&self, [x, v]: [f64; 2], [f0, f1]: [f64; 2], h: f64) -> [f64; 2] {
        let hm = h / self.mass;
        #[rustfmt::skip]
        let a = Matrix4::new(
            0.0,                  h,                  0.0,     0.0,
            -self.stiffness * hm, -self.damping * hm, hm * f0, hm * f1,
            0.0,                  0.0,                0.0,     0.0,
            0.0,                  0.0,                h,       0.0,
        );
        let e = expm(&a);
        let row = |i: usize| e[(i, 0)] * x + e[(i, 1)] * v + e[(i, 2)];
        [row(0), row(1)]
    }

    /// With Coulomb friction: stretches of one direction, and rests.
    fn rub(&self, [mut x, mut v]: [f64; 2], [mut f0, f1]: [f64; 2], h: f64) -> [f64; 2] {
        let friction = self.coulomb_friction;
        let mut left = h;
        for _ in 0..EVENTS {
            let mut way = v.signum();
            if v == 0.0 {
                let (rest, next) = self.rest(f0 - self.stiffness * x, f1);
                if rest >= left {
                    return [x, 0.0];
                }
                (left, f0, way) = (left - rest, f0 + f1 * rest, next);
            }
            let drive = [f0 - friction * way, f1];
            let Some(stop) = self.first_stop([x, v], drive, way, left) else {
                return self.glide([x, v], drive, left);
            };
            [x, v] = [self.glide([x, v], drive, stop)[0], 0.0];
            (left, f0) = (left - stop, f0 + f1 * stop);
            if !(left > 0.0) {
                break;
            }
        }
        [x, v]
    }

    /// How long a resting mass stays under a load that changes at `rate`, and which way it goes.
    fn rest(&self, load: f64, rate: f64) -> (f64, f64) {
        if load.abs() > self.coulomb_friction {
            return (0.0, load.signum());
        }
        if rate == 0.0 {
            return (f64::INFINITY, 0.0);
        }
        let way = rate.signum();
        ((way * self.coulomb_friction - load) / rate, way)
    }

    /// The first time in (0, h] at which a motion in direction `way` ends.
    fn first_stop(&self, start: [f64; 2], f: [f64; 2], way: f64, h: f64) -> Option<f64> {
        let speed = |t: f64| way * self.glide(start, f, t)[1];
        // pieces shorter than a quarter of the undamped swing
        let pieces = (1.0 + h * (self.stiffness / self.mass).sqrt()).min(64.0) as u32;
        let mut low = 0.0;
        for i in 1..=pieces {
            let high = h * f64::from(i) / f64::from(pieces);
            if speed(high) <= 0.0 {
                return Some(bisect(low, high, speed));
            }
            low = high;
        }
        None
    }
}

/// The end of the part of [low, high] in which `speed` is above zero.
fn bisect(mut low: f64, mut high: f64, speed: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if speed(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}
