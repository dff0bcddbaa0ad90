//! The flexible beam of `[Kim2017 sec. 5.2]`, clamped at its root and let go bent.

use super::lagrange::Stepped;
use crate::PaperError;
use crate::sheet::Sheet;
use palpable::{Beam, Inputs, Model, World};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Panel};

/// Step \[s\].
pub(super) const STEP: f64 = 1e-3;
/// Steps drawn.
pub(super) const STEPS: usize = 400;
/// Modal coordinates at the start \[m\]; the paper does not say.
pub(super) const START: [f64; 3] = [0.01, 0.002, 0.0005];

/// Energies and modal coordinates at every step, the start included.
pub(super) struct Vibration {
    pub time: Vec<f64>,
    /// \[J\]
    pub kinetic: Vec<f64>,
    /// \[J\]
    pub potential: Vec<f64>,
    /// \[m\]
    pub modes: [Vec<f64>; 3],
    /// Angular frequencies of the beam \[rad/s\].
    pub omega: [f64; 3],
}

/// 0.907 x 0.05 x 0.012 m of aluminium, 1.4683 kg.
fn aluminium() -> Beam {
    let beam = Beam::rectangular("beam", [0.907, 0.05, 0.012], 2698.09, 68.9e9);
    beam.modes(3).start(START.map(|q| (q, 0.0)).to_vec())
}

impl Vibration {
    fn new() -> Self {
        let (time, kinetic, potential, modes) = Default::default();
        let omega = [0, 1, 2].map(|i| aluminium().frequency(i));
        Self { time, kinetic, potential, modes, omega }
    }

    fn add(&mut self, n: usize, [kinetic, potential]: [f64; 2], q: &[f64]) {
        self.time.push(n as f64 * STEP);
        self.kinetic.push(kinetic);
        self.potential.push(potential);
        self.modes.iter_mut().zip(q).for_each(|(list, q)| list.push(*q));
    }

    /// By the passive midpoint.
    pub(super) fn passive() -> Result<Self, PaperError> {
        let mut model = Model::ghosts();
        let id = model.beam(aluminium());
        let mut world = World::new(model.build()?);
        let mut seen = Self::new();
        for n in 0..=STEPS {
            let now = world.energy();
            seen.add(n, [now.kinetic, now.elastic], world.coordinates(id));
            let _ = world.step(STEP, &Inputs::none());
        }
        Ok(seen)
    }

    /// By linearised implicit Euler.
    pub(super) fn implicit() -> Result<Self, PaperError> {
        let mut model = Model::ghosts();
        model.beam(aluminium());
        let world = World::new(model.build()?);
        let law = world.model().systems()[0].law.clone();
        let mut seen = Self::new();
        let stiffness: Vec<f64> = world.params().elements.iter().map(|p| p.stiffness[0]).collect();
        let mut stepped = Stepped::new(law, &stiffness, (&START, &[0.0; 3]));
        for n in 0..=STEPS {
            let energy = stepped.energy();
            seen.add(n, energy, &stepped.q.clone());
            stepped.implicit_euler(STEP);
        }
        Ok(seen)
    }

    /// \[J\]
    pub(super) fn total(&self) -> Vec<f64> {
        self.kinetic.iter().zip(&self.potential).map(|(k, p)| k + p).collect()
    }

    /// Share of each mode in the energy at the start.
    pub(super) fn shares(&self) -> [f64; 3] {
        let parts = [0, 1, 2].map(|i| (self.omega[i] * START[i]).powi(2));
        parts.map(|part| part / parts.iter().sum::<f64>())
    }

    /// The first `end` seconds.
    pub(super) fn figure(&self, title: &str, end: f64) -> Figure {
        let line = |name: &str, y: &[f64], color, dash| {
            Line::new(name, &self.time, y).color(color).dash(dash)
        };
        let energies = Panel::new(Axis::new("energy", "J").include(0.0))
            .line(line("kinetic", &self.kinetic, Color::ORANGE, Dash::Dashed))
            .line(line("potential", &self.potential, Color::GREEN, Dash::DashDot))
            .line(line("total", &self.total(), Color::BLUE, Dash::Solid));
        let modes = Panel::new(Axis::new("modes", "m"))
            .line(line("mode 1", &self.modes[0], Color::BLUE, Dash::Solid))
            .line(line("mode 2", &self.modes[1], Color::VERMILION, Dash::Dashed))
            .line(line("mode 3", &self.modes[2], Color::PURPLE, Dash::Dotted));
        Figure::new(title, Axis::new("time", "s").fixed(0.0, end))
            .legend(Legend::Right)
            .size(760.0, 560.0)
            .panel(energies)
            .panel(modes)
    }

    pub(super) fn sheet(&self) -> Sheet {
        let sheet = Sheet::over_time(&self.time)
            .column("kinetic", "J", &self.kinetic)
            .column("potential", "J", &self.potential)
            .column("total", "J", &self.total());
        self.modes
            .iter()
            .enumerate()
            .fold(sheet, |sheet, (i, mode)| sheet.column(&format!("mode{}", i + 1), "m", mode))
    }
}

/// Roots of `cos z cosh z = −1`.
const WAVES: [f64; 3] = [1.875104068711961, 4.694091132974175, 7.854757438237613];

/// Shape of a mode of the clamped beam at `x` \[m\] from its root; its square has the mean 1, so the
/// tip moves by 2.
pub(super) fn shape(mode: usize, x: f64) -> f64 {
    let (z, t) = (WAVES[mode], x / 0.907);
    let sigma = (z.cosh() + z.cos()) / (z.sinh() + z.sin());
    let zt = z * t;
    zt.cosh() - zt.cos() - sigma * (zt.sinh() - zt.sin())
}
