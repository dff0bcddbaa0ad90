//! The servo path takes no lock and never prints: nothing in its sources could.

use std::fs;
use std::path::Path;

/// Files that run before and after the loop only.
const OUTSIDE: &[&str] = &["thread.rs", "library.rs", "survey.rs", "usb.rs"];
/// Folders of the servo path; the threads of drivers are held to the same.
const ROOMS: &[&str] = &[
    "rt",
    "safety",
    "device",
    "drivers",
    "drivers/haply",
    "drivers/force_dimension",
    "drivers/open_haptics",
];

#[test]
fn the_servo_path_names_no_lock_and_no_voice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let banned = [
        "Mutex", "RwLock", "Condvar", "mpsc", "OnceLock", "LazyLock", "println!", "print!", "dbg!",
        "std::fs",
    ];
    let mut files = 0;
    for room in ROOMS {
        for entry in fs::read_dir(root.join(room)).unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_dir() {
                continue;
            }
            if OUTSIDE.contains(&name.as_str()) {
                continue;
            }
            files += 1;
            let text = fs::read_to_string(entry.path()).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for word in banned {
                assert!(!code.contains(word), "{room}/{name}: {word}");
            }
        }
    }
    assert!(files > 20, "looked at {files} files only");
}
