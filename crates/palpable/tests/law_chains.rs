//! Laws of subsystems in generalized coordinates: chains, beams, and worlds that mix them with
//! rigid bodies.

mod common;

use common::Random;
use palpable::math::dense::Matrix;
use palpable::model::lagrangian::retract;
use palpable::model::{Lagrangian, Terms};
use palpable::*;

const G: [f64; 3] = [0.0, 0.0, -9.81];

/// A slender rod along x from 0 to `length`.
fn rod(mass: f64, length: f64) -> (f64, [f64; 3], Mat3) {
    let j = mass * length * length / 12.0;
    (mass, [0.5 * length, 0.0, 0.0], Mat3::from_diagonal(&Vec3::new(1e-3 * j, j, j)))
}

fn turned(axis: [f64; 3], angle: f64) -> Rotation {
    Rotation::from_scaled_axis(Vec3::from(axis).normalize() * angle)
}

/// A tree of random links with turning and sliding joints.
fn random_tree(random: &mut Random, links: usize, floating: bool) -> Chain {
    let mut chain = Chain::new("tree");
    let inertia = |random: &mut Random| {
        let half = Vec3::from_fn(|_, _| random.between(0.02, 0.2));
        let shape = Shape::cuboid(half).expect("a box");
        let density = 10f64.powf(random.between(1.0, 4.0));
        (shape, density)
    };
    if floating {
        let (shape, density) = inertia(random);
        let mass = shape.mass_properties(density);
        let rotation = turned([1.0, random.between(-1.0, 1.0), 0.3], random.between(0.0, 3.0));
        let pose = Pose { position: Vec3::new(0.1, -0.2, 0.3), rotation };
        chain = chain.floating("base", mass, pose).base_shape(shape);
        let v = Vec3::from_fn(|_, _| random.between(-1.0, 1.0));
        let omega = Vec3::from_fn(|_, _| random.between(-5.0, 5.0));
        chain = chain.base_velocity(v, omega);
    }
    for i in 0..links {
        let name = format!("link{i}");
        let slides = random.between(0.0, 1.0) < 0.3;
        let link = if slides { Link::prismatic(name) } else { Link::revolute(name) };
        let link = if i > 0 { link.on((random.between(0.0, i as f64)) as usize) } else { link };
        let frame = |random: &mut Random| {
            let at = Vec3::from_fn(|_, _| random.between(-0.3, 0.3));
            (at, turned([random.between(-1.0, 1.0), 0.5, 0.2], random.between(0.0, 3.0)))
        };
        let ((p, r), (p2, r2)) = (frame(random), frame(random));
        let (shape, density) = inertia(random);
        let (q, w) = (random.between(-1.5, 1.5), random.between(-4.0, 4.0));
        let link = link.at(p, r).held_at(p2, r2).shape(shape, density);
        chain.link(link.start(q, if slides { 0.3 * w } else { w }));
    }
    chain
}

fn law_of(chain: Chain) -> (std::sync::Arc<dyn Lagrangian>, Vec<f64>) {
    let mut model = Model::ghosts();
    let id = model.chain(chain);
    let model = model.build().expect("a chain");
    let law = model.systems()[0].law.clone();
    (law, World::new(model).coordinates(id).to_vec())
}

fn at(law: &dyn Lagrangian, q: &[f64], w: &[f64]) -> Terms {
    let mut terms = Terms::new(law.freedoms(), law.links());
    law.configure(q, &Vec3::from(G), &mut terms);
    law.coriolis(q, w, &mut terms);
    terms
}

fn apply(m: &Matrix, w: &[f64]) -> Vec<f64> {
    (m * nalgebra::DVector::from_column_slice(w)).as_slice().to_vec()
}

