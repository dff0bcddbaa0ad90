//! Stub libraries, built once and copied for each user: a copy has variables of its own.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// One build at a time.
static BUILDING: Mutex<()> = Mutex::new(());
static COPIES: AtomicU32 = AtomicU32::new(0);

/// The library of `stubs/NAME.rs`, without a part of it if `without` says so.
pub fn library(name: &str, without: Option<&str>) -> PathBuf {
    let _one = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = folder();
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../palpable-haptics/tests/fakes/stubs")
        .join(format!("{name}.rs"));
    let built = folder.join(format!("lib{name}-{}.so", without.unwrap_or("whole")));
    if !built.exists() {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(rustc);
        command.args(["--edition", "2024", "--crate-type", "cdylib", "-O", "-A", "warnings", "-o"]);
        command.arg(&built).arg(&source);
        if let Some(without) = without {
            command.arg("--cfg").arg(without);
        }
        let output = command.output().expect("rustc starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let count = COPIES.fetch_add(1, Ordering::SeqCst);
    let copy = folder.join(format!("lib{name}-copy-{count}.so"));
    std::fs::copy(&built, &copy).expect("a copy");
    copy
}

/// A folder of this process; those of processes that have ended are swept.
fn folder() -> PathBuf {
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stubs");
    let own = all.join(std::process::id().to_string());
    std::fs::create_dir_all(&own).expect("a folder");
    for entry in std::fs::read_dir(&all).into_iter().flatten().flatten() {
        if !Path::new("/proc").join(entry.file_name()).exists() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    own
}
