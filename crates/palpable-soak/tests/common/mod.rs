//! A scene by hand with one of everything, in round numbers.

use palpable::{Material, Mount, Payment, Vec3};
use palpable_soak::drive::Drive;
use palpable_soak::scene::*;

/// One of every shape, joint, chain part, port and live change.
pub fn zoo() -> Scene {
    Scene {
        seed: 7,
        profile: Profile::Moderate,
        gravity: Vec3::new(0.0, 0.0, -9.81),
        step_range: [5e-4, 1e-3],
        steps: 40,
        capacity: 64,
        returns_surplus: true,
        effort: Some(Effort { sweeps: 50, newton_steps: 5 }),
        bodies: bodies(),
        joints: joints(),
        chains: chains(),
        beams: vec![BeamSpec {
            length: 0.5,
            mass: 0.2,
            rigidity: 3.0,
            modes: 2,
            mount: Mount::Hub,
            hub: [0.1, 1e-3],
            position: Vec3::new(-9.0, 0.0, 3.0),
            turn: Vec3::new(0.1, 0.2, 0.3),
        }],
        gears: vec![GearSpec {
            ratio: -2.5,
            stiffness: 300.0,
            masses: [0.3, 0.7],
            motor: MotorKind::Target,
            effort: 0.5,
        }],
        ports: ports(),
        events: events(),
    }
}

fn body(id: usize, form: Form) -> BodySpec {
    let x = id as f64;
    BodySpec {
        id,
        form,
        mass: 0.5 + 0.1 * x,
        position: Vec3::new(x, 0.1 * x, 0.4),
        turn: Vec3::new(0.1 * x, 0.2, -0.3),
        velocity: Vec3::new(0.0, 0.1, -1.0),
        spin: Vec3::new(0.5, 0.0, 0.25),
        damping: [0.01, 0.001],
        material: Material::new(0.4, 0.25).sticky(0.5).rolling(1e-3, 2e-3),
        fixed: false,
    }
}

fn floor(id: usize, form: Form, position: Vec3) -> BodySpec {
    let still = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
    let (turn, velocity, spin) = still;
    BodySpec { position, turn, velocity, spin, fixed: true, ..body(id, form) }
}

fn bodies() -> Vec<BodySpec> {
    let corners = [[1.0, 0.0, -0.5], [-1.0, 0.0, -0.5], [0.0, 1.0, -0.5], [0.0, 0.0, 1.0]];
    let hull = corners.map(|c| Vec3::from(c) * 0.2).to_vec();
    let floor_box = Form::Cuboid(Vec3::new(20.0, 20.0, 1.0));
    vec![
        floor(0, floor_box, Vec3::new(0.0, 0.0, -1.0)),
        body(1, Form::Cuboid(Vec3::new(0.1, 0.2, 0.3))),
        body(2, Form::Ball(0.15)),
        body(3, Form::Capsule { half_length: 0.2, radius: 0.1 }),
        body(4, Form::Cylinder { half_length: 0.1, radius: 0.2 }),
        body(5, Form::Hull(hull)),
        body(6, Form::Dumbbell(0.2)),
        // meshes that move would have to be kept from touching other meshes
        floor(7, Form::Bracket(0.1), Vec3::new(40.0, 0.0, 0.0)),
        floor(8, Form::Plane(1.0), Vec3::new(50.0, 0.0, 0.0)),
        floor(9, Form::Bowl { half_side: 1.0, depth: 0.3 }, Vec3::new(60.0, 0.0, 0.0)),
        floor(10, Form::Field(1.0), Vec3::new(70.0, 0.0, 0.0)),
        floor(11, Form::HalfSpace, Vec3::new(0.0, 0.0, -3.0)),
    ]
}

