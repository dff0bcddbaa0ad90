//! Device profiles on disk.

use crate::failure::Failure;
pub use palpable_passivity::DeviceProfile as Profile;
use std::path::Path;

/// Reads and checks a profile.
///
/// # Errors
/// A file that cannot be read, an unknown or missing field, a number out of range.
pub fn load_profile(path: &Path) -> Result<Profile, Failure> {
    let file = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| {
        let cure = "check the path; `devices/example.toml` shows the form";
        Failure::new(format!("{file}: cannot be read: {error}; {cure}"))
    })?;
    Profile::parse(&text).map_err(|problem| Failure::new(format!("{file}: {problem}")))
}
