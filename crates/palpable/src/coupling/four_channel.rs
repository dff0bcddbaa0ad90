//! The four-channel controller: positions and forces are sent both ways.

use super::error::{CouplingError, InputFault};
use super::handle::Handle;
use super::observer::PassivityObserver;
use super::virtual_coupling::{CouplingSettings, Felt, VirtualCoupling};
use crate::math::{Rotation, Vec3, so3};
use crate::port::{PortInput, PortOutput};

/// Position coordination by a spring and damper; beside it the hand's force goes to the tool and
/// the environment's force to the hand.
///
/// # Equation
/// ```text
/// tool   K(y − x) − B v + F_h           hand   −K(y − x) − b1 ẏ + F_env
///                                                              [Constantinescu2005, fig. 5b]
/// ```
/// The tool has a reference port for the first part and a force port for `F_h`.
/// # Guarantee
/// None for the force channels alone. The observer counts what hand and tool received through all
/// four channels and brakes the hand when it is more than they put in. What the tool needs it to
/// be given first: see [`FourChannel::with_energy`].
/// # Differs from the source
/// The spring is solved with the world; the damper of the tool's side acts against the held
/// reference. The observer is ours.
#[derive(Debug, Clone, PartialEq)]
pub struct FourChannel {
    coupling: VirtualCoupling,
    observer: PassivityObserver,
    moved: Vec3,
    hand: Option<Vec3>,
    turned: Vec3,
    rotation: Option<Rotation>,
    torque: Vec3,
}

impl FourChannel {
    /// Builds the controller.
    ///
    /// # Errors
    /// A number out of range, named with its cure.
    pub fn new(settings: CouplingSettings) -> Result<Self, CouplingError> {
        Ok(Self {
            coupling: VirtualCoupling::new(settings)?,
            observer: PassivityObserver::default(),
            moved: Vec3::zeros(),
            hand: None,
            turned: Vec3::zeros(),
            rotation: None,
            torque: Vec3::zeros(),
        })
    }

    /// Starts with energy in the observer's account [J]: what the hand may get, or the tool
    /// may store, before the observer brakes.
    pub fn with_energy(mut self, energy: f64) -> Self {
        self.observer = PassivityObserver::with_energy(energy);
        self
    }

    /// The coupling behind it: stiffness and damping for the reference port.
    pub fn coupling(&self) -> &VirtualCoupling {
        &self.coupling
    }

    /// Energy that hand and tool put in and did not get back [J].
    pub fn energy(&self) -> f64 {
        self.observer.energy()
    }

    /// Before the step: takes a device sample and the hand's force on the device [N]; gives the
    /// inputs of the tool's reference port and of its force port.
    pub fn sample(&mut self, hand: &Handle, hand_force: &Vec3) -> [PortInput; 2] {
        let reference = self.coupling.sample(hand);
        if reference == PortInput::Idle {
            (self.moved, self.turned) = (Vec3::zeros(), Vec3::zeros());
            return [PortInput::Idle; 2];
        }
        let turn = |last: Rotation| so3::log(&so3::compose(&hand.rotation, &last.inverse()));
        self.turned = self.rotation.map_or_else(Vec3::zeros, turn);
        self.rotation = Some(hand.rotation);
        self.moved = self.hand.map_or_else(Vec3::zeros, |last| hand.position - last);
        self.hand = Some(hand.position);
        let finite = hand_force.iter().all(|a| a.is_finite());
        let force = if finite { *hand_force } else { Vec3::zeros() };
        [reference, PortInput::Wrench { force, torque: Vec3::zeros() }]
    }

    /// The same with a torque of the environment [N·m] besides its force: for devices that turn.
    /// The observer counts its work, and brakes along the way of the hand.
    pub fn wrench(&mut self, ports: [&PortOutput; 2], environment: [Vec3; 2], h: f64) -> Felt {
        let [force, torque] = environment;
        if !torque.iter().all(|t| t.is_finite()) {
            return self.force(ports, &Vec3::repeat(f64::NAN), h);
        }
        // the torque of the last period was held over the turn since
        self.observer.spend(self.torque.dot(&self.turned));
        let felt = self.force(ports, &force, h);
        let whole = felt.fault.is_none();
        self.torque = if whole { felt.torque + torque } else { Vec3::zeros() };
        Felt { torque: self.torque, ..felt }
    }

    /// After the step of length `h` [s]: what the hand feels, from the outputs of the reference and
    /// force ports and the force of the environment on the tool [N].
    pub fn force(&mut self, ports: [&PortOutput; 2], environment: &Vec3, h: f64) -> Felt {
        let felt = self.coupling.force(ports[0], h);
        let finite = environment.iter().all(|a| a.is_finite()) && ports[1].work.is_finite();
        let fault = felt.fault.or((!finite).then_some(InputFault::World));
        if let Some(fault) = fault {
            let _ = self.observer.step_held(Vec3::zeros(), Vec3::zeros(), h);
            let _ = self.coupling.let_go();
            return Felt::nothing(fault);
        }
        self.observer.spend(ports[0].work + ports[1].work);
        let observed = self.observer.step_held(felt.force + environment, self.moved, h);
        match observed.fault {
            Some(fault) => Felt::nothing(fault),
            None => Felt { force: observed.force, ..felt },
        }
    }
}
