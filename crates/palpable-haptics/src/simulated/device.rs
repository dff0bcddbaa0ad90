//! The simulated device.

use std::time::Duration;

use super::axis::Axis;
use super::hand::Hand;
use super::network::NetworkPlant;
use crate::device::{Axes, Capabilities, Device, DeviceError, Sample};
use crate::safety::Command;
use palpable::math::{angular, join, linear, so3};
use palpable::{Rotation, Vec3, Vec6};
use palpable_random::Random;

/// Forces on their way to the motors; a longer delay holds fewer than this many periods.
const IN_FLIGHT: usize = 64;

/// A number out of its range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("simulated device: {field} is {value}, but must be {need}: {cure}")]
pub struct SimulatedError {
    /// The field at fault.
    pub field: &'static str,
    /// The value that was given.
    pub value: f64,
    /// The range it must lie in.
    pub need: &'static str,
    /// What to do.
    pub cure: &'static str,
}

/// A device of one, three or six axes that exists only as equations.
///
/// Mass, viscous and Coulomb friction, encoder steps, rate, delay and the largest force are those
/// of its [`Capabilities`]. Its rotation is a rotation vector, each part of which is an axis of its
/// own; torques are held in these axes, as a real device holds the torques of its motors.
///
/// Each reading moves it on by one period (the first one does not), exactly; each force acts after
/// the delay. Calling it slower or faster than its rate changes nothing: its time is its own.
#[derive(Debug, Clone)]
pub struct SimulatedDevice {
    capabilities: Capabilities,
    axes: [Option<Axis>; 6],
    encoder: [f64; 6],
    peak: [f64; 6],
    network: Option<NetworkPlant>,
    hand: Hand,
    period: f64,
    delay: f64,
    period_jitter: f64,
    delay_jitter: f64,
    tells_velocity: bool,
    noise: Random,
    /// position and velocity by axis
    x: Vec6,
    v: Vec6,
    time: f64,
    reads: u64,
    /// force at the motors
    acting: Vec6,
    /// forces on their way, by the time at which they act
    waiting: [(f64, Vec6); IN_FLIGHT],
    in_flight: usize,
    work: f64,
    closed: bool,
}

impl SimulatedDevice {
    /// A device at rest in the middle of its workspace, held by `hand`.
    ///
    /// Needs mass and damping; friction, encoder steps and delay are none where not known. A device
    /// that turns needs inertia and rotational damping as well.
    /// # Errors
    /// The first number out of range, with its cure.
    pub fn new(capabilities: Capabilities, hand: Hand) -> Result<Self, SimulatedError> {
        let c = &capabilities;
        let rate = positive("rate [Hz]", c.rate)?;
        let delay = non_negative("delay [s]", c.delay.unwrap_or(0.0))?;
        if delay * rate > (IN_FLIGHT - 2) as f64 {
            let (need, cure) = ("less than 62 periods", "shorten it");
            return Err(SimulatedError { field: "delay [s]", value: delay, need, cure });
        }
        let axes = axes(c, &hand)?;
        let network = network(&axes, &hand)?;
        let (encoder, peak) = (encoder(c)?, peak(c));
        let x = join(&c.workspace.centre(), &Vec3::zeros());
        let mut device = Self {
            axes,
            encoder,
            peak,
            network,
            hand,
            period: 1.0 / rate,
            delay,
            period_jitter: 0.0,
            delay_jitter: 0.0,
            tells_velocity: false,
            noise: Random(1),
            x: Vec6::zeros(),
            v: Vec6::zeros(),
            time: 0.0,
            reads: 0,
            acting: Vec6::zeros(),
            waiting: [(0.0, Vec6::zeros()); IN_FLIGHT],
            in_flight: 0,
            work: 0.0,
            closed: false,
            capabilities,
        };
        device.place(&x, &Vec6::zeros());
        Ok(device)
    }

    /// Lets every period and every delay vary by up to these shares of themselves, evenly, from a
    /// seed. Clamped to [0, 0.9].
    pub fn with_jitter(mut self, period: f64, delay: f64, seed: u64) -> Self {
        self.period_jitter = period.clamp(0.0, 0.9);
        self.delay_jitter = delay.clamp(0.0, 0.9);
        self.noise = Random(seed);
        self
    }

    /// Reports exact velocities; otherwise none.
    pub fn with_velocity(mut self) -> Self {
        self.tells_velocity = true;
        self
    }

