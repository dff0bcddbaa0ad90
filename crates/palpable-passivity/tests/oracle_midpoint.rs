//! The hybrid midpoint coupling: one inequality, independent of mass.

mod common;

use common::{khz, prints, same};
use palpable_passivity::{
    MidpointCoupling, Sampling, TwoPort, longest_continuous_step, required_damping,
    two_port_damping, with_sampled_damper,
};

const K: f64 = 7500.0;
/// (B_r, required damping for γ = 0), K = 7500, T = 1 ms.
const TABLE: [(f64, f64); 8] = [
    (0.1, 144.375),
    (0.5, 31.875),
    (1.0, 17.8125),
    (3.75, 7.5),
    (7.5, 5.625),
    (10.0, 5.15625),
    (20.0, 4.453125),
    (50.0, 4.03125),
];

fn coupling(br: f64, gamma: f64) -> MidpointCoupling {
    MidpointCoupling::new(K, br, gamma).unwrap()
}

#[test]
fn the_bound_has_the_tabulated_values() {
    for (br, expected) in TABLE {
        same(coupling(br, 0.0).required_damping(1e-3), expected);
        same(coupling(br, 1.0).required_damping(1e-3), 3.75);
    }
    assert_eq!(coupling(0.0, 0.0).required_damping(1e-3), f64::INFINITY);
    same(coupling(0.0, 1.0).required_damping(1e-3), 3.75);
    for (br, expected) in [(0.5, 10.78125), (1.0, 7.265625), (3.75, 4.6875)] {
        same(coupling(br, 0.5).required_damping(1e-3), expected);
    }
}

#[test]
fn a_single_mass_attains_the_bound_for_gamma_zero_and_one_whatever_it_weighs() {
    for mass in [1e-3, 0.1, 10.0] {
        for (br, expected) in TABLE {
            let tf = coupling(br, 0.0).with_mass(mass, &khz()).unwrap();
            let need = required_damping(&tf, &khz()).unwrap();
            // heavy and lightly damped: poles 1e-6 from the circle leave 1e-9
            assert!((need.damping / expected - 1.0).abs() < 1e-8, "{mass} {br} {}", need.damping);
            let tf = coupling(br, 1.0).with_mass(mass, &khz()).unwrap();
            let need = required_damping(&tf, &khz()).unwrap();
            assert!((need.damping / 3.75 - 1.0).abs() < 1e-8, "{mass} {br} {}", need.damping);
        }
    }
}

#[test]
fn for_gamma_one_half_a_mass_comes_close_to_the_bound_as_it_grows() {
    for (mass, printed) in [(1e-3, "4.2054343"), (0.1, "4.6745779"), (10.0, "4.6873682")] {
        let tf = coupling(3.75, 0.5).with_mass(mass, &khz()).unwrap();
        prints(required_damping(&tf, &khz()).unwrap().damping, printed);
    }
}

#[test]
fn the_critical_frequency_of_a_gram_is_the_tabulated_one() {
    for (br, printed) in [(1.0, "1.99041"), (3.75, "2.18823"), (20.0, "2.57673")] {
        let tf = coupling(br, 0.0).with_mass(1e-3, &khz()).unwrap();
        prints(required_damping(&tf, &khz()).unwrap().theta, printed);
    }
}

#[test]
fn the_two_port_test_agrees_with_the_bound() {
    for (br, gamma) in [(1.0, 0.0), (3.75, 0.0), (3.75, 0.5), (0.5, 1.0), (3.75, 1.0)] {
        let coupling = coupling(br, gamma);
        let need = two_port_damping(&coupling.two_port(1e-3).unwrap(), &khz()).unwrap();
        let bound = coupling.required_damping(1e-3);
        // the supremum for γ in (0,1) lies at rest; the scan starts 1e-4 rad from it
        assert!((need / bound - 1.0).abs() < 1e-5, "{br} {gamma}: {need} {bound}");
    }
}

