//! A step must not touch the allocator: a counting allocator watches it.

mod common;
mod rig;

use common::{Random, random_inputs, random_world};
use palpable::geometry::{
    Collider, CollisionOptions, CollisionPipeline, CollisionShape, Groups, Isometry, Motion,
};
use palpable::{Body, Inputs, Material, Model, Options, Scheme, VolumeLaw, World};
use palpable_count::{Counting, allocations, held};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1, 2, 3]))) >= 1);
}

/// Room for contacts is made for eight a body, and some thousands more: a world of 100 000 asks for
/// 7 GB, most of which is never touched. A model holds no such room, so that a scene and its world
/// fit into 8 GB of addresses: it had 14 kB a body, and its copy in the world as much again.
#[test]
fn memory_grows_with_the_number_of_bodies_and_models_hold_little_of_it() {
    let mut sizes = Vec::new();
    for count in [1000, 4000, 8000] {
        let mut model = Model::builder();
        for i in 0..count {
            let at = [0.1 * (i % 100) as f64, 0.1 * (i / 100) as f64, 0.0];
            model.body(Body::sphere(format!("ball {i}"), 0.01).position(at));
        }
        let before = held();
        let built = model.build().unwrap();
        let middle = held();
        let world = World::new(built);
        let after = held();
        assert!(after > middle && world.tick() == 0);
        sizes.push([middle - before, after - middle].map(|held| held as f64));
    }
    let [few, more, most] = [sizes[0], sizes[1], sizes[2]];
    let further = |a: [f64; 2], b: [f64; 2], n: f64| [0, 1].map(|k| (b[k] - a[k]) / n);
    let [[model, world], [model_then, world_then]] =
        [further(few, more, 3000.0), further(more, most, 4000.0)];
    println!("bytes for one body more: model {model}, {model_then}, world {world}, {world_then}");
    // linear: the next body costs what the one before did
    assert!(model_then < 1.01 * model && world_then < 1.01 * world, "{sizes:?}");
    assert!(model < 4e3 && world < 72e3, "{sizes:?}");
}

#[test]
fn no_step_of_any_scheme_allocates_after_the_first() {
    for scheme in Scheme::ALL {
        for seed in 0..20 {
            let mut r = Random(seed);
            let options = Options { scheme, ..Default::default() };
            let (mut world, hands) = random_world(&mut r, 1e-3, options);
            let mut inputs = world.inputs();
            let _ = world.step(1e-3, &inputs);
            for _ in 0..50 {
                let h = r.decades(1e-5, 0.1);
                random_inputs(&mut r, &hands, &mut inputs);
                let count = allocations(|| {
                    let _ = world.step(h, &inputs);
                });
                assert_eq!(count, 0, "{scheme:?}, seed {seed}");
            }
        }
    }
}

#[test]
fn a_thousand_free_bodies_step_without_allocating() {
    let mut model = Model::ghosts();
    for i in 0..1000 {
        model.body(Body::sphere(format!("b{i}"), 0.1).position([f64::from(i), 0.0, 0.0]));
    }
    let mut world = World::new(model.build().expect("a valid model"));
    let inputs = Inputs::none();
    let _ = world.step(1e-3, &inputs);
    assert_eq!(
        allocations(|| {
            let _ = world.step(1e-3, &inputs);
        }),
        0
    );
}

#[test]
fn a_world_in_contact_steps_without_allocating() {
    use palpable::{Chain, Joint, Link, Material, Shape, Spring, Vec3};
    let mut r = Random(3);
    for case in 0..6 {
        let mut model = Model::builder();
        let rolls = Material::new(0.5, 0.3).rolling(1e-3, if case % 2 == 0 { 1e-3 } else { 0.0 });
        model.gravity([0.0, 0.0, -9.81]).contacts(if case == 5 { 4 } else { 0 });
        model.body(Body::half_space("floor").material(rolls));
        let mut ids = Vec::new();
        for i in 0..6 {
            let name = format!("b{i}");
            let body = match i % 3 {
                0 => Body::cuboid(name, [0.1, 0.1, 0.05]),
                1 => Body::sphere(name, 0.1),
                _ => Body::capsule(name, 0.1, 0.05),
            };
            let at = [0.02 * f64::from(i), 0.0, 0.1 + 0.2 * f64::from(i)];
            ids.push(model.body(body.position(at).rotation(r.rotation()).material(rolls)));
        }
        model.joint(Joint::ball(ids[0].at([0.0, 0.0, 0.1]), ids[1].at([0.0, 0.0, -0.1])));
        let mut chain = Chain::new("arm");
        let shape = Shape::cuboid(Vec3::new(0.1, 0.02, 0.02)).expect("a link");
        let link = Link::revolute("link").at([0.5, 0.0, 0.2], r.rotation());
        chain.link(link.held_at([-0.1, 0.0, 0.0], r.rotation()).shape(shape, 1e3));
        let arm = model.chain(chain);
        model.spring(Spring::coordinate(arm, 0).stops(-0.5, 0.5));
        let mut world = World::new(model.build().expect("a heap"));
        let inputs = Inputs::none();
        let _ = world.step(1e-3, &inputs);
        let (mut points, mut kept) = (0, world.snapshot());
        for step in 0..600 {
            let count = allocations(|| points += world.step(2e-3, &inputs).contact.points);
            assert_eq!(count, 0, "case {case}, step {step}");
            let count = allocations(|| world.snapshot_into(&mut kept));
            assert_eq!(count, 0, "case {case}, snapshot {step}");
        }
        assert!(points > 1000, "{points}");
    }
}

