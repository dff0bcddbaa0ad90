//! Contact together with joints, springs and chains: passive for any scene and any budget, and
//! defined for the worst input.

mod common;

use common::{Random, worlds};
use palpable::*;

const G: f64 = 9.81;

fn floor(material: Material) -> Body {
    Body::half_space("floor").material(material)
}

fn shape(r: &mut Random, name: String, size: f64) -> Body {
    match r.below(4) {
        0 => Body::sphere(name, size),
        1 => Body::cuboid(name, [size, 0.7 * size, 1.4 * size]),
        2 => Body::capsule(name, size, 0.4 * size),
        _ => Body::cylinder(name, size, 0.6 * size),
    }
}

/// Bodies over a floor, some of them joined or tied to each other or the world.
fn add_bodies(r: &mut Random, model: &mut ModelBuilder, material: Material) {
    let mut placed: Vec<(BodyId, Vec3, Rotation, f64)> = Vec::new();
    for i in 0..1 + r.below(5) {
        let (size, turn) = (r.decades(0.02, 0.2), r.rotation());
        let at = Vec3::new(r.between(-0.2, 0.2), r.between(-0.2, 0.2), 0.15 + 0.25 * i as f64);
        let body = shape(r, format!("b{i}"), size).mass(r.decades(1e-2, 1e1));
        let body = body.position(at).rotation(turn).velocity(r.vector(1.0));
        let id = model.body(body.angular_velocity(r.vector(8.0)).material(material));
        placed.push((id, at, turn, size));
    }
    for pair in 1..placed.len() {
        let ((a, xa, qa, _), (b, xb, qb, _)) = (placed[pair], placed[pair - 1]);
        let middle = (xa + xb) * 0.5;
        let ends = [
            a.at(qa.inverse() * (middle - xa)).turned(qa.inverse()),
            b.at(qb.inverse() * (middle - xb)).turned(qb.inverse()),
        ];
        let k = if r.below(2) == 0 { f64::INFINITY } else { r.decades(1e2, 1e8) };
        match r.below(5) {
            0 => {
                model.joint(Joint::ball(ends[0], ends[1]).stiffness(k));
            }
            1 => {
                model.joint(Joint::hinge(ends[0], ends[1]).stiffness(k));
            }
            2 => {
                let k = r.decades(1.0, 1e5);
                model.spring(Spring::point(ends[0], ends[1]).stiffness(k));
            }
            _ => {}
        }
    }
}

/// An arm or a snake in generalized coordinates, half of its joints with stops.
fn add_chain(r: &mut Random, model: &mut ModelBuilder) {
    let (mut chain, n) = (Chain::new("arm"), 1 + r.below(4));
    let link = Shape::cuboid(Vec3::new(0.1, 0.02, 0.03)).expect("a link");
    let floats = r.below(2) == 0;
    if floats {
        let mass = link.mass_properties(1e3);
        let position = Vec3::new(0.6, 0.0, 0.4);
        chain = chain.floating("base", mass, Pose { position, rotation: r.rotation() });
        chain = chain.base_shape(link.clone());
    }
    for i in 0..n {
        let at = if i == 0 && !floats { Vec3::new(0.6, 0.0, 0.2) } else { Vec3::x() * 0.1 };
        let next = Link::revolute(format!("l{i}")).at(at, r.rotation());
        let next = next.held_at([-0.1, 0.0, 0.0], r.rotation());
        let next = next.shape(link.clone(), r.decades(300.0, 3e3));
        let next = next.start(0.0, r.between(-5.0, 5.0));
        chain.link(if i > 0 { next.on(i - 1) } else { next });
    }
    let id = model.chain(chain);
    if r.below(2) == 0 {
        model.spring(Spring::coordinate(id, n - 1).stops(-0.7, 0.4));
    }
}

