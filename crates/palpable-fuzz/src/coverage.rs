//! Which places of the program a run has reached.
//!
//! `-C instrument-coverage` gives every region of the code a counter; on ELF systems the linker
//! tells where they begin and end. They are set to zero before a run and looked at after it.

/// What all runs together have reached.
pub struct Coverage {
    /// per counter: the powers of two that it has had
    seen: Vec<u64>,
}

impl Default for Coverage {
    fn default() -> Self {
        Self::new()
    }
}

impl Coverage {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { seen: vec![0; counters::count()] }
    }

    /// Sets all counters to zero.
    pub fn clear(&mut self) {
        counters::clear();
    }

    /// True if the run since the last clear reached a place for the first time, or about twice as
    /// often as ever.
    pub fn is_new(&mut self) -> bool {
        let mut new = false;
        counters::each(|place, count| {
            let bit = 1 << (63 - count.leading_zeros());
            new |= self.seen[place] & bit == 0;
            self.seen[place] |= bit;
        });
        new
    }

    /// Places reached so far.
    pub fn reached(&self) -> usize {
        self.seen.iter().filter(|seen| **seen != 0).count()
    }
}

#[cfg(all(coverage_counters, target_os = "linux"))]
mod counters {
    #![allow(unsafe_code)]

    unsafe extern "C" {
        static mut __start___llvm_prf_cnts: u64;
        static mut __stop___llvm_prf_cnts: u64;
    }

    fn all() -> (*mut u64, usize) {
        let (start, stop) = (&raw mut __start___llvm_prf_cnts, &raw mut __stop___llvm_prf_cnts);
        (start, (stop as usize - start as usize) / 8)
    }

    pub fn count() -> usize {
        all().1
    }

    pub fn clear() {
        let (start, count) = all();
        // SAFETY: the linker places the counters, plain 64-bit numbers, between the two symbols.
        // Other threads may count meanwhile; a count that is lost matters to nobody.
        unsafe { std::ptr::write_bytes(start, 0, count) };
    }

    /// Counters that are looked at together: of nearly all, none has counted.
    const TOGETHER: usize = 8;

    pub fn each(mut to: impl FnMut(usize, u64)) {
        let (start, count) = all();
        for first in (0..count).step_by(TOGETHER) {
            let mut values = [0; TOGETHER];
            let here = TOGETHER.min(count - first);
            // SAFETY: as above, and `first + here` is not beyond their number.
            unsafe { std::ptr::copy_nonoverlapping(start.add(first), values.as_mut_ptr(), here) };
            if values == [0; TOGETHER] {
                continue;
            }
            let counted = values.into_iter().enumerate().filter(|(_, value)| *value != 0);
            counted.for_each(|(at, value)| to(first + at, value));
        }
    }
}

#[cfg(not(all(coverage_counters, target_os = "linux")))]
mod counters {
    pub fn count() -> usize {
        0
    }
    pub fn clear() {}
    pub fn each(_: impl FnMut(usize, u64)) {}
}
