//! The virtual coupling: a spring between a device sample and the world, solved with the world.

use super::account::CouplingAccount;
use super::error::{CouplingError, InputFault, non_negative, positive};
use super::handle::{Freedom, Handle, Pair};
use crate::ledger::{Tank, TankPolicy};
use crate::math::{Vec3, Vec6, join};
use crate::port::{PortInput, PortOutput};

/// What a virtual coupling is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CouplingSettings {
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Rotational stiffness [N·m/rad]; 0 unless poses are coupled.
    pub turning_stiffness: f64,
    /// Period of the loop [s].
    pub period: f64,
    /// Share of the step's motion that is sent to the device: 1, the default, sends the end of the
    /// step; 0 is the published coupling.
    pub gamma: f64,
    /// Damping `B_r` of the virtual side [N·s/m]; `KT/2` unless given.
    pub damping: Option<f64>,
    /// Rotational damping of the virtual side [N·m·s/rad]; likewise.
    pub turning_damping: Option<f64>,
    /// Sampled damper on the device's side [N·s/m]; it asks as much of the device. 0 by default.
    pub device_side_damping: f64,
    /// What is coupled.
    pub freedom: Freedom,
    /// Shortens moves that nobody can pay; none by default.
    pub guard: Option<Guard>,
}

/// What pays for moves of the reference, if somebody must.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guard {
    /// Viscous damping of the device [N·s/m] that can be counted on.
    pub device_damping: f64,
    /// Rotational damping of the device [N·m·s/rad].
    pub turning_damping: f64,
    /// Energy granted at the start [J].
    pub grant: f64,
    /// Largest reserve [J]; what is earned beyond is dropped.
    pub ceiling: f64,
}

impl Default for Guard {
    fn default() -> Self {
        Self { device_damping: 0.0, turning_damping: 0.0, grant: 0.0, ceiling: 0.01 }
    }
}

impl CouplingSettings {
    /// Positions, γ = 1, `B_r = KT/2`: no drag in free motion, and a light proxy is dead-beat.
    pub fn point(stiffness: f64, period: f64) -> Self {
        Self {
            stiffness,
            turning_stiffness: 0.0,
            period,
            gamma: 1.0,
            damping: None,
            turning_damping: None,
            device_side_damping: 0.0,
            freedom: Freedom::Point,
            guard: None,
        }
    }

    /// Poses: `turning` is the rotational stiffness [N·m/rad].
    pub fn pose(stiffness: f64, turning: f64, period: f64) -> Self {
        let point = Self::point(stiffness, period);
        Self { turning_stiffness: turning, freedom: Freedom::Pose, ..point }
    }

    /// One direction; it need not have length one.
    pub fn line(stiffness: f64, direction: impl Into<Vec3>, period: f64) -> Self {
        Self { freedom: Freedom::Line(direction.into()), ..Self::point(stiffness, period) }
    }
}

/// What the hand feels until the next sample.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Felt {
    /// Force on the hand, world axes [N].
    pub force: Vec3,
    /// Torque on the hand, world axes [N·m].
    pub torque: Vec3,
    /// Why the force is zero, if an input was bad.
    pub fault: Option<InputFault>,
}

impl Felt {
    pub(super) fn nothing(fault: InputFault) -> Self {
        Self { fault: Some(fault), ..Self::default() }
    }
}

/// A spring `K` between device sample `y` and proxy `x`, the port of a world.
///
/// # Equation
/// ```text
/// world   K (y_k − x̂) − B_r v̂            stamped into the step by the reference port
/// device  F_k = −K (y_k − x_k − γ (x_{k+1} − x_k)) − b1 (y_k − y_{k−1})/T       held
/// ```
/// # Symbols
/// `T` period [s]; `x_k`, `x_{k+1}` proxy at the start and end of the step; `b1` the sampled
/// damper of the device's side.
/// # Guarantee
/// Passive for any operator and any passive world if the device has the damping
/// `b >= KT/2 + ((1−γ)KT/2)²/B_r + b1`, see [`VirtualCoupling::required_damping`]. Steady free
/// motion at V feels `−(B_r + (½ − γ)KT)V`, nothing with the defaults. With a [`Guard`] moves of
/// the reference are shortened to what hand and damping paid, so that also lost samples, jumps and
/// drifting offsets create nothing.
/// # Differs from the source
/// [Kim2017, sec. 5.2] sends `x_k` (γ = 0).
/// # Cost
/// O(1), no allocation.
#[derive(Debug, Clone, PartialEq)]
pub struct VirtualCoupling {
    settings: CouplingSettings,
    springs: Pair,
    dampers: Pair,
    tank: Tank,
    debt: f64,
    account: CouplingAccount,
    /// last device sample, reference, proxy
    hand: Option<Handle>,
    reference: Option<Handle>,
    proxy: Option<Handle>,
    moved: (Vec3, Vec3),
    held: (Vec3, Vec3),
    stored: f64,
    /// how long the force was held [s]
    waited: f64,
    fault: Option<InputFault>,
}

