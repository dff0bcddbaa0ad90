//! Tuning and explaining: every number offered to a user must hold when it is tried.

mod common;

use common::{prints, same};
use palpable_passivity::*;

/// The 1-DOF device behind the source's measured minimum mass: b inferred from 12 400 N/m.
fn thesis_device() -> Device {
    Device::new("one axis with a fluid damper", 0.5, 18.6, 1000.0)
}

fn encoder_device() -> Device {
    Device {
        coulomb_friction: 0.014,
        encoder_step: 30e-6,
        ..Device::new("desk", 0.05, 0.5, 1000.0)
    }
}

#[test]
fn the_four_steps_end_at_the_tabulated_coupling() {
    let report = tune(&thesis_device(), &TuneOptions { share: 1.0, ..Default::default() }).unwrap();
    assert_eq!(report.rate_verdict, RateVerdict::Good);
    same(report.max_stiffness, 12_400.0);
    assert_eq!(report.limited_by, Bound::Damping);
    same(report.chosen.damping, 12.4);
    prints(report.chosen.minimum_mass.kilograms(), "0.0214774300");
    same(report.margin, 1.0);
    // a spring alone, and the midpoint coupling, may use all of 2b/T
    same(report.ceiling.sampling, 37_200.0);
    same(report.midpoint.stiffness(), 37_200.0);
    assert_eq!(report.midpoint.gamma(), 1.0);
    assert_eq!(report.trade.len(), 10);
    let masses: Vec<f64> = report.trade.iter().map(|p| p.minimum_mass.kilograms()).collect();
    assert!(masses.windows(2).all(|pair| pair[0] > pair[1]), "{masses:?}");
}

#[test]
fn a_wanted_mass_lowers_the_stiffness_just_enough() {
    let options = TuneOptions { wanted_mass: Some(0.0062079655), ..Default::default() };
    let report = tune(&thesis_device(), &options).unwrap();
    // the mass of 4000 N/m in the table, printed to eight digits
    assert!((report.chosen.stiffness - 4000.0).abs() < 1e-3, "{}", report.chosen.stiffness);
    assert!(report.notes.iter().any(|n| n.contains("stiffness lowered")));
    assert!(report.margin > 1.0);
}

#[test]
fn every_tuned_coupling_is_passive_when_checked_again() {
    for delay in [0.0, 1e-4, 1e-3, 2.3e-3] {
        for beta in [0.6, 1.0, 2.0] {
            let device = Device { delay, ..thesis_device() };
            let options = TuneOptions { beta, ..Default::default() };
            let report = tune(&device, &options).unwrap();
            let sampling = device.sampling().unwrap();
            let c = report.chosen;
            let wall = Rendering::Wall(Wall::backward_difference(c.stiffness, c.damping));
            let need = wall.required_damping(&sampling).unwrap();
            assert!(need <= device.damping && report.margin > 1.0, "{delay} {beta} {need}");
            let midpoint = Rendering::Midpoint(report.midpoint);
            assert!(midpoint.required_damping(&sampling).unwrap() <= device.damping);
            if let MinimumMass::AtLeast(mass) = c.minimum_mass {
                for (factor, passive) in [(1.01, true), (10.0, true), (0.99, false)] {
                    let coupled = Rendering::Mass(CoupledMass {
                        stiffness: c.stiffness,
                        damping: c.damping,
                        mass: mass * factor,
                        integrator: options.integrator,
                    });
                    let fits =
                        coupled.required_damping(&sampling).is_ok_and(|b| b <= device.damping);
                    assert_eq!(fits, passive, "{delay} {beta} {factor}");
                }
            }
        }
    }
}

#[test]
fn without_delay_the_search_over_masses_equals_the_closed_form() {
    // a delay of 1e-8 periods is none, but takes the other path
    let prompt = Sampling::new(1e-3).unwrap();
    let late = prompt.with_delay(0, 1e-8).unwrap();
    let closed = lightest_mass(Integrator::Trapezoidal, 8000.0, 8.0, 18.6, &prompt).unwrap();
    let searched = lightest_mass(Integrator::Trapezoidal, 8000.0, 8.0, 18.6, &late).unwrap();
    // √(δ(1-δ)) = 1e-4 is what such a delay costs at most
    assert!((closed.kilograms() / searched.kilograms() - 1.0).abs() < 1e-3);
}

#[test]
fn an_encoder_can_be_the_limit() {
    let report =
        tune(&encoder_device(), &TuneOptions { beta: 0.01, ..Default::default() }).unwrap();
    assert_eq!(report.limited_by, Bound::Quantisation);
    same(report.max_stiffness, 2800.0 / 3.0);
    assert!(report.notes.iter().any(|n| n.contains("encoder")));
}

