//! The studio: a local page where the mouse is the hand.
//!
//! A servo thread steps the world at its own rate ([`rig`]); a small web server shows it and passes
//! on what the user does ([`server`]). The two meet in lock-free queues only, so a slow page never
//! holds up a step. The wire format is in [`protocol`].
//!
//! ```no_run
//! let studio = palpable_studio::Studio::start(palpable_studio::Settings::default())?;
//! println!("{}", studio.address());
//! studio.wait();
//! # Ok::<(), palpable_studio::StudioError>(())
//! ```

mod assets;
pub mod devices;
mod error;
mod files;
pub mod gallery;
pub mod indoors;
pub mod located;
pub mod looks;
mod open;
pub mod protocol;
mod recording;
pub mod rig;
pub mod server;
pub mod stage;
mod studio;
mod token;

pub use error::StudioError;
pub use gallery::{Exhibit, GALLERY};
pub use open::open_in_browser;
pub use studio::{Settings, Studio};
