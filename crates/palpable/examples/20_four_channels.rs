//! Four channels: positions and forces go both ways between hand and tool
//! [Constantinescu2005, fig. 5b]; a unilateral coupler beside it, and the fingertip's share.

use palpable::coupling::{CouplingSettings, Cutaneous, FourChannel, Handle, Unilateral};
use palpable::{Anchor, Body, Model, Port, Spring, Vec3, World};

const H: f64 = 1e-3;
const WALL: f64 = 1000.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // position coordination of 100 N/m with the damping that the paper gives it
    let settings = CouplingSettings { damping: Some(70.0), ..CouplingSettings::point(100.0, H) };
    let mut four = FourChannel::new(settings)?.with_energy(0.1);
    let mut one = Unilateral::new(settings)?;
    let mut pad = Cutaneous::new(0.01)?;

    // a 2 kg peg against a spring that plays the wall
    let mut model = Model::ghosts();
    let peg = model.body(Body::sphere("peg", 0.02).mass(2.0));
    let wall = Anchor::world([0.0; 3]);
    model.spring(Spring::point(peg.at([0.0; 3]), wall).stiffness(WALL).damping(50.0));
    let (k, b) = (four.coupling().stiffness(), four.coupling().damping());
    let coordinate = model.port(Port::reference("coordination", peg.at([0.0; 3]), k, b));
    let push = model.port(Port::force("hand force", peg.at([0.0; 3])));
    let mut world = World::new(model.build()?);
    let mut inputs = world.inputs();

    // the hand stands still and pushes with 0.4 N
    let (hand, force) = (Handle::at([0.0; 3]), Vec3::new(0.4, 0.0, 0.0));
    let (mut felt, mut other, mut skin) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
    for _ in 0..5000 {
        let [reference, wrench] = four.sample(&hand, &force);
        one.sample(&hand);
        inputs.set(coordinate, reference);
        inputs.set(push, wrench);
        assert!(world.step(H, &inputs).status.is_taken());
        let (a, b) = (world.port(coordinate), world.port(push));
        let environment = a.position * -WALL;
        felt = four.force([&a, &b], &environment, H).force;
        other = one.force(&a, environment.norm() > 0.0, H).force;
        skin = pad.update(&environment, &a.rotation, H).force;
    }
    println!("four channels {:.3} N, unilateral {:.3} N", felt.x, other.x);
    println!("fingertip {:.3} N", skin.x);
    // the wall carries the hand, less what the coordination takes: x (1000 + 100) = 0.4
    let x = 0.4 / 1100.0;
    assert!((skin.x + WALL * x).abs() < 1e-6 && (other.x - 100.0 * x).abs() < 1e-6);
    assert!((felt.x - (other.x + skin.x)).abs() < 1e-6);
    Ok(())
}
