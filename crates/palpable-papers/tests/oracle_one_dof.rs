//! The bench against closed forms and recursions computed independently, [Lee2008], [Kim2017].
//!
//! Physics demands: the passive step turns an undamped linear oscillator by the angle
//! `2 atan(ωh/2)`, the Euler rules scale its energy by known factors, and a potential or a wall
//! gives the values below, which were computed in double precision outside this engine.
//! Twelve printed digits and a thousand steps: asked to 1e-10 relative.

use palpable_papers::one_dof::{Euler, Oscillator, Polynomial, State, Wall, WallBench};

fn assert_relative(actual: f64, expected: f64) {
    assert!((actual / expected - 1.0).abs() <= 1e-10, "{actual} is not {expected}");
}

/// The varying step lengths of the reference runs: 0.05 to 0.2 s by the golden ratio [s].
fn varying_steps() -> impl Iterator<Item = f64> {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    (1..).map(move |k| 0.05 + 0.15 * (k as f64 * golden).fract())
}

fn spring(mass: f64, stiffness: f64, x: f64) -> Oscillator {
    let potential = Polynomial::spring(stiffness).unwrap();
    Oscillator::new(mass, 0.0, potential).unwrap().starting_at(x, 0.0).unwrap()
}

fn run(mut bench: Oscillator, steps: impl Iterator<Item = f64>) -> State {
    for h in steps {
        assert!(bench.step(h, 0.0).advanced());
    }
    bench.state()
}

fn run_euler(rule: Euler, steps: usize) -> State {
    let start = State { position: 0.1, velocity: 0.0 };
    (0..steps).fold(start, |s, _| rule.oscillator(s, 1e-3, 0.01, [100.0, 0.0], 0.0))
}

fn energy_ratio(s: State) -> f64 {
    (0.5 * 0.01 * s.velocity.powi(2) + 50.0 * s.position.powi(2)) / 0.5
}

#[test]
fn a_thousand_passive_steps_of_a_spring_end_where_the_recursion_says() {
    let end = run(spring(0.01, 100.0, 0.1), (0..1000).map(|_| 1e-3));
    assert_relative(end.position, 8.172500408145e-2);
    assert_relative(end.velocity, 5.762832383374);
}

#[test]
fn a_mass_far_below_the_euler_limit_oscillates_by_the_recursion() {
    let end = run(spring(1e-5, 100.0, 0.1), (0..100).map(|_| 1e-3));
    assert_relative(end.position, 9.526967489083e-2);
    assert_relative(end.velocity, -9.610874290069e1);
    // ωh = √10: the angle per step
    let omega: f64 = (100.0_f64 / 1e-5).sqrt();
    let theta = 2.0 * (omega * 1e-3 / 2.0).atan();
    assert_relative(theta, 2.013707370868536);
    assert_relative(end.position, 0.1 * (100.0 * theta).cos());
}

#[test]
fn the_euler_rules_scale_the_energy_by_their_known_factors() {
    assert_relative(energy_ratio(run_euler(Euler::Explicit, 1000)), 2.095915563781e4);
    assert_relative(energy_ratio(run_euler(Euler::Implicit, 1000)), 4.771184570985e-5);
    // per step 1 + s² and its inverse, s² = k h²/m = 0.01
    assert_relative(energy_ratio(run_euler(Euler::Explicit, 1000)), 1.01_f64.powi(1000));
    assert_relative(energy_ratio(run_euler(Euler::Implicit, 1000)), 1.01_f64.powi(-1000));
}

#[test]
fn symplectic_euler_keeps_its_shifted_energy_and_ends_by_the_recursion() {
    let end = run_euler(Euler::Symplectic, 1000);
    assert_relative(end.position, 9.062126531608e-2);
    assert_relative(end.velocity, 4.705537168853);
    // ½ m v² + ½ k x² − ½ k h x v
    let shifted = energy_ratio(end) * 0.5 - 0.5 * 100.0 * 1e-3 * end.position * end.velocity;
    assert_relative(shifted, 0.5);
}

#[test]
fn varying_steps_turn_the_oscillator_by_the_sum_of_their_angles() {
    let after = |n| run(spring(1.0, 4.0, 1.0), varying_steps().take(n));
    let angle = |n| varying_steps().take(n).map(|h| 2.0 * (2.0 * h / 2.0).atan()).sum::<f64>();
    for (n, x, v) in [(10, -0.789357498790, -1.227867646131), (100, 0.959530133189, 0.563211944131)]
    {
        let end = after(n);
        assert_relative(end.position, x);
        assert_relative(end.velocity, v);
        assert_relative(end.position, angle(n).cos());
        assert_relative(end.velocity, -2.0 * angle(n).sin());
    }
}

#[test]
fn duffing_with_varying_steps_ends_where_the_recursion_says() {
    let potential = Polynomial::new(&[0.0, 0.0, 0.5, 0.0, 0.25]).unwrap();
    let duffing = Oscillator::new(1.0, 0.0, potential).unwrap().starting_at(1.0, 0.0).unwrap();
    assert_eq!(duffing.energy().stored(), 0.75);
    let end = run(duffing, varying_steps().take(10));
    assert_relative(end.position, -0.063362453317);
    assert_relative(end.velocity, -1.223101443135);
}

