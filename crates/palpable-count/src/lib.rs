//! An allocator that counts, for tests of what must not allocate:
//!
//! ```
//! use palpable_count::{Counting, allocations};
//!
//! #[global_allocator]
//! static ALLOCATOR: Counting = Counting;
//!
//! assert!(allocations(|| drop(std::hint::black_box(vec![1, 2, 3]))) >= 1);
//! assert_eq!(allocations(|| ()), 0);
//! ```
#![allow(unsafe_code, reason = "an allocator that counts has to implement GlobalAlloc")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, and numbers beside it.
pub struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<i64> = const { Cell::new(0) };
}

fn note(bytes: i64) {
    // a thread that ends gives back after its counters are gone
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

// SAFETY: every call goes to the system's allocator unchanged; only numbers are kept beside it
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size() as i64);
        // SAFETY: the caller's promises are those of the system's allocator
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        note(-(layout.size() as i64));
        // SAFETY: as above
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size as i64 - layout.size() as i64);
        // SAFETY: as above
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// How often this thread asked the allocator for room, or gave some back, during `work`.
pub fn allocations(work: impl FnOnce()) -> u64 {
    let before = CALLS.with(Cell::get);
    work();
    CALLS.with(Cell::get) - before
}

/// Bytes that this thread took and did not give back.
pub fn held() -> i64 {
    HELD.with(Cell::get)
}