#[test]
fn a_contact_problem_is_refilled_and_solved_without_allocating() {
    use palpable::solve::cone::{ConeSettings, Rule};
    for seed in 0..20 {
        let mut r = Random(seed);
        let rig = rig::clutter(&mut r, 4 + seed as usize);
        let mut problem = rig.problem();
        let count = allocations(|| {
            for rule in [Rule::Midpoint, Rule::Impulse { rest_speed: 0.1 }] {
                problem.solve(&ConeSettings::default(), rule);
            }
        });
        assert_eq!(count, 0, "seed {seed}");
        // filling copies into the same buffers: only the rig's own matrices allocate
        let own = allocations(|| drop(rig.dense()));
        assert!(own > 0);
        problem.clear();
        let rows = [0.5; 18];
        let count = allocations(|| {
            use palpable::solve::cone::{Contact, Side};
            let group = problem.group(6).expect("room for a group");
            let sides = [Side { group, column: 0, jacobian: &rows, response: &rows }];
            let (law, bias) = (rig::friction(0.5), [-1.0, 0.2, 0.0]);
            let contact = Contact {
                law,
                target: 0.0,
                restitution: 0.5,
                bias: &bias,
                carry: &[],
                start: &bias,
                sides: &sides,
            };
            problem.push(&contact).expect("room for a contact");
            problem.solve(&ConeSettings::default(), Rule::Impulse { rest_speed: 0.0 });
        });
        assert_eq!(count, 0, "seed {seed}");
    }
}

/// One of each shape, then solids of every kind.
fn every_shape(r: &mut Random) -> Vec<CollisionShape> {
    let v = palpable::Vec3::new;
    let points: Vec<_> = (0..40).map(|_| r.vector(0.5)).collect();
    let ball = CollisionShape::sphere(0.4).expect("a ball");
    let pieces =
        [(Isometry::identity(), ball.clone()), (Isometry::translation(0.5, 0.0, 0.0), ball)];
    let square = vec![v(-2.0, -2.0, 0.0), v(2.0, -2.0, 0.0), v(2.0, 2.0, 0.0), v(-2.0, 2.0, 0.0)];
    let made = [
        CollisionShape::triangle_mesh(square, vec![[0, 1, 2], [0, 2, 3]]),
        CollisionShape::height_field(5, [1.0; 2], vec![0.1; 25]),
        Ok(CollisionShape::half_space()),
        CollisionShape::sphere(0.4),
        CollisionShape::cuboid(v(0.3, 0.4, 0.5)),
        CollisionShape::capsule(0.4, 0.2),
        CollisionShape::cylinder(0.4, 0.3),
        CollisionShape::cylinder(0.2, 0.5),
        CollisionShape::convex_hull(&points),
        CollisionShape::compound(&pieces),
        CollisionShape::cuboid(v(0.5, 0.2, 0.4)),
    ];
    made.into_iter().map(|s| s.expect("a shape")).collect()
}

