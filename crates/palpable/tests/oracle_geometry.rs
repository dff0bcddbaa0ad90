//! Mass properties against closed forms, and every refusal of a shape or an inertia.
//!
//! Physics demands: volume, first and second moments of a uniform solid. The formulas used are
//! polynomials of a few terms, so agreement is asked to 1e-12 of the largest entry, some hundred
//! roundings.

use core::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};
use palpable::geometry::{MassError, MassProperties, Shape, ShapeError, flip_winding};

const ROUNDING: f64 = 1e-12;

fn assert_close(actual: f64, expected: f64, scale: f64) {
    assert!((actual - expected).abs() <= ROUNDING * scale, "{actual} is not {expected}");
}

fn assert_same(a: &MassProperties, b: &MassProperties, size: f64) {
    assert_close(a.mass, b.mass, b.mass);
    assert!((a.center_of_mass - b.center_of_mass).norm() <= ROUNDING * size);
    assert!((a.inertia - b.inertia).amax() <= ROUNDING * b.inertia.amax());
}

fn box_corners(h: Vector3<f64>) -> Vec<Vector3<f64>> {
    (0..8)
        .map(|i| {
            let sign = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            Vector3::new(sign(0) * h.x, sign(1) * h.y, sign(2) * h.z)
        })
        .collect()
}

fn box_triangles() -> Vec<[u32; 3]> {
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect()
}

#[test]
fn a_sphere_has_two_fifths_of_its_mass_times_radius_squared() {
    let p = Shape::sphere(0.3).unwrap().mass_properties(500.0);
    let mass = 500.0 * 4.0 / 3.0 * PI * 0.027;
    assert_close(p.mass, mass, mass);
    assert_eq!(p.center_of_mass, Vector3::zeros());
    let moment = 0.4 * mass * 0.09;
    assert!((p.inertia - Matrix3::identity() * moment).amax() <= ROUNDING * moment);
}

#[test]
fn a_box_has_a_twelfth_of_its_mass_times_the_squared_edges() {
    let p = Shape::cuboid(Vector3::new(0.5, 1.0, 1.5)).unwrap().mass_properties(2.0);
    assert_close(p.mass, 12.0, 12.0);
    // edges 1, 2, 3 m: I = m/12 (b² + c²)
    let expected = Matrix3::from_diagonal(&Vector3::new(13.0, 10.0, 5.0));
    assert!((p.inertia - expected).amax() <= ROUNDING * 13.0);
}

#[test]
fn a_cylinder_along_z_has_half_its_mass_times_radius_squared_about_z() {
    let p = Shape::cylinder(0.6, 0.2).unwrap().mass_properties(1000.0);
    let mass = 1000.0 * PI * 0.04 * 1.2;
    assert_close(p.mass, mass, mass);
    assert_close(p.inertia.m33, mass * 0.02, mass);
    assert_close(p.inertia.m11, mass * (3.0 * 0.04 + 1.44) / 12.0, mass);
    assert_eq!(p.inertia.m11, p.inertia.m22);
}

#[test]
fn a_capsule_is_a_cylinder_and_two_hemispheres() {
    let (l, r, density) = (0.7, 0.25, 800.0);
    let capsule = Shape::capsule(l, r).unwrap().mass_properties(density);
    let tube = Shape::cylinder(l, r).unwrap().mass_properties(density);
    // one hemisphere: centroid 3r/8 from its flat side, I = 2/5 m r² about the flat centre
    let m = density * 2.0 / 3.0 * PI * r.powi(3);
    let about_own_center = 0.4 * m * r * r - m * (0.375 * r).powi(2);
    let across = tube.inertia.m11 + 2.0 * (about_own_center + m * (l + 0.375 * r).powi(2));
    assert_close(capsule.mass, tube.mass + 2.0 * m, capsule.mass);
    assert_close(capsule.inertia.m11, across, across);
    assert_close(capsule.inertia.m33, tube.inertia.m33 + 0.8 * m * r * r, across);
}

