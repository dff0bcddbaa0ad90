//! Worlds to count instructions on: `instructions KIND BODIES STEPS`, KIND as in `main`.
//!
//! Run by `scripts/instructions` under callgrind, which counts the same on a busy machine as on an
//! idle one. Without arguments (as `cargo test` and `cargo bench` call it) it takes a few steps.

use palpable::{
    Anchor, Body, BodyId, BuildErrors, Chain, Inputs, Link, Material, Model, Options, Spring,
    VolumeLaw, World,
};

/// Bodies that touch nothing.
fn free(n: u32) -> Result<World, BuildErrors> {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -9.81]);
    for i in 0..n {
        let a = f64::from(i);
        let body = Body::cuboid(format!("b{i}"), [0.1, 0.2, 0.3]).position([a, 0.0, 0.0]);
        model.body(body.angular_velocity([1.0 + a * 1e-3, 5.0, 0.3]));
    }
    Ok(World::new(model.build()?))
}

/// Rods of 1 g joined end to end by point springs of 1e4 N/m, hanging from the world.
fn chain(n: u32) -> Result<World, BuildErrors> {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -9.81]);
    let mut end = Anchor::world([0.0; 3]);
    for i in 0..n {
        let rod = Body::cuboid(format!("b{i}"), [0.05, 0.01, 0.01]).mass(1e-3);
        let rod: BodyId = model.body(rod.position([0.1 * f64::from(i) + 0.05, 0.0, 0.0]));
        model.spring(Spring::point(rod.at([-0.05, 0.0, 0.0]), end).stiffness(1e4));
        end = rod.at([0.05, 0.0, 0.0]);
    }
    Ok(World::new(model.build()?))
}

/// The same chain with one solve and one projection a step, whatever the prediction was.
fn chain_once(n: u32) -> Result<World, BuildErrors> {
    let options = Options { resolve_tolerance: f64::MAX, max_substeps: 1, ..Options::default() };
    Ok(World::with_options(chain(n)?.model().clone(), options).expect("options that fit"))
}

/// A hand of ten 1 g links held at sixteen points by 100 N/m `[Kim2017, fig. 4]`.
fn hand() -> Result<World, BuildErrors> {
    let mut model = Model::ghosts();
    let link = |name: String, x: f64, y: f64| {
        let body = Body::cuboid(name, [0.02, 0.006, 0.006]).principal_inertia(1e-3, [1e-3; 3]);
        body.position([x, y, 0.0]).velocity([0.0, 0.0, 0.1]).angular_velocity([0.3, 1.0, -0.5])
    };
    let palm = model.body(link("palm".into(), 0.0, 0.0));
    let join = |model: &mut palpable::ModelBuilder, a: Anchor, b: Anchor| {
        model.spring(Spring::point(a, b).stiffness(100.0));
    };
    // three fingers of two links on two points each, one of two links and a thumb on one
    for f in 0..5 {
        let (y, links) = (0.02 * f64::from(f) - 0.04, if f == 4 { 1 } else { 2 });
        let (mut last, mut x) = (palm, 0.02);
        for k in 0..links {
            let body = model.body(link(format!("f{f}{k}"), x + 0.02, y));
            let sides: &[f64] = if f < 3 { &[-0.005, 0.005] } else { &[0.0] };
            for &side in sides {
                let (at, own) =
                    (if k == 0 { [0.02, y + side, 0.0] } else { [0.02, side, 0.0] }, side);
                join(&mut model, body.at([-0.02, own, 0.0]), last.at(at));
            }
            (last, x) = (body, x + 0.04);
        }
    }
    Ok(World::new(model.build()?))
}

/// A chain of rods in generalized coordinates, hinges in turn about y and z, hung from the world.
fn arm(n: u32) -> Result<World, BuildErrors> {
    let mut model = Model::ghosts();
    model.gravity([0.0, 0.0, -9.81]);
    let (mut chain, mut end) = (Chain::new("arm"), None);
    let turn = |angle: f64| nalgebra::UnitQuaternion::from_euler_angles(angle, 0.0, 0.0);
    for i in 0..n {
        let at = if i == 0 { [0.0; 3] } else { [0.1, 0.0, 0.0] };
        let inertia = nalgebra::Matrix3::from_diagonal_element(1e-6);
        let link = Link::revolute(format!("l{i}")).at(at, turn(std::f64::consts::FRAC_PI_2));
        let link = link.inertia(1e-3, [0.05, 0.0, 0.0], inertia).start(0.1, 0.0);
        end = Some(chain.link(match end {
            Some(parent) => link.on(parent),
            None => link,
        }));
    }
    model.chain(chain);
    Ok(World::new(model.build()?))
}

