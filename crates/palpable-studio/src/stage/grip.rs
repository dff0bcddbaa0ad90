//! Taking hold of a body and letting go, in every lane at once.

use super::{Hand, Lane, Link, Stage};
use palpable::{Port, PortId, Vec3};

/// Which point of which body the hand holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grip {
    /// Index of the body.
    pub body: usize,
    /// The point in body axes [m].
    pub point: Vec3,
    /// True if the hand holds the orientation as well.
    pub turns: bool,
}

/// Name of the hand's port.
const NAME: &str = "studio hand";

impl Stage {
    /// Takes hold; lets go of anything held before. False if the body cannot be held.
    pub(super) fn grab(&mut self, body: usize, point: Vec3) -> bool {
        self.release();
        let grip = Grip { body, point, turns: self.hand.coupling.turning > 0.0 };
        let (hand, bodies) = (&self.hand, &self.show.bodies);
        let period = self.show.steps.mean_length();
        if !self.lanes.iter_mut().all(|lane| lane.attach(&grip, hand, bodies, period)) {
            self.lanes.iter_mut().for_each(Lane::detach);
            return false;
        }
        let Some(id) = self.show.bodies.get(body) else { return false };
        let pose = self.lanes[0].world.pose(*id);
        self.hand.reference = pose.position + pose.rotation * point;
        self.hand.target = self.hand.reference;
        self.hand.lagged = self.hand.reference;
        (self.hand.taken, self.hand.rotation) = (pose.rotation, pose.rotation);
        self.hand.turn = palpable::Rotation::identity();
        self.hand.grip = Some(grip);
        self.silence = 0.0;
        self.inputs = self.lanes[0].world.inputs();
        true
    }

    /// While the hand holds a body whose reference leads others, such as the palm of a scripted
    /// hand, that reference is the hand's. It stays where it is left until time goes back.
    pub(super) fn take_over(&mut self) {
        let Some(grip) = &self.hand.grip else { return };
        let model = &self.show.model;
        let moving = model.bodies().get(grip.body).and_then(|body| body.moving);
        let script = &mut self.show.script;
        let lead = model.ports().iter().find(|p| Some(p.body) == moving && script.leads(p.id));
        let Some(lead) = lead.map(|port| port.id) else { return };
        script.take(lead);
        let rotation = self.hand.rotation;
        let position = self.hand.reference - rotation * grip.point;
        self.inputs.set(lead, palpable::PortInput::Reference { position, rotation });
    }

    /// Lets go.
    pub(super) fn release(&mut self) {
        if self.hand.grip.take().is_some() {
            self.lanes.iter_mut().for_each(Lane::detach);
            self.inputs = self.lanes[0].world.inputs();
        }
    }
}

impl Lane {
    /// Adds the hand's port; true if it could be added.
    pub(super) fn attach(
        &mut self,
        grip: &Grip,
        hand: &Hand,
        bodies: &[palpable::BodyId],
        period: f64,
    ) -> bool {
        let Some(body) = bodies.get(grip.body) else { return false };
        let coupling = &hand.coupling;
        let (k, b) = (coupling.stiffness_rows(), coupling.damping_rows());
        let port = Port::reference(NAME, body.at(grip.point), k, b);
        self.port = self.world.attach(port).ok();
        self.link = None;
        self.relink(hand, period);
        self.port.is_some()
    }

    /// Puts the line of the hand in place; one that was there hands on its energy.
    pub(super) fn relink(&mut self, hand: &Hand, period: f64) {
        let before = self.link.take();
        if self.port.is_some() {
            let line = hand.line;
            self.link = Link::new(line, &hand.coupling, &self.world, period, before.as_ref());
        }
    }

    /// Removes the hand's port, if there is one.
    pub(super) fn detach(&mut self) {
        self.link = None;
        if let Some(port) = self.port.take() {
            // it is the last one, as nothing else adds ports
            let _ = self.world.detach(port);
        }
    }

    /// The hand's port.
    pub fn port(&self) -> Option<PortId> {
        self.port
    }
}
