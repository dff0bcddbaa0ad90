//! Processor time.

/// Processor time that this thread has used [s]; 0 where the system does not tell.
///
/// Wall time would count what other programs do on a busy machine.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library has no clock of a thread")]
pub fn thread_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer, and the call keeps no pointer to it
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    if failed == 0 { time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9 } else { 0.0 }
}

/// Processor time is not known on this system.
#[cfg(not(target_os = "linux"))]
pub fn thread_seconds() -> f64 {
    0.0
}
