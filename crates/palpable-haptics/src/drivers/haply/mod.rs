//! Haply Inverse3 through the WebSocket of its service.
//!
//! A thread of the driver's own talks to the service; it and the servo loop exchange the latest
//! values without locks. Each write of the loop sets off one message and one answer, so a reading
//! is at most one period old; a service that has not answered is not sent another message. If the
//! connection breaks, or an answer does not come, the safety stage cuts the force; the thread
//! connects again, refuses forces that were meant for the old connection, and the stage ramps in
//! from nothing. At the end the thread waits for the answer to zero force.

mod events;
mod exchange;
mod link;
mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use exchange::{Exchange, News, Order, Parting, Turn};
pub use link::ConnectError;
use link::Link;
pub use wire::{ForceKey, Misread};

use crate::device::{
    Axes, Capabilities, Device, DeviceError, DeviceEvent, ForceLimit, Sample, Workspace,
};
use crate::rt::gain_privileges;
use crate::safety::Command;
use palpable::Vec3;
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

/// Where the service is, and how to talk to it.
#[derive(Debug, Clone, PartialEq)]
pub struct HaplySettings {
    /// Simulation channel, `HOST:PORT`.
    pub address: String,
    /// Event channel, `HOST:PORT`; none to do without.
    pub events: Option<String>,
    /// Which Inverse3; the first one if not given.
    pub device_id: Option<String>,
    /// Spelling of forces.
    pub force_key: ForceKey,
    /// Forces that are asked of it \[N\]. Cautious, not from a data sheet.
    pub force: ForceLimit,
    /// Rate of the servo loop \[Hz\].
    pub rate: f64,
    /// An answer later than this is late: the reading before it counts for longer.
    pub answer_within: Duration,
    /// Without the answer to a command for this long, the connection counts as broken.
    pub broken_after: Duration,
    /// Without a new command for this long, the servo loop hangs: the force is taken away.
    pub mute_after: Duration,
    /// Longest time for opening.
    pub open_within: Duration,
    /// How long a broken connection is tried again before the device counts as lost.
    pub reconnect_for: Duration,
    /// Real-time priority of the driver's thread, where allowed.
    pub priority: Option<i32>,
}

impl Default for HaplySettings {
    fn default() -> Self {
        Self {
            address: "127.0.0.1:10001".into(),
            events: Some("127.0.0.1:10020".into()),
            device_id: None,
            force_key: ForceKey::default(),
            force: ForceLimit::new(5.0, 2.5),
            rate: 1000.0,
            answer_within: Duration::from_millis(20),
            broken_after: Duration::from_millis(100),
            mute_after: Duration::from_millis(100),
            open_within: Duration::from_secs(2),
            reconnect_for: Duration::from_secs(30),
            priority: None,
        }
    }
}

/// What a service has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inventory {
    /// Ids of the Inverse3.
    pub devices: Vec<String>,
    /// Whether some grip is there.
    pub grip: bool,
}

/// Asks a service what it has, and lets go again.
/// # Errors
/// No service, or one that does not say.
pub fn inventory(settings: &HaplySettings) -> Result<Inventory, DeviceError> {
    let (link, _, inventory) = look(settings)?;
    drop(link.leave(Duration::ZERO));
    Ok(inventory)
}

/// Whether some WebSocket answers at the address of the settings.
pub(super) fn answers(settings: &HaplySettings) -> bool {
    let link = Link::open(&settings.address, settings.open_within);
    link.map(|link| drop(link.leave(Duration::ZERO))).is_ok()
}

/// Connects and reads the inventory that the service pushes.
fn look(settings: &HaplySettings) -> Result<(Link, String, Inventory), DeviceError> {
    let mut link = Link::open(&settings.address, settings.open_within)?;
    let mute = "the Haply service accepts, but lists no devices: restart it, or update it to 3.1";
    let text = link.hear(settings.open_within).map_err(|_| DeviceError::Refused(mute.into()))?;
    let (devices, grip) =
        wire::inventory(&text).map_err(|misread| DeviceError::Garbled(misread.text().into()))?;
    Ok((link, text.to_string(), Inventory { devices, grip }))
}

/// Reads a message of either channel as the driver does, and forgets it: for whoever tries what
/// messages do.
pub fn try_to_read(text: &str) {
    let _ = wire::inventory(text).map(|(ids, _)| ids.iter().for_each(|id| read_as(text, id)));
    read_as(text, "049D");
}

