//! Couplings between a hand and a port of the world, for whoever writes the loop in Python.

use crate::errors::{self, Refuse};
use crate::inputs::PortInput;
use crate::pose::Rotation;
use crate::shown::{PortOutput, shown};
use crate::vector::{Numbers, V3, array, array3};
use numpy::PyArray1;
use palpable::Vec3;
use palpable::coupling::{self as engine, Freedom, InputFault};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// Why a force is zero, in a word.
fn fault_name(fault: Option<InputFault>) -> Option<&'static str> {
    fault.map(|fault| match fault {
        InputFault::Sample => "sample",
        InputFault::World => "world",
        InputFault::Period => "period",
    })
}

/// Pose of a handle, a reference or a proxy, world axes.
#[pyclass(frozen, eq, from_py_object, module = "palpable.coupling")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handle(pub engine::Handle);

#[pymethods]
impl Handle {
    /// Position \[m\] and orientation.
    #[new]
    #[pyo3(signature = (position, rotation=Rotation(palpable::Rotation::identity())))]
    fn new(position: V3, rotation: Rotation) -> Self {
        Self(engine::Handle { position: position.0, rotation: rotation.0 })
    }

    /// At a point \[m\], unturned.
    #[staticmethod]
    fn at(position: V3) -> Self {
        Self(engine::Handle::at(position.0))
    }

    /// Where a port is.
    #[staticmethod]
    fn of(port: &PortOutput) -> Self {
        Self(engine::Handle::of(&port.0))
    }

    /// Position \[m\].
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> Array<'py> {
        array3(py, &self.0.position)
    }

    /// Orientation.
    #[getter]
    fn rotation(&self) -> Rotation {
        Rotation(self.0.rotation)
    }

    fn __repr__(&self) -> String {
        let p = self.0.position;
        format!("<Handle at [{}, {}, {}]>", p.x, p.y, p.z)
    }
}

/// What pays for moves of the reference, if somebody must.
#[pyclass(frozen, eq, from_py_object, module = "palpable.coupling")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guard(engine::Guard);

#[pymethods]
impl Guard {
    /// Damping of the device that can be counted on \[N·s/m, N·m·s/rad\], energy granted at the
    /// start and largest reserve \[J\].
    #[new]
    #[pyo3(signature = (device_damping=0.0, turning_damping=0.0, grant=0.0, ceiling=0.01))]
    fn new(device_damping: f64, turning_damping: f64, grant: f64, ceiling: f64) -> Self {
        Self(engine::Guard { device_damping, turning_damping, grant, ceiling })
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// What a virtual coupling is made of.
#[pyclass(frozen, eq, from_py_object, module = "palpable.coupling")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CouplingSettings(engine::CouplingSettings);

/// What may be left out of a coupling.
struct Choices {
    gamma: f64,
    damping: Option<f64>,
    turning_damping: Option<f64>,
    device_side_damping: f64,
    guard: Option<Guard>,
}

impl CouplingSettings {
    fn with(start: engine::CouplingSettings, c: Choices) -> Self {
        let guard = c.guard.map(|g| g.0);
        let (gamma, damping, turning_damping) = (c.gamma, c.damping, c.turning_damping);
        let device_side_damping = c.device_side_damping;
        Self(engine::CouplingSettings {
            gamma,
            damping,
            turning_damping,
            device_side_damping,
            guard,
            ..start
        })
    }
}

#[pymethods]
impl CouplingSettings {
    /// Positions: stiffness \[N/m\] and period of the loop \[s\]. `gamma` is the share of the
    /// step's motion that is sent to the device, `damping` that of the virtual side \[N·s/m\],
    /// K T/2 unless given.
    #[staticmethod]
    #[pyo3(signature = (stiffness, period, *, gamma=1.0, damping=None, device_side_damping=0.0,
                        guard=None))]
    fn point(
        stiffness: f64,
        period: f64,
        gamma: f64,
        damping: Option<f64>,
        device_side_damping: f64,
        guard: Option<Guard>,
    ) -> Self {
        let choices = Choices { gamma, damping, turning_damping: None, device_side_damping, guard };
        Self::with(engine::CouplingSettings::point(stiffness, period), choices)
    }

    /// Poses: `turning` is the rotational stiffness \[N·m/rad\].
    #[staticmethod]
    #[pyo3(signature = (stiffness, turning, period, *, gamma=1.0, damping=None,
                        turning_damping=None, device_side_damping=0.0, guard=None))]
    #[allow(clippy::too_many_arguments)]
    fn pose(
        stiffness: f64,
        turning: f64,
        period: f64,
        gamma: f64,
        damping: Option<f64>,
        turning_damping: Option<f64>,
        device_side_damping: f64,
        guard: Option<Guard>,
    ) -> Self {
        let choices = Choices { gamma, damping, turning_damping, device_side_damping, guard };
        Self::with(engine::CouplingSettings::pose(stiffness, turning, period), choices)
    }

    /// One direction; it need not have length one.
    #[staticmethod]
    #[pyo3(signature = (stiffness, direction, period, *, gamma=1.0, damping=None,
                        device_side_damping=0.0, guard=None))]
    fn line(
        stiffness: f64,
        direction: V3,
        period: f64,
        gamma: f64,
        damping: Option<f64>,
        device_side_damping: f64,
        guard: Option<Guard>,
    ) -> Self {
        let choices = Choices { gamma, damping, turning_damping: None, device_side_damping, guard };
        Self::with(engine::CouplingSettings::line(stiffness, direction.0, period), choices)
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// What the hand feels until the next sample.
#[pyclass(frozen, eq, from_py_object, module = "palpable.coupling")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Felt(engine::Felt);

#[pymethods]
impl Felt {
    /// Force on the hand, world axes \[N\].
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> Array<'py> {
        array3(py, &self.0.force)
    }

    /// Torque on the hand, world axes \[N·m\].
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> Array<'py> {
        array3(py, &self.0.torque)
    }

    /// Why the force is zero, if an input was bad: "sample", "world" or "period".
    #[getter]
    fn fault(&self) -> Option<&'static str> {
        fault_name(self.0.fault)
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

