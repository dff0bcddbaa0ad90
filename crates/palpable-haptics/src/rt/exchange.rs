//! Lock-free exchange: rows in a ring, the latest value in a triple buffer, wishes in atomics.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What others may ask of a running loop, and its pulse.
#[derive(Debug, Default)]
pub(super) struct Orders {
    stop: AtomicBool,
    emergency: AtomicBool,
    restart: AtomicBool,
    beats: AtomicU64,
}

impl Orders {
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    pub fn ask_stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    pub fn ask_emergency(&self) {
        self.emergency.store(true, Ordering::Release);
    }

    pub fn ask_restart(&self) {
        self.restart.store(true, Ordering::Release);
    }

    pub fn stop(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    pub fn take_emergency(&self) -> bool {
        self.emergency.swap(false, Ordering::AcqRel)
    }

    pub fn take_restart(&self) -> bool {
        self.restart.swap(false, Ordering::AcqRel)
    }

    pub fn beat(&self) {
        self.beats.fetch_add(1, Ordering::Relaxed);
    }

    pub fn beats(&self) -> u64 {
        self.beats.load(Ordering::Relaxed)
    }
}
