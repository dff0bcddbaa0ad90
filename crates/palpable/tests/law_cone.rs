//! Laws of the contact solver: it never adds energy, its forces are lawful, and where it says that
//! it has converged the complementarity conditions hold. Checked with dense matrices made apart
//! from the engine's buffers.

mod common;
mod rig;

use common::{Random, long};
use nalgebra::DVector;
use palpable::math::{Vec3, Vec6};
use palpable::solve::cone::{
    Capacity, ConeProblem, ConeSettings, Contact, Law, Refused, Rule, Side,
};
use rig::{Rig, clutter, cuboid, forces, friction, midpoint, random_start, tower};

const MIDPOINT: Rule = Rule::Midpoint;
const IMPULSE: Rule = Rule::Impulse { rest_speed: 0.0 };
/// Rounding of sums of a few hundred terms, relative to the terms.
const ROUNDING: f64 = 1e-13;

/// Power of the forces (midpoint), change of energy (impulse), and the size of their terms.
fn energies(rig: &Rig, lambda: &DVector<f64>) -> (f64, f64, f64) {
    let (w, c) = rig.dense();
    let (a, b) = (lambda.dot(&(&w * lambda)), lambda.dot(&c));
    let terms: f64 = lambda.iter().zip(c.iter()).map(|(l, c)| (l * c).abs()).sum();
    (a + b, 0.5 * a + b, terms + a.abs())
}

/// Largest violation of a law of force: relative to the force.
fn unlawful(rig: &Rig, lambda: &DVector<f64>) -> f64 {
    let mut worst = 0.0f64;
    for (i, touch) in rig.touches.iter().enumerate() {
        let Law::Frictional { mu } = touch.law else { continue };
        let (n, t) = (lambda[3 * i], lambda.rows(3 * i + 1, 2).norm());
        let size = n.abs() + t + 1e-300;
        worst = worst.max(-n / size).max((t - mu * n) / size);
    }
    worst
}

/// Largest violation of complementarity, friction and non-penetration, stated condition by
/// condition [m/s]; not the natural map of the engine.
fn violation(rig: &Rig, lambda: &DVector<f64>) -> f64 {
    let (w, c) = rig.dense();
    let v = c + &w * lambda;
    let mut worst = 0.0f64;
    for (i, touch) in rig.touches.iter().enumerate() {
        let Law::Frictional { mu } = touch.law else { continue };
        let (n, u) = (lambda[3 * i], v[3 * i] + touch.target);
        let (t, s) = (lambda.rows(3 * i + 1, 2), v.rows(3 * i + 1, 2));
        worst = worst.max(-u);
        if n > 0.0 {
            worst = worst.max(u.abs().min(n * w[(3 * i, 3 * i)]));
        }
        let radius = mu * n;
        if t.norm() < radius * (1.0 - 1e-9) {
            // inside the cone: sticks, unless the force is so small that rounding decides
            let give = (radius - t.norm()) * w[(3 * i + 1, 3 * i + 1)];
            worst = worst.max(s.norm().min(give));
        } else if radius > 0.0 {
            // on the rim: force against velocity
            worst = worst.max((s.norm() + t.dot(&s) / radius).abs());
        }
    }
    worst
}

fn settings(r: &mut Random) -> ConeSettings {
    ConeSettings {
        sweeps: [0, 1, 2, 5, 20, 200][r.below(6)],
        newton_steps: [0, 1, 2, 20][r.below(4)],
        accelerate: r.below(2) == 0,
        tolerance: 1e-10,
        ..Default::default()
    }
}

