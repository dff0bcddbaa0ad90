//! Rotations against closed forms and Runge-Kutta references: order, energy and momentum.

use palpable::{
    Anchor, Body, BodyId, ElementId, Inputs, Model, Options, Rotation, Scheme, Spring, Vec3, World,
};

fn free_body(inertia: [f64; 3], omega: [f64; 3]) -> (World, BodyId) {
    let mut model = Model::ghosts();
    let body = Body::new("body").principal_inertia(1.0, inertia).angular_velocity(omega);
    let id = model.body(body);
    (World::new(model.build().expect("a valid model")), id)
}

/// A body with an SO(3) spring [N·m/rad] to the world, turned by `phi0` about `axis`.
fn spring_body(
    inertia: [f64; 3],
    stiffness: f64,
    (phi0, axis): (f64, Vec3),
    omega: [f64; 3],
    options: Options,
) -> (World, BodyId, ElementId) {
    let mut model = Model::ghosts();
    let rotation = Rotation::from_scaled_axis(axis.normalize() * phi0);
    let id = model.body(
        Body::new("body")
            .principal_inertia(1.0, inertia)
            .rotation(rotation)
            .angular_velocity(omega),
    );
    let spring = Spring::rotation(id.origin(), Anchor::world([0.0; 3])).stiffness(stiffness);
    let spring = model.spring(spring);
    (
        World::with_options(model.build().expect("a valid model"), options)
            .expect("options that fit"),
        id,
        spring,
    )
}

/// Right-hand side of the rotation: quaternion (w, x, y, z) and body rate, with an SO(3) spring.
fn derivative(y: &[f64; 7], inertia: &[f64; 3], stiffness: f64) -> [f64; 7] {
    let [qw, qx, qy, qz, a, b, c] = *y;
    let s = (qx * qx + qy * qy + qz * qz).sqrt();
    let sign = if qw < 0.0 { -1.0 } else { 1.0 };
    let scale = if s < 1e-12 { 2.0 } else { sign * 2.0 * s.atan2(sign * qw) / s };
    // torque of ½ k |log R|² is −k log R, in body axes as in world axes
    let torque = [-stiffness * scale * qx, -stiffness * scale * qy, -stiffness * scale * qz];
    let l = [inertia[0] * a, inertia[1] * b, inertia[2] * c];
    [
        0.5 * (-qx * a - qy * b - qz * c),
        0.5 * (qw * a + qy * c - qz * b),
        0.5 * (qw * b + qz * a - qx * c),
        0.5 * (qw * c + qx * b - qy * a),
        (l[1] * c - l[2] * b + torque[0]) / inertia[0],
        (l[2] * a - l[0] * c + torque[1]) / inertia[1],
        (l[0] * b - l[1] * a + torque[2]) / inertia[2],
    ]
}

/// Classical Runge-Kutta of fourth order, written for this test.
fn runge_kutta(mut y: [f64; 7], inertia: [f64; 3], stiffness: f64, end: f64, n: u32) -> [f64; 7] {
    let h = end / f64::from(n);
    let shift = |y: &[f64; 7], k: &[f64; 7], s: f64| {
        let mut out = *y;
        (0..7).for_each(|i| out[i] += s * k[i]);
        out
    };
    for _ in 0..n {
        let k1 = derivative(&y, &inertia, stiffness);
        let k2 = derivative(&shift(&y, &k1, h / 2.0), &inertia, stiffness);
        let k3 = derivative(&shift(&y, &k2, h / 2.0), &inertia, stiffness);
        let k4 = derivative(&shift(&y, &k3, h), &inertia, stiffness);
        for i in 0..7 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        let norm = y[..4].iter().map(|v| v * v).sum::<f64>().sqrt();
        y[..4].iter_mut().for_each(|v| *v /= norm);
    }
    y
}

fn order(errors: &[f64]) -> f64 {
    let n = errors.len() - 1;
    (errors[0] / errors[n]).log2() / n as f64
}

#[test]
fn runge_kutta_reference_agrees_with_the_published_solution() {
    let y = runge_kutta([1.0, 0.0, 0.0, 0.0, 0.1, 3.0, 0.2], [1.0, 2.0, 3.0], 0.0, 10.0, 40_000);
    let expected = [-2.124275610651, 2.120719955580, 1.241309371861];
    for i in 0..3 {
        // the reference is known to 1e-8
        assert!((y[4 + i] - expected[i]).abs() < 1e-8, "{:?}", &y[4..]);
    }
}

