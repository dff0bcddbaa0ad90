//! Random worlds for the property tests: reproducible, and as wild as a user could wish.
#![allow(dead_code)]

pub mod articulated;

use palpable::{
    Anchor, Body, BodyId, Element, Inputs, Joint, Model, Options, Payment, Port, PortId, PortInput,
    Pose, Rotation, Spring, Vec3, Vec6, World,
};
use std::sync::Arc;

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        palpable_random::mix(self.0)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Log-uniform.
    pub fn decades(&mut self, low: f64, high: f64) -> f64 {
        (self.between(low.ln(), high.ln())).exp()
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0)) * size
    }

    pub fn rotation(&mut self) -> Rotation {
        Rotation::from_scaled_axis(self.vector(3.0))
    }
}

/// A user's element: the distance of two points against a rest length.
#[derive(Debug)]
pub struct Distance(pub f64);

impl Element for Distance {
    fn rows(&self) -> usize {
        1
    }
    fn strain(&self, a: &Pose, b: &Pose) -> Vec6 {
        let mut g = Vec6::zeros();
        g[0] = (a.position - b.position).norm() - self.0;
        g
    }
}

/// A body of 1e-6 to 1e3 kg: sphere, box, cylinder or explicit inertia with products.
fn random_body(r: &mut Random, i: usize, size: f64, mass: f64) -> Body {
    let name = format!("b{i}");
    let body = match r.below(4) {
        0 => Body::sphere(name, size).mass(mass),
        1 => Body::cuboid(name, [size, size * r.decades(0.1, 1.0), size * 0.5]).mass(mass),
        2 => Body::cylinder(name, size, size * r.decades(0.1, 2.0)).mass(mass),
        _ => {
            let moments = Vec3::new(1.0, r.between(0.6, 1.2), r.between(0.6, 1.2));
            let turn = r.rotation().to_rotation_matrix().into_inner();
            let inertia = turn * palpable::Mat3::from_diagonal(&moments) * turn.transpose();
            let symmetric = (inertia + inertia.transpose()) * (0.5 * mass * size * size);
            Body::new(name).inertia(mass, r.vector(size), symmetric)
        }
    };
    let damping = if r.below(3) == 0 { r.decades(1e-6, 10.0) } else { 0.0 };
    body.velocity(r.vector(1.0)).angular_velocity(r.vector(10.0)).damping(damping, damping * 0.01)
}

/// Where a random body was placed, to aim springs at.
struct Placed {
    id: BodyId,
    position: Vec3,
    rotation: Rotation,
    size: f64,
    mass: f64,
}

/// A port and the largest force [N] and torque [N·m] that a test applies there.
pub struct Hand {
    pub port: PortId,
    force: f64,
    torque: f64,
    /// where a reference port's reference starts [m]
    reference: Option<Vec3>,
}

/// Which elements a random world has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Elements {
    Springs,
    /// Joints of every kind, half of them hard.
    Joints,
    /// Springs, a reference port, and parameters that change.
    Everything,
}

/// A spring of any kind, 1e-3 to 1e8 N/m or none, near rest: its energy starts below `energy` [J].
fn random_spring(
    r: &mut Random,
    bodies: &[Placed],
    energy: f64,
    elements: Elements,
) -> Option<Spring> {
    let stiffness = match r.below(10) {
        0 if elements != Elements::Joints => 0.0,
        1..=5 if elements == Elements::Joints => f64::INFINITY,
        _ => r.decades(1e-3, 1e8),
    };
    let damping = if r.below(3) == 0 { r.decades(1e-4, 1e3) } else { 0.0 };
    let offset = (energy / (stiffness + 1e-9)).sqrt().min(0.3);
    let body = &bodies[r.below(bodies.len())];
    let (point, turn) = (r.vector(0.3), r.rotation());
    let a = body.id.at(point).turned(turn);
    // the frame of `a` in the world, moved a little, seen from `b`
    let target = body.position + body.rotation * point + r.vector(offset);
    let frame = body.rotation * turn * Rotation::from_scaled_axis(r.vector(offset));
    let b = match r.below(4) {
        0 => Anchor::world(target).turned(frame),
        _ => {
            let other = &bodies[r.below(bodies.len())];
            if other.id == body.id {
                return None;
            }
            let inverse = other.rotation.inverse();
            other.id.at(inverse * (target - other.position)).turned(inverse * frame)
        }
    };
    if elements == Elements::Joints {
        let kinds = [
            Joint::ball,
            Joint::hinge,
            Joint::universal,
            Joint::fixed,
            Joint::prismatic,
            Joint::planar,
        ];
        let joint = kinds[r.below(kinds.len())](a, b).stiffness(stiffness);
        return Some(joint.damping(if stiffness.is_finite() { damping } else { 0.0 }).into());
    }
    let spring = match r.below(5) {
        0 | 1 => Spring::point(a, b),
        2 => Spring::rotation(a, b),
        3 => Spring::pose(a, b),
        _ => Spring::custom(Arc::new(Distance(r.between(0.0, offset))), a, b),
    };
    Some(spring.stiffness(stiffness).damping(damping))
}