/// Checks a law at one state by central differences along its own motion.
fn check_law(law: &dyn Lagrangian, q: &[f64], w: &[f64]) {
    let (n, e) = (law.freedoms(), 1e-5);
    let terms = at(law, q, w);
    let moved = |t: f64| {
        let mut next = q.to_vec();
        retract(law, &mut next, w, t);
        at(law, &next, w)
    };
    let (ahead, behind) = (moved(e), moved(-e));
    let scale = terms.mass.amax() * (1.0 + w.iter().fold(0.0f64, |a, v| a.max(v.abs())));
    // the mass matrix turns into its Coriolis matrix: differences err by e² and 1e-16/e
    let rate = (&ahead.mass - &behind.mass) / (2.0 * e);
    let sum = &terms.coriolis + terms.coriolis.transpose();
    assert!((rate - sum).amax() < 1e-7 * scale, "the mass matrix changes as C + Cᵀ");
    let fall = (ahead.potential - behind.potential) / (2.0 * e);
    let along: f64 = terms.gradient.iter().zip(w).map(|(g, w)| g * w).sum();
    assert!((fall - along).abs() < 1e-7 * scale * 10.0, "gradient {along}, differences {fall}");
    for link in 0..law.links() {
        let twist = apply(&terms.jacobians[link], w);
        let (a, b) = (&ahead.frames[link], &behind.frames[link]);
        let v = (a.position - b.position) / (2.0 * e);
        let omega = (b.rotation.inverse() * a.rotation).scaled_axis() / (2.0 * e);
        for i in 0..3 {
            assert!((twist[i] - v[i]).abs() < 1e-7 * (1.0 + v.norm()), "velocity of link {link}");
            let size = 1.0 + omega.norm();
            assert!((twist[3 + i] - omega[i]).abs() < 1e-7 * size, "rotation of link {link}");
        }
    }
    assert_eq!(n, w.len());
}

#[test]
fn the_matrices_of_random_chains_belong_together() {
    let mut random = Random(3);
    for case in 0..40 {
        let (links, floating) = (1 + case % 7, case % 2 == 1);
        let (law, q) = law_of(random_tree(&mut random, links, floating));
        let w: Vec<f64> = (0..law.freedoms()).map(|_| random.between(-2.0, 2.0)).collect();
        check_law(law.as_ref(), &q, &w);
    }
}

#[test]
fn the_kinetic_energy_of_a_chain_is_that_of_its_links() {
    let mut random = Random(5);
    for case in 0..20 {
        let mut model = Model::ghosts();
        model.chain(random_tree(&mut random, 1 + case % 6, case % 2 == 0));
        let model = model.build().expect("a chain");
        let world = World::new(model);
        // an independent sum over the links' own motion
        let mut sum = 0.0;
        for (body, p) in world.model().bodies().iter().zip(&world.params().bodies) {
            let id = world.body_named(&body.name).expect("named");
            let omega = body.body_from_principal.inverse() * world.angular_velocity(id);
            sum += p.kinetic(&world.velocity(id), &omega);
        }
        let kinetic = world.energy().kinetic;
        assert!((kinetic / sum - 1.0).abs() < 1e-12, "{kinetic} against {sum}");
    }
}

/// Two equal rods hanging from the origin, turning about y.
fn pendulum(start: [(f64, f64); 2]) -> Chain {
    let (m, c, j) = rod(1.0, 1.0);
    let y = turned([1.0, 0.0, 0.0], -std::f64::consts::FRAC_PI_2);
    let mut chain = Chain::new("pendulum");
    let link = |name: &str, at: [f64; 3], s: (f64, f64)| {
        let link = Link::revolute(name).held_at([0.0; 3], y).inertia(m, c, j);
        link.at(at, y).start(s.0, s.1)
    };
    let upper = chain.link(link("upper", [0.0; 3], start[0]));
    chain.link(link("lower", [1.0, 0.0, 0.0], start[1]).on(upper));
    chain
}

#[test]
fn a_chain_without_gravity_keeps_its_energy_for_1e5_steps() {
    let mut random = Random(17);
    for floating in [false, true] {
        let mut model = Model::ghosts();
        model.chain(random_tree(&mut random, 5, floating));
        let mut world = World::new(model.build().expect("a chain"));
        let start = world.energy().total();
        let mut worst: f64 = 0.0;
        for _ in 0..100_000 {
            let _ = world.step(2e-3, &Inputs::none());
            worst = worst.max((world.energy().total() / start - 1.0).abs());
        }
        println!("floating {floating}: {worst:e}");
        assert!(worst < 1e-13, "floating {floating}: {worst:e}");
    }
}