    /// Starts at this place [m], [rad] with this velocity.
    pub fn starting_at(mut self, x: impl Into<Vec6>, v: impl Into<Vec6>) -> Self {
        self.place(&x.into(), &v.into());
        self
    }

    fn place(&mut self, x: &Vec6, v: &Vec6) {
        (self.x, self.v) = (*x, *v);
        if let Some(network) = &mut self.network {
            network.place(x[0], v[0]);
        }
    }

    /// Its own time [s].
    pub fn time(&self) -> f64 {
        self.time
    }

    /// True position [m] and rotation vector [rad], without encoder steps.
    pub fn position(&self) -> Vec6 {
        self.x
    }

    /// True velocity.
    pub fn velocity(&self) -> Vec6 {
        self.v
    }

    /// Work that the motors did on handle and hand since the start, exactly [J].
    pub fn work(&self) -> f64 {
        self.work
    }

    /// Kinetic energy of the moving parts, and of a network in hand all of it [J].
    pub fn energy(&self) -> f64 {
        let kinetic = |i: usize| match (&self.axes[i], &self.network) {
            (Some(_), Some(network)) if i == 0 => network.energy(),
            (Some(axis), _) => 0.5 * axis.mass * self.v[i] * self.v[i],
            (None, _) => 0.0,
        };
        (0..6).map(kinetic).sum()
    }

    /// Moves on by one period, changing forces as they arrive.
    fn advance(&mut self) {
        let end = self.time + self.vary(self.period, self.period_jitter);
        while self.in_flight > 0 && self.waiting[0].0 < end {
            let (at, force) = self.waiting[0];
            self.waiting.copy_within(1..self.in_flight, 0);
            self.in_flight -= 1;
            self.glide(at);
            self.acting = force;
        }
        self.glide(end);
    }

    fn vary(&mut self, value: f64, share: f64) -> f64 {
        if share == 0.0 { value } else { value * (1.0 + share * self.noise.signed()) }
    }

    /// Moves on to `end` [s] under the force that acts now.
    fn glide(&mut self, end: f64) {
        let span = end - self.time;
        if !(span > 0.0) {
            return;
        }
        let (from, to) = (self.hand.wants(self.time), self.hand.wants(end));
        let before = self.x;
        for i in 0..6 {
            let Some(axis) = &self.axes[i] else { continue };
            [self.x[i], self.v[i]] = match &mut self.network {
                Some(network) if i == 0 => {
                    // a steady loop meets the same lengths again: take away the rounding of time
                    let nominal = if (span - self.period).abs() < 1e-9 * self.period {
                        self.period
                    } else {
                        span
                    };
                    network.advance(self.acting[0], nominal);
                    network.handle()
                }
                _ => {
                    let (f0, f1) = self.hand.drive(i, &from, &to, span);
                    axis.advance([self.x[i], self.v[i]], [self.acting[i] + f0, f1], span)
                }
            };
        }
        self.work += self.acting.dot(&(self.x - before));
        self.time = end;
    }

    /// What the encoders show.
    fn seen(&self) -> Vec6 {
        Vec6::from_fn(|i, _| {
            let step = self.encoder[i];
            if step > 0.0 { (self.x[i] / step).round() * step } else { self.x[i] }
        })
    }
}

impl Device for SimulatedDevice {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn read(&mut self) -> Result<Sample, DeviceError> {
        if self.closed {
            return Err(DeviceError::Lost("closed".into()));
        }
        if self.reads > 0 {
            self.advance();
        }
        self.reads += 1;
        let seen = self.seen();
        let turn = angular(&seen);
        // ω = J φ', J the left Jacobian
        let spin = so3::exp_secant(&turn) * angular(&self.v);
        Ok(Sample {
            sequence: self.reads,
            time: Duration::try_from_secs_f64(self.time).ok(),
            position: linear(&seen),
            rotation: Rotation::from_scaled_axis(turn),
            velocity: self.tells_velocity.then(|| linear(&self.v)),
            angular_velocity: self.tells_velocity.then_some(spin),
            ..Sample::default()
        })
    }

    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        if self.closed {
            return Err(DeviceError::Lost("closed".into()));
        }
        // torque of the motors: τ·ω = τ·J φ' = (Jᵀτ)·φ'
        let turn = angular(&self.seen());
        let torque = so3::exp_secant(&turn).transpose() * command.torque();
        let wish = join(&command.force(), &torque);
        let force = Vec6::from_fn(|i, _| {
            if self.axes[i].is_some() { wish[i].clamp(-self.peak[i], self.peak[i]) } else { 0.0 }
        });
        let delay = self.vary(self.delay, self.delay_jitter);
        let last = self.in_flight.checked_sub(1).map_or(0.0, |i| self.waiting[i].0);
        let at = (self.time + delay).max(last);
        if delay == 0.0 && self.in_flight == 0 {
            self.acting = force;
        } else if self.in_flight < IN_FLIGHT {
            self.waiting[self.in_flight] = (at, force);
            self.in_flight += 1;
        } else {
            self.waiting[IN_FLIGHT - 1].1 = force;
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), DeviceError> {
        self.acting = Vec6::zeros();
        (self.in_flight, self.closed) = (0, true);
        Ok(())
    }
}

