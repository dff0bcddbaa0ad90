//! Piles that press over areas sleep like others: of any size, weight and stiffness; what wakes
//! them, what their areas show meanwhile, and that their last motion is in the books. Debug builds
//! check every step of these worlds.

use palpable::*;

/// Two towers of two cubes of this half side [m] and mass [kg], ten sides apart, over a floor; each
/// layer yields by `sink` of the half side under one cube. A port at the first cube.
struct Towers {
    half: f64,
    mass: f64,
    sink: f64,
    h: f64,
}

impl Towers {
    fn build(&self, sleeping: Sleeping) -> (World, Vec<BodyId>, PortId) {
        let Self { half, mass, sink, h } = *self;
        let modulus = mass * 9.81 / (4.0 * half * half * sink * half);
        // critical damping of a cube on its layer, but no slower than a step
        let lag = (sink * half / 9.81).sqrt().max(h);
        let layer = Material::new(0.5, 0.0).soft(VolumeLaw::new(modulus, modulus * lag));
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -9.81]).contacts(0);
        model.body(Body::half_space("floor").material(Material::new(0.5, 0.0)));
        let mut cubes = Vec::new();
        for (i, (x, z)) in
            [(0.0, 1.0), (0.0, 3.0), (20.0, 1.0), (20.0, 3.0)].into_iter().enumerate()
        {
            let cube = Body::cuboid(format!("{i}"), [half; 3]).mass(mass).material(layer);
            cubes.push(model.body(cube.position([x * half, 0.0, z * half])));
        }
        let port = model.port(Port::force("push", cubes[0].origin()));
        let options = Options { sleeping, ..Default::default() };
        let model = model.build().expect("two towers");
        (World::with_options(model, options).expect("options that fit"), cubes, port)
    }

    fn run(&self, world: &mut World, seconds: f64, inputs: &Inputs) {
        for _ in 0..(seconds / self.h).round() as usize {
            let entry = world.step(self.h, inputs).entry;
            // the sum of the accounts is rounded, whatever little is in play
            let rounded = 8.0 * f64::EPSILON * entry.after.total().abs();
            assert!(entry.closure().abs() <= 1e-13 * entry.in_play + rounded, "{entry:?}");
        }
    }
}

const USUAL: Towers = Towers { half: 0.1, mass: 1.0, sink: 1e-3, h: 1e-3 };

fn asleep(world: &World, cubes: &[BodyId]) -> Vec<bool> {
    cubes.iter().map(|b| world.is_asleep(*b)).collect()
}

/// Area and force of every contact, by its bodies.
fn shown(world: &World) -> Vec<([usize; 2], f64, Vec3, usize)> {
    let of = |p: &Patch| (p.bodies, p.area, p.force, world.patch_corners(p).len());
    world.patches().iter().map(of).collect()
}

#[test]
fn soft_towers_of_any_size_sleep_and_show_their_areas() {
    for (half, mass, sink, h) in
        [(0.1, 1.0, 1e-3, 1e-3), (5e-3, 1e-3, 1e-4, 1e-3), (2.0, 1e4, 1e-3, 1e-3)]
    {
        let towers = Towers { half, mass, sink, h };
        let (mut world, cubes, _) = towers.build(Sleeping::default());
        towers.run(&mut world, 9.0, &Inputs::none());
        assert_eq!(asleep(&world, &cubes), [true; 4], "half {half}, {h} s");
        assert_eq!(world.energy().kinetic, 0.0);
        assert!(world.energy().contact > 0.0);
        let patches = world.patches();
        let all = shown(&world);
        assert_eq!(patches.len(), 4, "half {half}, {h} s: {all:?}");
        let weight: f64 = patches.iter().map(|p| p.force.z.abs()).sum();
        assert!((weight / (6.0 * mass * 9.81) - 1.0).abs() < 1e-2, "half {half}: {weight}");
        for p in patches {
            assert!((p.area / (4.0 * half * half) - 1.0).abs() < 1e-6, "{}", p.area);
            // rounding may leave corners on the sides
            assert!((4..=8).contains(&world.patch_corners(p).len()));
        }
    }
}

#[test]
fn a_push_wakes_its_own_tower_only_and_areas_of_the_other_stay() {
    let (mut world, cubes, port) = USUAL.build(Sleeping::default());
    USUAL.run(&mut world, 3.0, &Inputs::none());
    assert_eq!(asleep(&world, &cubes), [true; 4]);
    let before = shown(&world);
    let mut inputs = world.inputs();
    inputs.force(port, [30.0, 0.0, 0.0]);
    USUAL.run(&mut world, 2e-3, &inputs);
    assert_eq!(asleep(&world, &cubes), [false, false, true, true]);
    // nobody fell through what was not looked at when the step began
    let forces = |world: &World| world.patches().iter().map(|p| p.force.z.abs()).sum::<f64>();
    assert!((forces(&world) / (6.0 * 9.81) - 1.0).abs() < 0.02, "{}", forces(&world));
    USUAL.run(&mut world, 0.1, &inputs);
    assert!(world.velocity(cubes[0]).x > 0.1, "{}", world.velocity(cubes[0]));
    let after = shown(&world);
    for patch in before.iter().filter(|p| p.0.contains(&3) || p.0.contains(&4)) {
        assert!(after.contains(patch), "{patch:?}");
    }
    assert_eq!(world.patches().len(), 4);
}

