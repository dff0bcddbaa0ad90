//! Worlds that mix rigid bodies, chains and beams: joint gaps, momentum, energy.

use palpable::model::Terms;
use palpable::*;

fn turned(axis: [f64; 3], angle: f64) -> Rotation {
    Rotation::from_scaled_axis(Vec3::from(axis).normalize() * angle)
}

/// A slender rod along x from 0 to `length`.
fn rod(mass: f64, length: f64) -> (f64, [f64; 3], Mat3) {
    let j = mass * length * length / 12.0;
    (mass, [0.5 * length, 0.0, 0.0], Mat3::from_diagonal(&Vec3::new(0.1 * j, j, j)))
}

/// Three rods with crossed axes on a fixed base.
fn arm() -> Chain {
    let mut chain = Chain::new("arm");
    let (m, c, j) = rod(0.2, 0.3);
    let start = [(0.3, 2.0), (-0.8, -3.0), (0.9, 4.0)];
    let axes = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut parent = None;
    for i in 0..3 {
        let link = Link::revolute(format!("link{i}")).inertia(m, c, j);
        let x = if i == 0 { 0.0 } else { 0.3 };
        let link = link.at([x, 0.0, 0.0], turned(axes[i], 1.2)).start(start[i].0, start[i].1);
        let link = match parent {
            Some(p) => link.on(p),
            None => link,
        };
        parent = Some(chain.link(link));
    }
    chain
}

/// The beam of `[Kim2017 sec. 5.2]` on a hub that turns.
fn hub_beam() -> Beam {
    let beam = Beam::rectangular("beam", [0.907, 0.05, 0.012], 2698.09, 68.9e9);
    beam.mount(Mount::Hub, 0.0, 0.05).start(vec![(0.2, 2.0), (0.005, 0.0)])
}

fn tip_of(world: &World, body: BodyId, point: [f64; 3]) -> Vec3 {
    let pose = world.pose(body);
    pose.position + pose.rotation * Vec3::from(point)
}

fn free_box(model: &mut ModelBuilder, at: Vec3) -> BodyId {
    let body = Body::cuboid("box", [0.05, 0.04, 0.03]).mass(0.3).position(at);
    model.body(body.angular_velocity([3.0, -5.0, 4.0]).velocity([0.1, 0.2, -0.1]))
}

/// Where a point of a link starts.
fn start_of(make: impl Fn(&mut ModelBuilder) -> (BodyId, [f64; 3])) -> Vec3 {
    let mut model = Model::ghosts();
    let (link, point) = make(&mut model);
    let world = World::new(model.build().expect("valid"));
    tip_of(&world, link, point)
}

/// Adds a flexible or articulated part; returns the body of its end and a point there.
type Part = fn(&mut ModelBuilder) -> (BodyId, [f64; 3]);

fn add_arm(model: &mut ModelBuilder) -> (BodyId, [f64; 3]) {
    (model.chain(arm()).link(2), [0.3, 0.0, 0.0])
}

fn add_beam(model: &mut ModelBuilder) -> (BodyId, [f64; 3]) {
    (model.beam(hub_beam().stations(0)).link(1), [0.0; 3])
}

/// Ties the end of a part to the world or to a free box, by a spring or a joint.
fn tied(part: Part, free: bool, joint: impl Fn(Anchor, Anchor) -> Spring) -> ModelBuilder {
    let mut model = Model::ghosts();
    let (link, point) = part(&mut model);
    let end = start_of(part);
    let offset = Vec3::new(0.01, 0.02, -0.01);
    let far = if free {
        let id = free_box(&mut model, end);
        id.at(offset)
    } else {
        Anchor::world(end + offset)
    };
    model.spring(joint(link.at(point), far));
    model
}

#[test]
fn gaps_fall_with_the_cube_of_the_step_in_generalized_and_mixed_worlds() {
    let cases: [(&str, Part, bool); 4] = [
        ("arm tied to the world", add_arm, false),
        ("arm tied to a free box", add_arm, true),
        ("beam tied to the world", add_beam, false),
        ("beam tied to a free box", add_beam, true),
    ];
    for (name, part, free) in cases {
        let gaps: Vec<f64> = [2e-3f64, 1e-3, 5e-4]
            .iter()
            .map(|h| {
                let spring = |a, b| Spring::point(a, b).stiffness(50.0);
                let model = tied(part, free, spring).build().expect("valid");
                let options =
                    Options { resolve_tolerance: 0.0, max_substeps: 1, ..Default::default() };
                let mut world = World::with_options(model, options).expect("options that fit");
                let gap = |_| world.step(*h, &Inputs::none()).gap_before;
                (0..(0.1 / h).round() as u32).map(gap).skip(2).fold(0.0, f64::max)
            })
            .collect();
        let order = (gaps[0] / gaps[2]).log2() / 2.0;
        println!("{name}: {gaps:?} order {order:.2}");
        assert!(order > 2.7, "{name}: {gaps:?}");
    }
}

