//! Orientations to rotations.

use crate::document::Orientation;
use crate::place::{At, Mistakes};
use nalgebra::Quaternion;
use palpable::{Rotation, Vec3};

/// The rotation that an orientation means; none given is none made.
pub(super) fn rotation(orientation: Option<&At<Orientation>>, mistakes: &mut Mistakes) -> Rotation {
    let Some(at) = orientation else { return Rotation::identity() };
    let turn = match &at.value {
        Orientation::Quaternion(q) => return quaternion(q.map(|c| c.0), at, mistakes),
        Orientation::Turn(turn) => turn,
    };
    let given = (turn.axis.get(), turn.angle.get(), turn.euler_xyz.get());
    match given {
        (Some(axis), Some(angle), None) => {
            about_axis(Vec3::from(axis.value.map(|c| c.0)), angle.0, at, mistakes)
        }
        (None, None, Some(euler)) => {
            let [x, y, z] = euler.value.map(|c| c.0);
            Rotation::from_euler_angles(x, y, z)
        }
        _ => {
            // fields that could not be read are noted already
            let message = "this gives neither axis and angle nor euler_xyz";
            let cure = "give both axis and angle, or euler_xyz alone";
            mistakes.add(&at.place, message, cure);
            Rotation::identity()
        }
    }
}

fn quaternion([w, x, y, z]: [f64; 4], at: &At<Orientation>, mistakes: &mut Mistakes) -> Rotation {
    let scale = [w, x, y, z].into_iter().fold(0.0, |m: f64, c| m.max(c.abs()));
    if scale == 0.0 {
        mistakes.add(&at.place, "this quaternion is zero", "give [1, 0, 0, 0] for no rotation");
        return Rotation::identity();
    }
    // divided by the largest entry first, so that the length cannot overflow
    let [w, x, y, z] = [w, x, y, z].map(|c| c / scale);
    Rotation::new_normalize(Quaternion::new(w, x, y, z))
}

fn about_axis(axis: Vec3, angle: f64, at: &At<Orientation>, mistakes: &mut Mistakes) -> Rotation {
    let scale = axis.amax();
    if scale == 0.0 {
        mistakes.add(&at.place, "the axis is zero", "give an axis such as [0, 0, 1]");
        return Rotation::identity();
    }
    let unit = (axis / scale).normalize();
    Rotation::from_scaled_axis(unit * angle)
}
