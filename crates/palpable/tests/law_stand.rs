//! Laws of what masons and children build: it stands, at any step, however high, from the first
//! step on.

use palpable::*;
use std::f64::consts::PI;

const G: f64 = 9.81;

/// One stone: half its edges or its corners, where it lies, how it leans about y [rad], its mass.
struct Stone {
    half: [f64; 3],
    corners: Vec<Vec3>,
    at: [f64; 3],
    lean: f64,
    mass: f64,
}

fn brick(half: [f64; 3], at: [f64; 3]) -> Stone {
    Stone { half, corners: Vec::new(), at, lean: 0.0, mass: 1.0 }
}

/// Rows of bricks in a bond, side by side without a gap.
fn wall(rows: usize, columns: usize) -> Vec<Stone> {
    let place = |row: usize, k: usize| {
        let x = 0.2 * k as f64 + 0.1 * (row % 2) as f64;
        brick([0.1, 0.05, 0.0325], [x, 0.0, 0.0325 + 0.065 * row as f64])
    };
    (0..rows).flat_map(|row| (0..columns).map(move |k| place(row, k))).collect()
}

/// Rows of blocks, one less in each, that overlap by nearly half.
fn pyramid(base: usize) -> Vec<Stone> {
    let row = |n: usize| {
        let at = move |k: usize| 2.1 * (k as f64 - 0.5 * (n - 1) as f64);
        (0..n).map(move |k| brick([1.0, 0.5, 0.5], [at(k), 0.0, 0.5 + (base - n) as f64]))
    };
    (1..=base).rev().flat_map(row).collect()
}

/// Cubes side by side and on top of each other.
fn grid(count: usize) -> Vec<Stone> {
    let place = |i: usize| {
        let [x, y, z] = [i % count, i / count % count, i / count / count].map(|k| 0.1 * k as f64);
        brick([0.05; 3], [x, y, 0.05 + z])
    };
    (0..count.pow(3)).map(place).collect()
}

/// Leaning pairs of cards of 2 g under cards that lie across their tips.
fn cards(storeys: usize) -> Vec<Stone> {
    let (half, thin, wide, lean) = (0.044, 0.0015, 0.031, PI / 10.0);
    let rise = half * lean.cos() + thin * lean.sin();
    let reach = half * lean.sin() + thin * lean.cos();
    let mut out = Vec::new();
    for storey in 0..storeys {
        let (pairs, floor) = (storeys - storey, storey as f64 * 2.0 * (rise + thin));
        let middle = |p: usize, n: usize| (p as f64 - 0.5 * (n as f64 - 1.0)) * 4.0 * reach;
        for p in 0..pairs {
            for side in [-1.0, 1.0] {
                let at = [middle(p, pairs) + side * reach, 0.0, floor + rise];
                let card = brick([thin, wide, half], at);
                out.push(Stone { lean: -side * lean, mass: 0.002, ..card });
            }
        }
        for p in 1..pairs {
            let at = [middle(p - 1, pairs - 1), 0.0, floor + 2.0 * rise + thin];
            out.push(Stone { mass: 0.002, ..brick([2.0 * reach - 0.0005, wide, thin], at) });
        }
    }
    out
}

/// Stones between two half circles.
fn arch(stones: usize) -> Vec<Stone> {
    let stone = |i: usize| {
        let ends = [i, i + 1].map(|k| PI * k as f64 / stones as f64);
        let mut corners = Vec::new();
        for end in ends {
            for (r, y) in [(1.0, -0.15), (1.0, 0.15), (1.25, -0.15), (1.25, 0.15)] {
                corners.push(Vec3::new(r * end.cos(), y, r * end.sin()));
            }
        }
        let middle = corners.iter().sum::<Vec3>() / 8.0;
        corners.iter_mut().for_each(|c| *c -= middle);
        Stone { corners, ..brick([0.0; 3], middle.into()) }
    };
    (0..stones).map(stone).collect()
}

