//! A world that was built steps, whatever its numbers: what cannot be added up is refused by
//! `build`, by name.

mod common;

use common::Random;
use palpable::{
    Anchor, Body, Chain, Inputs, Joint, Link, Mat3, Model, ModelBuilder, Payment, Spring, Status,
    Vec3, World,
};

/// A positive number of any size up to ten to the power of `decades`, or down to its inverse.
fn wild(r: &mut Random, decades: f64) -> f64 {
    match r.below(3) {
        0 => 10f64.powf(r.between(-decades, decades)),
        1 => 10f64.powf(r.between(-6.0, 6.0)),
        _ => r.between(0.1, 2.0),
    }
}

fn vector(r: &mut Random, decades: f64) -> Vec3 {
    match r.below(3) {
        0 => Vec3::zeros(),
        1 => r.vector(1.0),
        _ => Vec3::new(wild(r, decades), -wild(r, decades), wild(r, decades)),
    }
}

fn body(r: &mut Random, i: usize, decades: f64) -> Body {
    let name = format!("b{i}");
    let body = match r.below(4) {
        0 => Body::sphere(name, wild(r, decades)),
        1 => Body::cuboid(name, [wild(r, decades), wild(r, decades), wild(r, decades)]),
        2 => Body::capsule(name, wild(r, decades), wild(r, decades)),
        _ => Body::new(name).inertia(
            wild(r, decades),
            vector(r, decades),
            Mat3::from_diagonal_element(wild(r, decades)),
        ),
    };
    let body = match r.below(3) {
        0 => body,
        1 => body.mass(wild(r, decades)),
        _ => body.density(wild(r, decades)),
    };
    let body = body.position(vector(r, decades)).velocity(vector(r, decades));
    let body =
        if r.below(5) == 0 { body.damping(wild(r, decades), wild(r, decades)) } else { body };
    body.angular_velocity(vector(r, decades)).rotation(r.rotation())
}

fn model(r: &mut Random, decades: f64) -> ModelBuilder {
    let mut model = if r.below(2) == 0 { Model::builder() } else { Model::ghosts() };
    let pull = if r.below(4) == 0 { decades } else { 1.0 };
    model.gravity(vector(r, pull));
    let count = 1 + r.below(3);
    let bodies: Vec<_> = (0..count).map(|i| model.body(body(r, i, decades))).collect();
    for &a in &bodies {
        let near = a.at(vector(r, decades));
        let far = match r.below(2) {
            0 => Anchor::world(vector(r, decades)),
            _ => bodies[r.below(count)].at(vector(r, decades)),
        };
        let (k, b) = (wild(r, decades), wild(r, decades));
        match r.below(6) {
            0 => _ = model.spring(Spring::point(near, far).stiffness(k).damping(b)),
            1 => _ = model.spring(Spring::pose(near, far).stiffness(k)),
            2 => _ = model.joint(Joint::hinge(near, far)),
            3 => _ = model.joint(Joint::distance(near, far, wild(r, decades))),
            _ => {}
        }
    }
    if r.below(3) == 0 {
        let mut chain = Chain::new("chain");
        for i in 0..1 + r.below(3) {
            let moments = Mat3::from_diagonal_element(wild(r, decades));
            let link = Link::revolute(format!("link {i}"));
            let link = link.inertia(wild(r, decades), vector(r, decades), moments);
            let link = link.start(vector(r, decades).x, vector(r, decades).y);
            chain.link(if i > 0 { link.on(i - 1) } else { link });
        }
        model.chain(chain);
    }
    model
}

/// Builds a world of wild numbers and steps it; `None` if it cannot be built, else what a step said
/// that was not taken.
fn run(seed: u64, decades: f64) -> Option<Result<(), String>> {
    let mut r = Random(seed ^ (decades as u64) << 40);
    let built = match model(&mut r, decades).build() {
        Ok(model) => model,
        Err(errors) => {
            // each mistake names its part
            assert!(errors.0.iter().all(|e| e.to_string().contains(": ")), "{errors}");
            return None;
        }
    };
    let mut world = World::new(built);
    for _ in 0..4 {
        let report = world.step([1e-3, 1e-2, 1.0][r.below(3)], &Inputs::none());
        if report.status != Status::Taken {
            return Some(Err(format!("seed {seed}, 1e{decades}: {report:?}")));
        }
    }
    Some(Ok(()))
}

/// Debug builds check the energy of every step, so that a world that steps also keeps its promise.
#[test]
fn a_world_that_was_built_steps() {
    for decades in [10.0, 20.0, 40.0, 60.0, 100.0, 150.0, 300.0] {
        let mut built = 0;
        for seed in 0..common::worlds(1000, 100_000) {
            if let Some(stepped) = run(seed, decades) {
                built += 1;
                assert_eq!(stepped, Ok(()));
            }
        }
        // the numbers are wild, and still say something
        assert!(built > 20, "{built} of 1e{decades}");
    }
}

fn mistakes(change: impl FnOnce(Body) -> Body) -> Vec<String> {
    let mut model = Model::builder();
    model.body(change(Body::sphere("ball", 0.1).mass(1.0)));
    model.build().err().map_or(vec![], |e| e.0.iter().map(ToString::to_string).collect())
}

#[test]
fn numbers_whose_energy_overflows_are_refused_by_name_and_cure() {
    let cases = [
        (mistakes(|b| b.velocity([1e200, 0.0, 0.0])), "velocity is 1e200"),
        (mistakes(|b| b.angular_velocity([0.0, -1e200, 0.0])), "angular velocity is -1e200"),
        (mistakes(|b| b.position([1e41, 0.0, 0.0])), "position is 1e41"),
        (mistakes(|b| b.mass(1e300)), "mass is 1e300"),
        (mistakes(|b| b.mass(1e-300)), "mass is 1e-300"),
        (mistakes(|b| b.damping(1e99, 0.0)), "damping is 1e99"),
    ];
    for (found, wanted) in cases {
        assert!(found.iter().any(|text| text.contains("\"ball\"") && text.contains(wanted)));
        assert!(found.iter().all(|text| text.contains("check its unit")), "{found:?}");
    }
    assert_eq!(mistakes(|b| b.velocity([1e39, 0.0, 0.0])), Vec::<String>::new());
    // and no live change brings a world there
    let mut model = Model::builder();
    let ball = model.body(Body::sphere("ball", 0.1).mass(1.0));
    let mut world = World::new(model.build().expect("a ball"));
    assert!(world.set_velocity(ball, [1e41, 0.0, 0.0], [0.0; 3]).is_err());
    assert!(world.set_mass(ball, 1e-41, Payment::Supply).is_err());
    assert!(world.set_mass(ball, 1e41, Payment::Supply).is_err());
    assert!(world.set_gravity([0.0, 1e41, 0.0], Payment::Supply).is_err());
    assert_eq!(world.step(1e-3, &Inputs::none()).status, Status::Taken);
}
