//! A sampled spring on a quantised encoder with Coulomb friction, simulated exactly.

use crate::error::{Result, finite, non_negative, positive};

/// Growth or decay slower than this counts as a limit cycle [1/s].
const SLOW: f64 = 0.02;
/// Windows into which a run is cut for its verdict.
const WINDOWS: usize = 8;

/// A mass with viscous and Coulomb friction held by a sampled spring on a stepped encoder, pushed
/// to rest midway between two codes: the worst place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantisedLoop {
    /// Device mass [kg].
    pub mass: f64,
    /// Viscous damping [N·s/m].
    pub damping: f64,
    /// Coulomb friction [N].
    pub coulomb_friction: f64,
    /// Spring stiffness [N/m].
    pub stiffness: f64,
    /// Encoder step [m].
    pub encoder_step: f64,
    /// Sampling period [s].
    pub time_step: f64,
}

/// How a quantised loop ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending {
    /// At rest.
    Stuck,
    /// Oscillating for ever, peak to peak [m].
    LimitCycle(f64),
    /// Growing at this rate [1/s].
    Grows(f64),
    /// Still decaying at this rate [1/s].
    Decays(f64),
}

impl QuantisedLoop {
    /// Runs from rest at `start` [m] for `seconds`, and judges the last three quarters.
    ///
    /// # Equation
    /// `m v' = F - b v - f_c sign v` is solved exactly within each period, with its stops; `F`
    /// is `K (½Δ - code Δ)`, held.
    /// # Errors
    /// Numbers out of range.
    pub fn run(&self, start: f64, seconds: f64) -> Result<Ending> {
        positive("mass [kg]", self.mass, "give the moving mass at the handle")?;
        positive("damping [N·s/m]", self.damping, "measure the device's viscous damping")?;
        non_negative("Coulomb friction [N]", self.coulomb_friction, "use 0 for none")?;
        positive("stiffness [N/m]", self.stiffness, "give the spring's stiffness")?;
        positive("encoder step [m]", self.encoder_step, "the loop needs an encoder with steps")?;
        positive("time step [s]", self.time_step, "give the sampling period in seconds")?;
        finite("start [m]", start)?;
        positive("duration [s]", seconds, "run for a second or more")?;
        let samples = (seconds / self.time_step).clamp(WINDOWS as f64, 1e8) as usize;
        Ok(self.judge(&self.peaks(start, samples), samples))
    }

    /// Peak-to-peak motion in each window.
    fn peaks(&self, start: f64, samples: usize) -> [f64; WINDOWS] {
        let (mut x, mut v) = (start, 0.0);
        let mut range = [(f64::INFINITY, f64::NEG_INFINITY); WINDOWS];
        for k in 0..samples {
            let code = (x / self.encoder_step).round() * self.encoder_step;
            let force = self.stiffness * (0.5 * self.encoder_step - code);
            (x, v) = self.advance(x, v, force);
            let (low, high) = &mut range[(k * WINDOWS / samples).min(WINDOWS - 1)];
            *low = low.min(x);
            *high = high.max(x);
        }
        range.map(|(low, high)| high - low)
    }

    /// One period of constant `force`, through as many stops as it holds.
    fn advance(&self, mut x: f64, mut v: f64, force: f64) -> (f64, f64) {
        let (rate, mut left) = (self.damping / self.mass, self.time_step);
        // at most two: slow down to a stop, start the other way
        for _ in 0..3 {
            let direction = if v != 0.0 {
                v.signum()
            } else if force.abs() > self.coulomb_friction {
                force.signum()
            } else {
                return (x, 0.0);
            };
            let terminal = (force - self.coulomb_friction * direction) / self.damping;
            // v(t) = terminal + (v - terminal) e^(-rate t) reaches zero at this time
            let stop = if v != 0.0 && terminal * direction < 0.0 {
                (1.0 - v / terminal).ln() / rate
            } else {
                f64::INFINITY
            };
            let span = stop.min(left);
            let fall = -(-rate * span).exp_m1();
            x += terminal * span + (v - terminal) * fall / rate;
            v = if stop <= left { 0.0 } else { v - (v - terminal) * fall };
            left -= span;
            if left <= 0.0 {
                break;
            }
        }
        (x, v)
    }

    /// Log-slope of the windows' peak-to-peak motion, by least squares.
    fn judge(&self, peaks: &[f64; WINDOWS], samples: usize) -> Ending {
        let last = peaks[WINDOWS - 1];
        if last <= 1e-9 * self.encoder_step {
            return Ending::Stuck;
        }
        let window = samples as f64 * self.time_step / WINDOWS as f64;
        let points: Vec<(f64, f64)> = peaks
            .iter()
            .enumerate()
            .skip(WINDOWS / 4)
            .map(|(i, p)| (i as f64 * window, p.max(f64::MIN_POSITIVE).ln()))
            .collect();
        let n = points.len() as f64;
        let (mt, my) = points.iter().fold((0.0, 0.0), |a, p| (a.0 + p.0 / n, a.1 + p.1 / n));
        let (up, down) = points.iter().fold((0.0, 0.0), |a, p| {
            (a.0 + (p.0 - mt) * (p.1 - my), a.1 + (p.0 - mt) * (p.0 - mt))
        });
        match up / down {
            slope if slope > SLOW => Ending::Grows(slope),
            slope if slope < -SLOW => Ending::Decays(slope),
            _ => Ending::LimitCycle(last),
        }
    }
}