/// Joints of all kinds, those that are hard first, then soft ones.
fn joints() -> Vec<JointSpec> {
    let joint = |(id, kind): (usize, JointKind)| {
        let (a, b) = (1 + id % 6, (id % 3 > 0).then_some(1 + (id + 1) % 6));
        JointSpec {
            id,
            kind,
            a,
            b,
            at: Vec3::new(a as f64 + 0.5, 0.2, 0.4),
            frame: Vec3::new(0.3, 0.1, 0.2),
            offset: Vec3::new(0.01, 0.02, 0.0),
            stiffness: if id < 2 { f64::INFINITY } else { 100.0 },
            damping: 0.5,
            stops: kind.is_single().then_some([-0.5, 0.75]),
            friction: kind.is_single().then_some(0.125),
            rest: kind.is_single().then_some(0.25),
        }
    };
    JointKind::ALL.into_iter().enumerate().map(joint).collect()
}

fn link(parent: Option<usize>, slides: bool, capsule: bool) -> LinkSpec {
    LinkSpec {
        parent,
        slides,
        at: Vec3::new(0.2, 0.0, 0.0),
        at_turn: Vec3::new(0.0, 0.5, 0.0),
        held: Vec3::new(-0.2, 0.0, 0.0),
        held_turn: Vec3::new(0.25, 0.0, 0.0),
        half: Vec3::new(0.2, 0.05, 0.04),
        density: 500.0,
        start: [0.125, 0.5],
        damping: 0.01,
        capsule,
    }
}

fn chains() -> Vec<ChainSpec> {
    let base = BaseSpec {
        half: Vec3::new(0.2, 0.1, 0.1),
        position: Vec3::new(-2.0, 3.0, 2.0),
        turn: Vec3::new(0.1, 0.2, 0.3),
        velocity: Vec3::new(0.0, 0.5, 0.0),
        density: 800.0,
        spin: Vec3::new(0.0, 0.0, 1.0),
    };
    let floating = ChainSpec {
        id: 0,
        base: Some(base),
        links: vec![link(None, false, false), link(Some(0), true, true)],
        tendon: Some(TendonSpec { radii: vec![0.03, -0.02], stiffness: 40.0 }),
        coupling: None,
        bound: Some(BoundSpec {
            link: 1,
            stops: Some([-1.0, 0.5]),
            friction: Some(0.1),
            stiffness: 3.0,
        }),
        motor: Some(MotorSpec { link: 0, kind: MotorKind::Rate, effort: 1.0, gain: 0.5 }),
    };
    let mut standing = ChainSpec { id: 1, base: None, coupling: Some(1.5), ..floating.clone() };
    standing.links[0].at = Vec3::new(-5.0, 0.0, 3.0);
    standing.motor = Some(MotorSpec { link: 1, kind: MotorKind::Effort, effort: 0.5, gain: 0.5 });
    vec![floating, standing]
}

fn ports() -> Vec<PortSpec> {
    let drives = [
        Drive::Force { force: 3.0, torque: 0.25 },
        Drive::Press(Vec3::new(0.0, 1.0, -2.0)),
        Drive::Reference { center: Vec3::zeros(), amplitude: 0.01 },
    ];
    let port = |(i, drive)| {
        let at = Vec3::new(0.05, 0.0, 0.0);
        PortSpec { id: 100 + i, body: 2 + i, at, drive, stiffness: 200.0 }
    };
    drives.into_iter().enumerate().map(port).collect()
}

fn events() -> Vec<Event> {
    let (body, at) = (3, Vec3::new(0.0, 0.0, 0.1));
    let changes = [
        Change::Snapshot,
        Change::Mass { body, factor: 1.5, payment: Payment::Supply },
        Change::Stiffness { element: 4, factor: 2.0, payment: Payment::Tank },
        Change::Gravity { gravity: Vec3::new(0.5, 0.0, -9.0), payment: Payment::Supply },
        Change::Surface { body, material: Material::new(0.75, 0.5) },
        Change::Damping { body, damping: 0.25 },
        Change::Effort(Effort { sweeps: 40, newton_steps: 4 }),
        Change::Grant(0.001),
        Change::AttachForce { body, at },
        Change::AttachReference { body, at, stiffness: 50.0, amplitude: 0.01 },
        Change::Detach,
        Change::Snapshot,
    ];
    let event = |(i, change)| Event { step: 2 * i, change };
    changes.into_iter().enumerate().map(event).collect()
}
