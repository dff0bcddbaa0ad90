//! Laws of sleep: of any size and weight, with and without gravity; what wakes a pile, what does
//! not, and that its last motion is in the books. Debug builds check every step of these worlds.

use palpable::*;

const H: f64 = 1e-3;

/// Two stacks of two cubes of this half side [m] and mass [kg], ten sides apart, and a port at the
/// first cube.
fn stacks(half: f64, mass: f64, gravity: f64, sleeping: Sleeping) -> (World, Vec<BodyId>, PortId) {
    let mut model = Model::builder();
    let rough = Material::new(0.5, 0.0);
    model.gravity([0.0, 0.0, -gravity]).contacts(0);
    model.body(Body::half_space("floor").material(rough));
    let mut cubes = Vec::new();
    for (i, (x, z)) in [(0.0, 1.0), (0.0, 3.0), (20.0, 1.0), (20.0, 3.0)].into_iter().enumerate() {
        let cube = Body::cuboid(format!("{i}"), [half; 3]).mass(mass).material(rough);
        cubes.push(model.body(cube.position([x * half, 0.0, z * half])));
    }
    let port = model.port(Port::force("push", cubes[0].origin()));
    let options = Options { sleeping, ..Default::default() };
    (
        World::with_options(model.build().expect("two stacks"), options).expect("options that fit"),
        cubes,
        port,
    )
}

fn run(world: &mut World, steps: usize, inputs: &Inputs) {
    for _ in 0..steps {
        let entry = world.step(H, inputs).entry;
        // the sum of the accounts is rounded, whatever little is in play
        let rounded = 4.0 * f64::EPSILON * entry.after.total().abs();
        assert!(entry.closure().abs() <= 1e-13 * entry.in_play + rounded, "{entry:?}");
    }
}

fn asleep(world: &World, cubes: &[BodyId]) -> Vec<bool> {
    cubes.iter().map(|b| world.is_asleep(*b)).collect()
}

#[test]
fn grams_and_tonnes_sleep_with_and_without_gravity() {
    for (half, mass, gravity) in [(0.1, 1.0, 9.81), (5e-4, 1e-6, 9.81), (2.0, 1e4, 9.81)] {
        let (mut world, cubes, _) = stacks(half, mass, gravity, Sleeping::default());
        run(&mut world, 1500, &Inputs::none());
        assert_eq!(asleep(&world, &cubes), [true; 4], "half {half}");
        // forces of the last step can be read
        let weight: f64 = world.contacts().iter().map(|t| t.force.z.abs()).sum();
        assert!((weight / (6.0 * mass * gravity) - 1.0).abs() < 1e-3, "half {half}: {weight}");
    }
    let (mut world, cubes, _) = stacks(0.1, 1.0, 0.0, Sleeping::default());
    run(&mut world, 1500, &Inputs::none());
    assert_eq!(asleep(&world, &cubes), [true; 4], "no gravity");
    let (mut world, cubes, _) = stacks(0.1, 1.0, 9.81, Sleeping::NEVER);
    run(&mut world, 1500, &Inputs::none());
    assert_eq!(asleep(&world, &cubes), [false; 4], "never");
}

#[test]
fn a_push_wakes_its_own_pile_only() {
    let (mut world, cubes, port) = stacks(0.1, 1.0, 9.81, Sleeping::default());
    run(&mut world, 1500, &Inputs::none());
    let mut inputs = world.inputs();
    inputs.force(port, [30.0, 0.0, 0.0]);
    run(&mut world, 2, &inputs);
    assert_eq!(asleep(&world, &cubes), [false, false, true, true]);
    run(&mut world, 50, &inputs);
    assert!(world.velocity(cubes[0]).x > 0.1, "{}", world.velocity(cubes[0]));
}

#[test]
fn what_flies_into_a_sleeper_moves_it() {
    let (mut world, cubes, _) = stacks(0.1, 1.0, 9.81, Sleeping::default());
    run(&mut world, 1500, &Inputs::none());
    let ball = Body::sphere("ball", 0.1).mass(2.0).position([-0.6, 0.0, 0.3]);
    let ball = world.edit(|m| m.body(ball.velocity([4.0, 0.0, 0.0]))).expect("a ball");
    run(&mut world, 250, &Inputs::none());
    assert!(world.pose(cubes[1]).position.x > 0.05, "{}", world.pose(cubes[1]).position);
    assert!(world.velocity(ball).x < 3.9);
}

#[test]
fn a_changed_parameter_wakes_all_and_the_last_motion_is_booked() {
    let (mut world, cubes, _) = stacks(0.1, 1.0, 9.81, Sleeping::default());
    let mut fell = false;
    for _ in 0..1500 {
        let entry = world.step(H, &Inputs::none()).entry;
        if !fell && world.is_asleep(cubes[0]) {
            fell = true;
            // all of it was lost: nothing is left, and the account closes
            assert_eq!(world.energy().kinetic, 0.0);
            assert!(entry.closure().abs() <= 4.0 * f64::EPSILON * entry.after.total().abs());
        }
    }
    assert!(fell);
    world.set_gravity([0.0, 0.0, -5.0], Payment::Supply).expect("another gravity");
    assert_eq!(asleep(&world, &cubes), [false; 4]);
}
