//! Worlds that are edited while they run: what stays goes on with the same bits, what comes is
//! supplied, what goes is discarded, and ids name what they always named or are refused.

mod common;

use common::{Random, long, worlds};
use palpable::*;

const H: f64 = 1e-3;

fn boxes(model: &mut ModelBuilder, x: f64, n: usize, name: &str) -> Vec<BodyId> {
    let block = |i: usize| {
        let body = Body::cuboid(format!("{name}{i}"), [0.1, 0.1, 0.05]).mass(0.2);
        body.position([x + 0.01 * i as f64, 0.0, 0.05 + 0.1 * i as f64])
    };
    (0..n).map(|i| model.body(block(i))).collect()
}

fn arm(name: &str, y: f64) -> Chain {
    let mut chain = Chain::new(name);
    let rod = Shape::cuboid(Vec3::new(0.1, 0.02, 0.02)).expect("a link");
    let side = Rotation::from_scaled_axis(Vec3::x() * -std::f64::consts::FRAC_PI_2);
    let link = Link::revolute(format!("{name} 1")).at([0.0, y, 0.5], side);
    chain.link(link.held_at([-0.1, 0.0, 0.0], side).shape(rod.clone(), 1e3));
    let link = Link::revolute(format!("{name} 2")).at([0.1, 0.0, 0.0], Rotation::identity()).on(0);
    chain.link(link.held_at([-0.1, 0.0, 0.0], Rotation::identity()).shape(rod, 1e3));
    chain
}

/// A tower, a pendulum, a chain with stops and dry friction, a falling ball.
fn scene() -> (ModelBuilder, Vec<BodyId>) {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]).contacts(0);
    model.body(Body::half_space("floor"));
    let tower = boxes(&mut model, 0.0, 4, "tower");
    let bob = model.body(Body::sphere("bob", 0.05).mass(0.3).position([2.0, 0.0, 1.0]));
    model.joint(Joint::ball(bob.at([0.0, 0.0, 0.4]), Anchor::world([2.0, 0.3, 1.3])));
    let chain = model.chain(arm("arm", 3.0));
    model.spring(Spring::coordinate(chain, 0).stops(-0.2, 0.2));
    model.spring(Spring::coordinate(chain, 1).friction(0.02));
    // a ball that rolls on: as long as something moves, a tower at rest gets no more sweeps
    model.body(Body::sphere("ball", 0.05).position([-2.0, 0.0, 0.05]).velocity([0.5, 0.0, 0.0]));
    (model, tower)
}

/// Bits of a body's pose and motion.
fn bits(world: &World, body: BodyId) -> Vec<u64> {
    let pose = world.pose(body);
    let (v, w) = (world.velocity(body), world.angular_velocity(body));
    let numbers = pose.position.iter().chain(pose.rotation.coords.iter()).chain(&v).chain(&w);
    numbers.map(|x| x.to_bits()).collect()
}

fn forces(world: &World, body: BodyId) -> Vec<u64> {
    world.contact_force(body).iter().map(|x| x.to_bits()).collect()
}

