//! Overlaps of convex solids: closed forms, agreement of two orders of cutting, the gradient
//! against differences, and no panic, jump or NaN for flat, inverted and barely touching solids.

use nalgebra::{UnitQuaternion, Vector3};
use palpable::geometry::{Cutter, Mould, Overlap, Placement};
use std::f64::consts::PI;

type Vec3 = Vector3<f64>;

/// SplitMix64: the same pairs on every machine.
struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    fn pose(&mut self, size: f64) -> Placement {
        let turn = UnitQuaternion::from_scaled_axis(self.vector(3.0));
        place(turn, self.vector(size))
    }
}

fn place(turn: UnitQuaternion<f64>, origin: Vec3) -> Placement {
    Placement { rotation: turn.to_rotation_matrix().into_inner(), origin }
}

fn moved(origin: [f64; 3]) -> Placement {
    place(UnitQuaternion::identity(), origin.into())
}

fn cut(a: &Mould, b: &Mould, at: &Placement) -> Option<Overlap> {
    Cutter::default().overlap(a, b, at, Vec3::z)
}

fn volume(a: &Mould, b: &Mould, at: &Placement) -> f64 {
    cut(a, b, at).map_or(0.0, |o| o.volume)
}

fn cube(half: f64) -> Mould {
    Mould::cuboid(&Vec3::repeat(half))
}

fn inverse(at: &Placement) -> Placement {
    Placement { rotation: at.rotation.transpose(), origin: -at.rotation.tr_mul(&at.origin) }
}

#[test]
fn coplanar_cubes_share_what_they_share() {
    let unit = cube(0.5);
    // the cases in which general mesh intersection is known to fail
    assert!((volume(&unit, &unit, &moved([0.3, 0.0, 0.0])) - 0.7).abs() < 1e-15);
    assert!((volume(&unit, &unit, &moved([0.0; 3])) - 1.0).abs() < 1e-15);
    let eighth = place(UnitQuaternion::from_scaled_axis(Vec3::z() * (PI / 4.0)), Vec3::zeros());
    let octagon = 2.0 * (2f64.sqrt() - 1.0);
    assert!((volume(&unit, &unit, &eighth) - octagon).abs() < 1e-14);
    // face on face, 1e-9 m deep: coordinates of 1 m are rounded to 1e-16 m, so 1e-7 of the depth
    let thin = cut(&unit, &unit, &moved([0.2, 0.1, 1.0 - 1e-9])).expect("an overlap");
    assert!((thin.volume / (0.8 * 0.9 * 1e-9) - 1.0).abs() < 1e-6);
    assert!((thin.normal - Vec3::z()).norm() < 1e-6);
    assert!((thin.area - 0.72).abs() < 1e-12);
    assert!((thin.center - Vec3::new(0.1, 0.05, 0.5)).norm() < 1e-8);
}

#[test]
fn a_half_space_holds_what_is_below_it() {
    let floor = Mould::half_space();
    let tilt = UnitQuaternion::from_scaled_axis(Vec3::x() * 0.1);
    for (a, b, flip) in [(&floor, &cube(1.0), 1.0), (&cube(1.0), &floor, -1.0)] {
        let cube_at = place(tilt, Vec3::new(3.0, 2.0, 0.9));
        let at = if flip > 0.0 { cube_at } else { inverse(&cube_at) };
        let found = cut(a, b, &at).expect("an overlap");
        // the lower face, a unit square of half edge 1, lies at z = 0.9 − cos 0.1 ± sin 0.1
        let (s, c) = 0.1f64.sin_cos();
        let depth = c - 0.9;
        // a wedge between the lines at which the face leaves the floor
        let wide = (depth + s) / s;
        let area = 0.5 * (depth + s) * (wide / c).min(2.0) * 2.0;
        if wide / c <= 2.0 {
            assert!((found.volume / area - 1.0).abs() < 0.02, "{} {area}", found.volume);
        }
        let up = if flip > 0.0 { found.normal } else { cube_at.rotation * found.normal };
        assert!((up - Vec3::z() * flip).norm() < 1e-14, "{up}");
    }
}

