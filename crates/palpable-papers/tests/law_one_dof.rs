//! Laws of the bench: no step creates energy, whatever its length, mass, stiffness and force.
//!
//! Physics demands: work at the port = change of stored energy + damping, at every step. The
//! defect is measured from energies before and after, each rounded by a few 1e-16 of the energy
//! in play; 1e-12 leaves room for the condition of the divisions in between and no more.

use palpable_papers::one_dof::{
    BenchError, CollisionRule, Euler, MAX_SUBSTEPS, Oscillator, Polynomial, State, StepReport,
    StepStatus, Wall, WallBench,
};
use palpable_random::Random;
use proptest::prelude::*;

const ROUNDING: f64 = 1e-12;

fn magnitude(lower: f64, upper: f64) -> impl Strategy<Value = f64> {
    (lower.log10()..upper.log10()).prop_map(|e| 10f64.powf(e))
}

/// Zero one time in five, else from small to large.
fn maybe(lower: f64, upper: f64) -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 4 => magnitude(lower, upper)]
}

fn signed(lower: f64, upper: f64) -> impl Strategy<Value = f64> {
    (any::<bool>(), maybe(lower, upper)).prop_map(|(sign, x)| if sign { x } else { -x })
}

fn relative_defect(report: &StepReport) -> f64 {
    if report.energy.in_play == 0.0 { 0.0 } else { report.energy.defect / report.energy.in_play }
}

/// One random step against a damped wall, as in the search that found the fault of the toggle.
fn random_wall_step(random: &mut Random, rule: CollisionRule) -> StepReport {
    let wall = Wall {
        position: 0.0,
        stiffness: random.spread(1.0, 1e5),
        damping: random.spread(0.01, 100.0),
    };
    let bench = WallBench::new(random.spread(1e-3, 1.0), 0.0, wall).unwrap().with_rule(rule);
    let mut bench =
        bench.starting_at(random.between(-0.05, 0.05), random.between(-2.0, 2.0)).unwrap();
    bench.step(random.spread(1e-4, 0.2), random.between(-50.0, 50.0))
}

#[test]
fn thirty_thousand_random_wall_steps_close_their_account_with_the_sign_rule() {
    let mut random = Random(0x9e3779b97f4a7c15);
    let (mut worst, mut most, mut crossed) = (0.0_f64, 0, 0);
    for _ in 0..30_000 {
        let report = random_wall_step(&mut random, CollisionRule::SplitBySign);
        assert!(report.advanced());
        worst = worst.max(relative_defect(&report).abs());
        most = most.max(report.substeps);
        crossed += usize::from(report.crossings > 0);
    }
    assert!(worst <= ROUNDING, "defect {worst:e} of the energy in play");
    assert_eq!(most, 3, "at most two crossings, three substeps");
    assert!(crossed > 3000, "only {crossed} steps met the wall: nothing was tested");
}

#[test]
fn the_printed_toggle_rule_creates_energy_in_the_same_steps() {
    let mut random = Random(0x9e3779b97f4a7c15);
    let gains = (0..30_000)
        .map(|_| relative_defect(&random_wall_step(&mut random, CollisionRule::SplitByToggle)))
        .filter(|gain| *gain > 1e-6);
    let (count, worst) = gains.fold((0, 0.0_f64), |(n, worst), gain| (n + 1, worst.max(gain)));
    assert!(count >= 5 && worst > 0.5, "{count} violations, the worst {worst}");
}

fn ball(rule: CollisionRule) -> WallBench {
    let floor = Wall { position: 0.0, stiffness: 1000.0, damping: 0.0 };
    let ball = WallBench::new(0.1, 9.81, floor).unwrap().with_rule(rule);
    ball.starting_at(-0.5, 0.0).unwrap()
}