#[test]
fn a_passive_coupling_is_explained_without_ways_out() {
    let verdict = explain_coupling(&thesis_device(), 20_000.0, 10.0, 1.0).unwrap();
    assert!(verdict.passive && verdict.ways_out.is_empty());
    assert_eq!(verdict.findings[0].bound, Bound::Damping);
    same(verdict.findings[0].needed, 10.0);
}

/// The device and rendering after turning the knob of a way out.
fn apply(device: &Device, rendering: &Rendering, way: &WayOut) -> (Device, Rendering) {
    let (mut device, mut rendering) = (device.clone(), *rendering);
    match (way.knob, &mut rendering) {
        (Knob::Rate, _) => device.rate = way.to,
        (Knob::Delay, _) => device.delay = way.to,
        (Knob::DeviceDamping, _) => device.damping = way.to,
        (Knob::RateAndDelay, _) => {
            device.delay *= device.rate / way.to;
            device.rate = way.to;
        }
        (Knob::Friction, _) => device.coulomb_friction = way.to,
        (Knob::EncoderStep, _) => device.encoder_step = way.to,
        (Knob::Mass, Rendering::Mass(mass)) => mass.mass = way.to,
        (Knob::Gamma, Rendering::Midpoint(c)) => {
            *c = MidpointCoupling::new(c.stiffness(), c.virtual_damping(), way.to).unwrap();
        }
        (Knob::Stiffness, Rendering::Midpoint(c)) => {
            *c = MidpointCoupling::new(way.to, c.virtual_damping(), c.gamma()).unwrap();
        }
        (Knob::Stiffness, r) => {
            *r = r.with(way.to, r.damping() * way.to / way.from).unwrap();
        }
        (Knob::Damping, r) => *r = r.with(r.stiffness(), way.to).unwrap(),
        other => panic!("no such knob here: {other:?}"),
    }
    (device, rendering)
}

fn broken_renderings() -> Vec<(Device, Rendering)> {
    let thesis = thesis_device();
    let late = Device { delay: 1.5e-3, ..thesis_device() };
    let mass = CoupledMass {
        stiffness: 12_000.0,
        damping: 12.0,
        mass: 0.01,
        integrator: Integrator::Trapezoidal,
    };
    let midpoint = |k, br, gamma| Rendering::Midpoint(MidpointCoupling::new(k, br, gamma).unwrap());
    vec![
        (thesis.clone(), midpoint(30_000.0, 5.0, 0.0)),
        (thesis.clone(), midpoint(50_000.0, 5.0, 1.0)),
        (late.clone(), midpoint(30_000.0, 15.0, 1.0)),
        (thesis.clone(), Rendering::Wall(Wall::backward_difference(20_000.0, 15.0))),
        (late, Rendering::Wall(Wall::backward_difference(20_000.0, 10.0))),
        (thesis.clone(), Rendering::Coupling { stiffness: 20_000.0, damping: 15.0 }),
        (thesis, Rendering::Mass(mass)),
        (
            Device { max_stiffness: Some(2000.0), ..encoder_device() },
            Rendering::Wall(Wall::backward_difference(980.0, 0.0)),
        ),
    ]
}

#[test]
fn a_broken_bound_is_named_with_its_size_and_ways_out_that_work() {
    for (device, rendering) in broken_renderings() {
        let verdict = explain(&device, &rendering).unwrap();
        assert!(!verdict.passive, "{rendering:?}");
        let worst = &verdict.findings[0];
        assert!(!worst.holds && !worst.text.is_empty());
        assert!(verdict.ways_out.len() >= 3, "{rendering:?}: {:?}", verdict.ways_out);
        for way in &verdict.ways_out {
            let (device, rendering) = apply(&device, &rendering, way);
            let after = explain(&device, &rendering).unwrap();
            assert!(after.passive, "{way:?} leaves {:?}", after.findings[0]);
        }
    }
}

