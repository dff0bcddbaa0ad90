//! Ctrl-C, SIGTERM and a terminal that closes ask to stop at the next step, so that forces fade and
//! files are closed properly.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static LISTENING: OnceLock<()> = OnceLock::new();

/// Starts to listen. Without a handler these signals end the program as usual.
pub fn listen() {
    LISTENING.get_or_init(|| {
        let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    });
}

/// Whether the user asked to stop.
pub fn asked() -> bool {
    STOP.load(Ordering::Relaxed)
}
