//! Rays, distances and times of impact against closed forms, parry and brute force.

mod common;

use common::Random;
use nalgebra::{UnitQuaternion, Vector3};
use palpable::geometry::{
    Collider, CollisionOptions, CollisionPipeline, CollisionShape, Groups, Isometry, Motion,
};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::{Ray, RayCast};
use parry3d_f64::shape;

fn at(x: f64, y: f64, z: f64) -> Isometry {
    Isometry::translation(x, y, z)
}

fn v(p: &Vector3<f64>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

fn theirs(p: &Isometry) -> Pose {
    let (t, q) = (p.translation.vector, p.rotation.quaternion());
    Pose::from_parts(v(&t), Rotation::from_xyzw(q.i, q.j, q.k, q.w))
}

/// Hills as a closed formula, sampled on a grid.
fn hills(columns: usize, rows: usize) -> Vec<f64> {
    let height = |c: usize, r: usize| (c as f64 * 0.7).sin() * 0.4 + (r as f64 * 0.5).cos() * 0.3;
    (0..rows).flat_map(|r| (0..columns).map(move |c| height(c, r))).collect()
}

/// The same hills as a mesh, cells divided the same way.
fn hills_mesh(columns: usize, rows: usize) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let heights = hills(columns, rows);
    let place = |i: usize| Vector3::new((i % columns) as f64, (i / columns) as f64, heights[i]);
    let mut triangles = Vec::new();
    for r in 0..rows - 1 {
        for c in 0..columns - 1 {
            let [p, q] = [r * columns + c, (r + 1) * columns + c].map(|i| i as u32);
            triangles.extend([[p, p + 1, q + 1], [p, q + 1, q]]);
        }
    }
    ((0..rows * columns).map(place).collect(), triangles)
}

/// Our shape, theirs, and the turn that brings theirs into our axes.
type Twin = (CollisionShape, Box<dyn RayCast>, Isometry);

fn twins() -> Vec<Twin> {
    let h = Vector3::new(0.3, 0.5, 0.8);
    let along_z = Isometry::rotation(Vector3::x() * std::f64::consts::FRAC_PI_2);
    let here = Isometry::identity();
    let points: Vec<_> = {
        let mut r = Random(8);
        (0..30).map(|_| r.vector(0.7)).collect()
    };
    let copy: Vec<_> = points.iter().map(v).collect();
    let hull = shape::ConvexPolyhedron::from_convex_hull(&copy).expect("a hull");
    let unwrap = |s: Result<CollisionShape, _>| s.expect("a shape");
    vec![
        (unwrap(CollisionShape::sphere(0.6)), Box::new(shape::Ball::new(0.6)), here),
        (unwrap(CollisionShape::cuboid(h)), Box::new(shape::Cuboid::new(v(&h))), here),
        (
            unwrap(CollisionShape::capsule(0.5, 0.3)),
            Box::new(shape::Capsule::new_z(0.5, 0.3)),
            here,
        ),
        (
            unwrap(CollisionShape::cylinder(0.6, 0.4)),
            Box::new(shape::Cylinder::new(0.6, 0.4)),
            along_z,
        ),
        (unwrap(CollisionShape::convex_hull(&points)), Box::new(hull), here),
    ]
}

#[test]
fn rays_agree_with_parry_on_every_solid() {
    let mut r = Random(3);
    let mut hits = [0; 5];
    for (k, (ours, other, turn)) in twins().iter().enumerate() {
        for _ in 0..2000 {
            let pose = Isometry::from_parts(r.vector(1.0).into(), r.rotation());
            let (from, to) = (r.vector(3.0), pose.translation.vector + r.vector(0.8));
            let along = (to - from).normalize();
            let hit = ours.ray_cast(&pose, &from, &along, 10.0);
            let ray = Ray::new(v(&from), v(&along));
            let reference =
                other.cast_ray_and_get_normal(&theirs(&(pose * turn)), &ray, 10.0, true);
            assert_eq!(hit.is_some(), reference.is_some(), "{k}: {hit:?} {reference:?}");
            let (Some(hit), Some(reference)) = (hit, reference) else { continue };
            // theirs marches on supports for cylinders and capsules: 1e-5 of a metre
            let bound = if [2, 3].contains(&k) { 1e-4 } else { 1e-9 };
            assert!((hit.distance - reference.time_of_impact).abs() < bound, "{k}");
            assert!((hit.point - (from + along * hit.distance)).norm() < 1e-12);
            assert!(hit.normal.dot(&along) <= 0.0 && (hit.normal.norm() - 1.0).abs() < 1e-12);
            hits[k] += 1;
        }
    }
    assert!(hits.iter().all(|n| *n > 500), "{hits:?}");
}

