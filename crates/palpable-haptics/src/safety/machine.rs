//! The states of the safety stage and what moves between them.

/// What the safety stage is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// No force, motors off: before the start and after a stop.
    Off,
    /// The ceiling rises.
    Ramping,
    /// Forces pass, within the limits.
    Active,
    /// The world is stale: its last force decays, damping takes over.
    Damping,
    /// Whatever goes out fades to zero.
    Fading,
    /// No force; a fault that can pass has to stay away for a while.
    Waiting,
    /// No force, motors off, until started again.
    Stopped,
}

/// Why forces were taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// The world gave no answer in time.
    WorldStalled,
    /// The world asked for a force that is not a finite number.
    NotFinite,
    /// The loop came too late.
    LateLoop,
    /// The clock went back, or forward by more than the machine can have waited.
    ClockJump,
    /// The handle moves faster than allowed.
    TooFast,
    /// The device reported something that is not a finite number.
    BadSample,
    /// The device went away.
    DeviceLost,
    /// The device's own brake or stop button.
    DeviceBrake,
    /// The device limits forces or stalled.
    DeviceLimit,
    /// The way to the device broke; its driver tries to get it back.
    LinkDown,
    /// Somebody pressed the emergency stop.
    EmergencyStop,
    /// The device reported a position far outside its workspace.
    OutOfReach,
    /// The device's readings contradict each other.
    Contradiction,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Fault; 13] = [
        Fault::WorldStalled,
        Fault::NotFinite,
        Fault::LateLoop,
        Fault::ClockJump,
        Fault::TooFast,
        Fault::BadSample,
        Fault::DeviceLost,
        Fault::DeviceBrake,
        Fault::DeviceLimit,
        Fault::LinkDown,
        Fault::EmergencyStop,
        Fault::OutOfReach,
        Fault::Contradiction,
    ];

    /// True if forces come back only when somebody starts the stage again.
    pub fn is_latched(self) -> bool {
        matches!(
            self,
            Fault::NotFinite
                | Fault::TooFast
                | Fault::BadSample
                | Fault::DeviceLost
                | Fault::EmergencyStop
                | Fault::OutOfReach
                | Fault::Contradiction
        )
    }

    /// True if the force is cut at once instead of faded.
    pub fn is_cut(self) -> bool {
        matches!(self, Fault::DeviceLost | Fault::EmergencyStop) || self.is_released()
    }

    /// True if it ends when the device says so.
    fn is_released(self) -> bool {
        matches!(self, Fault::DeviceBrake | Fault::LinkDown)
    }

    /// What happened and what to do, in words.
    pub fn text(self) -> &'static str {
        match self {
            Fault::WorldStalled => {
                "the world gave no answer in time; lighten the scene, or allow a longer stale_after"
            }
            Fault::NotFinite => {
                "the world asked for a force that is not a finite number; look at its last steps \
                 in the recording"
            }
            Fault::LateLoop => {
                "the servo loop came too late; stop other programs, or allow real-time priority"
            }
            Fault::ClockJump => "the clock jumped or the machine slept",
            Fault::TooFast => "the handle moved faster than allowed; hold it and start again",
            Fault::BadSample => "the device reported something that is not a finite number",
            Fault::DeviceLost => "the device went away; check its cable, power and service",
            Fault::DeviceBrake => "the device's own brake or stop button is on; release it",
            Fault::DeviceLimit => "the device limits its forces; lower the stiffness",
            Fault::LinkDown => {
                "the connection to the device broke, or the loop hung; check its cable and its \
                 service, which may be restarted"
            }
            Fault::EmergencyStop => "emergency stop",
            Fault::OutOfReach => {
                "the device reported a position far outside its workspace; calibrate it, or \
                 restart it and its service"
            }
            Fault::Contradiction => {
                "the device's readings contradict each other: out of order, from the future, or \
                 moving without moving; restart it and its service"
            }
        }
    }

    pub(super) fn index(self) -> usize {
        Self::ALL.iter().position(|f| *f == self).unwrap_or(0)
    }
}

/// What the machine is told at one tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Nothing wrong.
    Clear,
    /// Something is.
    Fault(Fault),
}

/// Times that the machine needs [s].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Times {
    pub ramp: f64,
    pub damp: f64,
    pub fade: f64,
    pub settle: f64,
}

/// The state machine: pure logic, no clock, no force.
///
/// ```text
/// Off ── start ──► Ramping ── ramp over ──► Active
/// Ramping, Active ── world stalled ──► Damping ── answer ──► Ramping
/// Damping ── damp over ──► Fading ── fade over ──► Waiting ── clear for settle ──► Ramping
/// Ramping, Active, Damping ── other fault ──► Fading (latched: then Stopped)
/// Ramping, Active, Damping ── stop ──► Fading ──► Off
/// any but Off, Stopped ── lost, brake, link down, emergency ──► Stopped at once
/// Stopped by a brake or a link ── brake released, link up ──► Waiting
/// Stopped ── start ──► Ramping (never after a lost device)
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    state: State,
    elapsed: f64,
    fault: Option<Fault>,
    stopping: bool,
    times: Times,
    counts: [u64; Fault::ALL.len()],
}

