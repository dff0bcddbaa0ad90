//! Virtual masses: boundaries, the worked example, and the minimum mass against stiffness.

mod common;

use common::{khz, prints, same};
use palpable_passivity::{
    CoupledMass, Error, Integrator, MinimumMass, alpha_at_level, clamped_stability_mass,
    damping_at, damping_supremum, fitted_alpha, level, level_map, minimum_mass, required_damping,
    stability_alpha, unity_alpha,
};

/// (β, method 1 α, method 3 α, fit of (7.15), fit error in percent); "-" is none.
const BOUNDARY: [(f64, &str, &str, &str, &str); 30] = [
    (0.5, "-", "-", "0.577367206", "-"),
    (0.6, "-", "0.2951556790", "0.571864278", "93.75"),
    (0.7, "-", "0.4509010527", "0.55892686", "23.958"),
    (0.8, "-", "0.5304940694", "0.542152345", "2.1976"),
    (0.9, "-", "0.5666383977", "0.523621131", "-7.5917"),
    (1.0, "-", "0.5773502692", "0.504540868", "-12.611"),
    (1.1, "0.0556251422", "0.5730217827", "0.485608335", "-15.255"),
    (1.2, "0.1241500903", "0.5598527761", "0.467216944", "-16.546"),
    (1.4, "0.2012061516", "0.5207286736", "0.432793372", "-16.887"),
    (1.5, "0.2215028080", "0.5000000000", "0.416898277", "-16.62"),
    (1.6, "0.2343606080", "0.4806912669", "0.401888878", "-16.394"),
    (1.8, "0.2458284439", "0.4458917303", "0.374407189", "-16.032"),
    (1.9, "0.2470580346", "0.4301925094", "0.361849623", "-15.887"),
    (2.0, "0.2464292604", "0.4155001220", "0.350017501", "-15.76"),
    (2.1, "0.2445049180", "0.4017292919", "0.338862712", "-15.649"),
    (2.2, "0.2416900752", "0.3888024819", "0.328338607", "-15.551"),
    (2.4, "0.2344690344", "0.3652066481", "0.309007571", "-15.388"),
    (2.5, "0.2304193299", "0.3544167027", "0.300120048", "-15.32"),
    (2.6, "0.2262322445", "0.3442277493", "0.291702194", "-15.259"),
    (2.7, "0.2219832723", "0.3345929135", "0.283720735", "-15.204"),
    (2.8, "0.2177261590", "0.3254697885", "0.276145016", "-15.155"),
    (3.0, "0.2093288005", "0.3086086157", "0.262100297", "-15.07"),
    (3.1, "0.2052341417", "0.3008041037", "0.255581572", "-15.034"),
    (3.2, "0.2012278149", "0.2933776591", "0.249368785", "-15.001"),
    (3.3, "0.1973182009", "0.2863030730", "0.243441825", "-14.971"),
    (3.5, "0.1898074215", "0.2731158867", "0.232372859", "-14.918"),
    (3.6, "0.1862101208", "0.2669614341", "0.227198142", "-14.895"),
    (3.8, "0.1793309576", "0.2554389730", "0.217495822", "-14.854"),
    (3.9, "0.1760461229", "0.2500386531", "0.212942538", "-14.836"),
    (4.0, "0.1728615454", "0.2448595270", "0.208572322", "-14.82"),
];

/// Worst frequency of method 1 on its boundary, (β, θ).
const TOUCH: [(f64, &str); 24] = [
    (1.1, "0.22687478"),
    (1.2, "0.3597456"),
    (1.4, "0.51379404"),
    (1.5, "0.57020836"),
    (1.6, "0.61988703"),
    (1.8, "0.70679015"),
    (1.9, "0.74569714"),
    (2.0, "0.78188477"),
    (2.1, "0.8153113"),
    (2.2, "0.84591725"),
    (2.4, "0.89882343"),
    (2.5, "0.92142509"),
    (2.6, "0.94175443"),
    (2.7, "0.96005603"),
    (2.8, "0.97656643"),
    (3.0, "1.0050598"),
    (3.1, "1.0174062"),
    (3.2, "1.0286894"),
    (3.3, "1.0390359"),
    (3.5, "1.0573394"),
    (3.6, "1.065471"),
    (3.8, "1.0800442"),
    (3.9, "1.0865988"),
    (4.0, "1.0927288"),
];

