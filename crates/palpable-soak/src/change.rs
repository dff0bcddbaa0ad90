//! Live changes by a factor, and of the solver of contact.

use palpable::{BodyId, Payment, World};

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
