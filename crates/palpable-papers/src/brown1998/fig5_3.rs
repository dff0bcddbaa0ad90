//! `[Brown1998, fig. 5.3]`: the conserving integrator balances energy and work.

use super::particle::{self, Run};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::{Check, Experiment, PaperError};
use palpable::Scheme;
use palpable_record::figure::Axis;

/// The conserving integrator `[Brown1998, (5.15)]`, which for a free particle is the midpoint
/// `[Kim2017, (8)-(9)]`, with the numbers of fig. 5.2.
pub(crate) const FIG5_3: Experiment = Experiment {
    id: "brown1998/fig5.3",
    paper: "Brown1998",
    title: "Conserving integration of a particle under a sinusoidal force",
    shows: "with the conserving integrator kinetic energy and work agree to round-off",
    make,
};

fn make(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let run = particle::simulate(Scheme::PassiveMidpoint)?;
    let axis = Axis::new("imbalance", "J").fixed(-1e-15, 1e-15);
    Ok(Page::new(run.figure(experiment.title, axis), run.sheet(), checks(&run)))
}

fn checks(run: &Run) -> Vec<Check> {
    let imbalance = largest(run.excess().iter().map(|excess| excess / Run::scale()));
    let peak = largest(run.kinetic.iter().copied()) / Run::scale();
    let mut checks = run.checks();
    checks.extend([
        Check::at_most("largest |kinetic energy - work| / energy", imbalance, 1e-12),
        // sin and cos sampled twenty times a period: the sum is (h/2) cot(ωh/2) against 1/ω
        Check::relative("largest kinetic energy / exact one", peak, peak_ratio(), 1e-12),
    ]);
    checks
}

/// Peak of the discrete kinetic energy over the exact one: with `θ = ωh`, the impulse of half a
/// period is `h cot(θ/2)` in place of `2/ω`.
fn peak_ratio() -> f64 {
    let half = 0.5 * std::f64::consts::TAU * 0.05;
    (half / half.tan()).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_balance_fails_on_the_euler_rule() {
        let run = particle::simulate(Scheme::ExplicitEuler).unwrap();
        let failed: Vec<Check> = checks(&run).into_iter().filter(|check| !check.pass).collect();
        // velocities are the same in both rules; only the work differs
        assert_eq!(failed.len(), 1, "{failed:#?}");
    }
}