fn expect(value: Option<f64>, printed: &str) {
    match value {
        None => assert_eq!(printed, "-"),
        Some(alpha) => prints(alpha, printed),
    }
}

#[test]
fn the_unity_boundary_is_the_tabulated_curve() {
    for (beta, first, third, fit, error) in BOUNDARY {
        expect(unity_alpha(Integrator::DelayedEuler, beta), first);
        expect(unity_alpha(Integrator::Trapezoidal, beta), third);
        expect(unity_alpha(Integrator::SymplecticEuler, beta), "-");
        prints(fitted_alpha(beta), fit);
        if let Some(alpha) = unity_alpha(Integrator::Trapezoidal, beta) {
            prints(100.0 * (fitted_alpha(beta) / alpha - 1.0), error);
        }
    }
}

#[test]
fn the_closed_form_equals_the_search_for_the_boundary() {
    for i in 0..60 {
        let beta = 0.55 + 0.06 * f64::from(i);
        let closed = unity_alpha(Integrator::Trapezoidal, beta).unwrap();
        let searched = alpha_at_level(Integrator::Trapezoidal, beta, 1.0).unwrap();
        // the boundary is a double root, known to the square root of the test's noise of 4e-15
        assert!((closed - searched).abs() < 2e-7 * closed, "{beta}: {closed} {searched}");
    }
}

#[test]
fn the_trapezoidal_boundary_has_its_known_landmarks() {
    let alpha = |beta| unity_alpha(Integrator::Trapezoidal, beta).unwrap();
    same(alpha(1.0), 1.0 / 3f64.sqrt());
    prints(alpha(1.391_291_807_873_02), "0.522604649734");
    // both branches meet
    same(alpha(1.391_291_807_8), alpha(1.391_291_807_9) + 2.3e-11);
    let top = 1.013_285_862_14;
    prints(alpha(top), "0.577474195818");
    assert!(alpha(top) > alpha(top - 1e-4) && alpha(top) > alpha(top + 1e-4));
    // method 1 is best near β = 1.9106
    let first = |beta| unity_alpha(Integrator::DelayedEuler, beta).unwrap();
    assert!((first(1.910_562) - 0.247_068).abs() < 5.1e-7);
    assert!(first(1.910_562) > first(1.90) && first(1.910_562) > first(1.92));
}

#[test]
fn erratum_7_15_the_fit_allows_active_masses_below_its_crossing() {
    let crossing = 0.817_013_096_388;
    let exact = |beta| unity_alpha(Integrator::Trapezoidal, beta).unwrap();
    same(fitted_alpha(crossing), exact(crossing));
    for beta in [0.51, 0.6, 0.7, 0.8, 0.816] {
        assert!(fitted_alpha(beta) > exact(beta));
        let mass = CoupledMass {
            stiffness: 1000.0,
            damping: beta,
            mass: 1e-3 / fitted_alpha(beta),
            integrator: Integrator::Trapezoidal,
        };
        let need = damping_supremum(&mass.transfer_function(&khz()).unwrap(), &khz()).unwrap();
        assert!(!need.stable || need.damping > (0.5 + beta) * 1.0001, "{beta}: {need:?}");
    }
    assert!(fitted_alpha(0.5) > 0.577 && unity_alpha(Integrator::Trapezoidal, 0.5).is_none());
}

#[test]
fn method_one_touches_the_wall_at_the_tabulated_frequency() {
    for (beta, printed) in TOUCH {
        let alpha = unity_alpha(Integrator::DelayedEuler, beta).unwrap();
        let mass = CoupledMass {
            stiffness: 1000.0,
            damping: beta,
            mass: 1e-3 / alpha,
            integrator: Integrator::DelayedEuler,
        };
        let tf = mass.transfer_function(&khz()).unwrap();
        let need = required_damping(&tf, &khz()).unwrap();
        // the top is flat: 1e-10 in the boundary's α moves it by up to 1e-8
        let theta: f64 = printed.parse().unwrap();
        assert!((need.theta - theta).abs() < 1e-7, "{beta}: {} {theta}", need.theta);
        // 4e-15 in the cubic over a squared denominator of 1e-5
        assert!((need.damping / (0.5 + beta) - 1.0).abs() < 1e-9);
    }
}

