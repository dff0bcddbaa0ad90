//! Blocks on a slope: friction of 0.5 holds up to 26.6 degrees; beyond, they slide as they should.

use palpable::{Body, BuildErrors, Inputs, Material, Model, World};

const G: f64 = 9.81;
const MU: f64 = 0.5;

/// How far a block slides down a slope in a second [m].
fn slide(angle: f64) -> Result<f64, BuildErrors> {
    let mut model = Model::builder();
    // the slope stays level and gravity leans
    model.gravity([G * angle.sin(), 0.0, -G * angle.cos()]);
    let material = Material::new(MU, 0.0);
    model.body(Body::half_space("slope").material(material));
    let block = Body::cuboid("block", [0.1, 0.1, 0.02]).mass(1.0).position([0.0, 0.0, 0.02]);
    let block = model.body(block.material(material));
    let mut world = World::new(model.build()?);
    for _ in 0..1000 {
        assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
    }
    assert!(world.audit().is_clean());
    Ok(world.pose(block).position.x)
}

fn main() -> Result<(), BuildErrors> {
    for degrees in [20.0, 26.0, 27.0, 35.0, 45.0] {
        let angle = f64::to_radians(degrees);
        let slid = slide(angle)?;
        // the surplus of gravity over friction, for a second
        let expected = 0.5 * G * (angle.sin() - MU * angle.cos()).max(0.0);
        println!("{degrees:2} degrees: slid {slid:.6} m, Coulomb says {expected:.6} m");
        assert!((slid - expected).abs() < 1e-6, "{slid} against {expected}");
    }
    Ok(())
}