impl Machine {
    pub(super) fn new(times: Times) -> Self {
        Self {
            state: State::Off,
            elapsed: 0.0,
            fault: None,
            stopping: false,
            times,
            counts: [0; Fault::ALL.len()],
        }
    }

    /// The state.
    pub fn state(&self) -> State {
        self.state
    }

    /// Time in this state [s].
    pub fn elapsed(&self) -> f64 {
        self.elapsed
    }

    /// Why the force is away, or was last.
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// How often a fault took the force away.
    pub fn count(&self, fault: Fault) -> u64 {
        self.counts[fault.index()]
    }

    /// True if forces may go out.
    pub fn is_running(&self) -> bool {
        !matches!(self.state, State::Off | State::Stopped)
    }

    /// Starts, from [`State::Off`] or [`State::Stopped`]; false after a lost device.
    pub(super) fn start(&mut self) -> bool {
        match self.state {
            State::Stopped if self.fault == Some(Fault::DeviceLost) => false,
            State::Off | State::Stopped => {
                (self.fault, self.stopping) = (None, false);
                self.enter(State::Ramping);
                true
            }
            _ => true,
        }
    }

    /// Asks for the end: fade, then off.
    pub(super) fn stop(&mut self) {
        self.stopping = true;
        match self.state {
            State::Off | State::Stopped | State::Fading => {}
            State::Waiting => self.enter(State::Off),
            _ => self.enter(State::Fading),
        }
    }

    /// The device's brake was released, or the way to it is there again.
    pub(super) fn release(&mut self, fault: Fault) {
        if self.state == State::Stopped && self.fault == Some(fault) {
            self.enter(if self.stopping { State::Off } else { State::Waiting });
        }
    }

    /// One tick of `dt` [s].
    pub(super) fn advance(&mut self, dt: f64, signal: Signal) {
        self.elapsed += dt;
        match signal {
            Signal::Clear => self.clear(),
            Signal::Fault(fault) => self.trip(fault),
        }
    }

    fn clear(&mut self) {
        match self.state {
            State::Ramping if self.elapsed >= self.times.ramp => self.enter(State::Active),
            State::Damping => self.enter(State::Ramping),
            State::Fading => self.fade(),
            State::Waiting if self.elapsed >= self.times.settle => self.enter(State::Ramping),
            _ => {}
        }
    }

    fn trip(&mut self, fault: Fault) {
        if !self.is_running() {
            // a lost device stays lost, whatever stopped us first
            let lost = fault == Fault::DeviceLost && self.fault != Some(fault);
            // a brake that goes on while the link is down outlasts it
            let braked = fault == Fault::DeviceBrake && self.fault == Some(Fault::LinkDown);
            if lost || (braked && self.state == State::Stopped) {
                self.note(fault);
                self.enter(State::Stopped);
            }
            return;
        }
        if fault.is_cut() {
            self.note(fault);
            self.enter(State::Stopped);
            return;
        }
        match self.state {
            State::Ramping | State::Active => {
                self.note(fault);
                let stale = fault == Fault::WorldStalled;
                self.enter(if stale { State::Damping } else { State::Fading });
            }
            State::Damping if fault != Fault::WorldStalled => {
                self.note(fault);
                self.enter(State::Fading);
            }
            State::Damping if self.elapsed >= self.times.damp => self.enter(State::Fading),
            State::Fading => {
                self.worsen(fault);
                self.fade();
            }
            State::Waiting if fault.is_latched() => {
                self.note(fault);
                self.enter(State::Stopped);
            }
            State::Waiting => self.elapsed = 0.0,
            _ => {}
        }
    }

    /// The end of a fade.
    fn fade(&mut self) {
        if self.elapsed < self.times.fade {
            return;
        }
        self.enter(match self.fault {
            Some(fault) if fault.is_latched() => State::Stopped,
            _ if self.stopping => State::Off,
            _ => State::Waiting,
        });
    }

    /// A latched fault during a fade replaces one that would pass.
    fn worsen(&mut self, fault: Fault) {
        if fault.is_latched() && !self.fault.is_some_and(Fault::is_latched) {
            self.note(fault);
        }
    }

    fn note(&mut self, fault: Fault) {
        self.fault = Some(fault);
        self.counts[fault.index()] += 1;
    }