/// A world of stones on a floor, awake for ever, and where they begin.
fn build(stones: &[Stone], mu: f64) -> (World, Vec<(BodyId, Vec3)>) {
    let (mut model, rough) = (Model::builder(), Material::new(mu, 0.0));
    model.gravity([0.0, 0.0, -G]);
    model.body(Body::half_space("floor").material(rough));
    let mut ids = Vec::new();
    for (i, stone) in stones.iter().enumerate() {
        let body = match stone.corners.is_empty() {
            true => Body::cuboid(format!("{i}"), stone.half),
            false => Body::convex_hull(format!("{i}"), &stone.corners),
        };
        let turn = Rotation::new(Vec3::new(0.0, stone.lean, 0.0));
        let body = body.mass(stone.mass).position(stone.at).rotation(turn).material(rough);
        ids.push((model.body(body), Vec3::from(stone.at)));
    }
    let options = Options { sleeping: Sleeping::NEVER, ..Default::default() };
    let world = World::with_options(model.build().expect("a building"), options);
    (world.expect("options that fit"), ids)
}

/// A step, after which there is no more energy than before: but for the rounding of totals, which
/// are sums of accounts that may be larger than they.
fn step(world: &mut World, h: f64) -> StepReport {
    let before = world.energy();
    let report = world.step(h, &Inputs::none());
    let size = before.kinetic + before.gravity.abs() + before.tank;
    let allowed = 1e-13 * report.entry.in_play + 4.0 * f64::EPSILON * size;
    let rise = world.energy().total() - before.total();
    assert!(rise <= allowed, "{rise:e} J");
    report
}

/// Furthest way of a stone so far [m].
fn moved(world: &World, ids: &[(BodyId, Vec3)]) -> f64 {
    let way = ids.iter().map(|(b, at)| (world.pose(*b).position - at).norm());
    way.fold(0.0, f64::max)
}

/// Speed of the fastest stone [m/s].
fn speed(world: &World, ids: &[(BodyId, Vec3)]) -> f64 {
    ids.iter().map(|(b, _)| world.velocity(*b).norm()).fold(0.0, f64::max)
}

#[test]
fn buildings_stand_from_the_first_step_on() {
    // a minute in the long run; the errors of the first steps are the largest
    let long = std::env::var_os("PALPABLE_LONG").is_some();
    let buildings: [(&str, Vec<Stone>, f64); 5] = [
        ("wall of 200", wall(10, 20), 0.5),
        ("pyramid of 190", pyramid(19), 0.5),
        ("cube of 27", grid(3), 0.3),
        ("four storeys of cards", cards(4), 0.5),
        ("arch of 15", arch(15), 0.7),
    ];
    for (name, stones, mu) in &buildings {
        for h in [1e-3, 5e-3] {
            let (mut world, ids) = build(stones, *mu);
            let mut fastest = 0.0f64;
            let steps = if long { (60.0 / h) as usize } else { 200 };
            for _ in 0..steps {
                let report = step(&mut world, h);
                assert!(report.gate.is_idle() && report.contact.dropped == 0, "{name}");
                fastest = fastest.max(speed(&world, &ids));
            }
            let way = moved(&world, &ids);
            println!("{name}, {h} s: moved {way:e} m, never faster than {fastest:e} m/s");
            // a tenth of a millimetre in a minute; falling freely for a step gives g h
            assert!(way < 1e-5 && fastest < 1e-2 * G * h, "{name}, {h}: {way:e} {fastest:e}");
        }
    }
}

#[test]
fn a_wall_that_was_hit_comes_to_rest_again() {
    let mut stones = wall(6, 10);
    let ball = stones.len();
    stones.push(Stone { mass: 0.2, ..brick([0.03; 3], [0.9, -1.0, 0.2]) });
    let (mut world, ids) = build(&stones, 0.5);
    let thrown = world.set_velocity(ids[ball].0, [0.0, 3.0, 1.5], [0.0; 3]);
    assert!(thrown.is_ok());
    for _ in 0..3000 {
        let _ = step(&mut world, 1e-3);
    }
    let (fastest, way) = (speed(&world, &ids), moved(&world, &ids[..ball]));
    println!("a brick moved {way:e} m; at rest to {fastest:e} m/s");
    assert!(way > 1e-4, "the ball missed");
    assert!(fastest < 1e-5, "{fastest:e}");
}
