//! Who presses on whom, and how hard: a plank on two supports, with a weight nearer to one of them.

use palpable::{Body, BuildErrors, Inputs, Model, World};

const G: f64 = 9.81;

fn main() -> Result<(), BuildErrors> {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]);
    let post =
        |name: &str, x: f64| Body::cuboid(name, [0.02, 0.1, 0.1]).fixed().position([x, 0.0, 0.1]);
    let (left, right) = (model.body(post("left", -0.5)), model.body(post("right", 0.5)));
    let plank = Body::cuboid("plank", [0.6, 0.1, 0.01]).mass(1.0).position([0.0, 0.0, 0.21]);
    let plank = model.body(plank);
    let weight = Body::sphere("weight", 0.05).mass(3.0).position([0.25, 0.0, 0.27]);
    let weight = model.body(weight);
    let mut world = World::new(model.build()?);
    for _ in 0..500 {
        assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
    }
    for touch in world.contacts() {
        let [a, b] = touch.bodies.map(|i| &world.model().bodies()[i].name);
        println!("{a:>6} on {b:<6} {:7.3} N at x = {:6.3} m", touch.force.norm(), touch.point.x);
    }
    let down = |body| -world.contact_force(body).z;
    println!("left {:.4} N, right {:.4} N", down(left), down(right));
    // levers about the posts, which are 1 m apart
    assert!((down(left) - (0.5 * G + 0.25 * 3.0 * G)).abs() < 0.3);
    assert!((down(left) + down(right) - 4.0 * G).abs() < 1e-6);
    assert!((world.contact_force(weight).z - 3.0 * G).abs() < 1e-6);
    assert!((world.contact_force(plank).z - G).abs() < 1e-6);
    Ok(())
}
