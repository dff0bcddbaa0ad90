//! Real devices, without a maker's kit at build time.
//!
//! | driver | reached by |
//! |---|---|
//! | [`haply`] | the WebSocket of the Haply Inverse Service |
//! | [`force_dimension`] | `libdrd` or `libdhd`, loaded at run time |
//! | [`open_haptics`] | `libHD`, loaded at run time; its scheduler calls us |
//! | [`space_mouse`] | the socket of `spacenavd`; input only, [`Flown`] as a handle |
//!
//! [`survey()`] looks for all of them and says what is missing. None has met its hardware yet: they
//! are tested against fakes that speak the published protocols. Axes are the same for all: x to the
//! right, y away from the user, z up.

mod flown;
pub mod force_dimension;
pub mod haply;
mod library;
pub mod open_haptics;
pub mod space_mouse;
mod survey;
mod usb;

pub use flown::Flown;
pub use library::LibraryError;
pub use survey::{Finding, Places, Standing, survey};

use nalgebra::{Matrix3, Rotation3};
use palpable::Rotation;

/// A rotation from the rows of its matrix; none if they are no rotation.
fn rotation_from_rows(rows: &[[f64; 3]; 3]) -> Option<Rotation> {
    let matrix = Matrix3::from_fn(|i, j| rows[i][j]);
    // encoders and single precision are far better than a thousandth
    let defect = (matrix * matrix.transpose() - Matrix3::identity()).norm();
    let sound = defect < 1e-3 && matrix.determinant() > 0.0;
    sound.then(|| Rotation::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix)))
}