#[test]
fn contacts_never_add_energy_whatever_the_start_and_the_budget() {
    let (mut worst, mut scaled) = (0.0f64, 0);
    for seed in 0..if long() { 20_000 } else { 1500 } {
        let mut r = Random(seed);
        let n = 1 + r.below(20);
        let mut rig = clutter(&mut r, n);
        let rule = if r.below(2) == 0 { MIDPOINT } else { IMPULSE };
        if rule == MIDPOINT {
            let (h, omega) = (r.decades(1e-4, 0.1), r.between(0.0, 100.0));
            midpoint(&mut rig, h, omega, &mut r);
        }
        let restitution = r.unit();
        for touch in &mut rig.touches {
            touch.target = r.between(-0.5, 0.5).max(0.0);
            touch.law = friction(r.between(0.0, 1.5));
            touch.restitution = if seed % 3 == 0 { r.unit() } else { restitution };
        }
        if r.below(3) > 0 {
            let size = r.decades(1e-3, 1e3);
            random_start(&mut rig, &mut r, size);
        }
        let mut problem = rig.problem();
        let report = problem.solve(&settings(&mut r), rule);
        let lambda = forces(&problem);
        let (power, impulse, size) = energies(&rig, &lambda);
        let work = if rule == MIDPOINT { power } else { impulse };
        assert!((report.work - work).abs() <= ROUNDING * size, "seed {seed}: {report:?} {work:e}");
        // what the solver says of it, row by row
        let said = problem.power();
        assert!(
            (said.sum - power).abs() <= ROUNDING * said.size,
            "seed {seed}: {said:?} {power:e}"
        );
        worst = worst.max(work / (size + 1e-300));
        scaled += usize::from(report.scale < 1.0);
    }
    assert!(worst <= ROUNDING, "{worst:e}");
    // the rule was needed: with it taken out this test has to fail
    assert!(scaled > 3, "{scaled}");
}

#[test]
fn forces_stay_in_the_cone_whatever_the_start_and_the_budget() {
    for seed in 0..500 {
        let mut r = Random(seed);
        let n = 1 + r.below(20);
        let mut rig = clutter(&mut r, n);
        random_start(&mut rig, &mut r, 3.0);
        let mut problem = rig.problem();
        problem.solve(&settings(&mut r), MIDPOINT);
        let worst = unlawful(&rig, &forces(&problem));
        // shortening to the rim rounds once
        assert!(worst < 1e-15, "seed {seed}: {worst:e}");
    }
}

#[test]
fn what_is_reported_as_converged_satisfies_the_laws_on_the_exact_cone() {
    let (mut converged, mut all) = (0, 0);
    for seed in 0..400 {
        let mut r = Random(seed);
        let n = 1 + r.below(12);
        let mut rig = clutter(&mut r, n);
        if seed % 2 == 0 {
            midpoint(&mut rig, 0.01, 30.0, &mut r);
        }
        for touch in &mut rig.touches {
            touch.target = r.between(-0.5, 0.5).max(0.0);
        }
        let settings = ConeSettings { sweeps: 300, tolerance: 1e-9, ..Default::default() };
        let mut problem = rig.problem();
        let report = problem.solve(&settings, MIDPOINT);
        all += 1;
        if report.residual <= 1e-9 {
            converged += 1;
            let worst = violation(&rig, &forces(&problem));
            // near the rim stick and slip are told apart by differences of the residual's size
            assert!(worst < 1e-7, "seed {seed}: {worst:e}");
        }
    }
    assert!(converged * 100 >= 95 * all, "{converged} of {all}");
}

#[test]
fn a_stale_start_is_scaled_before_it_can_do_harm() {
    // twice the load of the last step, one sweep: power not positive before the last scaling
    for boxes in [2, 4, 8, 16] {
        let mut rig = tower(boxes, &[1.0; 16], 0.5, 0.00981);
        let mut problem = rig.problem();
        let settings = ConeSettings { sweeps: 200, newton_steps: 0, ..Default::default() };
        problem.solve(&settings, MIDPOINT);
        for (i, touch) in rig.touches.iter_mut().enumerate() {
            touch.start = problem.lambda(i).iter().map(|l| 2.0 * l).collect();
        }
        rig.fill(&mut problem);
        let one = ConeSettings { sweeps: 1, newton_steps: 0, accelerate: false, ..settings };
        let report = problem.solve(&one, MIDPOINT);
        let island = problem.islands()[0];
        assert!((island.start_scale - 0.5).abs() < 0.05, "{island:?}");
        // what is left to scale is the error of the unfinished solution that was doubled
        assert!(report.scale > 1.0 - 1e-4 && report.work <= 0.0, "{boxes} boxes: {report:?}");
    }
}

