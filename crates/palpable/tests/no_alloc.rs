//! A step must not touch the allocator: a counting allocator watches it.
#![allow(unsafe_code, reason = "an allocator that counts has to implement GlobalAlloc")]

mod common;
mod rig;

use common::{Random, random_inputs, random_world};
use palpable::{Body, Inputs, Model, Options, Scheme, World};
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
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1, 2, 3]))) >= 1);
}

#[test]
fn no_step_of_any_scheme_allocates_after_the_first() {
    for scheme in Scheme::ALL {
        for seed in 0..20 {
            let mut r = Random(seed);
            let options = Options { scheme, ..Default::default() };
            let (mut world, hands) = random_world(&mut r, 1e-3, options);
            let mut inputs = world.inputs();
            world.step(1e-3, &inputs);
            for _ in 0..50 {
                let h = r.decades(1e-5, 0.1);
                random_inputs(&mut r, &hands, &mut inputs);
                let count = allocations(|| {
                    world.step(h, &inputs);
                });
                assert_eq!(count, 0, "{scheme:?}, seed {seed}");
            }
        }
    }
}

#[test]
fn a_thousand_free_bodies_step_without_allocating() {
    let mut model = Model::builder();
    for i in 0..1000 {
        model.body(Body::sphere(format!("b{i}"), 0.1).position([f64::from(i), 0.0, 0.0]));
    }
    let mut world = World::new(model.build().expect("a valid model"));
    let inputs = Inputs::none();
    world.step(1e-3, &inputs);
    assert_eq!(
        allocations(|| {
            world.step(1e-3, &inputs);
        }),
        0
    );
}

#[test]
fn a_contact_problem_is_refilled_and_solved_without_allocating() {
    use palpable::solve::cone::{ConeSettings, Rule};
    for seed in 0..20 {
        let mut r = Random(seed);
        let rig = rig::clutter(&mut r, 4 + seed as usize);
        let mut problem = rig.problem();
        let count = allocations(|| {
            for rule in [Rule::Midpoint { tank_power: 1.0 }, Rule::Impulse { rest_speed: 0.1 }] {
                problem.solve(&ConeSettings::default(), rule);
            }
        });
        assert_eq!(count, 0, "seed {seed}");
        // filling copies into the same buffers: only the rig's own matrices allocate
        let own = allocations(|| drop(rig.dense()));
        assert!(own > 0);
        problem.clear();
        let rows = [0.5; 18];
        let count = allocations(|| {
            use palpable::solve::cone::{Contact, Side};
            let group = problem.group(6).expect("room for a group");
            let sides = [Side { group, column: 0, jacobian: &rows, response: &rows }];
            let (law, bias) = (rig::friction(0.5), [-1.0, 0.2, 0.0]);
            let contact = Contact {
                law,
                target: 0.0,
                hold: 0.1,
                restitution: 0.5,
                bias: &bias,
                start: &bias,
                sides: &sides,
            };
            problem.push(&contact).expect("room for a contact");
            problem.solve(&ConeSettings::default(), Rule::Impulse { rest_speed: 0.0 });
        });
        assert_eq!(count, 0, "seed {seed}");
    }
}
