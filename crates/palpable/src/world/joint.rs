//! What joints show: how far they are turned, and how fast.

use super::{ChangeError, World};
use crate::math::Vec3;
use crate::model::{ElementId, Kind, Row, element_ends};

impl World {
    /// How far a hinge, or any other element between two frames, is turned about the z axis of its
    /// second frame [rad]: between −π and π, but an element that counts whole turns
    /// ([`crate::Spring::angle`]) says all of them. For a coordinate of a chain its value.
    ///
    /// # Errors
    /// An element that is gone or of another world, or one that measures no single angle.
    pub fn angle(&self, joint: ElementId) -> Result<f64, ChangeError> {
        let e = self.known_element(joint)?;
        let (info, p) = (&self.model.elements[e], &self.params.elements[e]);
        match &info.kind {
            Kind::Coordinates(c) if c.rows.len() == 1 => {
                Ok(c.strain(&self.state.systems[c.system].q)[0])
            }
            Kind::Rows(rows) if *rows == [Row::Angle] => Ok(self.state.strain[e][0] + p.rest[0]),
            Kind::Coordinates(_) | Kind::Gear(_) => Err(no_angle()),
            _ => {
                let [a, b] = element_ends(info, p, &self.state, None).map(|end| end.pose());
                let seen = b.rotation.inverse() * a.rotation;
                Ok(wrapped(2.0 * seen.coords.z.atan2(seen.coords.w)))
            }
        }
    }

    /// How fast that angle changes [rad/s], at the present velocities.
    ///
    /// # Errors
    /// As above.
    pub fn rate(&self, joint: ElementId) -> Result<f64, ChangeError> {
        let e = self.known_element(joint)?;
        let (info, p) = (&self.model.elements[e], &self.params.elements[e]);
        match &info.kind {
            Kind::Coordinates(c) if c.rows.len() == 1 => {
                let mut rates = vec![0.0; self.state.systems[c.system].xi.len()];
                self.rates_of(c.system, &mut rates);
                let own = c.rows[0].iter().zip(&rates[c.skip.w..]);
                Ok(own.map(|(a, w)| a * w).sum())
            }
            Kind::Coordinates(_) | Kind::Gear(_) => Err(no_angle()),
            _ => {
                let [_, b] = element_ends(info, p, &self.state, None).map(|end| end.pose());
                let spin = |node: Option<usize>| {
                    let s = node.map(|n| &self.state.bodies[n]);
                    s.map_or(Vec3::zeros(), |s| s.q * s.omega)
                };
                let [wa, wb] = info.ends.map(spin);
                Ok((b.rotation * Vec3::z()).dot(&(wa - wb)))
            }
        }
    }
}

fn no_angle() -> ChangeError {
    ChangeError::Unknown { field: "angle of the element" }
}

/// The same angle between −π and π.
fn wrapped(angle: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    if angle > PI {
        angle - TAU
    } else if angle < -PI {
        angle + TAU
    } else {
        angle
    }
}