#[test]
fn a_ray_ends_on_the_surface_and_a_step_back_is_outside() {
    // independent of the other library: the end has distance zero to the shape
    let mut r = Random(4);
    let dot = CollisionShape::sphere(1e-9).expect("a dot");
    for (ours, ..) in twins() {
        for _ in 0..500 {
            let pose = Isometry::from_parts(r.vector(1.0).into(), r.rotation());
            let (from, to) = (r.vector(3.0), pose.translation.vector + r.vector(0.5));
            let Some(hit) = ours.ray_cast(&pose, &from, &(to - from), 10.0) else { continue };
            if hit.distance == 0.0 {
                continue;
            }
            let gap = |p: Vector3<f64>| {
                ours.proximity(&pose, &dot, &at(p.x, p.y, p.z), 10.0).expect("near").gap
            };
            assert!((gap(hit.point) + 1e-9).abs() < 1e-12, "{}", gap(hit.point));
            let back = hit.point - (to - from).normalize() * 1e-3;
            assert!(gap(back) > 0.0);
        }
    }
}

#[test]
fn height_fields_and_meshes_of_the_same_ground_answer_alike() {
    let (columns, rows) = (12, 9);
    let field = CollisionShape::height_field(columns, [1.0; 2], hills(columns, rows));
    let (vertices, triangles) = hills_mesh(columns, rows);
    let mesh = CollisionShape::triangle_mesh(vertices, triangles).expect("a mesh");
    let field = field.expect("a field");
    let ball = CollisionShape::sphere(0.4).expect("a ball");
    let cube = CollisionShape::cuboid(Vector3::new(0.3, 0.4, 0.5)).expect("a box");
    let mut r = Random(6);
    let (mut rays, mut touches) = (0, 0);
    for _ in 0..1500 {
        let pose = Isometry::from_parts(r.vector(2.0).into(), r.rotation());
        let inside = Vector3::new(r.between(0.5, 10.5), r.between(0.5, 7.5), r.between(0.3, 2.5));
        let target = inside + Vector3::new(r.between(-3.0, 3.0), r.between(-3.0, 3.0), -3.0);
        let place = pose * at(inside.x, inside.y, inside.z);
        let (from, along) = (place.translation.vector, pose.rotation * (target - inside));
        let (one, two) =
            (field.ray_cast(&pose, &from, &along, 20.0), mesh.ray_cast(&pose, &from, &along, 20.0));
        assert_eq!(one.is_some(), two.is_some());
        if let (Some(one), Some(two)) = (one, two) {
            assert!((one.distance - two.distance).abs() < 1e-9);
            rays += 1;
        }
        for shape in [&ball, &cube] {
            let (one, two) = (
                field.proximity(&pose, shape, &place, 0.5),
                mesh.proximity(&pose, shape, &place, 0.5),
            );
            assert_eq!(one.is_some(), two.is_some());
            if let (Some(one), Some(two)) = (one, two) {
                assert!((one.gap - two.gap).abs() < 1e-9);
                touches += 1;
            }
        }
    }
    assert!(rays > 700 && touches > 500, "{rays} {touches}");
}

