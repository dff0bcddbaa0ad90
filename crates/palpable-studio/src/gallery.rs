//! The scenes inside the program, so that the studio runs from any folder.

use crate::StudioError;
use crate::files::Folder;

/// A scene of the gallery.
#[derive(Debug, Clone, Copy)]
pub struct Exhibit {
    /// Its name in addresses, and that of its file without the ending.
    pub id: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! exhibits {
    ($($id:literal),* $(,)?) => {
        &[$(Exhibit { id: $id, text: include_str!(concat!("../../../scenes/", $id, ".toml")) }),*]
    };
}

/// All of them; the first is shown at the start.
pub const GALLERY: &[Exhibit] = exhibits![
    "demo",
    "dominoes",
    "arm",
    "stack-13",
    "finger",
    "wipe",
    "beam",
    "peg-in-hole",
    "oscillator",
    "double-pendulum",
    "four-bar",
    "chain",
    "incline",
    "ball-on-beam",
    "box-drop",
    "sliding-block",
    "printed-plastic",
    "falling-shapes",
    "wall",
    "stack-3",
    "stack-6",
    "arm-two-link",
    "hand",
    "pose-spring",
    "so3-spring",
    "damped",
    "free-tumble",
    "reference-port",
    "csv-port",
    "oscillator-random-step",
];

/// Files that the scenes name.
const COMPANIONS: &[(&str, &[u8])] = &[
    ("csv-port.csv", include_bytes!("../../../scenes/csv-port.csv")),
    ("meshes/bracket.obj", include_bytes!("../../../scenes/meshes/bracket.obj")),
    ("meshes/octahedron.stl", include_bytes!("../../../scenes/meshes/octahedron.stl")),
    ("robots/arm.urdf", include_bytes!("../../../scenes/robots/arm.urdf")),
    ("robots/meshes/flange.stl", include_bytes!("../../../scenes/robots/meshes/flange.stl")),
];

/// Unpacks the files that the scenes name beside them.
pub fn unpack(folder: &Folder) -> Result<(), StudioError> {
    for (name, bytes) in COMPANIONS {
        folder.write(name, bytes).map_err(|e| StudioError::system("unpacking the gallery", e))?;
    }
    Ok(())
}

/// A scene by its id.
pub fn find(id: &str) -> Option<&'static Exhibit> {
    GALLERY.iter().find(|exhibit| exhibit.id == id)
}
