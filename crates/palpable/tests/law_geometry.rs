//! Laws of mass properties: how they move, turn, scale and add, for any size.
//!
//! Physics demands: the parallel-axis law, covariance under rotation, independence of the order
//! in which a surface is listed, the triangle inequality of principal moments. Tolerances are a
//! few thousand roundings of the largest entry, unless a reason is given.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use palpable::geometry::{MassProperties, Principal, Shape};
use proptest::prelude::*;

fn length() -> impl Strategy<Value = f64> {
    (-6.0..3.0_f64).prop_map(|e| 10f64.powf(e))
}

fn vector(size: f64) -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform3(-size..size).prop_map(Vector3::from)
}

fn rotation() -> impl Strategy<Value = UnitQuaternion<f64>> {
    vector(3.1).prop_map(UnitQuaternion::from_scaled_axis)
}

/// Four points whose tetrahedron is not too flat for its moments to be compared.
fn tetrahedron() -> impl Strategy<Value = [Vector3<f64>; 4]> {
    prop::array::uniform4(vector(1.0))
        .prop_filter("thin", |[a, b, c, d]| (b - a).cross(&(c - a)).dot(&(d - a)).abs() > 1e-3)
}

fn parallel_axis(p: &MassProperties, point: &Vector3<f64>) -> Matrix3<f64> {
    let r = p.center_of_mass - point;
    p.inertia + (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * p.mass
}

/// Inertia about the origin of a tetrahedron by a rule exact for quadratic integrands: the four
/// points at `a = (5 − √5)/20` weigh a quarter each.
fn by_quadrature(corners: &[Vector3<f64>; 4]) -> (f64, Matrix3<f64>) {
    let [a, b, c, d] = corners;
    let volume = (b - a).cross(&(c - a)).dot(&(d - a)).abs() / 6.0;
    let w = (5.0 - 5f64.sqrt()) / 20.0;
    let sum: Vector3<f64> = corners.iter().sum();
    let inertia = corners.iter().map(|corner| {
        let r = sum * w + corner * (1.0 - 4.0 * w);
        (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * (volume / 4.0)
    });
    (volume, inertia.sum())
}

fn primitive() -> impl Strategy<Value = Shape> {
    (0..4, length(), length(), length()).prop_map(|(kind, a, b, c)| match kind {
        0 => Shape::sphere(a).unwrap(),
        1 => Shape::cuboid(Vector3::new(a, b, c)).unwrap(),
        2 => Shape::capsule(a, b).unwrap(),
        _ => Shape::cylinder(a, b).unwrap(),
    })
}

fn surface_of(shape: &Shape) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    match shape {
        Shape::ConvexHull { surface } | Shape::Mesh { surface } => {
            (surface.vertices().to_vec(), surface.triangles().to_vec())
        }
        _ => (vec![], vec![]),
    }
}

/// Points that trouble hull algorithms: grids, prisms, thin layers, near-duplicates.
fn awkward_points() -> impl Strategy<Value = Vec<Vector3<f64>>> {
    let coordinate = prop::array::uniform3(0.0..1.0_f64);
    (0..5, length(), prop::collection::vec(coordinate, 4..60)).prop_map(|(kind, thin, raw)| {
        let grid = |x: f64| (x * 4.0).floor();
        raw.into_iter()
            .map(|[x, y, z]| match kind {
                0 => Vector3::new(x, y, z),
                1 => Vector3::new(grid(x), grid(y), grid(z)),
                2 => Vector3::new(grid(x), grid(y) * 0.1, grid(z) * thin.min(1.0)),
                3 => {
                    let (sin, cos) = (grid(x) * 0.4 + grid(y) * 1.6).sin_cos();
                    Vector3::new(cos, sin, grid(z))
                }
                _ => Vector3::new(grid(x), grid(y), grid(z)) + Vector3::new(x, y, z) * 1e-14,
            })
            .collect()
    })
}

fn quiet(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

proptest! {
    #![proptest_config(quiet(400))]

    #[test]
    fn any_tetrahedron_agrees_with_an_exact_quadrature(corners in tetrahedron()) {
        let p = Shape::convex_hull(&corners).unwrap().mass_properties(1.0);
        let (volume, about_origin) = by_quadrature(&corners);
        prop_assert!((p.mass - volume).abs() <= 1e-12 * volume);
        let center = corners.iter().sum::<Vector3<f64>>() / 4.0;
        prop_assert!((p.center_of_mass - center).norm() <= 1e-12);
        let ours = parallel_axis(&p, &Vector3::zeros());
        prop_assert!((ours - about_origin).amax() <= 1e-12 * about_origin.amax());
    }

    #[test]
    fn a_moved_body_keeps_its_mass_and_its_inertia_about_its_center(
        corners in tetrahedron(), shift in vector(1.0),
    ) {
        let there = corners.map(|p| p + shift);
        let a = Shape::convex_hull(&corners).unwrap().mass_properties(3.0);
        let b = Shape::convex_hull(&there).unwrap().mass_properties(3.0);
        // the shift rounds each coordinate, which a thin tetrahedron (volume 2e-4) magnifies
        prop_assert!((a.mass - b.mass).abs() <= 1e-11 * a.mass);
        prop_assert!((a.center_of_mass + shift - b.center_of_mass).norm() <= 1e-11);
        prop_assert!((a.inertia - b.inertia).amax() <= 1e-11 * a.inertia.amax());
        // and the parallel-axis law: seen from one fixed point, the inertia grows by m d²
        let seen = parallel_axis(&b, &shift);
        prop_assert!((seen - parallel_axis(&a, &Vector3::zeros())).amax() <= 1e-11 * seen.amax());
    }

    #[test]
    fn a_turned_body_has_the_turned_inertia(corners in tetrahedron(), turn in rotation()) {
        let turned = corners.map(|p| turn * p);
        let a = Shape::convex_hull(&corners).unwrap().mass_properties(3.0);
        let b = Shape::convex_hull(&turned).unwrap().mass_properties(3.0);
        let r = turn.to_rotation_matrix();
        let expected = r * a.inertia * r.transpose();
        prop_assert!((expected - b.inertia).amax() <= 1e-11 * b.inertia.amax());
        prop_assert!((turn * a.center_of_mass - b.center_of_mass).norm() <= 1e-11);
    }

    #[test]
    fn listing_a_surface_in_another_order_changes_nothing(
        points in prop::collection::vec(vector(1.0), 12..40), seed in 0usize..1000,
    ) {
        let hull = Shape::convex_hull(&points).unwrap();
        let (vertices, triangles) = surface_of(&hull);
        let n = vertices.len();
        let renamed = |i: u32| (n - 1 - i as usize) as u32;
        let mut reordered: Vec<_> =
            triangles.iter().map(|&[a, b, c]| [renamed(b), renamed(c), renamed(a)]).collect();
        let middle = seed % reordered.len();
        reordered.rotate_left(middle);
        let mesh = Shape::mesh(vertices.into_iter().rev().collect(), reordered).unwrap();
        let (a, b) = (hull.mass_properties(2.0), mesh.mass_properties(2.0));
        prop_assert!((a.mass - b.mass).abs() <= 1e-13 * a.mass);
        prop_assert!((a.inertia - b.inertia).amax() <= 1e-13 * a.inertia.amax());
    }

    #[test]
    fn a_primitive_of_any_size_is_possible_matter_and_already_principal(
        shape in primitive(), density in length(),
    ) {
        let p = shape.mass_properties(density);
        prop_assert_eq!(p.validate(), Ok(()));
        let Principal { axes: turn, moments } = p.principal();
        prop_assert_eq!(turn, UnitQuaternion::identity());
        prop_assert_eq!(moments, p.inertia.diagonal());
        prop_assert!(shape.bounding_radius() > 0.0 && shape.bounding_radius().is_finite());
    }

    #[test]
    fn a_box_of_any_size_is_the_same_as_its_mesh_and_hull(
        a in length(), b in length(), c in length(),
    ) {
        let h = Vector3::new(a, b, c);
        let solid = Shape::cuboid(h).unwrap().mass_properties(1.0);
        let corners: Vec<_> = (0..8)
            .map(|i| h.component_mul(&Vector3::new(1, 2, 4).map(|bit| {
                if i & bit == 0 { -1.0 } else { 1.0 }
            })))
            .collect();
        let hull = Shape::convex_hull(&corners).unwrap();
        let (vertices, triangles) = surface_of(&hull);
        prop_assert_eq!((vertices.len(), triangles.len()), (8, 12));
        let mesh = Shape::mesh(vertices, triangles).unwrap();
        for p in [hull.mass_properties(1.0), mesh.mass_properties(1.0)] {
            prop_assert!((p.mass - solid.mass).abs() <= 1e-12 * solid.mass);
            // each moment by itself: a needle keeps the small one about its axis
            for i in 0..3 {
                let (ours, exact) = (p.inertia[(i, i)], solid.inertia[(i, i)]);
                prop_assert!((ours - exact).abs() <= 1e-12 * exact);
            }
            prop_assert_eq!(p.validate(), Ok(()));
        }
    }

    #[test]
    fn principal_axes_rebuild_any_inertia(turn in rotation(), corners in tetrahedron()) {
        let p = Shape::convex_hull(&corners.map(|p| turn * p)).unwrap().mass_properties(1.0);
        let Principal { axes, moments } = p.principal();
        let r = axes.to_rotation_matrix();
        let rebuilt = r * Matrix3::from_diagonal(&moments) * r.transpose();
        prop_assert!((rebuilt - p.inertia).amax() <= 1e-13 * p.inertia.amax());
        prop_assert!((r.matrix().determinant() - 1.0).abs() <= 1e-14);
        prop_assert_eq!(p.validate(), Ok(()));
    }

    #[test]
    fn repeated_moments_leave_no_trace_of_the_turn_they_hide(
        turn in rotation(), a in 0.5..1.0_f64, b in 0.5..1.0_f64,
    ) {
        // a symmetric top turned anyhow: two equal moments, found to rounding
        let r = turn.to_rotation_matrix();
        let inertia = r * Matrix3::from_diagonal(&Vector3::new(a, a, b)) * r.transpose();
        let p = MassProperties { mass: 1.0, center_of_mass: Vector3::zeros(), inertia };
        let Principal { axes, moments } = p.principal();
        let mut sorted: [f64; 3] = moments.into();
        sorted.sort_by(f64::total_cmp);
        let mut expected = [a, a, b];
        expected.sort_by(f64::total_cmp);
        for (x, y) in sorted.iter().zip(expected) {
            prop_assert!((x - y).abs() <= 1e-13);
        }
        let q = axes.to_rotation_matrix();
        let rebuilt = q * Matrix3::from_diagonal(&moments) * q.transpose();
        prop_assert!((rebuilt - inertia).amax() <= 1e-13);
        // a ball stays as it is, whatever rounding left in its products
        let noisy = Matrix3::identity() * a + r.matrix() * (1e-15 * a);
        let ball = MassProperties { inertia: noisy, ..p };
        prop_assert_eq!(ball.principal().axes, UnitQuaternion::identity());
    }

    #[test]
    fn no_point_lies_outside_the_hull_of_its_set(points in awkward_points()) {
        let Ok(hull) = Shape::convex_hull(&points) else { return Ok(()) };
        let (vertices, triangles) = surface_of(&hull);
        // closed and of genus 0: V − E + F = 2 with 2E = 3F
        prop_assert_eq!(2 * vertices.len(), triangles.len() + 4);
        let size = hull.bounding_radius();
        for corners in triangles {
            let [a, b, c] = corners.map(|i| vertices[i as usize]);
            let normal = (b - a).cross(&(c - a));
            for p in &points {
                let height = (p - a).dot(&normal);
                // the heights themselves are rounded, by the size of the products in them
                prop_assert!(height <= 1e-14 * size * (b - a).norm() * (c - a).norm());
            }
        }
    }

    #[test]
    fn shapes_are_refused_or_sound_for_any_bit_pattern(
        raw in prop::collection::vec(prop::array::uniform3(any::<f64>()), 0..12),
        triangles in prop::collection::vec(prop::array::uniform3(0u32..12), 0..12),
        size in any::<f64>(),
    ) {
        let points: Vec<_> = raw.into_iter().map(Vector3::from).collect();
        let made = [
            Shape::convex_hull(&points),
            Shape::mesh(points, triangles),
            Shape::sphere(size),
            Shape::cuboid(Vector3::new(size, 1.0, 1.0)),
            Shape::capsule(1.0, size),
            Shape::cylinder(size, 1.0),
        ];
        for shape in made.into_iter().flatten() {
            prop_assert!(shape.mass_properties(1.0).mass > 0.0);
        }
        let wild = MassProperties {
            mass: size,
            center_of_mass: Vector3::repeat(size),
            inertia: Matrix3::new(size, 1.0, size, 2.0, 3.0, size, size, f64::NAN, 1.0),
        };
        prop_assert!(wild.validate().is_err());
        let _ = wild.principal();
    }
}

#[test]
fn the_hull_of_many_points_on_a_sphere_has_them_all_as_corners() {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let count = 2000;
    let points: Vec<_> = (0..count)
        .map(|i| {
            let z = 1.0 - 2.0 * (i as f64 + 0.5) / count as f64;
            let angle = core::f64::consts::TAU * golden * i as f64;
            let r = (1.0 - z * z).sqrt();
            Vector3::new(r * angle.cos(), r * angle.sin(), z)
        })
        .collect();
    let hull = Shape::convex_hull(&points).unwrap();
    assert_eq!(surface_of(&hull).0.len(), count);
    // an inscribed polyhedron of n equal facets misses about 5/n of the ball: 0.3 % here
    let ball = Shape::sphere(1.0).unwrap().volume();
    assert!(hull.volume() < ball && hull.volume() > 0.99 * ball);
}

#[test]
fn the_hull_of_a_grid_has_no_triangle_without_area() {
    let points: Vec<_> = (0..125)
        .map(|i| Vector3::new((i % 5) as f64, (i / 5 % 5) as f64, (i / 25) as f64))
        .collect();
    let hull = Shape::convex_hull(&points).unwrap();
    assert_eq!(hull.volume(), 64.0);
    let (vertices, triangles) = surface_of(&hull);
    for corners in triangles {
        let [a, b, c] = corners.map(|i| vertices[i as usize]);
        assert!((b - a).cross(&(c - a)) != Vector3::zeros());
    }
}