#[test]
fn a_ball_bounces_twenty_thousand_varying_steps_with_its_energy() {
    let mut random = Random(42);
    let mut ball = ball(CollisionRule::SplitBySign);
    let (start, mut worst, mut crossings) = (ball.energy().stored(), 0.0_f64, 0);
    for _ in 0..20_000 {
        let report = ball.step(random.between(0.05, 0.2), 0.0);
        crossings += report.crossings;
        worst = worst.max((report.energy.stored() / start - 1.0).abs());
    }
    // rounding of 1e-16 per step as a random walk: 1.4e-14; a rounding with one sign, in any
    // constant of the step, would show as 1e-13
    assert!(worst <= 5e-14, "energy off by {worst:e}");
    assert!(crossings > 2000, "only {crossings} crossings");
}

#[test]
fn without_splitting_the_ball_gains_energy_without_bound() {
    let mut random = Random(42);
    let mut ball = ball(CollisionRule::Unsplit);
    let start = ball.energy().stored();
    for _ in 0..200 {
        ball.step(random.between(0.05, 0.2), 0.0);
    }
    assert!(ball.energy().stored() > 100.0 * start, "{}", ball.energy().stored() / start);
}

#[test]
fn explicit_euler_makes_the_ball_and_the_oscillator_gain_energy() {
    let mut random = Random(7);
    let floor = Wall { position: 0.0, stiffness: 1000.0, damping: 0.0 };
    let mut ball = State { position: -0.5, velocity: 0.0 };
    let mut oscillator = State { position: 1.0, velocity: 0.0 };
    for _ in 0..100 {
        let h = random.between(0.05, 0.2);
        ball = Euler::Explicit.ball(ball, h, 0.1, floor, 0.981);
        oscillator = Euler::Explicit.oscillator(oscillator, h, 1.0, [4.0, 0.0], 0.0);
    }
    assert!(ball.velocity.abs() > 100.0, "{ball:?}");
    assert!(oscillator.position.hypot(oscillator.velocity / 2.0) > 2.0, "{oscillator:?}");
}

/// (x² − 1)²/4 times a depth [J]: two wells and a hill with φ'' = −depth at the top.
fn double_well(depth: f64) -> Polynomial {
    Polynomial::new(&[0.25 * depth, 0.0, -0.5 * depth, 0.0, 0.25 * depth]).unwrap()
}

#[test]
fn the_step_is_cut_exactly_where_the_root_stops_being_unique() {
    let mut bench = Oscillator::new(1.0, 0.0, double_well(4.0)).unwrap();
    let hill = -double_well(4.0).minimum_curvature();
    assert!((hill - 4.0).abs() <= 1e-12);
    // unique for h < 2 √(m/|min φ''|) = 1 s; one part in a hundred is kept in reserve
    let reserve = 1.0 / 1.01;
    assert_eq!(bench.step(0.999 * reserve, 0.1).substeps, 1);
    assert_eq!(bench.step(1.001 * reserve, 0.1).substeps, 2);
    assert_eq!(bench.step(9.999 * reserve, 0.1).substeps, 10);
    // a damper helps: b = 3, 2/h² + 3/h > 2 up to h = 2 s
    let mut damped = Oscillator::new(1.0, 3.0, double_well(4.0)).unwrap();
    assert_eq!(damped.step(1.999 * reserve, 0.1).substeps, 1);
    assert_eq!(damped.step(2.001 * reserve, 0.1).substeps, 2);
}

#[test]
fn a_convex_potential_needs_no_substep_at_any_length() {
    let potential = Polynomial::new(&[0.0, 0.0, 1e4, 0.0, 1e6, 0.0, 1e8]).unwrap();
    let mut bench = Oscillator::new(1e-3, 0.0, potential).unwrap().starting_at(0.3, 1.0).unwrap();
    for h in [1e-5, 1e-2, 1.0, 100.0] {
        let report = bench.step(h, 1.0);
        assert_eq!(report.substeps, 1);
        assert!(relative_defect(&report).abs() <= ROUNDING);
    }
}

