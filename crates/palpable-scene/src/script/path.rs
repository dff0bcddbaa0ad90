//! Poses or values at given times, with smooth motion between them.

use crate::document::Outside;
use palpable::Pose;

/// What a path can run through.
pub(crate) trait Between: Copy {
    /// The value `share` of the way to `other`.
    fn between(&self, other: &Self, share: f64) -> Self;
}

impl Between for f64 {
    fn between(&self, other: &Self, share: f64) -> Self {
        self * (1.0 - share) + other * share
    }
}

impl Between for Pose {
    /// Positions run straight, orientations about one axis, the shorter way.
    fn between(&self, other: &Self, share: f64) -> Self {
        let turn = (self.rotation.inverse() * other.rotation).scaled_axis();
        let part = palpable::Rotation::from_scaled_axis(turn * share);
        Self {
            position: self.position * (1.0 - share) + other.position * share,
            rotation: self.rotation * part,
        }
    }
}

/// Values at increasing times, and what holds outside them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Path<T> {
    outside: Outside,
    keys: Vec<(f64, T)>,
}

impl<T: Between> Path<T> {
    /// A path without values.
    pub fn new(outside: Outside) -> Self {
        Self { outside, keys: Vec::new() }
    }

    /// The value that was added last.
    pub fn last(&self) -> Option<T> {
        self.keys.last().map(|(_, value)| *value)
    }

    /// Adds a value at `time` [s]; false if that is not later than the one before.
    pub fn push(&mut self, time: f64, value: T) -> bool {
        let is_later = self.keys.last().is_none_or(|(last, _)| time > *last);
        if is_later {
            self.keys.push((time, value));
        }
        is_later
    }

    /// The value at `time` [s]; none where the path is idle.
    pub fn at(&self, time: f64) -> Option<T> {
        let (first, last) = (self.keys.first()?, self.keys.last()?);
        let is_outside = !(first.0..=last.0).contains(&time);
        let time = match self.outside {
            Outside::Idle if is_outside => return None,
            Outside::Repeat if is_outside && last.0 > first.0 => {
                first.0 + (time - first.0).rem_euclid(last.0 - first.0)
            }
            _ => time,
        };
        let next = self.keys.partition_point(|(t, _)| *t <= time);
        let (Some((t0, a)), Some((t1, b))) =
            (self.keys.get(next.wrapping_sub(1)), self.keys.get(next))
        else {
            return Some(if next == 0 { first.1 } else { last.1 });
        };
        Some(a.between(b, ease((time - t0) / (t1 - t0))))
    }
}

/// From 0 to 1 with rates and accelerations of zero at both ends: the least jerk.
fn ease(s: f64) -> f64 {
    s * s * s * (10.0 - 15.0 * s + 6.0 * s * s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpable::{Rotation, Vec3};

    fn path(outside: Outside) -> Path<f64> {
        let mut path = Path::new(outside);
        for (time, value) in [(1.0, 10.0), (2.0, 20.0), (4.0, 0.0)] {
            assert!(path.push(time, value));
        }
        assert!(!path.push(4.0, 1.0));
        path
    }

    #[test]
    fn a_path_passes_its_keys_at_rest_and_is_halfway_at_half_time() {
        let held = path(Outside::Hold);
        for (time, value) in
            [(0.0, 10.0), (1.0, 10.0), (1.5, 15.0), (2.0, 20.0), (3.0, 10.0), (5.0, 0.0)]
        {
            assert_eq!(held.at(time), Some(value), "{time}");
        }
        for time in [1.0, 2.0] {
            let ahead = held.at(time + 1e-3).expect("a value") - held.at(time).expect("a value");
            // s^3 of a millisecond
            assert!(ahead.abs() < 2e-7, "{time}: {ahead}");
        }
    }

    #[test]
    fn outside_its_times_a_path_holds_stops_or_repeats() {
        assert_eq!(path(Outside::Idle).at(0.5), None);
        assert_eq!(path(Outside::Repeat).at(4.5), Some(15.0));
        assert_eq!(Path::<f64>::new(Outside::Hold).at(0.0), None);
        let mut one = Path::new(Outside::Repeat);
        assert!(one.push(1.0, 3.0));
        assert_eq!((one.at(7.0), one.at(f64::NAN)), (Some(3.0), Some(3.0)));
    }

    #[test]
    fn poses_turn_about_one_axis() {
        let turn = |angle: f64| Rotation::from_scaled_axis(Vec3::new(0.0, angle, 0.0));
        let mut path = Path::new(Outside::Hold);
        for (time, angle) in [(0.0, 0.4), (1.0, 1.6)] {
            path.push(time, Pose { position: Vec3::x() * angle, rotation: turn(angle) });
        }
        let middle = path.at(0.5).expect("a pose");
        assert!((middle.rotation.angle_to(&turn(1.0))).abs() < 1e-12);
        assert!((middle.position - Vec3::x()).norm() < 1e-12);
    }
}