shown! {
    /// What a coupling moved between hand and world since it was built \[J\].
    CouplingAccount(engine::CouplingAccount) {
        show {
        /// Work of the held forces on the hand; negative if the hand put energy in.
        to_hand: f64 = |s| s.to_hand;
        /// Work of moving the reference, which the world received.
        to_world: f64 = |s| s.to_world;
        /// What the device's own damping took at least.
        damped: f64 = |s| s.damped;
        /// The largest energy ever created; zero or below for a passive coupling.
        worst: f64 = |s| s.worst;
        }
        own {
            /// Energy created so far, net of the device's damping \[J\].
            fn created(&self) -> f64 {
                self.0.created()
            }

            /// Energy that sampling created, before the device's damping \[J\].
            fn sampled(&self) -> f64 {
                self.0.sampled()
            }
        }
    }
}

/// A spring between a device sample and a port of a world, solved with the world.
#[pyclass(module = "palpable.coupling")]
#[derive(Debug, Clone)]
pub struct VirtualCoupling(engine::VirtualCoupling);

#[pymethods]
impl VirtualCoupling {
    /// Builds the coupling; raises `CouplingError` for a number out of range.
    #[new]
    fn new(settings: &CouplingSettings) -> PyResult<Self> {
        engine::VirtualCoupling::new(settings.0).or_raise(errors::coupling).map(Self)
    }

