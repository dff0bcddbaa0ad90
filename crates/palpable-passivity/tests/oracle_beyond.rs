//! Holds, friction, resonance, arms, several axes, irregular clocks, observers, lines.

mod common;

use std::f64::consts::PI;

use common::{khz, prints, same, spring_damper};
use nalgebra::{DMatrix, DVector};
use palpable_passivity::*;

fn square(rows: &[f64]) -> DMatrix<f64> {
    let n = rows.len().isqrt();
    DMatrix::from_row_slice(n, n, rows)
}

fn column(entries: &[f64]) -> DVector<f64> {
    DVector::from_column_slice(entries)
}

#[test]
fn holds_have_the_tabulated_alias_disks() {
    let rows = [
        (Hold::First, "1.381624646", "1.355607364"),
        (Hold::Triangle, "0.9295499151", "0.9152438609"),
        (Hold::Zero, "1.042914821", "1.042914821"),
    ];
    for (hold, radius, center) in rows {
        prints(hold.radius(1.0, 1.0), radius);
        prints(hold.center(1.0, 1.0).norm(), center);
    }
    prints(Hold::First.radius(PI, 1.0), "1.0406745864");
}

#[test]
fn holds_ask_the_tabulated_damping() {
    let rows = [
        (Hold::Zero, "0.500000000", "2.500000000"),
        (Hold::First, "1.020337", "5.101686"),
        (Hold::Triangle, "1.00002", "1.641332"),
    ];
    for (hold, spring, damped) in rows {
        for (b, printed) in [(0.0, spring), (2.0, damped)] {
            let need = hold.required_damping(&spring_damper(1000.0, b, &khz()), &khz()).unwrap();
            prints(need.0, printed);
        }
    }
    // first order at Nyquist: (K + 2B/T)(T + ρ)/2
    let tf = spring_damper(1000.0, 2.0, &khz());
    same(
        Hold::First.damping_at(&tf, 1e-3, PI),
        0.5 * 5000.0 * (1e-3 + Hold::First.radius(PI, 1e-3)),
    );
}

#[test]
fn quantisation_and_friction_limit_stiffness() {
    same(max_stiffness_quantised(0.5, 0.014, 30e-6, 1e-3).unwrap(), 2800.0 / 3.0);
    same(max_stiffness_quantised(0.4, 0.014, 30e-6, 1e-3).unwrap(), 800.0);
    same(max_stiffness_quantised(0.4, 0.0, 0.0, 1e-3).unwrap(), 800.0);
    for (fc, gain) in [(0.014, 1.2e-9), (0.015, -8.0e-10), (0.016, -2.8e-9)] {
        let found = cycle_gain(1000.0, 30e-6, 0.4, fc, 1e-3, 1e-6);
        // differences of 3e-8 rounded to 1e-16 of it
        assert!((found - gain).abs() < 1e-20, "{found}");
    }
}

#[test]
fn a_compliant_link_limits_stiffness_as_tabulated() {
    let device = |kf, bf| TwoMassDevice {
        motor_mass: 0.08,
        motor_damping: 1.0,
        handle_mass: 0.04,
        handle_damping: 0.2,
        link_stiffness: kf,
        link_damping: bf,
    };
    let rows = [
        (5e4, 1.0, "2357.8848", 0.342395),
        (5e4, 10.0, "2400.3940", 0.200377),
        (5e3, 1.0, "2341.0364", 0.198318),
    ];
    for (kf, bf, stiffness, theta) in rows {
        let (k, at) = device(kf, bf).max_stiffness(&khz()).unwrap();
        prints(k, stiffness);
        // a flat minimum: its place is good to the root of its height's 1e-10
        assert!((at - theta).abs() < 3e-6, "{at}");
    }
    // near rest the aliases see little admittance: more than the rigid 2400
    prints(device(5e4, 1.0).stiffness_at(&khz(), 5e-3).unwrap(), "2444.82");
    prints(device(5e4, 1.0).stiffness_at(&khz(), 1e-3).unwrap(), "2444.858");
    // a nearly rigid link gives back 2(b1 + b2)/T
    let (k, _) = device(1e9, 1e3).max_stiffness(&khz()).unwrap();
    assert!((k - 2400.0).abs() < 1.0, "{k}");
    assert!(device(0.0, 1.0).max_stiffness(&khz()).is_err());
}

