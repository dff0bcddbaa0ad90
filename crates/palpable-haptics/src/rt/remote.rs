//! The world on a second thread at its own rate.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use super::clock::Clock;
use super::exchange::Orders;
use super::mapping::Mapping;
use super::os::{Privileges, gain_privileges};
use super::render::{Books, PortScript, Render};
use super::schedule::Schedule;
use crate::device::Sample;
use crate::safety::Wish;
use palpable::math::{angular, linear, so3};
use palpable::{Inputs, PortId, PortInput, Rotation, Vec3, Vec6, World};
use palpable_passivity::SetPosition;

/// The world follows the clock over at most this many missed periods.
const LONGEST_STEP: u64 = 10;

/// What a world shows of itself to a servo loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proxy {
    /// Position of the port's point at the end of the step [m].
    pub position: Vec3,
    /// Its orientation.
    pub rotation: Rotation,
    /// When the step ended, by the loops' clock.
    pub time: Duration,
    /// False after a step that was refused.
    pub sound: bool,
    /// The world's books.
    pub books: Books,
}

impl Default for Proxy {
    fn default() -> Self {
        let (position, rotation) = (Vec3::zeros(), Rotation::identity());
        Self { position, rotation, time: Duration::ZERO, sound: true, books: Books::default() }
    }
}

/// The servo's side of a world that runs elsewhere: a spring to where the world last was.
///
/// The spring's far end follows the world only as far as the device's spare damping pays for it:
/// passive set-position modulation, axis by axis `[Lee2008, (19)]`. So whatever rate, delay or
/// stall the world has, the hand never gets back more than it put in. Rotation follows directly.
pub struct Remote {
    to_world: triple_buffer::Input<PortInput>,
    from_world: triple_buffer::Output<Proxy>,
    mapping: Mapping,
    stiffness: Vec6,
    followers: Option<[SetPosition; 3]>,
    books: Books,
}

/// The world's side of a [`Remote`].
pub struct Link {
    port: PortId,
    from_servo: triple_buffer::Output<PortInput>,
    to_servo: triple_buffer::Input<Proxy>,
}

impl Remote {
    /// The two sides of a link to a reference `port` of `world`.
    ///
    /// `damping` [N·s/m] is the device's own and `period` [s] its loop's. Half of what it pays for
    /// goes to sampling, so stiffness is at most `b/T` here; without it, the far end follows the
    /// world directly and nothing is promised.
    pub fn link(
        world: &World,
        port: PortId,
        mapping: Mapping,
        damping: Option<f64>,
        period: f64,
    ) -> (Self, Link) {
        let element = world.model().ports().get(port.index()).and_then(|p| p.element);
        let params = element.and_then(|e| world.params().elements.get(e));
        let mut stiffness = params.map_or(Vec6::zeros(), |p| p.stiffness);
        // on the world's side a spring of the device's: scaled as the force is
        let square = mapping.scale * mapping.scale;
        if let Some(b) = damping.filter(|b| *b > 0.0) {
            (0..3).for_each(|i| stiffness[i] = stiffness[i].min(b / period / square));
        }
        let start =
            Proxy { position: mapping.offset, rotation: mapping.rotation, ..Proxy::default() };
        let (to_servo, from_world) = triple_buffer::TripleBuffer::new(&start).split();
        let (to_world, from_servo) = triple_buffer::TripleBuffer::default().split();
        let follower = |i: usize| {
            let spare = damping.unwrap_or(0.0) / square - 0.5 * stiffness[i] * period;
            SetPosition::new(stiffness[i], spare.max(0.0), 0.0, mapping.offset[i]).ok()
        };
        let followers = match (damping, follower(0), follower(1), follower(2)) {
            (Some(b), Some(x), Some(y), Some(z)) if b > 0.0 => Some([x, y, z]),
            _ => None,
        };
        let books = Books::default();
        let remote = Self { to_world, from_world, mapping, stiffness, followers, books };
        (remote, Link { port, from_servo, to_servo })
    }

    /// Stiffness of the spring at the device, world axes [N/m], [N·m/rad].
    pub fn stiffness(&self) -> Vec6 {
        self.stiffness
    }

    /// Where the spring ends on the world's side.
    fn far_end(&mut self, y: &Vec3, wanted: &Vec3, h: f64) -> Vec3 {
        let Some(followers) = &mut self.followers else { return *wanted };
        // numbers that are not finite leave the spring where it was: at rest there
        Vec3::from_fn(|i, _| followers[i].step(y[i], wanted[i], h).map_or(y[i], |s| s.used))
    }
}