/// Bodies joined at random by springs of all kinds, two for each, as `palpable bench` has them.
fn springs(n: u32) -> Result<World, BuildErrors> {
    let (mut model, mut seed) = (Model::ghosts(), 1u64);
    let mut unit = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut ids: Vec<BodyId> = Vec::new();
    for i in 0..n {
        let spin = std::array::from_fn::<f64, 3, _>(|_| 5.0 * (2.0 * unit() - 1.0));
        let body = Body::cuboid(format!("b{i}"), [0.02, 0.03, 0.04]).mass(0.1);
        ids.push(model.body(body.position([0.1 * f64::from(i), 0.0, 0.0]).angular_velocity(spin)));
    }
    for i in 0..2 * ids.len() {
        let a = ids[i % ids.len()];
        let far = (unit() * (i % ids.len() + 1) as f64) as usize;
        let mut near =
            |size: f64| std::array::from_fn::<f64, 3, _>(|_| size * (2.0 * unit() - 1.0));
        let b = match far {
            0 => Anchor::world(near(0.5)),
            far => ids[far - 1].at(near(0.05)),
        };
        model.spring(match i % 3 {
            0 => Spring::point(a.at(near(0.05)), b).stiffness(500.0),
            1 => Spring::rotation(a.origin(), b).stiffness(0.5),
            _ => Spring::pose(a.origin(), b).stiffness(200.0),
        });
    }
    Ok(World::new(model.build()?))
}

/// Balls in a square net of springs.
fn net(n: u32) -> Result<World, BuildErrors> {
    let side = f64::from(n).sqrt().ceil() as u32;
    let mut model = Model::ghosts();
    let mut ids = Vec::new();
    for i in 0..side * side {
        let (x, y) = (f64::from(i % side) * 0.1, f64::from(i / side) * 0.1);
        ids.push(model.body(Body::sphere(format!("b{i}"), 0.02).mass(0.01).position([x, y, 0.0])));
    }
    for i in 0..side * side {
        let mut join = |j: u32, x: f64, y: f64| {
            let (a, b) = (ids[i as usize], ids[j as usize]);
            model.spring(Spring::point(a.at([x, y, 0.0]), b.at([-x, -y, 0.0])).stiffness(500.0));
        };
        if (i + 1) % side != 0 {
            join(i + 1, 0.05, 0.0);
        }
        if i + side < side * side {
            join(i + side, 0.0, 0.05);
        }
    }
    Ok(World::new(model.build()?))
}

/// Blocks of 2 x 1 x 1 m and 1 kg: rows of b, b - 1, .. of them, in contact.
fn pyramid(n: u32, rough: Material) -> Result<World, BuildErrors> {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]).contacts(12 * n as usize);
    model.body(Body::half_space("floor").material(rough));
    let mut row = (1..).find(|b| b * (b + 1) / 2 >= n).unwrap_or(1);
    let (mut left, mut z) = (n, 0.5);
    while left > 0 {
        let count = row.min(left);
        for k in 0..count {
            let x = 2.1 * (f64::from(k) - 0.5 * (f64::from(count) - 1.0));
            let block = Body::cuboid(format!("b{left}-{k}"), [1.0, 0.5, 0.5]).mass(1.0);
            model.body(block.position([x, 0.0, z]).material(rough));
        }
        (left, row, z) = (left - count, row.saturating_sub(1).max(1), z + 1.0);
    }
    Ok(World::new(model.build()?))
}

/// Cubes of 0.2 m and 1 kg, one on the other.
fn tower(n: u32) -> Result<World, BuildErrors> {
    let mut model = Model::builder();
    let rough = Material::new(0.5, 0.0);
    model.gravity([0.0, 0.0, -9.81]).contacts(8 * n as usize);
    model.body(Body::half_space("floor").material(rough));
    for i in 0..n {
        let cube = Body::cuboid(format!("b{i}"), [0.1; 3]).mass(1.0);
        model.body(cube.position([0.0, 0.0, 0.1 + 0.2 * f64::from(i)]).material(rough));
    }
    Ok(World::new(model.build()?))
}