/// Plastic impulses of random multi-contact problems that were solved.
fn plastic(seed: u64) -> Option<(Rig, DVector<f64>)> {
    let mut r = Random(seed);
    let n = 1 + r.below(6);
    let rig = clutter(&mut r, n);
    let mut problem = rig.problem();
    let report = problem.solve(&ConeSettings { tolerance: 1e-10, ..Default::default() }, IMPULSE);
    (report.residual < 1e-10).then(|| (rig, forces(&problem)))
}

#[test]
fn bouncing_with_one_restitution_loses_at_least_what_theory_says() {
    let mut cases = 0;
    for seed in 0..2000 {
        let Some((mut rig, p)) = plastic(seed) else { continue };
        let (w, _) = rig.dense();
        let loss = 0.5 * p.dot(&(&w * &p));
        let mut r = Random(seed + 1_000_000);
        let e = r.unit();
        rig.touches.iter_mut().for_each(|t| t.restitution = e);
        let mut problem = rig.problem();
        let settings = ConeSettings { tolerance: 1e-10, ..Default::default() };
        problem.solve(&settings, IMPULSE);
        let (_, impulse, size) = energies(&rig, &forces(&problem));
        // ΔE ≤ −½(1−e²) p·Wp; the residual of 1e-10 m/s enters times p
        let slack = 1e-12 * size + 1e-9 * p.amax();
        assert!(impulse <= -(1.0 - e * e) * loss + slack, "seed {seed}: {impulse:e} {loss:e}");
        assert!(impulse <= ROUNDING * size, "seed {seed}");
        cases += 1;
    }
    assert!(cases > 1900, "{cases}");
}

#[test]
fn multiplying_each_contact_by_its_own_restitution_would_add_energy() {
    // the law that must not be used, and the one used in its place
    let (mut rises, mut cases) = (0, 0);
    for seed in 0..2000 {
        let Some((mut rig, mut p)) = plastic(seed) else { continue };
        let mut r = Random(seed + 2_000_000);
        for (i, touch) in rig.touches.iter_mut().enumerate() {
            touch.restitution = r.unit();
            (0..3).for_each(|k| p[3 * i + k] *= 1.0 + touch.restitution);
        }
        let (_, naive, size) = energies(&rig, &p);
        rises += usize::from(naive > 1e-9 * size);
        let mut problem = rig.problem();
        problem.solve(&ConeSettings::default(), IMPULSE);
        let (_, clamped, size) = energies(&rig, &forces(&problem));
        assert!(clamped <= ROUNDING * size, "seed {seed}: {clamped:e}");
        cases += 1;
    }
    assert!(rises >= 5 && cases > 1900, "{rises} of {cases}");
}

#[test]
fn mixed_restitution_bounces_each_contact_as_it_should() {
    // one island through a third contact that is opening: e and 0 side by side
    for e in [1.0, 0.5] {
        let mut rig = Rig::default();
        let down = Vec6::new(0.0, 0.0, -1.0, 0.0, 0.0, 0.0);
        let a = rig.body(cuboid(1.0, Vec3::repeat(0.1)), down);
        let b = rig.body(cuboid(1.0, Vec3::repeat(0.1)), down);
        let centre = Vec3::zeros();
        rig.touch([None, Some((a, centre))], Vec3::z(), friction(0.5)).restitution = e;
        rig.touch([None, Some((b, centre))], Vec3::z(), friction(0.5)).restitution = 0.0;
        rig.touch([Some((a, centre)), Some((b, centre))], Vec3::x(), friction(0.0));
        let mut problem = rig.problem();
        let report = problem.solve(&ConeSettings::default(), Rule::Impulse { rest_speed: 0.1 });
        let up = |body: usize| rig.u[body][2] + problem.change(body)[2];
        assert!((up(a) - e).abs() < 1e-12 && up(b).abs() < 1e-12, "{} {}", up(a), up(b));
        assert!((report.work - 0.5 * (e * e - 2.0)).abs() < 1e-12, "{report:?}");
    }
}

