//! From microseconds to counts: a step that ends in time, and that a replay can take again.

use std::time::Duration;

use palpable::{Counts, StepReport, World};

/// What a count takes on a core of 3 GHz [ns], counted in instructions. Only ratios matter: how
/// fast this machine is, it shows itself.
const VISIT: f64 = 100.0;
const PAIR: f64 = 1_000.0;
const PASS: f64 = 2_000.0;
/// The same for what no budget cuts: bodies, and points of contact.
const BODY: f64 = 500.0;
const POINT: f64 = 800.0;
/// Parts of what is left for visits, pairs and passes.
const PARTS: [f64; 3] = [0.5, 0.3, 0.2];
/// How much slower than ever seen lately the next step may be.
const CAUTION: f64 = 1.25;
/// Part of its slowness that the machine is believed to lose in a step.
const FADE: f64 = 1e-3;

/// Turns the time that a step may take into a budget of counts, from what steps took so far.
///
/// # Equation
/// ```text
/// time = s · (fixed + Σ weight · count),    s ← max(time / (…), (1 − 1e-3) s)
/// ```
/// `s` is how slow this machine is. The budget spends what `allowed / (1.25 s)` leaves beyond the
/// fixed part. Times depend on the machine, counts do not: they are recorded, and a replay that
/// is given the same counts takes the same steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deadline {
    allowed: f64,
    slowness: f64,
    /// cost of an island's solve, and of what is never cut [ns]
    pass: f64,
    bodies: f64,
    points: f64,
    islands: u64,
}

impl Deadline {
    /// Steps of `world` may take `allowed` on a processor.
    pub fn new(allowed: Duration, world: &World) -> Self {
        let model = world.model();
        let (bodies, islands) = (model.bodies().len() as f64, model.islands().len().max(1));
        Self {
            allowed: allowed.as_secs_f64() * 1e9,
            slowness: 1.0,
            pass: PASS * (bodies / islands as f64).max(1.0),
            bodies: BODY * bodies,
            points: 0.0,
            islands: islands as u64,
        }
    }

    /// What the next step may cost.
    pub fn budget(&self) -> Counts {
        let first = self.pass * self.islands as f64;
        let left = self.allowed / (CAUTION * self.slowness) - self.bodies - self.points - first;
        let count = |part: f64, cost: f64| (part * left.max(0.0) / cost) as u64;
        Counts {
            visits: count(PARTS[0], VISIT),
            pairs: count(PARTS[1], PAIR),
            passes: self.islands + count(PARTS[2], self.pass),
        }
    }

    /// Learns from a step that took `time` on a processor.
    pub fn learn(&mut self, time: Duration, report: &StepReport) {
        self.points = POINT * report.contact.points as f64;
        let Counts { visits, pairs, passes } = report.spent;
        let spent = VISIT * visits as f64 + PAIR * pairs as f64 + self.pass * passes as f64;
        let now = time.as_secs_f64() * 1e9 / (self.bodies + self.points + spent);
        self.slowness = now.max(self.slowness * (1.0 - FADE));
    }

    /// How slow the machine is, relative to a core of 3 GHz.
    pub fn slowness(&self) -> f64 {
        self.slowness
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpable::{ContactReport, Model};

    /// A step that costs what its counts say on a machine that is so many times slower.
    fn step(counts: Counts, points: usize, slow: f64) -> (Duration, StepReport) {
        let Counts { visits, pairs, passes } = counts;
        let cost = VISIT * visits as f64 + PAIR * pairs as f64 + PASS * passes as f64;
        let all = slow * (cost + POINT * points as f64);
        let contact = ContactReport { points, ..Default::default() };
        let report = StepReport { spent: counts, contact, ..Default::default() };
        (Duration::from_nanos(all as u64), report)
    }

    #[test]
    fn after_one_step_no_step_is_too_long_on_any_machine() {
        let world = World::new(Model::builder().build().expect("an empty world"));
        for slow in [0.2, 1.0, 3.0, 20.0] {
            let allowed = Duration::from_micros(800);
            let mut deadline = Deadline::new(allowed, &world);
            let (mut most, mut used) = (Duration::ZERO, Counts::default());
            for k in 0..5000 {
                let points = 10 + k % 3;
                used = deadline.budget();
                let (time, report) = step(used, points, slow);
                deadline.learn(time, &report);
                if k > 0 {
                    most = most.max(time);
                }
            }
            assert!(most <= allowed, "{slow}: {most:?}");
            // and little of it is left unused: fading forgets a machine that was slow at first
            let (time, _) = step(used, 10, slow);
            assert!(time > allowed / 2, "{slow}: {time:?} with {used:?}");
        }
    }

    #[test]
    fn a_stall_is_forgotten_but_not_at_once() {
        let world = World::new(Model::builder().build().expect("an empty world"));
        let mut deadline = Deadline::new(Duration::from_micros(800), &world);
        let full = deadline.budget().visits;
        let (_, report) = step(deadline.budget(), 0, 1.0);
        deadline.learn(Duration::from_millis(8), &report);
        assert!(deadline.budget().visits < full / 5);
        for _ in 0..5000 {
            let (time, report) = step(deadline.budget(), 0, 1.0);
            deadline.learn(time, &report);
        }
        assert!(deadline.budget().visits > full * 9 / 10);
    }
}
