//! Device profiles on disk.

use crate::failure::Failure;
pub use palpable_passivity::DeviceProfile as Profile;
use std::path::Path;

/// Largest profile \[bytes\].
const MOST: u64 = 1 << 20;

/// The text of a regular file; a pipe or a device has no end.
fn read(path: &Path) -> std::io::Result<String> {
    let about = std::fs::metadata(path)?;
    let refused = |why| Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, why));
    if !about.is_file() {
        return refused("it is not a regular file");
    }
    if about.len() > MOST {
        return refused("it is larger than a profile can be");
    }
    std::fs::read_to_string(path)
}

/// Reads and checks a profile.
///
/// # Errors
/// A file that cannot be read, an unknown or missing field, a number out of range.
pub fn load_profile(path: &Path) -> Result<Profile, Failure> {
    let file = path.display();
    let text = read(path).map_err(|error| {
        let cure = "check the path; `devices/example.toml` shows the form";
        Failure::new(format!("{file}: cannot be read: {error}; {cure}"))
    })?;
    Profile::parse(&text).map_err(|problem| Failure::new(format!("{file}: {problem}")))
}