#[test]
fn a_coupling_too_stiff_for_gamma_zero_has_three_ways_out_and_one_is_gamma() {
    let verdict = explain_coupling(&thesis_device(), 30_000.0, 5.0, 0.0).unwrap();
    // KT/2 + (KT/2)²/B_r = 15 + 45
    same(verdict.findings[0].needed, 60.0);
    assert!(verdict.findings[0].text.contains("41.400000 N·s/m"), "{}", verdict.findings[0].text);
    assert!(verdict.ways_out.len() >= 3);
    assert!(verdict.ways_out.iter().any(|w| w.knob == Knob::Gamma));
    let lower = verdict.ways_out.iter().find(|w| w.knob == Knob::Stiffness).unwrap();
    let exact = MidpointCoupling::new(1.0, 5.0, 0.0).unwrap().max_stiffness(18.6, 1e-3);
    // thirty halvings of a factor below two
    assert!((lower.to / exact - 1.0).abs() < 1e-8, "{} {exact}", lower.to);
}

#[test]
fn an_unstable_mass_is_explained_as_such() {
    let mass = CoupledMass {
        stiffness: 12_000.0,
        damping: 12.0,
        mass: 0.005,
        integrator: Integrator::DelayedEuler,
    };
    let verdict = explain(&thesis_device(), &Rendering::Mass(mass)).unwrap();
    assert_eq!(verdict.findings[0].bound, Bound::Stability);
    assert!(verdict.findings[0].text.contains("clamped handle"));
}

#[test]
fn a_delayed_midpoint_coupling_asks_more_and_verifies_in_the_time_domain() {
    let sampling = Sampling::new(1e-3).unwrap().with_delay(1, 0.0).unwrap();
    let coupling = MidpointCoupling::recommended(1000.0, 1e-3).unwrap();
    let bound = Rendering::Midpoint(coupling).required_damping(&sampling).unwrap();
    assert!(bound > coupling.required_damping(1e-3) * 1.5, "{bound}");
    // no single mass may ask more than the bound for all worlds
    for mass in [1e-4, 1e-2, 1.0, 100.0] {
        let tf = coupling.with_mass(mass, &sampling).unwrap();
        let need = required_damping(&tf, &sampling).unwrap().damping;
        assert!(need <= bound * (1.0 + 1e-6), "{mass}: {need} {bound}");
    }
}

#[test]
fn a_device_says_which_of_its_fields_is_wrong() {
    let good = encoder_device();
    good.check().unwrap();
    let message = |device: Device| device.check().unwrap_err().to_string();
    assert!(message(Device { mass: -1.0, ..good.clone() }).contains("mass [kg] is -1"));
    assert!(message(Device { damping: 0.0, ..good.clone() }).contains("free decay"));
    assert!(message(Device { rate: 0.0, ..good.clone() }).contains("rate [Hz] is 0"));
    assert!(message(Device { delay: f64::NAN, ..good.clone() }).contains("delay [s]"));
    assert!(message(Device { max_force: Some(0.0), ..good.clone() }).contains("max_force"));
    assert!(message(Device { encoder_step: -1.0, ..good.clone() }).contains("encoder_step"));
    assert!(tune(&Device { rate: 0.0, ..good.clone() }, &TuneOptions::default()).is_err());
    let options = TuneOptions { share: 1.5, ..Default::default() };
    assert!(tune(&good, &options).unwrap_err().to_string().contains("share is 1.5"));
    let no_friction = Device { coulomb_friction: 0.0, ..good };
    let error = tune(&no_friction, &TuneOptions::default()).unwrap_err().to_string();
    assert!(error.contains("finer one"), "{error}");
}

#[test]
fn quantities_are_read_with_their_units() {
    let cases = [
        ("2.5 N/mm", Quantity::Stiffness, 2500.0),
        ("1e4", Quantity::Stiffness, 1e4),
        ("1 kHz", Quantity::Rate, 1000.0),
        ("30µm", Quantity::Length, 30e-6),
        ("0.5 ms", Quantity::Time, 5e-4),
        (" 12.4 N·s/m ", Quantity::Damping, 12.4),
        ("40 g", Quantity::Mass, 0.04),
        ("5e-3N", Quantity::Force, 5e-3),
    ];
    for (text, quantity, expected) in cases {
        same(parse_quantity(text, quantity).unwrap(), expected);
    }
}

#[test]
fn an_unknown_unit_is_answered_with_the_known_ones() {
    let error = parse_quantity("3 lbf/in", Quantity::Stiffness).unwrap_err().to_string();
    assert!(error.contains("\"lbf/in\" is unknown") && error.contains("N/mm"), "{error}");
    let error = parse_quantity("5 kg", Quantity::Rate).unwrap_err().to_string();
    assert!(error.contains("Hz, kHz"), "{error}");
    for text in ["", "fast", "N/m", "--", "1..2 N"] {
        assert!(parse_quantity(text, Quantity::Force).is_err(), "{text}");
    }
    assert!(parse_quantity("inf", Quantity::Force).is_err());
}
