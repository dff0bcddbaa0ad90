//! Scenes by file name, or by their name in the gallery that is inside the program.

use crate::StudioError;
use crate::files::Folder;
use crate::gallery;
use std::path::{Path, PathBuf};

/// Where a scene is; one of the gallery is unpacked for as long as this lives.
#[derive(Debug)]
pub struct Located {
    /// The file.
    pub path: PathBuf,
    /// The scene of the gallery that it is.
    pub exhibit: Option<&'static str>,
    _unpacked: Option<Folder>,
}

/// What is wrong with a word that is neither a file nor a scene of the gallery.
pub fn unknown(word: &str) -> StudioError {
    let near = palpable_scene::nearest(word, gallery::GALLERY.iter().map(|e| e.id));
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let cure = format!("{near}`palpable scenes` lists those of the gallery");
    StudioError::Unknown { word: word.to_owned(), cure }
}

/// Finds a scene. A file goes before a name.
///
/// # Errors
/// A word that names nothing; a scene of the gallery that cannot be unpacked.
pub fn find(scene: &Path) -> Result<Located, StudioError> {
    let there = scene.is_file();
    let exhibit = scene.to_str().and_then(gallery::find).filter(|_| !there);
    let Some(exhibit) = exhibit else {
        return match scene.to_str() {
            // a path that is written as one is answered by what the system says
            Some(word) if !there && !word.contains(['/', '\\', '.']) => Err(unknown(word)),
            _ => Ok(Located { path: scene.to_owned(), exhibit: None, _unpacked: None }),
        };
    };
    let folder = Folder::create()?;
    let written = gallery::write(exhibit, folder.path());
    let path = written.map_err(|e| StudioError::system("unpacking a scene", e))?;
    Ok(Located { path, exhibit: Some(exhibit.id), _unpacked: Some(folder) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_scene_by_name_is_there_as_long_as_it_is_held() {
        // on threads at once: each has a folder of its own
        let tries: Vec<_> = (0..8).map(|_| thread::spawn(|| find(Path::new("gears")))).collect();
        for found in tries {
            let found = found.join().expect("no panic").expect("a scene");
            assert_eq!(found.exhibit, Some("gears"));
            let built = palpable_scene::Scene::load(&found.path).and_then(|s| s.build());
            assert!(built.is_ok());
            let path = found.path.clone();
            drop(found);
            assert!(!path.exists());
        }
    }

    #[test]
    fn a_word_that_names_nothing_is_told_its_nearest() {
        let told = find(Path::new("gaers")).expect_err("no such scene").to_string();
        assert!(told.contains("did you mean `gears`?"), "{told}");
        // what looks like a path is one
        assert!(find(Path::new("none.toml")).is_ok_and(|l| l.path == Path::new("none.toml")));
    }
}