impl VirtualCoupling {
    /// Builds the coupling.
    ///
    /// # Errors
    /// A number out of range, named with its cure.
    pub fn new(settings: CouplingSettings) -> Result<Self, CouplingError> {
        let mut settings = settings;
        let springs = Pair::stiffness(settings.stiffness, settings.turning_stiffness)?;
        let h = positive("period [s]", settings.period, "1 ms is usual")?;
        let (gamma, cure) = (settings.gamma, "use 1, or 0 for the published coupling");
        if !(0.0..=1.0).contains(&gamma) {
            let (field, need) = ("gamma", "between 0 and 1");
            return Err(CouplingError { field, value: gamma, need, cure });
        }
        let dampers = Pair::damping(
            settings.damping.unwrap_or(0.5 * springs.linear * h),
            settings.turning_damping.unwrap_or(0.5 * springs.angular * h),
        )?;
        non_negative("device-side damping [N·s/m]", settings.device_side_damping, "use 0")?;
        if let Freedom::Line(axis) = settings.freedom {
            let length = positive("length of the direction", axis.norm(), "use e.g. [1, 0, 0]")?;
            settings.freedom = Freedom::Line(axis / length);
        }
        let guard = settings.guard.unwrap_or_default();
        Pair::damping(guard.device_damping, guard.turning_damping)?;
        let policy = TankPolicy { cap: guard.ceiling, grant: guard.grant, ..Default::default() };
        Ok(Self {
            settings,
            springs,
            dampers,
            tank: Tank::new(policy),
            debt: 0.0,
            account: CouplingAccount::default(),
            hand: None,
            reference: None,
            proxy: None,
            moved: Default::default(),
            held: Default::default(),
            stored: 0.0,
            waited: 0.0,
            fault: None,
        })
    }

    /// Stiffness for the reference port, offsets first.
    pub fn stiffness(&self) -> Vec6 {
        let both = |p: f64| Vec3::repeat(p);
        join(&both(self.springs.linear), &both(self.springs.angular))
    }

    /// Damping `B_r` for the reference port, offsets first.
    pub fn damping(&self) -> Vec6 {
        join(&Vec3::repeat(self.dampers.linear), &Vec3::repeat(self.dampers.angular))
    }

    /// What it was built from.
    pub fn settings(&self) -> &CouplingSettings {
        &self.settings
    }

    /// Damping that the device must have along every direction [N·s/m]; infinite for γ < 1
    /// without damping of the virtual side.
    pub fn required_damping(&self) -> f64 {
        let half = 0.5 * self.springs.linear * self.settings.period;
        self.price(half, self.dampers.linear) + self.settings.device_side_damping
    }

    /// Rotational damping that the device must have [N·m·s/rad].
    pub fn required_turning_damping(&self) -> f64 {
        self.price(0.5 * self.springs.angular * self.settings.period, self.dampers.angular)
    }

    /// `half + ((1 − γ) half)²/B_r`.
    fn price(&self, half: f64, damping: f64) -> f64 {
        let cross = (1.0 - self.settings.gamma) * half;
        if cross == 0.0 { half } else { half + cross * cross / damping }
    }

    /// The energy account.
    pub fn account(&self) -> &CouplingAccount {
        &self.account
    }

    /// Energy in the guard's reserve [J].
    pub fn reserve(&self) -> f64 {
        self.tank.content()
    }

    /// Energy that the hand got and nobody has paid yet [J]; only with less damping than declared.
    pub fn debt(&self) -> f64 {
        self.debt
    }

    /// Where the reference is now, once there was a sample.
    pub fn reference(&self) -> Option<Handle> {
        self.reference
    }

    /// Before the step: takes a device sample, gives the input of the reference port.
    pub fn sample(&mut self, hand: &Handle) -> PortInput {
        self.sample_with_drift(hand, &Vec3::zeros())
    }

    /// The same for a hand whose coordinates were moved by `drift` [m] since the last sample: that
    /// part of the way was not the hand's, and its work must be paid by the guard's reserve.
    pub fn sample_with_drift(&mut self, hand: &Handle, drift: &Vec3) -> PortInput {
        let finite = hand.is_finite() && drift.iter().all(|a| a.is_finite());
        self.fault = (!finite).then_some(InputFault::Sample);
        if !finite {
            self.lose_hand();
            // what the hand may have taken comes out of the spring
            let here = self.reference.filter(|_| self.settings.guard.is_some() && self.debt > 0.0);
            return here.map_or(PortInput::Idle, |here| self.move_to(&here));
        }
        let freedom = self.settings.freedom;
        let (offset, turn) = self.hand.map_or_else(Default::default, |last| hand.from(&last));
        self.moved = freedom.admit((offset - drift, turn));
        self.hand = Some(*hand);
        self.settle_with_hand();
        let from = self.reference.or(self.proxy).unwrap_or(*hand);
        let wanted = freedom.follow(&from, hand);
        self.move_to(&wanted)
    }