#[test]
fn stability_with_an_arm_has_the_tabulated_limits() {
    let arm = Arm { mass: 0.2, damping: 5.0, stiffness: 500.0 };
    let rows = [
        (0, 0.0, "1000.834028", "11035.248396"),
        (0, 2.0, "4905.323352", "14945.156296"),
        (1, 0.0, "333.795602", "3687.778859"),
        (1, 2.0, "1631.996426", "4987.562723"),
        (2, 0.0, "200.432180", "2221.267210"),
        (2, 2.0, "974.084531", "2995.396812"),
    ];
    for (late, b, alone, held) in rows {
        let sampling = khz().with_delay(late, 0.0).unwrap();
        prints(critical_stiffness(0.1, 0.5, Arm::NONE, b, &sampling).unwrap(), alone);
        prints(critical_stiffness(0.1, 0.5, arm, b, &sampling).unwrap(), held);
    }
}

#[test]
fn an_undamped_device_has_its_closed_stability_limit() {
    for (h, printed) in
        [(0.1, "0.18095238"), (0.5, "0.60000000"), (0.8, "0.68571429"), (1.0, "0.66666667")]
    {
        prints(undamped_limit(h), printed);
        let (m, step) = (0.1, 1e-3);
        let b = h * m / step;
        let k = critical_stiffness(m, 0.0, Arm::NONE, b, &khz()).unwrap();
        // a double pole at z = 1 for K → 0 costs half the digits of a root
        assert!((k * step * step / m - undamped_limit(h)).abs() < 1e-7);
    }
    same(undamped_limit(2.0 * (2f64.sqrt() - 1.0)), 4.0 * (3.0 - 2.0 * 2f64.sqrt()));
}

fn device_matrix() -> DMatrix<f64> {
    square(&[3.0, 0.4, 0.1, 0.4, 2.0, 0.05, 0.1, 0.05, 0.02])
}

#[test]
fn one_contact_on_several_axes_is_limited_by_its_lever_arm() {
    let n = column(&[1.0, 0.5, 0.08]);
    let limit = max_contact_stiffness(&device_matrix(), &n, 1e-3).unwrap();
    prints(limit, "3989.225243715");
    // the matrix condition changes sign there
    for (factor, passive) in [(0.999, true), (1.001, false)] {
        let k = &n * n.transpose() * (limit * factor);
        let h = spring_damper_matrix(k, DMatrix::zeros(3, 3), 1e-3);
        let verdict = matrix_verdict(&device_matrix(), h, 1e-3).unwrap();
        assert_eq!(verdict.margin > 0.0, passive, "{verdict:?}");
    }
}

#[test]
fn the_matrix_condition_has_its_tabulated_margin() {
    let k = square(&[4000.0, 500.0, 0.0, 500.0, 3000.0, 20.0, 0.0, 20.0, 15.0]);
    let b = DMatrix::from_diagonal(&column(&[0.8, 0.5, 0.004]));
    let verdict = matrix_verdict(&device_matrix(), spring_damper_matrix(k, b, 1e-3), 1e-3).unwrap();
    prints(verdict.margin, "-0.082661426");
    assert!((verdict.theta - PI).abs() < 1e-3);
}

#[test]
fn no_damping_makes_a_skew_stiffness_passive() {
    let skew = square(&[0.0, 1500.0, -1500.0, 0.0]).map(C64::from);
    for (theta, printed) in [(0.5, "2.937238023"), (1.0, "1.372865791"), (2.0, "0.481569462")] {
        let need = required_damping_matrix(&skew, 1e-3, theta);
        prints(need[(0, 1)].norm(), printed);
        assert!(need[(0, 0)].norm() < 1e-12);
    }
    let huge = DMatrix::from_diagonal(&column(&[100.0, 100.0]));
    let verdict = matrix_verdict(&huge, |_| skew.clone(), 1e-3).unwrap();
    assert!(verdict.margin < 0.0 && verdict.theta < 0.01);
}

