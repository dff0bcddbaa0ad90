//! A motor turns a crank, a coupler takes a rocker along: a closed loop of four hard hinges.

use palpable::{
    Anchor, Body, BuildErrors, Joint, Model, Port, PortInput, Rotation, Spring, Vec3, World,
};

const CRANK: f64 = 0.1;
const COUPLER: f64 = 0.5;
const ROCKER: f64 = 0.4;
const GROUND: f64 = 0.4;

/// The crank upright; 3, 4 and 5 make the loop close.
fn build() -> Result<World, BuildErrors> {
    let mut model = Model::ghosts();
    model.gravity([0.0, -9.81, 0.0]);
    let bar = |name: &str, length: f64, at: [f64; 2], angle: f64| {
        let turn = Rotation::from_scaled_axis(Vec3::z() * angle);
        let body = Body::cuboid(name, [0.5 * length, 0.01, 0.01]).mass(0.2 * length);
        body.position([at[0], at[1], 0.0]).rotation(turn)
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    let crank = model.body(bar("crank", CRANK, [0.0, 0.05], quarter));
    let coupler = model.body(bar("coupler", COUPLER, [0.2, 0.25], 0.75f64.atan()));
    let rocker = model.body(bar("rocker", ROCKER, [0.4, 0.2], quarter));
    let end = |side: f64, length: f64| Vec3::new(0.5 * side * length, 0.0, 0.0);
    let shaft = Anchor::world([0.0; 3]);
    model.joint(Joint::hinge(crank.at(end(-1.0, CRANK)), shaft));
    model.joint(Joint::hinge(coupler.at(end(-1.0, COUPLER)), crank.at(end(1.0, CRANK))));
    model.joint(Joint::hinge(rocker.at(end(1.0, ROCKER)), coupler.at(end(1.0, COUPLER))));
    let foot = Anchor::world([GROUND, 0.0, 0.0]);
    model.joint(Joint::hinge(rocker.at(end(-1.0, ROCKER)), foot));
    // grease on the shaft
    let (hub, ground) = (crank.origin(), Anchor::world([0.0; 3]));
    model.spring(Spring::rotation(hub, ground).damping(0.05));
    model.port(Port::force("motor", crank.origin()));
    Ok(World::new(model.build()?))
}

/// Where coupler and rocker meet if the crank stands at `angle`: two circles, the upper crossing.
fn meeting(angle: f64) -> Vec3 {
    let pin = Vec3::new(angle.cos(), angle.sin(), 0.0) * CRANK;
    let across = Vec3::new(GROUND, 0.0, 0.0) - pin;
    let d = across.norm();
    let along = (COUPLER * COUPLER - ROCKER * ROCKER + d * d) / (2.0 * d);
    let up = (COUPLER * COUPLER - along * along).sqrt();
    pin + (across * along + Vec3::z().cross(&across) * up) / d
}

fn main() -> Result<(), BuildErrors> {
    let mut world = build()?;
    let [crank, rocker] =
        ["crank", "rocker"].map(|name| world.body_named(name).expect("it was just added"));
    let motor = world.port_named("motor").expect("it was just added");
    let start = world.energy().total();
    let mut inputs = world.inputs();
    let torque = Vec3::new(0.0, 0.0, 0.3);
    inputs.set(motor, PortInput::Wrench { force: Vec3::zeros(), torque });
    let (mut turned, mut stray): (f64, f64) = (0.0, 0.0);
    let mut swing = [f64::INFINITY, f64::NEG_INFINITY];
    for _ in 0..4000 {
        assert!(world.step(1e-3, &inputs).status.is_taken());
        turned += 1e-3 * world.angular_velocity(crank).z;
        let at = |body, length: f64| world.pose(body).rotation * Vec3::new(length, 0.0, 0.0);
        let (pin, top) = (at(crank, CRANK), at(rocker, ROCKER));
        let tip = Vec3::new(GROUND, 0.0, 0.0) + top;
        stray = stray.max((tip - meeting(pin.y.atan2(pin.x))).norm());
        let angle = top.y.atan2(top.x).to_degrees();
        swing = [swing[0].min(angle), swing[1].max(angle)];
    }
    let (energy, flows) = (world.energy(), world.ledger().totals());
    let missing = start + flows.supplied - energy.total() - flows.lost();
    println!("the crank made {:.2} turns", turned / std::f64::consts::TAU);
    println!("the rocker swung from {:.1}° to {:.1}°", swing[0], swing[1]);
    println!("the loop is off the drawing by {stray:.0e} m at most");
    println!("the motor gave {:.3} J, of which {missing:.0e} J are missing", flows.supplied);
    // crank and coupler in line, one beyond the other or folded back: sides 0.6 and 0.4, 0.4, 0.4
    let limits = [180.0 - f64::acos(-0.125).to_degrees(), 120.0];
    assert!((0..2).all(|i| (swing[i] - limits[i]).abs() < 0.01), "{swing:?} {limits:?}");
    assert!(turned > 15.0 && stray < 1e-9);
    assert!(missing.abs() < 1e-12 * flows.supplied && world.audit().is_clean());
    Ok(())
}
