//! `[Brown1998, fig. 7.6]`: the fit to the unity curve of method 3, beside the exact curve.

use super::levels;
use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Check, Experiment, PaperError};
use palpable_passivity::Integrator::Trapezoidal;
use palpable_passivity::{fitted_alpha, unity_alpha};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// The fit `[Brown1998, (7.15)]` and the closed form of the curve it stands for.
///
/// The fit does not vanish at `β = 1/2`, where the exact curve does: below `β = 0.817` it allows
/// masses that are not passive, above it is 12 to 17 % too careful.
pub(crate) const FIG7_6: Experiment = Experiment {
    id: "brown1998/fig7.6",
    paper: "Brown1998",
    title: "The unity curve of method 3 and its fit",
    shows: "the printed fit of the minimum mass is unsafe for β below 0.817 and careful above",
    make,
};

/// β, exact α and fitted α.
struct Curves {
    beta: Vec<f64>,
    exact: Vec<f64>,
    fit: Vec<f64>,
}

fn make(experiment: &Experiment, progress: Progress) -> Result<Page, PaperError> {
    let curves = Curves::new(fitted_alpha);
    progress(0.5);
    let sheet = Sheet::default()
        .column("beta", "", &curves.beta)
        .column("exact alpha", "", &curves.exact)
        .column("fitted alpha", "", &curves.fit);
    Ok(Page::new(figure(experiment.title, &curves), sheet, checks(&curves)?))
}

impl Curves {
    fn new(fit: fn(f64) -> f64) -> Self {
        let beta: Vec<f64> = levels::betas().into_iter().filter(|beta| *beta >= 0.5).collect();
        let at = |beta: &f64| unity_alpha(Trapezoidal, *beta).unwrap_or(0.0);
        let exact = beta.iter().map(at).collect();
        let fit = beta.iter().map(|beta| fit(*beta)).collect();
        Self { beta, exact, fit }
    }

    /// Error of the fit \[%\]; infinite where the exact curve is zero.
    fn errors(&self) -> Vec<f64> {
        let pairs = self.fit.iter().zip(&self.exact);
        pairs.map(|(fit, exact)| 100.0 * (fit / exact - 1.0)).collect()
    }

    fn index(&self, beta: f64) -> Option<usize> {
        self.beta.iter().position(|b| (b - beta).abs() < 1e-9)
    }

    /// Where the fit's error changes sign, by a straight line between grid points.
    fn crossing(&self) -> f64 {
        let errors = self.errors();
        let pairs = errors.windows(2).zip(self.beta.windows(2));
        let mut signs = pairs.filter(|(e, _)| e[0] > 0.0 && e[1] <= 0.0);
        signs.next().map_or(f64::NAN, |(e, b)| b[0] + (b[1] - b[0]) * e[0] / (e[0] - e[1]))
    }
}

fn figure(title: &str, curves: &Curves) -> Figure {
    let line = |name, values: &[f64]| Line::new(name, &curves.beta, values);
    let exact = line("exact", &curves.exact).color(Color::BLACK).dash(Dash::Solid).width(2.2);
    let fit = line("fit (7.15)", &curves.fit).color(Color::VERMILION).dash(Dash::Dashed);
    let error = line("error of the fit", &curves.errors()).color(Color::VERMILION);
    Figure::new(title, Axis::new("β = B/(KT)", "").fixed(0.0, 4.0))
        .legend(Legend::Right)
        .size(760.0, 560.0)
        .panel(
            Panel::new(Axis::new("α = KT²/m", "").fixed(0.0, 0.7))
                .line(exact)
                .line(fit)
                .vline(curves.crossing(), "unsafe left of here"),
        )
        .panel(
            Panel::new(Axis::new("error", "%").fixed(-40.0, 100.0))
                .line(error.dash(Dash::Solid))
                .hline(0.0, ""),
        )
}

/// Fit and exact curve at several β, their crossing, and that the fit allows a mass which asks for
/// more than the wall.
fn checks(curves: &Curves) -> Result<Vec<Check>, PaperError> {
    let at = |values: &[f64], beta: f64| {
        curves.index(beta).and_then(|i| values.get(i).copied()).unwrap_or(f64::NAN)
    };
    let mut checks = Vec::new();
    for (beta, exact, fit) in [
        (0.6, 0.2951556790, 0.571864278),
        (1.0, 0.5773502692, 0.504540868),
        (1.4, 0.5207286736, 0.432793372),
        (2.0, 0.4155001220, 0.350017501),
        (4.0, 0.2448595270, 0.208572322),
    ] {
        let found = (at(&curves.exact, beta), at(&curves.fit, beta));
        checks.push(Check::relative(format!("exact alpha at beta = {beta}"), found.0, exact, 1e-9));
        checks.push(Check::relative(format!("fitted alpha at beta = {beta}"), found.1, fit, 1e-8));
    }
    let errors = curves.errors();
    let tail = curves
        .index(0.9)
        .map_or(f64::NAN, |i| errors[i..].iter().copied().fold(f64::NAN, f64::max));
    let unsafe_demand = levels::demand(Trapezoidal, at(&curves.fit, 0.8), 0.8)?.ratio;
    // between grid points the error is nearly straight: within 1e-4, twice that allowed
    checks.push(Check::relative(
        "beta where the fit is right",
        curves.crossing(),
        0.817013096,
        2e-4,
    ));
    checks.push(Check::at_most("largest error for beta from 0.9 [%]", tail, -7.0));
    checks.push(Check::at_least("b* that the fit allows at beta = 0.8", unsafe_demand, 1.02));
    Ok(checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checks_of_the_fit_fail_on_another_fit() {
        let checks = checks(&Curves::new(|beta| 0.4 / beta)).unwrap();
        let failed: Vec<&str> =
            checks.iter().filter(|check| !check.pass).map(|check| check.name.as_str()).collect();
        let fitted = failed.iter().filter(|name| name.starts_with("fitted")).count();
        assert!(fitted == 5 && failed.len() >= 7, "{failed:#?}");
    }
}