#[test]
fn a_box_given_as_mesh_or_hull_has_the_mass_properties_of_the_box() {
    let h = Vector3::new(0.02, 0.5, 0.11);
    let solid = Shape::cuboid(h).unwrap().mass_properties(7800.0);
    let mesh = Shape::mesh(box_corners(h), box_triangles()).unwrap();
    let hull = Shape::convex_hull(&box_corners(h)).unwrap();
    assert_same(&mesh.mass_properties(7800.0), &solid, h.norm());
    assert_same(&hull.mass_properties(7800.0), &solid, h.norm());
}

#[test]
fn a_sheet_a_million_times_wider_than_thick_keeps_its_volume_as_a_hull() {
    let h = Vector3::new(1.0, 0.8, 1e-6);
    let solid = Shape::cuboid(h).unwrap().mass_properties(1.0);
    let hull = Shape::convex_hull(&box_corners(h)).unwrap();
    assert_same(&hull.mass_properties(1.0), &solid, 1.0);
}

#[test]
fn the_corner_tetrahedron_has_its_textbook_moments() {
    // x, y, z ≥ 0, x + y + z ≤ 1: V = 1/6, centroid 1/4, ∫x² = 1/60, ∫xy = 1/120
    let corners = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    let p = Shape::convex_hull(&corners).unwrap().mass_properties(1.0);
    assert_close(p.mass, 1.0 / 6.0, 1.0);
    assert!((p.center_of_mass - Vector3::repeat(0.25)).norm() <= ROUNDING);
    let (square, product) = (1.0 / 60.0 - 1.0 / 96.0, 1.0 / 120.0 - 1.0 / 96.0);
    let diagonal = Matrix3::identity() * (2.0 * square + product);
    assert!((p.inertia - (diagonal - Matrix3::repeat(product))).amax() <= ROUNDING);
}

#[test]
fn a_hollow_box_is_the_outer_box_minus_the_cavity() {
    let (outer, inner) = (Vector3::new(0.5, 0.4, 0.3), Vector3::new(0.3, 0.2, 0.1));
    let (mut vertices, mut triangles) = (box_corners(outer), box_triangles());
    let mut cavity: Vec<_> = box_triangles().iter().map(|t| t.map(|i| i + 8)).collect();
    flip_winding(&mut cavity);
    vertices.extend(box_corners(inner));
    triangles.extend(cavity);
    let hollow = Shape::mesh(vertices, triangles).unwrap().mass_properties(1.0);
    let [a, b] = [outer, inner].map(|h| Shape::cuboid(h).unwrap().mass_properties(1.0));
    assert_close(hollow.mass, a.mass - b.mass, a.mass);
    assert!((hollow.inertia - (a.inertia - b.inertia)).amax() <= ROUNDING * a.inertia.amax());
}

#[test]
fn the_bounding_radius_reaches_the_furthest_point_from_the_origin() {
    assert_eq!(Shape::sphere(2.0).unwrap().bounding_radius(), 2.0);
    assert_eq!(Shape::capsule(1.5, 0.5).unwrap().bounding_radius(), 2.0);
    assert_eq!(Shape::cylinder(4.0, 3.0).unwrap().bounding_radius(), 5.0);
    assert_eq!(Shape::cuboid(Vector3::new(2.0, 3.0, 6.0)).unwrap().bounding_radius(), 7.0);
    let shifted: Vec<_> =
        box_corners(Vector3::repeat(1.0)).iter().map(|p| p + Vector3::new(1.0, 2.0, 5.0)).collect();
    assert_eq!(Shape::convex_hull(&shifted).unwrap().bounding_radius(), 7.0);
}

