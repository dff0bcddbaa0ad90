//! Dragging parameters while the world runs: each jump of stored energy is paid for.

use palpable::{Anchor, Body, BuildErrors, Inputs, Model, Payment, Spring, Vec6, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut world, spring, ball) = build()?;
    let run = |world: &mut World| {
        for _ in 0..100 {
            assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
        }
    };
    run(&mut world);
    let start = world.energy().total();
    // nobody can pay for a stiffer spring: its strain shrinks, the energy stays
    let receipt = world.set_stiffness(spring, Vec6::repeat(5e3), Payment::Tank)?;
    println!("stiffness raised, jump {:.1e} J", receipt.jump);
    run(&mut world);
    assert!(world.energy().total() <= start * (1.0 + 1e-12));
    // the user pays: the jump counts as supplied
    let receipt = world.set_mass(ball, 0.5, Payment::Supply)?;
    println!("mass raised, {:.4} J supplied", receipt.supplied);
    run(&mut world);
    // a senseless value is refused and says why
    let refusal = world.set_mass(ball, -1.0, Payment::Tank).expect_err("a negative mass");
    println!("refused: {refusal}");
    print!("{}", world.audit());
    assert!(world.audit().is_clean());
    Ok(())
}

fn build() -> Result<(World, palpable::ElementId, palpable::BodyId), BuildErrors> {
    let mut model = Model::builder();
    let ball = model.body(Body::sphere("ball", 0.05).mass(0.1).position([0.1, 0.0, 0.0]));
    let spring = Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(100.0);
    let spring = model.spring(spring);
    Ok((World::new(model.build()?), spring, ball))
}