#[test]
fn a_bullet_does_not_pass_through_a_sheet() {
    let sheet = CollisionShape::cuboid(Vector3::new(5.0, 5.0, 0.5e-3)).expect("a sheet");
    let quad = [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)];
    let corners = quad.map(|(x, y)| Vector3::new(x, y, 0.5e-3)).to_vec();
    let skin = CollisionShape::triangle_mesh(corners, vec![[0, 1, 2], [0, 2, 3]]);
    let ball = CollisionShape::sphere(1e-3).expect("a ball");
    let still = Motion::still(Isometry::identity());
    for sheet in [sheet, skin.expect("a skin"), CollisionShape::half_space()] {
        let top = if sheet == CollisionShape::half_space() { 0.0 } else { 0.5e-3 };
        for speed in [1.0, 100.0, 1e5] {
            let velocity = Vector3::new(0.3, -0.2, -1.0) * speed;
            let motion = Motion::sliding(at(0.1, 0.2, 1.0), velocity);
            let found = ball.first_impact(&motion, &sheet, &still, 2.0).expect("it hits");
            // the lowest point of the ball reaches the top of the sheet
            let time = (1.0 - 1e-3 - top) / speed;
            assert!(
                (found.time - time).abs() * speed < 1e-7 * speed.max(1.0),
                "{} {time}",
                found.time
            );
            assert!(
                found.proximity.gap >= -1e-12 && found.proximity.gap < 1e-8 * (1.0 + 2.0 * speed)
            );
            // the normal points from the ball to the sheet
            assert!(found.proximity.normal.z < -0.999_999);
            assert!(ball.first_impact(&motion, &sheet, &still, 0.9 * time).is_none());
        }
        let away = Motion::sliding(at(0.1, 0.2, 1.0), Vector3::new(1.0, 0.0, 0.0));
        assert!(ball.first_impact(&away, &sheet, &still, 100.0).is_none());
    }
}

#[test]
fn a_turning_rod_strikes_at_its_angle() {
    // a rod of 1 m about its end sweeps down onto a floor 0.5 m below: at 30 degrees
    let rod = CollisionShape::capsule(0.5, 1e-3).expect("a rod");
    let pivot = Isometry::rotation(Vector3::y() * std::f64::consts::FRAC_PI_2);
    let rod = CollisionShape::compound(&[(pivot * at(0.0, 0.0, 0.5), rod)]).expect("a compound");
    let motion = Motion {
        pose: at(0.0, 0.0, 0.5),
        velocity: Vector3::zeros(),
        angular_velocity: Vector3::y() * 2.0,
    };
    let floor = CollisionShape::half_space();
    let still = Motion::still(Isometry::identity());
    let found = rod.first_impact(&motion, &floor, &still, 10.0).expect("it strikes");
    let angle = ((0.5 - 1e-3) / 1.0_f64).asin();
    assert!((found.time - angle / 2.0).abs() < 1e-6, "{} {}", found.time, angle / 2.0);
}

#[test]
fn no_time_before_the_impact_finds_an_overlap() {
    let mut r = Random(9);
    let solids: Vec<_> = twins().into_iter().map(|t| t.0).collect();
    let mut struck = 0;
    for _ in 0..400 {
        let (a, b) = (&solids[r.below(5)], &solids[r.below(5)]);
        let mut motion = |x: f64| Motion {
            pose: Isometry::from_parts((Vector3::x() * x + r.vector(0.3)).into(), r.rotation()),
            velocity: Vector3::x() * (-x) + r.vector(0.3),
            angular_velocity: r.vector(3.0),
        };
        let (ma, mb) = (motion(-2.0), motion(2.0));
        let found = a.first_impact(&ma, b, &mb, 1.0);
        let end = found.map_or(1.0, |f| f.time);
        for k in 0..50 {
            let t = end * f64::from(k) / 50.0;
            let near = a.proximity(&ma.at(t), b, &mb.at(t), 100.0).expect("finite");
            assert!(near.gap > -1e-9, "{t} of {end}: {}", near.gap);
        }
        struck += u32::from(found.is_some_and(|f| f.proximity.gap < 1e-6));
    }
    assert!(struck > 200, "{struck}");
}

/// Random solids and a floor.
fn scene(r: &mut Random, n: usize) -> (CollisionPipeline, Vec<CollisionShape>, Vec<Isometry>) {
    let solids: Vec<_> = twins().into_iter().map(|t| t.0).collect();
    let mut shapes = vec![CollisionShape::half_space()];
    let mut poses = vec![at(0.0, 0.0, -6.0)];
    for _ in 0..n {
        shapes.push(solids[r.below(5)].clone());
        poses.push(Isometry::from_parts(r.vector(5.0).into(), r.rotation()));
    }
    let group = |i: usize| Groups { member: 1 << (i % 3), meets: u32::MAX };
    let make = |(i, s): (usize, &CollisionShape)| Collider::new(i, s.clone()).groups(group(i));
    let colliders: Vec<_> = shapes.iter().enumerate().map(make).collect();
    let options = CollisionOptions::default();
    let mut pipeline = CollisionPipeline::new(n + 1, &colliders, options).expect("valid");
    pipeline.update(&poses, 0.01);
    (pipeline, shapes, poses)
}