    /// Stiffness for the reference port, offsets first.
    fn stiffness<'py>(&self, py: Python<'py>) -> Array<'py> {
        array(py, self.0.stiffness().as_slice())
    }

    /// Damping for the reference port, offsets first.
    fn damping<'py>(&self, py: Python<'py>) -> Array<'py> {
        array(py, self.0.damping().as_slice())
    }

    /// Damping that the device must have along every direction \[N·s/m\].
    fn required_damping(&self) -> f64 {
        self.0.required_damping()
    }

    /// Rotational damping that the device must have \[N·m·s/rad\].
    fn required_turning_damping(&self) -> f64 {
        self.0.required_turning_damping()
    }

    /// The energy account; a copy.
    fn account(&self) -> CouplingAccount {
        CouplingAccount(*self.0.account())
    }

    /// Energy in the guard's reserve \[J\].
    fn reserve(&self) -> f64 {
        self.0.reserve()
    }

    /// Energy that the hand got and nobody has paid yet \[J\].
    fn debt(&self) -> f64 {
        self.0.debt()
    }

    /// Where the reference is now, once there was a sample.
    fn reference(&self) -> Option<Handle> {
        self.0.reference().map(Handle)
    }

    /// Before the step: takes a device sample, gives the input of the reference port.
    fn sample(&mut self, hand: &Handle) -> PortInput {
        PortInput(self.0.sample(&hand.0))
    }

    /// The same for a hand whose coordinates were moved by `drift` \[m\] since the last sample.
    fn sample_with_drift(&mut self, hand: &Handle, drift: V3) -> PortInput {
        PortInput(self.0.sample_with_drift(&hand.0, &drift.0))
    }

    /// After the step of length `h` \[s\]: takes the port's output, gives what the hand feels.
    fn force(&mut self, port: &PortOutput, h: f64) -> Felt {
        Felt(self.0.force(&port.0, h))
    }

    fn __repr__(&self) -> String {
        format!("<VirtualCoupling, reserve {} J>", self.0.reserve())
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}

/// Beyond a radius of the device's centre the world drifts past.
#[pyclass(frozen, eq, from_py_object, module = "palpable.coupling")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge(engine::Edge);

#[pymethods]
impl Edge {
    /// Where rate control begins \[m\], speed per metre beyond it \[1/s\], largest speed \[m/s\].
    #[new]
    fn new(radius: f64, rate: f64, max_speed: f64) -> Self {
        Self(engine::Edge { radius, rate, max_speed })
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// A sample in world coordinates.
#[pyclass(frozen, module = "palpable.coupling")]
#[derive(Debug, Clone, Copy)]
pub struct Mapped(engine::Mapped);

#[pymethods]
impl Mapped {
    /// The handle, world axes.
    #[getter]
    fn handle(&self) -> Handle {
        Handle(self.0.handle)
    }

    /// The part of its motion that was not the hand's: drift at the edge \[m\].
    #[getter]
    fn drift<'py>(&self, py: Python<'py>) -> Array<'py> {
        array3(py, &self.0.drift)
    }

    /// False while the clutch is open.
    #[getter]
    fn engaged(&self) -> bool {
        self.0.engaged
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// Maps device poses to world poses, and forces back.
#[pyclass(module = "palpable.coupling")]
#[derive(Debug, Clone)]
pub struct Workspace(engine::Workspace);

#[pymethods]
impl Workspace {
    /// World metres per device metre, and the device's share of forces.
    #[new]
    #[pyo3(signature = (scale=1.0, force_scale=1.0))]
    fn new(scale: f64, force_scale: f64) -> PyResult<Self> {
        engine::Workspace::new(scale, force_scale).or_raise(errors::coupling).map(Self)
    }

    /// The same with device axes turned to world axes.
    fn turned(&self, world_from_device: Rotation) -> Self {
        Self(self.0.clone().turned(world_from_device.0))
    }

    /// The same with the device's centre elsewhere in the world \[m\].
    fn centered(&self, offset: V3) -> Self {
        Self(self.0.clone().centered(offset.0))
    }

    /// The same with rate control beyond the edge of a workspace around `center`, device axes
    /// \[m\].
    fn with_edge(&self, center: V3, edge: Edge) -> PyResult<Self> {
        self.0.clone().with_edge(center.0, edge.0).or_raise(errors::coupling).map(Self)
    }

    /// The device's share of a world stiffness.
    fn felt_stiffness(&self, stiffness: f64) -> f64 {
        self.0.felt_stiffness(stiffness)
    }

    /// The device's damping as the world sees it: what a guard may count on.
    fn world_damping(&self, damping: f64) -> f64 {
        self.0.world_damping(damping)
    }

    /// Energy at the device per energy in the world.
    fn energy_scale(&self) -> f64 {
        self.0.energy_scale()
    }

    /// Maps a device sample, `h` \[s\] after the last one; while `clutch` is True the hand moves
    /// alone. None if a number is not finite; nothing changes then.
    fn map(&mut self, device: &Handle, clutch: bool, h: f64) -> Option<Mapped> {
        self.0.map(&device.0, clutch, h).map(Mapped)
    }

    /// A force in the world as the device shall show it, device axes.
    fn to_device(&self, felt: &Felt, engaged: bool) -> Felt {
        Felt(self.0.to_device(&felt.0, engaged))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}

/// One side of a coupling over a link that is late and loses packets \[Lee2008\].
#[pyclass(frozen, eq, from_py_object, module = "palpable.coupling")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PspmSettings(engine::PspmSettings);

#[pymethods]
impl PspmSettings {
    /// Stiffness \[N/m\] and damping \[N·s/m\] of this side; `grant` \[J\] at the start, more than
    /// `ceiling` \[J\] is sent to the other side. With a `turning_stiffness` \[N·m/rad\] poses are
    /// coupled.
    #[staticmethod]
    #[pyo3(signature = (stiffness, damping, *, turning_stiffness=0.0, turning_damping=0.0,
                        sampled_damping=0.0, grant=0.01, ceiling=0.05, shuffling=1.0,
                        continuous=false))]
    #[allow(clippy::too_many_arguments)]
    fn point(
        stiffness: f64,
        damping: f64,
        turning_stiffness: f64,
        turning_damping: f64,
        sampled_damping: f64,
        grant: f64,
        ceiling: f64,
        shuffling: f64,
        continuous: bool,
    ) -> Self {
        let freedom = if turning_stiffness > 0.0 { Freedom::Pose } else { Freedom::Point };
        Self(engine::PspmSettings {
            stiffness,
            turning_stiffness,
            damping,
            turning_damping,
            sampled_damping,
            grant,
            ceiling,
            shuffling,
            freedom,
            continuous,
        })
    }

