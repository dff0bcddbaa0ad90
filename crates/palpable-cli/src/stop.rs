//! Ctrl-C, SIGTERM and a terminal that closes ask to stop at the next step, so that forces fade and
//! files are closed properly.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);
static LISTENING: OnceLock<()> = OnceLock::new();
/// Wakes whoever sleeps in [`pause`].
static BELL: (Mutex<()>, Condvar) = (Mutex::new(()), Condvar::new());

/// Starts to listen. Without a handler these signals end the program as usual.
pub fn listen() {
    LISTENING.get_or_init(|| {
        // the handler runs on a thread of its own, where locks are allowed
        let _ = ctrlc::set_handler(ask);
    });
}

fn ask() {
    // with the lock, so that nobody looks before and falls asleep after
    let _quiet = BELL.0.lock().unwrap_or_else(PoisonError::into_inner);
    STOP.store(true, Ordering::Relaxed);
    BELL.1.notify_all();
}

/// Sleeps for so long, or until the user asks to stop; whoever knows that already sleeps on.
pub fn pause(time: Duration, known: bool) {
    let quiet = BELL.0.lock().unwrap_or_else(PoisonError::into_inner);
    let waits = |_: &mut ()| known || !asked();
    drop(BELL.1.wait_timeout_while(quiet, time, waits).unwrap_or_else(PoisonError::into_inner));
}

/// Whether the user asked to stop.
pub fn asked() -> bool {
    STOP.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_wish_to_stop_wakes_whoever_sleeps_and_only_once() {
        let long = Duration::from_secs(600);
        let start = Instant::now();
        let sleeper = std::thread::spawn(move || pause(long, false));
        std::thread::sleep(Duration::from_millis(20));
        ask();
        sleeper.join().expect("awake");
        pause(long, false);
        assert!(start.elapsed() < long, "woken, and not put to sleep afterwards");
        // what is known already does not keep a loop from sleeping
        let start = Instant::now();
        pause(Duration::from_millis(30), true);
        assert!(start.elapsed() >= Duration::from_millis(30));
    }
}
