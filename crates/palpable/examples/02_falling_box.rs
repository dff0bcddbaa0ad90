//! A box falls, lands on its face and lies still: what it had is what the impact took.

use palpable::{Body, BuildErrors, Inputs, Model, World};

const G: f64 = 9.81;

fn main() -> Result<(), BuildErrors> {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]);
    model.body(Body::half_space("floor"));
    // half extents: the box is 20 cm wide, its lower face 1 m above the floor
    let fallen = model.body(Body::cuboid("box", [0.1; 3]).mass(2.0).position([0.0, 0.0, 1.1]));
    let mut world = World::new(model.build()?);
    let mut landed = None;
    for _ in 0..1000 {
        let report = world.step(1e-3, &Inputs::none());
        assert!(report.status.is_taken());
        if landed.is_none() && world.contact_force(fallen).z > 0.0 {
            landed = Some(report.time);
        }
    }
    let (landed, z) = (landed.expect("it fell"), world.pose(fallen).position.z);
    let lost = world.ledger().totals().impact;
    println!("landed after {landed:.3} s, lies at {z:.9} m, asleep: {}", world.is_asleep(fallen));
    println!("the impact took {lost:.6} J of {:.6} J", 2.0 * G);
    assert!((landed - (2.0 / G).sqrt()).abs() <= 2e-3);
    // gravity is taken as it is over whole steps: the box may land a step early or late
    assert!((z - 0.1).abs() < 1e-6 && (lost / (2.0 * G) - 1.0).abs() < 1e-3);
    assert!(world.audit().is_clean());
    Ok(())
}