/// Mechanics by axis; axes that neither sense nor drive are locked.
fn axes(c: &Capabilities, hand: &Hand) -> Result<[Option<Axis>; 6], SimulatedError> {
    let mut axes = [None; 6];
    for (i, axis) in axes.iter_mut().enumerate() {
        let there = |a: Axes| if i < 3 { a.translation[i] } else { a.rotation[i - 3] };
        if !there(c.sensed) && !there(c.actuated) {
            continue;
        }
        let (mass, damping, friction) = if i < 3 {
            let mass = positive("mass [kg]", c.mass.unwrap_or(0.0))?;
            let damping = non_negative("damping [N·s/m]", c.damping.unwrap_or(0.0))?;
            (mass, damping, c.coulomb_friction.unwrap_or(0.0))
        } else {
            let inertia = positive("inertia [kg·m²]", c.inertia.unwrap_or(0.0))?;
            let damping = c.rotational_damping.unwrap_or(0.0);
            (inertia, non_negative("rotational_damping [N·m·s/rad]", damping)?, 0.0)
        };
        let [m, b, k] = hand.impedance(i);
        for (field, value) in
            [("hand mass [kg]", m), ("hand damping [N·s/m]", b), ("hand stiffness [N/m]", k)]
        {
            non_negative(field, value)?;
        }
        *axis = Some(Axis {
            mass: mass + m,
            damping: damping + b,
            stiffness: k,
            coulomb_friction: non_negative("coulomb_friction [N]", friction)?,
        });
    }
    Ok(axes)
}

fn network(axes: &[Option<Axis>; 6], hand: &Hand) -> Result<Option<NetworkPlant>, SimulatedError> {
    let (Hand::Network(network), Some(axis)) = (hand, &axes[0]) else { return Ok(None) };
    if axis.coulomb_friction > 0.0 {
        return Err(SimulatedError {
            field: "coulomb_friction [N]",
            value: axis.coulomb_friction,
            need: "0 with a network in hand",
            cure: "the exact solution is linear: leave the friction out, or use an arm",
        });
    }
    Ok(Some(NetworkPlant::new(axis.mass, axis.damping, network)))
}

fn encoder(c: &Capabilities) -> Result<[f64; 6], SimulatedError> {
    let step = non_negative("encoder_step [m]", c.encoder_step.unwrap_or(0.0))?;
    let angular = c.angular_encoder_step.unwrap_or(0.0);
    let angular = non_negative("angular_encoder_step [rad]", angular)?;
    Ok(std::array::from_fn(|i| if i < 3 { step } else { angular }))
}

/// Largest force by axis; none of an axis that is not driven.
fn peak(c: &Capabilities) -> [f64; 6] {
    std::array::from_fn(|i| match i {
        0..3 if c.actuated.translation[i] => c.force.peak.max(0.0),
        3.. if c.actuated.rotation[i - 3] => c.torque.peak.max(0.0),
        _ => 0.0,
    })
}

fn positive(field: &'static str, value: f64) -> Result<f64, SimulatedError> {
    let (need, cure) = ("positive and finite", "give it in SI units");
    let sound = value > 0.0 && value.is_finite();
    if sound { Ok(value) } else { Err(SimulatedError { field, value, need, cure }) }
}

fn non_negative(field: &'static str, value: f64) -> Result<f64, SimulatedError> {
    let (need, cure) = ("0 or more, and finite", "use 0 for none");
    let sound = value >= 0.0 && value.is_finite();
    if sound { Ok(value) } else { Err(SimulatedError { field, value, need, cure }) }
}
