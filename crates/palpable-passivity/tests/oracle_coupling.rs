//! Couplings: one-port, two-port and closed forms must agree; the printed errors must not.

mod common;

use std::f64::consts::PI;

use common::{khz, prints, same, spring_damper};
use palpable_passivity::{
    Causality, CouplingTwoPort, Disk, Error, Region, Velocity, Wall, backward_coupling_damping,
    coupling_damping, coupling_damping_at, device_disk, environment_disk, required_damping,
    tustin_coupling_damping_at, two_port_damping, two_port_verdict,
};

const THETAS: [f64; 5] = [0.5, 1.0, 2.0, 2.5, 3.0];

fn port(stiffness: f64, damping: f64, causality: Causality) -> CouplingTwoPort {
    CouplingTwoPort { coupling: spring_damper(stiffness, damping, &khz()), causality }
}

fn tustin(damping: f64) -> palpable_passivity::PulseTf {
    let wall = Wall { stiffness: 1000.0, damping, velocity: Velocity::Tustin };
    wall.transfer_function(&khz()).unwrap()
}

#[test]
fn backward_couplings_ask_what_the_closed_form_says_for_either_sign_of_damping() {
    for (k, b, expected) in
        [(1000.0, 0.0, 0.5), (1000.0, 2.0, 2.5), (1e4, 20.0, 25.0), (1000.0, -0.3, 1.25)]
    {
        let need = coupling_damping(&spring_damper(k, b, &khz()), 1e-3).unwrap();
        same(need.damping, expected);
        same(backward_coupling_damping(k, b, 1e-3).unwrap(), expected);
    }
}

#[test]
fn erratum_4_20_a_coupling_with_negative_damping_costs_more_than_the_wall() {
    let (k, b) = (1000.0, -0.3);
    let wall = required_damping(&spring_damper(k, b, &khz()), &khz()).unwrap().damping;
    let coupling = coupling_damping(&spring_damper(k, b, &khz()), 1e-3).unwrap();
    same(wall, 0.8);
    same(coupling.damping, 1.25);
    // the printed KT/2 + B would accept 0.2
    assert!(coupling.damping > 6.0 * (0.5 * k * 1e-3 + b));
    assert!(coupling.theta < 1e-4);
}

#[test]
fn both_causalities_of_the_two_port_ask_the_same() {
    for causality in [Causality::Admittance, Causality::Impedance] {
        for (k, b, expected) in [(1000.0, 2.0, 2.5), (1000.0, -0.3, 1.25), (1000.0, 0.0, 0.5)] {
            let need = two_port_damping(&port(k, b, causality), &khz()).unwrap();
            // the scan's ends lie 1e-4 rad from rest and Nyquist: 1e-8 of the demand, times
            // the ratio of a margin's rounding (1e-13) to its slope near rest (1e-8)
            assert!((need - expected).abs() < 1e-5 * expected, "{causality:?} {k} {b}: {need}");
        }
    }
}

#[test]
fn a_coupling_below_minus_half_kt_is_infeasible() {
    assert!(matches!(backward_coupling_damping(1000.0, -0.5, 1e-3), Err(Error::Infeasible { .. })));
    for b in [-0.5, -0.8] {
        let result = coupling_damping(&spring_damper(1000.0, b, &khz()), 1e-3);
        assert!(result.is_err(), "B = {b} gave {result:?}");
    }
}

#[test]
fn tustin_couplings_follow_the_corrected_form() {
    let small = ["0.3608685427", "0.3741969377", "0.4957439326", "0.8747148355", "11.72000254"];
    let large = ["0.2043191948", "0.5775142567", "3.980830113", "14.59201539", "318.2600712"];
    for (b, row) in [(0.2, small), (2.0, large)] {
        for (theta, printed) in THETAS.into_iter().zip(row) {
            prints(tustin_coupling_damping_at(1000.0, b, 1e-3, theta), printed);
            prints(coupling_damping_at(&tustin(b), 1e-3, theta).unwrap().unwrap(), printed);
        }
        let whole_band = coupling_damping(&tustin(b), 1e-3);
        assert!(matches!(whole_band, Err(Error::Infeasible { .. })), "{whole_band:?}");
    }
    // B = 0 is a pure spring at every frequency
    for theta in THETAS {
        same(tustin_coupling_damping_at(1000.0, 0.0, 1e-3, theta), 0.5);
    }
}

#[test]
fn erratum_4_21_the_printed_tustin_condition_is_wrong() {
    let printed_form = |b: f64, theta: f64| {
        let lambda = (1.0 - 2.0 * b) / (1.0 + 2.0 * b);
        tustin_coupling_damping_at(1000.0, b, 1e-3, theta) / (1.0 + 2.0 * lambda * theta.cos())
    };
    let wrong = ["0.2059500837", "0.2557533857", "0.7706231044", "2.791891341", "77.39295618"];
    for (theta, printed) in THETAS.into_iter().zip(wrong) {
        prints(printed_form(0.2, theta), printed);
        let exact = tustin_coupling_damping_at(1000.0, 0.2, 1e-3, theta);
        assert!((printed_form(0.2, theta) / exact - 1.0).abs() > 0.3);
    }
    // a negative demand for a dissipative coupling is impossible
    prints(printed_form(2.0, 0.5), "-3.847886194");
}

