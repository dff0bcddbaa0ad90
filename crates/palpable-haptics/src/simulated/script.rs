//! Where a simulated hand wants to be.

use nalgebra::Quaternion;
use palpable::math::join;
use palpable::{Rotation, Vec3, Vec6};
use palpable_record::Table;

/// One swing of a script.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sine {
    /// Amplitude [m] and [rad].
    pub amplitude: Vec6,
    /// Frequency [Hz].
    pub frequency: f64,
    /// Phase [rad].
    pub phase: f64,
}

/// A voluntary motion: three offsets [m] and a rotation vector [rad] over time, about a centre.
///
/// Between two samples of a device it is taken as linear.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Script {
    centre: Vec6,
    sines: Vec<Sine>,
    points: Vec<(f64, Vec6)>,
}

impl Script {
    /// A hand that stays at `centre`.
    pub fn still(centre: impl Into<Vec6>) -> Self {
        Self { centre: centre.into(), ..Self::default() }
    }

    /// Adds a swing.
    pub fn swing(mut self, amplitude: impl Into<Vec6>, frequency: f64, phase: f64) -> Self {
        self.sines.push(Sine { amplitude: amplitude.into(), frequency, phase });
        self
    }

    /// Adds a path of points (time [s], place), linear in between, held at its ends. Points out
    /// of order or not finite are left out.
    pub fn path(mut self, points: impl IntoIterator<Item = (f64, Vec6)>) -> Self {
        for (time, place) in points {
            let later = self.points.last().is_none_or(|last| time > last.0);
            if later && time.is_finite() && place.iter().all(|a| a.is_finite()) {
                self.points.push((time, place));
            }
        }
        self
    }

    /// The hand of a recording: its columns `hand.x`, `hand.y`, `hand.z` [m], and its orientation
    /// where there is one. `None` without the first three.
    pub fn recorded(table: &Table) -> Option<Self> {
        let column = |part: &str| table.column(&format!("hand.{part}"));
        let [x, y, z] = [column("x")?, column("y")?, column("z")?];
        let turn = ["qw", "qx", "qy", "qz"].map(column);
        let place = |row: usize| {
            let [w, i, j, k] = turn.map(|c| c.and_then(|c| c.get(row)).copied().unwrap_or(0.0));
            let turn = Rotation::try_new(Quaternion::new(w, i, j, k), 1e-9).unwrap_or_default();
            join(&Vec3::new(x[row], y[row], z[row]), &turn.scaled_axis())
        };
        let points = table.time().iter().enumerate().map(|(row, time)| (*time, place(row)));
        Some(Self::default().path(points))
    }

    /// Where the hand wants to be at `time` [s].
    pub fn at(&self, time: f64) -> Vec6 {
        let swing =
            |s: &Sine| s.amplitude * (std::f64::consts::TAU * s.frequency * time + s.phase).sin();
        self.centre + self.sines.iter().map(swing).sum::<Vec6>() + self.on_path(time)
    }

    fn on_path(&self, time: f64) -> Vec6 {
        let after = self.points.partition_point(|(t, _)| *t <= time);
        match (after.checked_sub(1).and_then(|i| self.points.get(i)), self.points.get(after)) {
            (Some((t0, a)), Some((t1, b))) => a + (b - a) * ((time - t0) / (t1 - t0)),
            (Some((_, only)), None) | (None, Some((_, only))) => *only,
            (None, None) => Vec6::zeros(),
        }
    }
}
