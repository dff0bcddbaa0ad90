//! The stage itself: a wish goes in, a command comes out.

use std::time::Duration;

use super::channel::Channel;
use super::command::{Command, Wrench};
use super::limits::{Limits, LimitsError};
use super::machine::{Fault, Machine, Signal, State, Times};
use super::witness::Witness;
use crate::device::{DeviceEvent, Sample};
use palpable::Vec3;

/// What the world, or whoever renders, would like the hand to feel.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wish {
    /// Force and torque on the hand, device axes.
    pub wrench: Wrench,
    /// Age of the world's answer that it was computed from.
    pub age: Duration,
}

impl Wish {
    /// A wish computed just now.
    pub fn fresh(wrench: Wrench) -> Self {
        Self { wrench, age: Duration::ZERO }
    }
}

/// The stage cannot be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cannot start again: the device went away; open it again")]
pub struct StartError;

/// The last stage before a device.
///
/// ```
/// use std::time::Duration;
/// use palpable_haptics::{Axes, Capabilities, ForceLimit, Limits, Safety, Sample, Wish, Wrench};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut device = Capabilities::new("a device", Axes::THREE, 1000.0);
/// device.force = ForceLimit::new(10.0, 3.0);
/// let mut safety = Safety::new(Limits::for_device(&device))?;
/// safety.start()?;
/// let much = Wish::fresh(Wrench::force([50.0, 0.0, 0.0]));
/// for tick in 1..=2000 {
///     let sample = Sample::at(tick, [0.0; 3]);
///     let command = safety.step(Duration::from_millis(tick), &sample, &much);
///     assert!(command.force().norm() <= 10.0);
/// }
/// # Ok(())
/// # }
/// ```
/// # Cost
/// O(1), no allocation, no lock.
#[derive(Debug, Clone, PartialEq)]
pub struct Safety {
    limits: Limits,
    machine: Machine,
    force: Channel,
    torque: Channel,
    gripper: Channel,
    last: Option<Duration>,
    witness: Witness,
    /// the device told something new at this tick
    fresh: bool,
    emergency: bool,
    event: Option<Fault>,
    /// a brake or a link that came back
    back: Option<Fault>,
    /// share of the peak from which the ramps of force, torque and gripper start
    ramp_from: [f64; 3],
}

impl Safety {
    /// A stage that is off.
    /// # Errors
    /// The first limit out of range, with its cure.
    pub fn new(limits: Limits) -> Result<Self, LimitsError> {
        limits.check()?;
        let channel = |limit, slew| Channel::new(limit, slew, limits.thermal_time);
        let times = Times {
            ramp: limits.ramp,
            damp: limits.damp,
            fade: limits.fade,
            settle: limits.settle,
        };
        Ok(Self {
            machine: Machine::new(times),
            force: channel(limits.force, limits.force_slew),
            torque: channel(limits.torque, limits.torque_slew),
            gripper: channel(limits.gripper, limits.gripper_slew),
            limits,
            last: None,
            witness: Witness::default(),
            fresh: true,
            emergency: false,
            event: None,
            back: None,
            ramp_from: [0.0; 3],
        })
    }

    /// What it allows.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The state, the fault and their counts.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Velocity of the handle as the device or a difference tells it [m/s].
    pub fn velocity(&self) -> Vec3 {
        self.witness.velocity()
    }

    /// Heat of the motors relative to what they bear for ever.
    pub fn load(&self) -> f64 {
        self.force.load().max(self.torque.load()).max(self.gripper.load())
    }

    /// Lets forces through, from nothing upwards. After a fault that stays, this starts again.
    /// # Errors
    /// The device was lost.
    pub fn start(&mut self) -> Result<(), StartError> {
        self.emergency = false;
        self.ramp_from = [0.0; 3];
        if self.machine.start() { Ok(()) } else { Err(StartError) }
    }

    /// Asks for the end: the force fades, then the motors go off.
    pub fn stop(&mut self) {
        let before = self.machine.state();
        self.machine.stop();
        self.keep_if_moved(before);
    }

    /// Cuts the force at the next step; start again to leave.
    pub fn emergency_stop(&mut self) {
        self.emergency = true;
    }

    /// The device could not be read or written for good.
    pub fn device_lost(&mut self) {
        self.event = Some(Fault::DeviceLost);
    }

    /// Something that the device told.
    pub fn device_event(&mut self, event: DeviceEvent) {
        match event {
            DeviceEvent::BrakeOn => self.away(Fault::DeviceBrake),
            DeviceEvent::LinkDown => self.away(Fault::LinkDown),
            DeviceEvent::BrakeOff => self.back = Some(Fault::DeviceBrake),
            DeviceEvent::LinkUp => self.back = Some(Fault::LinkDown),
            DeviceEvent::StabilityCeiling | DeviceEvent::Stalled => {
                self.event = self.event.or(Some(Fault::DeviceLimit));
            }
            DeviceEvent::Disconnected => self.event = Some(Fault::DeviceLost),
            DeviceEvent::RateAnomaly => {}
        }
    }

    fn away(&mut self, fault: Fault) {
        self.back = self.back.filter(|back| *back != fault);
        // a lost device is worse than a brake, a brake worse than a link that is down
        match self.event {
            Some(Fault::DeviceLost) => {}
            Some(Fault::DeviceBrake) if fault == Fault::LinkDown => {}
            _ => self.event = Some(fault),
        }
    }

