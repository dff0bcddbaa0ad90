//! Filling in the inputs of a step allocates nothing: scripts run inside the servo loop.
#![allow(unsafe_code)] // a counting allocator cannot be written without

use palpable_scene::Scene;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local!(static COUNT: Cell<u64> = const { Cell::new(0) });

struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn scripts_and_steps_do_not_allocate() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    for name in ["demo.toml", "csv-port.toml", "reference-port.toml", "oscillator-random-step.toml"]
    {
        let scene = Scene::load(folder.join(name)).unwrap_or_else(|e| panic!("{e}"));
        let mut built = scene.build().unwrap_or_else(|e| panic!("{e}"));
        let mut inputs = built.world().inputs();
        let before = COUNT.get();
        let mut time = 0.0;
        for _ in 0..1000 {
            built.script.inputs(time, &mut inputs);
            time += built.steps.next_length();
        }
        assert_eq!(COUNT.get(), before, "{name}");
    }
}
