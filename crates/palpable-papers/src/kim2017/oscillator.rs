//! A mass on a spring under four schemes, the common ground of fig. 1 and fig. 2.
//!
//! With `s = ωh` the schemes are linear maps whose behaviour is known in closed form:
//!
//! ```text
//! passive midpoint   x_n = x_0 cos nθ,  θ = 2 atan(s/2),  E_n = E_0     [Kim2017, (8)-(10)]
//! explicit Euler     E_n = E_0 (1 + s²)^n
//! implicit Euler     E_n = E_0 (1 + s²)^-n
//! symplectic Euler   ½ m v² + ½ k x² − ½ k h x v is kept; unbounded for s > 2
//! ```

use super::style::{curve, heading};
use crate::check::largest;
use crate::curve::until_gone;
use crate::experiment::Progress;
use crate::sheet::Sheet;
use crate::{Check, PaperError};
use palpable::{Anchor, Body, Inputs, Model, Options, Scheme, Spring, World};
use palpable_record::figure::{Axis, Marker, Panel};

/// Stiffness of the spring \[N/m\].
pub(super) const STIFFNESS: f64 = 100.0;
/// Step length \[s\].
pub(super) const STEP: f64 = 1e-3;
/// Where the mass is let go, at rest \[m\]; the paper does not say, and nothing depends on it.
pub(super) const START: f64 = 0.1;
/// The schemes compared, in the order of the paper.
pub(super) const SCHEMES: [Scheme; 4] = [
    Scheme::ExplicitEuler,
    Scheme::SymplecticEuler,
    Scheme::ImplicitEuler,
    Scheme::PassiveMidpoint,
];

/// What a scheme did: one entry per step, the start included.
#[derive(Debug, Clone)]
pub(super) struct Run {
    /// Position \[m\].
    pub x: Vec<f64>,
    /// Velocity \[m/s\].
    pub v: Vec<f64>,
    /// Energy over that of the start, from `x` and `v` alone.
    pub ratio: Vec<f64>,
}

/// All schemes from the same start, in the order of [`SCHEMES`].
#[derive(Debug, Clone)]
pub(super) struct Comparison {
    /// Mass \[kg\].
    pub mass: f64,
    /// Time of every entry \[s\].
    pub time: Vec<f64>,
    /// The runs.
    pub runs: [Run; 4],
}

impl Comparison {
    /// Steps a mass \[kg\] with every scheme.
    pub(super) fn simulate(mass: f64, steps: u32, progress: Progress) -> Result<Self, PaperError> {
        let mut runs = Vec::new();
        for (index, scheme) in SCHEMES.into_iter().enumerate() {
            progress(index as f64 / SCHEMES.len() as f64);
            runs.push(simulate(mass, steps, scheme)?);
        }
        let empty = || Run { x: Vec::new(), v: Vec::new(), ratio: Vec::new() };
        let mut runs = runs.into_iter();
        Ok(Self {
            mass,
            time: (0..=steps).map(|n| f64::from(n) * STEP).collect(),
            runs: std::array::from_fn(|_| runs.next().unwrap_or_else(empty)),
        })
    }

    /// `ωh`.
    pub(super) fn s(&self) -> f64 {
        (STIFFNESS / self.mass).sqrt() * STEP
    }

    /// Positions; a curve ends where it leaves the frame, ± 2.5 times the start.
    pub(super) fn positions(&self, marker: Option<Marker>) -> Panel {
        let limit = 2.5 * START;
        let frame = Panel::new(Axis::new("position", "m").fixed(-limit, limit));
        self.curves(frame, marker, |run| until_gone(&run.x, limit))
    }

    /// Adds every scheme's energy to a panel.
    pub(super) fn energies(&self, panel: Panel, marker: Option<Marker>) -> Panel {
        self.curves(panel, marker, |run| run.ratio.clone())
    }

    /// Adds every scheme's curve of one quantity; the marker is for the midpoint.
    fn curves(&self, panel: Panel, marker: Option<Marker>, of: impl Fn(&Run) -> Vec<f64>) -> Panel {
        SCHEMES.into_iter().zip(&self.runs).fold(panel, |panel, (scheme, run)| {
            let line = curve(scheme, &self.time, &of(run));
            panel.line(match marker {
                Some(marker) if scheme == Scheme::PassiveMidpoint => line.marker(marker),
                _ => line,
            })
        })
    }

    /// The numbers.
    pub(super) fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::over_time(&self.time);
        for (scheme, run) in SCHEMES.into_iter().zip(&self.runs) {
            let name = heading(scheme);
            sheet = sheet
                .column(&format!("{name}.x"), "m", &run.x)
                .column(&format!("{name}.v"), "m/s", &run.v)
                .column(&format!("{name}.E/E0"), "", &run.ratio);
        }
        sheet
    }

    /// The checks that hold for any mass: midpoint, explicit and implicit Euler.
    pub(super) fn checks(&self) -> Vec<Check> {
        let [explicit, _, implicit, midpoint] = &self.runs;
        let (s, steps) = (self.s(), self.time.len().saturating_sub(1) as i32);
        let theta = 2.0 * (0.5 * s).atan();
        let expected = |n: usize| START * (n as f64 * theta).cos();
        let stray = midpoint.x.iter().enumerate().map(|(n, x)| (x - expected(n)) / START);
        let (gain, end) = (1.0 + s * s, |run: &Run| last(&run.ratio));
        vec![
            Check::at_most(
                "passive midpoint: largest |E/E0 - 1|",
                largest(midpoint.ratio.iter().map(|r| r - 1.0)),
                1e-12,
            ),
            Check::at_most(
                "passive midpoint: largest |x - x0 cos(n theta)| / x0",
                largest(stray),
                1e-10,
            ),
            Check::relative(
                "explicit Euler: E/E0 at the end",
                end(explicit),
                gain.powi(steps),
                1e-10,
            ),
            Check::relative(
                "implicit Euler: E/E0 at the end",
                end(implicit),
                gain.powi(-steps),
                1e-10,
            ),
        ]
    }
}

/// The last value.
pub(super) fn last(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(f64::NAN)
}

fn simulate(mass: f64, steps: u32, scheme: Scheme) -> Result<Run, PaperError> {
    let mut model = Model::ghosts();
    let ball = model.body(Body::sphere("ball", 0.01).mass(mass).position([START, 0.0, 0.0]));
    model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(STIFFNESS));
    let mut world = World::with_options(model.build()?, Options { scheme, ..Options::default() })?;
    let initial = 0.5 * STIFFNESS * START * START;
    let mut run = Run { x: Vec::new(), v: Vec::new(), ratio: Vec::new() };
    for n in 0..=steps {
        if n > 0 {
            let _ = world.step(STEP, &Inputs::none());
        }
        let (x, v) = (world.pose(ball).position.x, world.velocity(ball).x);
        run.x.push(x);
        run.v.push(v);
        run.ratio.push((0.5 * mass * v * v + 0.5 * STIFFNESS * x * x) / initial);
    }
    Ok(run)
}
