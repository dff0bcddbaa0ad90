//! Scenes by file name, or by their name in the gallery that is inside the program.

use crate::failure::Failure;
use palpable_studio::gallery;
use std::path::{Path, PathBuf};

/// Where a scene is; one of the gallery is unpacked for as long as this lives.
pub struct Located {
    /// The file.
    pub path: PathBuf,
    unpacked: Option<PathBuf>,
}

impl Drop for Located {
    fn drop(&mut self) {
        if let Some(folder) = &self.unpacked {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Finds a scene. A file goes before a name.
///
/// # Errors
/// A scene of the gallery cannot be unpacked.
pub fn find(scene: &Path) -> Result<Located, Failure> {
    let exhibit = scene.to_str().and_then(gallery::find);
    let Some(exhibit) = exhibit.filter(|_| !scene.exists()) else {
        return Ok(Located { path: scene.to_owned(), unpacked: None });
    };
    let folder = std::env::temp_dir().join(format!("palpable-scene-{}", std::process::id()));
    let fail = |error: std::io::Error| {
        let cure = "set TMPDIR to a folder that you may write in";
        Failure::new(format!("{}: cannot unpack the scene: {error}; {cure}", folder.display()))
    };
    let path = gallery::write(exhibit, &folder).map_err(fail)?;
    Ok(Located { path, unpacked: Some(folder.clone()) })
}
