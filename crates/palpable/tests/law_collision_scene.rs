//! Laws of collision detection in whole scenes and for every pair of shapes.
//!
//! Geometry demands: the same answer for the same situation (order of bodies, rigid motion), a gap
//! that changes no faster than the bodies move, no pair lost by the broad phase, the deepest
//! contacts kept when room is short, and a defined answer for any input.

mod common;

use common::Random;
use nalgebra::{UnitQuaternion, Vector3};
use palpable::geometry::{
    Collider, CollisionError, CollisionOptions, CollisionPipeline, CollisionShape, Isometry, Shape,
    ShapeError,
};

fn at(x: f64, y: f64, z: f64) -> Isometry {
    Isometry::translation(x, y, z)
}

fn pose(r: &mut Random, size: f64) -> Isometry {
    Isometry::from_parts(r.vector(size).into(), r.rotation())
}

/// A solid of any kind, its size between `low` and `high`.
fn solid(r: &mut Random, low: f64, high: f64) -> CollisionShape {
    let mut length = || r.decades(low, high);
    let (a, b, c) = (length(), length(), length());
    let made = match r.below(5) {
        0 => CollisionShape::sphere(a),
        1 => CollisionShape::cuboid(Vector3::new(a, b, c)),
        2 => CollisionShape::capsule(a, b),
        3 => CollisionShape::cylinder(a, b),
        _ => {
            let points: Vec<_> = (0..4 + r.below(20)).map(|_| r.vector(a)).collect();
            CollisionShape::convex_hull(&points)
        }
    };
    made.unwrap_or_else(|_| CollisionShape::sphere(a).expect("a ball"))
}

fn pipeline(shapes: &[CollisionShape], options: CollisionOptions) -> CollisionPipeline {
    let make = |(i, s): (usize, &CollisionShape)| Collider::new(i, s.clone());
    let colliders: Vec<_> = shapes.iter().enumerate().map(make).collect();
    CollisionPipeline::new(shapes.len(), &colliders, options).expect("valid")
}

#[test]
fn the_order_of_two_bodies_does_not_matter() {
    let mut r = Random(21);
    let mut touching = 0;
    for _ in 0..3000 {
        let shapes = [solid(&mut r, 0.2, 1.0), solid(&mut r, 0.2, 1.0)];
        let (a, b) = (pose(&mut r, 0.8), pose(&mut r, 0.8));
        let one = shapes[0].proximity(&a, &shapes[1], &b, 10.0).expect("finite");
        let two = shapes[1].proximity(&b, &shapes[0], &a, 10.0).expect("finite");
        // two directions may be equally good; the gap is one number. Cylinders inside each other
        // are iterated, to 1e-10 and better
        assert!((one.gap - two.gap).abs() < 1e-8, "{one:?} {two:?} {shapes:?}");
        let mut manifolds = [(0, 1), (1, 0)].map(|(i, j)| {
            let mut p = pipeline(&[shapes[i].clone(), shapes[j].clone()], Default::default());
            let poses = if i == 0 { [a, b] } else { [b, a] };
            p.update(&poses, 0.1);
            let mut gaps: Vec<_> = p.contacts().iter().map(|c| c.gap).collect();
            gaps.sort_by(f64::total_cmp);
            (p.manifolds().first().map(|m| m.normal), gaps)
        });
        let [(n, gaps), (m, other)] = &mut manifolds;
        let (Some(n), Some(m)) = (n, m) else { continue };
        touching += 1;
        if (*n + *m).norm() < 1e-6 {
            assert!((gaps[0] - other[0]).abs() < 1e-7, "{gaps:?} {other:?}");
        }
    }
    assert!(touching > 1500, "{touching}");
}

#[test]
fn a_rigid_motion_of_everything_changes_nothing() {
    let mut r = Random(22);
    for _ in 0..2000 {
        let shapes = [solid(&mut r, 0.2, 1.0), solid(&mut r, 0.2, 1.0)];
        let (a, b, g) = (pose(&mut r, 0.8), pose(&mut r, 0.8), pose(&mut r, 10.0));
        let one = shapes[0].proximity(&a, &shapes[1], &b, 10.0).expect("finite");
        let two = shapes[0].proximity(&(g * a), &shapes[1], &(g * b), 10.0).expect("finite");
        // coordinates of 10 m are known to 2e-15; iterations may end elsewhere by 1e-10
        assert!((one.gap - two.gap).abs() < 1e-8, "{} {}", one.gap, two.gap);
    }
}