#[test]
fn a_scene_answers_as_all_its_shapes_asked_one_by_one() {
    let mut r = Random(10);
    let (pipeline, shapes, poses) = scene(&mut r, 60);
    let tool = CollisionShape::cuboid(Vector3::new(0.1, 0.2, 0.05)).expect("a tool");
    let mut found = [0; 3];
    for _ in 0..300 {
        let (from, along) = (r.vector(8.0), r.vector(1.0));
        let groups = Groups { member: u32::MAX, meets: [1, 2, 7][r.below(3)] };
        let asked: Vec<_> =
            (0..shapes.len()).filter(|i| groups.meets >> (i % 3) & 1 == 1).collect();
        let least = |answers: Vec<(usize, f64)>| {
            answers.into_iter().min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
        };
        let hit = pipeline.ray_cast(&from, &along, 20.0, groups);
        let ray = |&i: &usize| {
            shapes[i].ray_cast(&poses[i], &from, &along, 20.0).map(|h| (i, h.distance))
        };
        assert_eq!(
            hit.map(|h| (h.body, h.what.distance)),
            least(asked.iter().filter_map(ray).collect())
        );
        found[0] += u32::from(hit.is_some());
        let pose = Isometry::from_parts(from.into(), r.rotation());
        let near = pipeline.nearest(&tool, &pose, 2.0, groups);
        let gap =
            |&i: &usize| tool.proximity(&pose, &shapes[i], &poses[i], 2.0).map(|p| (i, p.gap));
        assert_eq!(
            near.map(|n| (n.body, n.what.gap)),
            least(asked.iter().filter_map(gap).collect())
        );
        found[1] += u32::from(near.is_some());
        let motion = Motion { pose, velocity: along * 10.0, angular_velocity: r.vector(2.0) };
        let impact = pipeline.first_impact(&tool, &motion, 1.0, groups);
        let time = |&i: &usize| {
            let still = Motion::still(poses[i]);
            tool.first_impact(&motion, &shapes[i], &still, 1.0).map(|f| (i, f.time))
        };
        let reference = least(asked.iter().filter_map(time).collect());
        assert_eq!(impact.is_some(), reference.is_some());
        if let (Some(one), Some(two)) = (impact, reference) {
            // the tolerance of a touch follows the time that is left
            assert!((one.what.time - two.1).abs() < 1e-6, "{} {}", one.what.time, two.1);
            found[2] += 1;
        }
    }
    assert!(found.iter().all(|n| *n > 50), "{found:?}");
}

#[test]
fn senseless_questions_have_no_answer() {
    let mut r = Random(11);
    let (pipeline, shapes, _) = scene(&mut r, 5);
    let nan = Vector3::new(f64::NAN, 0.0, 0.0);
    let zero = Vector3::zeros();
    assert!(pipeline.ray_cast(&nan, &Vector3::x(), 1.0, Groups::ALL).is_none());
    assert!(pipeline.ray_cast(&zero, &zero, 1.0, Groups::ALL).is_none());
    assert!(pipeline.ray_cast(&zero, &nan, 1.0, Groups::ALL).is_none());
    assert!(pipeline.ray_cast(&zero, &Vector3::x(), f64::NAN, Groups::ALL).is_none());
    let bad = Isometry::from_parts(nan.into(), UnitQuaternion::identity());
    assert!(pipeline.nearest(&shapes[1], &bad, 1.0, Groups::ALL).is_none());
    assert!(shapes[1].proximity(&bad, &shapes[2], &bad, 1.0).is_none());
    let motion = Motion::sliding(Isometry::identity(), nan);
    assert!(pipeline.first_impact(&shapes[1], &motion, 1.0, Groups::ALL).is_none());
}
