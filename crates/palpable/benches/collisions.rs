//! Scenes to count instructions of collision detection on:
//! `collisions pyramid|cloud|gas|cans|hulls|capsules N UPDATES`; without arguments a few updates.
//!
//! Run by `scripts/collisions` under callgrind. `cloud` rests with the same density at every
//! size, `gas` flies about in it.

use nalgebra::Vector3;
use palpable::geometry::{
    Collider, CollisionError, CollisionOptions, CollisionPipeline, CollisionShape, Isometry,
};

/// A floor and boxes at places.
fn boxes(
    half: Vector3<f64>,
    places: &[Vector3<f64>],
) -> Result<(CollisionPipeline, Vec<Isometry>), CollisionError> {
    let mut colliders = vec![Collider::new(0, CollisionShape::half_space()).still()];
    let mut poses = vec![Isometry::identity()];
    for (i, place) in places.iter().enumerate() {
        colliders.push(Collider::new(i + 1, CollisionShape::cuboid(half)?));
        poses.push(Isometry::translation(place.x, place.y, place.z));
    }
    Ok((CollisionPipeline::new(poses.len(), &colliders, CollisionOptions::default())?, poses))
}

/// Rows of blocks 1 by 2 by 1 m, each over the gap of two below.
fn pyramid(rows: &[u32]) -> Vec<Vector3<f64>> {
    let mut places = Vec::new();
    for (level, &count) in rows.iter().enumerate() {
        for k in 0..count {
            let x = (f64::from(k) - 0.5 * f64::from(count - 1)) * 1.05;
            places.push(Vector3::new(x, 0.0, 0.5 + level as f64));
        }
    }
    places
}

/// A square lattice with two boxes a unit of volume, some of which touch.
fn cloud(n: u32) -> Vec<Vector3<f64>> {
    let side = f64::from(n).cbrt().ceil() as u32;
    let place = |i: u32| {
        let cell = Vector3::new(i % side, i / side % side, i / (side * side)).map(f64::from);
        let off = Vector3::new(i * 7 % 11, i * 5 % 13, i * 3 % 7).map(|k| f64::from(k) * 0.05);
        cell * 1.3 + off + Vector3::repeat(1.0)
    };
    (0..n).map(place).collect()
}

/// Things that stand on boxes, pressed in by a tenth of a micrometre.
fn standing(
    shape: CollisionShape,
    low: f64,
    n: u32,
) -> Result<(CollisionPipeline, Vec<Isometry>), CollisionError> {
    let (mut colliders, mut poses) = (Vec::new(), Vec::new());
    for i in 0..n as usize {
        let x = 3.0 * i as f64;
        colliders.push(Collider::new(2 * i, CollisionShape::cuboid(Vector3::repeat(1.0))?).still());
        colliders.push(Collider::new(2 * i + 1, shape.clone()));
        poses.push(Isometry::translation(x, 0.0, 0.0));
        poses.push(Isometry::translation(x, 0.1, 1.0 - low - 1e-7));
    }
    Ok((CollisionPipeline::new(poses.len(), &colliders, CollisionOptions::default())?, poses))
}

/// A turned prism of `sides` sides, lying flat: a hull with `2 sides` corners.
fn prism(sides: u32) -> Result<CollisionShape, CollisionError> {
    let corner = |i: u32| {
        let turn = f64::from(i / 2) * std::f64::consts::TAU / f64::from(sides);
        Vector3::new(0.5 * turn.cos(), 0.5 * turn.sin(), f64::from(i % 2) - 0.5)
    };
    CollisionShape::convex_hull(&(0..2 * sides).map(corner).collect::<Vec<_>>())
}

fn run(kind: &str, n: u32, updates: u32) -> Result<(), CollisionError> {
    let (mut pipeline, start) = match kind {
        "pyramid" if n == 13 => boxes(Vector3::new(0.5, 1.0, 0.5), &pyramid(&[5, 4, 3, 1]))?,
        "pyramid" => {
            let base = ((8.0 * f64::from(n) + 1.0).sqrt() / 2.0).ceil() as u32;
            let rows: Vec<u32> = (1..=base).rev().collect();
            let places = pyramid(&rows);
            boxes(Vector3::new(0.5, 1.0, 0.5), &places[..(n as usize).min(places.len())])?
        }
        "cans" => standing(CollisionShape::cylinder(0.5, 0.5)?, -0.5, n)?,
        "hulls" => standing(prism(24)?, -0.5, n)?,
        "capsules" => {
            let lying = Isometry::rotation(Vector3::y() * std::f64::consts::FRAC_PI_2);
            let capsule = CollisionShape::capsule(0.5, 0.2)?;
            standing(CollisionShape::compound(&[(lying, capsule)])?, -0.2, n)?
        }
        _ => boxes(Vector3::repeat(0.5), &cloud(n))?,
    };
    let mut poses = start.clone();
    for k in 0..updates {
        // a tremor as at rest, or flight at a tenth of a box an update
        let t = f64::from(k);
        let step = if kind == "gas" { 0.1 } else { 1e-9 };
        for (i, (pose, from)) in poses.iter_mut().zip(&start).enumerate().skip(1) {
            let i = i as f64;
            let sway = Vector3::new((t + i).sin(), (t * 0.7 + 2.0 * i).sin(), (t * 0.3 + i).cos());
            pose.translation.vector = from.translation.vector + sway * step;
        }
        std::hint::black_box(pipeline.update(&poses, 0.01));
    }
    println!("{kind} {n}: {updates} updates, {:?}", pipeline.report());
    Ok(())
}

fn main() -> Result<(), CollisionError> {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let number = |i: usize| arguments.get(i).and_then(|a| a.parse().ok());
    match (arguments.first(), number(1), number(2)) {
        (Some(kind), Some(n), Some(updates)) => run(kind, n, updates),
        _ => ["pyramid", "cloud", "gas", "cans", "hulls", "capsules"]
            .into_iter()
            .try_for_each(|kind| run(kind, 13, 10)),
    }
}
