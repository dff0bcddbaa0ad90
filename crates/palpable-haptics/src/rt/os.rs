//! Unsafe code: asking the operating system for real time.
//!
//! Every request is best effort; [`Privileges`] says in words what was obtained and what was not.
//! On systems other than Linux nothing is asked for.
#![allow(unsafe_code)]

use std::time::Duration;

/// What a thread obtained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Privileges {
    /// Real-time priority, or why not.
    pub priority: Result<i32, String>,
    /// All memory locked, or why not.
    pub memory: Result<(), String>,
    /// Timers without slack, or why not.
    pub timer: Result<(), String>,
}

impl Privileges {
    /// Nothing was asked for.
    pub fn not_asked() -> Self {
        let not = || "not asked for".to_owned();
        Self { priority: Err(not()), memory: Err(not()), timer: Err(not()) }
    }

    /// One plain statement a line.
    pub fn statements(&self) -> [String; 2] {
        let priority = match &self.priority {
            Ok(level) => format!("real-time priority {level} (first in, first out)"),
            Err(why) => format!("ordinary priority: {why}"),
        };
        let memory = match &self.memory {
            Ok(()) => "memory locked".to_owned(),
            Err(why) => format!("memory not locked: {why}"),
        };
        [priority, memory]
    }
}

/// Asks for real-time priority of the calling thread (1 to 99), locked memory and exact timers.
pub fn gain_privileges(priority: i32) -> Privileges {
    imp::gain(priority)
}

/// Lets no terminal and no limit suspend or end the process while a device is pushed: Ctrl-Z,
/// output from the background and a file that may not grow are ignored, the last one as an error
/// of the write. What cannot be ignored is `SIGSTOP` and `SIGKILL`.
pub fn ignore_suspension() {
    imp::ignore_suspension();
}

/// Time that the calling thread has spent on a processor; zero where the system does not tell.
pub fn thread_time() -> Duration {
    imp::thread_time()
}

/// Sleeps for `time`, to the accuracy of the system's timer.
pub(super) fn sleep(time: Duration) {
    imp::sleep(time);
}

#[cfg(target_os = "linux")]
mod imp {
    use super::{Duration, Privileges};
    use std::io::Error;

    pub fn gain(priority: i32) -> Privileges {
        Privileges { priority: set_priority(priority), memory: lock(), timer: no_slack() }
    }

    fn set_priority(priority: i32) -> Result<i32, String> {
        // SAFETY: sched_param is plain data for which all-zero bytes are a valid value.
        let mut wanted: libc::sched_param = unsafe { std::mem::zeroed() };
        wanted.sched_priority = priority.clamp(1, 99);
        // SAFETY: 0 names the calling thread; `wanted` is a valid sched_param that outlives the
        // call, which only reads it.
        let failed = unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &wanted) };
        if failed == 0 {
            return Ok(wanted.sched_priority);
        }
        Err(format!(
            "{}; allow it with an rtprio limit for your user (limits.conf) or CAP_SYS_NICE",
            Error::last_os_error()
        ))
    }

    fn lock() -> Result<(), String> {
        // SAFETY: takes flags only and touches no memory of ours.
        let failed = unsafe { libc::mlockall(libc::MCL_CURRENT | libc::MCL_FUTURE) };
        if failed == 0 {
            return Ok(());
        }
        let why = Error::last_os_error();
        Err(format!("{why}; raise the memlock limit for your user (limits.conf)"))
    }

    pub fn ignore_suspension() {
        for signal in [libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU, libc::SIGXFSZ] {
            // SAFETY: SIG_IGN is a valid disposition of these signals; no handler runs.
            unsafe { libc::signal(signal, libc::SIG_IGN) };
        }
    }

    fn no_slack() -> Result<(), String> {
        // SAFETY: PR_SET_TIMERSLACK takes one number [ns] and touches no memory of ours.
        let failed = unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1u64, 0u64, 0u64, 0u64) };
        if failed == 0 { Ok(()) } else { Err(Error::last_os_error().to_string()) }
    }

    pub fn thread_time() -> Duration {
        // SAFETY: timespec is plain data for which all-zero bytes are a valid value.
        let mut spent: libc::timespec = unsafe { std::mem::zeroed() };
        // SAFETY: `spent` is a valid timespec that outlives the call, which writes it.
        if unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut spent) } != 0 {
            return Duration::ZERO;
        }
        Duration::new(spent.tv_sec as u64, spent.tv_nsec as u32)
    }

    pub fn sleep(time: Duration) {
        // SAFETY: timespec is plain data for which all-zero bytes are a valid value.
        let mut wake: libc::timespec = unsafe { std::mem::zeroed() };
        // SAFETY: `wake` is a valid timespec that outlives the call, which writes it.
        if unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut wake) } != 0 {
            std::thread::sleep(time);
            return;
        }
        let nanoseconds = wake.tv_nsec as u64 + u64::from(time.subsec_nanos());
        wake.tv_sec += (time.as_secs() + nanoseconds / 1_000_000_000) as libc::time_t;
        wake.tv_nsec = (nanoseconds % 1_000_000_000) as _;
        let (clock, absolute) = (libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME);
        // an interrupted sleep goes on to the same deadline
        // SAFETY: `wake` is a valid timespec, read only; no remaining time is asked for.
        while unsafe { libc::clock_nanosleep(clock, absolute, &wake, std::ptr::null_mut()) }
            == libc::EINTR
        {}
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    use super::{Duration, Privileges};

    pub fn gain(_: i32) -> Privileges {
        let not = || "not written for this system".to_owned();
        Privileges { priority: Err(not()), memory: Err(not()), timer: Err(not()) }
    }

    pub fn ignore_suspension() {}

    pub fn thread_time() -> Duration {
        Duration::ZERO
    }

    pub fn sleep(time: Duration) {
        std::thread::sleep(time);
    }
}
