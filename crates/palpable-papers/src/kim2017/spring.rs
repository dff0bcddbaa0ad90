//! A body on an SO(3) spring, the common ground of fig. 3 and the off-axis case.

use crate::PaperError;
use palpable::{Anchor, Body, Inputs, Model, Options, Rotation, Scheme, Spring, Vec3, World};

/// A body turned by `angle` \[rad\] about (1, 2, 1)/√6 on a spring to the world, let go with an
/// angular velocity in body axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting {
    /// Principal moments of inertia \[kg·m²\].
    pub inertia: [f64; 3],
    /// Stiffness of the spring \[N·m/rad\].
    pub stiffness: f64,
    /// Angle at the start \[rad\].
    pub angle: f64,
    /// Angular velocity at the start \[rad/s\].
    pub omega: [f64; 3],
}

/// What a scheme did: one entry per step, the start included.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    /// Time \[s\].
    pub time: Vec<f64>,
    /// Strain of the spring along the axis of the start \[rad\].
    pub angle: Vec<f64>,
    /// Kinetic energy \[J\].
    pub kinetic: Vec<f64>,
    /// Energy of the spring \[J\].
    pub elastic: Vec<f64>,
    /// Stored energy, tank included, plus what was discarded at wraps \[J\].
    pub accounted: Vec<f64>,
}

/// The axis of the start.
pub(super) fn axis() -> Vec3 {
    Vec3::new(1.0, 2.0, 1.0) / 6f64.sqrt()
}

impl Setting {
    /// Energy at the start \[J\].
    pub(super) fn energy(&self) -> f64 {
        let kinetic: f64 = self.inertia.iter().zip(self.omega).map(|(j, w)| 0.5 * j * w * w).sum();
        kinetic + 0.5 * self.stiffness * self.angle * self.angle
    }

    /// Steps the body; entries after a refused step are not numbers.
    pub(super) fn simulate(&self, scheme: Scheme, h: f64, steps: u32) -> Result<Run, PaperError> {
        let mut model = Model::ghosts();
        let rotation = Rotation::from_scaled_axis(axis() * self.angle);
        let body = model.body(
            Body::new("body")
                .principal_inertia(1.0, self.inertia)
                .rotation(rotation)
                .angular_velocity(self.omega),
        );
        let spring = Spring::rotation(body.origin(), Anchor::world([0.0; 3]));
        let spring = model.spring(spring.stiffness(self.stiffness));
        let mut world =
            World::with_options(model.build()?, Options { scheme, ..Options::default() })?;
        let (mut run, mut taken) = (Run::default(), true);
        for n in 0..=steps {
            taken = taken && (n == 0 || world.step(h, &Inputs::none()).status.is_taken());
            let value = |v: f64| if taken { v } else { f64::NAN };
            let (stored, lost) = (world.energy(), world.ledger().totals().discarded);
            run.time.push(f64::from(n) * h);
            run.angle.push(value(axis().dot(&world.strain(spring).fixed_rows::<3>(0))));
            run.kinetic.push(value(stored.kinetic));
            run.elastic.push(value(stored.elastic));
            run.accounted.push(value(stored.total() + lost));
        }
        Ok(run)
    }
}

impl Run {
    /// Kinetic energy and energy of the spring together \[J\].
    pub(super) fn mechanical(&self) -> Vec<f64> {
        self.kinetic.iter().zip(&self.elastic).map(|(kinetic, elastic)| kinetic + elastic).collect()
    }

    /// Stored and discarded energy over `initial` \[J\], less one.
    pub(super) fn unexplained(&self, initial: f64) -> impl Iterator<Item = f64> + '_ {
        self.accounted.iter().map(move |energy| energy / initial - 1.0)
    }
}