impl Render for Remote {
    fn render(&mut self, now: Duration, h: Duration, sample: &Sample) -> Wish {
        let (y, r) = (self.mapping.position(sample), self.mapping.orientation(sample));
        self.to_world.write(PortInput::Reference { position: y, rotation: r });
        let proxy = *self.from_world.read();
        self.books = proxy.books;
        let far = self.far_end(&y, &proxy.position, h.as_secs_f64());
        let pull = linear(&self.stiffness).component_mul(&(far - y));
        let turn = so3::log(&(r.inverse() * proxy.rotation));
        let torque = r * angular(&self.stiffness).component_mul(&turn);
        let mut wrench = self.mapping.wrench(&pull, &torque);
        if !proxy.sound {
            wrench.force = Vec3::repeat(f64::NAN);
        }
        Wish { wrench, age: now.saturating_sub(proxy.time) }
    }

    fn books(&self) -> Books {
        self.books
    }
}

/// A world that moves at its own rate, with any number of hands.
pub struct WorldLoop<C> {
    world: World,
    links: Vec<Link>,
    clock: C,
    schedule: Schedule,
    period: Duration,
    inputs: Inputs,
    script: Option<PortScript>,
    missed: u64,
    hashed: bool,
}

impl<C: Clock> WorldLoop<C> {
    /// A world stepped every `period`, on the same clock as its servo loops.
    pub fn new(world: World, links: Vec<Link>, clock: C, period: Duration) -> Self {
        let inputs = world.inputs();
        let schedule = Schedule::new(clock.now(), period);
        let (script, missed, hashed) = (None, 0, false);
        Self { world, links, clock, schedule, period, inputs, script, missed, hashed }
    }

    /// Sets other ports before each step, from the simulated time [s].
    pub fn with_script(mut self, script: impl FnMut(f64, &mut Inputs) + Send + 'static) -> Self {
        self.script = Some(Box::new(script));
        self
    }

    /// Waits for the next deadline.
    pub fn wait(&mut self) {
        let deadline = self.schedule.aim(self.clock.now());
        self.clock.sleep_until(deadline);
    }

    /// One step: takes the latest readings, shows where it went.
    pub fn turn(&mut self) {
        let wake = self.schedule.woke(self.clock.now());
        self.missed += wake.missed;
        let steps = 1 + wake.missed.min(LONGEST_STEP - 1);
        let h = self.period.as_secs_f64() * steps as f64;
        if let Some(script) = &mut self.script {
            script(self.world.time(), &mut self.inputs);
        }
        for link in &mut self.links {
            self.inputs.set(link.port, *link.from_servo.read());
        }
        let report = self.world.step(h, &self.inputs);
        let books = Books::of(&self.world, report.entry.relative_defect(), self.hashed);
        let (time, sound) = (self.clock.now(), report.status.is_taken());
        for link in &mut self.links {
            let port = self.world.port(link.port);
            let (position, rotation) = (port.position, port.rotation);
            link.to_servo.write(Proxy { position, rotation, time, sound, books });
        }
    }
}

/// What is left of a world that had its own thread.
pub struct WorldEnd {
    /// The world.
    pub world: World,
    /// Steps that came too late.
    pub missed: u64,
    /// What the thread was allowed.
    pub privileges: Privileges,
}

/// A world on a thread of its own.
pub struct WorldThread {
    orders: Arc<Orders>,
    thread: JoinHandle<WorldEnd>,
}

impl WorldThread {
    /// Starts it; a `priority` below the servo's keeps the hand first.
    /// # Errors
    /// The system gives no thread.
    pub fn start<C: Clock + 'static>(
        mut turns: WorldLoop<C>,
        priority: Option<i32>,
    ) -> std::io::Result<Self> {
        let orders = Orders::new();
        let order = orders.clone();
        let body = move || {
            let privileges = priority.map_or_else(Privileges::not_asked, gain_privileges);
            turns.schedule = Schedule::new(turns.clock.now(), turns.period);
            while !order.stop() {
                turns.wait();
                turns.turn();
                order.beat();
            }
            WorldEnd { world: turns.world, missed: turns.missed, privileges }
        };
        let thread = std::thread::Builder::new().name("palpable-world".into()).spawn(body)?;
        Ok(Self { orders, thread })
    }

    /// Steps, for a [`Watchdog`](super::Watchdog).
    pub fn beats(&self) -> u64 {
        self.orders.beats()
    }

    /// Ends it after its current step. `None` if it broke down.
    pub fn stop(self) -> Option<WorldEnd> {
        self.orders.ask_stop();
        self.thread.join().ok()
    }
}
