//! `[Kim2017, fig. 13]`: energies of an undamped beam under the passive midpoint.

use super::beam::{START, STEP, Vibration};
use crate::check::largest;
use crate::experiment::Progress;
use crate::page::Page;
use crate::{Check, Experiment, PaperError};

/// The aluminium beam of `[Kim2017 sec. 5.2]`, three modes, root fixed, let go bent, at 1 kHz.
///
/// Young's modulus, 68.9 GPa, follows from the printed frequencies; the start is ours.
pub(crate) const FIG13: Experiment = Experiment {
    id: "kim2017/fig13",
    paper: "Kim2017",
    title: "Flexible beam under the passive midpoint, h = 1 ms",
    shows: "kinetic and elastic energy swing in three modes, their sum stays to rounding",
    make,
};

/// As printed \[Hz\].
const PRINTED: [f64; 3] = [11.91, 74.65, 209.03];

fn make(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let seen = Vibration::passive()?;
    Ok(Page::new(seen.figure(experiment.title, 0.1), seen.sheet(), checks(&seen)))
}

fn checks(seen: &Vibration) -> Vec<Check> {
    let total = seen.total();
    let stray = largest(total.iter().map(|e| e / total[0] - 1.0));
    let swing = seen.kinetic.iter().fold(0.0, |a: f64, b| a.max(*b)) / total[0];
    let mut checks = vec![
        Check::at_most("largest |E/E0 - 1|", stray, 1e-12),
        Check::at_least("largest share of kinetic energy", swing, 0.5),
    ];
    for i in 0..3 {
        let hertz = seen.omega[i] / std::f64::consts::TAU;
        let name = format!("mode {}: frequency [Hz]", i + 1);
        checks.push(Check::relative(name, hertz, PRINTED[i], 1e-3));
        // the midpoint rule turns a mode by 2 atan(ωh/2) a step
        let theta = 2.0 * (0.5 * STEP * seen.omega[i]).atan();
        let off = |(n, q): (usize, &f64)| q / START[i] - (n as f64 * theta).cos();
        let name = format!("mode {}: largest |q/q0 - cos(n theta)|", i + 1);
        checks.push(Check::at_most(name, largest(seen.modes[i].iter().enumerate().map(off)), 1e-9));
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_of_energy_and_motion_fail_under_implicit_euler() {
        let failed = checks(&Vibration::implicit().unwrap()).into_iter().filter(|c| !c.pass);
        assert!(failed.count() >= 4);
    }
}
