//! `moving ENGINE WORLD N SECONDS STEP`: contact in motion, this engine or Rapier, same worlds.
//! `SEED=n` gives others of the same kind.
use std::time::Duration;

unsafe extern "C" {
    fn peers_thread_ns() -> u64;
}

/// CPU time of this thread.
fn cpu() -> Duration {
    // SAFETY: reads a clock
    Duration::from_nanos(unsafe { peers_thread_ns() })
}

struct Random(u64);
impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.unit()
    }
    fn turn(&mut self) -> [f64; 4] {
        let (u, v, w) = (self.unit(), self.unit() * std::f64::consts::TAU, self.unit() * std::f64::consts::TAU);
        [(1. - u).sqrt() * v.sin(), (1. - u).sqrt() * v.cos(), u.sqrt() * w.sin(), u.sqrt() * w.cos()]
    }
}

enum Form {
    Box([f64; 3]),
    Ball(f64),
    Capsule { half: f64, radius: f64 },
    Hull(Vec<[f64; 3]>),
}
struct Thing {
    form: Form,
    place: [f64; 3],
    turn: [f64; 4],
    mass: f64,
}
struct Layout {
    walls: Vec<([f64; 3], [f64; 3])>,
    things: Vec<Thing>,
    /// the last thing hangs on a hand
    stirred: bool,
}

/// A point on a ball of 5 to 10 cm.
fn corner(r: &mut Random) -> [f64; 3] {
    let [x, y, z, _] = r.turn();
    let size = r.between(0.05, 0.1) / (x * x + y * y + z * z).sqrt().max(1e-3);
    [x * size, y * size, z * size]
}

fn layout(kind: &str, n: usize, seed: u64) -> Layout {
    let mut r = Random(seed);
    let (mut things, walls);
    things = Vec::new();
    if kind == "stir" {
        walls = vec![([0., 0., -1.], [50., 50., 1.])];
        let (mut row, mut left, mut z) = ((1..).find(|b| b * (b + 1) / 2 >= n).unwrap_or(1), n, 0.05);
        while left > 0 {
            let count = row.min(left);
            let middle = (count as f64 - 1.) / 2.;
            for i in 0..count {
                let place = [0.21 * (i as f64 - middle), 0., z];
                things.push(Thing { form: Form::Box([0.1, 0.05, 0.05]), place, turn: [0., 0., 0., 1.], mass: 0.1 });
            }
            (left, row, z) = (left - count, row.saturating_sub(1).max(1), z + 0.1);
        }
        things.push(Thing { form: Form::Ball(0.05), place: [-1.5, 0., 0.12], turn: [0., 0., 0., 1.], mass: 0.2 });
        return Layout { walls, things, stirred: true };
    }
    let w = 0.5;
    walls = vec![
        ([0., 0., -0.5], [w + 1., w + 1., 0.5]),
        ([w + 0.5, 0., 2.], [0.5, w + 1., 2.5]),
        ([-w - 0.5, 0., 2.], [0.5, w + 1., 2.5]),
        ([0., w + 0.5, 2.], [w + 1., 0.5, 2.5]),
        ([0., -w - 0.5, 2.], [w + 1., 0.5, 2.5]),
    ];
    for i in 0..n {
        let (layer, j) = (i / 9, i % 9);
        let jog = [r.between(-0.02, 0.02), r.between(-0.02, 0.02)];
        let place = [((j % 3) as f64 - 1.) * 0.3 + jog[0], ((j / 3) as f64 - 1.) * 0.3 + jog[1], 0.3 + 0.3 * layer as f64];
        let turn = r.turn();
        let form = match (kind, i % 3) {
            ("heap", _) => Form::Box([r.between(0.05, 0.1), r.between(0.05, 0.1), r.between(0.05, 0.1)]),
            ("balls", _) => Form::Ball(r.between(0.05, 0.1)),
            ("capsules", _) => Form::Capsule { half: r.between(0.02, 0.07), radius: r.between(0.03, 0.07) },
            ("hulls", _) => Form::Hull((0..12).map(|_| corner(&mut r)).collect()),
            (_, 0) => Form::Box([0.08, 0.06, 0.05]),
            (_, 1) => Form::Ball(0.07),
            _ => Form::Capsule { half: 0.04, radius: 0.06 },
        };
        things.push(Thing { form, place, turn, mass: 0.2 });
    }
    Layout { walls, things, stirred: false }
}

/// Where the stirring hand is at time `t`.
fn hand(t: f64) -> [f64; 3] {
    [-1.5 + 1.5 * (1.0 - (t * 1.2).cos()), 0.15 * (t * 3.1).sin(), 0.10 + 0.05 * (t * 2.3).sin().abs()]
}

fn report(name: &str, mut first: Vec<f64>, rest: String) {
    let second = first.split_off(first.len() / 2);
    let words = |mut v: Vec<f64>| {
        let mean = v.iter().sum::<f64>() / v.len() as f64;
        v.sort_by(f64::total_cmp);
        let at = |p: f64| v[((v.len() - 1) as f64 * p) as usize];
        format!("mean {mean:.1} median {:.1} 99% {:.1} 99.9% {:.1} max {:.1}", at(0.5), at(0.99), at(0.999), at(1.0))
    };
    println!("{name}: first [{}] second [{}] {rest}", words(first), words(second));
}