#[test]
fn free_body_is_within_1e_3_of_the_reference_and_of_second_order() {
    let expected = Vec3::new(-2.124275610651, 2.120719955580, 1.241309371861);
    let errors: Vec<f64> = [0.01f64, 0.005, 0.0025]
        .iter()
        .map(|h| {
            let (mut world, id) = free_body([1.0, 2.0, 3.0], [0.1, 3.0, 0.2]);
            for _ in 0..(10.0 / h).round() as u32 {
                let _ = world.step(*h, &Inputs::none());
            }
            (world.angular_velocity(id) - expected).norm()
        })
        .collect();
    println!("free body errors {errors:?}, order {:.3}", order(&errors));
    assert!(errors[0] < 1e-3, "{errors:?}");
    assert!(order(&errors) >= 1.9, "{errors:?}");
}

#[test]
fn free_tumble_keeps_energy_and_momentum_and_turns_over_51_times() {
    for (h, steps) in [(1e-3, 100_000), (1e-2, 10_000)] {
        let (mut world, id) = free_body([1e-3, 2e-3, 3e-3], [0.1, 10.0, 0.1]);
        let (energy, momentum) = (world.energy().kinetic, world.angular_momentum());
        let (mut de, mut dl, mut flips, mut sign) = (0.0f64, 0.0f64, 0, 1.0);
        for _ in 0..steps {
            let _ = world.step(h, &Inputs::none());
            de = de.max((world.energy().kinetic / energy - 1.0).abs());
            dl = dl.max((world.angular_momentum() - momentum).norm() / momentum.norm());
            if world.angular_velocity(id).y * sign < 0.0 {
                (flips, sign) = (flips + 1, -sign);
            }
        }
        println!("tumble h = {h}: energy {de:.1e}, momentum {dl:.1e}, {flips} sign changes");
        assert!(de < 1e-12, "{de:.1e}");
        assert!(dl < 1e-10, "{dl:.1e}");
        assert_eq!(flips, 51);
    }
}

#[test]
fn single_axis_spring_follows_its_closed_form() {
    let axis = Vec3::new(1.0, 2.0, 1.0);
    let phi0 = 0.9 * std::f64::consts::PI;
    let theta = 2.0 * (1000f64.sqrt() / 200.0).atan();
    let (mut world, _, spring) =
        spring_body([1e-3; 3], 1.0, (phi0, axis), [0.0; 3], Options::default());
    // known to 15 digits; the energy is the square of the strain
    assert!((world.energy().total() / 3.99718978244119 - 1.0).abs() < 1e-14);
    for n in 1..=100 {
        let _ = world.step(0.01, &Inputs::none());
        let phi = axis.normalize().dot(&world.strain(spring).fixed_rows::<3>(0));
        let expected = phi0 * (f64::from(n) * theta).cos();
        assert!((phi - expected).abs() < 1e-10 * phi0, "step {n}: {phi} {expected}");
        let known = match n {
            10 => -2.827393991886,
            100 => 2.823494659386,
            _ => expected,
        };
        assert!((phi - known).abs() < 1e-10 * phi0, "step {n}: {phi}");
    }
    assert!((world.energy().total() / 3.99718978244119 - 1.0).abs() < 1e-12);
}

const OFF_AXIS: ([f64; 3], f64, [f64; 3]) = ([5e-4, 10e-4, 14e-4], 1.0, [20.0, -10.0, 5.0]);

#[test]
fn off_axis_spring_is_of_second_order() {
    let (inertia, k, omega) = OFF_AXIS;
    let axis = Vec3::new(1.0, 2.0, 1.0);
    let r = Rotation::from_scaled_axis(axis.normalize() * std::f64::consts::FRAC_PI_2);
    let q = r.quaternion();
    let start = [q.w, q.i, q.j, q.k, omega[0], omega[1], omega[2]];
    let end = 0.2;
    let reference = runge_kutta(start, inertia, k, end, 40_000);
    let expected = Vec3::new(reference[4], reference[5], reference[6]);
    // solving once per step and solving twice differ in the constant, not in the order
    for resolve_tolerance in [0.0, f64::INFINITY] {
        let errors: Vec<f64> = [2e-3f64, 1e-3, 5e-4, 2.5e-4]
            .iter()
            .map(|h| {
                let angle = (std::f64::consts::FRAC_PI_2, axis);
                let options = Options { resolve_tolerance, max_substeps: 1, ..Default::default() };
                let (mut world, id, _) = spring_body(inertia, k, angle, omega, options);
                for _ in 0..(end / h).round() as u32 {
                    let _ = world.step(*h, &Inputs::none());
                }
                (world.angular_velocity(id) - expected).norm()
            })
            .collect();
        println!("off-axis errors {errors:?}, order {:.3}", order(&errors));
        assert!(order(&errors) >= 1.9, "{errors:?}");
    }
}