#[test]
fn mixed_worlds_keep_their_energy_on_springs_and_on_hard_joints() {
    let parts: [(&str, Part); 2] = [("arm", add_arm), ("beam", add_beam)];
    type Make = fn(Anchor, Anchor) -> Spring;
    let ties: [(&str, Make); 3] = [
        ("1e5 N/m", |a, b| Spring::point(a, b).stiffness(1e5)),
        ("stiff ball", |a, b| Joint::ball(a, b).stiffness(1e9).into()),
        ("hard ball", |a, b| Joint::ball(a, b).into()),
    ];
    for (name, part) in parts {
        for (tie, make) in ties {
            // the box starts where the end is: no strain at first
            let mut model = Model::ghosts();
            model.gravity([0.0, -9.81, 0.0]);
            let (link, point) = part(&mut model);
            let id = free_box(&mut model, start_of(part));
            model.spring(make(link.at(point), id.origin()));
            let options = Options { joint_loss: 0.0, ..Default::default() };
            let mut world = World::with_options(model.build().expect("valid"), options)
                .expect("options that fit");
            let start = world.energy();
            let (mut worst, mut gap, mut scale) = (0.0f64, 0.0f64, start.kinetic);
            for _ in 0..2000 {
                let report = world.step(1e-3, &Inputs::none());
                assert_eq!((report.status, report.fallbacks), (Status::Taken, 0));
                scale = scale.max(world.energy().kinetic);
                worst = worst.max((world.energy().total() - start.total()).abs());
                gap = gap.max(report.gap);
            }
            let lost = world.ledger().totals().lost() / scale;
            let tank = world.energy().tank / scale;
            println!(
                "{name}, {tie}: energy {:.1e}, lost {lost:.1e}, tank {tank:.1e}, gap {gap:.1e}",
                worst / scale
            );
            assert!((worst / scale) < 1e-9 && lost < 1e-9, "{name} {tie}");
            assert!(gap < 1e-6 && tank < 1e-2, "{name} {tie}: gap {gap:.1e} tank {tank:.1e}");
        }
    }
}

/// Linear momentum of a planar beam, the first two rows of `M w`, in its plane.
fn beam_momentum(world: &World, id: SystemId) -> Vec3 {
    let law = world.model().systems()[id.index()].law.clone();
    let mut terms = Terms::new(law.freedoms(), law.links());
    law.configure(world.coordinates(id), &Vec3::zeros(), &mut terms);
    let mut w = vec![0.0; law.freedoms()];
    world.coordinate_rates(id, &mut w);
    let p = &terms.mass * nalgebra::DVector::from_vec(w);
    Vec3::new(p[0], p[1], 0.0)
}

#[test]
fn a_beam_in_the_plane_and_a_box_on_its_tip_keep_their_momentum() {
    let errors: Vec<f64> = [2e-3f64, 1e-3, 5e-4]
        .iter()
        .map(|h| {
            let beam = Beam::rectangular("beam", [0.907, 0.05, 0.012], 2698.09, 68.9e9);
            let start = vec![(0.0, 0.3), (0.0, -0.2), (0.4, 3.0), (0.01, 0.0)];
            let beam = beam.mount(Mount::Planar, 0.5, 0.01).start(start).stations(0);
            let place = |model: &mut ModelBuilder| (model.beam(beam.clone()).link(1), [0.0; 3]);
            let tip = start_of(place);
            let mut model = Model::ghosts();
            let id = model.beam(beam.clone());
            // a spherical box that starts at rest: its own turning stays out of the sum
            let ball = model.body(Body::sphere("ball", 0.05).mass(0.5).position(tip));
            let spring = Spring::point(id.link(1).origin(), ball.origin());
            model.spring(spring.stiffness(1e5));
            let mut world = World::new(model.build().expect("valid"));
            let sum = |world: &World| beam_momentum(world, id) + world.velocity(ball) * 0.5;
            let (before, energy) = (sum(&world), world.energy().total());
            for _ in 0..(1.0 / h).round() as u32 {
                let _ = world.step(*h, &Inputs::none());
            }
            assert!((world.energy().total() / energy - 1.0).abs() < 1e-10);
            (sum(&world) - before).norm() / before.norm()
        })
        .collect();
    println!("{errors:?}");
    // translation is linear in these coordinates: momentum is exact
    assert!(errors.iter().all(|e| *e < 1e-11), "{errors:?}");
}