#[test]
fn bad_matrices_are_named() {
    let n = column(&[1.0, 0.0]);
    let error = max_contact_stiffness(&device_matrix(), &n, 1e-3).unwrap_err();
    assert!(error.to_string().contains("direction has 2 entries"), "{error}");
    let lopsided = square(&[1.0, 2.0, 0.0, 1.0]);
    assert!(
        max_contact_stiffness(&lopsided, &n, 1e-3).unwrap_err().to_string().contains("symmetric")
    );
    let indefinite = square(&[1.0, 2.0, 2.0, 1.0]);
    let error = max_contact_stiffness(&indefinite, &n, 1e-3).unwrap_err();
    assert!(error.to_string().contains("positive definite"));
    let zero = DVector::zeros(2);
    assert!(max_contact_stiffness(&DMatrix::identity(2, 2), &zero, 1e-3).is_err());
    let nan = DMatrix::from_element(2, 2, f64::NAN);
    assert!(max_contact_stiffness(&nan, &n, 1e-3).is_err());
}

#[test]
fn the_passivity_observer_reproduces_its_table() {
    let forces = [0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 0.5];
    let velocities = [0.0, 0.1, 0.1, -0.05, -0.2, -0.1, 0.05];
    let added = [0.0, 0.0, 0.0, 0.0, 6.25, 10.0, 0.0];
    let out = [0.0, 1.0, 2.0, 3.0, 0.75, 0.0, 0.5];
    let energy = [0.0, 1e-4, 3e-4, 1.5e-4, 0.0, 0.0, 2.5e-5];
    let mut observer = PassivityObserver::default();
    for i in 0..7 {
        let step = observer.step(forces[i], velocities[i], 1e-3);
        // sums of 1e-4 rounded to 1e-20, divided by T v² = 1e-5
        assert!((step.added_damping - added[i]).abs() < 1e-13);
        assert!((step.force - out[i]).abs() < 1e-13);
        assert!((step.energy - energy[i]).abs() < 1e-18);
    }
    assert_eq!(observer.energy(), observer.step(1.0, 0.0, 1e-3).energy);
}

#[test]
fn set_position_modulation_reproduces_its_table() {
    let q = [0.001, 0.003, 0.004, 0.004];
    let wanted = [0.002, 0.02, -0.03, -0.03];
    let used = ["0.002000000000", "0.013246950766", "-0.006271616157", "-0.006271616157"];
    let (energy, dissipated) = ([6e-3, 0.0, 0.0, 0.0], [5e-3, 2e-2, 5e-3, 0.0]);
    let mut spring = SetPosition::new(500.0, 10.0, 1e-3, 0.0).unwrap();
    for i in 0..4 {
        let step = spring.step(q[i], wanted[i], 2e-3).unwrap();
        prints(step.used, used[i]);
        // 1e-2 J rounded to 1e-18
        assert!((step.energy - energy[i]).abs() < 1e-16, "{}", step.energy);
        assert!((step.dissipated - dissipated[i]).abs() < 1e-16);
    }
    assert!(spring.step(f64::NAN, 0.0, 1e-3).is_err());
    assert!(SetPosition::new(-1.0, 0.0, 0.0, 0.0).is_err());
}

#[test]
fn an_irregular_clock_asks_the_tabulated_damping() {
    same(jittered_damping(500.0, 0.0, 2e-3, 5e-3).unwrap(), 1.25);
    same(jittered_damping(500.0, 10.0, 2e-3, 5e-3).unwrap(), 18.75);
    // equal steps: the wall's own bound
    same(variable_rate_damping(1000.0, 2.0, &[1e-3; 5]).unwrap(), 2.5);
    assert!(variable_rate_damping(1000.0, 2.0, &[]).is_err());
    assert!(variable_rate_damping(1000.0, 2.0, &[0.0]).is_err());
}

#[test]
fn wave_variables_reproduce_their_numbers() {
    let waves = Waves::of(0.2, 3.0, 5.0);
    prints(waves.forward, "1.264911064067");
    prints(waves.returning, "-0.632455532034");
    same(waves.power(), 0.6);
    let rows = [
        (1.0, "-90.817474690", "-99.833416647"),
        (10.0, "-8.155968590", "-84.147098481"),
        (31.0, "0.668847080", "-1.341311691"),
        (100.0, "4.669750891", "5.440211109"),
    ];
    for (omega, reactance, raw) in rows {
        let line = line_impedance(1000.0, 5.0, 0.05, omega);
        prints(line.im, reactance);
        // lossless: rounding of 1000/ω only
        assert!(line.re.abs() < 1e-10, "{}", line.re);
        prints(raw_delayed_impedance(1000.0, 0.05, omega).re, raw);
    }
    prints(line_stiffness(1000.0, 5.0, 0.05), "90.909090909");
}