    fn enter(&mut self, state: State) {
        self.state = state;
        self.elapsed = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use State::{Active, Damping, Fading, Off, Ramping, Stopped, Waiting};

    const TIMES: Times = Times { ramp: 3.0, damp: 3.0, fade: 3.0, settle: 3.0 };
    const STATES: [State; 7] = [Off, Ramping, Active, Damping, Fading, Waiting, Stopped];
    const PASSING: Fault = Fault::LateLoop;

    fn machine(state: State, fault: Option<Fault>) -> Machine {
        Machine { state, fault, ..Machine::new(TIMES) }
    }

    /// One short tick, and one that is longer than every time of the machine.
    fn both(state: State, signal: Signal) -> [State; 2] {
        [1.0, 4.0].map(|dt| {
            let mut m = machine(state, (state == Fading).then_some(PASSING));
            m.advance(dt, signal);
            m.state()
        })
    }

    #[test]
    fn every_state_meets_every_signal_early_and_late() {
        // columns: nothing wrong; world stalled; a fault that passes; one that stays
        let table = [
            (Off, [[Off; 2]; 4]),
            (Ramping, [[Ramping, Active], [Damping; 2], [Fading; 2], [Fading; 2]]),
            (Active, [[Active; 2], [Damping; 2], [Fading; 2], [Fading; 2]]),
            (Damping, [[Ramping; 2], [Damping, Fading], [Fading; 2], [Fading; 2]]),
            (Fading, [[Fading, Waiting], [Fading, Waiting], [Fading, Waiting], [Fading, Stopped]]),
            (Waiting, [[Waiting, Ramping], [Waiting; 2], [Waiting; 2], [Stopped; 2]]),
            (Stopped, [[Stopped; 2]; 4]),
        ];
        for (state, row) in table {
            assert_eq!(both(state, Signal::Clear), row[0], "{state:?} and nothing wrong");
            for fault in Fault::ALL.into_iter().filter(|f| !f.is_cut()) {
                let column = match fault {
                    Fault::WorldStalled => 1,
                    f if f.is_latched() => 3,
                    _ => 2,
                };
                assert_eq!(both(state, Signal::Fault(fault)), row[column], "{state:?}, {fault:?}");
            }
            for fault in Fault::ALL.into_iter().filter(|f| f.is_cut()) {
                let lost = fault == Fault::DeviceLost;
                let expected = if state == Off && !lost { Off } else { Stopped };
                assert_eq!(
                    both(state, Signal::Fault(fault)),
                    [expected; 2],
                    "{state:?}, {fault:?}"
                );
            }
        }
    }

    #[test]
    fn every_state_can_be_started_and_stopped() {
        let started = [Ramping, Ramping, Active, Damping, Fading, Waiting, Ramping];
        let stopped = [Off, Fading, Fading, Fading, Fading, Off, Stopped];
        for (index, state) in STATES.into_iter().enumerate() {
            let mut m = machine(state, None);
            assert!(m.start());
            assert_eq!(m.state(), started[index], "{state:?} started");
            let mut m = machine(state, None);
            m.stop();
            assert_eq!(m.state(), stopped[index], "{state:?} stopped");
            m.advance(4.0, Signal::Clear);
            assert!(!m.is_running(), "{state:?} stopped, then a while later");
        }
    }

    #[test]
    fn a_fault_while_stopping_is_kept() {
        let mut m = machine(Active, None);
        m.stop();
        m.advance(1.0, Signal::Fault(Fault::NotFinite));
        m.advance(3.0, Signal::Clear);
        assert_eq!((m.state(), m.fault()), (Stopped, Some(Fault::NotFinite)));
    }

    #[test]
    fn a_released_brake_or_link_waits_and_nothing_else_is_released() {
        for back in [Fault::DeviceBrake, Fault::LinkDown] {
            for fault in Fault::ALL {
                let mut m = machine(Stopped, Some(fault));
                m.release(back);
                let expected = if fault == back { Waiting } else { Stopped };
                assert_eq!(m.state(), expected, "{fault:?}");
            }
            let mut m = machine(Stopped, Some(back));
            m.stop();
            m.release(back);
            assert_eq!(m.state(), Off, "asked to stop meanwhile");
        }
    }

    #[test]
    fn a_brake_outlasts_a_link_that_is_down() {
        let mut m = machine(Active, None);
        m.advance(0.1, Signal::Fault(Fault::LinkDown));
        m.advance(0.1, Signal::Fault(Fault::DeviceBrake));
        m.release(Fault::LinkDown);
        assert_eq!((m.state(), m.fault()), (Stopped, Some(Fault::DeviceBrake)));
        m.release(Fault::DeviceBrake);
        assert_eq!(m.state(), Waiting);
    }

    #[test]
    fn only_a_lost_device_cannot_be_started_again() {
        for fault in Fault::ALL {
            let mut m = machine(Stopped, Some(fault));
            assert_eq!(m.start(), fault != Fault::DeviceLost, "{fault:?}");
        }
    }

    #[test]
    fn waiting_starts_over_with_every_fault() {
        let mut m = machine(Waiting, Some(PASSING));
        for _ in 0..10 {
            m.advance(2.0, Signal::Clear);
            m.advance(0.5, Signal::Fault(PASSING));
            assert_eq!(m.state(), Waiting);
        }
        m.advance(3.0, Signal::Clear);
        assert_eq!(m.state(), Ramping);
    }

    #[test]
    fn faults_are_counted_once_each() {
        let mut m = machine(Active, None);
        for _ in 0..5 {
            m.advance(0.1, Signal::Fault(Fault::WorldStalled));
        }
        assert_eq!(m.count(Fault::WorldStalled), 1);
        assert_eq!(m.count(Fault::LateLoop), 0);
        m.advance(0.1, Signal::Fault(Fault::DeviceLost));
        m.advance(0.1, Signal::Fault(Fault::DeviceLost));
        assert_eq!(m.count(Fault::DeviceLost), 1);
    }
}