#[test]
fn what_stays_goes_on_with_the_same_bits_whatever_comes_and_goes_elsewhere() {
    for seed in 0..worlds(6, 60) {
        let mut r = Random(seed);
        let (model, _) = scene();
        // all share one tank: let it pay for everything
        let tank = TankPolicy { grant: 1e3, cap: 1e6, ..TankPolicy::default() };
        let options = Options { tank, ..Options::default() };
        let mut plain = World::with_options(model.build().expect("a scene"), options)
            .expect("options that fit");
        let mut edited = plain.clone();
        let names = ["tower0", "tower1", "tower2", "tower3", "bob", "arm 1", "arm 2", "ball"];
        let ids = names.map(|n| plain.body_named(n).expect("a body"));
        let (mut extra, mut joints, mut chains, mut hands) = (vec![], vec![], vec![], vec![]);
        let mut count = 0;
        for step in 0..500 {
            let _ = plain.step(H, &Inputs::none());
            let report = edited.step(H, &Inputs::none());
            assert!(report.gate.is_idle() && report.status.is_taken());
            assert_eq!(report.substeps, 1, "a divided step is divided for all");
            for (id, name) in ids.iter().zip(names) {
                let what = format!("seed {seed}, step {step}, {name}");
                assert_eq!(bits(&edited, *id), bits(&plain, *id), "{what}");
                assert_eq!(forces(&edited, *id), forces(&plain, *id), "{what}");
            }
            if step % 5 != 0 {
                continue;
            }
            count += 1;
            // they touch nothing: push-out and its tank are shared by all that touches
            let at = [r.between(-100.0, 100.0), r.between(-100.0, 100.0), r.between(50.0, 90.0)];
            match r.below(8) {
                0 | 1 => {
                    let body = Body::cuboid(format!("x{count}"), [0.1, 0.05, 0.05]).position(at);
                    let body = body.velocity(r.vector(1.0));
                    extra.push(edited.edit(|m| m.body(body)).expect("a body more"));
                }
                2 if !extra.is_empty() => {
                    let gone = extra.remove(r.below(extra.len()));
                    edited.edit(|m| m.remove_body(gone)).expect("a body less");
                    assert!(edited.edit(|m| m.remove_body(gone)).is_err(), "its id is refused");
                    joints.retain(|(_, on)| *on != gone);
                    hands.retain(|(_, on)| *on != gone);
                }
                3 if !extra.is_empty() => {
                    let on = extra[r.below(extra.len())];
                    let pose = edited.pose(on);
                    let end = pose.position + pose.rotation * Vec3::new(0.1, 0.0, 0.0);
                    let joint = Joint::ball(on.at([0.1, 0.0, 0.0]), Anchor::world(end));
                    joints.push((edited.edit(|m| m.joint(joint)).expect("a joint"), on));
                }
                4 if !joints.is_empty() => {
                    let (gone, _) = joints.remove(r.below(joints.len()));
                    edited.edit(|m| m.remove_element(gone)).expect("a joint less");
                    assert!(edited.edit(|m| m.remove_element(gone)).is_err());
                }
                5 if chains.len() < 2 => {
                    let chain = arm(&format!("c{count}"), 30.0 + f64::from(count));
                    chains.push(edited.edit(|m| m.chain(chain)).expect("a chain"));
                }
                6 if !chains.is_empty() => {
                    let gone = chains.remove(r.below(chains.len()));
                    edited.edit(|m| m.remove_system(gone)).expect("a chain less");
                    assert!(edited.coordinates(gone).is_empty());
                }
                _ if !extra.is_empty() => {
                    let on = extra[r.below(extra.len())];
                    let name = format!("h{count}");
                    let k = Vec6::new(50.0, 50.0, 50.0, 0.0, 0.0, 0.0);
                    let port = match r.below(2) {
                        0 => Port::force(name, on.origin()),
                        _ => Port::reference(name, on.origin(), k, k * 0.01),
                    };
                    hands.push((edited.attach(port).expect("a hand"), on));
                }
                _ => {}
            }
            if r.below(3) == 0 && !hands.is_empty() {
                let (gone, _) = hands.remove(r.below(hands.len()));
                edited.detach(gone).expect("a hand less");
                assert!(edited.detach(gone).is_err());
            }
            edited.verify().expect("the books agree with the state");
        }
        let scale = edited.ledger().totals().supplied.abs() + edited.energy().total().abs() + 1.0;
        assert!(edited.ledger().closure().abs() < 1e-11 * scale, "the books close");
    }
}

