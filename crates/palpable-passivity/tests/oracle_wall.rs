//! Walls: the supremum over frequency must give the closed forms, and every printed number.

mod common;

use std::f64::consts::PI;

use common::{khz, prints, same, spring_damper};
use palpable_passivity::{
    Error, PulseTf, Sampling, Velocity, Wall, damping_at, damping_supremum, required_damping,
};

#[test]
fn backward_difference_walls_ask_half_kt_plus_the_size_of_b() {
    let cases = [
        (1000.0, 0.0, 0.5, None),
        (1000.0, 2.0, 2.5, Some(PI)),
        (1000.0, -0.3, 0.8, Some(0.0)),
        (10_000.0, 20.0, 25.0, Some(PI)),
        (12_400.0, 12.4, 18.6, Some(PI)),
    ];
    for (k, b, expected, theta) in cases {
        let need = required_damping(&spring_damper(k, b, &khz()), &khz()).unwrap();
        same(need.damping, expected);
        same(Wall::backward_difference(k, b).required_damping(&khz()).unwrap(), expected);
        if let Some(theta) = theta {
            // a maximum's place is known to the root of the tolerance of its height
            assert!((need.theta - theta).abs() < 1e-4, "worst at {}", need.theta);
        }
        assert!(need.upper >= need.damping && need.upper <= need.damping * (1.0 + 2e-11));
    }
}

#[test]
fn a_velocity_filter_lowers_the_price_of_damping() {
    for (tau, printed) in [(1e-3, "1.166666667"), (5e-3, "0.681818182"), (1e-2, "0.595238095")] {
        let wall = Wall { stiffness: 1000.0, damping: 2.0, velocity: Velocity::Filtered(tau) };
        let need = required_damping(&wall.transfer_function(&khz()).unwrap(), &khz()).unwrap();
        prints(need.damping, printed);
        prints(wall.required_damping(&khz()).unwrap(), printed);
        assert!((need.theta - PI).abs() < 1e-4);
        let negative = Wall { damping: -0.3, ..wall };
        let need = required_damping(&negative.transfer_function(&khz()).unwrap(), &khz()).unwrap();
        same(need.damping, 0.8);
        same(negative.required_damping(&khz()).unwrap(), 0.8);
    }
}

#[test]
fn a_tustin_wall_is_refused_although_its_demand_is_finite_at_every_frequency() {
    let wall = Wall { stiffness: 1000.0, damping: 0.2, velocity: Velocity::Tustin };
    let tf = wall.transfer_function(&khz()).unwrap();
    for theta in [0.1, 1.0, 2.0, 3.0] {
        // KT/2 - B: the condition as printed would accept it
        same(damping_at(&tf, &khz(), theta).unwrap(), 0.3);
    }
    let error = required_damping(&tf, &khz()).unwrap_err();
    assert!(matches!(error, Error::Unstable { radius, angle, .. }
        if (radius - 1.0).abs() < 1e-12 && (angle - PI).abs() < 1e-12));
    assert!(error.to_string().contains("backward difference"), "{error}");
    assert!(!damping_supremum(&tf, &khz()).unwrap().stable);
}

#[test]
fn the_cancellation_free_form_equals_the_printed_condition_away_from_rest() {
    let tf = PulseTf::new(&[900.0, -300.0, 80.0, -5.0], &[1.0, -0.9, 0.5, 0.1]).unwrap();
    for i in 1..=60 {
        let theta = PI * f64::from(i) / 60.0;
        let (z, response) = (theta.cos(), tf.response(theta));
        // (T/2) Re{(1 - z^-1) H}/(1 - cos) as printed                    [Brown1998, (3.7)]
        let product = (1.0 - z) * response.re - theta.sin() * response.im;
        let printed = 0.5e-3 * product / (1.0 - z);
        let ours = damping_at(&tf, &khz(), theta).unwrap();
        assert!((ours - printed).abs() < 1e-10 * printed.abs().max(1.0), "{theta}: {ours}");
    }
}

#[test]
fn the_limits_at_rest_and_nyquist_are_exact() {
    let tf = PulseTf::new(&[900.0, -300.0, 80.0], &[1.0, -0.9, 0.5]).unwrap();
    // b(0) = (T/2)(H(1) - 2 dH/dz), dH/dz = -dH/dw at w = 1
    let (n, d, dn, dd) = (680.0, 0.6, -300.0 + 160.0, -0.9 + 1.0);
    let slope_in_w = (dn * d - n * dd) / (d * d);
    same(damping_at(&tf, &khz(), 0.0).unwrap(), 0.5e-3 * (n / d + 2.0 * slope_in_w));
    same(damping_at(&tf, &khz(), PI).unwrap(), 0.5e-3 * (1280.0 / 2.4));
}

#[test]
fn common_factors_on_the_unit_circle_are_cancelled() {
    let plain = spring_damper(1000.0, 2.0, &khz());
    let padded = PulseTf::new(&[3000.0, -5000.0, 2000.0], &[1.0, -1.0]).unwrap();
    assert_eq!(plain, padded);
    same(required_damping(&padded, &khz()).unwrap().damping, 2.5);
}

#[test]
fn an_integrator_is_refused_with_its_pole() {
    let tf = PulseTf::new(&[1.0], &[1.0, -1.0]).unwrap();
    assert!(matches!(required_damping(&tf, &khz()), Err(Error::Unstable { .. })));
    assert!(matches!(damping_at(&tf, &khz(), 1.0), Err(Error::Unstable { .. })));
}

#[test]
fn bad_input_is_named_with_its_cure() {
    let message = |e: Error| e.to_string();
    assert!(message(Sampling::from_rate(0.0).unwrap_err()).contains("rate [Hz] is 0"));
    assert!(message(Sampling::new(-1e-3).unwrap_err()).contains("period in seconds"));
    assert!(message(Sampling::new(f64::NAN).unwrap_err()).contains("time step"));
    assert!(message(khz().with_delay(0, 1.5).unwrap_err()).contains("delay fraction is 1.5"));
    assert!(message(khz().with_delay_seconds(-1.0).unwrap_err()).contains("delay [s] is -1"));
    assert!(message(khz().with_delay_seconds(10.0).unwrap_err()).contains("check the unit"));
    assert!(message(PulseTf::new(&[1.0], &[0.0, 1.0]).unwrap_err()).contains("future samples"));
    assert!(message(PulseTf::new(&[], &[1.0]).unwrap_err()).contains("numerator has 0"));
    assert!(message(PulseTf::new(&[f64::INFINITY], &[1.0]).unwrap_err()).contains("finite"));
    let wall = Wall::backward_difference(-5.0, 0.0);
    assert!(message(wall.transfer_function(&khz()).unwrap_err()).contains("stiffness [N/m] is -5"));
}