#[test]
fn a_double_pendulum_moves_hardly_any_energy_to_the_tank() {
    let mut model = Model::ghosts();
    model.gravity(G);
    model.chain(pendulum([(0.0, 0.0), (0.0, 0.0)]));
    let mut world = World::new(model.build().expect("a chain"));
    let start = world.energy();
    let mut worst: f64 = 0.0;
    for _ in 0..1000 {
        let report = world.step(1e-2, &Inputs::none());
        assert_eq!(report.fallbacks, 0);
        worst = worst.max(report.entry.closure().abs());
    }
    let scale = 2.0 * 9.81;
    println!("tank {:e}, worst closure {worst:e}", world.energy().tank / scale);
    println!("start {start:?} end {:?}", world.energy());
    assert!(world.energy().tank < 1e-10 * scale);
    assert!((world.energy().total() - start.total()).abs() < 1e-12 * scale);
}

#[test]
fn generalized_and_maximal_coordinates_converge_to_each_other() {
    let mut errors = Vec::new();
    for h in [4e-3, 2e-3, 1e-3] {
        let mut model = Model::ghosts();
        model.gravity(G);
        model.chain(pendulum([(0.3, 0.0), (-0.4, 1.0)]));
        let mut chain = World::new(model.build().expect("a chain"));
        let mut model = Model::ghosts();
        model.gravity(G);
        let (m, c, j) = rod(1.0, 1.0);
        let bodies: Vec<BodyId> = ["upper", "lower"]
            .iter()
            .map(|name| {
                let id = chain.body_named(name).expect("named");
                let pose = chain.pose(id);
                let body = Body::new(*name).inertia(m, c, j).position(pose.position);
                let body = body.rotation(pose.rotation).velocity(chain.velocity(id));
                model.body(body.angular_velocity(chain.angular_velocity(id)))
            })
            .collect();
        let y = turned([1.0, 0.0, 0.0], -std::f64::consts::FRAC_PI_2);
        model.joint(Joint::hinge(bodies[0].origin().turned(y), Anchor::world([0.0; 3]).turned(y)));
        let knee = bodies[0].at([1.0, 0.0, 0.0]).turned(y);
        model.joint(Joint::hinge(bodies[1].origin().turned(y), knee));
        let mut maximal = World::new(model.build().expect("two rods"));
        for _ in 0..(0.8 / h) as usize {
            let _ = chain.step(h, &Inputs::none());
            let _ = maximal.step(h, &Inputs::none());
        }
        let id = chain.body_named("lower").expect("named");
        errors.push((chain.pose(id).position - maximal.pose(bodies[1]).position).norm());
    }
    println!("{errors:?}");
    let order = (errors[0] / errors[2]).log2() / 2.0;
    assert!(order > 1.9, "order {order}, {errors:?}");
}

#[test]
fn the_matrices_of_beams_belong_together() {
    let mut random = Random(9);
    for mount in [Mount::Clamped, Mount::Hub, Mount::Planar] {
        let beam = Beam::rectangular("beam", [0.9, 0.05, 0.012], 2700.0, 7e10).modes(4);
        let frame = Pose { position: Vec3::new(0.1, -0.3, 0.2), rotation: turned(G, 0.7) };
        let mut model = Model::ghosts();
        model.beam(beam.mount(mount, 0.4, 0.02).at(frame));
        let model = model.build().expect("a beam");
        let law = model.systems()[0].law.clone();
        for _ in 0..10 {
            let mut numbers = |size: f64| -> Vec<f64> {
                (0..law.freedoms()).map(|_| random.between(-size, size)).collect()
            };
            check_law(law.as_ref(), &numbers(0.5), &numbers(2.0));
        }
    }
}