/// Stacks of five boxes each, side by side on a floor: an island of contacts each.
fn stacks(n: u32) -> Result<World, BuildErrors> {
    let mut model = Model::builder();
    let rough = Material::new(0.5, 0.0);
    model.gravity([0.0, 0.0, -9.81]).contacts(8 * n as usize);
    model.body(Body::half_space("floor").material(rough));
    let side = f64::from(n / 5).sqrt().ceil().max(1.0) as u32;
    for i in 0..n {
        let (tower, level) = (i / 5, i % 5);
        let (x, y) = (f64::from(tower % side) * 0.3, f64::from(tower / side) * 0.3);
        let block = Body::cuboid(format!("b{i}"), [0.1, 0.1, 0.05]).mass(1.0);
        model.body(block.position([x, y, 0.05 + 0.1 * f64::from(level)]).material(rough));
    }
    Ok(World::new(model.build()?))
}

/// Rough, and yields by a metre at `modulus` [Pa].
fn soft(modulus: f64) -> Material {
    Material::new(0.5, 0.0).soft(VolumeLaw::new(modulus, 0.02 * modulus))
}

/// A box on a box, or a polyhedron of 192 faces on another: one contact over a volume.
fn soft_pair(rocks: bool) -> Result<World, BuildErrors> {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]).contacts(0);
    let body = |name: &str| {
        if !rocks {
            return Body::cuboid(name, [0.1; 3]);
        }
        // 98 points on a ball: 192 triangles
        let points: Vec<palpable::Vec3> = (0..98)
            .map(|k| {
                let z = 1.0 - (2.0 * f64::from(k) + 1.0) / 98.0;
                let (s, c) = (2.399_963 * f64::from(k)).sin_cos();
                let r = (1.0 - z * z).sqrt();
                palpable::Vec3::new(r * c, r * s, z) * 0.1
            })
            .collect();
        Body::convex_hull(name, &points)
    };
    // soft enough that a dozen faces of each rock are inside the other
    let layer = soft(if rocks { 1e5 } else { 1e7 });
    model.body(body("low").fixed().material(layer));
    model.body(body("high").mass(1.0).position([1e-3, 2e-3, 0.2]).material(layer));
    Ok(World::new(model.build()?))
}

/// Towers of five cubes side by side.
fn soft_towers(n: u32) -> Result<World, BuildErrors> {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]).contacts(8 * n as usize);
    model.body(Body::half_space("floor").material(soft(1e7)));
    for i in 0..n {
        let (x, z) = (0.3 * f64::from(i / 5), 0.1 + 0.2 * f64::from(i % 5));
        let cube = Body::cuboid(format!("b{i}"), [0.1; 3]).mass(1.0);
        model.body(cube.position([x, 0.0, z]).material(soft(1e7)));
    }
    Ok(World::new(model.build()?))
}

fn main() -> Result<(), BuildErrors> {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let number =
        |i: usize, default: u32| arguments.get(i).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (bodies, steps) = (number(1, 10), number(2, 10));
    let kind = arguments.first().map_or("free", String::as_str);
    let mut world = match kind {
        "chain" => chain(bodies)?,
        "chain-once" => chain_once(bodies)?,
        "hand" => hand()?,
        "arm" => arm(bodies)?,
        "net" => net(bodies)?,
        "springs" => springs(bodies)?,
        "pyramid" => pyramid(bodies, Material::new(0.5, 0.0))?,
        "soft-pyramid" => pyramid(bodies, soft(1e5))?,
        "soft-pair" => soft_pair(false)?,
        "soft-rocks" => soft_pair(true)?,
        "soft-towers" => soft_towers(bodies)?,
        "stacks" => stacks(bodies)?,
        "tower" => tower(bodies)?,
        _ => free(bodies)?,
    };
    let inputs = Inputs::none();
    let start = std::time::Instant::now();
    // as the peers step their pyramids
    let h = if kind.ends_with("pyramid") { 5e-3 } else { 1e-3 };
    let (mut sweeps, mut last) = (0, palpable::ContactReport::default());
    for _ in 0..steps {
        last = std::hint::black_box(world.step(h, &inputs)).contact;
        sweeps += last.iterations;
    }
    eprintln!("contact: {sweeps} iterations, last residual {:.1e} m/s", last.residual);
    let each = start.elapsed().as_secs_f64() / f64::from(steps.max(1)) * 1e6;
    eprintln!("{each:.2} us a step on this machine, as busy as it is");
    println!("{kind} {bodies}: {steps} steps, {:.6} J", world.energy().total());
    Ok(())
}