    /// Energy in the reservoir at the start \[J\].
    #[getter]
    fn grant(&self) -> f64 {
        self.0.grant
    }

    /// Stiffness for a reference port, offsets first.
    fn port_stiffness<'py>(&self, py: Python<'py>) -> Array<'py> {
        array(py, self.0.port_stiffness().as_slice())
    }

    /// Damping for a reference port, offsets first.
    fn port_damping<'py>(&self, py: Python<'py>) -> Array<'py> {
        array(py, self.0.port_damping().as_slice())
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// What is sent to the other side.
#[pyclass(frozen, eq, module = "palpable.coupling")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Packet(engine::Packet);

#[pymethods]
impl Packet {
    /// A packet that came over a network of one's own.
    #[new]
    fn new(sequence: u64, handle: &Handle, energy: f64) -> Self {
        Self(engine::Packet { sequence, handle: handle.0, energy })
    }

    /// Counts up; a packet that comes after a later one brings only its energy.
    #[getter]
    fn sequence(&self) -> u64 {
        self.0.sequence
    }

    /// Where the sender's end is.
    #[getter]
    fn handle(&self) -> Handle {
        Handle(self.0.handle)
    }

    /// Energy handed over \[J\]; a packet must not be delivered twice.
    #[getter]
    fn energy(&self) -> f64 {
        self.0.energy
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// Passive set-position modulation at the device \[Lee2008\].
#[pyclass(module = "palpable.coupling")]
#[derive(Debug, Clone)]
pub struct DeviceSide(engine::DeviceSide);

#[pymethods]
impl DeviceSide {
    /// Builds this side.
    #[new]
    fn new(settings: &PspmSettings) -> PyResult<Self> {
        engine::DeviceSide::new(settings.0).or_raise(errors::coupling).map(Self)
    }

    /// Takes in a packet of the world's side; packets may come late or in any order.
    fn receive(&mut self, packet: &Packet) {
        self.0.receive(&packet.0);
    }

    /// A sample of the handle, `elapsed` \[s\] after the last one: the force held until the next.
    fn sample(&mut self, hand: &Handle, elapsed: f64) -> Felt {
        Felt(self.0.sample(&hand.0, elapsed))
    }

    /// What to send to the world's side; None before the first sample.
    fn send(&mut self) -> Option<Packet> {
        self.0.send().map(Packet)
    }

    /// Energy in the reservoir \[J\].
    fn reserve(&self) -> f64 {
        self.0.reserve()
    }

    /// What is still owed \[J\]; zero unless the device has less damping than declared.
    fn debt(&self) -> f64 {
        self.0.debt()
    }

    /// The set position in use.
    fn set_position(&self) -> Option<Handle> {
        self.0.set_position().map(Handle)
    }

    /// Work of the held forces on the hand so far \[J\].
    fn to_hand(&self) -> f64 {
        self.0.to_hand()
    }

    /// What the device's damping took at least \[J\].
    fn damped(&self) -> f64 {
        self.0.damped()
    }

    /// Energy received in packets \[J\].
    fn received(&self) -> f64 {
        self.0.received()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}

/// Passive set-position modulation at the world \[Lee2008\].
#[pyclass(module = "palpable.coupling")]
#[derive(Debug, Clone)]
pub struct WorldSide(engine::WorldSide);

#[pymethods]
impl WorldSide {
    /// Builds this side. Until it has seen a step it leaves the reference where it is.
    #[new]
    fn new(settings: &PspmSettings) -> PyResult<Self> {
        engine::WorldSide::new(settings.0).or_raise(errors::coupling).map(Self)
    }

    /// Takes in a packet of the device's side.
    fn receive(&mut self, packet: &Packet) {
        self.0.receive(&packet.0);
    }

    /// Before a step: the input of the reference port.
    fn reference(&mut self) -> PortInput {
        PortInput(self.0.reference())
    }

    /// After a step of length `h` \[s\]: books the price of the move and the damper's loss.
    fn after_step(&mut self, port: &PortOutput, h: f64) {
        self.0.after_step(&port.0, h);
    }

    /// What to send to the device's side; None before the first step.
    fn send(&mut self) -> Option<Packet> {
        self.0.send().map(Packet)
    }

    /// Energy in the reservoir \[J\].
    fn reserve(&self) -> f64 {
        self.0.reserve()
    }

    /// What is still owed \[J\]: rounding at most.
    fn debt(&self) -> f64 {
        self.0.debt()
    }

    /// The set position in use.
    fn set_position(&self) -> Option<Handle> {
        self.0.set_position().map(Handle)
    }

    /// Work of moving the reference so far \[J\].
    fn to_world(&self) -> f64 {
        self.0.to_world()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}

/// The four-channel controller: positions and forces go both ways \[Constantinescu2005\].
#[pyclass(module = "palpable.coupling")]
#[derive(Debug, Clone)]
pub struct FourChannel(engine::FourChannel);

#[pymethods]
impl FourChannel {
    /// Builds the controller, with energy in the observer's account \[J\] to start with.
    #[new]
    #[pyo3(signature = (settings, energy=0.0))]
    fn new(settings: &CouplingSettings, energy: f64) -> PyResult<Self> {
        let made = engine::FourChannel::new(settings.0).or_raise(errors::coupling)?;
        Ok(Self(made.with_energy(energy)))
    }

    /// The coupling behind it; a copy.
    fn coupling(&self) -> VirtualCoupling {
        VirtualCoupling(self.0.coupling().clone())
    }

    /// Energy that hand and tool put in and did not get back \[J\].
    fn energy(&self) -> f64 {
        self.0.energy()
    }

    /// Before the step: a device sample and the hand's force \[N\]; gives the inputs of the tool's
    /// reference port and of its force port.
    fn sample(&mut self, hand: &Handle, hand_force: V3) -> (PortInput, PortInput) {
        let [reference, wrench] = self.0.sample(&hand.0, &hand_force.0);
        (PortInput(reference), PortInput(wrench))
    }

    /// After the step: what the hand feels, from the outputs of the reference and the force port
    /// and the force of the environment on the tool \[N\].
    fn force(
        &mut self,
        reference: &PortOutput,
        push: &PortOutput,
        environment: V3,
        h: f64,
    ) -> Felt {
        Felt(self.0.force([&reference.0, &push.0], &environment.0, h))
    }

    /// The same with a torque of the environment \[N·m\]: for devices that turn.
    fn wrench(
        &mut self,
        reference: &PortOutput,
        push: &PortOutput,
        force: V3,
        torque: V3,
        h: f64,
    ) -> Felt {
        Felt(self.0.wrench([&reference.0, &push.0], [force.0, torque.0], h))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}

/// A virtual coupling that is felt only while the tool touches something.
#[pyclass(module = "palpable.coupling")]
#[derive(Debug, Clone)]
pub struct Unilateral(engine::Unilateral);

#[pymethods]
impl Unilateral {
    /// Builds the coupler.
    #[new]
    fn new(settings: &CouplingSettings) -> PyResult<Self> {
        engine::Unilateral::new(settings.0).or_raise(errors::coupling).map(Self)
    }

    /// The coupling behind it; a copy.
    fn coupling(&self) -> VirtualCoupling {
        VirtualCoupling(self.0.coupling().clone())
    }

    /// Before the step: takes a device sample, gives the input of the reference port.
    fn sample(&mut self, hand: &Handle) -> PortInput {
        PortInput(self.0.sample(&hand.0))
    }

    /// After the step of length `h` \[s\]: what the hand feels if the tool is `in_contact`.
    fn force(&mut self, port: &PortOutput, in_contact: bool, h: f64) -> Felt {
        Felt(self.0.force(&port.0, in_contact, h))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}

/// What a pad presses onto a fingertip: a low-pass of the contact force in its frame.
#[pyclass(module = "palpable.coupling")]
#[derive(Debug, Clone)]
pub struct Cutaneous(engine::Cutaneous);

#[pymethods]
impl Cutaneous {
    /// A filter of `time_constant` \[s\].
    #[new]
    fn new(time_constant: f64) -> PyResult<Self> {
        engine::Cutaneous::new(time_constant).or_raise(errors::coupling).map(Self)
    }

    /// Takes the contact force \[N\] on a fingertip, held over `h` \[s\]; gives the force for the
    /// pad in the fingertip's axes, and why it is zero if an input was bad.
    fn update<'py>(
        &mut self,
        py: Python<'py>,
        force: V3,
        rotation: Rotation,
        h: f64,
    ) -> (Array<'py>, Option<&'static str>) {
        let pressed = self.0.update(&force.0, &rotation.0, h);
        (array3(py, &pressed.force), fault_name(pressed.fault))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}

/// Counts the energy that left through a device and brakes when it exceeds what came in.
#[pyclass(module = "palpable.coupling")]
#[derive(Debug, Clone)]
pub struct PassivityObserver(engine::PassivityObserver);

/// Force \[N\], damping that was added \[N·s/m\], and why the force is zero if an input was bad.
type Braked<'py> = (Array<'py>, f64, Option<&'static str>);

fn braked<'py>(py: Python<'py>, observed: &engine::Observed) -> Braked<'py> {
    (array3(py, &observed.force), observed.added_damping, fault_name(observed.fault))
}

#[pymethods]
impl PassivityObserver {
    /// Starts with energy in the account \[J\].
    #[new]
    #[pyo3(signature = (energy=0.0))]
    fn new(energy: f64) -> Self {
        Self(engine::PassivityObserver::with_energy(energy))
    }

    /// Energy counted so far \[J\].
    fn energy(&self) -> f64 {
        self.0.energy()
    }

    /// Energy that something else took from the account \[J\].
    fn spend(&mut self, amount: f64) {
        self.0.spend(amount);
    }

    /// One sample as published: force \[N\] and velocity \[m/s\] hold over `h` \[s\]. Returns the
    /// force to apply, the damping that was added, and a fault.
    fn step<'py>(&mut self, py: Python<'py>, force: V3, velocity: V3, h: f64) -> Braked<'py> {
        braked(py, &self.0.step(force.0, velocity.0, h))
    }

    /// One sample of a held force: the last one moved the hand by `moved` \[m\] within `h` \[s\].
    fn step_held<'py>(&mut self, py: Python<'py>, force: V3, moved: V3, h: f64) -> Braked<'py> {
        braked(py, &self.0.step_held(force.0, moved.0, h))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}

/// Brings the collisions of a tool to a hand, within what a device can do \[Constantinescu2005\].
#[pyclass(module = "palpable.coupling")]
#[derive(Debug, Clone)]
pub struct ImpulseChannel(engine::ImpulseChannel);

/// A force and a torque, or two such.
type Pair<'py> = (Array<'py>, Array<'py>);

fn pair<'py>(py: Python<'py>, [a, b]: [Vec3; 2]) -> Pair<'py> {
    (array3(py, &a), array3(py, &b))
}

