//! A private folder for the gallery's meshes and tables and for files the user drops.

use crate::{StudioError, token};
use std::path::{Path, PathBuf};

/// Removed with everything in it when dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

/// How the names of these folders begin; the number of the process and random bits follow.
const PREFIX: &str = "palpable-studio-";

impl Folder {
    /// A new folder in the system's temporary one, for this user alone. Everybody can see its name,
    /// so nothing secret is in it.
    pub fn create() -> Result<Self, StudioError> {
        let all = std::env::temp_dir();
        sweep(&all);
        let name = format!("{PREFIX}{}-{}", std::process::id(), token::random()?);
        let path = all.join(name);
        let fail = |e| {
            let what = format!("{e} (in {}; set TMPDIR to a folder that is there)", all.display());
            StudioError::system("a temporary folder", what)
        };
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path).map_err(fail)?;
        Ok(Self { path })
    }

    /// Writes a page that leads to `address`, for this user's browser alone: an address among the
    /// arguments of a process can be read by everybody.
    pub fn door(&self, address: &str) -> std::io::Result<PathBuf> {
        use std::io::Write;
        let path = self.path.join("open.html");
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let page = format!(
            "<!doctype html><meta charset=\"utf-8\">\
             <meta name=\"referrer\" content=\"no-referrer\">\
             <meta http-equiv=\"refresh\" content=\"0; url={address}\"><title>palpable</title>\
             <a href=\"{address}\">palpable studio</a>\n"
        );
        options.open(&path)?.write_all(page.as_bytes())?;
        Ok(path)
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

/// Takes away folders of studios that were killed; those of other users cannot be removed.
fn sweep(all: &Path) {
    if !Path::new("/proc/self").exists() {
        // nothing tells which processes there are
        return;
    }
    for entry in std::fs::read_dir(all).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let number = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
        let Some(number) = number.and_then(|(number, _)| number.parse::<u32>().ok()) else {
            continue;
        };
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && !Path::new("/proc").join(number.to_string()).exists() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
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

    #[cfg(target_os = "linux")]
    #[test]
    fn folders_are_private_tell_nothing_and_are_swept_when_their_studio_is_gone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::create().expect("a folder");
        let mode = |path: &Path| std::fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(folder.path()) & 0o777, 0o700);
        let door = folder.door("http://127.0.0.1:1/secret/").expect("a page");
        assert_eq!(mode(&door) & 0o777, 0o600);
        assert!(std::fs::read_to_string(&door).expect("text").contains("/secret/"));
        // no process has this number
        let dead = std::env::temp_dir().join(format!("{PREFIX}4294967295-x"));
        std::fs::create_dir_all(&dead).expect("a folder");
        let other = Folder::create().expect("another");
        assert!(!dead.exists() && folder.path().exists() && other.path() != folder.path());
    }

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
