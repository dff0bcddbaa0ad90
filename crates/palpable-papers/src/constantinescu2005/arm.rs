//! `[Constantinescu2005, fig. 3]`: what a two-link arm loses in a collision, by its restitution.

use crate::experiment::Progress;
use crate::page::Page;
use crate::sheet::Sheet;
use crate::{Bound, Check, Experiment, PaperError};
use palpable::solve::cone::{
    Capacity, Collision, ConeProblem, ConeSettings, Contact, Law, Resolution, Side,
};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// The arm of fig. 2: two links of 1 m and 1 kg, q = (π/2, 0), q̇ = (1, 1) rad/s.
///
/// The inertia of the links and the contacts are not in the text; uniform rods, met at the tip and
/// in the middle of the second link, show the partial and the total loss that it speaks of.
pub(crate) const FIG3: Experiment = Experiment {
    id: "constantinescu2005/fig3",
    paper: "Constantinescu2005",
    title: "Two-link arm: energy lost in a collision by its restitution",
    shows: "a plastic collision takes all of the energy, or 9/16 of it, depending on its place",
    make,
};

/// `D(q)` of uniform rods \[kg·m²\].
const INERTIA: [[f64; 2]; 2] = [[8.0 / 3.0, 5.0 / 6.0], [5.0 / 6.0, 1.0 / 3.0]];
/// Where the second link is met \[m\], what is lost at e = 0 \[J\].
const PLACES: [(&str, f64, f64, Color); 2] =
    [("tip", 1.0, 1.3125, Color::BLUE), ("middle of link 2", 0.5, 7.0 / 3.0, Color::VERMILION)];

fn energy(q: [f64; 2]) -> f64 {
    let d = |i: usize| INERTIA[i][0] * q[0] + INERTIA[i][1] * q[1];
    0.5 * (q[0] * d(0) + q[1] * d(1))
}

/// Energy lost at restitution `e` in [−1, 1] \[J\]; below 0 the impulse is lessened.
fn loss(reach: f64, e: f64) -> f64 {
    let mut problem = ConeProblem::new(Capacity {
        groups: 1,
        coordinates: 2,
        contacts: 1,
        rows: 1,
        sides: 1,
        jacobian: 2,
        response: 2,
    });
    problem.clear();
    let (row, rates) = ([-(1.0 + reach), -reach], [1.0, 1.0]);
    let [[a, b], [_, c]] = INERTIA;
    let inverse = |v: [f64; 2]| {
        let det = a * c - b * b;
        [(c * v[0] - b * v[1]) / det, (a * v[1] - b * v[0]) / det]
    };
    let Some(group) = problem.group(2) else { return f64::NAN };
    let response = inverse(row);
    let side = Side { group, column: 0, jacobian: &row, response: &response };
    let contact = Contact {
        law: Law::Unilateral,
        target: 0.0,
        restitution: e.max(0.0),
        bias: &[row[0] * rates[0] + row[1] * rates[1]],
        carry: &[],
        start: &[],
        sides: &[side],
    };
    if problem.push(&contact).is_err() {
        return f64::NAN;
    }
    let resolution = Resolution::PseudoInverse;
    let how = Collision { resolution, rest_speed: 0.0, side_rates: &[], shocks: usize::MAX };
    problem.collide(&ConeSettings::default(), &how);
    problem.lessen(0, 1.0 + e.min(0.0));
    let z = problem.change(0);
    energy(rates) - energy([rates[0] + z[0], rates[1] + z[1]])
}

fn make(experiment: &Experiment, _: Progress) -> Result<Page, PaperError> {
    let e: Vec<f64> = (0..=200).map(|k| f64::from(k) / 100.0 - 1.0).collect();
    let mut panel = Panel::new(Axis::new("energy lost", "J").fixed(0.0, 2.5));
    let mut sheet = Sheet::default().column("e", "", &e);
    let mut checks = Vec::new();
    for (name, reach, plastic, color) in PLACES {
        let lost: Vec<f64> = e.iter().map(|e| loss(reach, *e)).collect();
        // half of what (18) prints; that would leave less than nothing
        let stray = e.iter().zip(&lost).map(|(e, l)| (l - (1.0 - e * e) * plastic).abs());
        let worst = stray.fold(0.0, f64::max);
        checks.push(Check::at_most(
            format!("{name}: largest |loss - (1 - e²) loss(0)| [J]"),
            worst,
            1e-12,
        ));
        let at = Bound::Near { expected: plastic, tolerance: 1e-12 };
        checks.push(Check::new(format!("{name}: loss at e = 0 [J]"), loss(reach, 0.0), at));
        let least = lost.iter().copied().fold(f64::INFINITY, f64::min);
        checks.push(Check::at_least(format!("{name}: least loss [J]"), least, -1e-14));
        panel = panel.line(Line::new(name, &e, &lost).color(color).dash(Dash::Solid));
        sheet = sheet.column(&format!("{name}.loss"), "J", &lost);
    }
    panel = panel.hline(7.0 / 3.0, "all of it");
    let axis = Axis::new("coefficient of restitution", "").fixed(-1.0, 1.0);
    let figure = Figure::new(experiment.title, axis).legend(Legend::Right).size(820.0, 420.0);
    Ok(Page::new(figure.panel(panel), sheet, checks))
}
