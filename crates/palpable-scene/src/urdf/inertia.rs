//! `<inertial>` and `<origin>`.

use super::mass::moved;
use super::reader::Reader;
use super::tag::{Known, Tag};
use palpable::{MassProperties, Mat3, Pose, Rotation, Vec3};

/// Slack of the tests on moments, relative to the largest; people type six digits.
const DIGITS: f64 = 1e-5;

/// The pose of `<origin xyz="" rpy="">` inside `tag`; none is no offset. Angles turn about the
/// fixed x, y and z axes in this order: `R = R_z(yaw) R_y(pitch) R_x(roll)`.
pub(super) fn read_origin(tag: &Tag, reader: &mut Reader) -> Pose {
    let Some(origin) = tag.child("origin") else { return Pose::default() };
    let position = origin.numbers("xyz", reader).unwrap_or([0.0; 3]);
    let [roll, pitch, yaw] = origin.numbers("rpy", reader).unwrap_or([0.0; 3]);
    origin.close(&Known { once: &[], many: &[], attributes: &["xyz", "rpy"] }, reader);
    let rotation = match [roll, pitch, yaw] == [0.0; 3] {
        true => Rotation::identity(),
        false => Rotation::from_euler_angles(roll, pitch, yaw),
    };
    Pose { position: Vec3::from(position), rotation }
}

/// Mass properties in the axes of the link; `None` if massless, or wrong and noted.
pub(super) fn read_inertial(tag: &Tag, reader: &mut Reader) -> Option<MassProperties> {
    let before = reader.mistakes.count();
    let origin = read_origin(tag, reader);
    let mass = read_mass(tag, reader);
    let inertia = tag.child("inertia").map(|t| read_matrix(&t, reader)).unwrap_or_default();
    tag.close(&Known { once: &["origin", "mass", "inertia"], many: &[], attributes: &[] }, reader);
    let mass = mass.filter(|_| reader.mistakes.count() == before)?;
    if mass == 0.0 {
        if inertia != Mat3::zeros() {
            let message = "there is an inertia without a mass";
            reader.wrong(&tag.place(), message, "give the mass, or set the inertia to 0 too");
        }
        return None;
    }
    let own = MassProperties { mass, center_of_mass: Vec3::zeros(), inertia };
    check_moments(&own, tag, reader).then(|| moved(&own, &origin))
}

fn read_mass(tag: &Tag, reader: &mut Reader) -> Option<f64> {
    let Some(mass) = tag.child("mass") else {
        reader.wrong(&tag.place(), "<inertial> has no <mass>", "add <mass value=\"1\"/> [kg]");
        return None;
    };
    mass.close(&Known { once: &[], many: &[], attributes: &["value"] }, reader);
    let value = mass.required_number("value", reader)?;
    if value < 0.0 {
        let message = format!("the mass is {value} kg");
        reader.wrong(&mass.field("value"), message, "give a mass greater than 0");
        return None;
    }
    Some(value)
}

/// The matrix; products that are left out are 0.
fn read_matrix(tag: &Tag, reader: &mut Reader) -> Mat3 {
    let names = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"];
    tag.close(&Known { once: &[], many: &[], attributes: &names }, reader);
    let [xx, xy, xz, yy, yz, zz] = names.map(|name| {
        let is_moment = name.as_bytes()[1] == name.as_bytes()[2];
        let number = match is_moment {
            true => tag.required_number(name, reader),
            false => tag.number(name, reader),
        };
        number.unwrap_or(0.0)
    });
    Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

/// True if matter can have these moments. A point or a thin rod can: it may be part of a body.
fn check_moments(mass: &MassProperties, tag: &Tag, reader: &mut Reader) -> bool {
    let at = tag.child("inertia").map_or(tag.place(), |inertia| inertia.place());
    let mut moments: [f64; 3] = mass.principal().moments.into();
    moments.sort_by(f64::total_cmp);
    let [smaller, middle, largest] = moments;
    if !largest.is_finite() || smaller < -DIGITS * largest.abs() {
        let message = format!("the inertia has the principal moment {smaller} kg·m²");
        let cure = "all three must be 0 or more: check the signs of ixy, ixz, iyz and the units";
        reader.wrong(&at, message, cure);
        return false;
    }
    if smaller + middle < largest * (1.0 - DIGITS) {
        let message = format!(
            "the principal moments {smaller} + {middle} < {largest} kg·m² are impossible for matter"
        );
        let cure = "check the units, and that the inertia is about the centre of mass";
        reader.wrong(&at, message, cure);
        return false;
    }
    true
}
