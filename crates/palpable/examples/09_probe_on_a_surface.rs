//! A hand leads a ball over a table: the hand goes below the surface, the ball stays on it, and
//! what is felt is the spring between them and the drag of friction.

use palpable::{Body, BuildErrors, Material, Model, Port, PortInput, Rotation, Vec3, Vec6, World};

const K: f64 = 1000.0;
const MU: f64 = 0.3;

fn main() -> Result<(), BuildErrors> {
    let mut model = Model::builder();
    let slippery = Material::new(MU, 0.0);
    model.body(Body::half_space("table").material(slippery));
    let probe = Body::sphere("probe", 0.01).mass(0.02).position([0.0, 0.0, 0.02]);
    let probe = model.body(probe.material(slippery));
    let stiffness = Vec6::new(K, K, K, 1.0, 1.0, 1.0);
    let hand = model.port(Port::reference("hand", probe.origin(), stiffness, stiffness * 2e-3));
    let mut world = World::new(model.build()?);
    let mut inputs = world.inputs();
    let mut deepest = 0.0f64;
    for tick in 0..3000 {
        let t = f64::from(tick) * 1e-3;
        // down for a second, to 4 mm below where the ball can be, then along the table
        let z = 0.02 - 0.014 * t.min(1.0);
        let position = Vec3::new(0.05 * (t - 1.0).max(0.0), 0.0, z);
        inputs.set(hand, PortInput::Reference { position, rotation: Rotation::identity() });
        assert!(world.step(1e-3, &inputs).status.is_taken());
        deepest = deepest.max(0.01 - world.pose(probe).position.z);
    }
    let felt = world.port(hand).force;
    println!("pressed with {:.3} N, dragged with {:.3} N", felt.z, -felt.x);
    println!("the ball sank in by {:.1} nm at most", 1e9 * deepest);
    // the damper of a port holds against the ball's own motion, by 2 N·s/m times 0.05 m/s
    assert!((felt.z - K * 0.004).abs() < 0.01 && (-felt.x - MU * felt.z - 0.1).abs() < 0.05);
    assert!(deepest < 1e-7 && world.audit().is_clean());
    Ok(())
}
