//! A Haply service on the loopback: the JSON of the real one, a passive hand, and every mishap.

use std::io::{ErrorKind, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, accept};

/// What the service does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mood {
    /// Nothing.
    #[default]
    Well,
    /// Every so-manieth answer is not sent.
    Drops(u64),
    /// Answers come this much later [ms].
    Delays(u64),
    /// Answers are no JSON.
    Nonsense,
    /// Answers are binary.
    Binary,
    /// The position is NaN.
    NotANumber,
    /// The position is null.
    Null,
    /// States of another device only.
    OtherDevice,
    /// Messages are read, nothing is answered.
    Mute,
    /// Nothing is read any more.
    Deaf,
    /// No more is sent, by closing half of the socket.
    HalfClosed,
    /// The connection is cut at the next message.
    Cuts,
    /// One message larger than any state.
    Huge,
    /// Two answers for each message.
    Twice,
    /// So many answers for each message.
    Floods(u64),
    /// The head of a long message, and then a byte of it every few milliseconds.
    Drips,
    /// The position is moved by so many millimetres, and the velocity is said to be zero.
    Jumps(i64),
    /// The same to and fro, at each message.
    Toggles(i64),
    /// The position stays, and the velocity is said to be 1 m/s.
    Stuck,
}

/// A force that arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// Count of the connection, from 1.
    pub connection: u64,
    /// The force [N].
    pub force: [f64; 3],
    /// `values` or `vector`.
    pub key: String,
    /// Whether the message introduced itself.
    pub session: bool,
}

/// A hand on the handle: 0.2 kg, 5 N·s/m and 300 N/m to a place that swings by 3 cm.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    time: f64,
    x: [f64; 3],
    v: [f64; 3],
}

impl Held {
    /// A millisecond a message, whatever the clock says: symplectic Euler, stable at ωh = 0.04.
    fn advance(&mut self, force: [f64; 3]) {
        let h = 1e-3;
        self.time += h;
        let wanted = [0.03 * (std::f64::consts::TAU * self.time).sin(), 0.0, 0.0];
        for i in 0..3 {
            let pull = 300.0 * (wanted[i] - self.x[i]) - 5.0 * self.v[i];
            self.v[i] += h * (pull + force[i]) / 0.2;
            self.x[i] += h * self.v[i];
        }
    }
}

/// What outlives a restart: the device itself, and what it felt.
#[derive(Default)]
pub struct Bench {
    held: Mutex<Held>,
    heard: Mutex<Vec<Heard>>,
    mood: Mutex<Mood>,
    connections: AtomicU64,
    /// where a stuck handle is
    stuck: Mutex<Option<Value>>,
    drips: AtomicBool,
    devices: Mutex<Vec<String>>,
    told: Mutex<Vec<String>>,
}

impl Bench {
    pub fn new(devices: &[&str]) -> Arc<Self> {
        let bench = Self::default();
        *bench.devices.lock().unwrap() = devices.iter().map(|id| (*id).to_owned()).collect();
        Arc::new(bench)
    }

    pub fn set(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    fn mood(&self) -> Mood {
        *self.mood.lock().unwrap()
    }

    pub fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }

    pub fn messages(&self) -> usize {
        self.heard.lock().unwrap().len()
    }

    pub fn last(&self) -> Option<Heard> {
        self.heard.lock().unwrap().last().cloned()
    }

    /// Where the handle is now [m].
    pub fn position(&self) -> [f64; 3] {
        self.held.lock().unwrap().x
    }

    pub fn connections(&self) -> u64 {
        self.connections.load(Ordering::SeqCst)
    }

    /// Puts an event onto the event channel.
    pub fn tell(&self, event: &Value) {
        self.told.lock().unwrap().push(event.to_string());
    }

    /// A safety event of the service.
    pub fn tell_safety(&self, id: &str, kind: &str) {
        self.tell(&json!({
            "name": "device-safety-triggered", "category": "device", "level": "warning",
            "data": {"device_id": id, "safety_type": kind}, "message": "from the fake",
        }));
    }

    /// The state with another position, some millimetres away along x, and no velocity.
    fn shown(&self, way: i64, state: &Value) -> String {
        let mut state = state.clone();
        let device = &mut state["inverse3"][0]["state"];
        let x = device["cursor_position"]["x"].as_f64().unwrap_or(0.0);
        device["cursor_position"]["x"] = json!(x + 1e-3 * way as f64);
        device["cursor_velocity"] = json!({"x": 0.0, "y": 0.0, "z": 0.0});
        state.to_string()
    }

