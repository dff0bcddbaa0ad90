//! When the controller samples, and how late its force arrives.

use crate::error::{Error, Result, non_negative, positive, unit_interval};

const MAX_DELAY: u32 = 1000;

/// Sampling period and computational delay of the loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    time_step: f64,
    delay_samples: u32,
    delay_fraction: f64,
}

impl Sampling {
    /// A loop of period `time_step` [s] without delay.
    /// # Errors
    /// A period that is not finite and above zero.
    pub fn new(time_step: f64) -> Result<Self> {
        let cure = "give the sampling period in seconds, e.g. 0.001 for 1 kHz";
        positive("time step [s]", time_step, cure)?;
        Ok(Self { time_step, delay_samples: 0, delay_fraction: 0.0 })
    }

    /// A loop of `rate` [Hz] without delay.
    /// # Errors
    /// A rate that is not finite and above zero.
    pub fn from_rate(rate: f64) -> Result<Self> {
        positive("rate [Hz]", rate, "give the update rate in hertz, e.g. 1000")?;
        Self::new(1.0 / rate)
    }

    /// The same loop with its force `samples + fraction` periods late.
    /// # Errors
    /// A fraction outside [0, 1], or more than 1000 samples.
    pub fn with_delay(self, samples: u32, fraction: f64) -> Result<Self> {
        let cure = "put whole periods into the sample count and the rest into the fraction";
        unit_interval("delay fraction", fraction, cure)?;
        // a whole period is one sample
        let (samples, fraction) =
            if fraction == 1.0 { (samples.saturating_add(1), 0.0) } else { (samples, fraction) };
        if samples > MAX_DELAY {
            return Err(Error::Invalid {
                field: "delay [samples]",
                value: f64::from(samples),
                need: "at most 1000",
                cure: "check the unit of the delay: it is in seconds or in samples",
            });
        }
        Ok(Self { delay_samples: samples, delay_fraction: fraction, ..self })
    }

    /// The same loop with its force `delay` [s] late.
    /// # Errors
    /// A delay that is negative, not finite, or longer than 1000 periods.
    pub fn with_delay_seconds(self, delay: f64) -> Result<Self> {
        non_negative("delay [s]", delay, "give the computational delay in seconds, 0 for none")?;
        let periods = delay / self.time_step;
        // a delay meant as whole periods must not become 0.999... of one
        let whole =
            if (periods - periods.round()).abs() < 1e-9 { periods.round() } else { periods };
        let samples = whole.floor().min(1e6);
        self.with_delay(samples as u32, (whole - samples).clamp(0.0, 1.0))
    }

    /// Sampling period [s].
    pub fn time_step(&self) -> f64 {
        self.time_step
    }

    /// Whole periods of delay.
    pub fn delay_samples(&self) -> u32 {
        self.delay_samples
    }

    /// The rest of the delay, in periods, in [0, 1).
    pub fn delay_fraction(&self) -> f64 {
        self.delay_fraction
    }

    /// The whole delay in periods.
    pub fn delay_periods(&self) -> f64 {
        f64::from(self.delay_samples) + self.delay_fraction
    }

    /// The whole delay [s].
    pub fn delay(&self) -> f64 {
        self.delay_periods() * self.time_step
    }
}
