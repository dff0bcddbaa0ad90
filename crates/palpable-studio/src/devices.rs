//! Device profiles inside the program, by name.

use palpable_passivity::DeviceProfile;
use serde_json::{Value, json};

macro_rules! profiles {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../devices/", $name, ".toml")))),*]
    };
}

/// Names, those of their files without the ending, and texts.
const TEXTS: &[(&str, &str)] = profiles![
    "example",
    "touch",
    "touch-x",
    "phantom-premium-1.5",
    "omega-3",
    "falcon",
    "brown1998",
];

/// All profiles that can be read.
pub fn all() -> Vec<DeviceProfile> {
    TEXTS.iter().filter_map(|(_, text)| DeviceProfile::parse(text).ok()).collect()
}

/// The text of the profile of this name.
pub fn find(name: &str) -> Option<&'static str> {
    TEXTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Names of all profiles.
pub fn names() -> impl Iterator<Item = &'static str> + Clone {
    TEXTS.iter().map(|(name, _)| *name)
}

/// The list as the page reads it.
pub fn list(profiles: &[DeviceProfile]) -> Value {
    let entry = |profile: &DeviceProfile| {
        let device = &profile.device;
        json!({
            "name": device.name,
            "damping": device.damping,
            "rate": device.rate,
            "delay": device.delay,
            "status": profile.status,
            "assumed": profile.assumed,
        })
    };
    json!(profiles.iter().map(entry).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_in_the_folder_can_be_chosen() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../devices");
        let files = std::fs::read_dir(folder).expect("the folder of devices").count();
        assert_eq!((all().len(), TEXTS.len()), (files, files));
    }
}
