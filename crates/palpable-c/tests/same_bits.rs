//! The same scene and the same steps give the same bits through the engine and through C. The
//! numbers are also in the tests of the Python binding and in `programs/hello.c`.

use palpable::{Anchor, Body, Inputs, Model, Spring, World};
use palpable_c::*;
use std::ptr::null_mut;

const HELLO_AFTER_1000: u64 = 0x57d0_1e59_cd34_3aca;
const STACK_AFTER_200: u64 = 0x47c9_b019_b2f0_b346;

fn hello_by_engine() -> World {
    let mut model = Model::builder();
    let ball = model.body(Body::sphere("ball", 0.01).mass(1e-5).position([0.1, 0.0, 0.0]));
    model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(100.0));
    World::new(model.build().expect("a model"))
}

fn hello_by_c() -> pal_world {
    let (mut model, mut world, mut ball) = (0, 0, 0);
    assert_eq!(pal_model_new(&mut model), pal_status::PAL_OK);
    let mut desc = std::mem::MaybeUninit::<pal_body_desc>::uninit();
    assert_eq!(pal_body_default(desc.as_mut_ptr()), pal_status::PAL_OK);
    // SAFETY: just written
    let mut desc = unsafe { desc.assume_init() };
    (desc.name, desc.mass, desc.position) = (c"ball".as_ptr(), 1e-5, [0.1, 0.0, 0.0]);
    assert_eq!(pal_model_body(model, &desc, &mut ball), pal_status::PAL_OK);
    let at = |body| pal_anchor { body, point: [0.0; 3], rotation: [1.0, 0.0, 0.0, 0.0] };
    let ends = [at(ball), at(PAL_WORLD)];
    let (k, b) = ([100.0; 6], [0.0; 6]);
    let made = pal_model_spring(model, 0, ends.as_ptr(), k.as_ptr(), b.as_ptr(), null_mut());
    assert_eq!(made, pal_status::PAL_OK);
    assert_eq!(pal_world_new(model, &mut world), pal_status::PAL_OK);
    assert_eq!(pal_model_free(model), pal_status::PAL_OK);
    world
}

fn hash(world: pal_world) -> u64 {
    let mut hash = 0;
    assert_eq!(pal_world_hash(world, &mut hash), pal_status::PAL_OK);
    hash
}

#[test]
fn the_hello_world_has_the_same_bits() {
    let mut world = hello_by_engine();
    for _ in 0..1000 {
        let _ = world.step(1e-3, &Inputs::none());
    }
    assert_eq!(world.state_hash(), HELLO_AFTER_1000);
    let other = hello_by_c();
    assert_eq!(pal_world_run(other, 1e-3, 1000), pal_status::PAL_OK);
    assert_eq!(hash(other), HELLO_AFTER_1000);
    assert_eq!(pal_world_free(other), pal_status::PAL_OK);
    // a freed handle is told, not followed
    assert_eq!(pal_world_run(other, 1e-3, 1), pal_status::PAL_BAD_HANDLE);
    assert_eq!(pal_world_free(other), pal_status::PAL_BAD_HANDLE);
}

#[test]
fn a_stack_has_the_same_bits() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/stack-3.toml");
    let built = palpable_scene::Scene::load(path).and_then(|s| s.build()).expect("a scene");
    let (mut world, inputs) = (built.world(), built.world().inputs());
    for _ in 0..200 {
        let _ = world.step(5e-3, &inputs);
    }
    assert_eq!(world.state_hash(), STACK_AFTER_200);
    let (mut other, text) = (0, std::ffi::CString::new(path).expect("a path"));
    assert_eq!(pal_world_load(text.as_ptr(), &mut other), pal_status::PAL_OK);
    assert_eq!(pal_world_run(other, 5e-3, 200), pal_status::PAL_OK);
    assert_eq!(hash(other), STACK_AFTER_200);
    assert_eq!(pal_world_free(other), pal_status::PAL_OK);
}
