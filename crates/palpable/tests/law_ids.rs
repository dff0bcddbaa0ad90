//! An id belongs to its model: to clones of it, to worlds built from them and edited since, and to
//! models that were described in the same way. Any other world refuses it, whoever is at its place
//! there, and what is read by it is NaN, never a number that looks like data.

use palpable::{
    Beam, Body, BodyId, Chain, ElementId, Inputs, Joint, Link, Mat3, Material, Model, ModelBuilder,
    Payment, Port, PortId, PortInput, Pose, Spring, SystemId, Vec3, Vec6, World,
};

/// Ids of one of each kind.
#[derive(Debug, Clone, Copy)]
struct Ids {
    body: BodyId,
    second: BodyId,
    spring: ElementId,
    port: PortId,
    chain: SystemId,
    beam: SystemId,
}

/// A model with a part of each kind, every one at the place that it has in any other.
fn describe(word: &str, model: &mut ModelBuilder) -> Ids {
    model.gravity([0.0, 0.0, -9.81]);
    let body = model.body(Body::sphere(format!("{word} ball"), 0.1).mass(1.0));
    let second = model.body(Body::sphere("second", 0.1).mass(1.0).position([0.0, 1.0, 0.0]));
    let spring = model.spring(Spring::point(body.origin(), second.origin()).stiffness(10.0));
    let mut chain = Chain::new("chain");
    let link = |name: &str| {
        Link::revolute(name).inertia(1.0, [0.1, 0.0, 0.0], Mat3::from_diagonal_element(0.01))
    };
    chain.link(link("upper"));
    chain.link(link("lower").on(0));
    let chain = model.chain(chain);
    let beam = model.beam(Beam::new("beam", 1.0, 0.1, 10.0).modes(2));
    let port =
        model.port(Port::reference("hand", body.origin(), Vec6::repeat(10.0), Vec6::zeros()));
    Ids { body, second, spring, port, chain, beam }
}

fn build(word: &str) -> (World, Ids) {
    let mut model = Model::ghosts();
    let ids = describe(word, &mut model);
    (World::new(model.build().expect("a model")), ids)
}

fn is_nan(v: Vec3) -> bool {
    v.iter().all(|x| x.is_nan())
}

