//! Steady time, real or pretended.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::os;

/// Tells steady time and waits for it.
pub trait Clock: Send {
    /// Time since the clock's own start.
    fn now(&self) -> Duration;

    /// Waits until `deadline`; returns at once if it has passed.
    fn sleep_until(&mut self, deadline: Duration);
}

/// The machine's steady clock; copies share their start.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    start: Instant,
    spin: Duration,
}

impl SystemClock {
    /// Starts now. The last `spin` before a deadline is spent awake, which takes away the timer's
    /// own latency (30 to 70 µs) for a few per cent of a core; 100 µs is a good value at 1 kHz.
    pub fn new(spin: Duration) -> Self {
        Self { start: Instant::now(), spin }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn sleep_until(&mut self, deadline: Duration) {
        // always sleep first: a thread of real-time priority that only spins is throttled
        if let Some(rest) = deadline.checked_sub(self.now() + self.spin) {
            os::sleep(rest);
        }
        while self.now() < deadline {
            std::hint::spin_loop();
        }
    }
}

/// Time that passes only when somebody waits, for tests and for runs as fast as possible.
///
/// Copies share the time. Lateness can be pretended: the next wake-up is that much late.
#[derive(Debug, Clone, Default)]
pub struct VirtualClock {
    now: Arc<AtomicU64>,
    late: Arc<AtomicU64>,
}

impl VirtualClock {
    /// At zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets time pass.
    pub fn pass(&self, time: Duration) {
        self.now.fetch_add(time.as_nanos() as u64, Ordering::SeqCst);
    }

    /// Sets the time, also backwards.
    pub fn set(&self, time: Duration) {
        self.now.store(time.as_nanos() as u64, Ordering::SeqCst);
    }

    /// Makes the next wake-up late.
    pub fn be_late(&self, by: Duration) {
        self.late.store(by.as_nanos() as u64, Ordering::SeqCst);
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.now.load(Ordering::SeqCst))
    }

    fn sleep_until(&mut self, deadline: Duration) {
        let wake = deadline.max(self.now()).as_nanos() as u64;
        self.now.store(wake + self.late.swap(0, Ordering::SeqCst), Ordering::SeqCst);
    }
}