    /// Moves the reference to `wanted`, with a guard as near to it as can be paid.
    fn move_to(&mut self, wanted: &Handle) -> PortInput {
        let reference = match (self.settings.guard, self.proxy) {
            (Some(_), Some(proxy)) => {
                let allowed = self.stored + self.tank.content() - self.debt;
                self.springs.within(&proxy, wanted, allowed)
            }
            // what a first move would cost is not known yet
            (Some(_), None) => return PortInput::Idle,
            (None, _) => *wanted,
        };
        self.reference = Some(reference);
        PortInput::Reference { position: reference.position, rotation: reference.rotation }
    }

    /// The hand went where nobody saw: assume that it took the most it could.
    fn lose_hand(&mut self) {
        let (device, waited) = (self.device(), std::mem::take(&mut self.waited));
        let taken = device.most_given(&self.held.0, &self.held.1, waited);
        // without damping to count on, all of the reserve
        self.earn(-if taken.is_finite() { taken } else { self.tank.content() });
        (self.held, self.moved, self.hand) = Default::default();
    }

    /// Damping of the device that can be counted on.
    fn device(&self) -> Pair {
        let guard = self.settings.guard.unwrap_or_default();
        Pair { linear: guard.device_damping, angular: guard.turning_damping }
    }

    /// Books what the held force did to the hand, and what the device's damping took.
    fn settle_with_hand(&mut self) {
        let work = self.held.0.dot(&self.moved.0) + self.held.1.dot(&self.moved.1);
        let waited = std::mem::take(&mut self.waited);
        let square = self.device().square(&self.moved.0, &self.moved.1);
        let damped = if waited > 0.0 { square / waited } else { 0.0 };
        self.account.to_hand += work;
        self.account.damped += damped;
        self.account.mark();
        self.earn(damped - work);
    }

    /// Fills or empties the reserve; what it cannot pay becomes a debt.
    fn earn(&mut self, amount: f64) {
        let amount = amount - self.debt;
        self.debt = 0.0;
        if amount >= 0.0 {
            self.tank.grant(amount);
        } else {
            self.debt = -amount - self.tank.pay(-amount);
        }
    }

    /// After the step of length `h` [s]: takes the port's output, gives what the hand feels.
    pub fn force(&mut self, port: &PortOutput, h: f64) -> Felt {
        let felt = self.compute(port, h);
        self.held = (felt.force, felt.torque);
        felt
    }

    /// Hand feels nothing although the coupling pulls: a released clutch, free motion.
    pub(super) fn let_go(&mut self) -> Felt {
        self.held = Default::default();
        Felt { fault: self.fault, ..Felt::default() }
    }

    fn compute(&mut self, port: &PortOutput, h: f64) -> Felt {
        if !(h > 0.0 && h.is_finite()) {
            // how long the force was held is unknown
            self.waited = f64::INFINITY;
            self.lose_hand();
            return Felt::nothing(InputFault::Period);
        }
        self.waited += h;
        let numbers = [port.force, port.torque, port.velocity, port.angular_velocity];
        let finite = numbers.iter().flatten().all(|a| a.is_finite()) && port.work.is_finite();
        let proxy = Handle::of(port);
        if !finite || !proxy.is_finite() {
            return Felt::nothing(InputFault::World);
        }
        self.settle_with_world(port, h);
        let before = self.proxy.replace(proxy);
        if let Some(fault) = self.fault {
            return Felt::nothing(fault);
        }
        let (mut force, mut torque) = (port.force, port.torque);
        let late = 1.0 - self.settings.gamma;
        if let (Some(start), Some(reference), true) = (before, self.reference, late > 0.0) {
            // F = F_end − (1 − γ)(F_end − F_start), F_start = K (x_k − y_k)
            let (d, turn) = start.from(&reference);
            force += (d * self.springs.linear - force) * late;
            torque += (turn * self.springs.angular - torque) * late;
        }
        force -= self.moved.0 * (self.settings.device_side_damping / h);
        let (force, torque) = self.settings.freedom.admit((force, torque));
        Felt { force, torque, fault: None }
    }

    /// Books the price of moving the reference, and what the port's damper took.
    fn settle_with_world(&mut self, port: &PortOutput, h: f64) {
        self.account.to_world += port.work;
        self.account.mark();
        self.stored = self.springs.energy_of(&port.force, &port.torque);
        let loss = self.dampers.square(&port.velocity, &port.angular_velocity) * h;
        self.earn(loss - port.work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Rotation, so3};

    #[test]
    fn a_ball_of_energy_ends_moves_at_its_edge() {
        let springs = Pair { linear: 100.0, angular: 2.0 };
        let end = Handle::at([0.1, 0.0, 0.0]);
        let turn = Rotation::from_scaled_axis(Vec3::new(0.0, 0.5, 0.0));
        let wanted = Handle { position: Vec3::new(0.2, 0.3, 0.0), rotation: turn };
        for allowed in [0.0, 1e-6, 1e-3, 1.0] {
            let used = springs.within(&end, &wanted, allowed);
            // rounding of squares of numbers near one
            assert!((springs.energy(&used, &end) - allowed).abs() < 1e-14 * (1.0 + allowed));
        }
        assert_eq!(springs.within(&end, &wanted, 1e3), wanted);
        assert_eq!(so3::log(&springs.within(&end, &wanted, -1.0).rotation).norm(), 0.0);
    }
}
