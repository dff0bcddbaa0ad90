//! The smallest world: 10 mg on a stiff spring, at a step that other engines do not survive.

use palpable::{Anchor, Body, BuildErrors, Inputs, Model, Spring, World};

fn main() -> Result<(), BuildErrors> {
    let mut model = Model::ghosts();
    let ball = model.body(Body::sphere("ball", 0.01).mass(1e-5).position([0.1, 0.0, 0.0]));
    model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(100.0));
    let mut world = World::new(model.build()?);
    for _ in 0..100_000 {
        assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
    }
    println!("x = {:.4} m, energy {:.15} J", world.pose(ball).position.x, world.energy().total());
    print!("{}", world.audit());
    assert!((world.energy().total() / 0.5 - 1.0).abs() < 1e-12 && world.audit().is_clean());
    Ok(())
}