#[test]
fn islands_do_not_feel_each_other() {
    let mut r = Random(5);
    let (left, right) = (clutter(&mut r, 9), tower(3, &[1.0; 3], 0.4, 0.01));
    let mut both = left.clone();
    let shift = both.a.len();
    both.a.extend(&right.a);
    both.u.extend(&right.u);
    // interleaved, so that islands are not contiguous
    let mut touches = Vec::new();
    let moved: Vec<_> = right
        .touches
        .iter()
        .cloned()
        .map(|mut t| {
            t.on = t.on.map(|side| side.map(|(b, at)| (b + shift, at)));
            t
        })
        .collect();
    for i in 0..left.touches.len().max(moved.len()) {
        touches.extend(left.touches.get(i).map(|t| (t.clone(), (true, i))));
        touches.extend(moved.get(i).map(|t| (t.clone(), (false, i))));
    }
    both.touches = touches.iter().map(|t| t.0.clone()).collect();
    let settings = ConeSettings { sweeps: 30, ..Default::default() };
    let (mut p, mut q, mut all) = (left.problem(), right.problem(), both.problem());
    let (a, b) = (p.solve(&settings, MIDPOINT), q.solve(&settings, MIDPOINT));
    let whole = all.solve(&settings, MIDPOINT);
    assert_eq!((whole.islands, whole.sweeps), (a.islands + b.islands, a.sweeps + b.sweeps));
    for (k, (_, (from_left, i))) in touches.iter().enumerate() {
        let alone = if *from_left { p.lambda(*i) } else { q.lambda(*i) };
        assert_eq!(all.lambda(k), alone, "bit for bit");
    }
}

#[test]
fn a_contact_whose_normal_moves_nothing_carries_no_force() {
    // a planar arm pressed across its plane: the tangents move, the normal does not
    let mut problem = ConeProblem::new(Capacity::bodies(1, 1));
    let group = problem.group(6).expect("room");
    let mut rows = [0.0; 18];
    (rows[0], rows[7], rows[14]) = (1.0, 1.0, 1.0);
    let mut response = rows;
    response[0] = 0.0;
    let sides = [Side { group, column: 0, jacobian: &rows, response: &response }];
    let bias = [-1.0, 0.5, 0.0];
    let (law, start) = (friction(0.5), [1.0, 0.3, 0.0]);
    let (target, restitution) = (0.0, 0.0);
    let contact =
        Contact { law, target, restitution, bias: &bias, carry: &[], start: &start, sides: &sides };
    for (rule, newton_contacts) in [(MIDPOINT, 0), (MIDPOINT, 8), (IMPULSE, 0), (IMPULSE, 8)] {
        problem.clear();
        problem.group(6);
        problem.push(&contact).expect("room");
        let settings = ConeSettings { newton_contacts, ..Default::default() };
        let report = problem.solve(&settings, rule);
        assert!(forces(&problem).iter().all(|l| *l == 0.0), "{}", forces(&problem));
        assert!(report.residual == 0.0, "{report:?}");
    }
}

#[test]
fn units_do_not_matter() {
    // masses by 1e6, speeds by 1e-4, tolerance with the speeds: same path, scaled forces
    for seed in 0..50 {
        let mut r = Random(seed);
        let rig = clutter(&mut r, 10);
        let mut other = rig.clone();
        let (m, v) = (2f64.powi(20), 2f64.powi(-13));
        other.a.iter_mut().for_each(|a| *a *= m);
        other.u.iter_mut().for_each(|u| *u *= v);
        let settings = ConeSettings { sweeps: 40, ..Default::default() };
        let scaled = ConeSettings { tolerance: settings.tolerance * v, ..settings };
        let (mut p, mut q) = (rig.problem(), other.problem());
        let (a, b) = (p.solve(&settings, MIDPOINT), q.solve(&scaled, MIDPOINT));
        assert_eq!((a.sweeps, a.newton_steps), (b.sweeps, b.newton_steps));
        let gap = (forces(&q) / (m * v) - forces(&p)).amax();
        assert!(gap <= 1e-12 * forces(&p).amax(), "seed {seed}: {gap:e}");
    }
}