/// (θ, G* centre, G* radius, G' centre, G' radius, margin) for K = 1000, B = 2, b = 3.
const DISKS: [[&str; 8]; 4] = [
    [
        "0.1",
        "-8.3333333e-5",
        "-1.665277546e-3",
        "1.66736131e-3",
        "13424.629882",
        "-5496.573976",
        "11813.2715",
        "0.0702872993",
    ],
    [
        "1.0",
        "-8.3333333e-5",
        "-1.52540643e-4",
        "1.73819137e-4",
        "2629.372299",
        "65.995363",
        "989.731078",
        "0.323586946",
    ],
    [
        "2.0",
        "-8.3333333e-5",
        "-5.3507718e-5",
        "9.90329255e-5",
        "3704.546032",
        "1154.445768",
        "1904.73305",
        "0.247879103",
    ],
    [
        "3.0",
        "-8.3333333e-5",
        "-5.90957e-6",
        "8.35426087e-5",
        "8472.161509",
        "643.666941",
        "6010.6508",
        "0.169737113",
    ],
];

#[test]
fn the_disks_of_the_admittance_coupling_have_the_tabulated_circles() {
    let port = port(1000.0, 2.0, Causality::Admittance);
    for row in DISKS {
        let theta: f64 = row[0].parse().unwrap();
        let (star, image) =
            (device_disk(3.0, &khz(), theta), environment_disk(&port, 3.0, &khz(), theta));
        prints(star.center().re, row[1]);
        prints(star.center().im, row[2]);
        prints(star.radius(), row[3]);
        prints(image.center().re, row[4]);
        prints(image.center().im, row[5]);
        prints(image.radius(), row[6]);
        prints(image.right_half_plane_margin(), row[7]);
        assert_eq!(image.region(), Region::Disk);
        // the device's disk touches the origin, so its inverse is a half-plane
        let flip = nalgebra::Matrix2::new(0.0, 1.0, 1.0, 0.0).map(palpable_passivity::C64::from);
        assert_eq!(star.mobius(&flip).region(), Region::HalfPlane);
    }
}

#[test]
fn too_little_damping_turns_the_image_into_a_hole() {
    let port = port(1000.0, 2.0, Causality::Admittance);
    for (theta, printed) in [(2.0, "-0.467174067"), (PI, "-1.017125083")] {
        let image = environment_disk(&port, 1.0, &khz(), theta);
        assert_eq!(image.region(), Region::Hole);
        prints(image.right_half_plane_margin(), printed);
    }
    let edge = environment_disk(&port, 2.5, &khz(), PI);
    // rounding of a margin is a few 1e-16
    assert!(edge.right_half_plane_margin().abs() < 1e-14);
    assert_eq!(edge.region(), Region::HalfPlane);
}

#[test]
fn a_two_port_verdict_changes_sign_at_the_bound() {
    let port = port(1000.0, 2.0, Causality::Admittance);
    assert!(two_port_verdict(&port, 2.51, &khz()).unwrap().margin > 0.0);
    let below = two_port_verdict(&port, 2.49, &khz()).unwrap();
    assert!(below.margin < 0.0 && below.theta > 3.0);
    assert!(two_port_verdict(&port, 0.0, &khz()).is_err());
}

#[test]
fn half_planes_are_the_limit_of_disks() {
    // Re g >= 1 as a half-plane, and as a disk of radius 1e9 whose edge is at 1
    let plane = Disk::right_of(1.0);
    let disk = Disk::new(palpable_passivity::C64::new(1.0 + 1e6, 0.0), 1e6);
    assert_eq!(plane.region(), Region::HalfPlane);
    assert!(plane.right_half_plane_margin() > 0.0 || plane.right_half_plane_margin() == 0.0);
    assert!(disk.right_half_plane_margin() > 0.0);
    assert!(Disk::right_of(-0.1).right_half_plane_margin() <= 0.0);
}

#[test]
fn a_hole_is_never_in_the_right_half_plane_even_if_its_circle_is_left_of_it() {
    // 1/g - 5 for |g| <= 1: everything outside the circle about -5 of radius 1
    let entries = [-5.0, 1.0, 1.0, 0.0].map(palpable_passivity::C64::from);
    let map = nalgebra::Matrix2::new(entries[0], entries[1], entries[2], entries[3]);
    let hole = Disk::new(palpable_passivity::C64::from(0.0), 1.0).mobius(&map);
    assert_eq!(hole.region(), Region::Hole);
    assert!(hole.right_half_plane_margin() < 0.0, "{}", hole.right_half_plane_margin());
    same(hole.center().re, -5.0);
    same(hole.radius(), 1.0);
}
