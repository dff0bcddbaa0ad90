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
use crate::device::{Capabilities, Sample};
use crate::safety::Wish;
use palpable::coupling::{
    CouplingError, DeviceSide, Freedom, Handle, Packet, PspmSettings, WorldSide,
};
use palpable::model::ElementParams;
use palpable::{Dissipation, Inputs, PortId, PortInput, Vec3, World};

/// Packets under way in each direction; a world that is slower than this loses energy, not more.
const IN_FLIGHT: usize = 1024;
/// Energy granted to each side at the start \[J\], so that a rest can end.
const GRANT: f64 = 1e-3;
/// The world follows the clock over at most this many missed periods.
const LONGEST_STEP: u64 = 10;

/// What a world shows of itself to a servo loop, beside the packets of the coupling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proxy {
    /// Where the port is at the end of the step, world axes.
    pub handle: Handle,
    /// When the step ended, by the loops' clock.
    pub time: Duration,
    /// False after a step that was refused.
    pub sound: bool,
    /// The world's books.
    pub books: Books,
}

/// The servo's side of a world that runs elsewhere.
///
/// Passive set-position modulation on both sides (`[Lee2008, sec. 5]`, [`palpable::coupling`]): a
/// spring from the handle to a far end that follows the world only as far as reservoirs of energy
/// pay for it, and the world's reference likewise follows the hand. So whatever rate, delay or
/// stall the world has, the hand gets back no more than it put in and was granted.
pub struct Remote {
    to_world: rtrb::Producer<Packet>,
    from_world: rtrb::Consumer<Packet>,
    proxy: triple_buffer::Output<Proxy>,
    mapping: Mapping,
    side: DeviceSide,
    /// time of the last sample by the loop's clock, and by the device's
    last: Option<(Duration, Option<Duration>)>,
    books: Books,
}

/// The world's side of a [`Remote`].
pub struct Link {
    port: PortId,
    from_servo: rtrb::Consumer<Packet>,
    to_servo: rtrb::Producer<Packet>,
    proxy: triple_buffer::Input<Proxy>,
    side: WorldSide,
}

/// A link that cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// Nothing to hold.
    #[error("the port is no reference port; hold one made by `Port::reference`")]
    NotReference,
    /// A device whose damping nobody knows.
    #[error(
        "the device's own damping is {0} N·s/m, but must be known and above zero: it pays for a \
         world on another thread. Measure it from a free decay, or step the world in the loop"
    )]
    Damping(f64),
    /// A number out of range.
    #[error(transparent)]
    Coupling(#[from] CouplingError),
}

impl Remote {
    /// The two sides of a link to a reference `port` of `world`, whose stiffness must be alike in
    /// all directions.
    ///
    /// `device` gives the damping that pays; half of it goes to holding the force over a `period`
    /// \[s\], so the stiffness at the device is at most `b/T`.
    /// # Errors
    /// Not a reference port, or a device without damping.
    pub fn link(
        world: &World,
        port: PortId,
        mapping: Mapping,
        device: &Capabilities,
        period: f64,
    ) -> Result<(Self, Link), LinkError> {
        let element = world.port_info(port).and_then(|p| p.element);
        let params = element.and_then(|e| world.params().elements.get(e));
        let params = params.ok_or(LinkError::NotReference)?;
        let there = settings(params, world);
        let here = device_settings(&there, device, mapping.scale, period)?;
        let start = Proxy {
            handle: Handle { position: mapping.offset, rotation: mapping.rotation },
            time: Duration::ZERO,
            sound: true,
            books: Books::default(),
        };
        let (input, output) = triple_buffer::TripleBuffer::new(&start).split();
        let (to_world, from_servo) = rtrb::RingBuffer::new(IN_FLIGHT);
        let (to_servo, from_world) = rtrb::RingBuffer::new(IN_FLIGHT);
        let side = DeviceSide::new(here)?;
        let books = Books::default();
        let remote = Self { to_world, from_world, proxy: output, mapping, side, last: None, books };
        let side = WorldSide::new(there)?;
        Ok((remote, Link { port, from_servo, to_servo, proxy: input, side }))
    }