#[test]
fn stiffness_virtual_damping_and_device_damping_solve_the_same_equation() {
    for gamma in [0.0, 0.3, 0.9, 1.0] {
        for (br, b) in [(0.5, 1.0), (3.75, 7.5), (20.0, 3.0)] {
            let k = coupling(br, gamma).max_stiffness(b, 1e-3);
            let at_limit = MidpointCoupling::new(k, br, gamma).unwrap();
            same(at_limit.required_damping(1e-3), b);
            if gamma < 1.0 {
                // b - KT/2 cancels: compare through the product
                let back = at_limit.required_virtual_damping(b, 1e-3).unwrap();
                assert!((back / br - 1.0).abs() < 1e-9);
            }
        }
    }
    assert_eq!(coupling(1.0, 0.0).required_virtual_damping(3.0, 1e-3), None);
    assert_eq!(coupling(1.0, 1.0).required_virtual_damping(3.75, 1e-3), Some(0.0));
    assert_eq!(coupling(0.0, 0.0).max_stiffness(3.0, 1e-3), 0.0);
}

#[test]
fn scaled_forces_scale_the_bound() {
    // (b - 0.00375) B_r >= 0.0140625 for s = 0.001
    for br in [0.01, 1.0, 3.0] {
        let b = coupling(br, 0.0).required_damping_scaled(1e-3, 1e-3);
        same((b - 0.003_75) * br, 0.014_062_5);
    }
}

#[test]
fn the_setting_of_lee_2008_has_its_tabulated_bounds() {
    let scaled = MidpointCoupling::new(500.0, 1.0, 0.0).unwrap();
    for (step, sampled, with_damper, product) in
        [(1e-3, 0.3125, 10.3125, 0.625), (2e-3, 0.75, 10.75, 2.5), (5e-3, 2.8125, 12.8125, 15.625)]
    {
        same(scaled.required_damping(step), sampled);
        same(with_sampled_damper(&scaled, 10.0, step), with_damper);
        same(500.0 * 5000.0 * step * step / 4.0, product);
        assert!(step < longest_continuous_step(500.0, 10.0, 5000.0, 10.0).unwrap());
    }
    prints(1e3 * longest_continuous_step(500.0, 10.0, 5000.0, 10.0).unwrap(), "12.6491106");
}

#[test]
fn the_midpoint_mass_is_lossless_and_start_of_step_velocity_is_active() {
    // f → v_mid is (T/2m)(z+1)/(z-1): real part zero; f → v_k: -T/(2m)
    for mass in [1e-6, 1e-3, 1.0] {
        for theta in [0.01, 1.0, 3.0] {
            let w = palpable_passivity::C64::from_polar(1.0, -theta);
            let unit = 1e-3 / (2.0 * mass);
            let middle = (w + 1.0) / (-w + 1.0) * unit;
            let start = w / (-w + 1.0) * (2.0 * unit);
            // rounding of 1 - w near rest, 1e-16/0.01, squared through the quotient
            assert!(middle.re.abs() < 3e-11 * unit, "{}", middle.re / unit);
            assert!((start.re + unit).abs() < 3e-11 * unit);
        }
    }
}

#[test]
fn a_sampled_device_damper_adds_exactly_itself() {
    let b1 = 2.0;
    let port = coupling(3.75, 0.0).two_port(1e-3).unwrap();
    let damped = move |w: palpable_passivity::C64| {
        let mut c = port.at(w);
        c[(0, 0)] += (-w + 1.0) * (b1 / 1e-3);
        c
    };
    let need = two_port_damping(&damped, &khz()).unwrap();
    assert!((need / with_sampled_damper(&coupling(3.75, 0.0), b1, 1e-3) - 1.0).abs() < 1e-5);
}

#[test]
fn the_recommended_coupling_needs_half_kt_on_both_sides() {
    let recommended = MidpointCoupling::recommended(2000.0, 1e-3).unwrap();
    same(recommended.virtual_damping(), 1.0);
    same(recommended.required_damping(1e-3), 1.0);
    assert!(recommended.is_passive(1.0, 1e-3) && !recommended.is_passive(0.99, 1e-3));
}

#[test]
fn bad_couplings_are_named() {
    assert!(MidpointCoupling::new(0.0, 1.0, 0.0).unwrap_err().to_string().contains("stiffness"));
    assert!(MidpointCoupling::new(1.0, -1.0, 0.0).unwrap_err().to_string().contains("B_r >= 0"));
    assert!(MidpointCoupling::new(1.0, 1.0, 1.5).unwrap_err().to_string().contains("gamma"));
    let good = coupling(1.0, 0.0);
    assert!(good.with_mass(0.0, &khz()).is_err());
    assert!(good.two_port(0.0).is_err());
    assert!(Sampling::from_rate(f64::INFINITY).is_err());
}
