//! Settings of the run.

use super::Assembly;
use crate::document::{Dissipate, Run, Surplus, Tank};
use palpable::{Dissipation, Options, Surplus as Rest, TankPolicy};

/// Simulated time unless given [s].
const DURATION: f64 = 1.0;

impl Assembly<'_> {
    /// Options of the world, and how long it runs [s].
    pub(super) fn options(&mut self) -> (Options, f64) {
        let mut options = Options { contact_law: self.contact_law(), ..Options::default() };
        if let Some(contact) = self.document.contact.get() {
            options.collision = contact.collision.or_default().resolution();
        }
        let Some(run) = self.document.run.get() else { return (options, DURATION) };
        if let Some(scheme) = run.scheme.get() {
            options.scheme = scheme.0;
        }
        if let Some(tolerance) = run.resolve_tolerance.get() {
            options.resolve_tolerance = tolerance.0;
        }
        if let Some(tolerance) = run.substep_tolerance.get() {
            options.substep_tolerance = tolerance.0;
        }
        options.joint_loss = self.joint_loss(run, options.joint_loss);
        options.tank = self.tank(run, options.tank);
        options.max_substeps = self.max_substeps(run, options.max_substeps);
        (options, run.duration.get().map_or(DURATION, |d| d.0))
    }

    fn max_substeps(&mut self, run: &Run, default: u32) -> u32 {
        let Some(given) = run.max_substeps.get() else { return default };
        if !(1..=1000).contains(&given.value) {
            let message = format!("{} parts are not allowed", given.value);
            self.mistakes.add(&given.place, message, "give 1 to 1000");
        }
        u32::try_from(given.value).unwrap_or(default)
    }

    fn joint_loss(&mut self, run: &Run, default: f64) -> f64 {
        let Some(given) = run.joint_loss.get() else { return default };
        if given.0 > 1.0 {
            let message = format!("a loss of {} is not allowed", given.0);
            self.mistakes.add(&given.place, message, "give 0 to 1");
        }
        given.0
    }

    fn tank(&mut self, run: &Run, default: TankPolicy) -> TankPolicy {
        let Some(tank) = run.tank.get() else { return default };
        let Tank { cap, grant, .. } = &tank.value;
        let policy = TankPolicy {
            cap: cap.get().map_or(default.cap, |c| c.0),
            grant: grant.get().map_or(default.grant, |g| g.0),
            dissipation: match tank.dissipation.or_default() {
                Dissipate::Keep => Dissipation::Keep,
                Dissipate::Drop => Dissipation::Drop,
            },
            surplus: match tank.surplus.or_default() {
                Surplus::Keep => Rest::Keep,
                Surplus::Return => Rest::Return,
            },
        };
        if let Some(grant) = grant.get()
            && policy.grant > policy.cap
        {
            let message = format!("the tank holds {} J at most, not {}", policy.cap, policy.grant);
            self.mistakes.add(&grant.place, message, "raise `cap` or lower `grant`");
        }
        policy
    }
}
