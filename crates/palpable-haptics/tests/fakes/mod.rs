//! Stand-ins for services and makers' libraries, spoken to as the real ones are.
#![allow(dead_code)]

pub mod far;
pub mod haply;
pub mod spacenavd;
pub mod stub;

use std::time::{Duration, Instant};

/// Waits until something holds; a minute is for machines that stall.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "waited in vain: {what}");
        std::thread::sleep(Duration::from_micros(50));
    }
}
