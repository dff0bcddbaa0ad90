//! Four boxes on top of each other, the uppermost a thousand times heavier, stand still.

use palpable::{Body, BuildErrors, Inputs, Material, Model, World};

fn main() -> Result<(), BuildErrors> {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]);
    let rough = Material::new(0.5, 0.0);
    model.body(Body::half_space("table").material(rough));
    let mut boxes = Vec::new();
    for i in 0..4 {
        let mass = if i == 3 { 1000.0 } else { 1.0 };
        let at = [0.0, 0.0, 0.05 + 0.1 * f64::from(i)];
        let next = Body::cuboid(format!("box {i}"), [0.05; 3]).mass(mass);
        boxes.push((model.body(next.position(at).material(rough)), at[2]));
    }
    let mut world = World::new(model.build()?);
    for _ in 0..2000 {
        assert!(world.step(5e-3, &Inputs::none()).status.is_taken());
    }
    let sunk = boxes.iter().map(|(b, z)| z - world.pose(*b).position.z).fold(0.0, f64::max);
    let asleep = boxes.iter().filter(|(b, _)| world.is_asleep(*b)).count();
    println!("after 10 s: sunk by {:.2} nm, {asleep} of {} asleep", 1e9 * sunk, boxes.len());
    assert!(sunk < 1e-7 && asleep == boxes.len() && world.audit().is_clean());
    Ok(())
}
