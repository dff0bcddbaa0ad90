//! A number that a model gave names its part there and in its worlds, and nothing elsewhere.

use palpable_c::*;
use std::ffi::CStr;
use std::ptr::{null, null_mut};

fn described(name: &CStr) -> pal_body_desc {
    let mut desc = std::mem::MaybeUninit::<pal_body_desc>::uninit();
    assert_eq!(pal_body_default(desc.as_mut_ptr()), pal_status::PAL_OK);
    // SAFETY: just written
    let mut desc = unsafe { desc.assume_init() };
    desc.name = name.as_ptr();
    desc
}

fn model() -> pal_model {
    let mut model = 0;
    assert_eq!(pal_model_new(&mut model), pal_status::PAL_OK);
    model
}

fn add(model: pal_model, desc: &pal_body_desc) -> pal_body {
    let mut body = 0;
    assert_eq!(pal_model_body(model, desc, &mut body), pal_status::PAL_OK);
    body
}

fn world(model: pal_model) -> pal_world {
    let mut world = 0;
    assert_eq!(pal_world_new(model, &mut world), pal_status::PAL_OK);
    world
}

fn at(body: pal_body) -> pal_anchor {
    pal_anchor { body, point: [0.0; 3], rotation: [0.0; 4] }
}

fn height(world: pal_world, body: pal_body) -> Result<f64, pal_status> {
    let mut position = [0.0; 3];
    match pal_world_pose(world, body, position.as_mut_ptr(), null_mut()) {
        pal_status::PAL_OK => Ok(position[2]),
        other => Err(other),
    }
}

fn port(model: pal_model, on: pal_body) -> Result<pal_port, pal_status> {
    let mut port = 0;
    match pal_model_force_port(model, c"hand".as_ptr(), &at(on), &mut port) {
        pal_status::PAL_OK => Ok(port),
        other => Err(other),
    }
}

#[test]
fn a_part_of_another_model_is_refused_and_a_place_is_not() {
    let (one, two) = (model(), model());
    let (ball, cup) = (add(one, &described(c"ball")), add(two, &described(c"cup")));
    assert_ne!(ball, cup);
    assert_eq!(port(two, ball), Err(pal_status::PAL_BAD_ID));
    let (hand, other) = (port(one, ball).expect("its own"), port(two, cup).expect("its own"));
    let (here, there) = (world(one), world(two));
    for body in [ball, 0] {
        assert_eq!(height(here, body), Ok(0.0));
    }
    for body in [cup, 1, PAL_WORLD] {
        assert_eq!(height(here, body), Err(pal_status::PAL_BAD_ID), "{body:#x}");
    }
    let push = [0.0, 0.0, 1.0];
    let set = |world, port| pal_world_set_force(world, port, push.as_ptr(), null());
    assert_eq!(set(here, hand), pal_status::PAL_OK);
    assert_eq!(set(there, hand), pal_status::PAL_BAD_ID);
    assert_eq!(set(here, other), pal_status::PAL_BAD_ID);
    assert_eq!(set(there, 0), pal_status::PAL_OK, "a place");
    // names give the same numbers, and copies know them
    let (mut found, mut copy) = (0, 0);
    assert_eq!(pal_world_body_named(here, c"ball".as_ptr(), &mut found), pal_status::PAL_OK);
    assert_eq!(found, ball);
    assert_eq!(pal_world_port_named(here, c"hand".as_ptr(), &mut found), pal_status::PAL_OK);
    assert_eq!(found, hand);
    assert_eq!(pal_world_clone(here, &mut copy), pal_status::PAL_OK);
    assert_eq!(height(copy, ball), Ok(0.0));
}

/// Where a box of 2 cm lies after a second on a floor whose law is `law`, and what touches whom.
fn lies(law: u32) -> (f64, Vec<[u64; 2]>, [u64; 2]) {
    let model = model();
    assert_eq!(pal_model_gravity(model, [0.0, 0.0, -9.81].as_ptr()), pal_status::PAL_OK);
    let (mut floor, mut block) = (described(c"floor"), described(c"block"));
    (floor.shape, floor.fixed, floor.law) = (5, 1, law);
    (floor.modulus, floor.damping) = (1e6, 1e3);
    (block.shape, block.position) = (2, [0.0, 0.0, 0.01]);
    let (floor, block) = (add(model, &floor), add(model, &block));
    let world = world(model);
    assert_eq!(pal_world_run(world, 1e-3, 1000), pal_status::PAL_OK);
    let mut count = 0;
    assert_eq!(pal_world_contacts(world, null_mut(), 0, &mut count), pal_status::PAL_OK);
    // SAFETY: numbers and arrays of numbers, all of which may be 0
    let mut all = vec![unsafe { std::mem::zeroed::<pal_contact>() }; count];
    let asked = pal_world_contacts(world, all.as_mut_ptr(), count, &mut count);
    assert_eq!(asked, pal_status::PAL_OK);
    let z = height(world, block).expect("a block");
    (z, all.iter().map(|c| c.bodies).collect(), [floor, block])
}

#[test]
fn a_law_of_a_material_is_chosen_and_contacts_name_bodies_by_their_numbers() {
    let (hard, touching, both) = lies(0);
    assert!((hard - 0.01).abs() < 1e-6 && !touching.is_empty(), "{hard}");
    for pair in touching {
        assert!(pair == both || pair == [both[1], both[0]], "{pair:x?} of {both:x?}");
    }
    // a layer bears 1000 kg/m³ · 9.81 m/s² · 0.02 m of pressure at p/κ of depth
    for law in [4, 5] {
        let sunk = 0.01 - lies(law).0;
        let wanted = 1000.0 * 9.81 * 0.02 / 1e6;
        assert!((sunk / wanted - 1.0).abs() < 1e-3, "law {law}: {sunk} of {wanted} m");
    }
    let mut desc = described(c"ball");
    desc.law = 6;
    assert_eq!(pal_model_body(model(), &desc, null_mut()), pal_status::PAL_BAD_NUMBER);
}
