//! `[Brown1998, fig. 5.2]`: the Euler rule gives a particle more energy than the force does.

use super::particle::{self, Run};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::{Check, Experiment, PaperError};
use palpable::Scheme;
use palpable_record::figure::Axis;

/// Euler integration `[Brown1998, (5.11)]` of a particle of 1 kg under 1 N at 1 Hz, 50 ms steps.
pub(crate) const FIG5_2: Experiment = Experiment {
    id: "brown1998/fig5.2",
    paper: "Brown1998",
    title: "Euler integration of a particle under a sinusoidal force",
    shows: "with Euler integration the particle receives more energy than the force gives",
    make,
};

fn make(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let run = particle::simulate(Scheme::ExplicitEuler)?;
    let axis = Axis::new("imbalance", "J");
    Ok(Page::new(run.figure(experiment.title, axis), run.sheet(), checks(&run)))
}

/// The excess is `Σ f² h²/2m`, never falls, and is as large as the energy itself in the end.
fn checks(run: &Run) -> Vec<Check> {
    let excess = run.excess();
    let stray = excess.iter().zip(run.euler_excess()).map(|(a, b)| (a - b) / Run::scale());
    let end = excess.last().copied().unwrap_or(f64::NAN) / Run::scale();
    let mut checks = run.checks();
    checks.extend([
        Check::at_most("largest |imbalance - sum f^2 h^2/2m| / energy", largest(stray), 1e-12),
        Check::at_least("imbalance / energy after 4 s", end, 0.5),
    ]);
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checks_fail_on_the_conserving_integrator() {
        let run = particle::simulate(Scheme::PassiveMidpoint).unwrap();
        let failed = checks(&run).into_iter().filter(|check| !check.pass).count();
        assert_eq!(failed, 2);
    }

    #[test]
    fn the_common_checks_fail_on_a_force_that_was_not_applied() {
        let mut run = particle::simulate(Scheme::ExplicitEuler).unwrap();
        run.force[5] *= 1.001;
        run.work[5] *= 1.001;
        assert!(run.checks().iter().all(|check| !check.pass));
    }
}
