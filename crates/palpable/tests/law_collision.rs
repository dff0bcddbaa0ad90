//! Laws of collision detection: closed forms, order of the bodies, rigid motions, continuity.

mod common;

use common::Random;
use nalgebra::{UnitQuaternion, Vector3};
use palpable::geometry::{
    Collider, CollisionOptions, CollisionPipeline, CollisionShape, Groups, Isometry, Manifold,
};

fn at(x: f64, y: f64, z: f64) -> Isometry {
    Isometry::translation(x, y, z)
}

fn turned(pose: Isometry, axis_angle: Vector3<f64>) -> Isometry {
    pose * UnitQuaternion::from_scaled_axis(axis_angle)
}

fn cube(half: f64) -> CollisionShape {
    CollisionShape::cuboid(Vector3::repeat(half)).expect("a cube")
}

/// A scene with one collider a body, the first `still` of which do not move.
fn scene(shapes: &[CollisionShape], still: usize) -> CollisionPipeline {
    let collider = |(i, s): (usize, &CollisionShape)| {
        let made = Collider::new(i, s.clone());
        if i < still { made.still() } else { made }
    };
    let colliders: Vec<_> = shapes.iter().enumerate().map(collider).collect();
    CollisionPipeline::new(shapes.len(), &colliders, CollisionOptions::default()).expect("valid")
}

/// Every contact keeps what its fields promise.
fn check(pipeline: &CollisionPipeline, poses: &[Isometry], margin: f64) {
    let mut seen = 0;
    for m in pipeline.manifolds() {
        assert_eq!(m.first as usize, seen, "manifolds cover the contacts in order");
        seen += m.count as usize;
        assert!(m.body_a < m.body_b && (1..=4).contains(&m.count));
        assert!((m.normal.norm() - 1.0).abs() < 1e-12, "{}", m.normal);
        for c in &pipeline.contacts()[m.range()] {
            let (pa, pb) = (&poses[m.body_a as usize], &poses[m.body_b as usize]);
            let far = pa.translation.vector.norm() + pb.translation.vector.norm() + 1.0;
            let along = (c.point_b - c.point_a).dot(&m.normal);
            assert!((along - c.gap).abs() < 1e-12 * far, "{along} {}", c.gap);
            assert!(c.gap <= margin + 1e-12);
            let back = |p: &Isometry, q: &Vector3<f64>| (p * nalgebra::Point3::from(*q)).coords;
            assert!((back(pa, &c.local_a) - c.point_a).norm() < 1e-12 * far);
            assert!((back(pb, &c.local_b) - c.point_b).norm() < 1e-12 * far);
        }
    }
    assert_eq!(seen, pipeline.contacts().len());
}

fn gaps(pipeline: &CollisionPipeline, m: &Manifold) -> Vec<f64> {
    pipeline.contacts()[m.range()].iter().map(|c| c.gap).collect()
}

#[test]
fn a_cube_over_a_floor_has_four_corners_at_its_gap() {
    let mut p = scene(&[CollisionShape::half_space(), cube(0.5)], 1);
    for gap in [0.01, 1e-9, 0.0, -1e-9, -0.2] {
        let poses = [at(0.0, 0.0, 0.0), turned(at(3.0, -2.0, 0.5 + gap), Vector3::z() * 0.3)];
        p.update(&poses, 0.02);
        check(&p, &poses, 0.02);
        let [m] = p.manifolds() else { panic!("{:?}", p.manifolds()) };
        assert!((m.normal - Vector3::z()).norm() < 1e-15);
        assert_eq!(m.count, 4);
        assert!(gaps(&p, m).iter().all(|g| (g - gap).abs() < 1e-15 * 8.0));
    }
    // beyond the margin: nothing
    assert_eq!(p.update(&[at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.53)], 0.02).contacts, 0);
}

