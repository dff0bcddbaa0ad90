//! Bodies of the experiments.

use crate::PaperError;
use palpable::{Body, Inputs, Mat3, Material, Model, Rotation, Vec3, VolumeKind, VolumeLaw, World};

/// Gravity of the experiments \[m/s²\].
pub const G: f64 = 9.8;

/// A hard floor, gravity and one body.
pub fn on_floor(friction: f64, body: Body) -> Result<World, PaperError> {
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -G]).contacts(0);
    model.body(Body::half_space("floor").material(Material::new(friction, 0.0)));
    model.body(body);
    Ok(World::new(model.build()?))
}

/// The cube of experiment 2: 2 m, 1 kg, tilted by 0.1 rad; stiffness 1500 N/m of its whole face.
pub fn cube(kind: VolumeKind, damping: f64) -> Body {
    let face = if kind == VolumeKind::Hydrostatic { 4.0 } else { 1.0 };
    let law = VolumeLaw::new(1500.0 / face, damping / face).kind(kind);
    let turn = Rotation::from_scaled_axis(Vec3::new(0.1, 0.0, 0.0));
    let body = Body::cuboid("cube", [1.0; 3]).mass(1.0).position([0.0, 0.0, 1.0]);
    body.rotation(turn).material(Material::new(0.5, 0.0).soft(law))
}

/// A top: a cone of 24 sides on its tip with a lid, 60 mm high, 100 g, spinning.
pub fn top(kind: VolumeKind, spin: f64) -> Body {
    let ring = |radius: f64, z: f64| {
        (0..24).map(move |k| {
            let (s, c) = (std::f64::consts::PI * f64::from(k) / 12.0).sin_cos();
            Vec3::new(radius * c, radius * s, z)
        })
    };
    let points: Vec<Vec3> =
        ring(0.001, -0.025).chain(ring(0.03, 0.01)).chain(ring(0.025, 0.02)).collect();
    let law = match kind {
        VolumeKind::Hydrostatic => VolumeLaw::new(2e9, 2e6),
        VolumeKind::Point | VolumeKind::Printed => VolumeLaw::new(2e4, 20.0).kind(kind),
    };
    let tilt = Rotation::from_scaled_axis(Vec3::new(0.15, 0.0, 0.0));
    Body::convex_hull("top", &points)
        .mass(0.1)
        .position([0.0, 0.0, 0.0255])
        .rotation(tilt)
        .angular_velocity([0.0, 0.0, spin])
        .material(Material::new(0.3, 0.0).soft(law))
}

/// A tippe top: a ball of 80 mm and 1 kg whose centre of mass is 24 mm below its centre.
pub fn tippe_top(spin: f64) -> Body {
    let (mass, radius, below) = (1.0, 0.08, 0.024);
    let moment = 0.4 * mass * radius * radius;
    let tilt = Rotation::from_scaled_axis(Vec3::new(0.1, 0.0, 0.0));
    Body::sphere("top", radius)
        .inertia(mass, [0.0, 0.0, -below], Mat3::identity() * moment)
        .position([0.0, 0.0, radius])
        .rotation(tilt)
        .angular_velocity(tilt.inverse() * Vec3::new(0.0, 0.0, spin))
        .material(Material::new(0.3, 0.0).soft(VolumeLaw::new(1e8, 2e5)))
}

/// What a run of one body showed, sampled once a step.
#[derive(Debug, Default)]
pub struct Run {
    /// \[s\]
    pub time: Vec<f64>,
    /// What was asked for.
    pub value: Vec<f64>,
    /// Largest rise of motion, gravity, stores and tank together, of the energy in play.
    pub rise: f64,
    /// Energy at the end in motion \[J\].
    pub kinetic: f64,
}

/// Steps a world and measures it.
pub fn run(world: &mut World, (seconds, h): (f64, f64), measure: impl Fn(&World) -> f64) -> Run {
    let mut run = Run::default();
    let mut last = world.energy().total();
    for _ in 0..(seconds / h).round() as u32 {
        let report = world.step(h, &Inputs::none());
        let now = world.energy().total();
        // accounts are rounded; what is beyond that is a gain
        let rounding = 4e-15 * (now.abs() + world.energy().gravity.abs());
        run.rise = run.rise.max((now - last - rounding) / report.entry.in_play.max(1e-300));
        last = now;
        run.time.push(world.time());
        run.value.push(measure(world));
    }
    run.kinetic = world.energy().kinetic;
    run
}