#[test]
fn collision_detection_does_not_allocate_even_when_it_runs_out_of_room() {
    let mut r = Random(31);
    let shapes = every_shape(&mut r);
    let make = |(i, s): (usize, &CollisionShape)| {
        let made = Collider::new(i, s.clone());
        if i < 3 { made.still() } else { made }
    };
    let colliders: Vec<_> = shapes.iter().enumerate().map(make).collect();
    let mut touching = 0;
    for room in [0, 10] {
        let options = CollisionOptions { contacts: room, pairs: 3 * room, ..Default::default() };
        let mut p = CollisionPipeline::new(shapes.len(), &colliders, options).expect("valid");
        for _ in 0..300 {
            let mut poses = vec![Isometry::identity(); 3];
            let place = |r: &mut Random| Isometry::from_parts(r.vector(0.8).into(), r.rotation());
            poses.extend((3..shapes.len()).map(|_| place(&mut r)));
            if r.below(10) == 0 {
                poses[5].translation.vector.x = f64::NAN;
            }
            let motion = Motion {
                pose: place(&mut r),
                velocity: r.vector(3.0),
                angular_velocity: r.vector(3.0),
            };
            let from = r.vector(2.0);
            assert_eq!(
                allocations(|| {
                    let report = p.update(&poses, 0.05);
                    touching += report.contacts;
                    let (tool, at) = (&shapes[7], &motion.pose);
                    std::hint::black_box(p.ray_cast(&from, &motion.velocity, 9.0, Groups::ALL));
                    std::hint::black_box(p.nearest(tool, at, 1.0, Groups::ALL));
                    std::hint::black_box(p.first_impact(tool, &motion, 1.0, Groups::ALL));
                }),
                0
            );
        }
    }
    assert!(touching > 1000, "{touching}");
}

#[test]
fn bodies_that_press_over_a_volume_step_without_allocating() {
    let soft = Material::new(0.5, 0.0).soft(VolumeLaw::new(1e7, 1e5));
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]).contacts(0);
    model.body(Body::half_space("floor").material(soft));
    for i in 0..8 {
        let at = [0.02 * f64::from(i % 3), 0.0, 0.1 + 0.2 * f64::from(i)];
        let body = match i % 3 {
            0 => Body::cuboid(format!("b{i}"), [0.1; 3]),
            1 => Body::cylinder(format!("b{i}"), 0.1, 0.1),
            _ => Body::sphere(format!("b{i}"), 0.1),
        };
        model.body(body.mass(1.0).position(at).material(soft));
    }
    let mut world = World::new(model.build().expect("a valid model"));
    let inputs = Inputs::none();
    let _ = world.step(1e-3, &inputs);
    let count = allocations(|| {
        for _ in 0..2000 {
            let _ = world.step(1e-3, &inputs);
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn collisions_by_every_resolution_allocate_nothing() {
    use palpable::{ImpulseLimit, Joint, Material, Options, Port, Resolution, VolumeLaw};
    for resolution in Resolution::ALL {
        for live in [false, true] {
            let mut model = Model::builder();
            model.gravity([0.0, 0.0, -9.81]).contacts(0);
            let layer = VolumeLaw::new(1e7, 1e4).with_impulses();
            model.body(Body::half_space("floor").material(Material::new(0.3, 0.9)));
            let mut ids = Vec::new();
            for i in 0..12u32 {
                let at =
                    [0.05 * f64::from(i % 4), 0.05 * f64::from(i / 4), 0.1 + 0.02 * f64::from(i)];
                let hard = Material::new(0.3, 0.9);
                let material = if i % 2 == 0 { hard } else { hard.soft(layer) };
                let body = Body::cuboid(format!("b{i}"), [0.02, 0.02, 0.02]);
                ids.push(model.body(body.position(at).material(material)));
            }
            model.joint(Joint::ball(ids[0].at([0.05, 0.0, 0.02]), ids[2].at([-0.05, 0.0, -0.02])));
            model.port(Port::force("hand", ids[1].origin()));
            let collision = if live { Resolution::default() } else { resolution };
            let limit = ImpulseLimit { force: 50.0, torque: 1.0, spread: true };
            let options = Options { collision, impulse_limit: limit, ..Options::default() };
            let mut world =
                World::with_options(model.build().expect("boxes"), options).expect("options");
            let inputs = Inputs::none();
            let _ = world.step(1e-3, &inputs);
            world.set_collision(resolution);
            // a copy has as much room as the first
            let mut world = if live { world.clone() } else { world };
            let _ = world.step(1e-3, &inputs);
            let (mut colliding, mut points) = (0, 0);
            for step in 0..400 {
                let count = allocations(|| {
                    let report = world.step(1e-3, &inputs);
                    (colliding, points) =
                        (colliding + report.contact.colliding, points + report.contact.points);
                });
                assert_eq!(count, 0, "{resolution:?}, live {live}, step {step}");
            }
            assert!(colliding > 5 && points > 300, "{resolution:?}: {colliding}, {points}");
        }
    }
}
