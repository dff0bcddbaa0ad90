//! Bad descriptions of joints, chains, beams and motors: every mistake is reported, all at once,
//! and none of them panics.

use palpable::*;

fn errors(model: &ModelBuilder) -> Vec<String> {
    match model.build() {
        Ok(_) => Vec::new(),
        Err(errors) => errors.0.iter().map(ToString::to_string).collect(),
    }
}

fn assert_all(model: &ModelBuilder, expected: &[&[&str]]) {
    let found = errors(model);
    for words in expected {
        let one = found.iter().any(|text| words.iter().all(|word| text.contains(word)));
        assert!(one, "{words:?} not among {found:#?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn every_mistake_of_a_chain_is_reported_at_once() {
    let good = Mat3::from_diagonal(&Vec3::new(1e-4, 1e-4, 1e-4));
    // a flat plate cannot have more inertia in one axis than in the two others together
    let flat = Mat3::from_diagonal(&Vec3::new(1e-4, 1e-4, 3e-4));
    let mut chain = Chain::new("arm");
    chain.link(Link::revolute("massless").inertia(0.0, [0.0; 3], good));
    chain.link(Link::revolute("impossible").inertia(0.1, [0.0; 3], flat));
    chain.link(Link::revolute("singular").inertia(0.1, [0.0; 3], Mat3::zeros()));
    chain.link(Link::revolute("ahead").inertia(0.1, [0.0; 3], good).on(7));
    chain.link(Link::revolute("adrift").inertia(0.1, [0.0; 3], good).start(f64::NAN, 0.0));
    chain.link(Link::revolute("driven").inertia(0.1, [0.0; 3], good).damping(-1.0));
    let mut model = Model::ghosts();
    model.chain(chain);
    model.chain(Chain::new("empty"));
    assert_all(
        &model,
        &[
            &["massless", "mass"],
            &["impossible", "inertia"],
            &["singular", "inertia"],
            &["ahead", "parent"],
            &["adrift", "finite"],
            &["driven", "damping", "-1"],
            &["empty", "no links"],
        ],
    );
}

#[test]
fn a_joint_between_a_body_and_itself_is_refused_on_every_kind_of_joint() {
    let mut model = Model::ghosts();
    let (a, b) = (model.body(Body::sphere("a", 0.1).mass(1.0)), Anchor::world([0.0; 3]));
    let c = model.body(Body::sphere("c", 0.1).mass(1.0));
    model.joint(Joint::hinge(a.origin(), a.at([1.0, 0.0, 0.0])).named("self"));
    model.joint(Joint::gear(a.origin(), b, c.origin(), c.origin(), 2.0).named("cog"));
    model.joint(Joint::gear(a.origin(), b, c.origin(), b, f64::NAN).named("nan"));
    model.joint(Joint::ball(b, Anchor::world([1.0, 0.0, 0.0])).named("nowhere"));
    model.spring(Spring::angle(a.origin(), b).rest(f64::INFINITY).named("rest"));
    assert_all(
        &model,
        &[
            &["self", "same body"],
            &["cog", "same body"],
            &["nan", "ratio"],
            &["nowhere", "can move"],
            &["rest", "finite"],
        ],
    );
}

#[test]
fn ids_of_another_model_are_refused_wherever_they_appear() {
    let mut other = Model::ghosts();
    other.body(Body::sphere("x", 0.1).mass(1.0));
    let stranger = other.body(Body::sphere("y", 0.1).mass(1.0));
    let mut chain = Chain::new("chain");
    let moments = Mat3::from_diagonal(&Vec3::new(1e-4, 1e-4, 1e-4));
    chain.link(Link::revolute("link").inertia(0.1, [0.0; 3], moments));
    let foreign = other.chain(chain);
    let mut model = Model::ghosts();
    let a = model.body(Body::sphere("a", 0.1).mass(1.0)).origin();
    let world = Anchor::world([0.0; 3]);
    model.joint(Joint::gear(a, world, stranger.origin(), world, 1.0).named("gear"));
    model.spring(Spring::coordinate(foreign, 0).named("coordinate"));
    model.port(Port::motor("motor", Spring::coordinate(foreign, 0)));
    let another = "another model";
    assert_all(&model, &[&["gear", another], &["coordinate", another], &["motor", another]]);
}

#[test]
fn contradictory_beams_motors_and_coordinates_say_what_to_do() {
    let mut model = Model::ghosts();
    let beam = Beam::new("short", -1.0, 0.0, f64::NAN).modes(40).damping_ratio(-0.1);
    model.beam(beam.start(vec![(0.0, 0.0); 50]));
    let id = model.beam(Beam::new("good", 1.0, 1.0, 10.0));
    model.spring(Spring::coordinate(id, 5).named("far").stiffness(1.0));
    let ball = model.body(Body::sphere("ball", 0.1).mass(1.0)).origin();
    model.port(Port::motor("three", Spring::point(ball, Anchor::world([0.0; 3]))));
    assert_all(
        &model,
        &[
            &["short", "length", "-1"],
            &["short", "mass", "0"],
            &["short", "bending stiffness"],
            &["short", "damping ratio"],
            &["short", "40 modes"],
            &["short", "starting values"],
            &["far", "coordinate 6", "has 3"],
            &["three", "3 rows"],
        ],
    );
}

#[test]
fn a_planar_arm_may_be_held_by_a_hard_joint_that_also_holds_its_plane() {
    // a four-bar in joint coordinates: two of the three rows of the ball do nothing or little
    let moments = Mat3::from_diagonal(&Vec3::new(1e-5, 1e-3, 1e-3));
    let mut chain = Chain::new("bars");
    let link = |name| Link::revolute(name).inertia(0.1, [0.1, 0.0, 0.0], moments);
    let a = chain.link(link("crank").start(1.0, 0.0));
    let at = |link: Link| link.at([0.2, 0.0, 0.0], Rotation::identity());
    let b = chain.link(at(link("bar")).on(a).start(-1.5, 0.0));
    chain.link(at(link("rocker")).on(b).start(-1.0, 0.0));
    let mut model = Model::ghosts();
    model.gravity([0.0, -9.81, 0.0]);
    let id = model.chain(chain);
    let probe = World::new(model.build().expect("bars"));
    let pose = probe.pose(id.link(2));
    let end = pose.position + pose.rotation * Vec3::new(0.2, 0.0, 0.0);
    model.joint(Joint::ball(id.link(2).at([0.2, 0.0, 0.0]), Anchor::world(end)));
    let mut world = World::new(model.build().expect("a four-bar"));
    let (start, mut gap) = (world.energy().total(), 0.0f64);
    for _ in 0..1000 {
        let report = world.step(1e-3, &Inputs::none());
        assert_eq!(report.status, Status::Taken);
        gap = gap.max(report.gap);
    }
    assert!(gap < 1e-9 && world.energy().kinetic > 1e-4, "{gap:.1e}");
    let lost = world.ledger().totals().lost();
    assert!((world.energy().total() + lost - start).abs() < 1e-9, "{lost:.1e}");
}