#[test]
fn at_nyquist_the_three_methods_have_their_closed_demands() {
    for (alpha, beta) in [(0.1, 2.0), (0.2, 1.5), (0.05, 3.0)] {
        let n = 2.0 * beta + 1.0;
        let rows = [
            (Integrator::DelayedEuler, 4.0 / (4.0 + alpha * n)),
            (Integrator::SymplecticEuler, 4.0 / (4.0 - alpha * n)),
            (Integrator::Trapezoidal, 1.0),
        ];
        for (integrator, star) in rows {
            let coupled =
                CoupledMass { stiffness: 1e3, damping: beta, mass: 1e-3 / alpha, integrator };
            let tf = coupled.transfer_function(&khz()).unwrap();
            let at_nyquist = damping_at(&tf, &khz(), std::f64::consts::PI).unwrap();
            same(at_nyquist / (0.5 + beta), star);
            // a mass at rest asks nothing: rounding of 2 Re{w G1} against K T/2
            assert!(damping_at(&tf, &khz(), 0.0).unwrap().abs() < 1e-9);
        }
    }
}

#[test]
fn the_reduced_level_equals_the_bracketed_supremum() {
    for integrator in Integrator::ALL {
        for i in 0..120 {
            let beta = 0.1 + 0.3 * f64::from(i % 12);
            let alpha = 0.02 * 1.6f64.powi(i / 12);
            let mass =
                CoupledMass { stiffness: 1e3, damping: beta, mass: 1e-3 / alpha, integrator };
            let need = damping_supremum(&mass.transfer_function(&khz()).unwrap(), &khz()).unwrap();
            let star = level(integrator, alpha, beta).unwrap();
            assert_eq!(star.is_finite(), need.stable, "{integrator:?} {alpha} {beta} {star}");
            if need.stable {
                let direct = need.damping / (0.5 + beta);
                // near the stability limit the denominator loses up to six digits
                assert!(
                    (star - direct).abs() < 1e-9 * star,
                    "{integrator:?} {alpha} {beta}: {star} {direct}"
                );
            }
        }
    }
}

#[test]
fn the_worked_example_has_its_masses_and_demands() {
    let wall = 25.0;
    let lightest = |i| minimum_mass(i, 1e4, 20.0, 1e-3, wall).unwrap();
    prints(lightest(Integrator::DelayedEuler).kilograms(), "0.0405795967");
    prints(lightest(Integrator::Trapezoidal).kilograms(), "0.0240673816");
    assert_eq!(lightest(Integrator::SymplecticEuler), MinimumMass::Never);
    prints(0.01 / fitted_alpha(2.0), "0.0285700");
    prints(unity_alpha(Integrator::DelayedEuler, 2.0).unwrap(), "0.246429260356");
    let rows: [(Integrator, [(f64, &str); 3]); 5] = [
        (
            Integrator::DelayedEuler,
            [(0.1, "22.222222222"), (0.2, "20.000000000"), (0.3, "282.067642688")],
        ),
        (
            Integrator::SymplecticEuler,
            [(0.1, "28.571428571"), (0.2, "33.333333333"), (0.3, "40.000000000")],
        ),
        (
            Integrator::Trapezoidal,
            [(0.1, "25.000000000"), (0.2, "25.000000000"), (0.3, "25.000000000")],
        ),
        (
            Integrator::ImplicitEuler,
            [(0.1, "22.222222222"), (1.0, "11.111111111"), (10.0, "1.851851852")],
        ),
        (
            Integrator::ImplicitTaylor,
            [(0.1, "25.000000000"), (1.0, "25.000000000"), (10.0, "25.000000000")],
        ),
    ];
    for (integrator, cases) in rows {
        for (alpha, printed) in cases {
            let mass =
                CoupledMass { stiffness: 1e4, damping: 20.0, mass: 0.01 / alpha, integrator };
            same(mass.alpha(1e-3), alpha);
            same(mass.beta(1e-3), 2.0);
            let tf = mass.transfer_function(&khz()).unwrap();
            let need = damping_supremum(&tf, &khz()).unwrap();
            prints(need.damping, printed);
            assert_eq!(need.stable, alpha < stability_alpha(integrator, 2.0));
        }
    }
}