/// Every call of a world that takes an id refuses these, changes nothing, and reads NaN.
fn refuses(world: &mut World, ids: &Ids, own: &Ids) {
    let before = world.snapshot();
    assert!(!world.has_body(ids.body) && !world.has_element(ids.spring));
    assert!(
        !world.has_port(ids.port) && !world.has_system(ids.chain) && !world.has_system(ids.beam)
    );
    for body in [ids.body, ids.chain.link(0), ids.chain.link(1), ids.beam.link(0), ids.beam.base()]
    {
        let pose = world.pose(body);
        assert!(is_nan(pose.position) && pose.rotation.coords.iter().all(|x| x.is_nan()));
        assert!(is_nan(world.velocity(body)) && is_nan(world.angular_velocity(body)));
        assert!(is_nan(world.contact_force(body)));
        assert!(world.contact_impulse(body).into_iter().all(is_nan));
        assert!(world.material(body).is_none() && !world.is_asleep(body));
        assert!(world.set_mass(body, 1.0, Payment::Supply).is_err());
        assert!(world.set_body_damping(body, 1.0, 1.0).is_err());
        assert!(world.set_material(body, Material::default()).is_err());
        assert!(world.set_pair_material(body, own.body, Material::default()).is_err());
        assert!(world.set_pose(body, Pose::default()).is_err());
        assert!(world.set_velocity(body, [0.0; 3], [0.0; 3]).is_err());
        assert!(world.apply_force(body, [1.0; 3], [0.0; 3]).is_err());
        assert!(world.apply_force_at(body, [1.0; 3], [0.0; 3]).is_err());
        assert!(world.attach(Port::force("late", body.origin())).is_err());
        assert!(world.edit(|m| m.remove_body(body)).is_err());
        assert!(world.edit(|m| _ = m.no_contact(body, own.body)).is_err());
        assert!(world.edit(|m| _ = m.contact_pair(own.body, body, Material::default())).is_err());
        let on = Joint::ball(body.origin(), own.body.origin());
        assert!(world.edit(|m| m.joint(on)).is_err());
        let [a, b] = [own.body.origin(), own.second.origin()];
        let gear = Joint::gear(a, b, b, body.origin(), 2.0);
        assert!(world.edit(|m| m.joint(gear)).is_err());
    }
    let strain = world.strain(ids.spring);
    assert!(strain.iter().all(|x| x.is_nan()));
    assert!(world.angle(ids.spring).is_err() && world.rate(ids.spring).is_err());
    assert!(world.set_stiffness(ids.spring, Vec6::repeat(1.0), Payment::Supply).is_err());
    assert!(world.set_damping(ids.spring, Vec6::repeat(1.0)).is_err());
    assert!(world.set_dry_friction(ids.spring, 1.0).is_err());
    assert!(world.set_rest(ids.spring, 1.0).is_err());
    assert!(world.set_anchor(ids.spring, Pose::default()).is_err());
    assert!(world.edit(|m| m.remove_element(ids.spring)).is_err());
    let shown = world.port(ids.port);
    assert!(is_nan(shown.force) && is_nan(shown.position) && shown.work.is_nan());
    assert!(world.port_impulse(ids.port).into_iter().all(is_nan));
    assert!(world.detach(ids.port).is_err() && world.edit(|m| m.remove_port(ids.port)).is_err());
    for system in [ids.chain, ids.beam] {
        let mut rates = [0.0; 2];
        world.coordinate_rates(system, &mut rates);
        assert!(rates.iter().all(|x| x.is_nan()) && world.coordinates(system).is_empty());
        let on = Spring::coordinate(system, 0).stiffness(1.0);
        assert!(world.edit(|m| m.spring(on.clone())).is_err());
        assert!(world.attach(Port::motor("motor", on)).is_err());
        assert!(world.edit(|m| m.remove_system(system)).is_err());
    }
    assert_eq!(world.snapshot(), before, "nothing changed");
    // an input for a port of another world is nobody's
    let mut twin = world.clone();
    let mut inputs = twin.inputs();
    let (position, rotation) = (Vec3::new(1.0, 0.0, 0.0), palpable::Rotation::identity());
    inputs.set(ids.port, PortInput::Reference { position, rotation });
    assert!(twin.step(1e-3, &inputs).status.is_taken());
    assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
    assert_eq!(twin.state_hash(), world.state_hash());
    assert!(world.restore(&before));
}

/// These ids name the parts that they were made for.
fn knows(world: &World, ids: &Ids) {
    assert!(world.has_body(ids.body) && world.has_element(ids.spring) && world.has_port(ids.port));
    assert!(world.has_system(ids.chain) && world.has_system(ids.beam));
    assert_eq!(world.body_named("second"), Some(ids.second));
    assert_eq!(world.body_named("upper"), Some(ids.chain.link(0)));
    assert_eq!(world.body_named("lower"), Some(ids.chain.link(1)));
    assert_eq!(world.body_named("beam 0"), Some(ids.beam.link(0)));
    assert_eq!(world.port_named("hand"), Some(ids.port));
    assert_eq!(world.element(ids.spring.index()), Some(ids.spring));
    assert!(world.pose(ids.beam.link(1)).position.norm().is_finite());
    assert_eq!(world.coordinates(ids.chain).len(), 2);
}

#[test]
fn ids_of_another_model_are_refused_at_places_that_are_taken() {
    // one name differs, and every part of one has the kind and place of one of the other
    let (mut left, mut right) = (build("left"), build("right"));
    assert_eq!(left.1.body.index(), right.1.body.index());
    assert_eq!(left.1.chain.index(), right.1.chain.index());
    refuses(&mut left.0, &right.1, &left.1);
    refuses(&mut right.0, &left.1, &right.1);
    knows(&left.0, &left.1);
}

