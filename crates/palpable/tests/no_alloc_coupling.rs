//! Updates of couplings must not touch the allocator: a counting allocator watches them.
#![allow(unsafe_code, reason = "an allocator that counts has to implement GlobalAlloc")]

use palpable::PortOutput;
use palpable::coupling::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// every call is handed to the system allocator unchanged
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

#[test]
fn no_coupling_allocates_in_its_updates() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1, 2, 3]))) >= 1, "the counter counts");
    let guard = Some(Guard { device_damping: 0.5, ..Guard::default() });
    let settings = CouplingSettings { guard, ..CouplingSettings::pose(1000.0, 1.0, 1e-3) };
    let mut whole = VirtualCoupling::new(settings).unwrap();
    let mut one = Unilateral::new(settings).unwrap();
    let mut four = FourChannel::new(settings).unwrap();
    let pspm = PspmSettings::point(1000.0, 0.5);
    let mut device = DeviceSide::new(pspm).unwrap();
    let mut virtual_side = WorldSide::new(pspm).unwrap();
    let mut pad = Cutaneous::new(0.01).unwrap();
    let mut map = Workspace::new(2.0, 1.0).unwrap();
    let port = PortOutput::default();
    let zero = palpable::Vec3::zeros();
    for i in 0..100 {
        // now and then a sample that is not finite
        let x = if i % 10 == 9 { f64::NAN } else { f64::from(i) * 1e-3 };
        let count = allocations(|| {
            let hand = map.map(&Handle::at([x, 0.0, 0.0]), i % 3 == 0, 1e-3);
            let hand = hand.map_or(Handle::at([x, 0.0, 0.0]), |m| m.handle);
            let _ = (whole.sample(&hand), whole.force(&port, 1e-3));
            let _ = (one.sample(&hand), one.force(&port, i % 2 == 0, 1e-3));
            let _ = (four.sample(&hand, &zero), four.force([&port, &port], &zero, 1e-3));
            if let Some(packet) = virtual_side.send() {
                device.receive(&packet);
            }
            let _ = device.sample(&hand, 1e-3);
            if let Some(packet) = device.send() {
                virtual_side.receive(&packet);
            }
            let _ = virtual_side.reference();
            virtual_side.after_step(&port, 1e-3);
            let _ = pad.update(&zero, &hand.rotation, 1e-3);
        });
        assert_eq!(count, 0);
    }
}