#[test]
fn balls_follow_the_formula_of_the_cap() {
    let (ball, floor) = (Mould::ball(0.02), Mould::half_space());
    for depth in [1e-9, 1e-5, 1e-3, 0.02, 0.03] {
        let found = cut(&floor, &ball, &moved([0.1, 0.2, 0.02 - depth])).expect("an overlap");
        let exact = PI * depth * depth * (0.02 - depth / 3.0);
        assert!((found.volume / exact - 1.0).abs() < 1e-7, "{depth}");
        // inside of a face of a large box it is the same
        let table = Mould::cuboid(&Vec3::new(1.0, 1.0, 0.5));
        if depth < 0.02 {
            let on_box = cut(&table, &ball, &moved([0.1, 0.2, 0.52 - depth])).expect("an overlap");
            assert!((on_box.volume / exact - 1.0).abs() < 1e-6, "{depth}");
            assert!((on_box.normal - Vec3::z()).norm() < 1e-12);
        }
    }
    // two balls: the lens
    let (r, q, d) = (0.03, 0.02, 0.04);
    let found = cut(&Mould::ball(r), &Mould::ball(q), &moved([d, 0.0, 0.0])).expect("a lens");
    let exact = PI * (r + q - d).powi(2) * (d * d + 2.0 * d * (r + q) - 3.0 * (r - q) * (r - q))
        / (12.0 * d);
    assert!((found.volume / exact - 1.0).abs() < 1e-12);
    // at the edge of a box the ball is a polyhedron: within the error that is said
    let table = Mould::cuboid(&Vec3::new(1.0, 1.0, 0.5));
    let half = cut(&table, &ball, &moved([1.0, 0.0, 0.49])).expect("an overlap");
    let whole = PI * 0.03f64.powi(2) * (0.02 - 0.01);
    assert!((2.0 * half.volume / whole - 1.0).abs() < 0.05, "{}", 2.0 * half.volume / whole);
}

#[test]
fn a_cylinder_has_the_area_of_its_circle() {
    let disc = Mould::cylinder(0.01, 0.05);
    let found = cut(&Mould::half_space(), &disc, &moved([0.0, 0.0, 0.0099])).expect("an overlap");
    assert!((found.area / (PI * 0.0025) - 1.0).abs() < 1e-12);
    assert!((found.volume / (PI * 0.0025 * 1e-4) - 1.0).abs() < 1e-9);
    let spin: f64 = found_torque(&disc);
    // ∫ r dS = 2/3 π R³, the friction torque of uniform pressure
    assert!((spin / (2.0 / 3.0 * PI * 0.05f64.powi(3)) - 1.0).abs() < 0.01, "{spin}");
}

fn found_torque(disc: &Mould) -> f64 {
    let mut cutter = Cutter::default();
    let at = moved([0.0, 0.0, 0.0099]);
    cutter.overlap(&Mould::half_space(), disc, &at, Vec3::z).expect("an overlap");
    cutter.samples.iter().map(|s| s.area * s.x.hypot(s.y)).sum()
}

/// Twenty corners on a ball: triangles in general position.
fn rock(dice: &mut Dice) -> Mould {
    let points: Vec<Vec3> = (0..20).map(|_| dice.vector(1.0).normalize()).collect();
    Mould::hull(&points)
}

#[test]
fn either_solid_may_be_cut_by_the_other() {
    let mut dice = Dice(7);
    let mut worst: f64 = 0.0;
    for _ in 0..500 {
        let (a, b) = (rock(&mut dice), Mould::cuboid(&dice.vector(1.0).abs()));
        let at = dice.pose(1.0);
        let (one, two) = (cut(&a, &b, &at), cut(&b, &a, &inverse(&at)));
        let (v, w) = (one.map_or(0.0, |o| o.volume), two.map_or(0.0, |o| o.volume));
        worst = worst.max((v - w).abs());
        if let (Some(one), Some(two)) = (one, two) {
            // action and reaction: the closed surface has no resultant
            let back = at.rotation * two.gradient;
            assert!((one.gradient + back).norm() < 1e-12, "{} {}", one.gradient, back);
            assert!((one.centroid - at.point(&two.centroid)).norm() < 1e-9 / v.max(1e-3));
        }
    }
    // volumes up to 4 m³ from some hundred products
    assert!(worst < 1e-13, "{worst:e}");
}

