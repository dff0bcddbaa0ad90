//! The scenes inside the program, so that the studio runs from any folder.

use crate::StudioError;
use crate::files::Folder;

/// A scene of the gallery.
#[derive(Debug, Clone, Copy)]
pub struct Exhibit {
    /// Its name in addresses, and that of its file without the ending.
    pub id: &'static str,
    /// The group it is shown in.
    pub group: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! exhibits {
    ($($group:literal: $($id:literal),*;)*) => {
        &[$($(Exhibit {
            id: $id,
            group: $group,
            text: include_str!(concat!("../../../scenes/", $id, ".toml")),
        }),*),*]
    };
}

/// All of them; the first is shown at the start.
pub const GALLERY: &[Exhibit] = exhibits![
    "Start here":
        "start", "feather", "any-finger", "two-hands";
    "Touch":
        "dominoes", "cradle", "stack-13", "wall", "peg-in-hole", "box-drop", "falling-shapes",
        "sliding-block", "incline", "ball-on-beam", "stack-3", "stack-6";
    "Surfaces that yield":
        "soft-tower", "soft-cube", "soft-disc", "shovels", "soft-gears", "tippe-top", "soft-top",
        "soft-pull", "soft-pyramid";
    "Impulses":
        "crisp-corner", "crisp-hole", "crisp-peg", "crisp-arm-2", "crisp-arm-3";
    "Robots and mechanisms":
        "arm", "wipe", "finger", "coupled-finger", "hand", "insect", "arm-two-link", "four-bar",
        "gears", "double-pendulum";
    "Springs and flexible":
        "demo", "oscillator", "beam", "chain", "bushing", "pose-spring", "so3-spring",
        "damped", "reference-port", "csv-port";
    "Papers":
        "peg-two-hands", "peg-two-hands-hard", "grasp-ball", "grasp-cube", "grasp-cylinder",
        "grasp-mug", "printed-plastic", "oscillator-random-step", "free-tumble";
];

/// Files that the scenes name.
const COMPANIONS: &[(&str, &[u8])] = &[
    ("coupled-finger.csv", include_bytes!("../../../scenes/coupled-finger.csv")),
    ("gears.csv", include_bytes!("../../../scenes/gears.csv")),
    ("csv-port.csv", include_bytes!("../../../scenes/csv-port.csv")),
    ("soft-pull.csv", include_bytes!("../../../scenes/soft-pull.csv")),
    ("meshes/bracket.obj", include_bytes!("../../../scenes/meshes/bracket.obj")),
    ("meshes/mug.obj", include_bytes!("../../../scenes/meshes/mug.obj")),
    ("meshes/octahedron.stl", include_bytes!("../../../scenes/meshes/octahedron.stl")),
    ("robots/arm.urdf", include_bytes!("../../../scenes/robots/arm.urdf")),
    ("robots/meshes/flange.stl", include_bytes!("../../../scenes/robots/meshes/flange.stl")),
];

/// Writes a scene and the files that it names into a folder; the path of the scene.
///
/// # Errors
/// What the system says.
pub fn write(exhibit: &Exhibit, folder: &std::path::Path) -> std::io::Result<std::path::PathBuf> {
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(&path, bytes).map(|()| path)
    };
    for (name, bytes) in COMPANIONS {
        // a robot names its meshes itself
        let file = name.rsplit('/').next().unwrap_or(name);
        let mesh_of_robot = name.starts_with("robots/") && exhibit.text.contains("robots/");
        if exhibit.text.contains(file) || mesh_of_robot {
            put(name, bytes)?;
        }
    }
    put(&format!("{}.toml", exhibit.id), exhibit.text.as_bytes())
}

/// Unpacks the files that the scenes name beside them, and beside what the user drops: a scene of
/// the gallery that was changed and saved is opened from there.
pub fn unpack(folder: &Folder) -> Result<(), StudioError> {
    for (name, bytes) in COMPANIONS {
        for place in [(*name).to_owned(), format!("dropped/{name}")] {
            let written = folder.write(&place, bytes);
            written.map_err(|e| StudioError::system("unpacking the gallery", e))?;
        }
    }
    Ok(())
}

/// A scene by its id.
pub fn find(id: &str) -> Option<&'static Exhibit> {
    GALLERY.iter().find(|exhibit| exhibit.id == id)
}
