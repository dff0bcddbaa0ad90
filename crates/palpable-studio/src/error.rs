//! What can go wrong when the studio starts.

use palpable_scene::SceneErrors;
use thiserror::Error;

/// Why the studio did not start.
#[derive(Debug, Error)]
pub enum StudioError {
    /// The port cannot be had.
    #[error("port {port}: {source}; choose another with --port, or 0 for any that is free")]
    Port {
        /// The port asked for.
        port: u16,
        /// What the system said.
        source: std::io::Error,
    },
    /// A thread, a folder or the system's random numbers cannot be had.
    #[error("{what}: {message}")]
    System {
        /// What was attempted.
        what: &'static str,
        /// What the system said.
        message: String,
    },
    /// A word that is neither a file nor a scene of the gallery.
    #[error("there is no file and no scene `{word}`; {cure}")]
    Unknown {
        /// The word.
        word: String,
        /// What may have been meant.
        cure: String,
    },
    /// The scene to begin with is wrong.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
}

impl StudioError {
    pub(crate) fn system(what: &'static str, source: impl std::fmt::Display) -> Self {
        StudioError::System { what, message: source.to_string() }
    }
}
