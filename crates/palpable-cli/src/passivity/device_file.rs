//! Device profiles on disk, or inside the program.

use crate::failure::Failure;
pub use palpable_passivity::DeviceProfile as Profile;
use palpable_studio::devices;
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

/// The profile inside the program that is called so, or that has this path in the repository.
fn named(path: &Path) -> Option<&'static str> {
    let text = path.to_str()?;
    let within = text.strip_prefix("devices/").and_then(|name| name.strip_suffix(".toml"));
    devices::find(within.unwrap_or(text))
}

/// Reads and checks a profile: a file, or one inside the program by its name, `touch` or
/// `devices/touch.toml`. A file goes before a name.
///
/// # Errors
/// A file that cannot be read, an unknown or missing field, a number out of range.
pub fn load_profile(path: &Path) -> Result<Profile, Failure> {
    let file = path.display();
    let inside = if path.exists() { None } else { named(path) };
    let text = match inside {
        Some(text) => text.to_owned(),
        None => read(path).map_err(|error| {
            let names: Vec<&str> = devices::names().collect();
            let cure = format!(
                "check the path, or name one of the profiles inside the program: {}; \
                 `devices/example.toml` shows the form",
                names.join(", ")
            );
            Failure::new(format!("{file}: cannot be read: {error}; {cure}"))
        })?,
    };
    Profile::parse(&text).map_err(|problem| Failure::new(format!("{file}: {problem}")))
}

/// The profile that stands for a device that nobody named; its own name says so.
///
/// # Errors
/// The program was built with a broken one; a test reads it.
pub fn example() -> Result<Profile, Failure> {
    let text = devices::find("example").unwrap_or_default();
    let mut profile = Profile::parse(text).map_err(|problem| Failure::new(problem.to_string()))?;
    profile.device.name =
        format!("{} (devices/example.toml; give yours by --device FILE)", profile.device.name);
    Ok(profile)
}
