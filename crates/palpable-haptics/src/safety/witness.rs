//! What the device says of the handle, believed no further than it agrees with itself.

use super::limits::Limits;
use super::machine::Fault;
use crate::device::Sample;
use palpable::Vec3;

/// Way that a handle may claim to move while its position stays the same to the last bit [m].
const STUCK: f64 = 0.05;
/// Slower than this a handle may be said to move while it rests [m/s].
const REST: f64 = 0.02;

/// Judges readings one after the other.
///
/// # Equation
/// ```text
/// v ≥ |x − x'| / (t − t' + a')      slowest motion that explains two readings
/// ```
/// # Symbols
/// `x'`, `t'` the reading before and when it was seen first; `a'` how much older it may be.
/// # Guarantee
/// The faster of this and of what the device tells counts, so that neither a position that jumps
/// while the velocity is said to be zero nor the other way round goes unnoticed; and a device that
/// answers late is not taken for a fast hand.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Witness {
    /// the newest reading, and for how long it has been known [s]
    seen: Option<(Sample, f64)>,
    velocity: Vec3,
    angular_velocity: Vec3,
    /// the faster of what is told and what positions show [m/s], [rad/s]
    fastest: [f64; 2],
    /// way that was claimed since the position last changed [m]
    claimed: Vec3,
}

impl Witness {
    /// Velocity as the device tells it, or as positions show it [m/s].
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// The same in rotation [rad/s].
    pub fn angular_velocity(&self) -> Vec3 {
        self.angular_velocity
    }

    /// True if a reading is not the one that was seen last.
    pub fn is_new(&self, sample: &Sample) -> bool {
        self.seen.is_none_or(|(seen, _)| seen.sequence != sample.sequence)
    }

    /// A reading `dt` [s] after the last one; what is wrong with it. Where the clock `jumped`,
    /// nothing is concluded from differences.
    pub fn hear(
        &mut self,
        dt: f64,
        sample: &Sample,
        limits: &Limits,
        jumped: bool,
    ) -> Option<Fault> {
        if !sample.is_finite() {
            return Some(Fault::BadSample);
        }
        let known = self.seen.map(|(seen, since)| (seen, since + dt));
        let contradicts = match known {
            _ if jumped => false,
            None => false,
            Some((seen, since)) if seen.sequence == sample.sequence => {
                self.seen = Some((seen, since));
                false
            }
            Some((seen, since)) => self.compare(&seen, since, sample, limits),
        };
        if jumped || self.is_new(sample) {
            self.seen = Some((*sample, 0.0));
        }
        self.velocity = sample.velocity.unwrap_or(self.velocity);
        self.angular_velocity = sample.angular_velocity.unwrap_or(self.angular_velocity);
        let told = [self.velocity.norm(), self.angular_velocity.norm()];
        let fastest = [told[0].max(self.fastest[0]), told[1].max(self.fastest[1])];
        let reached = limits.reach.is_none_or(|reach| reach.contains(&sample.position));
        match () {
            () if !reached => Some(Fault::OutOfReach),
            () if contradicts => Some(Fault::Contradiction),
            () if jumped => None,
            () if fastest[0] > limits.velocity => Some(Fault::TooFast),
            () if fastest[1] > limits.angular_velocity => Some(Fault::TooFast),
            () => None,
        }
    }

    /// A new reading against the one before, first seen `since` [s] ago; true if they contradict
    /// each other.
    fn compare(&mut self, seen: &Sample, since: f64, new: &Sample, limits: &Limits) -> bool {
        // the device's own clock where it has one; two hurried ticks count as half a period
        let own = new.time.zip(seen.time).map(|(now, then)| now.as_secs_f64() - then.as_secs_f64());
        let gap = own.unwrap_or(since);
        let longest = gap.max(0.5 * limits.period) + seen.age.as_secs_f64();
        self.velocity = (new.position - seen.position) / longest;
        self.angular_velocity = (new.rotation * seen.rotation.inverse()).scaled_axis() / longest;
        self.fastest = [self.velocity.norm(), self.angular_velocity.norm()];
        let still = new.position == seen.position && limits.reach.is_some();
        let told = new.velocity.filter(|v| v.norm() > REST).unwrap_or_default();
        let claim = told * gap.max(0.0);
        self.claimed = if still { self.claimed + claim } else { Vec3::zeros() };
        let stuck = self.claimed.norm() > STUCK;
        let disordered = new.sequence < seen.sequence || gap < 0.0;
        stuck || disordered || gap > since + limits.jump_after
    }
}