#[test]
fn a_substepped_step_crosses_the_hill_like_a_fine_run() {
    let start = Oscillator::new(1.0, 0.0, double_well(40.0)).unwrap();
    let start = start.starting_at(-1.0, 4.8).unwrap();
    // the hill takes 10 J of the 11.5 J: the mass crosses it
    let (mut coarse, mut fine) = (start, start);
    let report = coarse.step(0.64, 0.0);
    assert!(report.substeps >= 2 && report.substeps <= 3, "{}", report.substeps);
    for _ in 0..6400 {
        fine.step(1e-4, 0.0);
    }
    assert!(fine.state().position > 0.0 && coarse.state().position > 0.0);
    assert!(relative_defect(&report).abs() <= ROUNDING);
}

#[test]
fn too_many_substeps_refuse_the_step_and_keep_the_state() {
    let bench = Oscillator::new(1e-6, 0.0, double_well(1e8)).unwrap();
    let mut bench = bench.starting_at(0.2, 3.0).unwrap();
    let before = bench;
    let report = bench.step(0.1, 0.0);
    assert_eq!(report.status, StepStatus::TooManySubsteps);
    assert_eq!(bench, before);
    assert_eq!((report.energy.supplied, report.energy.defect, report.v_mid), (0.0, 0.0, 0.0));
    // the longest step that is taken uses the most substeps
    let longest = 2.0 * (1e-6_f64 / 1e8).sqrt() * f64::from(MAX_SUBSTEPS) / 1.011;
    assert!(bench.step(longest, 0.0).substeps > MAX_SUBSTEPS - 16);
}

#[test]
fn a_bad_step_length_or_force_is_refused_and_the_state_kept() {
    let mut bench = ball(CollisionRule::SplitBySign);
    let mut oscillator = Oscillator::new(1.0, 0.0, double_well(1.0)).unwrap();
    let (ball_before, oscillator_before) = (bench, oscillator);
    for (h, f, status) in [
        (0.0, 0.0, StepStatus::BadTimeStep),
        (-0.1, 0.0, StepStatus::BadTimeStep),
        (f64::NAN, 0.0, StepStatus::BadTimeStep),
        (f64::INFINITY, 0.0, StepStatus::BadTimeStep),
        (0.1, f64::NAN, StepStatus::BadForce),
        (0.1, f64::INFINITY, StepStatus::BadForce),
        (0.1, 1e300, StepStatus::Overflow),
    ] {
        assert_eq!(bench.step(h, f).status, status);
        assert_eq!(bench, ball_before);
        let refused = oscillator.step(h, f);
        assert!(!refused.advanced() && oscillator == oscillator_before);
    }
}