#[test]
fn off_axis_spring_keeps_its_energy_where_the_published_scheme_loses_it() {
    let (inertia, k, omega) = OFF_AXIS;
    let axis = Vec3::new(1.0, 2.0, 1.0);
    let angle = std::f64::consts::FRAC_PI_2;
    for h in [1e-3, 1e-2] {
        let run = |scheme| {
            let (mut world, _, _) = spring_body(
                inertia,
                k,
                (angle, axis),
                omega,
                Options { scheme, ..Default::default() },
            );
            let initial = world.energy().total();
            for _ in 0..20_000 {
                let _ = world.step(h, &Inputs::none());
            }
            let e = world.energy();
            let t = world.ledger().totals();
            let line = (e.total() + t.discarded) / initial - 1.0;
            (line, (e.kinetic + e.elastic) / initial - 1.0)
        };
        let (ours, mechanical) = run(Scheme::PassiveMidpoint);
        let published = run(Scheme::PublishedMidpoint).0;
        println!(
            "h {h}: ours {ours:.1e}, without the tank {mechanical:.1e}, theirs {published:.1e}"
        );
        // rounding of 2e4 steps; the energy starts clear of π, so nothing wraps
        assert!(ours.abs() < 1e-12 && mechanical.abs() < 1e-11, "{ours:.1e} {mechanical:.1e}");
        assert!(published < -0.05, "{published:.1e}");
    }
}

#[test]
fn published_scheme_gives_its_regression_values() {
    let (inertia, k, omega) = OFF_AXIS;
    let axis = Vec3::new(1.0, 2.0, 1.0);
    let angle = std::f64::consts::FRAC_PI_2;
    let options = Options { scheme: Scheme::PublishedMidpoint, ..Default::default() };
    let (mut world, _, spring) = spring_body(inertia, k, (angle, axis), omega, options);
    let _ = world.step(0.01, &Inputs::none());
    assert!((world.energy().total() / 1.39689766143939 - 1.0).abs() < 1e-9);
    let g = world.strain(spring);
    let expected = [0.806681329980, 1.180232051895, 0.516462529855];
    (0..3).for_each(|i| assert!((g[i] - expected[i]).abs() < 1e-9, "{g:?}"));
    for _ in 1..100 {
        let _ = world.step(0.01, &Inputs::none());
    }
    assert!((world.energy().total() / 1.23247750587308 - 1.0).abs() < 1e-9);
}

/// A reference step for one body on an SO(3) spring, with the attitude slaved to the carried strain
/// and the exponential map: `w* = w + (h/2) I⁻¹(−k g − w × I w)`, `A(g*)` at the midpoint.
fn slaved_step(g: &mut Vec3, w: &mut Vec3, inertia: &Vec3, k: f64, h: f64) {
    use palpable::math::so3;
    let momentum = |w: &Vec3| inertia.component_mul(w);
    let w_star = *w + (-*g * k - w.cross(&momentum(w))).component_div(inertia) * (0.5 * h);
    let g_star = so3::log(&(so3::exp(g) * so3::exp(&(w_star * (0.5 * h)))));
    let a = so3::log_rate(&g_star);
    // (2I/h − S(I w*) + k h/2 AᵀA) ŵ = (2I/h) w − Aᵀ k g
    let matrix = palpable::Mat3::from_diagonal(&(inertia * (2.0 / h)))
        - so3::skew(&momentum(&w_star))
        + a.transpose() * a * (0.5 * k * h);
    let rhs = momentum(w) * (2.0 / h) - a.transpose() * (*g * k);
    let w_mid = palpable::math::solve3(&matrix, &rhs).expect("a regular system");
    *w = w_mid * 2.0 - *w;
    *g += a * w_mid * h;
}

#[test]
fn the_engine_and_a_slaved_reference_step_approach_each_other_with_second_order() {
    let (inertia, k, omega) = OFF_AXIS;
    let axis = Vec3::new(1.0, 2.0, 1.0).normalize();
    let angle = std::f64::consts::FRAC_PI_2;
    let difference = |h: f64| {
        let options = Options { resolve_tolerance: 0.0, max_substeps: 1, ..Default::default() };
        let (mut world, _, spring) = spring_body(inertia, k, (angle, axis), omega, options);
        let (mut g, mut w) = (axis * angle, Vec3::from(omega));
        for _ in 0..(0.1 / h).round() as u32 {
            let _ = world.step(h, &Inputs::none());
            slaved_step(&mut g, &mut w, &Vec3::from(inertia), k, h);
        }
        let moments = Vec3::from(inertia);
        let energy = 0.5 * (k * g.norm_squared() + w.dot(&moments.component_mul(&w)));
        // the reference keeps the energy known for this case to thirteen digits
        assert!((energy / 1.401200550136 - 1.0).abs() < 1e-11, "{energy}");
        assert!((world.energy().total() / 1.401200550136 - 1.0).abs() < 1e-11);
        (world.strain(spring).fixed_rows::<3>(0) - g).norm()
    };
    let errors = [1e-3, 5e-4, 2.5e-4].map(difference);
    assert!(order(&errors) > 1.9, "{errors:?}");
}