#[test]
fn stacked_cubes_meet_in_the_corners_of_their_common_face() {
    let mut p = scene(&[cube(0.5), cube(0.5)], 0);
    for gap in [0.005, 1e-10, 0.0, -1e-10, -0.1] {
        let poses = [at(1.0, 2.0, 3.0), at(1.3, 1.8, 4.0 + gap)];
        p.update(&poses, 0.01);
        check(&p, &poses, 0.01);
        let [m] = p.manifolds() else { panic!("{:?}", p.manifolds()) };
        assert!((m.normal - Vector3::z()).norm() < 1e-15);
        let mut corners: Vec<_> = p.contacts().iter().map(|c| c.point_a).collect();
        corners.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        let expected = [(0.8, 1.5), (0.8, 2.3), (1.5, 1.5), (1.5, 2.3)];
        for (c, (x, y)) in corners.iter().zip(expected) {
            assert!((c - Vector3::new(x, y, 3.5)).norm() < 1e-14, "{c}");
        }
        assert!(gaps(&p, m).iter().all(|g| (g - gap).abs() < 1e-14));
    }
}

#[test]
fn crossed_edges_meet_in_one_point_with_the_normal_across_both() {
    // two cubes turned onto their edges, one along x, the other along y
    let mut p = scene(&[cube(0.5), cube(0.5)], 0);
    let edge = 0.5 * 2f64.sqrt();
    let quarter = std::f64::consts::FRAC_PI_4;
    for gap in [0.02, 1e-7, -1e-7, -0.02] {
        let low = turned(at(0.0, 0.0, 0.0), Vector3::x() * quarter);
        let high = turned(at(0.1, -0.2, 2.0 * edge + gap), Vector3::y() * quarter);
        let poses = [low, high];
        p.update(&poses, 0.05);
        check(&p, &poses, 0.05);
        let [c] = p.contacts() else { panic!("{:?}", p.contacts()) };
        assert!((p.manifolds()[0].normal - Vector3::z()).norm() < 1e-9, "{gap}");
        assert!((c.gap - gap).abs() < 1e-14);
        assert!((c.point_a - Vector3::new(0.1, 0.0, edge)).norm() < 1e-9, "{}", c.point_a);
    }
}

#[test]
fn the_corner_of_a_cube_keeps_its_true_distance_to_a_corner() {
    // corner to corner along the diagonal: no face or edge axis shows this distance
    let mut p = scene(&[cube(0.5), cube(0.5)], 0);
    let d = 0.5 + 0.01 / 3f64.sqrt();
    let poses = [at(0.0, 0.0, 0.0), at(0.5 + d, 0.5 + d, 0.5 + d)];
    p.update(&poses, 0.02);
    check(&p, &poses, 0.02);
    let [c] = p.contacts() else { panic!("{:?}", p.contacts()) };
    assert!((c.gap - 0.01).abs() < 1e-14, "{}", c.gap);
    assert!((p.manifolds()[0].normal - Vector3::repeat(1.0 / 3f64.sqrt())).norm() < 1e-12);
}

