//! Schemes that know neither contact nor hard joints get springs for both, for comparison: they
//! hold where statics says, keep momentum, and the ledger tells what they make of energy.

use palpable::{
    Anchor, Body, Inputs, Joint, Material, Model, Options, Penalty, Scheme, Status, World,
};

const RIVALS: [Scheme; 4] = [
    Scheme::PublishedMidpoint,
    Scheme::ExplicitEuler,
    Scheme::SymplecticEuler,
    Scheme::ImplicitEuler,
];

fn options(scheme: Scheme) -> Options {
    Options { scheme, penalty: Some(Penalty::default()), ..Options::default() }
}

fn ball_on_floor(restitution: f64) -> Model {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]);
    let surface = Material::new(0.5, restitution);
    model.body(Body::half_space("floor").material(surface));
    let ball = Body::sphere("ball", 0.1).mass(2.0).position([0.0, 0.0, 0.2]);
    model.body(ball.material(surface));
    model.build().expect("a model")
}

/// `k δ = m g` with `k = (α/h)² m`: the overlap is `g (h/α)²`, whatever the mass.
#[test]
fn a_ball_rests_as_deep_as_statics_says() {
    for scheme in RIVALS {
        let h = 1e-3;
        let mut world = World::with_options(ball_on_floor(0.0), options(scheme)).expect("it fits");
        for _ in 0..4000 {
            assert_eq!(world.step(h, &Inputs::none()).status, Status::Taken);
        }
        let ball = world.body_named("ball").expect("there");
        let depth = 0.1 - world.pose(ball).position.z;
        let wanted = 9.81 * (h / Penalty::default().angle).powi(2);
        assert!((depth / wanted - 1.0).abs() < 1e-6, "{scheme:?}: {depth} for {wanted}");
        assert!(world.velocity(ball).norm() < 1e-9, "{scheme:?}");
        let stored = 0.5 * 2.0 * 9.81 * wanted;
        assert!((world.energy().contact / stored - 1.0).abs() < 1e-5, "{scheme:?}");
    }
}

/// Forces of contact come in pairs.
#[test]
fn balls_that_collide_keep_their_momentum() {
    for scheme in RIVALS {
        let mut model = Model::builder();
        let ball = |name: &str, x: f64, v: f64, mass: f64| {
            Body::sphere(name, 0.05).mass(mass).position([x, 0.01, 0.0]).velocity([v, 0.0, 0.0])
        };
        let a = model.body(ball("a", -0.2, 1.0, 1.0));
        let b = model.body(ball("b", 0.2, -0.5, 3.0).position([0.2, -0.02, 0.01]));
        let model = model.build().expect("a model");
        let mut world = World::with_options(model, options(scheme)).expect("it fits");
        let momentum = |w: &World| w.velocity(a) + w.velocity(b) * 3.0;
        let before = momentum(&world);
        let mut touched = false;
        for _ in 0..600 {
            let report = world.step(1e-3, &Inputs::none());
            touched |= report.contact.depth > 0.0;
        }
        assert!(touched, "{scheme:?}");
        assert!((momentum(&world) - before).norm() < 1e-12, "{scheme:?}");
    }
}

/// A pendulum on a hard hinge: its pivot stays where weight and swing stretch the spring to.
#[test]
fn hard_joints_yield_by_what_their_springs_allow() {
    for scheme in [Scheme::ExplicitEuler, Scheme::SymplecticEuler] {
        let mut model = Model::builder();
        model.gravity([0.0, -9.81, 0.0]);
        let rod = Body::cuboid("rod", [0.2, 0.01, 0.01]).mass(0.5).position([0.2, 0.0, 0.0]);
        let rod = model.body(rod);
        let here = rod.at([-0.2, 0.0, 0.0]);
        model.joint(Joint::hinge(here, Anchor::world([0.0; 3])));
        let model = model.build().expect("a model");
        assert!(
            World::with_options(model.clone(), Options { scheme, ..Options::default() }).is_err()
        );
        let mut world = World::with_options(model, options(scheme)).expect("it fits");
        let (mut worst, h) = (0.0f64, 1e-3);
        for _ in 0..3000 {
            assert_eq!(world.step(h, &Inputs::none()).status, Status::Taken);
            let pose = world.pose(rod);
            let pivot = pose.position + pose.rotation * palpable::Vec3::new(-0.2, 0.0, 0.0);
            worst = worst.max(pivot.norm());
        }
        // at the lowest point the hinge pulls 2.5 m g (a rod from the horizontal), on a spring that
        // moves at least a quarter of the mass
        let most = 4.0 * 2.5 * 9.81 * (h / Penalty::default().angle).powi(2);
        assert!(worst > 0.0 && worst < most, "{scheme:?}: {worst} m of {most}");
    }
}

/// What came in, is stored, was lost, and was made: nothing else. A bounce without loss shows the
/// scheme's own error: explicit Euler gains, implicit Euler loses, the others nearly keep.
#[test]
fn the_ledger_tells_what_springs_make_of_energy() {
    for scheme in RIVALS {
        let mut world = World::with_options(ball_on_floor(1.0), options(scheme)).expect("it fits");
        let begun = world.energy().total();
        let mut made = 0.0;
        for _ in 0..400 {
            let report = world.step(1e-3, &Inputs::none());
            made += report.entry.closure();
        }
        let flows = world.ledger().totals();
        let change = world.energy().total() - begun;
        let sum = flows.supplied - flows.damped - flows.friction - flows.impact + made;
        assert!((change - sum).abs() < 1e-9, "{scheme:?}: {change} {sum}");
        // the ball falls 10 cm: 1.96 J
        let share = made / 1.962;
        match scheme {
            Scheme::ExplicitEuler => assert!(share > 0.1, "{scheme:?} {share}"),
            Scheme::ImplicitEuler => assert!(share < -0.1, "{scheme:?} {share}"),
            // a contact begins and ends within a step: up to a tenth of a swing of 3.3 steps
            _ => assert!(share.abs() < 0.1, "{scheme:?} {share}"),
        }
    }
}

/// Without leave nothing changes: contact and hard joints are refused by name, and layers that
/// yield are refused in any case.
#[test]
fn nothing_is_softened_unless_it_is_asked_for() {
    for scheme in RIVALS {
        let plain = Options { scheme, ..Options::default() };
        let error = World::with_options(ball_on_floor(0.0), plain).expect_err("refused");
        assert!(error.to_string().contains("contact"), "{error}");
    }
}
