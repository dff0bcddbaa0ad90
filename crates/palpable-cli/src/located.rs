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

/// What is wrong with a word that is neither a file nor a scene of the gallery.
pub fn unknown(word: &str) -> Failure {
    let near = palpable_scene::nearest(word, gallery::GALLERY.iter().map(|e| e.id));
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let cure = format!("{near}`palpable scenes` lists those of the gallery");
    Failure::new(format!("there is no file and no scene `{word}`; {cure}"))
}

/// Finds a scene. A file goes before a name.
///
/// # Errors
/// A word that names nothing; a scene of the gallery that cannot be unpacked.
pub fn find(scene: &Path) -> Result<Located, Failure> {
    let there = scene.exists();
    let exhibit = scene.to_str().and_then(gallery::find);
    let Some(exhibit) = exhibit.filter(|_| !there) else {
        return match scene.to_str() {
            // a path that is written as one is answered by what the system says
            Some(word) if !there && !word.contains(['/', '\\', '.']) => Err(unknown(word)),
            _ => Ok(Located { path: scene.to_owned(), unpacked: None }),
        };
    };
    let folder = std::env::temp_dir().join(format!("palpable-scene-{}", std::process::id()));
    let fail = |error: std::io::Error| {
        let cure = "set TMPDIR to a folder that you may write in";
        Failure::new(format!("{}: cannot unpack the scene: {error}; {cure}", folder.display()))
    };
    let path = gallery::write(exhibit, &folder).map_err(fail)?;
    Ok(Located { path, unpacked: Some(folder.clone()) })
}