    /// The state with the position that it had when this was first asked, and a velocity.
    fn stuck(&self, state: &Value) -> String {
        let mut state = state.clone();
        let device = &mut state["inverse3"][0]["state"];
        let mut stuck = self.stuck.lock().unwrap();
        device["cursor_position"] =
            stuck.get_or_insert_with(|| device["cursor_position"].clone()).clone();
        device["cursor_velocity"] = json!({"x": 1.0, "y": 0.0, "z": 0.0});
        state.to_string()
    }

    fn state(&self, full: bool) -> Value {
        let held = *self.held.lock().unwrap();
        let xyz = |v: [f64; 3]| json!({"x": v[0], "y": v[1], "z": v[2]});
        let device = |id: &String| {
            let mut device = json!({
                "device_id": id,
                "state": {
                    "cursor_position": xyz(held.x), "cursor_velocity": xyz(held.v),
                    "current_cursor_force": xyz([0.0; 3]), "control_mode": "force",
                    "angular_position": {"a0": 1.0, "a1": 2.0, "a2": 3.0},
                },
            });
            if full {
                device["config"] = json!({"device_info": {"id": id, "model": 4}});
                device["status"] = json!({"calibrated": true, "ready": true});
            }
            device
        };
        let devices: Vec<Value> = self.devices.lock().unwrap().iter().map(device).collect();
        json!({"inverse3": devices, "verse_grip": [], "wireless_verse_grip": [
            {"device_id": "G1", "state": {
                "orientation": {"w": 1.0, "x": 0.0, "y": 0.0, "z": 0.0},
                "buttons": {"a": false, "b": true, "c": false}}}]})
    }
}