#[test]
fn a_potential_without_a_bottom_is_refused_with_the_reason() {
    let quintic = Polynomial::new(&[0.0, 0.0, 1.0, 0.0, 0.0, 0.2]).unwrap_err();
    assert_eq!(quintic, BenchError::Unbounded { degree: 5, leading: 0.2 });
    assert!(quintic.to_string().contains("unbounded below"));
    assert!(matches!(Polynomial::new(&[0.0, 1.0]), Err(BenchError::Unbounded { degree: 1, .. })));
    assert!(matches!(Polynomial::spring(-1.0), Err(BenchError::Unbounded { degree: 2, .. })));
    assert_eq!(Polynomial::new(&[1.0; 8]), Err(BenchError::Degree(7)));
    assert!(matches!(Polynomial::new(&[f64::NAN]), Err(BenchError::NotFinite { .. })));
    // trailing zeros do not count, and no potential at all is a free mass
    assert!(Polynomial::new(&[0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).is_ok());
    assert_eq!(Polynomial::new(&[]).unwrap().energy(3.0), 0.0);
}

#[test]
fn a_bench_that_could_create_energy_is_refused_by_name() {
    let potential = Polynomial::spring(1.0).unwrap();
    assert_eq!(Oscillator::new(0.0, 0.0, potential), Err(BenchError::Mass(0.0)));
    let damping = Oscillator::new(1.0, -1.0, potential);
    assert_eq!(damping, Err(BenchError::Negative { field: "damping", value: -1.0 }));
    let still = Oscillator::new(1.0, 0.0, potential).unwrap();
    assert!(matches!(still.starting_at(f64::NAN, 0.0), Err(BenchError::NotFinite { .. })));
    assert!(potential.centered_at(f64::INFINITY).is_err());
    let wall = Wall { position: 0.0, stiffness: 1.0, damping: 0.0 };
    assert!(WallBench::new(-1.0, 0.0, wall).is_err());
    assert!(WallBench::new(1.0, f64::NAN, wall).is_err());
    assert!(WallBench::new(1.0, 0.0, Wall { stiffness: -1.0, ..wall }).is_err());
    assert!(WallBench::new(1.0, 0.0, Wall { damping: -1.0, ..wall }).is_err());
    assert!(WallBench::new(1.0, 0.0, Wall { position: f64::NAN, ..wall }).is_err());
    assert!(WallBench::new(1.0, 0.0, wall).unwrap().starting_at(0.0, f64::NAN).is_err());
}

#[test]
fn a_mass_at_rest_on_the_surface_stays_without_force_and_leaves_with_it() {
    let wall = Wall { position: 2.0, stiffness: 1e6, damping: 10.0 };
    let mut bench = WallBench::new(0.01, 0.0, wall).unwrap();
    let rest = bench.state();
    assert_eq!(bench.step(0.1, 0.0).crossings, 0);
    assert_eq!(bench.state(), rest);
    let away = bench.step(0.1, -1.0);
    assert_eq!((away.crossings, away.energy.damped, away.energy.wall), (0, 0.0, 0.0));
    assert!((bench.state().position - (2.0 - 0.5)).abs() <= 1e-15);
}

#[test]
fn a_spring_keeps_its_energy_for_a_hundred_seconds_at_any_mass() {
    for mass in [1e-2, 1e-3, 1e-5] {
        let potential = Polynomial::spring(100.0).unwrap();
        let bench = Oscillator::new(mass, 0.0, potential).unwrap();
        let mut bench = bench.starting_at(0.1, 0.0).unwrap();
        for _ in 0..100_000 {
            bench.step(1e-3, 0.0);
        }
        // 1e5 roundings of 1e-16 as a random walk: 3e-14
        assert!((bench.energy().stored() / 0.5 - 1.0).abs() <= ROUNDING);
    }
}

#[test]
fn a_far_center_or_wall_costs_no_digits() {
    let near = Polynomial::spring(1e8).unwrap();
    let far = near.centered_at(1e3).unwrap();
    let wall = |position| Wall { position, stiffness: 1e8, damping: 0.0 };
    let mut spring = Oscillator::new(1e-3, 0.0, far).unwrap().starting_at(1e3, 0.1).unwrap();
    let mut bench = WallBench::new(1e-3, 0.0, wall(1e3)).unwrap().starting_at(1e3, 0.1).unwrap();
    for _ in 0..1000 {
        assert!(relative_defect(&spring.step(1e-4, 1.0)).abs() <= ROUNDING);
        assert!(relative_defect(&bench.step(1e-4, 1.0)).abs() <= ROUNDING);
    }
}

/// A long run: work at the port never falls short of the energy stored.
fn check_passive(
    mut step: impl FnMut(f64, f64) -> StepReport,
    start: f64,
    inputs: &[(f64, f64)],
) -> Result<(), TestCaseError> {
    let (mut supplied, mut in_play) = (0.0, start);
    for &(h, f) in inputs {
        let report = step(h, f);
        prop_assert!(report.advanced(), "{:?}", report.status);
        prop_assert!(relative_defect(&report).abs() <= ROUNDING, "{report:?}");
        prop_assert!(report.energy.damped >= 0.0);
        let paid = f * report.v_mid * h;
        prop_assert!((paid - report.energy.supplied).abs() <= ROUNDING * report.energy.in_play);
        supplied += report.energy.supplied;
        in_play += report.energy.in_play;
        prop_assert!(supplied >= report.energy.stored() - start - ROUNDING * in_play);
    }
    Ok(())
}

fn inputs() -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec((magnitude(1e-5, 0.1), signed(1e-3, 1e3)), 1..30)
}