#[test]
fn no_scene_gains_energy_by_contact_whatever_the_budget() {
    let (mut r, mut touched, mut worst) = (Random(2024), 0u64, 0.0f64);
    for case in 0..worlds(260, 2600) {
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -G]).contacts(0);
        let e = if r.below(3) == 0 { 0.0 } else { r.between(0.0, 1.0) };
        let mut material = Material::new(r.between(0.0, 1.2), e);
        if r.below(4) == 0 {
            material = material.rolling(r.decades(1e-4, 1e-2), r.decades(1e-4, 1e-2));
        }
        model.body(floor(material));
        add_bodies(&mut r, &mut model, material);
        if r.below(3) == 0 {
            add_chain(&mut r, &mut model);
        }
        let mut world = World::new(model.build().expect("a valid scene"));
        if let Some(settings) = world.contact_settings() {
            settings.sweeps = r.below(20);
            settings.newton_steps = r.below(8);
        }
        let h = r.decades(5e-4, 1e-2);
        for step in 0..500 {
            let before = world.energy().total();
            let report = world.step(h, &Inputs::none());
            assert!(report.status.is_taken(), "case {case}, step {step}: {:?}", report.status);
            // heaps that rest have little in play; the sum of the accounts is rounded all the same
            let now = world.energy();
            let rounded = 4.0 * f64::EPSILON * (now.kinetic + now.gravity.abs() + now.tank);
            let rise = (now.total() - before - rounded) / report.entry.in_play;
            assert!(rise < 1e-13, "case {case}, step {step}, h {h}: {rise:e} {:?}", report.entry);
            worst = worst.max(rise);
            touched += u64::from(report.contact.points > 0);
        }
    }
    println!("{touched} steps in contact, worst rise {worst:e}");
    assert!(touched >= 100_000, "{touched}");
}

/// Rods of 0.1 m and 1 g on ball joints, level along x from `start`.
fn rods(
    model: &mut ModelBuilder,
    n: usize,
    start: Vec3,
    k: f64,
    material: Material,
) -> Vec<BodyId> {
    let turn = Rotation::from_scaled_axis(Vec3::y() * std::f64::consts::FRAC_PI_2);
    let (mut ids, mut last) = (Vec::new(), None::<BodyId>);
    for i in 0..n {
        let at = start + Vec3::x() * (0.05 + 0.1 * i as f64);
        let rod = Body::capsule(format!("rod{i}"), 0.05, 1e-3).mass(1e-3);
        let id = model.body(rod.position(at).rotation(turn).material(material));
        if let Some(last) = last {
            let (a, b) = (id.at([0.0, 0.0, -0.05]), last.at([0.0, 0.0, 0.05]));
            model.joint(Joint::ball(a, b).stiffness(k));
        }
        last = Some(id);
        ids.push(id);
    }
    ids
}

/// Largest velocity at which the two ends of a joint part.
fn parting(world: &World, ids: &[BodyId]) -> f64 {
    let end = |id: BodyId, z: f64| {
        let turn = world.pose(id).rotation;
        let omega = world.angular_velocity(id);
        world.velocity(id) + turn * omega.cross(&Vec3::new(0.0, 0.0, z))
    };
    ids.windows(2).map(|p| (end(p[1], -0.05) - end(p[0], 0.05)).norm()).fold(0.0, f64::max)
}

