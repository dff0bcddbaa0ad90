//! A free body spun about its middle axis turns over again and again, keeping energy and momentum.

use palpable::{Body, BuildErrors, Inputs, Model, World};

fn build() -> Result<World, BuildErrors> {
    let mut model = Model::ghosts();
    let body = Body::new("body").principal_inertia(1.0, [1e-3, 2e-3, 3e-3]);
    model.body(body.angular_velocity([0.1, 10.0, 0.1]));
    Ok(World::new(model.build()?))
}

fn main() -> Result<(), BuildErrors> {
    let mut world = build()?;
    let body = world.body_named("body").expect("it was just added");
    let (energy, momentum) = (world.energy().kinetic, world.angular_momentum());
    let (mut turns, mut sign) = (0, 1.0);
    for _ in 0..10_000 {
        assert!(world.step(0.01, &Inputs::none()).status.is_taken());
        if world.angular_velocity(body).y * sign < 0.0 {
            (turns, sign) = (turns + 1, -sign);
        }
    }
    let de = (world.energy().kinetic / energy - 1.0).abs();
    let dl = (world.angular_momentum() - momentum).norm() / momentum.norm();
    println!("{turns} turns in 100 s; energy off by {de:.0e}, angular momentum by {dl:.0e}");
    assert!(turns == 51 && de < 1e-12 && dl < 1e-10);
    Ok(())
}