#[pymethods]
impl ImpulseChannel {
    /// Largest force \[N\] and torque \[N·m\]; `rendering` is "spread", "scale" or "saturate"; the
    /// force of impulses changes by at most `slew` \[N/s\] and `turning_slew` \[N·m/s\].
    #[new]
    #[pyo3(signature = (force, torque, rendering="spread", slew=f64::INFINITY,
                        turning_slew=f64::INFINITY))]
    fn new(
        force: f64,
        torque: f64,
        rendering: &str,
        slew: f64,
        turning_slew: f64,
    ) -> PyResult<Self> {
        let words =
            || format!("rendering is {rendering:?}; use \"spread\", \"scale\" or \"saturate\"");
        let rendering = engine::Rendering::named(rendering);
        let rendering = rendering.ok_or_else(|| PyValueError::new_err(words()))?;
        let impulses = engine::Impulses { rendering, force, torque };
        Ok(Self(engine::ImpulseChannel::new(impulses).with_slew(slew, turning_slew)))
    }

    /// Limits for `World.set_impulse_limit`: force \[N\], torque \[N·m\], whether they spread.
    fn limits(&self) -> (f64, f64, bool) {
        let bounds = self.0.impulses().limits();
        (bounds.force, bounds.torque, bounds.spread)
    }

    /// Energy that the hand gave to impulses and did not get back \[J\].
    fn energy(&self) -> f64 {
        self.0.energy()
    }

    /// Force and torque of impulses on the hand in the present period \[N, N·m\].
    fn force<'py>(&self, py: Python<'py>) -> Pair<'py> {
        pair(py, self.0.force())
    }

    /// Impulse that the hand has yet to get \[N·s\], and its moment \[N·m·s\].
    fn owed<'py>(&self, py: Python<'py>) -> Pair<'py> {
        pair(py, self.0.owed())
    }

    /// Force and torque on the hand in the coming period of `h` \[s\]: of impulses on the tool
    /// (`World.port_impulse`), besides the spring's, after the hand moved by a way and a turn.
    fn felt<'py>(
        &mut self,
        py: Python<'py>,
        impulse: (V3, V3),
        spring: (V3, V3),
        moved: (V3, V3),
        h: f64,
    ) -> Pair<'py> {
        let [impulse, spring, moved] = [impulse, spring, moved].map(|(a, b)| [a.0, b.0]);
        pair(py, self.0.felt(impulse, spring, moved, h))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }
}