#[test]
fn an_impulse_on_one_link_moves_the_whole_chain_and_leaves_no_chatter() {
    // ends of rods that turn and spin part by |ω|² ω l h²/12 as well, chatter or not: at 1 m/s the
    // ball sets them spinning about their axes, and that part is above the bound
    for (struck, v) in (0..5).flat_map(|i| [0.3, 0.5, 1.0].map(|v| (i, v))) {
        let mut model = Model::builder();
        model.contacts(0);
        let material = Material::new(0.3, 0.0);
        let ids = rods(&mut model, 5, Vec3::zeros(), 1e9, material);
        // a ball of 1 g hits near the end of a link at 1 m/s
        let at = Vec3::new(0.07 + 0.1 * struck as f64, 0.0, 0.02);
        let ball = Body::sphere("ball", 5e-3).mass(1e-3).position(at).velocity([0.0, 0.3 * v, -v]);
        model.body(ball.material(material));
        let mut world = World::new(model.build().expect("a chain"));
        let start = world.energy().total();
        let (mut before, mut rise, mut hit) = (start, 0.0f64, None);
        for step in 0..500 {
            let report = world.step(1e-3, &Inputs::none());
            assert!(report.status.is_taken());
            rise = rise.max(world.energy().total() - before);
            before = world.energy().total();
            if world.contacts().iter().any(|t| t.impulse.norm() + t.force.norm() > 0.0) {
                hit = hit.or(Some(step));
            }
            if hit.is_some_and(|hit| step == hit + 400) {
                break;
            }
        }
        let chatter = parting(&world, &ids);
        let felt = ids.iter().map(|&id| world.velocity(id).norm()).fold(f64::MAX, f64::min);
        println!("struck {struck} at {v}: chatter {chatter:e}, slowest {felt:e}, rise {rise:e}");
        assert!(hit.is_some() && (v > 0.5 || chatter < 1e-4), "{struck}: {chatter:e}");
        assert!(felt > 1e-3 && rise < 1e-13 * start, "{struck}: {felt} {rise:e}");
    }
}

#[test]
fn a_chain_that_starts_inside_the_floor_creates_no_energy() {
    let empty = TankPolicy { cap: 0.0, grant: 0.0, ..Default::default() };
    for (tank, comes_out) in
        [(empty, false), (TankPolicy { grant: 1e-3, ..Default::default() }, true)]
    {
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -G]).contacts(0);
        let rough = Material::new(0.5, 0.0);
        model.body(floor(rough));
        let ids = rods(&mut model, 3, Vec3::new(0.0, 0.0, 0.0), 1e7, rough);
        let options = Options { tank, ..Default::default() };
        let mut world = World::with_options(model.build().expect("a chain"), options)
            .expect("options that fit");
        let (start, scale) = (world.energy().total(), 3e-3 * G * 0.01);
        let mut highest = f64::MIN;
        for _ in 0..1000 {
            assert!(world.step(1e-3, &Inputs::none()).status.is_taken());
            highest = highest.max(world.energy().total() - start);
        }
        let low = ids.iter().map(|&id| world.pose(id).position.z).fold(f64::MAX, f64::min);
        println!("rise {:e}, lowest {low:e}", highest / scale);
        assert!(highest < 1e-13 * scale, "{:e}", highest / scale);
        // with something in the tank it is lifted out: 1 mm is the radius of the rods
        assert!(!comes_out || low > 1e-3 - 1e-6, "{low:e}");
    }
}

/// `rows` rows of ten blocks of 2 x 1 x 1 m in a bond.
fn wall(rows: usize) -> (World, Vec<BodyId>) {
    let mut model = Model::builder();
    let rough = Material::new(0.5, 0.0);
    model.gravity([0.0, 0.0, -G]).contacts(0);
    model.body(floor(rough));
    let mut ids = Vec::new();
    for row in 0..rows {
        for i in 0..10 {
            let x = 2.02 * i as f64 + if row % 2 == 0 { 0.0 } else { 0.5 };
            let block = Body::cuboid(format!("b{row}-{i}"), [1.0, 0.5, 0.5]).mass(1.0);
            let block = block.position([x, 0.0, 0.5 + row as f64]);
            ids.push(model.body(block.material(rough)));
        }
    }
    (World::new(model.build().expect("a wall")), ids)
}