/// Ten links, floating and tumbling, in either coordinates.
fn floating_chain(generalized: bool) -> World {
    let defaults = Options::default();
    let options =
        if generalized { defaults } else { Options { resolve_tolerance: 0.0, ..defaults } };
    let (m, length) = (0.05, 0.1);
    let (mass, c, j) = rod(m, length);
    let mass_of = MassProperties { mass, center_of_mass: c.into(), inertia: j };
    let mut chain = Chain::new("chain").floating("link0", mass_of, Pose::default());
    chain = chain.base_velocity([0.2, -0.3, 0.1], [3.0, -2.0, 4.0]);
    let frame = |i: usize| turned([1.0, if i.is_multiple_of(2) { 1.0 } else { -1.0 }, 0.5], 1.5);
    for i in 1..10 {
        let link = Link::revolute(format!("link{i}")).inertia(mass, c, j);
        let link = link.at([length, 0.0, 0.0], frame(i)).held_at([0.0; 3], frame(i));
        let link = if i > 1 { link.on(i - 2) } else { link };
        chain.link(link.start(0.3 * (i as f64).sin(), (2.0 * i as f64).cos()));
    }
    let mut model = Model::ghosts();
    model.chain(chain);
    let world =
        World::with_options(model.build().expect("a chain"), options).expect("options that fit");
    if generalized {
        return world;
    }
    let mut model = Model::ghosts();
    let mut last: Option<BodyId> = None;
    for i in 0..10 {
        let name = format!("link{i}");
        let link = world.body_named(&name).expect("named");
        let pose = world.pose(link);
        let body = Body::new(name).inertia(mass, c, j).position(pose.position);
        let body = body.rotation(pose.rotation).velocity(world.velocity(link));
        let id = model.body(body.angular_velocity(world.angular_velocity(link)));
        if let Some(last) = last {
            let knee = last.at([length, 0.0, 0.0]).turned(frame(i));
            model.joint(Joint::hinge(id.origin().turned(frame(i)), knee));
        }
        last = Some(id);
    }
    World::with_options(model.build().expect("ten rods"), options).expect("options that fit")
}

#[test]
fn a_floating_chain_keeps_its_angular_momentum_in_both_coordinates() {
    // measured at 1 ms: 3e-6 on hinges, as the square of the step; in joint coordinates momentum
    // is given back after each step, to rounding
    for (generalized, most) in [(false, 1e-5), (true, 1e-8)] {
        let mut errors = Vec::new();
        for h in [2e-3f64, 1e-3, 5e-4] {
            let mut world = floating_chain(generalized);
            let (before, energy) = (world.angular_momentum(), world.energy().total());
            let mut worst: f64 = 0.0;
            for _ in 0..(10.0 / h) as u32 {
                let _ = world.step(h, &Inputs::none());
                worst = worst.max((world.angular_momentum() - before).norm() / before.norm());
            }
            assert!((world.energy().total() / energy - 1.0).abs() < 1e-12);
            errors.push(worst);
        }
        let order = (errors[0] / errors[2]).log2() / 2.0;
        println!("generalized {generalized}: {errors:?} order {order:.2}");
        let ordered = order > 1.9 || errors[0] < most;
        assert!(errors[1] < most && ordered, "generalized {generalized}: {errors:?}");
    }
}

