//! The far side of a stub library.
#![allow(unsafe_code)]

use std::path::Path;

/// The far side of a stub: what it felt, and what it shall do wrong.
pub struct Far(libloading::Library);

impl Far {
    /// Of a library that a driver has open.
    pub fn of(library: &Path) -> Self {
        // SAFETY: a stub of ours; opening it twice gives the same one.
        Self(unsafe { libloading::Library::new(library) }.expect("the stub"))
    }

    /// Of the Force Dimension stub.
    pub fn dhd(&self, what: i32, value: f64) -> f64 {
        // SAFETY: the signature in the stub.
        let control =
            unsafe { self.0.get::<unsafe extern "C" fn(i32, f64) -> f64>(b"stub_control\0") };
        // SAFETY: as above.
        unsafe { control.expect("a stub")(what, value) }
    }

    /// Of a device of the OpenHaptics stub.
    pub fn hd(&self, of: i32, what: i32, value: f64) -> f64 {
        // SAFETY: the signature in the stub.
        let control =
            unsafe { self.0.get::<unsafe extern "C" fn(i32, i32, f64) -> f64>(b"stub_control\0") };
        // SAFETY: as above.
        unsafe { control.expect("a stub")(of, what, value) }
    }
}