#[test]
fn erratum_7_11_only_alpha_of_one_hundredth_over_m_gives_the_printed_mass() {
    let alpha = unity_alpha(Integrator::DelayedEuler, 2.0).unwrap();
    assert!((0.01 / alpha - 0.04).abs() < 1e-3);
    assert!((0.000_25 / alpha - 0.04).abs() > 0.03);
}

#[test]
fn erratum_table_1_the_middle_row_needs_the_delayed_numerator() {
    // the printed numerator 1 is the implicit Euler of (6.7), whose demand lies below the wall's
    let b = |integrator| {
        let mass = CoupledMass { stiffness: 1e4, damping: 20.0, mass: 0.1, integrator };
        damping_supremum(&mass.transfer_function(&khz()).unwrap(), &khz()).unwrap().damping
    };
    prints(b(Integrator::SymplecticEuler), "28.571428571");
    prints(b(Integrator::ImplicitEuler), "22.222222222");
}

#[test]
fn erratum_6_4_the_printed_numerator_is_smaller_by_the_time_step_squared() {
    let mass = CoupledMass {
        stiffness: 1e3,
        damping: 2.0,
        mass: 0.1,
        integrator: Integrator::ImplicitEuler,
    };
    let value = mass.transfer_function(&khz()).unwrap().response(1.0);
    prints(value.re, "1864.289346");
    prints(value.im, "1727.009396");
    // numerator K T² + B T (1-w) as printed
    let w = palpable_passivity::C64::from_polar(1.0, -1.0);
    let p = -w + 1.0;
    let (k, b, h, m) = (1e3, 2.0, 1e-3, 0.1);
    let coupling = p * (b * h) + k * h * h;
    let printed = coupling * p * p / (coupling / m + p * p);
    prints(printed.re / value.re, "0.000001000000");
}

#[test]
fn erratum_6_9_the_real_part_of_implicit_euler_carries_the_mass() {
    // Δx/f = (T²/m)/(1-w): real part T²/(2m), not 1/2; delayed Euler as printed in (6.8)
    let (h, m, theta): (f64, f64, f64) = (1e-3, 0.2, 0.9);
    let w = palpable_passivity::C64::from_polar(1.0, -theta);
    let step = |i: Integrator| i.transfer_function(m, &khz()).unwrap().at(w) * (-w + 1.0);
    same(step(Integrator::ImplicitEuler).re, h * h / (2.0 * m));
    assert!((step(Integrator::ImplicitEuler).re - 0.5).abs() > 0.4);
    same(step(Integrator::DelayedEuler).re, -h * h / m * (1.0 + 2.0 * theta.cos()) / 2.0);
}

#[test]
fn the_minimum_mass_against_stiffness_is_the_tabulated_one() {
    let rows = [
        (1e3, "0.000815789474", "0.0015120306"),
        (2e3, "0.001788461538", "0.0030493114"),
        (4e3, "0.004428571429", "0.0062079655"),
        (8e3, "0.016909090909", "0.0129470739"),
        (10e3, "0.038750000000", "0.0166118758"),
        (12e3, "0.279000000000", "0.0206100848"),
    ];
    for (k, second, third) in rows {
        let lightest = |i| minimum_mass(i, k, k * 1e-3, 1e-3, 18.6).unwrap();
        prints(lightest(Integrator::SymplecticEuler).kilograms(), second);
        prints(lightest(Integrator::Trapezoidal).kilograms(), third);
        assert_eq!(lightest(Integrator::DelayedEuler), MinimumMass::Never);
        assert_eq!(lightest(Integrator::ImplicitTaylor), MinimumMass::Any);
        // 3KT²/(4(1 - K/K_max))
        same(
            lightest(Integrator::SymplecticEuler).kilograms(),
            0.75 * k * 1e-6 / (1.0 - k / 12_400.0),
        );
    }
}

