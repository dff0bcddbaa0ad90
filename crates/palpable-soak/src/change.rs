//! Live changes by a factor, of the solver of contact, and of what there is.

use palpable::{Body, BodyId, Inputs, Payment, Vec3, World};

/// Multiplies the mass of a body that moves.
pub fn scale_mass(world: &mut World, body: BodyId, factor: f64, payment: Payment) {
    if let Some(moving) = world.model().bodies()[body.index()].moving {
        let mass = world.params().bodies[moving].mass * factor;
        let _ = world.set_mass(body, mass, payment);
    }
}

/// Multiplies the stiffness of an element, counted around.
pub fn scale_stiffness(world: &mut World, element: usize, factor: f64, payment: Payment) {
    let count = world.model().elements().len();
    if let Some(element) = (count > 0).then(|| world.element(element % count)).flatten() {
        let stiffness = world.params().elements[element.index()].stiffness * factor;
        let _ = world.set_stiffness(element, stiffness, payment);
    }
}

/// Sets how many sweeps and Newton steps the solver of contact may take.
pub fn set_effort(world: &mut World, sweeps: usize, newton_steps: usize) {
    if let Some(settings) = world.contact_settings() {
        (settings.sweeps, settings.newton_steps) = (sweeps, newton_steps);
    }
}

/// Lets a ball into the world; `None` if it is refused.
pub fn add_ball(
    world: &mut World,
    name: &str,
    at: Vec3,
    radius: f64,
    velocity: Vec3,
) -> Option<BodyId> {
    let ball = Body::sphere(name, radius).position(at).velocity(velocity);
    world.edit(|m| m.body(ball)).ok()
}

/// Takes a body out; it has to be there, and its id is refused afterwards.
pub fn remove_ball(world: &mut World, ball: BodyId) {
    world.edit(|m| m.remove_body(ball)).expect("a body that is there");
    assert!(world.edit(|m| m.remove_body(ball)).is_err(), "a body leaves once");
}

/// Gives a body another velocity; it turns no more.
pub fn kick(world: &mut World, body: BodyId, velocity: Vec3) {
    let _ = world.set_velocity(body, velocity, [0.0; 3]);
}

/// Asks for a step that no world takes; it leaves no trace.
pub fn ask_in_vain(world: &mut World) {
    let before = world.snapshot();
    for h in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(!world.step(h, &Inputs::none()).status.is_taken());
    }
    assert!(world.snapshot() == before, "a refused step leaves a trace");
}
