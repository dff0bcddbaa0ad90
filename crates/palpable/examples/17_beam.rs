//! The flexible beam of [Kim2017 sec. 5.2]: bent, let go, and heard at its own frequency.

use palpable::{Beam, BuildErrors, Inputs, Model, World};
use std::f64::consts::TAU;

/// 0.907 x 0.05 x 0.012 m of aluminium.
fn aluminium() -> Beam {
    Beam::rectangular("beam", [0.907, 0.05, 0.012], 2698.09, 68.9e9)
}

fn build() -> Result<World, BuildErrors> {
    let mut model = Model::ghosts();
    // 1 cm of the first mode: the tip begins 2 cm out
    model.beam(aluminium().modes(3).start(vec![(0.01, 0.0)]));
    Ok(World::new(model.build()?))
}

fn main() -> Result<(), BuildErrors> {
    let mut world = build()?;
    let tip = world.body_named("beam 9").expect("root, eight stations, tip");
    let (h, start) = (1e-3, world.energy().total());
    let (mut last, mut crossings) = (world.pose(tip).position.y, Vec::new());
    while world.time() < 4.0 {
        assert!(world.step(h, &Inputs::none()).status.is_taken());
        let y = world.pose(tip).position.y;
        if last < 0.0 && y >= 0.0 {
            crossings.push(world.time() - h * y / (y - last));
        }
        last = y;
    }
    let turns = crossings.len() - 1;
    let heard = turns as f64 / (crossings[turns] - crossings[0]);
    let free = aluminium().frequency(0) / TAU;
    // the midpoint rule lowers it a little: 2 atan(ωh/2)/h
    let lowered = 2.0 * (0.5 * h * free * TAU).atan() / (h * TAU);
    let drift = world.energy().total() / start - 1.0;
    println!("the tip swings at {heard:.4} Hz; the beam's own is {free:.4} Hz");
    println!("its energy changed by {drift:.0e} of itself in 4 s");
    assert!((heard / lowered - 1.0).abs() < 1e-4 && drift.abs() < 1e-12);
    Ok(())
}
