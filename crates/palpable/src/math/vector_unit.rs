//! Unsafe code: one call into a copy of a kernel that is compiled for the wide vector unit.
//!
//! The copies differ in the width of their registers alone. Sums and products keep their order and
//! are never fused, so that every machine computes the same bits.
#![allow(unsafe_code)]

/// A piece of arithmetic; its `run` has to be `#[inline(always)]`, with all that it calls, or the
/// wide copy gains nothing.
pub trait Kernel {
    /// Does the work.
    fn run(self);
}

/// Runs `kernel` in the widest copy that this machine can run.
#[inline]
pub fn run_wide(kernel: impl Kernel) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the only duty of the caller is that the machine has AVX2, which was just asked.
        return unsafe { run_avx2(kernel) };
    }
    kernel.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2(kernel: impl Kernel) {
    kernel.run();
}
