//! Closed forms for one mass on a spring: the engine must reproduce the recursions of each scheme.
//!
//! Numbers to twelve digits from `[Kim2017 sec. 2.3]` and `[Lee2008]` settings, computed
//! independently; asserted to 1e-10 relative unless a comment says otherwise.

use palpable::{Anchor, Body, BodyId, Inputs, Model, Options, Scheme, Spring, World};

const TOLERANCE: f64 = 1e-10;

fn oscillator(mass: f64, stiffness: f64, x0: f64, scheme: Scheme) -> (World, BodyId) {
    let mut model = Model::builder();
    let ball = model.body(Body::sphere("ball", 0.01).mass(mass).position([x0, 0.0, 0.0]));
    model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(stiffness));
    let model = model.build().expect("a valid model");
    (
        World::with_options(model, Options { scheme, ..Default::default() })
            .expect("options that fit"),
        ball,
    )
}

fn close(name: &str, found: f64, expected: f64) {
    let error = (found / expected - 1.0).abs();
    assert!(error < TOLERANCE, "{name}: {found:.15e} instead of {expected:.15e} ({error:.1e})");
}

/// The varying steps of the oracle: 0.05 + 0.15 frac((k+1)(√5 − 1)/2) [s].
fn step_length(k: u32) -> f64 {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    0.05 + 0.15 * (f64::from(k + 1) * golden).fract()
}

#[test]
fn midpoint_oscillator_follows_its_closed_form() {
    for scheme in [Scheme::PassiveMidpoint, Scheme::PublishedMidpoint] {
        let (mut world, ball) = oscillator(0.01, 100.0, 0.1, scheme);
        for _ in 0..1000 {
            let _ = world.step(1e-3, &Inputs::none());
        }
        close("x", world.pose(ball).position.x, 8.172500408145e-02);
        close("v", world.velocity(ball).x, 5.762832383374);
    }
}

#[test]
fn a_ten_milligram_oscillator_follows_its_closed_form() {
    let (mut world, ball) = oscillator(1e-5, 100.0, 0.1, Scheme::PassiveMidpoint);
    for _ in 0..100 {
        let _ = world.step(1e-3, &Inputs::none());
    }
    close("x", world.pose(ball).position.x, 9.526967489083e-02);
    close("v", world.velocity(ball).x, -9.610874290069e+01);
    // the same from the rotation angle per step, theta = 2 atan(ωh/2)
    let theta = 2.0 * (0.5 * (100.0f64 / 1e-5).sqrt() * 1e-3).atan();
    close("theta", theta, 2.013707370868536);
    close("x", world.pose(ball).position.x, 0.1 * (100.0 * theta).cos());
}

#[test]
fn euler_schemes_follow_their_recursions() {
    let energy = |scheme| {
        let (mut world, ball) = oscillator(0.01, 100.0, 0.1, scheme);
        let initial = world.energy().total();
        for _ in 0..1000 {
            let _ = world.step(1e-3, &Inputs::none());
        }
        (world.energy().total() / initial, world.pose(ball).position.x, world.velocity(ball).x)
    };
    close("explicit E/E0", energy(Scheme::ExplicitEuler).0, 2.095915563781e+04);
    close("implicit E/E0", energy(Scheme::ImplicitEuler).0, 4.771184570985e-05);
    let (_, x, v) = energy(Scheme::SymplecticEuler);
    close("symplectic x", x, 9.062126531608e-02);
    close("symplectic v", v, 4.705537168853);
}

#[test]
fn varying_steps_follow_the_closed_form() {
    let (mut world, ball) = oscillator(1.0, 4.0, 1.0, Scheme::PassiveMidpoint);
    let mut angle = 0.0;
    for k in 0..100 {
        let h = step_length(k);
        let _ = world.step(h, &Inputs::none());
        angle += 2.0 * (0.5 * 2.0 * h).atan();
        close("x", world.pose(ball).position.x, angle.cos());
        if k == 9 {
            close("x at 10", world.pose(ball).position.x, -0.789357498790);
            close("v at 10", world.velocity(ball).x, -1.227867646131);
        }
    }
    close("x at 100", world.pose(ball).position.x, 0.959530133189);
    close("v at 100", world.velocity(ball).x, 0.563211944131);
}

#[test]
fn energy_is_kept_for_100_s_at_10_grams_and_at_10_milligrams() {
    for mass in [0.01, 1e-5] {
        let (mut world, _) = oscillator(mass, 100.0, 0.1, Scheme::PassiveMidpoint);
        let initial = world.energy().total();
        let mut worst: f64 = 0.0;
        for _ in 0..100_000 {
            let _ = world.step(1e-3, &Inputs::none());
            let e = world.energy();
            worst = worst.max(((e.kinetic + e.elastic) / initial - 1.0).abs());
        }
        // 1e5 steps of a few rounding units each, as a random walk: 300 · 2e-16
        assert!(worst < 1e-12, "{mass} kg: {worst:.1e}");
        assert!(world.audit().is_clean(), "{}", world.audit());
    }
}