#[test]
fn a_size_that_is_not_a_positive_length_is_refused_by_name() {
    let nan = Shape::sphere(f64::NAN).unwrap_err();
    assert!(matches!(nan, ShapeError::NotFinite { field: "sphere radius", .. }));
    assert!(nan.to_string().contains("finite"));
    let zero = Shape::cylinder(0.0, 1.0).unwrap_err();
    assert_eq!(zero, ShapeError::NotPositive { field: "cylinder half_length", value: 0.0 });
    assert!(matches!(Shape::cylinder(1.0, -1.0), Err(ShapeError::NotPositive { .. })));
    assert!(matches!(Shape::capsule(1.0, f64::INFINITY), Err(ShapeError::NotFinite { .. })));
    assert!(matches!(Shape::capsule(-1.0, 1.0), Err(ShapeError::NotPositive { .. })));
    let flat = Shape::cuboid(Vector3::new(1.0, 0.0, 1.0)).unwrap_err();
    assert_eq!(flat, ShapeError::NotPositive { field: "box half_extents.y", value: 0.0 });
    assert!(matches!(Shape::sphere(1e13), Err(ShapeError::OutOfRange { .. })));
    assert!(matches!(Shape::sphere(1e-13), Err(ShapeError::OutOfRange { .. })));
}

#[test]
fn points_without_a_hull_are_refused_with_the_cure() {
    let corners = box_corners(Vector3::repeat(1.0));
    let few = Shape::convex_hull(&corners[..3]).unwrap_err();
    assert!(matches!(few, ShapeError::TooFew { count: 3, .. }));
    let repeated = vec![corners[0]; 10];
    assert!(matches!(Shape::convex_hull(&repeated), Err(ShapeError::TooFew { count: 1, .. })));
    assert!(matches!(Shape::convex_hull(&[]), Err(ShapeError::TooFew { count: 0, .. })));
    let flat = Shape::convex_hull(&corners[..4]).unwrap_err();
    assert!(matches!(flat, ShapeError::Flat { .. }) && flat.to_string().contains("plane"));
    let line: Vec<_> = (0..9).map(|i| Vector3::new(1.0, 2.0, 3.0) * i as f64).collect();
    assert!(matches!(Shape::convex_hull(&line), Err(ShapeError::Flat { .. })));
    let mut bad = corners.clone();
    bad[5].z = f64::NAN;
    assert!(matches!(Shape::convex_hull(&bad), Err(ShapeError::NotFinite { .. })));
    bad[5].z = 1e200;
    assert!(matches!(Shape::convex_hull(&bad), Err(ShapeError::OutOfRange { .. })));
    let tiny: Vec<_> = corners.iter().map(|p| p * 1e-200).collect();
    assert!(matches!(Shape::convex_hull(&tiny), Err(ShapeError::OutOfRange { .. })));
}

#[test]
fn a_mesh_that_is_not_the_boundary_of_a_solid_is_refused_with_the_cure() {
    let corners = box_corners(Vector3::repeat(1.0));
    let refused = |t: Vec<[u32; 3]>| Shape::mesh(corners.clone(), t).unwrap_err();

    let open = refused(box_triangles()[1..].to_vec());
    assert!(matches!(open, ShapeError::Open { .. }) && open.to_string().contains("close the hole"));

    let mut mixed = box_triangles();
    mixed[4].swap(0, 1);
    assert!(matches!(refused(mixed), ShapeError::MixedWinding { .. }));

    let mut inverted = box_triangles();
    flip_winding(&mut inverted);
    let inside_out = refused(inverted.clone());
    assert_eq!(inside_out, ShapeError::InsideOut { volume: -8.0 });
    assert!(inside_out.to_string().contains("flip_winding"));
    flip_winding(&mut inverted);
    assert!(Shape::mesh(corners.clone(), inverted).is_ok());

    let mut stray = box_triangles();
    stray[7][2] = 8;
    let expected = ShapeError::IndexOutOfRange { triangle: 7, vertex: 8, vertex_count: 8 };
    assert_eq!(refused(stray), expected);

    assert!(matches!(refused(vec![]), ShapeError::TooFew { count: 0, .. }));
    let sheet = vec![[0, 1, 2], [0, 2, 1], [1, 3, 2], [1, 2, 3]];
    assert!(matches!(refused(sheet), ShapeError::Flat { .. }));
    let nan = Shape::mesh(vec![Vector3::repeat(f64::NAN); 8], box_triangles());
    assert!(matches!(nan, Err(ShapeError::NotFinite { .. })));
}