    /// How long the last force was held \[s\]: by the device's clock where it has one. The step of
    /// a loop that was late would be too short, and count too much damping.
    fn held_for(&mut self, now: Duration, h: Duration, sample: &Sample) -> f64 {
        let Some((then, own)) = self.last.replace((now, sample.time)) else {
            return h.as_secs_f64();
        };
        let own = sample.time.zip(own).and_then(|(now, then)| now.checked_sub(then));
        own.unwrap_or(now.saturating_sub(then)).max(h).as_secs_f64()
    }

    /// The device's side of the coupling, with its energy.
    pub fn side(&self) -> &DeviceSide {
        &self.side
    }
}

/// The world's side, after its port. A world whose tank keeps what dampers take must not count
/// it twice.
fn settings(params: &ElementParams, world: &World) -> PspmSettings {
    let (k, b) = (params.stiffness, params.damping);
    let drops = world.options().tank.dissipation == Dissipation::Drop;
    let counted = |b: f64| if drops { b } else { 0.0 };
    let point = PspmSettings::point(k[0], counted(b[0]));
    let pose = PspmSettings {
        turning_stiffness: k[3],
        turning_damping: counted(b[3]),
        freedom: Freedom::Pose,
        ..point
    };
    PspmSettings { grant: GRANT, ..if k[3] > 0.0 { pose } else { point } }
}

/// The device's side, in world coordinates. A device that cannot push feels nothing, and nothing
/// has to be paid.
fn device_settings(
    there: &PspmSettings,
    device: &Capabilities,
    scale: f64,
    period: f64,
) -> Result<PspmSettings, LinkError> {
    let enough = there.stiffness * period * scale * scale;
    let known = if device.can_push() { device.damping.unwrap_or(0.0) } else { enough };
    if !(known > 0.0 && known.is_finite()) {
        return Err(LinkError::Damping(known));
    }
    // a metre of the device is `scale` metres of the world, and forces scale back
    let damping = known / (scale * scale);
    let turning_damping = device.rotational_damping.unwrap_or(0.0);
    Ok(PspmSettings {
        stiffness: there.stiffness.min(damping / period),
        turning_stiffness: there.turning_stiffness.min(turning_damping / period),
        damping,
        turning_damping,
        ..*there
    })
}

impl Render for Remote {
    fn render(&mut self, now: Duration, h: Duration, sample: &Sample) -> Wish {
        let hand = Handle {
            position: self.mapping.position(sample),
            rotation: self.mapping.orientation(sample),
        };
        while let Ok(packet) = self.from_world.pop() {
            self.side.receive(&packet);
        }
        let elapsed = self.held_for(now, h, sample);
        let felt = self.side.sample(&hand, elapsed);
        // a full ring loses the packet and its energy, which is passive
        let _ = self.side.send().map(|packet| self.to_world.push(packet));
        let proxy = *self.proxy.read();
        self.books = proxy.books;
        let mut wrench = self.mapping.wrench(&felt.force, &felt.torque);
        if !proxy.sound {
            wrench.force = Vec3::repeat(f64::NAN);
        }
        Wish { wrench, age: now.saturating_sub(proxy.time) }
    }

    fn books(&self) -> Books {
        self.books
    }
}

impl Link {
    /// Before a step: the input of the port.
    fn reference(&mut self) -> PortInput {
        while let Ok(packet) = self.from_servo.pop() {
            self.side.receive(&packet);
        }
        self.side.reference()
    }

    /// After a step of `h` \[s\].
    fn answer(&mut self, world: &World, h: f64, mut proxy: Proxy) {
        let port = world.port(self.port);
        self.side.after_step(&port, h);
        proxy.handle = Handle::of(&port);
        let _ = self.side.send().map(|packet| self.to_servo.push(packet));
        self.proxy.write(proxy);
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

    /// Gives back the world.
    pub fn into_world(self) -> World {
        self.world
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
            self.inputs.set(link.port, link.reference());
        }
        let report = self.world.step(h, &self.inputs);
        let books = Books::of(&self.world, report.entry.relative_defect(), self.hashed);
        let (time, sound) = (self.clock.now(), report.status.is_taken());
        let handle = Handle::at(Vec3::zeros());
        for link in &mut self.links {
            link.answer(&self.world, h, Proxy { handle, time, sound, books });
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
