//! Laws of contact over a volume: the numbers of `[Hasegawa2004]`'s corrected equations, energy
//! that never rises, closed forms of stiffness and friction.

mod common;

use palpable::*;

const G: f64 = 9.8;

/// A world with a hard floor, gravity and the given bodies.
fn on_floor(friction: f64, bodies: &[Body]) -> World {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]).contacts(0);
    model.body(Body::half_space("floor").material(Material::new(friction, 0.0)));
    bodies.iter().for_each(|b| {
        model.body(b.clone());
    });
    World::new(model.build().expect("a valid world"))
}

/// The cube of experiment 2: 2 m, 1 kg, stiffness `k` and damping `b` of its whole face.
fn cube(k: f64, b: f64, z: f64, tilt: f64) -> Body {
    let law = VolumeLaw::new(k / 4.0, b / 4.0);
    let turn = Rotation::from_scaled_axis(Vec3::new(tilt, 0.0, 0.0));
    let material = Material::new(0.5, 0.0).soft(law);
    Body::cuboid("cube", [1.0; 3]).mass(1.0).position([0.0, 0.0, z]).rotation(turn).material(material)
}

/// Energy that may come back: motion, gravity, stores and the tank never gain together.
fn run(world: &mut World, seconds: f64, h: f64, mut each: impl FnMut(&World, &StepReport)) {
    let mut last = world.energy().total();
    for _ in 0..(seconds / h).round() as usize {
        let report = world.step(h, &Inputs::none());
        assert!(report.status.is_taken(), "{:?}", report.status);
        let now = world.energy().total();
        let rise = now - last;
        // the accounts themselves are rounded, gravity most of all
        let size = now.abs() + world.energy().gravity.abs();
        let allowed = 1e-13 * report.entry.in_play + 4e-15 * size;
        assert!(rise <= allowed, "rise {rise:e} in {:?}", report.entry);
        last = now;
        each(world, &report);
    }
}

#[test]
fn a_cube_of_two_metres_rests_where_its_spring_bears_it() {
    for h in [1e-3, 1e-2] {
        let mut world = on_floor(0.5, &[cube(1500.0, 60.0, 1.0, 0.0)]);
        let id = world.body_named("cube").expect("named");
        run(&mut world, 5.0, h, |_, _| {});
        let z = world.pose(id).position.z;
        println!("h {h}: z {z} gate {:?}", world.ledger().gate());
        // 1 − m g/k, up to what is left of the motion
        assert!((z - (1.0 - G / 1500.0)).abs() < 1e-9, "{z}");
    }
}

#[test]
fn a_falling_cube_comes_to_rest_and_gains_nothing() {
    for h in [1e-3, 3e-3, 1e-2, 3e-2] {
        for b in [0.0, 1.5, 15.0, 60.0] {
            let mut world = on_floor(0.0, &[cube(1500.0, b, 1.0, 0.1)]);
            let id = world.body_named("cube").expect("named");
            let mut calm = [f64::NAN; 2];
            let start = world.energy();
            run(&mut world, 20.0, h, |w, _| {
                let l = w.angular_velocity(id).norm() * (4.0 / 6.0);
                for (bound, since) in [1e-2, 1e-3].into_iter().zip(&mut calm) {
                    if l >= bound {
                        *since = f64::NAN;
                    } else if since.is_nan() {
                        *since = w.time();
                    }
                }
            });
            let l = world.angular_velocity(id).norm() * (4.0 / 6.0);
            println!(
                "h {h} b {b}: calm {calm:?} L {l:e} gate {:?} {:?} from {:.4}",
                world.ledger().gate(),
                world.energy(),
                start.total()
            );
        }
    }
}
