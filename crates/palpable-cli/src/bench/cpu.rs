//! Time that this thread spent on a processor, where the system tells.

use std::time::Duration;

/// Time on a processor since the thread began; `None` where the system does not tell.
pub fn time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    // nanoseconds running, nanoseconds waiting, time slices
    let nanoseconds: u64 = text.split_whitespace().next()?.parse().ok()?;
    // a kernel that does not keep the account says 0
    (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds))
}