#[test]
fn the_gap_changes_no_faster_than_the_bodies_move() {
    let mut r = Random(23);
    let (mut apart, mut inside) = (0, 0);
    for _ in 0..3000 {
        let shapes = [solid(&mut r, 0.2, 1.0), solid(&mut r, 0.2, 1.0)];
        let (a, mut b) = (pose(&mut r, 0.8), pose(&mut r, 1.2));
        let mut last = shapes[0].proximity(&a, &shapes[1], &b, 10.0).expect("finite");
        for _ in 0..5 {
            let step = r.vector(r.0 as f64 % 7.0 * 1e-3);
            b.translation.vector += step;
            let next = shapes[0].proximity(&a, &shapes[1], &b, 10.0).expect("finite");
            let moved = (next.gap - last.gap).abs();
            assert!(moved <= step.norm() + 1e-8, "{moved} {} {shapes:?}", step.norm());
            if last.gap > 1e-3 && next.gap > 1e-3 {
                // the nearest point of a convex set moves no faster than what it is nearest to
                let turned = (next.normal - last.normal).norm();
                let round = 1e-5 / last.gap.min(next.gap);
                assert!(turned <= 2.0 * step.norm() / last.gap + round, "{turned}");
                apart += 1;
            } else {
                inside += 1;
            }
            last = next;
        }
    }
    assert!(apart > 1000 && inside > 1000, "{apart} {inside}");
}