#[test]
fn a_mass_ratio_of_a_million_is_reported_and_stays_passive() {
    for boxes in [2, 4, 8] {
        let mut masses = [1.0; 8];
        masses[boxes - 1] = 1e6;
        let rig = tower(boxes, &masses, 0.5, 0.00981);
        let mut problem = rig.problem();
        let report = problem.solve(&ConeSettings::default(), MIDPOINT);
        let (power, _, size) = energies(&rig, &forces(&problem));
        assert!(power <= ROUNDING * size, "{boxes}: {power:e}");
        assert!(report.residual.is_finite(), "{report:?}");
        println!("{boxes} boxes: {report:?}");
    }
}

#[test]
fn senseless_numbers_give_no_force_and_no_panic() {
    let bad = [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e308, 0.0];
    for seed in 0..400 {
        let mut r = Random(seed);
        let mut problem = ConeProblem::new(Capacity::bodies(2, 8));
        problem.group(6);
        problem.group(6);
        for _ in 0..1 + r.below(8) {
            let mut number = || {
                if r.below(30) == 0 { bad[r.below(5)] } else { r.between(-1.0, 1.0) }
            };
            let j: Vec<f64> = (0..18).map(|_| number()).collect();
            let mut y = j.clone();
            y[0] = number();
            let (bias, start) = ([number(), number(), number()], [number(), number(), number()]);
            let (mu, target, restitution) = (number(), number(), number());
            let group = r.below(2);
            let sides = [Side { group, column: 0, jacobian: &j, response: &y }];
            let law = Law::Frictional { mu };
            let contact = Contact {
                law,
                target,
                restitution,
                bias: &bias,
                carry: &[],
                start: &start,
                sides: &sides,
            };
            problem.push(&contact).expect("a shape that fits");
        }
        for rule in [MIDPOINT, IMPULSE] {
            problem.solve(&ConeSettings { sweeps: 10, ..Default::default() }, rule);
            assert!(forces(&problem).iter().all(|l| l.is_finite()), "seed {seed}");
            assert!((0..2).all(|g| problem.change(g).iter().all(|z| z.is_finite())), "seed {seed}");
        }
    }
}

#[test]
fn a_full_buffer_refuses_and_stays_usable() {
    let mut problem = ConeProblem::new(Capacity::bodies(1, 2));
    let group = problem.group(6).expect("room for one");
    assert_eq!(problem.group(6), None);
    let rows = [1.0; 18];
    let sides = [Side { group, column: 0, jacobian: &rows, response: &rows }];
    let law = friction(0.5);
    let bias = [-1.0, 0.0, 0.0];
    let contact = Contact {
        law,
        target: 0.0,
        restitution: 0.0,
        bias: &bias,
        carry: &[],
        start: &[],
        sides: &sides,
    };
    assert_eq!(problem.push(&contact), Ok(0));
    assert_eq!(problem.push(&contact), Ok(1));
    assert_eq!(problem.push(&contact), Err(Refused::Full));
    assert_eq!(problem.push(&Contact { bias: &[0.0], ..contact }), Err(Refused::Shape("bias")));
    let short = [Side { group, column: 1, jacobian: &rows, response: &rows }];
    assert_eq!(
        problem.push(&Contact { sides: &short, ..contact }),
        Err(Refused::Shape("jacobian"))
    );
    assert_eq!(problem.len(), 2);
    problem.clear();
    assert!(problem.is_empty() && problem.group(6) == Some(0));
}