#[test]
fn a_cylinder_stands_on_four_spread_points_and_lies_on_two() {
    let cylinder = CollisionShape::cylinder(1.0, 0.5).expect("a cylinder");
    let quarter = Vector3::y() * std::f64::consts::FRAC_PI_2;
    let big = CollisionShape::cuboid(Vector3::new(5.0, 5.0, 1.0)).expect("a box");
    for (floor, height) in [(CollisionShape::half_space(), 0.0), (big, 1.0)] {
        let mut p = scene(&[floor, cylinder.clone()], 1);
        for gap in [1e-4, -1e-4] {
            let poses = [at(0.0, 0.0, 0.0), at(0.3, 0.2, height + 1.0 + gap)];
            p.update(&poses, 1e-3);
            check(&p, &poses, 1e-3);
            assert_eq!(p.contacts().len(), 4);
            assert!((p.manifolds()[0].normal - Vector3::z()).norm() < 1e-12);
            let middle = Vector3::new(0.3, 0.2, height + gap);
            let sum: Vector3<f64> = p.contacts().iter().map(|c| c.point_b - middle).sum();
            assert!(sum.norm() < 1e-9, "spread evenly: {sum}");
            for c in p.contacts() {
                assert!(
                    ((c.point_b - middle).norm() - 0.5).abs() < 1e-9 && (c.gap - gap).abs() < 1e-9
                );
            }
            let poses = [at(0.0, 0.0, 0.0), turned(at(0.3, 0.2, height + 0.5 + gap), quarter)];
            p.update(&poses, 1e-3);
            check(&p, &poses, 1e-3);
            assert_eq!(p.contacts().len(), 2, "{:?}", p.contacts());
            assert!((p.manifolds()[0].normal - Vector3::z()).norm() < 1e-9);
            let length = (p.contacts()[0].point_b - p.contacts()[1].point_b).norm();
            assert!((length - 2.0).abs() < 1e-9, "{length}");
            assert!(p.contacts().iter().all(|c| (c.gap - gap).abs() < 1e-9));
        }
    }
}

#[test]
fn a_leaning_cylinder_touches_at_the_lowest_point_of_its_rim() {
    let (half, radius) = (0.3, 0.5);
    let cylinder = CollisionShape::cylinder(half, radius).expect("a cylinder");
    let mut p = scene(&[CollisionShape::half_space(), cylinder], 1);
    let mut r = Random(7);
    for case in 0..200 {
        let (tilt, heading) = (r.decades(1e-4, 1.5), r.between(-3.2, 3.2));
        let axis = Vector3::new(heading.cos(), heading.sin(), 0.0) * tilt;
        let lowest = half * tilt.cos() + radius * tilt.sin();
        let gap = r.between(-1e-3, 1e-3);
        let poses = [at(0.0, 0.0, 0.0), turned(at(0.1, 0.2, lowest + gap), axis)];
        p.update(&poses, 2e-3);
        check(&p, &poses, 2e-3);
        let least = p.contacts().iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
        assert!((least - gap).abs() < 1e-9, "case {case}, tilt {tilt}: {least} {gap}");
    }
}

#[test]
fn balls_meet_everything_at_the_distance_of_their_centre() {
    let ball = CollisionShape::sphere(0.3).expect("a ball");
    let capsule = CollisionShape::capsule(1.0, 0.2).expect("a capsule");
    let cylinder = CollisionShape::cylinder(1.0, 0.5).expect("a cylinder");
    let r2 = 2f64.sqrt();
    let cases = [
        (ball.clone(), at(0.0, 0.6, 0.8), 1.0 - 0.6),
        (capsule, at(0.6, 0.8, 0.5), 1.0 - 0.5),
        (cube(0.5), at(0.0, 0.7, 0.1), 0.2 - 0.3),
        (cube(0.5), at(0.6, 0.6, 0.1), 0.1 * r2 - 0.3),
        (cube(0.5), at(0.1, 0.4, 0.2), -0.1 - 0.3),
        (cylinder.clone(), at(0.0, 0.6, 0.2), 0.1 - 0.3),
        (cylinder.clone(), at(0.6, 0.0, 1.1), 0.1 * r2 - 0.3),
        (cylinder, at(0.1, 0.0, 0.9), -0.1 - 0.3),
        (CollisionShape::half_space(), at(5.0, 7.0, 0.25), 0.25 - 0.3),
    ];
    for (shape, pose, gap) in cases {
        let mut p = scene(&[shape, ball.clone()], 0);
        let frame = turned(at(0.4, -0.3, 0.2), Vector3::new(0.3, 0.2, -0.5));
        let poses = [frame, frame * pose];
        p.update(&poses, 1.0);
        check(&p, &poses, 1.0);
        let [c] = p.contacts() else { panic!("{:?}", p.contacts()) };
        assert!((c.gap - gap).abs() < 1e-14, "{} {gap}", c.gap);
    }
}