#[test]
fn clones_and_worlds_of_a_model_know_its_ids_however_they_are_edited() {
    let (mut world, ids) = build("one");
    let mut other = World::new(world.model().clone());
    knows(&other, &ids);
    let late = world.edit(|m| m.body(Body::sphere("late", 0.1))).expect("added");
    let hand = world.attach(Port::force("push", late.origin())).expect("held");
    world.detach(ids.port).expect("let go");
    assert!(world.has_body(ids.second) && world.has_body(late) && !world.has_port(ids.port));
    // what one of them got since is not in the other, nor in what the other got instead
    assert!(!other.has_body(late) && other.has_port(ids.port));
    let instead = other.edit(|m| m.body(Body::sphere("instead", 0.1))).expect("added");
    assert_eq!(instead.index(), late.index());
    assert!(!other.has_body(late) && !world.has_body(instead) && !other.has_port(hand));
    // a builder that goes on knows what it gave
    let mut model = Model::ghosts();
    let ids = describe("one", &mut model);
    let first = World::new(model.build().expect("a model"));
    let more = model.body(Body::sphere("more", 0.1));
    let second = World::new(model.build().expect("a model"));
    knows(&first, &ids);
    knows(&second, &ids);
    assert!(!first.has_body(more) && second.has_body(more));
}

#[test]
fn models_described_in_the_same_way_know_each_others_ids() {
    let (one, ids) = build("one");
    let (two, twins) = build("one");
    knows(&one, &twins);
    knows(&two, &ids);
    assert_eq!(ids.body, twins.body);
    // what is live does not count, as for snapshots
    let ball = |mass: f64| {
        let mut model = Model::builder();
        let ball = model.body(Body::sphere("ball", 0.1).mass(mass));
        (World::new(model.build().expect("a ball")), ball)
    };
    let (light, heavy) = (ball(1.0), ball(2.0));
    assert!(light.0.has_body(heavy.1) && light.0.snapshot() != heavy.0.snapshot());
}

#[test]
fn a_part_that_left_and_came_again_has_another_id() {
    let (mut world, ids) = build("one");
    let ball = || Body::sphere("late", 0.1).mass(1.0).position([3.0, 0.0, 0.0]);
    let mut seen = vec![ids.body];
    for _ in 0..100 {
        let id = world.edit(|m| m.body(ball())).expect("added");
        assert!(seen.iter().all(|old| *old != id) && world.has_body(id));
        world.edit(|m| m.remove_body(id)).expect("there");
        assert!(!world.has_body(id));
        seen.push(id);
    }
}

/// Numbers of other languages mean whoever is at a place now.
#[test]
fn ids_made_of_numbers_mean_whoever_is_there() {
    let (mut world, ids) = build("one");
    let any = BodyId::from_index(ids.body.index());
    assert!(world.has_body(any) && world.pose(any) == world.pose(ids.body));
    assert!(world.has_element(ElementId::from_index(ids.spring.index())));
    let system = SystemId::from_parts(ids.chain.index(), ids.chain.base(), ids.chain.link(0));
    assert!(world.has_system(system) && system.link(1).index() == ids.chain.link(1).index());
    let hand = PortId::from_index(ids.port.index());
    assert!(world.has_port(hand));
    // inputs by number reach the port, and those by id are found by number
    let (position, rotation) = (Vec3::new(1.0, 0.0, 0.0), palpable::Rotation::identity());
    let (mut twin, mut by_id, mut by_number) = (world.clone(), world.inputs(), world.inputs());
    by_id.set(ids.port, PortInput::Reference { position, rotation });
    by_number.set(hand, PortInput::Reference { position, rotation });
    assert_eq!(by_id.get(hand), by_number.get(ids.port));
    assert!(world.step(1e-3, &by_id).status.is_taken());
    assert!(twin.step(1e-3, &by_number).status.is_taken());
    assert_eq!(world.state_hash(), twin.state_hash());
    // a spring added by number leaves with its body
    let other = BodyId::from_index(ids.second.index());
    let spring = Spring::point(any.origin(), other.origin()).stiffness(1.0).named("by number");
    let spring = world.edit(|m| m.spring(spring)).expect("both are there");
    let same = Spring::point(any.origin(), ids.body.origin()).stiffness(1.0);
    assert!(world.edit(|m| m.spring(same)).is_err(), "one body twice");
    world.edit(|m| m.remove_body(ids.body)).expect("there");
    assert!(!world.has_element(spring) && !world.has_body(any));
    let next = world.edit(|m| m.body(Body::sphere("next", 0.1))).expect("added");
    assert!(next.index() == any.index() && world.has_body(any) && !world.has_body(ids.body));
}