#[test]
fn at_the_largest_stiffness_only_method_two_needs_infinite_mass() {
    let lightest = |i, k: f64| minimum_mass(i, k, k * 1e-3, 1e-3, 18.6).unwrap();
    assert_eq!(lightest(Integrator::SymplecticEuler, 12_400.0), MinimumMass::Never);
    let third = lightest(Integrator::Trapezoidal, 12_400.0).kilograms();
    prints(third, "0.0214774300");
    same(third, 3f64.sqrt() * 12_400.0 * 1e-6);
    assert_eq!(lightest(Integrator::Trapezoidal, 12_401.0), MinimumMass::Never);
}

#[test]
fn lee_2008_quotes_a_mass_from_outside_the_fit() {
    // β = 0.4 and 0.4717, where no mass is passive; at 2 ms (β = 1) the exact mass is 34.6 g
    prints(5000.0 * 25e-6 / fitted_alpha(0.4), "0.219625");
    prints(30_000.0 * 4e-6 / fitted_alpha(28.3 / 60.0), "0.208044");
    assert!(unity_alpha(Integrator::Trapezoidal, 0.4).is_none());
    let exact = minimum_mass(Integrator::Trapezoidal, 5000.0, 10.0, 2e-3, 15.0).unwrap();
    prints(exact.kilograms(), "0.0346410");
}

#[test]
fn method_two_has_its_closed_level_curve() {
    for beta in [0.25, 0.5, 1.0, 2.0, 4.0] {
        for star in [1.1, 1.3, 2.0] {
            let alpha = 4.0 / (2.0 * beta + 1.0) * (1.0 - 1.0 / star);
            same(level(Integrator::SymplecticEuler, alpha, beta).unwrap(), star);
            same(alpha_at_level(Integrator::SymplecticEuler, beta, star).unwrap(), alpha);
        }
    }
}

#[test]
fn a_level_map_has_every_point_of_its_grid() {
    let alphas: Vec<f64> = (1..=40).map(|i| 0.02 * f64::from(i)).collect();
    let betas: Vec<f64> = (0..40).map(|i| 0.1 * f64::from(i)).collect();
    let map = level_map(Integrator::Trapezoidal, &alphas, &betas).unwrap();
    assert_eq!(map.levels.len(), 1600);
    for (i, &alpha) in alphas.iter().enumerate() {
        for (j, &beta) in betas.iter().enumerate() {
            let inside = unity_alpha(Integrator::Trapezoidal, beta).is_some_and(|a| alpha <= a);
            // the plateau under the curve is exactly flat
            let value = map.at(i, j).unwrap();
            assert_eq!(inside, (value - 1.0).abs() < 1e-12, "{alpha} {beta} {value}");
        }
    }
    assert_eq!(map.at(40, 0), None);
    assert_eq!(map.at(0, 40), None);
}

#[test]
fn light_masses_oscillate_even_with_the_handle_clamped() {
    for integrator in
        [Integrator::DelayedEuler, Integrator::SymplecticEuler, Integrator::Trapezoidal]
    {
        let limit = clamped_stability_mass(integrator, 1e4, 20.0, 1e-3);
        for (factor, stable) in [(1.001, true), (0.999, false)] {
            let mass =
                CoupledMass { stiffness: 1e4, damping: 20.0, mass: limit * factor, integrator };
            assert_eq!(mass.transfer_function(&khz()).unwrap().is_stable(), stable);
        }
    }
}

#[test]
fn bad_masses_are_named() {
    let bad = |mass| {
        CoupledMass { stiffness: 1e3, damping: 1.0, mass, integrator: Integrator::Trapezoidal }
            .transfer_function(&khz())
            .unwrap_err()
    };
    for mass in [-1.0, 0.0, f64::NAN] {
        assert!(matches!(bad(mass), Error::Invalid { field: "virtual mass [kg]", .. }));
    }
    let light = CoupledMass {
        stiffness: 1e4,
        damping: 20.0,
        mass: 0.01 / 0.3,
        integrator: Integrator::DelayedEuler,
    };
    let error = required_damping(&light.transfer_function(&khz()).unwrap(), &khz()).unwrap_err();
    assert!(error.to_string().contains("raise the virtual mass"), "{error}");
    assert!(level_map(Integrator::Trapezoidal, &[], &[1.0]).is_err());
    assert!(level(Integrator::Trapezoidal, -1.0, 1.0).is_err());
    assert!(minimum_mass(Integrator::Trapezoidal, 1e3, -1.0, 1e-3, 1.0).is_err());
}
