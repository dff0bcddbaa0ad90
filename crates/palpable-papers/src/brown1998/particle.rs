//! A particle under a sinusoidal force, the common ground of figs. 5.2 and 5.3.
//!
//! The thesis gives no numbers; here `m = 1 kg`, `F = sin 2πt` (1 N, 1 Hz) and steps of 50 ms,
//! twenty to a period, coarse enough to see the imbalance. Work is counted as the thesis does,
//! `W = Σ f_{k−1} (x_k − x_{k−1})` `[Brown1998, (5.13)]`.

use crate::check::largest;
use crate::sheet::Sheet;
use crate::{Check, PaperError};
use palpable::{Body, Model, Options, Port, Scheme, World};
use palpable_record::figure::{Axis, Color, Dash, Figure, Legend, Line, Marker, Panel};
use std::f64::consts::TAU;

const MASS: f64 = 1.0;
const STEP: f64 = 0.05;
const STEPS: u32 = 80;

/// One entry per step, the start included.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    /// Time \[s\].
    pub time: Vec<f64>,
    /// Force held during the step that begins here \[N\].
    pub force: Vec<f64>,
    /// Momentum \[kg·m/s\].
    pub momentum: Vec<f64>,
    /// Kinetic energy \[J\].
    pub kinetic: Vec<f64>,
    /// Work of the force so far \[J\].
    pub work: Vec<f64>,
    /// What the engine's ledger says the port supplied so far \[J\].
    pub supplied: Vec<f64>,
}

/// Steps the particle from rest.
pub(super) fn simulate(scheme: Scheme) -> Result<Run, PaperError> {
    let mut model = Model::ghosts();
    let ball = model.body(Body::sphere("particle", 0.05).mass(MASS));
    let port = model.port(Port::force("force", ball.origin()));
    let mut world = World::with_options(model.build()?, Options { scheme, ..Options::default() })?;
    let (mut run, mut inputs, mut work) = (Run::default(), world.inputs(), 0.0);
    for k in 0..=STEPS {
        let time = f64::from(k) * STEP;
        let (force, x) = ((TAU * time).sin(), world.pose(ball).position.x);
        let v = world.velocity(ball).x;
        run.time.push(time);
        run.force.push(force);
        run.momentum.push(MASS * v);
        run.kinetic.push(0.5 * MASS * v * v);
        run.work.push(work);
        run.supplied.push(world.ledger().totals().supplied);
        inputs.force(port, [force, 0.0, 0.0]);
        let _ = world.step(STEP, &inputs);
        work += force * (world.pose(ball).position.x - x);
    }
    Ok(run)
}

impl Run {
    /// Kinetic energy less the work done \[J\].
    pub(super) fn excess(&self) -> Vec<f64> {
        self.kinetic.iter().zip(&self.work).map(|(kinetic, work)| kinetic - work).collect()
    }

    /// Largest kinetic energy of the exact motion, `F₀²·2/(m ω²)` \[J\].
    pub(super) fn scale() -> f64 {
        2.0 / (MASS * TAU * TAU)
    }

    /// Energy that the Euler rule must create, step by step \[J\]: `½ m (v_k − v_{k−1})²`, which
    /// is `f² h²/2m`, what `[Brown1998, (5.13)]` is short of the kinetic energy.
    pub(super) fn euler_excess(&self) -> Vec<f64> {
        let gain = |sum: &mut f64, force: &f64| {
            let now = *sum;
            *sum += (force * STEP).powi(2) / (2.0 * MASS);
            Some(now)
        };
        self.force.iter().scan(0.0, gain).collect()
    }

    /// The numbers.
    pub(super) fn sheet(&self) -> Sheet {
        Sheet::over_time(&self.time)
            .column("force", "N", &self.force)
            .column("momentum", "kg·m/s", &self.momentum)
            .column("kinetic", "J", &self.kinetic)
            .column("work", "J", &self.work)
            .column("supplied", "J", &self.supplied)
    }

    /// Energy and work, and what is between them.
    pub(super) fn figure(&self, title: &str, excess: Axis) -> Figure {
        let line = |name, values: &[f64]| Line::new(name, &self.time, values);
        let kinetic = line("kinetic energy", &self.kinetic).color(Color::BLUE).dash(Dash::Solid);
        let work = Line::scatter("work of the force", &self.time, &self.work, Marker::Disc);
        let difference = line("kinetic energy − work", &self.excess()).color(Color::BLACK);
        Figure::new(title, Axis::new("time", "s").fixed(0.0, 4.0))
            .legend(Legend::Below)
            .size(720.0, 520.0)
            .panel(
                Panel::new(Axis::new("energy", "J").fixed(-0.06, 0.06))
                    .line(kinetic)
                    .line(work.color(Color::VERMILION)),
            )
            .panel(Panel::new(excess).line(difference.dash(Dash::Solid)))
    }

    /// What both rules must show: `m v_k = Σ f h` `[Brown1998, (5.12)]`, and a ledger that counts
    /// work as the thesis does.
    pub(super) fn checks(&self) -> Vec<Check> {
        let impulse = self.force.iter().scan(0.0, |sum: &mut f64, force| {
            let now = *sum;
            *sum += force * STEP;
            Some(now)
        });
        let momentum = impulse.zip(&self.momentum).map(|(impulse, momentum)| momentum - impulse);
        let ledger =
            self.supplied.iter().zip(&self.work).map(|(s, work)| (s - work) / Self::scale());
        vec![
            Check::at_most("largest |m v - impulse| [kg m/s]", largest(momentum), 1e-13),
            Check::at_most("largest |supplied - work| / energy", largest(ledger), 1e-12),
        ]
    }
}