fn quiet(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

proptest! {
    #![proptest_config(quiet(1000))]

    #[test]
    fn an_oscillator_is_passive_for_any_mass_potential_step_and_force(
        m in magnitude(1e-6, 1e3), b in maybe(1e-4, 1e3), k in maybe(1e-3, 1e8),
        quartic in maybe(1e-3, 1e8), sextic in maybe(1e-3, 1e8),
        x in signed(1e-6, 1.0), v in signed(1e-3, 1e2), inputs in inputs(),
    ) {
        let potential = Polynomial::new(&[0.0, 0.0, k, 0.0, quartic, 0.0, sextic]).unwrap();
        let bench = Oscillator::new(m, b, potential).unwrap();
        let mut bench = bench.starting_at(x, v).unwrap();
        let start = bench.energy().stored();
        check_passive(|h, f| bench.step(h, f), start, &inputs)?;
    }

    #[test]
    fn a_wall_is_passive_for_any_mass_stiffness_step_and_force(
        m in magnitude(1e-6, 1e3), b in maybe(1e-4, 1e3), k in maybe(1e-3, 1e8),
        x in signed(1e-6, 1.0), v in signed(1e-3, 1e2), inputs in inputs(),
    ) {
        let wall = Wall { position: 0.0, stiffness: k, damping: b };
        let bench = WallBench::new(m, 0.0, wall).unwrap();
        let mut bench = bench.starting_at(x, v).unwrap();
        let start = bench.energy().stored();
        check_passive(|h, f| bench.step(h, f), start, &inputs)?;
    }

    #[test]
    fn a_double_well_is_passive_or_the_step_is_refused(
        m in magnitude(1e-6, 1e3), b in maybe(1e-4, 1e3), depth in magnitude(1e-3, 1e6),
        tilt in -0.3..0.3_f64, x in -2.0..2.0_f64, v in signed(1e-3, 1e1),
        h in magnitude(1e-5, 0.1), f in signed(1e-3, 1e2),
    ) {
        let potential =
            Polynomial::new(&[0.0, tilt * depth, -0.5 * depth, 0.0, 0.25 * depth]).unwrap();
        let mut bench = Oscillator::new(m, b, potential).unwrap().starting_at(x, v).unwrap();
        prop_assert!(bench.energy().potential >= 0.0);
        let report = bench.step(h, f);
        prop_assert!(report.advanced() || report.status == StepStatus::TooManySubsteps);
        // the terms of the polynomial, each of the order of its depth, cancel in its energy, once
        // per substep
        let scale = report.energy.in_play + depth * f64::from(report.substeps);
        prop_assert!(report.energy.defect.abs() <= ROUNDING * scale, "{report:?}");
    }

    #[test]
    fn the_bench_survives_any_bit_pattern(
        m in any::<f64>(), b in any::<f64>(), c in prop::array::uniform7(any::<f64>()),
        x in any::<f64>(), v in any::<f64>(), h in any::<f64>(), f in any::<f64>(),
        moderate in -1e3..1e3_f64,
    ) {
        let mut even = [0.0; 7];
        (even[2], even[4], even[6]) = (c[2].abs(), moderate, c[6].abs());
        for coefficients in [c, even] {
            let made = Polynomial::new(&coefficients)
                .and_then(|p| Oscillator::new(m.abs(), b.abs(), p))
                .and_then(|o| o.starting_at(x, v));
            if let Ok(mut bench) = made {
                let report = bench.step(h.abs(), f);
                prop_assert!(bench.state().position.is_finite());
                prop_assert!(bench.state().velocity.is_finite());
                prop_assert!(!report.advanced() || report.energy.defect.is_finite());
            }
        }
        let wall = Wall { position: 0.0, stiffness: c[0].abs(), damping: b.abs() };
        let made = WallBench::new(m.abs(), moderate, wall).and_then(|w| w.starting_at(x, v));
        if let Ok(mut bench) = made {
            bench.step(h.abs(), f);
            prop_assert!(bench.state().position.is_finite());
            prop_assert!(bench.state().velocity.is_finite());
        }
    }
}
