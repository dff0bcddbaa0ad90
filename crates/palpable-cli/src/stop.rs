//! Ctrl-C: the first asks to stop at the next step, the second ends the program at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static LISTENING: OnceLock<()> = OnceLock::new();

/// Starts to listen. Without a handler Ctrl-C ends the program as usual.
pub fn listen() {
    LISTENING.get_or_init(|| {
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
}

/// Whether the user asked to stop.
pub fn asked() -> bool {
    STOP.load(Ordering::Relaxed)
}