#[test]
fn the_bouncing_ball_with_varying_steps_ends_where_the_recursion_says() {
    let floor = Wall { position: 0.0, stiffness: 1000.0, damping: 0.0 };
    let mut ball = WallBench::new(0.1, 9.81, floor).unwrap().starting_at(-0.5, 0.0).unwrap();
    let references =
        [(5, -0.403595433022, -1.375302731803), (10, -0.202786806144, -2.414813215025)];
    for (k, h) in (1..=10).zip(varying_steps()) {
        ball.step(h, 0.0);
        for (_, x, v) in references.iter().filter(|(n, ..)| *n == k) {
            assert_relative(ball.state().position, *x);
            assert_relative(ball.state().velocity, *v);
            assert_relative(ball.energy().stored(), 0.4905);
        }
    }
}

#[test]
fn a_port_force_in_place_of_gravity_moves_the_ball_alike() {
    let floor = Wall { position: 0.0, stiffness: 1000.0, damping: 0.0 };
    let bench = |g| WallBench::new(0.1, g, floor).unwrap().starting_at(-0.5, 0.0).unwrap();
    let (mut heavy, mut pushed) = (bench(9.81), bench(0.0));
    let mut supplied = 0.0;
    for h in varying_steps().take(50) {
        heavy.step(h, 0.0);
        supplied += pushed.step(h, 0.1 * 9.81).energy.supplied;
        assert_eq!(heavy.state(), pushed.state());
    }
    assert!((pushed.energy().stored() - supplied).abs() <= 1e-13);
}

#[test]
fn a_torsion_spring_about_one_axis_turns_by_its_closed_form() {
    // [Kim2017, fig. 3] is one-dimensional: J = 1e-3 kg·m², k = 1 N·m/rad, 0.9 π, 10 ms
    let amplitude = 0.9 * core::f64::consts::PI;
    let theta = 2.0 * (1000f64.sqrt() / 200.0).atan();
    let start = spring(1e-3, 1.0, amplitude);
    assert_relative(start.energy().stored(), 3.99718978244119);
    for (n, reference) in [(10, -2.827393991886), (100, 2.823494659386)] {
        let end = run(start, (0..n).map(|_| 0.01));
        assert_relative(end.position, reference);
        assert_relative(end.position, amplitude * (f64::from(n) * theta).cos());
    }
}

#[test]
fn ten_thousand_steps_of_three_beam_modes_end_where_the_recursion_says() {
    // the natural frequencies of [Kim2017, sec. 5.2], unit modal mass, 1 ms; 1e4 steps: 1e-9
    for (hertz, start, reference) in [
        (11.91, 0.01, 9.6122219018e-3),
        (74.65, 0.002, 1.4062672482e-5),
        (209.03, 0.0005, -4.4228086783e-4),
    ] {
        let omega: f64 = core::f64::consts::TAU * hertz;
        let mode = spring(1.0, omega * omega, start);
        let energy = mode.energy().stored();
        let end = run(mode, (0..10_000).map(|_| 1e-3));
        assert!((end.position / reference - 1.0).abs() <= 1e-9, "{hertz} Hz: {end:?}");
        let kept = 0.5 * (end.velocity.powi(2) + (omega * end.position).powi(2));
        assert!((kept / energy - 1.0).abs() <= 1e-12);
    }
}

#[test]
fn a_damped_step_of_a_linear_spring_solves_its_linear_equation() {
    // (2m/h + b + h/2 k) v_mid = 2m/h v − k x + f        [Lee2008, (13)-(14)]
    let (m, b, k, h, f, x, v) = (0.3, 2.0, 500.0, 0.02, 7.0, 0.1, -0.4);
    let potential = Polynomial::spring(k).unwrap();
    let mut bench = Oscillator::new(m, b, potential).unwrap().starting_at(x, v).unwrap();
    let report = bench.step(h, f);
    let v_mid = (2.0 * m / h * v - k * x + f) / (2.0 * m / h + b + 0.5 * h * k);
    assert_relative(report.v_mid, v_mid);
    assert_relative(bench.state().velocity, 2.0 * v_mid - v);
    assert_relative(bench.state().position, x + h * v_mid);
    assert_relative(report.energy.damped, b * v_mid * v_mid * h);
}

#[test]
fn a_bounce_within_one_step_leaves_the_wall_with_the_speed_it_came() {
    // enters after 1 ms at 1 m/s; inside, the surface is reached again after 2 m v/|f| = 2 ms
    let wall = Wall { position: 0.0, stiffness: 1e4, damping: 0.0 };
    let mut bench = WallBench::new(1e-3, 0.0, wall).unwrap();
    bench = bench.starting_at(-1e-3 - 0.5e-3, 2.0).unwrap();
    // f = −1 N decelerates 2 m/s to 1 m/s over 1 ms and 1.5 mm
    let report = bench.step(5e-3, -1.0);
    assert_eq!((report.crossings, report.substeps), (2, 3));
    // leaves at −1 m/s with 2 ms left, during which f adds −2 m/s
    assert_relative(bench.state().velocity, -3.0);
    assert_relative(bench.state().position, -4e-3);
}
