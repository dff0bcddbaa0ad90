//! Level curves of the dimensionless damping `b*`, the common ground of figs. 7.2 to 7.6.
//!
//! With `α = KT²/m` and `β = B/(KT)` `[Brown1998, (7.6)]` a curve holds, for every β, the largest α
//! up to which the mass asks at most `b*` times the damping of a wall. Beyond the stability limit
//! even a clamped handle oscillates; the thesis does not mention it, and it is drawn in grey.

use crate::PaperError;
use crate::check::largest;
use crate::sheet::Sheet;
use palpable_passivity::{
    CoupledMass, Integrator, Sampling, alpha_at_level, damping_supremum, stability_alpha,
    unity_alpha,
};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// One level curve; no number where there is no such α.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    /// Level `b*`.
    pub level: f64,
    /// β of every point.
    pub beta: Vec<f64>,
    /// α of every point.
    pub alpha: Vec<f64>,
}

/// β from 0.005 to 4 in steps of 0.005.
pub(super) fn betas() -> Vec<f64> {
    (1..=800).map(|i| f64::from(i) / 200.0).collect()
}

/// The curve of a level of one or more; at level one in closed form where there is one.
pub(super) fn curve(integrator: Integrator, level: f64) -> Curve {
    let beta = betas();
    let at = |beta: &f64| match level {
        1.0 => unity_alpha(integrator, *beta),
        _ => alpha_at_level(integrator, *beta, level),
    };
    let alpha = beta.iter().map(|beta| at(beta).unwrap_or(f64::NAN)).collect();
    Curve { level, beta, alpha }
}

/// What a coupled mass asks of the device, from its transfer function: another way than the level
/// curves go.
pub(super) struct Demand {
    /// Damping over that of the wall; infinite if a clamped handle oscillates.
    pub ratio: f64,
    /// Distance of the outermost pole from the unit circle.
    pub margin: f64,
}

/// The demand of a coupled mass.
pub(super) fn demand(integrator: Integrator, alpha: f64, beta: f64) -> Result<Demand, PaperError> {
    let (stiffness, h) = (1000.0, 1e-3);
    let sampling = Sampling::new(h)?;
    let (mass, damping) = (stiffness * h * h / alpha, beta * stiffness * h);
    let coupled = CoupledMass { stiffness, damping, mass, integrator };
    let need = damping_supremum(&coupled.transfer_function(&sampling)?, &sampling)?;
    let wall = 0.5 * stiffness * h + damping;
    let ratio = if need.stable { need.damping / wall } else { f64::INFINITY };
    let margin = 1.0 - largest(need.poles.iter().map(|pole| pole.re.hypot(pole.im)));
    Ok(Demand { ratio, margin })
}

impl Curve {
    /// α at a β of the grid.
    pub(super) fn at(&self, beta: f64) -> f64 {
        let index = self.beta.iter().position(|b| (b - beta).abs() < 1e-9);
        index.and_then(|index| self.alpha.get(index).copied()).unwrap_or(f64::NAN)
    }

    /// The points that exist, `(β, α)`.
    pub(super) fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let pairs = self.beta.iter().copied().zip(self.alpha.iter().copied());
        pairs.filter(|(_, alpha)| alpha.is_finite())
    }

    /// The highest α.
    pub(super) fn highest(&self) -> f64 {
        self.points().fold(f64::NAN, |best, (_, alpha)| best.max(alpha))
    }

    /// Largest `|b*/level − 1|` over every tenth point, with `b*` from the transfer function.
    ///
    /// Points stay out where a pole lies within 1e-6 of the unit circle, where the curve all but
    /// touches the stability limit: there the transfer function itself has lost its digits.
    pub(super) fn confirmed(&self, integrator: Integrator) -> Result<f64, PaperError> {
        let mut errors = Vec::new();
        for (beta, alpha) in self.points().step_by(10) {
            let demand = demand(integrator, alpha, beta)?;
            if !(demand.margin < 1e-6) {
                errors.push(demand.ratio / self.level - 1.0);
            }
        }
        Ok(largest(errors))
    }

    /// The curve in the figure: the wall's own level is black.
    fn line(&self, color: Color) -> Line {
        let unity = self.level == 1.0;
        let line = Line::new(format!("b* = {}", self.level), &self.beta, &self.alpha);
        let line = line.color(if unity { Color::BLACK } else { color }).dash(Dash::Solid);
        line.width(if unity { 2.2 } else { 1.4 })
    }
}

/// The numbers of several curves.
pub(super) fn sheet(curves: &[Curve]) -> Sheet {
    curves.iter().fold(Sheet::default().column("beta", "", &betas()), |sheet, curve| {
        sheet.column(&format!("alpha at b*={}", curve.level), "", &curve.alpha)
    })
}

/// The frame of a level-curve figure, with the curves in the order given.
pub(super) fn panel(integrator: Integrator, curves: &[Curve], top: f64) -> Panel {
    const COLORS: [Color; 5] =
        [Color::GREEN, Color::SKY, Color::BLUE, Color::ORANGE, Color::VERMILION];
    let limit: Vec<f64> = betas().iter().map(|b| stability_alpha(integrator, *b)).collect();
    let grey = Line::new("stability limit", &betas(), &limit).color(Color::GREY);
    let frame = Panel::new(Axis::new("α = KT²/m", "").fixed(0.0, top));
    let pairs = curves.iter().zip(COLORS.into_iter().cycle());
    let frame = pairs.fold(frame, |panel, (curve, color)| panel.line(curve.line(color)));
    frame.line(grey.dash(Dash::Dashed))
}

/// The page of a level-curve figure.
pub(super) fn figure(title: &str, panel: Panel) -> Figure {
    Figure::new(title, Axis::new("β = B/(KT)", "").fixed(0.0, 4.0))
        .legend(Legend::Right)
        .size(760.0, 460.0)
        .panel(panel)
}
