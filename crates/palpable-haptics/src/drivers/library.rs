//! Makers' libraries, found and opened at run time.
//!
//! Unsafe code: opening a library runs its initialisers, and a symbol has the type we say it has.
//! Both are promises about files that somebody else installed; nothing here can check them.
#![allow(unsafe_code)]

use std::path::{Path, PathBuf};

use crate::device::DeviceError;
use libloading::Library;

/// A library that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// Nowhere to be found.
    #[error("{library} was not found (looked for {tried}): {cure}")]
    NotFound {
        /// What it is.
        library: &'static str,
        /// Names and places.
        tried: String,
        /// What to do.
        cure: &'static str,
    },
    /// A file is there, but is no library that this machine can load.
    #[error(
        "{path} cannot be loaded ({why}): install the version for this system, and the libraries \
         that it needs"
    )]
    NotLoadable {
        /// The file.
        path: String,
        /// What the system says.
        why: String,
    },
    /// A function that we need is not in it.
    #[error("{library} has no function {symbol}: {cure}")]
    NoSymbol {
        /// The file.
        library: String,
        /// The function.
        symbol: &'static str,
        /// What to do.
        cure: &'static str,
    },
}

impl From<LibraryError> for DeviceError {
    fn from(error: LibraryError) -> Self {
        DeviceError::Refused(error.to_string().into())
    }
}

/// What a library is called, and where it may be.
pub(super) struct Wanted {
    /// For people.
    pub library: &'static str,
    /// File names, the best first.
    pub names: &'static [&'static str],
    /// Environment variables that name a folder with it.
    pub folders: &'static [&'static str],
    /// What to do if it is not there.
    pub cure: &'static str,
    /// What to do if it lacks a function.
    pub update: &'static str,
}

/// A library that was opened.
pub(super) struct Opened {
    library: Library,
    /// Where it was found.
    pub path: String,
    update: &'static str,
}

impl Wanted {
    /// Opens `path` if given, or looks in the folders of the environment and of the system.
    pub fn open(&self, path: Option<&Path>) -> Result<Opened, LibraryError> {
        if let Some(path) = path {
            return self.load(path).map_err(|why| match path.exists() {
                true => LibraryError::NotLoadable { path: path.display().to_string(), why },
                false => self.missing(path.display().to_string()),
            });
        }
        if let Some(file) = self.in_folders().into_iter().next() {
            return self.load(&file).map_err(|why| LibraryError::NotLoadable {
                path: file.display().to_string(),
                why,
            });
        }
        let found = self.names.iter().find_map(|name| self.load(Path::new(name)).ok());
        found.ok_or_else(|| self.missing(self.names.join(", ")))
    }

    fn missing(&self, tried: String) -> LibraryError {
        LibraryError::NotFound { library: self.library, tried, cure: self.cure }
    }

    /// Files of the right name below the folders that the environment names.
    fn in_folders(&self) -> Vec<PathBuf> {
        let set = self.folders.iter().filter_map(std::env::var_os).map(PathBuf::from);
        set.flat_map(|folder| {
            ["lib", "lib/release", "bin", ""]
                .into_iter()
                .map(move |below| folder.join(below))
                .flat_map(|place| {
                    let inner = std::fs::read_dir(&place).into_iter().flatten().flatten();
                    let inner = inner.map(|entry| entry.path()).filter(|path| path.is_dir());
                    inner.chain([place.clone()]).collect::<Vec<_>>()
                })
                .collect::<Vec<_>>()
        })
        .flat_map(|place| self.names.iter().map(move |name| place.join(name)))
        .filter(|file| file.is_file())
        .collect()
    }

    fn load(&self, file: &Path) -> Result<Opened, String> {
        // SAFETY: the initialisers of a maker's library run here. The user named the file, or
        // installed it where the system looks for libraries, and wants it to be used.
        let library = unsafe { Library::new(file) }.map_err(|error| error.to_string())?;
        Ok(Opened { library, path: file.display().to_string(), update: self.update })
    }
}

impl Opened {
    /// A function by name; `symbol` ends with a zero byte.
    ///
    /// # Safety
    /// `T` must be the type of an `extern "C"` function pointer with the signature that the
    /// library gives this name, and must not be used after `self` is dropped.
    pub unsafe fn function<T: Copy>(&self, symbol: &'static str) -> Result<T, LibraryError> {
        // SAFETY: the caller promises the type.
        let found = unsafe { self.library.get::<T>(symbol.as_bytes()) };
        found.map(|function| *function).map_err(|_| LibraryError::NoSymbol {
            library: self.path.clone(),
            symbol: symbol.trim_end_matches('\0'),
            cure: self.update,
        })
    }
}