#[test]
fn groups_still_bodies_and_exclusions_part_their_pairs() {
    let colliders = |groups: [Groups; 2], still: bool| {
        let make = |i: usize| Collider::new(i, cube(0.5)).groups(groups[i]);
        let list = [make(0), make(1)];
        if still { list.map(Collider::still) } else { list }
    };
    let poses = [at(0.0, 0.0, 0.0), at(0.3, 0.0, 0.0)];
    let count = |list: &[Collider], excluded: Vec<(usize, usize)>| {
        let options = CollisionOptions { excluded, ..CollisionOptions::default() };
        let mut p = CollisionPipeline::new(2, list, options).expect("valid");
        p.update(&poses, 0.0).manifolds
    };
    let (one, two) = (Groups { member: 1, meets: 2 }, Groups { member: 2, meets: 1 });
    assert_eq!(count(&colliders([Groups::ALL; 2], false), vec![]), 1);
    assert_eq!(count(&colliders([one, two], false), vec![]), 1);
    assert_eq!(count(&colliders([one, one], false), vec![]), 0);
    assert_eq!(count(&colliders([one, Groups { member: 2, meets: 4 }], false), vec![]), 0);
    assert_eq!(count(&colliders([Groups::NONE, Groups::ALL], false), vec![]), 0);
    assert_eq!(count(&colliders([Groups::ALL; 2], true), vec![]), 0);
    assert_eq!(count(&colliders([Groups::ALL; 2], false), vec![(1, 0)]), 0);
}

#[test]
fn contacts_keep_their_number_while_bodies_slide_and_rock() {
    let mut p = scene(&[CollisionShape::half_space(), cube(0.5)], 1);
    let mut ids = Vec::new();
    for k in 0..200 {
        let t = f64::from(k) * 1e-3;
        let rock = Vector3::new((40.0 * t).sin(), (31.0 * t).cos(), 0.0) * 1e-3;
        let poses = [at(0.0, 0.0, 0.0), turned(at(t, 0.0, 0.5), rock)];
        p.update(&poses, 0.01);
        let mut now: Vec<_> = p.contacts().iter().map(|c| c.id).collect();
        now.sort_unstable();
        assert_eq!(now.len(), 4);
        assert!(k == 0 || now == ids, "{k}: {now:?} {ids:?}");
        for c in p.contacts() {
            assert_eq!(c.previous.is_some(), k > 0);
            let before = c.previous.map(|i| p.previous_contacts()[i as usize].id);
            assert!(before.is_none_or(|id| id == c.id));
        }
        ids = now;
    }
}

#[test]
fn wild_poses_are_left_out_and_come_back() {
    let mut r = Random(5);
    let mut p = scene(&[CollisionShape::half_space(), cube(0.5), cube(0.5), cube(0.5)], 1);
    let good = [at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.5), at(0.0, 0.0, 1.5), at(3.0, 0.0, 0.5)];
    let first = p.update(&good, 1e-3);
    assert_eq!((first.manifolds, first.contacts), (3, 12));
    for _ in 0..200 {
        let mut poses = good;
        let bad = 1 + r.below(3);
        let value = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300][r.below(4)];
        if r.below(4) == 0 {
            let q = nalgebra::Quaternion::new(value, 0.0, 0.0, 0.0);
            poses[bad].rotation = UnitQuaternion::new_unchecked(q);
        } else {
            poses[bad].translation.vector[r.below(3)] = value;
        }
        let report = p.update(&poses, [1e-3, f64::NAN, -1.0][r.below(3)]);
        assert_eq!(report.bodies_rejected, 1);
        assert!(p.manifolds().iter().all(|m| m.body_a != bad as u32 && m.body_b != bad as u32));
        assert!(p.contacts().iter().all(|c| c.gap.is_finite()));
        assert_eq!(p.update(&good, 1e-3).contacts, 12);
    }
    // poses that were not given count as missing
    assert_eq!(p.update(&good[..2], 1e-3).bodies_rejected, 2);
}
