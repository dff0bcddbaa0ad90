//! A table of inputs over time.

use super::input;
use crate::assemble::motor::input_of;
use crate::document::{DriveKind, Interpolation, Outside};
use palpable::{PortInput, Rotation, Vec3};

/// What the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Enters {
    /// Force and torque.
    Wrench,
    /// Positions of a reference with this orientation.
    Reference(Rotation),
    /// First number: what a motor does.
    Drive(DriveKind),
}

/// Rows at increasing times, and what holds between and outside them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Track {
    interpolation: Interpolation,
    outside: Outside,
    enters: Enters,
    times: Vec<f64>,
    rows: Vec<[Vec3; 2]>,
}

impl Track {
    /// A table without rows.
    pub fn new(interpolation: Interpolation, outside: Outside, enters: Enters) -> Self {
        Self { interpolation, outside, enters, times: Vec::new(), rows: Vec::new() }
    }

    /// Adds a row at `time` [s]; false if that is not later than the row before.
    pub fn push(&mut self, time: f64, row: [Vec3; 2]) -> bool {
        let is_later = self.times.last().is_none_or(|last| time > *last);
        if is_later {
            self.times.push(time);
            self.rows.push(row);
        }
        is_later
    }

    /// What enters at `time` [s].
    pub fn at(&self, time: f64) -> PortInput {
        let (Some(first), Some(last)) = (self.times.first(), self.times.last()) else {
            return PortInput::Idle;
        };
        let is_outside = !(*first..=*last).contains(&time);
        let time = match self.outside {
            Outside::Idle if is_outside => return self.idle(),
            Outside::Repeat if is_outside => first + (time - first).rem_euclid(last - first),
            _ => time,
        };
        self.input(self.row(time))
    }

    /// A force that ends is a force of zero; a reference or target stays where it is.
    fn idle(&self) -> PortInput {
        match self.enters {
            Enters::Reference(_) | Enters::Drive(DriveKind::Target) => PortInput::Idle,
            Enters::Wrench | Enters::Drive(_) => self.input([Vec3::zeros(); 2]),
        }
    }

    fn input(&self, row: [Vec3; 2]) -> PortInput {
        match self.enters {
            Enters::Wrench => input(row, None),
            Enters::Reference(rotation) => input(row, Some(rotation)),
            Enters::Drive(kind) => input_of(kind, row[0].x),
        }
    }

    fn row(&self, time: f64) -> [Vec3; 2] {
        let next = self.times.partition_point(|t| *t <= time);
        let end = self.rows.len() - 1;
        if next == 0 || next > end || self.interpolation == Interpolation::Hold {
            // NaN, from repeating a single row, compares as earlier than all
            return self.rows[next.saturating_sub(1).min(end)];
        }
        let (t0, t1) = (self.times[next - 1], self.times[next]);
        let share = (time - t0) / (t1 - t0);
        let (a, b) = (&self.rows[next - 1], &self.rows[next]);
        [0, 1].map(|i| a[i] * (1.0 - share) + b[i] * share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(interpolation: Interpolation, outside: Outside) -> Track {
        let mut track = Track::new(interpolation, outside, Enters::Wrench);
        for (time, force) in [(1.0, 10.0), (2.0, 20.0), (4.0, 0.0)] {
            assert!(track.push(time, [Vec3::new(force, 0.0, 0.0), Vec3::zeros()]));
        }
        track
    }

    fn force(track: &Track, time: f64) -> f64 {
        match track.at(time) {
            PortInput::Wrench { force, .. } => force.x,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn between_rows_the_value_runs_straight_or_is_held() {
        let linear = track(Interpolation::Linear, Outside::Hold);
        let held = track(Interpolation::Hold, Outside::Hold);
        for (time, straight, hold) in
            [(1.0, 10.0, 10.0), (1.5, 15.0, 10.0), (2.0, 20.0, 20.0), (3.0, 10.0, 20.0)]
        {
            assert_eq!(force(&linear, time), straight);
            assert_eq!(force(&held, time), hold);
        }
    }

    #[test]
    fn outside_its_times_a_table_holds_stops_or_repeats() {
        for (outside, before, after) in [
            (Outside::Hold, 10.0, 0.0),
            (Outside::Idle, 0.0, 0.0),
            // 0.5 s is 3.5 s, 4.5 s is 1.5 s
            (Outside::Repeat, 5.0, 15.0),
        ] {
            let track = track(Interpolation::Linear, outside);
            assert_eq!(force(&track, 0.5), before, "{outside:?}");
            assert_eq!(force(&track, 4.5), after, "{outside:?}");
        }
    }

    #[test]
    fn a_single_row_and_no_row_are_answered() {
        let mut one = Track::new(Interpolation::Linear, Outside::Repeat, Enters::Wrench);
        assert_eq!(one.at(1.0), PortInput::Idle);
        assert!(one.push(1.0, [Vec3::x(), Vec3::zeros()]));
        assert!(!one.push(1.0, [Vec3::y(), Vec3::zeros()]));
        assert_eq!(force(&one, 5.0), 1.0);
        assert_eq!(force(&one, f64::NAN), 1.0);
    }
}
