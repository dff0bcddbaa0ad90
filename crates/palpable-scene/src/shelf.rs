//! Files that a scene names: regular ones, no larger than their kind can be, and where a scene is
//! not trusted only those inside one folder.

use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A scene or a robot.
    Text,
    /// A table of numbers.
    Table,
    /// A mesh.
    Mesh,
}

impl Kind {
    /// Largest file of its kind [bytes].
    fn most(self) -> u64 {
        match self {
            Kind::Text | Kind::Table => 64 << 20,
            Kind::Mesh => 256 << 20,
        }
    }
}

/// Where files may be read from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shelf {
    within: Option<PathBuf>,
}

impl Shelf {
    /// Files inside a folder only.
    pub fn within(folder: &Path) -> Self {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        Self { within: Some(folder) }
    }

    /// True if a folder may be looked into; says nothing about whether it is there.
    pub fn holds(&self, path: &Path) -> bool {
        let Some(root) = &self.within else { return true };
        let path = plain(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        if !path.starts_with(plain(root)) {
            return false;
        }
        // a link inside may lead outside
        match (root.canonicalize(), path.canonicalize()) {
            (Ok(root), Ok(path)) => path.starts_with(root),
            _ => true,
        }
    }

    /// The bytes of a file, or why they cannot be had.
    pub fn bytes(&self, path: &Path, kind: Kind) -> Result<Vec<u8>, String> {
        if !self.holds(path) {
            return Err("it lies outside the folder of the scene, which is all it may read".into());
        }
        // before it is opened: a pipe would wait for ever
        let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
        if !about.is_file() {
            return Err("it is not a regular file".into());
        }
        let most = kind.most();
        let large = || format!("it is larger than {} MB", most >> 20);
        if about.len() > most {
            return Err(large());
        }
        let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
        let mut bytes = Vec::with_capacity(about.len() as usize);
        file.take(most + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        if bytes.len() as u64 > most { Err(large()) } else { Ok(bytes) }
    }

    /// The same as text.
    pub fn text(&self, path: &Path, kind: Kind) -> Result<String, String> {
        String::from_utf8(self.bytes(path, kind)?).map_err(|error| {
            format!("it is not UTF-8 text at byte {}", error.utf8_error().valid_up_to() + 1)
        })
    }
}

/// A path without `.` and `..`, by its words alone.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_inside_the_folder_are_read() {
        let folder = std::env::temp_dir().join(format!("palpable-shelf-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("a")).expect("a folder");
        std::fs::write(folder.join("a/x.csv"), "1\n").expect("a file");
        std::fs::write(folder.join("y.csv"), b"12\xff").expect("a file");
        let (all, some) = (Shelf::default(), Shelf::within(&folder.join("a")));
        let why = |shelf: &Shelf, name: &str| {
            shelf.text(&folder.join(name), Kind::Table).expect_err("refused")
        };
        assert_eq!(some.text(&folder.join("a/x.csv"), Kind::Table), Ok("1\n".to_owned()));
        assert!(why(&some, "a/../y.csv").contains("outside"));
        // what is outside is refused whether it is there or not
        assert_eq!(why(&some, "y.csv"), why(&some, "nothing.csv"));
        assert!(why(&all, "y.csv").contains("byte 3"));
        assert!(why(&all, "a").contains("not a regular file"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.join("y.csv"), folder.join("a/link.csv")).expect("");
            assert!(why(&some, "a/link.csv").contains("outside"));
            let device = Shelf::default().bytes(Path::new("/dev/zero"), Kind::Mesh);
            assert!(device.expect_err("refused").contains("not a regular file"));
        }
        let _ = std::fs::remove_dir_all(folder);
    }
}