#[test]
fn the_z_width_is_the_tabulated_one() {
    let rows = [
        (-1.0, "2000.00000", "666.66667", "400.00000", "2000.00000"),
        (-0.5, "3000.00000", "1000.00000", "600.00000", "3000.00000"),
        (0.0, "4000.00000", "1333.33333", "800.00000", "4000.00000"),
        (0.5, "3000.00000", "1645.75131", "1000.00000", "3909.09091"),
        (1.0, "2000.00000", "1464.10162", "1041.02300", "3818.18182"),
        (1.9, "200.00000", "194.99687", "186.10428", "3654.54545"),
    ];
    let limit = |b, late, velocity| {
        let sampling = khz().with_delay(late, 0.0).unwrap();
        max_wall_stiffness(2.0, b, velocity, &sampling).unwrap()
    };
    for (b, none, one, two, filtered) in rows {
        prints(limit(b, 0, Velocity::BackwardDifference), none);
        prints(limit(b, 1, Velocity::BackwardDifference), one);
        prints(limit(b, 2, Velocity::BackwardDifference), two);
        prints(limit(b, 0, Velocity::Filtered(5e-3)), filtered);
        let closed = one_sample_stiffness(2.0, b, 1e-3);
        if closed > 0.0 && closed * 1e-3 <= 4.0 * b {
            prints(closed, one);
        }
    }
    assert_eq!(limit(2.5, 0, Velocity::BackwardDifference), 0.0);
    // best K with one sample: 2(√2 - 1)b/T at B = (1 - 1/√2)b
    let best = 1.0 - 0.5f64.sqrt();
    same(limit(2.0 * best, 1, Velocity::BackwardDifference), 4000.0 * (2f64.sqrt() - 1.0));
}

#[test]
fn a_z_width_is_a_polyline_of_the_asked_length() {
    let line = zwidth(2.0, -2.0..=2.0, 21, Velocity::BackwardDifference, &khz()).unwrap();
    assert_eq!(line.len(), 21);
    for point in &line {
        let exact = 2000.0 * (2.0 - point.damping.abs());
        assert!((point.stiffness - exact).abs() < 1e-6);
    }
    assert!(zwidth(2.0, 0.0..=1.0, 1, Velocity::BackwardDifference, &khz()).is_err());
    assert!(zwidth(-2.0, 0.0..=1.0, 3, Velocity::BackwardDifference, &khz()).is_err());
}

#[test]
fn llewellyn_with_a_smoothed_hold_asks_several_times_too_little() {
    let rows = [
        (1000.0, 0.0, "0.125000000", 4.0),
        (1000.0, 2.0, "0.316768300", 7.8922),
        (1e4, 20.0, "3.167683002", 7.8922),
    ];
    for (k, b, printed, ratio) in rows {
        let smooth = llewellyn_damping(k, b, 1e-3).unwrap();
        prints(smooth, printed);
        let exact = required_damping(&spring_damper(k, b, &khz()), &khz()).unwrap().damping;
        assert!((exact / smooth - ratio).abs() < 5.1e-6 * ratio);
    }
}

#[test]
fn a_resonant_device_refuses_a_delay_that_is_not_whole_samples() {
    let device = TwoMassDevice {
        motor_mass: 0.1,
        motor_damping: 1.0,
        handle_mass: 0.1,
        handle_damping: 1.0,
        link_stiffness: 1e5,
        link_damping: 0.1,
    };
    let sampling = |fraction| Sampling::new(1e-3).and_then(|s| s.with_delay(1, fraction));
    let whole = sampling(0.0).and_then(|s| device.max_stiffness(&s));
    assert!(whole.is_ok(), "{whole:?}");
    let broken = sampling(0.5).and_then(|s| device.max_stiffness(&s));
    assert!(broken.is_err_and(|e| e.to_string().contains("round it up")));
}