    /// One tick at time `now` of a steady clock: the command to send, given what the device shows
    /// and what the world wishes. A reading with the sequence of the last one is not new: whatever
    /// is wished, no force grows on it, from the first reading that is missing.
    pub fn step(&mut self, now: Duration, sample: &Sample, wish: &Wish) -> Command {
        let (dt, clock) = self.time(now);
        let jumped = clock == Some(Fault::ClockJump);
        self.fresh = self.witness.is_new(sample);
        let told = self.witness.hear(dt, sample, &self.limits, jumped);
        for channel in [&mut self.force, &mut self.torque, &mut self.gripper] {
            channel.was_held(dt);
        }
        let signal = self.judge(clock, told, wish);
        let before = self.machine.state();
        self.machine.advance(dt, signal);
        // after the trip: what went and came back within a tick has still taken the force away
        if let Some(back) = self.back.take() {
            self.machine.release(back);
        }
        self.keep_if_moved(before);
        self.command(wish)
    }

    /// Time since the last tick [s], and what is wrong with it.
    fn time(&mut self, now: Duration) -> (f64, Option<Fault>) {
        let last = self.last.replace(now);
        let Some(last) = last else { return (self.limits.period, None) };
        let Some(passed) = now.checked_sub(last) else {
            return (self.limits.period, Some(Fault::ClockJump));
        };
        let passed = passed.as_secs_f64();
        if passed > self.limits.jump_after {
            (self.limits.period, Some(Fault::ClockJump))
        } else if passed > self.limits.late_after {
            (passed, Some(Fault::LateLoop))
        } else {
            (passed, None)
        }
    }

    /// The worst of what is wrong at this tick.
    fn judge(&mut self, clock: Option<Fault>, told: Option<Fault>, wish: &Wish) -> Signal {
        let event = self.event.take();
        let found = match () {
            () if event == Some(Fault::DeviceLost) => event,
            () if self.emergency => Some(Fault::EmergencyStop),
            () if event.is_some_and(Fault::is_cut) => event,
            () if told == Some(Fault::BadSample) => told,
            () if !wish.wrench.is_finite() => Some(Fault::NotFinite),
            () if told.is_some() => told,
            () if clock.is_some() => clock,
            () if event.is_some() => event,
            () if wish.age.as_secs_f64() > self.limits.stale_after => Some(Fault::WorldStalled),
            () => None,
        };
        found.map_or(Signal::Clear, Signal::Fault)
    }

    /// On entering a fade or damping, what goes out now is where it starts.
    fn keep_if_moved(&mut self, before: State) {
        let state = self.machine.state();
        if state == before {
            return;
        }
        match state {
            State::Damping | State::Fading => {
                for channel in [&mut self.force, &mut self.torque, &mut self.gripper] {
                    channel.keep();
                }
            }
            State::Ramping => self.ramp_from = self.channels().map(Channel::share),
            _ => {}
        }
    }

    fn command(&mut self, wish: &Wish) -> Command {
        let (state, t) = (self.machine.state(), self.machine.elapsed());
        match state {
            State::Off | State::Stopped => {
                self.cut();
                Command::zero()
            }
            State::Waiting => {
                self.cut();
                Command::passed(Wrench::ZERO)
            }
            State::Ramping => {
                let shares = self.ramp_from.map(|from| (from + t / self.limits.ramp).min(1.0));
                let target = self.with_gravity(&wish.wrench);
                self.limited(&target, shares)
            }
            State::Active => {
                let target = self.with_gravity(&wish.wrench);
                self.limited(&target, [1.0; 3])
            }
            State::Damping => {
                let target = self.damped((1.0 - t / self.limits.damp).max(0.0));
                self.limited(&target, [1.0; 3])
            }
            State::Fading => {
                let left = (1.0 - t / self.limits.fade).max(0.0);
                let shares = self.channels().map(Channel::held_share);
                self.limited(&self.damped(1.0), shares.map(|share| share * left))
            }
        }
    }

    fn channels(&self) -> [&Channel; 3] {
        [&self.force, &self.torque, &self.gripper]
    }

    fn with_gravity(&self, wrench: &Wrench) -> Wrench {
        // a wish that is not finite never gets here: the machine is fading by then
        Wrench { force: wrench.force + self.limits.gravity_compensation, ..*wrench }
    }

    /// What went out at the start of a fade, times `part`, and damping.
    fn damped(&self, part: f64) -> Wrench {
        let limits = &self.limits;
        Wrench {
            force: self.force.held() * part - self.witness.velocity() * limits.damping,
            torque: self.torque.held() * part
                - self.witness.angular_velocity() * limits.rotational_damping,
            gripper: self.gripper.held().x * part,
        }
    }

    fn limited(&mut self, wish: &Wrench, shares: [f64; 3]) -> Command {
        let (axes, h, fresh) = (self.limits.axes, self.limits.period, self.fresh);
        let force = driven(&wish.force, axes.translation);
        let torque = driven(&wish.torque, axes.rotation);
        let gripper = Vec3::new(wish.gripper, 0.0, 0.0);
        Command::passed(Wrench {
            force: self.force.advance(&force, shares[0], h, fresh),
            torque: self.torque.advance(&torque, shares[1], h, fresh),
            gripper: self.gripper.advance(&gripper, shares[2], h, fresh).x,
        })
    }

    fn cut(&mut self) {
        for channel in [&mut self.force, &mut self.torque, &mut self.gripper] {
            channel.cut();
        }
    }
}

/// The components along axes that are driven.
fn driven(v: &Vec3, axes: [bool; 3]) -> Vec3 {
    Vec3::from_fn(|i, _| if axes[i] { v[i] } else { 0.0 })
}