/// A world of 1 to 20 bodies with springs of all kinds and one or two ports; each spring starts
/// with at most about `energy` [J].
pub fn random_world(r: &mut Random, energy: f64, options: Options) -> (World, Vec<Hand>) {
    random_world_of(r, energy, Elements::Springs, options)
}

/// The same with a choice of elements.
pub fn random_world_of(
    r: &mut Random,
    energy: f64,
    elements: Elements,
    options: Options,
) -> (World, Vec<Hand>) {
    let mut model = Model::ghosts();
    if r.below(2) == 0 {
        model.gravity([0.0, 0.0, -9.81]);
    }
    let count = 1 + r.below(20);
    let mut bodies = Vec::new();
    for i in 0..count {
        let (position, rotation) = (r.vector(1.0), r.rotation());
        let (size, mass) = (r.decades(1e-3, 1.0), r.decades(1e-6, 1e3));
        let body = random_body(r, i, size, mass).position(position).rotation(rotation);
        bodies.push(Placed { id: model.body(body), position, rotation, size, mass });
    }
    // joints make trees with a loop here and there, springs also nets
    let most = if elements == Elements::Joints { count } else { 2 * count };
    for _ in 0..r.below(most + 1) {
        if let Some(spring) = random_spring(r, &bodies, energy, elements) {
            model.spring(spring);
        }
    }
    let mut ports = Vec::new();
    for i in 0..1 + r.below(2) {
        let body = &bodies[r.below(count)];
        let port = model.port(Port::force(format!("p{i}"), body.id.at(r.vector(body.size))));
        // up to ten thousand times the acceleration of gravity
        let force = (1e5 * body.mass).min(1e3);
        ports.push(Hand { port, force, torque: force * body.size, reference: None });
    }
    if elements == Elements::Everything {
        // a hand that drags a body by a spring
        let body = &bodies[r.below(count)];
        let k = r.decades(1e-2, 1e4);
        let rows = Vec6::new(k, k, k, k * 1e-3, k * 1e-3, k * 1e-3);
        let port = Port::reference("drag", body.id.origin(), rows, rows * r.decades(1e-6, 1e-2));
        let reference = Some(body.position);
        ports.push(Hand { port: model.port(port), force: 0.0, torque: 0.0, reference });
    }
    (
        // a scheme that does not suit the model refuses its steps
        World::begin(model.build().expect("a valid model"), options),
        ports,
    )
}

/// Random forces over six decades, sometimes none.
pub fn random_inputs(r: &mut Random, hands: &[Hand], inputs: &mut Inputs) {
    for hand in hands {
        if let Some(start) = hand.reference {
            let (position, rotation) = (start + r.vector(0.01), Rotation::identity());
            inputs.set(hand.port, PortInput::Reference { position, rotation });
            continue;
        }
        let part = if r.below(3) == 0 { 0.0 } else { r.decades(1e-6, 1.0) };
        let (force, torque) = (r.vector(hand.force * part), r.vector(hand.torque * part));
        inputs.set(hand.port, PortInput::Wrench { force, torque });
    }
}

/// Drags the mass of a body, the stiffness of an element or gravity; the tank pays.
pub fn random_change(r: &mut Random, world: &mut World) {
    let (bodies, elements) = (world.model().bodies().len(), world.model().elements().len());
    let factor = r.decades(0.1, 10.0);
    match r.below(3) {
        0 => {
            let b = r.below(bodies);
            let Some(body) = world.body_named(&format!("b{b}")) else { return };
            let mass = world.params().bodies[b].mass * factor;
            world.set_mass(body, mass, Payment::Tank).expect("a valid mass");
        }
        1 if elements > 0 => {
            let element = world.element(r.below(elements)).expect("it exists");
            let stiffness = world.params().elements[element.index()].stiffness * factor;
            // hard joints refuse, which is right
            let _ = world.set_stiffness(element, stiffness, Payment::Tank);
        }
        _ => drop(world.set_gravity(r.vector(10.0), Payment::Tank)),
    }
}

/// True if the long versions of the tests are asked for.
pub fn long() -> bool {
    std::env::var_os("PALPABLE_LONG").is_some()
}

/// How many random worlds to try: `few`, or `many` if the long run is asked for; a number in
/// `PALPABLE_LONG` sets it.
pub fn worlds(few: u64, many: u64) -> u64 {
    match std::env::var("PALPABLE_LONG") {
        Ok(text) => text.parse().ok().filter(|n| *n > 1).unwrap_or(many),
        Err(_) => few,
    }
}
