//! The integrals of contact over a volume against closed forms, and the work of closed loops.

use nalgebra::{UnitQuaternion, Vector3};
use palpable::geometry::{Cutter, Mould, Placement, Sample};

type Vec3 = Vector3<f64>;

fn pose(z: f64, tilt: f64) -> Placement {
    let turn = UnitQuaternion::from_scaled_axis(Vec3::x() * tilt);
    Placement { rotation: turn.to_rotation_matrix().into_inner(), origin: Vec3::new(0.0, 0.0, z) }
}

/// Normal force and torque about x on the cube, per stiffness, for a pose (height, tilt).
fn push(cutter: &mut Cutter, law: Law, z: f64, tilt: f64) -> (f64, f64) {
    let (floor, cube) = (Mould::half_space(), Mould::cuboid(&Vec3::repeat(1.0)));
    let at = pose(z, tilt);
    let Some(o) = cutter.overlap(&floor, &cube, &at, Vec3::z) else { return (0.0, 0.0) };
    let pressure = match law {
        Law::Hydrostatic => 1.0 / 4.0,
        Law::Printed => 1.0 / o.area,
    };
    let force = pressure * o.volume;
    (force, (o.centroid - at.origin).cross(&Vec3::new(0.0, 0.0, force)).x)
}

#[derive(Clone, Copy)]
enum Law {
    Hydrostatic,
    Printed,
}

/// Net work over a rectangle of height and tilt, and the sum of the magnitudes of its legs.
fn loop_work(law: Law, z: [f64; 2], tilt: [f64; 2]) -> (f64, f64) {
    let mut cutter = Cutter::default();
    let corners = [(z[0], tilt[0]), (z[1], tilt[0]), (z[1], tilt[1]), (z[0], tilt[1])];
    let (mut net, mut legs) = (0.0, 0.0);
    for k in 0..4 {
        let (a, b) = (corners[k], corners[(k + 1) % 4]);
        let steps = 2000;
        let mut work = 0.0;
        for s in 0..steps {
            // two points of Gauss in each piece
            for offset in [-0.288_675_134_594_813, 0.288_675_134_594_813] {
                let t = (f64::from(s) + 0.5 + offset) / f64::from(steps);
                let (z, tilt) = (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
                let (f, m) = push(&mut cutter, law, z, tilt);
                work += 0.5 * (f * (b.0 - a.0) + m * (b.1 - a.1)) / f64::from(steps);
            }
        }
        net += work;
        legs += work.abs();
    }
    (net, legs)
}

#[test]
fn the_default_law_has_a_potential_and_the_printed_one_has_not() {
    let large = ([0.80, 0.99], [0.05, 0.30]);
    let flat = ([0.97, 0.995], [0.0, 0.02]);
    for (z, tilt) in [large, flat] {
        let (net, legs) = loop_work(Law::Hydrostatic, z, tilt);
        println!("hydrostatic {:e}", net / legs);
        assert!((net / legs).abs() < 1e-6, "{:e}", net / legs);
    }
    let (net, legs) = loop_work(Law::Printed, large.0, large.1);
    println!("printed {} = {} of {}", net / legs, 1500.0 * net, 1500.0 * legs);
    // the other way around it would give as much as it takes here
    assert!((net / legs - -0.228).abs() < 0.002, "{}", net / legs);
}

/// `∫ f g dS` of linear functions [Hasegawa2004, (8), (12), (16), (22), (29)] is summed exactly.
#[test]
fn products_of_linear_functions_are_summed_exactly() {
    let (mut cutter, wide) = (Cutter::default(), 0.6);
    let (floor, slab) = (Mould::half_space(), Mould::cuboid(&Vec3::new(1.0, wide, 1.0)));
    // six points a triangle, weights known to 15 digits
    let close = |a: f64, b: f64, what: &str| {
        assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{what}: {a} {b}");
    };
    let o = cutter.overlap(&floor, &slab, &pose(0.7, 0.0), Vec3::z).expect("an overlap");
    let (area, samples, axes) = (4.0 * wide, &cutter.samples, cutter.axes);
    let sum = |f: &dyn Fn(&Sample) -> f64| samples.iter().map(f).sum::<f64>();
    let d = |s: &Sample| axes[0] * s.x + axes[1] * s.y;
    close(sum(&|s| s.area), area, "area");
    close(o.area, area, "area of the polygon");
    close(sum(&|s| s.area * d(s).x), 0.0, "first moment");
    // s₂ of (22) and (29): second moment about the normal
    let s2 = area * (1.0 + wide * wide) / 3.0;
    close(sum(&|s| s.area * d(s).norm_squared()), s2, "s2");
    close(sum(&|s| s.area * s.depth), o.volume, "volume");
    // (12), (16): the velocity at a point is linear, its moment a product
    let (v, w) = (0.3, Vec3::new(-0.7, 0.4, 0.2));
    let rate = |s: &Sample| v + w.cross(&d(s)).z;
    close(sum(&|s| s.area * rate(s) * d(s).y), w.x * area * wide * wide / 3.0, "about x");
    close(-sum(&|s| s.area * rate(s) * d(s).x), w.y * area / 3.0, "about y");
}

/// Where the depth is not linear, its points still say what the volume says, to their own error.
#[test]
fn a_tilted_cube_presses_at_the_centroid_of_its_volume() {
    let mut cutter = Cutter::default();
    let (floor, cube) = (Mould::half_space(), Mould::cuboid(&Vec3::repeat(1.0)));
    for tilt in [0.01, 0.1, 0.3] {
        let o = cutter.overlap(&floor, &cube, &pose(0.9, tilt), Vec3::z).expect("an overlap");
        let [u, v] = cutter.axes;
        let point = |s: &Sample| o.center + u * s.x + v * s.y;
        let moment: Vec3 = cutter.samples.iter().map(|s| point(s) * (s.area * s.depth)).sum();
        let apart = (moment / o.volume - o.centroid).xy().norm();
        // sides that lean bend the depth near the rim
        assert!(apart < 0.02, "tilt {tilt}: {apart}");
    }
}