/// Reads the frames of a connection as the driver does, and forgets them.
pub fn try_to_hear(bytes: &[u8]) {
    let config = Some(link::config());
    let mut socket = WebSocket::from_raw_socket(Deaf(bytes), Role::Client, config);
    while let Ok(message) = socket.read() {
        if let Message::Text(text) = message {
            try_to_read(&text);
        }
    }
}

/// A connection whose other side has said all it will say and hears nothing.
struct Deaf<'a>(&'a [u8]);

impl std::io::Read for Deaf<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(to)
    }
}

impl std::io::Write for Deaf<'_> {
    fn write(&mut self, from: &[u8]) -> std::io::Result<usize> {
        Ok(from.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn read_as(text: &str, id: &str) {
    let _ = (wire::sample(text, id, 1), wire::event(text, id));
}

/// A Haply Inverse3.
pub struct Haply {
    capabilities: Capabilities,
    orders: triple_buffer::Input<Order>,
    news: triple_buffer::Output<News>,
    events: rtrb::Consumer<DeviceEvent>,
    closing: Arc<AtomicBool>,
    exchange: Option<JoinHandle<Parting>>,
    listener: Option<JoinHandle<()>>,
    answer_within: Duration,
    reconnect_for: Duration,
    count: u64,
    epoch: u64,
    /// link events that have not been told yet, the next one last
    untold: [Option<DeviceEvent>; 2],
    down_since: Option<Instant>,
    seen: (u64, Instant),
    /// of the latest reading when it was first seen
    age: Duration,
    garbled: u64,
}

impl Haply {
    /// Connects to the service and takes a device. Sends no force.
    /// # Errors
    /// No service, no such device, or a service that cannot be understood; with the cure.
    pub fn open(settings: HaplySettings) -> Result<Self, DeviceError> {
        let (link, text, inventory) = look(&settings)?;
        let id = choose(&inventory, settings.device_id.as_deref())?;
        let first = wire::sample(&text, &id, 1)
            .map_err(|misread| DeviceError::Garbled(misread.text().into()))?;
        let capabilities = capabilities(&settings, &id, &first, inventory.grip);
        let now = News { sample: first, epoch: 1, linked: true, ..News::default() };
        let (orders, from_servo) = triple_buffer::triple_buffer(&Order::default());
        let (to_servo, news) = triple_buffer::triple_buffer(&now);
        let (producer, events) = rtrb::RingBuffer::new(64);
        let closing = Arc::new(AtomicBool::new(false));
        let mut device = Self {
            capabilities,
            orders,
            news,
            events,
            closing: closing.clone(),
            exchange: None,
            listener: None,
            answer_within: settings.answer_within,
            reconnect_for: settings.reconnect_for,
            count: 0,
            epoch: 1,
            untold: [None; 2],
            down_since: None,
            seen: (1, Instant::now()),
            age: Duration::ZERO,
            garbled: 0,
        };
        let (address, priority) = (settings.events.clone(), settings.priority);
        let mut turns = Exchange {
            turn: Turn::new(&id),
            settings,
            id: id.clone(),
            link: Some(link),
            orders: from_servo,
            news: to_servo,
            now,
            closing: closing.clone(),
        };
        device.exchange = Some(thread("palpable-haply", move || {
            // best effort, as for the servo loop
            let _ = priority.map(gain_privileges);
            turns.run()
        })?);
        if let Some(address) = address {
            let body = move || events::listen(&address, &id, producer, &closing);
            device.listener = Some(thread("palpable-haply-events", body)?);
        }
        Ok(device)
    }

    /// Answers of the service so far, over all connections.
    pub fn round_trips(&mut self) -> u64 {
        self.news.read().sample.sequence
    }

    /// Messages so far that could not be used.
    pub fn garbled(&mut self) -> u64 {
        self.news.read().garbled
    }

    /// Notes what became of the connection.
    fn follow(&mut self, news: &News) -> Result<(), DeviceError> {
        if !news.linked {
            let since = *self.down_since.get_or_insert_with(|| {
                self.untold = [None, Some(DeviceEvent::LinkDown)];
                Instant::now()
            });
            if since.elapsed() > self.reconnect_for {
                return Err(DeviceError::Lost("the Haply service did not come back".into()));
            }
        } else if news.epoch != self.epoch {
            self.untold = [Some(DeviceEvent::LinkUp), Some(DeviceEvent::LinkDown)];
            (self.epoch, self.down_since) = (news.epoch, None);
            self.seen.1 = Instant::now();
        }
        Ok(())
    }
}

impl Device for Haply {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn read(&mut self) -> Result<Sample, DeviceError> {
        match &self.exchange {
            None => return Err(DeviceError::Lost("closed".into())),
            Some(thread) if thread.is_finished() => {
                return Err(DeviceError::Lost("its driver broke down; report this".into()));
            }
            Some(_) => {}
        }
        let news = *self.news.read();
        self.follow(&news)?;
        if news.sample.sequence != self.seen.0 {
            (self.seen, self.garbled) = ((news.sample.sequence, Instant::now()), news.garbled);
            self.age = news.asked.map_or(Duration::ZERO, |asked| asked.elapsed());
        } else if news.linked && self.seen.1.elapsed() > self.answer_within {
            let misread = news.misread.filter(|_| news.garbled != self.garbled);
            return Err(match misread {
                Some(misread) => DeviceError::Garbled(misread.text().into()),
                None => DeviceError::Late("the Haply service is silent; restart it".into()),
            });
        }
        Ok(Sample { age: self.age, ..news.sample })
    }

    fn write(&mut self, command: &Command) -> Result<(), DeviceError> {
        let Some(thread) = &self.exchange else {
            return Err(DeviceError::Lost("closed".into()));
        };
        self.count += 1;
        self.orders.write(Order { force: command.force(), epoch: self.epoch, count: self.count });
        thread.thread().unpark();
        Ok(())
    }

    fn event(&mut self) -> Option<DeviceEvent> {
        let [second, first] = &mut self.untold;
        first.take().or_else(|| second.take()).or_else(|| self.events.pop().ok())
    }

    fn close(&mut self) -> Result<(), DeviceError> {
        self.closing.store(true, Ordering::Release);
        let (exchange, listener) = (self.exchange.take(), self.listener.take());
        let parting = exchange.map(|thread| {
            thread.thread().unpark();
            thread.join()
        });
        if let Some(thread) = listener {
            let _ = thread.join();
        }
        match parting {
            None | Some(Ok(Parting::Acknowledged)) => Ok(()),
            Some(Ok(Parting::Unheard)) => Err(DeviceError::Late(
                "the Haply service did not acknowledge zero force at the end; take your hand off \
                 the handle and restart the service"
                    .into(),
            )),
            Some(Err(_)) => Err(DeviceError::Lost("its driver broke down; report this".into())),
        }
    }
}

impl Drop for Haply {
    fn drop(&mut self) {
        let _ = self.close();
    }
}

fn thread<T: Send + 'static>(
    name: &str,
    body: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, DeviceError> {
    let builder = std::thread::Builder::new().name(name.into());
    builder.spawn(body).map_err(|e| DeviceError::Refused(format!("no thread: {e}").into()))
}

/// The wanted device, or the first.
fn choose(inventory: &Inventory, wanted: Option<&str>) -> Result<String, DeviceError> {
    let devices = &inventory.devices;
    let refused = |text: String| Err(DeviceError::Refused(text.into()));
    match wanted {
        _ if devices.is_empty() => refused(
            "the Haply service runs, but has no Inverse3: plug it in and switch it on".into(),
        ),
        None => Ok(devices[0].clone()),
        Some(id) if devices.iter().any(|known| known == id) => Ok(id.to_owned()),
        Some(id) => {
            let known = devices.join(", ");
            refused(format!("the Haply service has no Inverse3 `{id}`; there are: {known}"))
        }
    }
}

fn capabilities(settings: &HaplySettings, id: &str, first: &Sample, grip: bool) -> Capabilities {
    // where the handle is now is the middle; the true bounds depend on how the device stands
    let (at, reach) = (first.position, Vec3::repeat(0.1));
    Capabilities {
        serial: Some(id.to_owned()),
        sensed: if grip { Axes::SIX } else { Axes::THREE },
        workspace: Workspace { low: at - reach, high: at + reach },
        force: settings.force,
        // a reading waits for the next tick
        delay: Some(1.0 / settings.rate),
        buttons: if grip { 3 } else { 0 },
        ..Capabilities::new(&format!("Haply Inverse3 {id}"), Axes::THREE, settings.rate)
    }
}