#[test]
fn the_gradient_is_that_of_the_volume() {
    let mut dice = Dice(11);
    let step = 1e-5;
    for _ in 0..200 {
        let (a, b) = (rock(&mut dice), rock(&mut dice));
        let at = dice.pose(1.2);
        let Some(found) = cut(&a, &b, &at) else { continue };
        for k in 0..3 {
            let d = Vec3::ith(k, step);
            // moving A by d is moving B by −d
            let shifted = |s: f64| Placement { origin: at.origin - d * s, ..at };
            let slope = (volume(&a, &b, &shifted(1.0)) - volume(&a, &b, &shifted(-1.0))) / 2.0;
            // a smooth volume: third derivative times step²; faces that begin to take part add more
            let error = (slope / step - found.gradient[k]).abs();
            assert!(error < 1e-6 * (1.0 + found.gradient.norm()), "{error:e}");
            let turned = |s: f64| {
                let q = UnitQuaternion::from_scaled_axis(-d * s).to_rotation_matrix().into_inner();
                Placement { rotation: q * at.rotation, origin: q * at.origin }
            };
            let slope = (volume(&a, &b, &turned(1.0)) - volume(&a, &b, &turned(-1.0))) / 2.0;
            let error = (slope / step - found.turn_gradient[k]).abs();
            assert!(error < 1e-6 * (1.0 + found.turn_gradient.norm()), "{error:e}");
        }
    }
}

/// A solid that may be flat, tiny, far too long, or inside out.
fn odd(dice: &mut Dice) -> Mould {
    let mut size = || match (dice.unit() * 5.0) as u32 {
        0 => 0.0,
        1 => 1e-12,
        2 => 1e-9,
        3 => 1e-3,
        _ => 1.0,
    };
    let half = Vec3::new(size(), size(), size());
    match (dice.unit() * 4.0) as u32 {
        0 => {
            let corner = |i: u32| {
                let side = |bit: u32, h: f64| if i >> bit & 1 == 1 { h } else { -h };
                Vec3::new(side(0, half.x), side(1, half.y), side(2, half.z))
            };
            // inside out, and one face is missing
            let loops = [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2]];
            let loops: Vec<Vec<u32>> = loops.iter().map(|l| l.to_vec()).collect();
            Mould::from_faces((0..8).map(corner).collect(), &loops).expect("corners that exist")
        }
        1 => {
            let points: Vec<Vec3> =
                (0..12).map(|_| dice.vector(1.0).component_mul(&half)).collect();
            Mould::hull(&points)
        }
        _ => Mould::cuboid(&half),
    }
}

/// Places that meet exactly: grid points, right angles, shared edges.
fn meeting(dice: &mut Dice) -> Placement {
    if dice.unit() < 0.5 {
        return dice.pose(1.0);
    }
    let grid = |dice: &mut Dice| ((dice.unit() * 5.0).floor() - 2.0) * 0.5;
    let nudge = if dice.unit() < 0.5 { 0.0 } else { 1e-9 };
    let origin = Vec3::new(grid(dice), grid(dice), grid(dice)) + dice.vector(nudge);
    let turn = Vec3::ith((dice.unit() * 3.0) as usize, PI / 4.0 * (dice.unit() * 8.0).floor());
    place(UnitQuaternion::from_scaled_axis(turn), origin)
}

#[test]
fn no_pair_however_degenerate_has_a_volume_that_jumps() {
    let pairs = if std::env::var_os("PALPABLE_LONG").is_some() { 1_000_000 } else { 10_000 };
    let mut dice = Dice(3);
    let mut cutter = Cutter::default();
    for pair in 0..pairs {
        let (a, b) = (odd(&mut dice), odd(&mut dice));
        let at = meeting(&mut dice);
        let found = cutter.overlap(&a, &b, &at, Vec3::z);
        if let Some(o) = found {
            let sums =
                [o.volume, o.area, o.depth, o.centroid.sum(), o.center.sum(), o.normal.sum()];
            assert!(sums.iter().all(|v| v.is_finite()), "pair {pair}: {o:?}");
            assert!(o.volume >= 0.0 && cutter.samples.iter().all(|s| s.depth.is_finite()));
        }
        let v = found.map_or(0.0, |o| o.volume);
        let near = Placement { origin: at.origin + dice.vector(1e-10), ..at };
        let w = cutter.overlap(&a, &b, &near, Vec3::z).map_or(0.0, |o| o.volume);
        // no face is larger than 8 m²; three of them move by 1e-10 m
        assert!((v - w).abs() < 1e-8, "pair {pair}: {v:e} {w:e}");
    }
}
