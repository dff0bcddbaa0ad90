//! `[Brown1998, fig. 7.8]`: the lightest mass against the stiffness of the coupling.

use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_passivity::Integrator::{DelayedEuler, SymplecticEuler, Trapezoidal};
use palpable_passivity::{Integrator, minimum_mass};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// The device of the thesis: 1 kHz, `β = 1`, and a wall of at most 12 400 N/m, hence a damping of
/// 18.6 N·s/m. Its measured points are not printed as numbers; only theory is drawn.
pub(crate) const FIG7_8: Experiment = Experiment {
    id: "brown1998/fig7.8",
    paper: "Brown1998",
    title: "Lightest virtual mass, T = 1 ms, β = 1, b = 18.6 N·s/m",
    shows: "a softer coupling carries a lighter mass; at the stiffest wall method 2 carries none \
            and method 3 still √3 K T²",
    make,
};

const STEP: f64 = 1e-3;
const STIFFEST: f64 = 12_400.0;
/// Damping of the device, `K T/2 + B` at the stiffest wall \[N·s/m\].
const DEVICE: f64 = 1.5 * STIFFEST * STEP;

/// Lightest masses \[kg\] over the stiffness \[N/m\].
struct Curves {
    stiffness: Vec<f64>,
    method2: Vec<f64>,
    method3: Vec<f64>,
}

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let curves = Curves::new([SymplecticEuler, Trapezoidal])?;
    progress(0.5);
    let sheet = Sheet::default()
        .column("stiffness", "N/m", &curves.stiffness)
        .column("method2.mass", "kg", &curves.method2)
        .column("method3.mass", "kg", &curves.method3);
    Ok(Page::new(figure(experiment.title, &curves), sheet, checks(&curves)?))
}

fn lightest(integrator: Integrator, stiffness: f64) -> Result<f64, PaperError> {
    let damping = stiffness * STEP;
    Ok(minimum_mass(integrator, stiffness, damping, STEP, DEVICE)?.kilograms())
}

impl Curves {
    /// From 100 N/m to the stiffest wall.
    fn new(integrators: [Integrator; 2]) -> Result<Self, PaperError> {
        let stiffness: Vec<f64> = (1..=248).map(|i| 50.0 * f64::from(i)).collect();
        let of = |integrator| stiffness.iter().map(|k| lightest(integrator, *k)).collect();
        let [method2, method3]: [Result<Vec<f64>, PaperError>; 2] = integrators.map(of);
        Ok(Self { method2: method2?, method3: method3?, stiffness })
    }

    fn at(&self, values: &[f64], stiffness: f64) -> f64 {
        let index = self.stiffness.iter().position(|k| *k == stiffness);
        index.and_then(|index| values.get(index).copied()).unwrap_or(f64::NAN)
    }
}

fn figure(title: &str, curves: &Curves) -> Figure {
    let line = |name, values: &[f64]| Line::new(name, &curves.stiffness, values).width(1.8);
    let limit: Vec<f64> = curves.stiffness.iter().map(|k| 3f64.sqrt() * k * STEP * STEP).collect();
    Figure::new(title, Axis::new("coupling stiffness", "N/m").fixed(0.0, 14_000.0))
        .legend(Legend::Below)
        .size(720.0, 460.0)
        .panel(
            Panel::new(Axis::new("lightest mass", "kg").fixed(0.0, 0.06))
                .line(line("method 2, symplectic Euler", &curves.method2).color(Color::VERMILION))
                .line(
                    line("method 3, trapezoidal", &curves.method3)
                        .color(Color::BLUE)
                        .dash(Dash::Solid),
                )
                .line(
                    line("√3 K T², method 3 on a device with no reserve", &limit)
                        .color(Color::GREY)
                        .width(1.0)
                        .dash(Dash::Dotted),
                )
                .vline(STIFFEST, "stiffest wall"),
        )
}

/// Both curves at the stiffnesses computed elsewhere, their ends, and method 1, which has none.
fn checks(curves: &Curves) -> Result<Vec<Check>, PaperError> {
    let mut checks = Vec::new();
    for (stiffness, method2, method3) in [
        (1000.0, 0.000815789474, 0.0015120306),
        (2000.0, 0.001788461538, 0.0030493114),
        (4000.0, 0.004428571429, 0.0062079655),
        (8000.0, 0.016909090909, 0.0129470739),
        (10000.0, 0.038750000000, 0.0166118758),
        (12000.0, 0.279000000000, 0.0206100848),
    ] {
        let found = (curves.at(&curves.method2, stiffness), curves.at(&curves.method3, stiffness));
        let name = |method| format!("method {method}: mass at {stiffness} N/m [kg]");
        checks.push(Check::relative(name(2), found.0, method2, 1e-8));
        checks.push(Check::relative(name(3), found.1, method3, 1e-7));
    }
    let end = 3f64.sqrt() * STIFFEST * STEP * STEP;
    let found = curves.at(&curves.method3, STIFFEST);
    checks.push(Check::relative("method 3: mass at the stiffest wall [kg]", found, end, 1e-9));
    // masses without bound, as their inverse, which is a number
    let asymptote = 1.0 / curves.at(&curves.method2, STIFFEST);
    let never = 1.0 / lightest(DelayedEuler, 1000.0)?;
    checks.push(Check::at_most("method 2: 1/mass at the stiffest wall [1/kg]", asymptote, 0.0));
    checks.push(Check::at_most("method 1: 1/mass at 1000 N/m [1/kg]", never, 0.0));
    Ok(checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checks_fail_when_the_methods_change_places() {
        let swapped = Curves::new([Trapezoidal, SymplecticEuler]).unwrap();
        let checks = checks(&swapped).unwrap();
        let passed: Vec<&Check> = checks.iter().filter(|check| check.pass).collect();
        // method 1 is asked apart
        assert!(passed.len() == 1 && passed[0].name.starts_with("method 1"), "{passed:#?}");
    }
}
