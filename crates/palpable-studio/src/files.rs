//! A private folder for the gallery's meshes and tables and for files the user drops.

use crate::StudioError;
use std::path::{Path, PathBuf};

/// Removed with everything in it when dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A new folder in the system's temporary one; `token` makes its name unguessable.
    pub fn create(token: &str) -> Result<Self, StudioError> {
        let path = std::env::temp_dir().join(format!("palpable-studio-{token}"));
        let fail = |e| StudioError::system("a temporary folder", e);
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path).map_err(fail)?;
        Ok(Self { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file below the folder; folders in `name` are made.
    pub fn write(&self, name: &str, bytes: &[u8]) -> std::io::Result<PathBuf> {
        let path = self.path.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&path, bytes)?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// A file name that cannot lead out of a folder: letters, digits, `-`, `_`, `.` and blanks, not
/// hidden, at most 100 bytes.
pub fn is_plain_name(name: &str) -> bool {
    let good = |c: char| c.is_alphanumeric() || "-_. ".contains(c);
    !name.is_empty() && name.len() <= 100 && !name.starts_with('.') && name.chars().all(good)
}

/// A path of plain names with `/` between them, at most 14 folders deep.
pub fn is_plain_path(path: &str) -> bool {
    path.split('/').count() <= 15 && path.split('/').all(is_plain_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_lead_out_of_the_folder() {
        assert!(is_plain_name("my scene-2.toml"));
        for bad in ["", "..", ".x", "a/b", "a\\b", "/etc/passwd", "a\0b", "c:x"] {
            assert!(!is_plain_name(bad), "{bad:?}");
        }
        assert!(!is_plain_name(&"x".repeat(101)));
        assert!(is_plain_path("robot/meshes/base.stl") && is_plain_path("a.toml"));
        for bad in ["", "/a", "a/", "a//b", "../a", "a/../b", "a/.x", "a\\b"] {
            assert!(!is_plain_path(bad), "{bad:?}");
        }
        assert!(!is_plain_path(&"x/".repeat(15).replace("x/", "x/y/")));
    }
}
