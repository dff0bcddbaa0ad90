//! Opens the user's browser where there is one.

use std::path::Path;
use std::process::{Command, Stdio};

/// Asks the desktop to show a page; false where there is no desktop or it refuses. The page is a
/// file that only this user can read: arguments of processes can be read by everybody.
pub fn open_in_browser(page: &Path) -> bool {
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else if ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|v| std::env::var_os(v).is_some()) {
        ("xdg-open", &[])
    } else {
        return false;
    };
    let quiet = Command::new(program)
        .args(first)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = quiet else { return false };
    // collect the helper when it ends, so that no zombie stays
    std::thread::spawn(move || child.wait());
    true
}
