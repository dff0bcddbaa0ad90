//! What rests goes on resting when a world is edited elsewhere: piles sleep on, contacts that yield
//! keep what they hold. What an edit touches wakes.

use palpable::*;

const H: f64 = 1e-3;

/// Two piles of three boxes on a floor, far apart, of one material.
fn two_piles(material: Material) -> (World, Vec<BodyId>) {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]);
    model.body(Body::half_space("floor").material(material));
    let mut boxes = Vec::new();
    for (x, name) in [(0.0, "left"), (5.0, "right")] {
        for i in 0..3 {
            let body = Body::cuboid(format!("{name}{i}"), [0.1, 0.1, 0.05]).mass(0.2);
            let place = [x, 0.0, 0.05 + 0.1 * i as f64];
            boxes.push(model.body(body.position(place).material(material)));
        }
    }
    (World::new(model.build().expect("two piles")), boxes)
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        assert!(world.step(H, &Inputs::none()).status.is_taken());
    }
}

/// Bits of poses and motions.
fn bits(world: &World, bodies: &[BodyId]) -> Vec<u64> {
    let mut out = Vec::new();
    for &body in bodies {
        let (pose, v) = (world.pose(body), world.velocity(body));
        let numbers = pose.position.iter().chain(pose.rotation.coords.iter()).chain(&v);
        out.extend(numbers.map(|x| x.to_bits()));
    }
    out
}

fn ball(name: &str, place: [f64; 3]) -> Body {
    Body::sphere(name, 0.05).mass(0.1).position(place)
}

#[test]
fn piles_that_an_edit_does_not_touch_sleep_on() {
    let (mut world, boxes) = two_piles(Material::new(0.5, 0.0));
    run(&mut world, 1500);
    let (left, right) = boxes.split_at(3);
    let sleeps = |world: &World, pile: &[BodyId]| pile.iter().all(|&b| world.is_asleep(b));
    assert!(sleeps(&world, left) && sleeps(&world, right), "two piles at rest sleep");
    let before = bits(&world, &boxes);
    // somebody comes far away
    let came = world.edit(|m| m.body(ball("ball", [0.0, 3.0, 0.5]))).expect("a ball");
    assert!(sleeps(&world, left) && sleeps(&world, right));
    run(&mut world, 20);
    assert!(sleeps(&world, left) && sleeps(&world, right));
    // and goes: nothing of it is left
    world.edit(|m| m.remove_body(came)).expect("gone");
    run(&mut world, 20);
    assert_eq!(bits(&world, &boxes), before);
    // a box goes from under its pile: that pile falls, the other one sleeps on
    world.edit(|m| m.remove_body(right[0])).expect("gone");
    assert!(sleeps(&world, left) && !right[1..].iter().any(|&b| world.is_asleep(b)));
    run(&mut world, 300);
    let z = world.pose(right[1]).position.z;
    assert!((z - 0.05).abs() < 1e-4, "{z}: fell by a box");
    assert!(sleeps(&world, left) && bits(&world, left) == before[..before.len() / 2]);
    // a spring on a sleeper wakes its pile, a fixed body wakes all
    let hold = Spring::point(left[2].origin(), Anchor::world([0.0, 0.0, 0.25])).stiffness(1.0);
    world.edit(|m| m.spring(hold)).expect("a spring");
    assert!(!left.iter().any(|&b| world.is_asleep(b)));
    run(&mut world, 1500);
    assert!(sleeps(&world, &right[1..]));
    let wall = Body::cuboid("wall", [0.1; 3]).fixed().position([9.0, 0.0, 0.0]);
    world.edit(|m| m.body(wall)).expect("a wall");
    assert!(!right[1..].iter().any(|&b| world.is_asleep(b)));
}

#[test]
fn contacts_that_yield_keep_what_they_hold_through_an_edit() {
    let material = Material::new(0.5, 0.0).soft(VolumeLaw::new(1e6, 1e3));
    let (mut edited, boxes) = two_piles(material);
    let (mut plain, _) = two_piles(material);
    run(&mut edited, 400);
    run(&mut plain, 400);
    let held = edited.energy().contact;
    assert!(held > 0.0, "layers hold energy");
    let came = edited.edit(|m| m.body(ball("ball", [0.0, 3.0, 9.0]))).expect("a ball");
    assert_eq!(edited.energy().contact.to_bits(), held.to_bits());
    assert_eq!(edited.ledger().totals().discarded.to_bits(), {
        plain.ledger().totals().discarded.to_bits()
    });
    run(&mut edited, 50);
    run(&mut plain, 50);
    assert_eq!(bits(&edited, &boxes), bits(&plain, &boxes), "as if nothing had come");
    edited.edit(|m| m.remove_body(came)).expect("gone");
    // a pile that leaves takes its stores with it, and they are discarded
    let held = edited.energy().contact;
    let before = edited.ledger().totals().discarded;
    edited.edit(|m| boxes[3..].iter().for_each(|&b| m.remove_body(b))).expect("gone");
    let left = edited.energy().contact;
    assert!(left > 0.4 * held && left < 0.6 * held, "{left} of {held}");
    assert!(edited.ledger().totals().discarded > before + 0.4 * held);
    let [before, after] = [edited.audit().is_clean(), edited.verify().is_ok()];
    assert!(before && after);
}
