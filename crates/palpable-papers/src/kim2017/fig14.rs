//! `[Kim2017, fig. 14]`: energies of the same beam under linearised implicit Euler.

use super::beam::{STEP, Vibration};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::{Check, Experiment, PaperError};

/// The beam of fig. 13 from the same start. With its root fixed the beam is linear, and each mode
/// loses `1 − 1/(1 + ω²h²)` of its energy a step.
pub(crate) const FIG14: Experiment = Experiment {
    id: "kim2017/fig14",
    paper: "Kim2017",
    title: "Flexible beam under linearised implicit Euler, h = 1 ms",
    shows: "implicit Euler damps the undamped beam: the third mode is gone in milliseconds, the \
            first within the second",
    make,
};

fn make(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let seen = Vibration::implicit()?;
    let midpoint = Vibration::passive()?;
    let checks = checks(&seen, &midpoint);
    Ok(Page::new(seen.figure(experiment.title, 0.4), seen.sheet(), checks))
}

fn checks(seen: &Vibration, midpoint: &Vibration) -> Vec<Check> {
    let (total, shares) = (seen.total(), seen.shares());
    let decay = |n: usize| {
        let one = |i: usize| shares[i] * (1.0 + (seen.omega[i] * STEP).powi(2)).powi(-(n as i32));
        (0..3).map(one).sum::<f64>()
    };
    let off = total.iter().enumerate().map(|(n, e)| e / total[0] / decay(n) - 1.0);
    let last = |list: &[f64]| list[list.len() - 1] / list[0];
    let rising = total.windows(2).filter(|pair| pair[1] > pair[0]).count();
    vec![
        Check::at_most("largest |E / closed form - 1|", largest(off), 1e-9),
        Check::at_most("steps in which the energy rises", rising as f64, 0.0),
        Check::at_most("E/E0 at the end", last(&total), 0.1),
        Check::relative(
            "the passive midpoint's E/E0 at the end",
            last(&midpoint.total()),
            1.0,
            1e-12,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checks_fail_when_the_schemes_change_places() {
        let (a, b) = (Vibration::implicit().unwrap(), Vibration::passive().unwrap());
        assert!(checks(&b, &a).iter().filter(|check| !check.pass).count() >= 3);
    }
}
