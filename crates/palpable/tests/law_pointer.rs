//! Direct haptic pointers: a body that is where a device is, and feels what touches it
//! `[Hasegawa2004, sec. 3.2]`.

use nalgebra::{UnitQuaternion, Vector3};
use palpable::{Body, BodyId, Inputs, Material, Model, Pose, VolumeLaw, World};

type Vec3 = Vector3<f64>;

/// Stiffness per area of both surfaces [Pa/m].
const MODULUS: f64 = 1e7;
const H: f64 = 1e-3;

/// A plate of 10 x 10 x 2 cm over a floor, both of which yield, and a cube beside it.
fn plate(friction: f64) -> (World, BodyId, BodyId) {
    let yields = Material::new(friction, 0.0).soft(VolumeLaw::new(MODULUS, 0.0));
    let mut model = Model::builder();
    model.gravity([0.0, 0.0, -9.81]);
    model.body(Body::half_space("floor").material(yields));
    let plate = Body::cuboid("plate", [0.05, 0.05, 0.01]).mass(100.0).material(yields);
    let plate = model.body(plate.position([0.0, 0.0, 0.05]));
    let cube = Body::cuboid("cube", [0.02; 3]).mass(0.1).material(yields);
    let cube = model.body(cube.position([0.2, 0.0, 0.02]));
    (World::new(model.build().expect("a world")), plate, cube)
}

fn at(position: [f64; 3]) -> Pose {
    Pose { position: Vec3::from(position), rotation: UnitQuaternion::identity() }
}

/// Both surfaces yield alike: half the modulus in series, times the area.
const STIFFNESS: f64 = 0.5 * MODULUS * 0.01;

#[test]
fn a_pointer_feels_the_stiffness_of_its_face() {
    for depth in [1e-5, 1e-4, 1e-3] {
        let (mut world, plate, _) = plate(0.0);
        let pose = at([0.0, 0.0, 0.01 - depth]);
        for _ in 0..3 {
            world.drive(plate, pose, Vec3::zeros(), Vec3::zeros()).expect("a free body");
            assert!(world.step(H, &Inputs::none()).status.is_taken());
        }
        let [force, torque] = world.contact_wrench(plate, pose.position);
        // 100 kg yield by 4e-7 of the depth within a step and fall by 5 µm: K h²/4m + g h²/4
        let fall = 9.81 * H * H / 4.0 / depth;
        assert!((force.z / (STIFFNESS * depth) - 1.0).abs() < 1e-2 + fall, "{depth}: {force}");
        assert!(force.xy().norm() + torque.norm() < 1e-9 * force.z, "{force} {torque}");
    }
}

#[test]
fn torques_are_felt_about_the_handle() {
    let (mut world, plate, _) = plate(0.5);
    // 1 mm deep, turning about its own normal at 5 rad/s
    let (depth, spin) = (1e-3, 5.0);
    for k in 0..200 {
        let turn = UnitQuaternion::from_scaled_axis(Vec3::z() * (spin * H * f64::from(k)));
        let pose = Pose { position: Vec3::new(0.0, 0.0, 0.01 - depth), rotation: turn };
        world.drive(plate, pose, Vec3::zeros(), Vec3::z() * spin).expect("a free body");
        assert!(world.step(H, &Inputs::none()).status.is_taken());
    }
    let handle = Vec3::new(0.3, 0.0, 0.0);
    let [force, torque] = world.contact_wrench(plate, Vec3::zeros());
    let [same, about] = world.contact_wrench(plate, handle);
    assert!((same - force).norm() == 0.0);
    assert!((about - (torque + (-handle).cross(&force))).norm() < 1e-9 * force.norm());
    // uniform pressure on a square of side a: mean distance 0.3826 a from its centre
    let expected = 0.5 * STIFFNESS * depth * 0.38260 * 0.1;
    // six points a triangle hold the mean distance to 0.5 %
    assert!((-torque.z / expected - 1.0).abs() < 0.02, "{} {expected}", torque.z);
}

/// Pushing a cube about: the hand pays for everything, the books close, the cube keeps no more than
/// was supplied.
#[test]
fn the_hand_pays_for_what_a_pointer_does() {
    let (mut world, plate, cube) = plate(0.4);
    let start = world.energy().total();
    for k in 0..800 {
        let t = H * f64::from(k);
        let x = 0.25 * (1.0 - (3.0 * t).cos());
        let v = 0.75 * (3.0 * t).sin();
        world.drive(plate, at([x, 0.0, 0.015]), [v, 0.0, 0.0], Vec3::zeros()).expect("a free body");
        let report = world.step(H, &Inputs::none());
        assert!(report.status.is_taken());
        assert!(report.entry.relative_defect() < 1e-12, "{}", report.entry.relative_defect());
    }
    assert!(world.pose(cube).position.x > 0.4, "{}", world.pose(cube).position);
    assert!(world.audit().is_clean());
    let supplied = world.ledger().totals().supplied;
    assert!(world.energy().total() <= start + supplied + 1e-12 * supplied);
}

#[test]
fn what_cannot_be_driven_is_refused() {
    let (mut world, plate, _) = plate(0.0);
    let nowhere = Pose { position: Vec3::repeat(f64::NAN), ..at([0.0; 3]) };
    assert!(world.drive(plate, nowhere, Vec3::zeros(), Vec3::zeros()).is_err());
    let floor = world.model().bodies().iter().position(|b| b.moving.is_none()).expect("a floor");
    let floor = BodyId::from_index(floor);
    assert!(world.drive(floor, at([0.0; 3]), Vec3::zeros(), Vec3::zeros()).is_err());
    let gone = BodyId::from_index(99);
    assert!(world.contact_wrench(gone, Vec3::zeros())[0].x.is_nan());
}