#[test]
fn what_comes_is_supplied_and_what_goes_is_discarded() {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -10.0]);
    let ball = model.body(Body::sphere("ball", 0.1).mass(1.0).position([0.0, 0.0, 1.0]));
    let mut world = World::new(model.build().expect("a ball"));
    let _ = world.step(H, &Inputs::none());
    let before = world.energy().total();
    let body = Body::sphere("second", 0.1).mass(2.0).position([0.0, 1.0, 3.0]);
    let second = world.edit(|m| m.body(body.velocity([2.0, 0.0, 0.0]))).expect("added");
    // ½·2·2² + 2·10·3
    assert!((world.ledger().totals().supplied - 64.0).abs() < 1e-12);
    assert!((world.energy().total() - before - 64.0).abs() < 1e-12);
    let spring = Spring::point(second.origin(), ball.origin()).stiffness(100.0);
    let spring = world.edit(|m| m.spring(spring)).expect("a spring");
    let stretch = (world.pose(second).position - world.pose(ball).position).norm_squared();
    assert!((world.ledger().totals().supplied - 64.0 - 50.0 * stretch).abs() < 1e-10);
    let all = world.energy().total();
    world.edit(|m| m.remove_element(spring)).expect("cut");
    assert!((world.ledger().totals().discarded - 50.0 * stretch).abs() < 1e-10);
    assert!((world.energy().total() - all + 50.0 * stretch).abs() < 1e-10);
    world.edit(|m| m.remove_body(second)).expect("gone");
    assert!((world.energy().total() - before).abs() < 1e-12 * all);
    assert!(world.audit().is_clean(), "{}", world.audit());
    // what is below the level from which gravity counts has to be lifted out
    let deep = Body::sphere("deep", 0.1).mass(1.0).position([0.0, 0.0, -5.0]);
    let deep = world.edit(|m| m.body(deep)).expect("added");
    assert!((world.energy().total() - before + 50.0).abs() < 1e-10);
    world.edit(|m| m.remove_body(deep)).expect("gone");
    assert!((world.energy().total() - before).abs() < 1e-10);
    assert!(world.ledger().totals().discarded >= 0.0);
    world.verify().expect("the books agree");
}

#[test]
fn a_body_takes_what_hangs_on_it_and_a_place_taken_again_knows_no_old_id() {
    let mut model = Model::ghosts();
    let a = model.body(Body::sphere("a", 0.1));
    let b = model.body(Body::sphere("b", 0.1).position([1.0, 0.0, 0.0]));
    let joint = model.joint(Joint::distance(a.origin(), b.origin(), 1.0));
    let port = model.port(Port::force("p", a.origin()));
    let motor = Spring::slide(a.origin(), Anchor::world([0.0; 3]));
    let motor = model.port(Port::motor("m", motor));
    let mut world = World::new(model.build().expect("two balls"));
    world.edit(|m| m.remove_body(a)).expect("gone");
    assert!(world.set_damping(joint, Vec6::zeros()).is_err());
    assert!(world.detach(port).is_err() && world.detach(motor).is_err());
    assert_eq!(world.model().islands().len(), 0);
    let again = world.edit(|m| m.body(Body::sphere("a", 0.2))).expect("another");
    assert_eq!(again.index(), a.index());
    assert_ne!(again, a);
    assert!(world.set_mass(a, 1.0, Payment::Supply).is_err());
    assert!(world.attach(Port::force("p", a.origin())).is_err());
    let hand = world.attach(Port::force("p", again.origin())).expect("attached");
    assert_eq!(hand.index(), port.index());
    // an input for the port that is gone does not reach the one in its place
    let mut inputs = world.inputs();
    inputs.force(port, [1e3, 0.0, 0.0]);
    let _ = world.step(H, &inputs);
    assert_eq!(world.velocity(again), Vec3::zeros());
    inputs.force(hand, [1e3, 0.0, 0.0]);
    let _ = world.step(H, &inputs);
    assert!(world.velocity(again).x > 0.0);
    assert_eq!(world.body_named("b"), Some(b));
}

#[test]
fn a_refused_edit_changes_nothing() {
    let (model, tower) = scene();
    let mut world = World::new(model.build().expect("a scene"));
    for _ in 0..50 {
        let _ = world.step(H, &Inputs::none());
    }
    let before = world.snapshot();
    let bad = world.edit(|m| {
        m.remove_body(tower[1]);
        m.body(Body::sphere("new", -1.0))
    });
    assert!(bad.is_err());
    assert!(world.edit(|m| m.body(Body::sphere("tower0", 0.1))).is_err(), "the name is taken");
    assert_eq!(world.snapshot(), before);
    world.edit(|_| ()).expect("an edit of nothing");
    assert_eq!(world.snapshot(), before, "leaves no trace");
    let body = world.edit(|m| m.body(Body::sphere("new", 0.1).position([9.0, 0.0, 1.0])));
    assert!(!world.clone().restore(&before), "a snapshot of another model is refused");
    world.edit(|m| m.remove_body(body.expect("a body"))).expect("gone");
    assert!(world.restore(&before));
}