#[test]
fn cylinders_inside_each_other_part_along_the_shortest_way() {
    // overlap along n of two cylinders: h(n) = half |n·z| + radius |n × z|, each in closed form
    let mut r = Random(24);
    let mut checked = 0;
    for _ in 0..300 {
        let sizes = [0, 1].map(|_| (r.decades(0.2, 1.0), r.decades(0.2, 1.0)));
        let (a, b) = (pose(&mut r, 0.3), pose(&mut r, 0.3));
        let shapes = sizes.map(|(h, rad)| CollisionShape::cylinder(h, rad).expect("a cylinder"));
        let found = shapes[0].proximity(&a, &shapes[1], &b, 0.0);
        let Some(found) = found.filter(|f| f.gap < -1e-3) else { continue };
        let reach = |pose: &Isometry, (half, radius): (f64, f64), n: &Vector3<f64>| {
            let z = pose.rotation * Vector3::z();
            half * z.dot(n).abs() + radius * z.cross(n).norm()
        };
        let apart = b.translation.vector - a.translation.vector;
        let overlap =
            |n: &Vector3<f64>| reach(&a, sizes[0], n) + reach(&b, sizes[1], n) - apart.dot(n);
        let along = overlap(&found.normal);
        assert!((along + found.gap).abs() < 1e-9, "{along} {}", found.gap);
        // no direction of many, refined around the best, is shorter
        let mut best = found.normal;
        for k in 0..3000 {
            let near = if k < 1000 { 2.0 } else { 10f64.powf(-f64::from(k) / 500.0) };
            let from = if k < 1000 { Vector3::zeros() } else { best };
            let Some(n) = (from + r.vector(near)).try_normalize(1e-9) else { continue };
            if overlap(&n) < overlap(&best) {
                best = n;
            }
        }
        assert!(-found.gap <= overlap(&best) + 1e-7, "{} {}", found.gap, overlap(&best));
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn the_broad_phase_loses_no_pair() {
    let mut r = Random(25);
    let n = 60;
    let shapes: Vec<_> = (0..n).map(|_| solid(&mut r, 0.05, 0.8)).collect();
    let mut poses: Vec<_> = (0..n).map(|_| pose(&mut r, 2.5)).collect();
    let mut p = pipeline(&shapes, CollisionOptions::default());
    let margin = 0.02;
    let mut pairs = 0;
    for k in 0..60 {
        for pose in &mut poses {
            // a few jump anywhere, the others drift
            let drift = pose.translation.vector + r.vector(0.02);
            pose.translation.vector = if r.below(20) == 0 { r.vector(1.5) } else { drift };
            pose.rotation *= UnitQuaternion::from_scaled_axis(r.vector(0.05));
        }
        let report = p.update(&poses, margin);
        assert_eq!(report.pairs_dropped, 0);
        let found: Vec<_> = p.manifolds().iter().map(|m| (m.body_a, m.body_b)).collect();
        assert!(found.is_sorted(), "in order");
        for i in 0..n {
            for j in i + 1..n {
                let near = shapes[i].proximity(&poses[i], &shapes[j], &poses[j], margin);
                let key = (i as u32, j as u32);
                if near.is_some_and(|p| p.gap < margin - 1e-7) {
                    assert!(found.contains(&key), "{k}: {i} {j} {near:?}");
                    pairs += 1;
                } else if near.is_none() {
                    assert!(!found.contains(&key) || k == usize::MAX, "{k}: {i} {j}");
                }
            }
        }
    }
    assert!(pairs > 1000, "{pairs}");
}

#[test]
fn what_it_finds_does_not_depend_on_what_it_found_before() {
    // the same poses by a fresh pipeline and by one that followed the motion
    let mut r = Random(26);
    let shapes: Vec<_> = (0..40).map(|_| solid(&mut r, 0.1, 0.5)).collect();
    let mut poses: Vec<_> = (0..40).map(|_| pose(&mut r, 1.5)).collect();
    let mut p = pipeline(&shapes, CollisionOptions::default());
    for _ in 0..40 {
        poses.iter_mut().for_each(|pose| pose.translation.vector += r.vector(0.05));
        p.update(&poses, 0.01);
        let mut fresh = pipeline(&shapes, CollisionOptions::default());
        fresh.update(&poses, 0.01);
        assert_eq!(p.manifolds().len(), fresh.manifolds().len());
        for (m, f) in p.manifolds().iter().zip(fresh.manifolds()) {
            assert_eq!((m.body_a, m.body_b), (f.body_a, f.body_b));
            let gap = |p: &CollisionPipeline, m: &palpable::geometry::Manifold| {
                p.contacts()[m.range()].iter().map(|c| c.gap).fold(f64::INFINITY, f64::min)
            };
            assert!(
                (gap(&p, m) - gap(&fresh, f)).abs() < 1e-6,
                "{} {}",
                gap(&p, m),
                gap(&fresh, f)
            );
        }
    }
}

#[test]
fn too_many_contacts_leave_the_deepest() {
    let cube = CollisionShape::cuboid(Vector3::repeat(0.5)).expect("a cube");
    let mut shapes = vec![CollisionShape::half_space()];
    shapes.extend(vec![cube; 30]);
    let mut r = Random(27);
    let mut poses = vec![Isometry::identity()];
    poses.extend((0..30).map(|i| at(2.0 * f64::from(i), 0.0, 0.5 - r.between(0.0, 0.2))));
    let mut all = pipeline(&shapes, CollisionOptions::default());
    all.update(&poses, 0.0);
    let mut gaps: Vec<_> = all.contacts().iter().map(|c| c.gap).collect();
    gaps.sort_by(f64::total_cmp);
    assert_eq!(gaps.len(), 120);
    for room in [1, 7, 40, 119] {
        let options = CollisionOptions { contacts: room, ..CollisionOptions::default() };
        let mut few = pipeline(&shapes, options);
        for _ in 0..3 {
            let report = few.update(&poses, 0.0);
            assert_eq!((report.contacts, report.contacts_dropped), (room, 120 - room));
        }
        let mut kept: Vec<_> = few.contacts().iter().map(|c| c.gap).collect();
        kept.sort_by(f64::total_cmp);
        assert_eq!(kept, gaps[..room]);
        let counted: u32 = few.manifolds().iter().map(|m| m.count).sum();
        assert_eq!(counted as usize, room);
    }
    // pairs without room are reported, and found once there is room
    let options = CollisionOptions { pairs: 20, ..CollisionOptions::default() };
    let mut few = pipeline(&shapes, options);
    assert_eq!(few.update(&poses, 0.0).pairs_dropped, 10);
    assert_eq!(few.update(&poses, 0.0).manifolds, 20);
}

/// A ring of planks whose inner faces touch a circle of radius 1 about y.
fn socket(planks: u32) -> CollisionShape {
    let plank = CollisionShape::cuboid(Vector3::new(0.02, 0.5, 0.05)).expect("a plank");
    let turn = |k: u32| f64::from(k) * std::f64::consts::TAU / f64::from(planks);
    let place = |k: u32| Isometry::rotation(Vector3::y() * turn(k)) * at(0.0, 0.0, 1.05);
    let pieces: Vec<_> = (0..planks).map(|k| (place(k), plank.clone())).collect();
    CollisionShape::compound(&pieces).expect("a compound")
}

#[test]
fn a_ball_rolling_in_a_socket_of_pieces_keeps_one_contact() {
    let ball = CollisionShape::sphere(0.3).expect("a ball");
    let births = |options: CollisionOptions| {
        let mut p = pipeline(&[socket(200), ball.clone()], options);
        let (mut births, mut most) = (0, 0);
        for k in 0..2000 {
            // an eighth of a turn, pressed in by a tenth of a millimetre
            let angle = f64::from(k) * std::f64::consts::TAU / 8.0 / 2000.0;
            let (x, z) = (angle.sin() * 0.7001, angle.cos() * 0.7001);
            p.update(&[Isometry::identity(), at(x, 0.0, z)], 1e-3);
            assert!(!p.contacts().is_empty());
            births += p.contacts().iter().filter(|c| c.previous.is_none()).count();
            most = most.max(p.contacts().len());
        }
        (births, most)
    };
    let close = CollisionOptions { cluster_distance: 0.05, ..CollisionOptions::default() };
    assert_eq!(births(close), (1, 1));
    let off =
        CollisionOptions { cluster_distance: 0.0, coherence_distance: 0.0, ..Default::default() };
    let (born, most) = births(off);
    assert!(born > 20 && most > 1, "{born} {most}");
}

/// A flat square of cells in the plane z = 0, from −2 to 2.
fn flat_mesh(cells: u32) -> CollisionShape {
    let n = cells + 1;
    let place = |k: u32| f64::from(k) * 4.0 / f64::from(cells) - 2.0;
    let vertices = (0..n * n).map(|i| Vector3::new(place(i % n), place(i / n), 0.0)).collect();
    let mut triangles = Vec::new();
    for i in (0..cells * n).filter(|i| i % n < cells) {
        triangles.extend([[i, i + 1, i + n + 1], [i, i + n + 1, i + n]]);
    }
    CollisionShape::triangle_mesh(vertices, triangles).expect("a mesh")
}

#[test]
fn a_flat_mesh_feels_like_a_plane() {
    // no seam between triangles is felt: the normal is up, gaps are those of a half-space
    let mut r = Random(28);
    let grounds = [flat_mesh(8), CollisionShape::half_space()];
    for _ in 0..400 {
        let shape = solid(&mut r, 0.1, 0.4);
        // also exactly over seams
        let x = if r.below(3) == 0 { 0.5 } else { r.between(-1.0, 1.0) };
        let y = if r.below(3) == 0 { 0.0 } else { r.between(-1.0, 1.0) };
        let turn = if r.below(2) == 0 { r.rotation() } else { UnitQuaternion::identity() };
        let height = r.between(0.02, 0.5);
        let poses =
            [Isometry::identity(), Isometry::from_parts(Vector3::new(x, y, height).into(), turn)];
        let [mesh, plane] = grounds.clone().map(|ground| {
            let mut p = pipeline(&[ground, shape.clone()], CollisionOptions::default());
            p.update(&poses, 0.01);
            p
        });
        let gap = |p: &CollisionPipeline| {
            p.contacts().iter().map(|c| c.gap).fold(f64::INFINITY, f64::min)
        };
        // deep in, a surface without inside may know a shorter way out; just touching it may not
        if gap(&plane) > -0.01 {
            assert_eq!(mesh.manifolds().len(), plane.manifolds().len());
            for m in mesh.manifolds() {
                assert!((m.normal - Vector3::z()).norm() < 1e-6, "{} {shape:?}", m.normal);
            }
            let same = gap(&mesh) == gap(&plane) || (gap(&mesh) - gap(&plane)).abs() < 1e-6;
            assert!(same, "{} {} {shape:?} {poses:?}", gap(&mesh), gap(&plane));
        }
    }
}

#[test]
fn a_box_on_a_mesh_floor_stands_on_its_corners() {
    let cube = CollisionShape::cuboid(Vector3::new(0.6, 0.45, 0.3)).expect("a box");
    let mut p = pipeline(&[flat_mesh(8), cube], CollisionOptions::default());
    for gap in [0.005, -0.005] {
        p.update(&[Isometry::identity(), at(0.13, -0.21, 0.3 + gap)], 0.01);
        let [m] = p.manifolds() else { panic!("{:?}", p.manifolds()) };
        assert_eq!(m.count, 4);
        let mut corners: Vec<_> = p.contacts().iter().map(|c| c.local_b).collect();
        let key = |c: &Vector3<f64>| ((c.x * 1e6).round() as i64, (c.y * 1e6).round() as i64);
        corners.sort_by_key(key);
        for (c, (x, y)) in
            corners.iter().zip([(-0.6, -0.45), (-0.6, 0.45), (0.6, -0.45), (0.6, 0.45)])
        {
            assert!((c - Vector3::new(x, y, -0.3)).norm() < 1e-9, "{c}");
        }
        assert!(p.contacts().iter().all(|c| (c.gap - gap).abs() < 1e-9));
    }
}

#[test]
fn wild_scenes_give_finite_contacts_that_keep_their_promises() {
    let mut r = Random(29);
    for _ in 0..300 {
        let (low, far) = (r.decades(1e-6, 1.0), r.decades(1e-3, 1e4));
        let mut shapes: Vec<_> = (0..6).map(|_| solid(&mut r, low, low * 1e4)).collect();
        shapes.push(if r.below(2) == 0 { flat_mesh(3) } else { CollisionShape::half_space() });
        let here = r.vector(far);
        let mut p = pipeline(&shapes, CollisionOptions::default());
        for _ in 0..5 {
            let size = low * r.decades(1.0, 1e4);
            // some exactly on top of each other
            let place = |r: &mut Random| match r.below(3) {
                0 => Isometry::translation(here.x, here.y, here.z),
                _ => Isometry::from_parts((here + r.vector(size)).into(), r.rotation()),
            };
            let poses: Vec<_> = (0..7).map(|_| place(&mut r)).collect();
            let margin = r.decades(1e-9, 1.0);
            p.update(&poses, margin);
            for m in p.manifolds() {
                assert!((m.normal.norm() - 1.0).abs() < 1e-9, "{m:?}");
                for c in &p.contacts()[m.range()] {
                    assert!(c.gap.is_finite() && c.gap <= margin * (1.0 + 1e-9));
                    let span = (c.point_b - c.point_a).dot(&m.normal);
                    let scale = far + low * 1e4 + 4.0;
                    assert!((span - c.gap).abs() < 1e-9 * scale, "{span} {} {scale}", c.gap);
                    assert!(c.local_a.iter().chain(c.local_b.iter()).all(|x| x.is_finite()));
                }
            }
        }
    }
}

#[test]
fn coincident_bodies_have_a_finite_way_out() {
    let mut r = Random(30);
    for _ in 0..500 {
        let (a, place) = (solid(&mut r, 0.1, 1.0), pose(&mut r, 1.0));
        let same = a.proximity(&place, &a, &place, 0.0).expect("they overlap");
        assert!(same.gap < 0.0 && same.gap.is_finite(), "{same:?}");
        assert!((same.normal.norm() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn senseless_shapes_and_scenes_are_refused_with_a_reason() {
    let nan = f64::NAN;
    let flat = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
    let flat: Vec<_> = flat.iter().map(|(x, y)| Vector3::new(*x, *y, 0.0)).collect();
    type Refused = Result<CollisionShape, CollisionError>;
    let check = |made: Refused, want: fn(&CollisionError) -> bool| {
        let error = made.expect_err("refused");
        assert!(want(&error), "{error}");
    };
    check(CollisionShape::sphere(nan), |e| {
        matches!(e, CollisionError::Shape(ShapeError::NotFinite { .. }))
    });
    check(CollisionShape::convex_hull(&flat), |e| {
        matches!(e, CollisionError::Shape(ShapeError::Flat { .. }))
    });
    let bad = vec![Vector3::new(nan, 0.0, 0.0), Vector3::x(), Vector3::y()];
    check(CollisionShape::triangle_mesh(bad, vec![[0, 1, 2]]), |e| {
        matches!(e, CollisionError::Shape(ShapeError::NotFinite { .. }))
    });
    check(CollisionShape::triangle_mesh(flat.clone(), vec![[0, 1, 9]]), |e| {
        matches!(e, CollisionError::Shape(ShapeError::IndexOutOfRange { .. }))
    });
    check(CollisionShape::triangle_mesh(flat.clone(), vec![[0, 1, 1]]), |e| {
        *e == CollisionError::NoArea
    });
    check(CollisionShape::compound(&[]), |e| *e == CollisionError::EmptyCompound);
    let floor = (Isometry::identity(), CollisionShape::half_space());
    check(CollisionShape::compound(&[floor]), |e| {
        *e == CollisionError::PieceNotConvex { piece: 0 }
    });
    check(CollisionShape::height_field(3, [1.0; 2], vec![0.0; 4]), |e| {
        matches!(e, CollisionError::Grid { .. })
    });
    check(CollisionShape::height_field(2, [1.0; 2], vec![0.0, 0.0, nan, 0.0]), |e| {
        matches!(e, CollisionError::Shape(ShapeError::NotFinite { .. }))
    });
    // an inverted closed mesh is no solid
    let inverted = vec![[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]];
    let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    assert!(matches!(Shape::mesh(corners, inverted), Err(ShapeError::InsideOut { .. })));
    let ball = CollisionShape::sphere(1.0).expect("a ball");
    let new = |list: &[Collider]| {
        CollisionPipeline::new(1, list, CollisionOptions::default()).map(|_| ())
    };
    assert!(matches!(
        new(&[Collider::new(1, ball.clone())]),
        Err(CollisionError::BodyOutOfRange { .. })
    ));
    let off = Collider::new(0, ball).offset(at(nan, 0.0, 0.0));
    assert!(matches!(new(&[off]), Err(CollisionError::Offset { .. })));
    let hollow = |b: usize| Collider::new(b, flat_mesh(1));
    let two = CollisionPipeline::new(2, &[hollow(0), hollow(1)], CollisionOptions::default());
    assert!(matches!(two, Err(CollisionError::BothHollow { first: 0, second: 1 })));
    let two = [hollow(0).still(), hollow(1).still()];
    assert!(CollisionPipeline::new(2, &two, CollisionOptions::default()).is_ok());
}

/// Corners and triangles of a cube of half edge `s` [m].
fn cube_surface(s: f64) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let side = |i: u32, k: u32| if i >> k & 1 == 1 { s } else { -s };
    let corners = (0..8).map(|i| Vector3::new(side(i, 0), side(i, 1), side(i, 2))).collect();
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    (corners, quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

#[test]
fn a_cavity_stays_empty_when_its_mesh_is_cut_into_pieces() {
    let (mut corners, mut triangles) = cube_surface(0.5);
    let (inner, hole) = cube_surface(0.3);
    corners.extend(inner);
    triangles.extend(hole.iter().map(|&[a, b, c]| [a + 8, c + 8, b + 8]));
    let shell = Shape::mesh(corners, triangles).expect("a shell");
    let shell = CollisionShape::decomposed(&shell, 32).expect("pieces");
    assert!((6..=26).contains(&shell.piece_count()), "{}", shell.piece_count());
    let ball = CollisionShape::sphere(0.1).expect("a ball");
    let here = Isometry::identity();
    for (x, gap) in [(0.0, 0.2), (0.15, 0.05), (0.25, -0.05), (0.8, 0.2)] {
        let near = shell.proximity(&here, &ball, &at(x, 0.01, 0.02), 1.0).expect("near");
        assert!((near.gap - gap).abs() < 1e-9 || x == 0.0 && near.gap > 0.17, "{x}: {}", near.gap);
    }
}

#[test]
fn a_convex_mesh_becomes_its_hull_and_a_hollow_one_its_triangles() {
    let (corners, triangles) = cube_surface(0.5);
    let cube = Shape::mesh(corners, triangles).expect("a cube");
    let cube = CollisionShape::new(&cube).expect("a cube");
    assert!(cube.is_convex());
    let ball = CollisionShape::sphere(0.1).expect("a ball");
    let near = cube.proximity(&at(0.0, 0.0, 0.0), &ball, &at(0.2, 0.1, 0.8), 1.0).expect("near");
    assert!((near.gap - 0.2).abs() < 1e-12);
}

/// A prism over a polygon in the plane z = 0 (corners anticlockwise, an ear cut at each), 1 high.
fn prism(outline: &[(f64, f64)], ears: &[[u32; 3]]) -> Shape {
    let n = outline.len() as u32;
    let level = |z: f64| outline.iter().map(move |(x, y)| Vector3::new(*x, *y, z));
    let mut triangles: Vec<[u32; 3]> = ears.iter().map(|t| t.map(|i| i + n)).collect();
    triangles.extend(ears.iter().map(|&[a, b, c]| [a, c, b]));
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([[i, j, j + n], [i, j + n, i + n]]);
    }
    Shape::mesh(level(0.0).chain(level(1.0)).collect(), triangles).expect("a prism")
}

#[test]
fn a_mesh_cut_into_convex_pieces_is_the_same_body() {
    // an L, a U, and a star of four points: pieces known by eye
    let l = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
    let l_ears = [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]];
    let u = [
        (0.0, 0.0),
        (3.0, 0.0),
        (3.0, 2.0),
        (2.0, 2.0),
        (2.0, 1.0),
        (1.0, 1.0),
        (1.0, 2.0),
        (0.0, 2.0),
    ];
    let u_ears = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [0, 4, 5], [0, 5, 7], [5, 6, 7]];
    let star = [
        (1.0, 0.0),
        (0.3, 0.3),
        (0.0, 1.0),
        (-0.3, 0.3),
        (-1.0, 0.0),
        (-0.3, -0.3),
        (0.0, -1.0),
        (0.3, -0.3),
    ];
    let star_ears = [[7, 0, 1], [1, 2, 3], [3, 4, 5], [5, 6, 7], [1, 3, 5], [1, 5, 7]];
    let mut r = Random(33);
    let dot = CollisionShape::sphere(1e-6).expect("a dot");
    let cases = [(prism(&l, &l_ears), 2), (prism(&u, &u_ears), 3), (prism(&star, &star_ears), 5)];
    for (mesh, most) in &cases {
        let pieces = CollisionShape::decomposed(mesh, 64).expect("pieces");
        assert!((2..=*most).contains(&pieces.piece_count()), "{}", pieces.piece_count());
        let few = CollisionShape::decomposed(mesh, 1);
        assert_eq!(few, Err(CollisionError::TooManyPieces { most: 1 }));
        // the volume by counting points inside, and each point near the surface on its side: the
        // surface of the mesh, met by rays from far away, is that of the pieces
        let hollow = CollisionShape::new(mesh).expect("triangles");
        let here = Isometry::identity();
        for _ in 0..500 {
            let from = r.vector(1.0).normalize() * 9.0;
            let to = Vector3::new(r.between(-1.0, 3.0), r.between(-1.0, 2.0), r.between(0.0, 1.0));
            let one = pieces.ray_cast(&here, &from, &(to - from), 20.0);
            let two = hollow.ray_cast(&here, &from, &(to - from), 20.0);
            assert_eq!(one.is_some(), two.is_some());
            if let (Some(one), Some(two)) = (one, two) {
                assert!((one.distance - two.distance).abs() < 1e-9);
                assert!((one.normal - two.normal).norm() < 1e-9);
                let inside = one.point - one.normal * 1e-3;
                let near = pieces.proximity(&here, &dot, &at(inside.x, inside.y, inside.z), 1.0);
                assert!(near.expect("near").gap < 0.0);
            }
        }
        // and such bodies meet each other
        let mut p = pipeline(&[pieces.clone(), pieces.clone()], CollisionOptions::default());
        assert!(p.update(&[here, at(0.1, 0.1, 1.0005)], 1e-3).contacts >= 3);
    }
}

#[test]
fn the_nearest_contact_has_the_distance_of_the_bodies() {
    // whatever axis or face was tried first, also one remembered from the last update
    let mut r = Random(34);
    let mut checked = 0;
    for _ in 0..1500 {
        let boxes = r.below(2) == 0;
        let shapes = [0, 1].map(|_| match boxes {
            true => {
                let half = Vector3::from_fn(|_, _| r.decades(0.2, 1.0));
                CollisionShape::cuboid(half).expect("a box")
            }
            false => solid(&mut r, 0.2, 1.0),
        });
        let mut p = pipeline(&shapes, CollisionOptions::default());
        let mut poses = [pose(&mut r, 0.5), pose(&mut r, 1.5)];
        for _ in 0..6 {
            poses[1].translation.vector += r.vector(0.02);
            poses[1].rotation *= UnitQuaternion::from_scaled_axis(r.vector(0.02));
            p.update(&poses, 0.3);
            let near = shapes[0].proximity(&poses[0], &shapes[1], &poses[1], 0.3);
            let Some(near) = near.filter(|n| n.gap > 1e-6 && n.gap < 0.29) else { continue };
            let least = p.contacts().iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
            // a face is preferred to what is better by 1e-9 of the size
            assert!((least - near.gap).abs() < 1e-8, "{least} {} {shapes:?}", near.gap);
            checked += 1;
        }
    }
    assert!(checked > 1000, "{checked}");
}