/// Bits of a run do not depend on what a program built before.
#[test]
fn bits_do_not_depend_on_other_models() {
    let run = || {
        let (mut world, ids) = build("one");
        world.attach(Port::force("late", ids.second.origin())).expect("held");
        (0..100).for_each(|_| _ = world.step(1e-3, &Inputs::none()));
        (world.snapshot(), world.state_hash(), ids.body)
    };
    let first = run();
    (0..10).for_each(|i| _ = build(&format!("other {i}")));
    let second = run();
    assert_eq!((first.0, first.1, first.2), (second.0, second.1, second.2));
}

/// Two ids at one place do not take each other's input away.
#[test]
fn an_input_for_a_port_of_another_model_takes_nothing_from_ones_own() {
    let (mut world, own) = build("own");
    let (_, other) = build("other");
    let reference = |x: f64| {
        let (position, rotation) = (Vec3::new(x, 0.0, 0.0), palpable::Rotation::identity());
        PortInput::Reference { position, rotation }
    };
    let mut alone = world.clone();
    let mut inputs = Inputs::none();
    inputs.set(own.port, reference(0.1));
    assert!(alone.step(1e-3, &inputs).status.is_taken());
    for turn in 0..2 {
        let mut both = if turn == 0 { Inputs::none() } else { world.inputs() };
        let order = [(own.port, 0.1), (other.port, 0.2)];
        for k in [turn, 1 - turn] {
            both.set(order[k].0, reference(order[k].1));
        }
        assert_eq!(both.get(own.port), reference(0.1));
        assert_eq!(both.get(other.port), reference(0.2));
        let mut twin = world.clone();
        assert!(twin.step(1e-3, &both).status.is_taken());
        assert_eq!(twin.state_hash(), alone.state_hash());
        // and each can be taken back
        both.set(other.port, PortInput::Idle);
        assert_eq!((both.get(own.port), both.get(other.port)), (reference(0.1), PortInput::Idle));
        both.set(own.port, reference(0.3));
        assert_eq!(both.get(own.port), reference(0.3));
        both.set(PortId::from_index(own.port.index()), PortInput::Idle);
        assert_eq!(both.get(own.port), PortInput::Idle, "a number means whoever is there");
    }
    assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
}

#[test]
fn ids_survive_being_stored_and_names_lead_to_them() {
    let (world, ids) = build("a");
    let (body, spring, port) = (ids.body, ids.spring, ids.port);
    assert_eq!(BodyId::from_parts(body.index(), body.mark()), body);
    assert_eq!(ElementId::from_parts(spring.index(), spring.mark()), spring);
    assert_eq!(PortId::from_parts(port.index(), port.mark()), port);
    for (name, id) in [("chain", ids.chain), ("beam", ids.beam)] {
        assert_eq!(world.system_named(name), Some(id));
        assert_eq!(SystemId::from_parts(id.index(), id.base(), id.link(0)), id);
    }
    // a mark that the model did not give
    assert!(!world.has_body(BodyId::from_parts(body.index(), body.mark() ^ 4)));
    // a description goes on where the model's left off
    let mut again = world.model().description();
    assert!(again.has_body(ids.body) && again.has_element(ids.spring));
    assert!(again.has_port(ids.port) && again.has_system(ids.chain));
    again.remove_body(ids.body);
    assert!(!again.has_body(ids.body) && world.has_body(ids.body));
}