fn palpable(layout: &Layout, seconds: f64, h: f64) {
    use palpable::*;
    let mut model = Model::builder();
    let rough = Material::new(0.5, 0.0);
    model.gravity([0., 0., -9.81]).contacts(40 * layout.things.len().max(8));
    for (i, (center, half)) in layout.walls.iter().enumerate() {
        model.body(Body::cuboid(format!("wall{i}"), *half).fixed().position(*center).material(rough));
    }
    let mut ids = Vec::new();
    for (i, thing) in layout.things.iter().enumerate() {
        let name = format!("thing{i}");
        let body = match &thing.form {
            Form::Box(half) => Body::cuboid(name, *half),
            Form::Ball(radius) => Body::sphere(name, *radius),
            Form::Capsule { half, radius } => Body::capsule(name, *half, *radius),
            Form::Hull(points) => {
                Body::convex_hull(name, &points.iter().map(|p| Vec3::from(*p)).collect::<Vec<_>>())
            }
        };
        let [x, y, z, w] = thing.turn;
        let (axis, sine) = (Vec3::new(x, y, z), Vec3::new(x, y, z).norm());
        let turn = Rotation::new(axis * (2. * sine.atan2(w) / sine.max(1e-12)));
        ids.push(model.body(body.mass(thing.mass).position(thing.place).rotation(turn).material(rough)));
    }
    let held = ids.last().filter(|_| layout.stirred).map(|id| {
        model.port(Port::reference("hand", id.origin(), [2000., 2000., 2000., 1., 1., 1.], [2., 2., 2., 0.01, 0.01, 0.01]))
    });
    let mut world = World::new(model.build().expect("a valid world"));
    let steps = (seconds / h).round() as usize;
    let (mut times, mut deepest, mut rise, mut most) = (Vec::with_capacity(steps), 0.0f64, 0.0f64, 0);
    let mut before = world.energy().total();
    for k in 0..steps {
        let mut inputs = world.inputs();
        if let Some(port) = held {
            inputs.set(port, PortInput::Reference { position: hand(k as f64 * h).into(), rotation: Rotation::identity() });
        }
        let start = cpu();
        let report = world.step(h, &inputs);
        times.push((cpu() - start).as_secs_f64() * 1e6);
        let now = world.energy().total();
        rise = rise.max(now - before - report.entry.flows.supplied);
        before = now;
        most = most.max(world.contacts().len());
        deepest = world.contacts().iter().fold(deepest, |d, c| d.max(-c.gap));
    }
    let speed = ids.iter().map(|b| world.velocity(*b).norm()).fold(0., f64::max);
    report("palpable", times, format!("deepest {deepest:.1e} rise {rise:.1e} speed {speed:.1e} contacts {most}"));
}

fn rapier(layout: &Layout, seconds: f64, h: f64) {
    use rapier3d_f64::prelude::*;
    let mut world = PhysicsWorld::default();
    world.gravity = Vector::new(0., 0., -9.81);
    world.integration_parameters.dt = h;
    for (c, e) in &layout.walls {
        world.insert(RigidBodyBuilder::fixed().translation(Vector::new(c[0], c[1], c[2])), ColliderBuilder::cuboid(e[0], e[1], e[2]).friction(0.5));
    }
    let mut ids = Vec::new();
    for thing in &layout.things {
        let shape = match &thing.form {
            Form::Box(e) => ColliderBuilder::cuboid(e[0], e[1], e[2]),
            Form::Ball(radius) => ColliderBuilder::ball(*radius),
            Form::Capsule { half, radius } => ColliderBuilder::capsule_z(*half, *radius),
            Form::Hull(points) => {
                let points: Vec<_> = points.iter().map(|p| Vector::new(p[0], p[1], p[2])).collect();
                ColliderBuilder::convex_hull(&points).expect("a hull")
            }
        };
        let ([x, y, z, w], p) = (thing.turn, thing.place);
        let pose = Pose::from_parts(Vector::new(p[0], p[1], p[2]), Rotation::from_xyzw(x, y, z, w));
        let body = RigidBodyBuilder::dynamic().pose(pose).can_sleep(false);
        ids.push(world.insert(body, shape.mass(thing.mass).friction(0.5).restitution(0.0)).0);
    }
    let steps = (seconds / h).round() as usize;
    let (mut times, mut deepest) = (Vec::with_capacity(steps), 0.0f64);
    for k in 0..steps {
        if let (true, Some(id)) = (layout.stirred, ids.last()) {
            let (x, body) = (hand(k as f64 * h), &mut world.bodies[*id]);
            let (p, v) = (body.translation(), body.linvel());
            let force = Vector::new(2000. * (x[0] - p.x) - 2. * v.x, 2000. * (x[1] - p.y) - 2. * v.y, 2000. * (x[2] - p.z) - 2. * v.z);
            body.reset_forces(true);
            body.add_force(force, true);
        }
        let start = cpu();
        world.step();
        times.push((cpu() - start).as_secs_f64() * 1e6);
        for pair in world.narrow_phase.contact_pairs() {
            for manifold in pair.manifolds() {
                deepest = manifold.points.iter().fold(deepest, |d, p| d.max(-p.dist));
            }
        }
    }
    let speed = ids.iter().map(|b| world.bodies[*b].linvel().length()).fold(0., f64::max);
    report("rapier", times, format!("deepest {deepest:.1e} speed {speed:.1e}"));
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [engine, kind, n, seconds, h] = words.as_slice() else {
        eprintln!("usage: moving palpable|rapier heap|mixed|balls|capsules|hulls|stir N SECONDS STEP");
        std::process::exit(2);
    };
    let number = |text: &String| text.parse::<f64>().expect("a number");
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0x9E37_79B9_7F4A_7C15);
    let layout = layout(kind, number(n) as usize, seed);
    match engine.as_str() {
        "rapier" => rapier(&layout, number(seconds), number(h)),
        _ => palpable(&layout, number(seconds), number(h)),
    }
}
