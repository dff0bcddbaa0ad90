//! palpable for C and C++: handles, caller-owned buffers, error codes with words.
//!
//! The header `include/palpable.h` is made from here by cbindgen. Every function catches panics,
//! takes any pointer (null is `PAL_NULL`) and any handle (a freed one is `PAL_BAD_HANDLE`).
#![allow(non_camel_case_types)]

mod border;
mod ids;
mod model;
mod servo;
mod world;

pub use border::pal_status;
pub use model::*;
pub use servo::*;
pub use world::*;

use border::{guard, last_words, put_text, wrong};
use std::ffi::c_char;

/// Version of this interface. Programs pass it to `pal_check_version`.
pub const PAL_VERSION: u32 = 3;

/// How many numbers the books have.
pub const PAL_ACCOUNTS: usize = 11;

/// Says whether library and header fit: call it first with `PAL_VERSION`.
#[unsafe(no_mangle)]
pub extern "C" fn pal_check_version(version: u32) -> pal_status {
    guard(|| {
        if version == PAL_VERSION {
            return Ok(());
        }
        let words = format!("the header is of version {version}, the library of {PAL_VERSION}");
        wrong(pal_status::PAL_VERSION_DIFFERS, words)
    })
}

/// Copies the words of this thread's last failed call into a buffer of `room` bytes; returns their
/// length without the zero byte.
#[unsafe(no_mangle)]
pub extern "C" fn pal_error(buffer: *mut c_char, room: usize) -> usize {
    put_text(&last_words(), buffer, room)
}