#[test]
fn a_wall_of_a_hundred_blocks_stands() {
    let (mut world, ids) = wall(10);
    let start: Vec<Vec3> = ids.iter().map(|&id| world.pose(id).position).collect();
    let energy = world.energy().total();
    let mut residual = 0.0f64;
    for step in 0..10_000 {
        let report = world.step(1e-3, &Inputs::none());
        assert!(report.status.is_taken() && report.contact.dropped == 0);
        assert!(world.energy().total() - energy < 1e-13 * energy);
        residual = report.contact.residual;
        if step % 1000 == 49 {
            println!("step {step}: {:?}", report.contact);
        }
    }
    let moved = ids.iter().zip(&start).map(|(&id, s)| (world.pose(id).position - s).norm());
    let moved = moved.fold(0.0, f64::max);
    let speed = ids.iter().map(|&id| world.velocity(id).norm()).fold(0.0, f64::max);
    println!("moved {moved:e} m, speed {speed:e} m/s, residual {residual:e}");
    // it creeps while the forces of 10 rows are found, eight sweeps a step, and sleeps then
    assert!(moved < 1e-4 && speed < 1e-6, "{moved:e} {speed:e}");
}

fn runs(world: &mut World, steps: usize) -> StepReport {
    let mut report = StepReport::default();
    let start = world.energy().total();
    for _ in 0..steps {
        report = world.step(1e-3, &Inputs::none());
        assert!(report.status.is_taken(), "{:?}", report.status);
        let scale = start.abs().max(report.entry.in_play);
        let rise = world.energy().total() - start;
        assert!(rise <= 1e-13 * scale, "{rise:e} of {scale:e}: {:?}", report.entry);
    }
    report
}

#[test]
fn coincident_bodies_are_defined() {
    for kind in 0..4 {
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -G]).contacts(0);
        model.body(floor(Material::default()));
        for i in 0..3 {
            let name = format!("b{i}");
            let body = match kind {
                0 => Body::sphere(name, 0.1),
                1 => Body::cuboid(name, [0.1; 3]),
                2 => Body::capsule(name, 0.1, 0.05),
                _ => Body::cylinder(name, 0.1, 0.05),
            };
            model.body(body.position([0.0, 0.0, 0.2]));
        }
        let _ = runs(&mut World::new(model.build().expect("coincident bodies")), 300);
    }
}

#[test]
fn a_mass_ratio_of_a_million_is_passive_and_its_sinking_is_known() {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]).contacts(0);
    model.body(floor(Material::default()));
    let light = model.body(Body::cuboid("light", [0.1; 3]).mass(1.0).position([0.0, 0.0, 0.1]));
    let heavy = Body::cuboid("heavy", [0.1; 3]).mass(1e6).position([0.0, 0.0, 0.3]);
    let heavy = model.body(heavy);
    let mut world = World::new(model.build().expect("a stack"));
    let report = runs(&mut world, 1000);
    let (low, high) = (world.pose(light).position.z - 0.1, world.pose(heavy).position.z - 0.3);
    println!("residual {:e}, light {low:e}, heavy {high:e}", report.contact.residual);
    // documented limit: eight points are solved by Newton, and the stack stands
    assert!(low.abs() < 1e-6 && high.abs() < 1e-6, "{low:e} {high:e}");
}

#[test]
fn senseless_shapes_are_refused_and_inverted_ones_are_put_right() {
    let build = |body: Body| {
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -G]).contacts(0);
        model.body(floor(Material::default()));
        model.body(body.mass(1.0).position([0.0, 0.0, 0.5]));
        model.build()
    };
    let v = Vec3::new;
    let flat = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0), v(1.0, 1.0, 0.0)];
    assert!(build(Body::convex_hull("flat", &flat)).is_err());
    assert!(build(Body::convex_hull("point", &[v(1.0, 1.0, 1.0); 5])).is_err());
    assert!(build(Body::convex_hull("none", &[])).is_err());
    let bad = [v(f64::NAN, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0), v(0.0, 0.0, 1.0)];
    assert!(build(Body::convex_hull("nan", &bad)).is_err());
    assert!(build(Body::cuboid("negative", [-0.1, 0.1, 0.1])).is_err());
    assert!(build(Body::sphere("nan", f64::NAN)).is_err());
    let corners: Vec<Vec3> = (0..8)
        .map(|i| {
            let of = |bit: usize| if i >> bit & 1 == 0 { -0.1 } else { 0.1 };
            v(of(0), of(1), of(2))
        })
        .collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let outward: Vec<[u32; 3]> =
        faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]).collect();
    let inward: Vec<[u32; 3]> = outward.iter().map(|t| [t[0], t[2], t[1]]).collect();
    for (name, triangles) in [("outward", outward), ("inward", inward)] {
        // refused with a cause, or a solid that stands on the floor: nothing in between
        match build(Body::mesh(name, corners.clone(), triangles)) {
            Err(errors) => println!("{name}: {errors}"),
            Ok(model) => {
                let mut world = World::new(model);
                let _ = runs(&mut world, 800);
                let id = world.body_named(name).expect("named");
                let z = world.pose(id).position.z;
                println!("{name}: rests at {z}");
                assert!((z - 0.1).abs() < 1e-6, "{name}: {z}");
            }
        }
    }
}