/// One coordinate of a device that closes a tendon-driven hand \[Kim2017 sec. 5.3\].
#[pyclass(frozen, module = "palpable.coupling")]
#[derive(Debug, Clone)]
pub struct Synergy(engine::Synergy);

#[pymethods]
impl Synergy {
    /// Active and passive tendons as pairs of a stiffness \[N/m\] and pulley radii \[m\], a list
    /// per tendon; joint angles unfolded and folded \[rad\]; range of the device \[m\]; gain
    /// \[N/m\].
    #[new]
    fn new(
        active: (f64, Vec<Numbers>),
        passive: (f64, Vec<Numbers>),
        unfolded: Numbers,
        folded: Numbers,
        range: (f64, f64),
        gain: f64,
    ) -> PyResult<Self> {
        let radii = |list: Vec<Numbers>| list.into_iter().map(|n| n.0).collect::<Vec<_>>();
        let (a, p) = (radii(active.1), radii(passive.1));
        let tendons = [(active.0, &a), (passive.0, &p)]
            .map(|(stiffness, radii)| engine::Tendons { stiffness, radii });
        let angles = [unfolded.0.as_slice(), folded.0.as_slice()];
        let made = engine::Synergy::new(tendons, angles, range.into(), gain);
        made.or_raise(errors::coupling).map(Self)
    }

    /// Lengths \[m\] at which the motors' tendons are slack when the device is at `z` \[m\].
    fn targets<'py>(&self, py: Python<'py>, z: f64) -> Array<'py> {
        array(py, &self.0.targets(z).collect::<Vec<_>>())
    }

    /// Where on the device's axis joint angles `q` \[rad\] belong \[m\].
    fn projected(&self, q: Numbers) -> f64 {
        self.0.projected(&q.0)
    }

    /// Force on the hand along the axis \[N\]; zero for angles that are not finite.
    fn force(&self, z: f64, q: Numbers) -> f64 {
        self.0.force(z, &q.0)
    }
}