#[test]
fn seams_and_degenerate_triangles_do_not_open_a_mesh() {
    // every triangle with corners of its own, as in an STL file, zeros of either sign, and two
    // slivers
    let h = Vector3::new(0.1, 0.2, 0.3);
    let corners: Vec<_> = box_corners(h).iter().map(|p| p + h).collect();
    let mut soup: Vec<_> = box_triangles().iter().flatten().map(|&i| corners[i as usize]).collect();
    soup.iter_mut().step_by(2).filter(|p| p.x == 0.0).for_each(|p| p.x = -0.0);
    let mut triangles: Vec<_> = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    triangles.extend([[0, 0, 1], [5, 5, 5]]);
    let shape = Shape::mesh(soup, triangles).unwrap();
    assert_close(shape.volume(), 0.048, 0.048);
}

fn explicit(mass: f64, inertia: Matrix3<f64>) -> MassProperties {
    MassProperties { mass, center_of_mass: Vector3::zeros(), inertia }
}

fn diagonal(x: f64, y: f64, z: f64) -> Matrix3<f64> {
    Matrix3::from_diagonal(&Vector3::new(x, y, z))
}

#[test]
fn matter_that_cannot_exist_is_refused_with_the_cure() {
    let refused = |mass, inertia| explicit(mass, inertia).validate().unwrap_err();
    let fine = diagonal(1.0, 1.0, 1.5);
    assert_eq!(explicit(1.0, fine).validate(), Ok(()));
    assert_eq!(refused(0.0, fine), MassError::Mass(0.0));
    assert!(matches!(refused(f64::NAN, fine), MassError::Mass(_)));
    assert!(matches!(refused(f64::INFINITY, fine), MassError::Mass(_)));
    assert!(matches!(refused(1.0, fine * f64::NAN), MassError::NotFinite(_)));
    let mut lost = explicit(1.0, fine);
    lost.center_of_mass.y = f64::INFINITY;
    assert!(matches!(lost.validate(), Err(MassError::CenterOfMass(_))));
    let mut skewed = fine;
    skewed.m12 = 0.3;
    assert!(matches!(refused(1.0, skewed), MassError::NotSymmetric { row: 0, column: 1, .. }));
    assert_eq!(refused(1.0, diagonal(0.0, 1.0, 1.0)), MassError::NotPositive(0.0));
    assert!(matches!(refused(1.0, diagonal(1.0, -1.0, 1.0)), MassError::NotPositive(_)));
    // products of inertia can make a moment negative though the diagonal is positive
    let mut wild = fine;
    (wild.m12, wild.m21) = (1.5, 1.5);
    assert!(matches!(refused(1.0, wild), MassError::NotPositive(_)));
    let impossible = refused(1.0, diagonal(1.0, 1.0, 2.1));
    assert!(matches!(impossible, MassError::Triangle { largest: 2.1, .. }));
    assert!(impossible.to_string().contains("about the centre of mass"));
    let no_density = Shape::sphere(1.0).unwrap().mass_properties(-1.0);
    assert!(matches!(no_density.validate(), Err(MassError::Mass(_))));
}

#[test]
fn a_thin_plate_typed_with_six_digits_is_accepted() {
    assert_eq!(explicit(1.0, diagonal(8.33333e-3, 8.33333e-3, 1.66667e-2)).validate(), Ok(()));
}