#[test]
fn wheels_that_joints_hold_press_on_each_other_with_no_force() {
    // their hinges take every motion along the contact, their gear every motion across it
    let mut r = Random(1010);
    for seed in 0..20 {
        let (small, ratio) = (r.decades(0.01, 0.3), r.between(1.0, 3.0));
        let (overlap, h) = (r.between(0.0, 0.01) * small, [1e-3, 5e-3, 2e-2][seed % 3]);
        let apart = small * (1.0 + ratio) - overlap;
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -G]).contacts(0);
        let wheel = |name: &str, r: f64, m: f64| Body::cylinder(name, 0.2 * small, r).mass(m);
        let pin = model.body(wheel("pin", small, r.decades(1e-2, 1e1)));
        let big = wheel("wheel", ratio * small, r.decades(1e-2, 1e1));
        let big = model.body(big.position([apart, 0.0, 0.0]));
        let (hub, far) = (Anchor::world([0.0; 3]), Anchor::world([apart, 0.0, 0.0]));
        model.joint(Joint::hinge(pin.origin(), hub));
        model.joint(Joint::hinge(big.origin(), far));
        model.joint(Joint::gear(pin.origin(), hub, big.origin(), far, ratio));
        let at = [0.0, 0.05 * small, 3.0 * small];
        model.body(Body::sphere("ball", small).mass(0.4).position(at));
        let mut world = World::new(model.build().expect("two wheels and a ball"));
        for step in 0..500 {
            let report = world.step(h, &Inputs::none());
            assert!(report.gate.is_idle(), "world {seed} step {step}: {:?}", report.gate);
        }
    }
}

#[test]
fn hinged_pairs_of_any_surface_land_on_the_floor() {
    let mut r = Random(16372);
    for seed in 0..30 {
        let radius = r.between(0.05, 0.15);
        let rough = Material::new(0.5, 0.0).sticky(0.9);
        let material = if seed % 2 == 0 { rough } else { rough.rolling(1e-3, 1e-2) };
        let mut model = Model::builder();
        model.gravity([0.0, 0.0, -G]).contacts(0);
        model.body(floor(material));
        let pair: Vec<BodyId> = [0.0, 2.5 * radius]
            .into_iter()
            .map(|x| {
                let at = [x, 0.0, 0.5 + 0.3 * x];
                let ball = Body::sphere(format!("ball{x}"), radius).mass(r.decades(0.1, 10.0));
                model.body(ball.position(at).material(material).angular_velocity(r.vector(2.0)))
            })
            .collect();
        let middle = Vec3::new(1.25 * radius, 0.0, 0.375 * radius);
        model.joint(Joint::hinge(pair[0].at(middle), pair[1].at(-middle)));
        let mut world = World::new(model.build().expect("a pair"));
        for step in 0..300 {
            let _ = world.step(1e-2, &Inputs::none());
            for &ball in &pair {
                let depth = radius - world.pose(ball).position.z;
                // phase II may let a body sink by a thousandth
                assert!(depth < 2e-3 * radius, "world {seed} step {step}: {depth:e}");
            }
        }
    }
}