#[test]
fn a_body_put_under_another_carries_it() {
    // contacts of new bodies are found, with floors as with bodies
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]).contacts(0);
    model.body(Body::half_space("floor"));
    let mut world = World::new(model.build().expect("a floor"));
    let _ = world.step(H, &Inputs::none());
    let block = |name: &str, z: f64| Body::cuboid(name, [0.1, 0.1, 0.05]).position([0.0, 0.0, z]);
    let low = world.edit(|m| m.body(block("low", 0.05))).expect("a block");
    for _ in 0..200 {
        let _ = world.step(H, &Inputs::none());
    }
    let high = world.edit(|m| m.body(block("high", 0.1501))).expect("another");
    for _ in 0..600 {
        let _ = world.step(H, &Inputs::none());
    }
    for (id, z) in [(low, 0.05), (high, 0.15)] {
        assert!((world.pose(id).position.z - z).abs() < 1e-6, "{}", world.pose(id).position.z);
    }
    world.edit(|m| m.remove_body(low)).expect("pulled away");
    for _ in 0..600 {
        let _ = world.step(H, &Inputs::none());
    }
    assert!((world.pose(high).position.z - 0.05).abs() < 1e-6);
}

#[test]
fn two_hands_come_cross_and_go_in_any_order_in_a_pile_without_a_trace() {
    // every hand pushes with the same force in both worlds; in one the hands hold on all the time,
    // in the other they let go and take hold again between their pushes, in any order. They push
    // from their third step on: where a force acts is predicted from the last two
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]).contacts(0);
    model.body(Body::half_space("floor"));
    let left = boxes(&mut model, 0.0, 3, "left");
    let right = boxes(&mut model, 0.19, 3, "right");
    let bodies = [left[1], right[1]];
    let mut steady = World::new(model.build().expect("two towers that touch"));
    let hand = |k: usize| Port::force(["one", "two"][k], bodies[k].at([0.0, 0.0, 0.02]));
    let held = [0, 1].map(|k| steady.attach(hand(k)).expect("attached"));
    let mut loose = steady.clone();
    let (mut now, mut since, mut r) = (held.map(Some), [0; 2], Random(5));
    let rounds = if long() { 100_000 } else { 400 };
    for round in 0..rounds {
        since.iter_mut().for_each(|steps| *steps += 1);
        for _ in 0..[0, 0, 0, 1, 2, 3][r.below(6)] {
            let k = r.below(2);
            since[k] = 0;
            now[k] = match now[k] {
                Some(port) => {
                    loose.detach(port).expect("let go");
                    assert!(loose.detach(port).is_err(), "a hand lets go once");
                    None
                }
                None => Some(loose.attach(hand(k)).expect("took hold")),
            };
        }
        let (mut a, mut b) = (steady.inputs(), loose.inputs());
        for k in 0..2 {
            let push = r.vector(if round % 50 < 10 { 2.0 } else { 0.0 });
            if let (Some(port), true) = (now[k], since[k] > 1) {
                a.force(held[k], push);
                b.force(port, push);
            }
        }
        let _ = steady.step(H, &a);
        let _ = loose.step(H, &b);
        for body in left.iter().chain(&right) {
            assert_eq!(bits(&steady, *body), bits(&loose, *body), "round {round}");
            assert_eq!(forces(&steady, *body), forces(&loose, *body), "round {round}");
        }
        let work = |w: &World| w.ledger().totals().supplied;
        let (one, two) = (work(&steady), work(&loose));
        assert!((one - two).abs() <= 1e-12 * one.abs().max(1.0), "round {round}: {one} {two}");
    }
    assert!(loose.model().ports().len() <= 2, "places are taken again");
}