#[test]
fn what_presses_on_a_sleeper_wakes_it() {
    let (mut world, cubes, _) = USUAL.build(Sleeping::default());
    USUAL.run(&mut world, 3.0, &Inputs::none());
    let yields = Material::new(0.5, 0.0).soft(VolumeLaw::new(1e6, 1e3));
    let ball = Body::sphere("ball", 0.1).mass(2.0).position([-0.6, 0.0, 0.3]).material(yields);
    let ball = world.edit(|m| m.body(ball.velocity([4.0, 0.0, 0.0]))).expect("a ball");
    USUAL.run(&mut world, 0.25, &Inputs::none());
    assert!(world.pose(cubes[1]).position.x > 0.05, "{}", world.pose(cubes[1]).position);
    assert!(world.velocity(ball).x < 3.9);
}

/// A cube falls slowly onto a tower that sleeps: all of it wakes, and the other tower sleeps on.
#[test]
fn what_falls_onto_a_sleeping_tower_wakes_all_of_it() {
    let towers = USUAL;
    let (world, cubes, _) = towers.build(Sleeping::default());
    // a third cube high over the first tower, held back until the towers sleep
    let late = Body::cuboid("late", [0.1; 3]).mass(1.0).position([0.0, 0.0, 25.0]);
    let layer = Material::new(0.5, 0.0).soft(VolumeLaw::new(1e6, 1e4));
    let mut world = world;
    let late = world.edit(|m| m.body(late.material(layer))).expect("a cube");
    let mut slept = false;
    for _ in 0..2600 {
        let report = world.step(towers.h, &Inputs::none());
        assert!(report.status.is_taken());
        let now = asleep(&world, &cubes);
        let before = world.pose(late).position.z > 0.51;
        slept |= before && now == [true; 4];
        // it falls by 22 mm a step: it presses on a sleeper in one, and wakes it in the next
        if slept && world.pose(late).position.z < 0.499 && !now[1] {
            assert_eq!(now, [false, false, true, true]);
            return;
        }
    }
    panic!("slept: {slept}, at {}, {:?}", world.pose(late).position.z, asleep(&world, &cubes));
}

#[test]
fn the_last_motion_of_a_soft_pile_is_booked() {
    let (mut world, cubes, _) = USUAL.build(Sleeping::default());
    let mut fell = false;
    for _ in 0..3000 {
        let store = world.energy().contact;
        let entry = world.step(USUAL.h, &Inputs::none()).entry;
        if !fell && world.is_asleep(cubes[0]) && world.is_asleep(cubes[2]) {
            fell = true;
            assert_eq!(world.energy().kinetic, 0.0);
            assert_eq!(world.energy().contact, store);
            assert!(entry.closure().abs() <= 4.0 * f64::EPSILON * entry.after.total().abs());
        }
    }
    assert!(fell);
    let stored = world.energy().contact;
    world.set_gravity([0.0, 0.0, -5.0], Payment::Supply).expect("another gravity");
    assert_eq!(asleep(&world, &cubes), [false; 4]);
    USUAL.run(&mut world, 3.0, &Inputs::none());
    // springs of half the load hold a quarter of the energy
    assert!(world.energy().contact < 0.3 * stored, "{} {stored}", world.energy().contact);
}

/// A world that is loaded while it sleeps shows its areas after a step, as they were.
#[test]
fn a_sleeping_world_that_is_loaded_shows_its_areas() {
    let (mut world, cubes, _) = USUAL.build(Sleeping::default());
    USUAL.run(&mut world, 3.0, &Inputs::none());
    let before = shown(&world);
    let snapshot = world.snapshot();
    let (mut other, _, port) = USUAL.build(Sleeping::default());
    // what it shows until then is another state's
    let mut inputs = other.inputs();
    inputs.force(port, [30.0, 0.0, 0.0]);
    USUAL.run(&mut other, 0.05, &inputs);
    assert!(other.restore(&snapshot));
    USUAL.run(&mut other, 2e-3, &Inputs::none());
    assert_eq!(asleep(&other, &cubes), [true; 4]);
    let after = shown(&other);
    assert_eq!(before.len(), after.len());
    for patch in before {
        let same = after.iter().find(|p| p.0 == patch.0).expect("the same contact");
        assert!((same.1 - patch.1).abs() < 1e-9 * patch.1);
        assert!((same.2 - patch.2).norm() < 1e-2 * patch.2.norm(), "{} {}", same.2, patch.2);
        assert_eq!(same.3, patch.3);
    }
}