/// The service: a simulation channel and an event channel.
pub struct FakeHaply {
    pub bench: Arc<Bench>,
    pub port: u16,
    pub events_port: u16,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl FakeHaply {
    /// Starts on free ports.
    pub fn start(bench: &Arc<Bench>) -> Self {
        Self::start_on(bench, 0, 0)
    }

    /// Starts on given ports: a restart.
    pub fn start_on(bench: &Arc<Bench>, port: u16, events_port: u16) -> Self {
        let listen = |port| {
            let listener = TcpListener::bind(("127.0.0.1", port)).expect("a port");
            listener.set_nonblocking(true).unwrap();
            let port = listener.local_addr().unwrap().port();
            (listener, port)
        };
        let (simulation, port) = listen(port);
        let (events, events_port) = listen(events_port);
        let stop = Arc::new(AtomicBool::new(false));
        let serve = |listener: TcpListener, each: fn(&Bench, TcpStream, &AtomicBool)| {
            let (bench, stop) = (bench.clone(), stop.clone());
            std::thread::spawn(move || take(&listener, &bench, &stop, each))
        };
        let threads = vec![serve(simulation, simulate), serve(events, tell)];
        Self { bench: bench.clone(), port, events_port, stop, threads }
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn events(&self) -> String {
        format!("127.0.0.1:{}", self.events_port)
    }

    /// Ends at once, as a process that is killed; the ports are free again.
    pub fn kill(mut self) -> (u16, u16) {
        self.end();
        (self.port, self.events_port)
    }

    fn end(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Drop for FakeHaply {
    fn drop(&mut self) {
        self.end();
    }
}

/// Takes connections, each on a thread of its own.
fn take(
    listener: &TcpListener,
    bench: &Arc<Bench>,
    stop: &Arc<AtomicBool>,
    each: fn(&Bench, TcpStream, &AtomicBool),
) {
    let mut threads = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        match listener.accept() {
            Ok((stream, _)) => {
                let (bench, stop) = (bench.clone(), stop.clone());
                threads.push(std::thread::spawn(move || each(&bench, stream, &stop)));
            }
            Err(_) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    for thread in threads {
        let _ = thread.join();
    }
}

fn opened(stream: TcpStream) -> Option<WebSocket<TcpStream>> {
    stream.set_nonblocking(false).ok()?;
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(Duration::from_millis(500))).ok()?;
    let socket = accept(stream).ok()?;
    socket.get_ref().set_read_timeout(Some(Duration::from_millis(5))).ok()?;
    Some(socket)
}

/// The simulation channel: one state per message.
fn simulate(bench: &Bench, stream: TcpStream, stop: &AtomicBool) {
    let Some(mut socket) = opened(stream) else { return };
    let number = bench.connections.fetch_add(1, Ordering::SeqCst) + 1;
    let _ = socket.send(Message::text(bench.state(true).to_string()));
    let mut count = 0;
    while !stop.load(Ordering::SeqCst) {
        if bench.mood() == Mood::Deaf {
            std::thread::sleep(Duration::from_millis(1));
            continue;
        }
        let text = match socket.read() {
            Ok(Message::Text(text)) => text,
            Ok(_) => continue,
            Err(tungstenite::Error::Io(e)) if e.kind() == ErrorKind::WouldBlock => continue,
            Err(_) => return,
        };
        count += 1;
        listen(bench, number, &text);
        if answer(bench, &mut socket, count).is_none() {
            break;
        }
    }
    let _ = socket.get_ref().shutdown(Shutdown::Both);
}

/// Feels the force of a message.
fn listen(bench: &Bench, connection: u64, text: &str) {
    let message: Value = serde_json::from_str(text).expect("the client speaks JSON");
    let command = &message["inverse3"][0]["commands"]["set_cursor_force"];
    let object = command.as_object().expect("a force");
    let (key, vector) = object.iter().next().expect("a spelling");
    assert!(["values", "vector"].contains(&key.as_str()), "{key}");
    let force = ["x", "y", "z"].map(|axis| vector[axis].as_f64().expect("a number"));
    bench.held.lock().unwrap().advance(force);
    let session = message.get("session").is_some();
    let key = key.clone();
    bench.heard.lock().unwrap().push(Heard { connection, force, key, session });
}

/// Answers as the mood is; none to cut the connection.
fn answer(bench: &Bench, socket: &mut WebSocket<TcpStream>, count: u64) -> Option<()> {
    let state = bench.state(false);
    let text = state.to_string();
    let broken = |value: &str| {
        let x = &state["inverse3"][0]["state"]["cursor_position"]["x"];
        text.replacen(&format!("\"x\":{x}"), &format!("\"x\":{value}"), 1)
    };
    let reply = match bench.mood() {
        Mood::Drops(every) if count.is_multiple_of(every) => return Some(()),
        Mood::Mute | Mood::Deaf => return Some(()),
        Mood::Delays(ms) => {
            std::thread::sleep(Duration::from_millis(ms));
            Message::text(text)
        }
        Mood::Nonsense => Message::text("{\"inverse3\": [[["),
        Mood::Binary => Message::binary(vec![0u8, 159, 146, 150]),
        Mood::NotANumber => Message::text(broken("NaN")),
        Mood::Null => Message::text(broken("null")),
        Mood::OtherDevice => Message::text(text.replace("049D", "FFFF")),
        Mood::Huge => Message::text(" ".repeat(3 << 20)),
        Mood::HalfClosed => {
            let _ = socket.get_ref().shutdown(Shutdown::Write);
            return Some(());
        }
        Mood::Cuts => {
            bench.set(Mood::Well);
            return None;
        }
        Mood::Twice => {
            socket.send(Message::text(text.clone())).ok()?;
            Message::text(text)
        }
        Mood::Floods(count) => {
            for _ in 1..count {
                socket.send(Message::text(text.clone())).ok()?;
            }
            Message::text(text)
        }
        Mood::Drips => {
            drip(bench, socket.get_ref());
            return Some(());
        }
        Mood::Jumps(way) => Message::text(bench.shown(way, &state)),
        Mood::Toggles(way) => {
            Message::text(bench.shown(if count.is_multiple_of(2) { way } else { -way }, &state))
        }
        Mood::Stuck => Message::text(bench.stuck(&state)),
        Mood::Well | Mood::Drops(_) => Message::text(text),
    };
    socket.send(reply).ok()
}

/// Half a megabyte is announced, and comes byte by byte on a thread of its own, while commands are
/// still read.
fn drip(bench: &Bench, stream: &TcpStream) {
    let Ok(mut stream) = stream.try_clone() else { return };
    if bench.drips.swap(true, Ordering::SeqCst) {
        return;
    }
    std::thread::spawn(move || {
        let mut head = vec![0x81, 0x7f];
        head.extend(500_000u64.to_be_bytes());
        let mut sent = stream.write_all(&head);
        while sent.is_ok() {
            std::thread::sleep(Duration::from_millis(5));
            sent = stream.write_all(b" ");
        }
    });
}

/// The event channel: pushes, never listens.
fn tell(bench: &Bench, stream: TcpStream, stop: &AtomicBool) {
    let Some(mut socket) = opened(stream) else { return };
    while !stop.load(Ordering::SeqCst) {
        let told: Vec<String> = bench.told.lock().unwrap().drain(..).collect();
        for text in told {
            if socket.send(Message::text(text)).is_err() {
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = socket.get_mut().flush();
}