#[test]
fn an_over_determined_body_keeps_its_stiff_joint_closed() {
    let mut model = Model::ghosts();
    let body = Body::cuboid("body", [0.1, 0.05, 0.02]).mass(0.2);
    let arm = Vec3::new(-0.1, 0.05, 0.02);
    let spin = Vec3::new(8.0, -12.0, 14.0);
    let spin = spin * (20.0 / spin.norm());
    let body = body.position(-arm).velocity(spin.cross(&-arm)).angular_velocity(spin);
    let id = model.body(body);
    model.joint(Joint::ball(id.at(arm), Anchor::world([0.0; 3])).stiffness(1e9));
    for [x, y] in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
        let point = Vec3::new(0.1 * x, 0.05 * y, 0.02);
        let held = Anchor::world(point - arm + Vec3::new(0.02, 0.0, 0.01));
        model.spring(Spring::point(id.at(point), held).stiffness(50.0));
    }
    let mut world = World::new(model.build().expect("valid"));
    let (mut gap, mut opening, mut booked) = (0.0f64, 0.0f64, 0.0f64);
    let energy = world.energy().total();
    for _ in 0..400 {
        let report = world.step(5e-3, &Inputs::none());
        assert_eq!((report.status, report.fallbacks), (Status::Taken, 0));
        let pose = world.pose(id);
        opening = opening.max((pose.position + pose.rotation * arm).norm());
        gap = gap.max(report.gap);
        booked += report.entry.booked;
    }
    println!("joint open by {opening:.1e} m, gap {gap:.1e}, booked {:.1e}", booked / energy);
    assert!(opening <= 1e-7, "{opening:.1e}");
}

/// A finger of three 1 g links with a tendon over its joints, on a palm of 50 g.
fn finger(palm_in_maximal: bool) -> (World, BodyId, BodyId) {
    let (m, c, j) = rod(1e-3, 0.03);
    let palm = Shape::cuboid(Vec3::new(0.04, 0.04, 0.01)).expect("a box");
    let density = 0.05 / palm.volume();
    // in maximal coordinates the finger's own base is a thin plate fixed to the palm
    let share = if palm_in_maximal { 0.1 } else { 1.0 };
    let base = palm.mass_properties(density * share);
    let mut chain = Chain::new("finger").floating("base", base, Pose::default());
    chain = chain.base_velocity([0.1, 0.0, 0.05], [1.0, -2.0, 0.5]);
    let y = turned([1.0, 0.0, 0.0], -std::f64::consts::FRAC_PI_2);
    for i in 0..3 {
        let link = Link::revolute(format!("phalanx{i}")).inertia(m, c, j).held_at([0.0; 3], y);
        let x = if i == 0 { 0.04 } else { 0.03 };
        let link = link.at([x, 0.0, 0.0], y).start(0.2, 1.0);
        chain.link(if i > 0 { link.on(i - 1) } else { link });
    }
    let mut model = Model::ghosts();
    let id = model.chain(chain);
    model.spring(Spring::tendon(id, &[0.01, 0.01, 0.01]).stiffness(100.0).rest(0.008));
    for i in 0..3 {
        model.spring(Spring::coordinate(id, i).stiffness(1e-3));
    }
    let (base, tip) = (id.base(), id.link(2));
    if palm_in_maximal {
        let rest = palm.mass_properties(density * (1.0 - share));
        let body = Body::new("palm").inertia(rest.mass, rest.center_of_mass, rest.inertia);
        let body = body.velocity([0.1, 0.0, 0.05]).angular_velocity([1.0, -2.0, 0.5]);
        let palm = model.body(body);
        model.joint(Joint::fixed(palm.origin(), base.origin()));
    }
    (World::new(model.build().expect("a finger")), base, tip)
}

#[test]
fn a_finger_on_a_free_palm_moves_the_same_in_mixed_coordinates() {
    let mut errors = Vec::new();
    for h in [5e-4f64, 2.5e-4, 1.25e-4] {
        let [mut one, mut mixed] = [finger(false), finger(true)];
        let (energy, momentum) = (mixed.0.energy().total(), mixed.0.momentum());
        let spin = mixed.0.angular_momentum();
        assert!((one.0.energy().total() / energy - 1.0).abs() < 1e-12);
        for _ in 0..(0.2 / h) as u32 {
            let _ = one.0.step(h, &Inputs::none());
            let _ = mixed.0.step(h, &Inputs::none());
        }
        assert!((mixed.0.energy().total() / energy - 1.0).abs() < 1e-10);
        println!(
            "h {h}: momentum {:.1e}, spin {:.1e}, tank {:.1e} lost {:.1e}",
            (mixed.0.momentum() - momentum).norm() / momentum.norm(),
            (mixed.0.angular_momentum() - spin).norm() / spin.norm(),
            mixed.0.energy().tank / energy,
            mixed.0.ledger().totals().lost() / energy
        );
        errors.push((one.0.pose(one.2).position - mixed.0.pose(mixed.2).position).norm());
    }
    let order = (errors[0] / errors[2]).log2() / 2.0;
    println!("{errors:?} order {order:.2}");
    assert!(order > 1.9 && errors[2] < 1e-5, "{errors:?}");
}
