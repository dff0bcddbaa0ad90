//! A hundred thousand random and malformed messages: no panic, no leak, the loop runs on.

use palpable_scene::Scene;
use palpable_studio::protocol::Command;
use palpable_studio::stage::{Show, Stage};
use palpable_studio::{GALLERY, Settings, Studio};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::Message;
use tungstenite::{WebSocket, stream::MaybeTlsStream};

/// A small generator, the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const NAMES: &[&str] = &[
    "load", "open", "reset", "take", "grab", "move", "release", "set", "compare", "pause", "step",
    "speed", "rewind", "record", "replay", "gauge", "peek", "end", "drive", "save", "fly", "",
];
const FIELDS: &[&str] = &[
    "scene", "file", "body", "point", "target", "turn", "what", "part", "value", "pay", "scheme",
    "law", "on", "count", "seconds", "damping", "rate", "delay", "extra",
];
const VALUES: &[&str] = &[
    "0",
    "1",
    "-1",
    "3",
    "1e308",
    "-1e308",
    "1e-308",
    "1e999",
    "4294967295",
    "18446744073709551616",
    "true",
    "null",
    "\"\"",
    "\"demo\"",
    "\"mass\"",
    "\"scheme\"",
    "\"coupling\"",
    "\"gravity\"",
    "\"step\"",
    "\"symplectic-euler\"",
    "\"law\"",
    "\"sides\"",
    "\"printed-plastic\"",
    "[]",
    "[0,0,0]",
    "[1,2]",
    "[1e9,0,0]",
    "[0.1,0.2,0.3]",
    "[0,0,0,0]",
    "{}",
    "\"..\\/..\\/x\"",
    "\"\\u0000\"",
    "[[[[[[[[[[]]]]]]]]]]",
];

/// A message that is a command, nearly one, or noise.
fn message(random: &mut Random) -> Vec<u8> {
    let mut text = format!("{{\"do\":\"{}\"", random.pick(NAMES));
    for _ in 0..random.below(4) {
        text += &format!(",\"{}\":{}", random.pick(FIELDS), random.pick(VALUES));
    }
    text.push('}');
    let mut bytes = text.into_bytes();
    match random.below(4) {
        0 => {
            // a few bytes changed
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] = random.next() as u8;
            }
        }
        1 => bytes.truncate(random.below(bytes.len())),
        2 if random.below(3) == 0 => {
            bytes = (0..random.below(200)).map(|_| random.next() as u8).collect();
        }
        _ => {}
    }
    bytes
}

#[test]
fn a_hundred_thousand_messages_are_read_or_refused_without_panic() {
    let mut random = Random(0x5eed);
    let (mut good, mut orders) = (0, 0);
    let scene = Scene::parse(GALLERY[0].text, "demo.toml").expect("a scene");
    let mut stage = Stage::new(Box::new(Show::new("demo", scene.build().expect("built"))));
    for _ in 0..100_000 {
        let bytes = message(&mut random);
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(command) = Command::parse(&text) {
            good += 1;
            // what is understood is done, in a world that must live through it
            if let Ok(Some(order)) = command.order() {
                orders += 1;
                stage.give(order);
                stage.tick();
            }
        }
    }
    assert!(stage.world().energy().total().is_finite());
    assert!(stage.world().ledger().closure().is_finite());
    // the generator must reach behind the parser, or the test says little
    assert!(good > 2_000 && orders > 1_000, "{good} {orders}");
}

fn connect(studio: &Studio) -> WebSocket<MaybeTlsStream<TcpStream>> {
    let port = studio.port();
    let address = format!("ws://127.0.0.1:{port}/{}/socket", studio.token());
    let mut request = address.into_client_request().expect("an address");
    let origin = format!("http://127.0.0.1:{port}");
    request.headers_mut().insert("origin", origin.parse().expect("a header"));
    let (socket, _) = tungstenite::connect(request).expect("let in");
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    }
    socket
}

/// Memory in use [bytes]; 0 where the system does not tell.
fn memory() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|p| p.parse::<usize>().ok()).unwrap_or(0) * 4096
}

/// Sends messages until the studio closes the connection; how many were sent, and the reason.
fn abuse(studio: &Studio, random: &mut Random, most: usize) -> (usize, Option<String>) {
    let mut socket = connect(studio);
    let mut sent = 0;
    while sent < most {
        let bytes = message(random);
        let message = match String::from_utf8(bytes) {
            Ok(text) => Message::text(text),
            Err(error) => Message::binary(error.into_bytes()),
        };
        if socket.send(message).is_err() {
            break;
        }
        sent += 1;
    }
    loop {
        match socket.read() {
            Ok(Message::Close(frame)) => return (sent, frame.map(|f| f.reason.to_string())),
            Ok(_) => {}
            Err(_) => return (sent, None),
        }
    }
}

#[test]
fn abuse_over_the_socket_ends_with_reasons_and_the_loop_runs_on() {
    let studio = Studio::start(Settings::default()).expect("a studio");
    let mut random = Random(0xbad);
    let (mut sent, mut reasons, mut silent) = (0, 0, 0);
    let mut before = 0;
    let long = std::env::var_os("PALPABLE_LONG").is_some();
    for round in 0..if long { 2000 } else { 70 } {
        let (count, reason) = abuse(&studio, &mut random, 1000);
        sent += count;
        match reason {
            Some(text) => {
                reasons += 1;
                assert!(!text.is_empty());
            }
            // a reason can be lost when the sender is still sending
            None => silent += 1,
        }
        if round == 30 {
            before = memory();
        }
    }
    assert!(sent > 2_000 && reasons > silent, "{sent} sent, {reasons} reasons, {silent} without");
    println!("{sent} messages, {reasons} reasons, {silent} connections without");
    let grown = memory().saturating_sub(before);
    // more connections must not cost more than scenes and buffers of a few
    assert!(grown < 64 << 20, "{grown} bytes more");
    let mut socket = connect(&studio);
    socket.send(Message::text("{\"do\":\"load\",\"scene\":\"demo\"}")).expect("sent");
    socket.send(Message::text("{\"do\":\"pause\",\"on\":false}")).expect("sent");
    let mut frames = 0;
    while frames < 10 {
        frames += usize::from(matches!(socket.read().expect("a message"), Message::Binary(_)));
    }
}

/// Frames that a page has got.
#[derive(Default)]
struct Seen {
    frames: AtomicU64,
    /// steps of the world, and ticks left out, as the last frame tells
    ticks: AtomicU64,
}

/// Steps of the world that a frame tells.
fn ticks(bytes: &[u8]) -> Option<f64> {
    let mut at = 16;
    while at + 8 <= bytes.len() {
        let length = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().ok()?) as usize;
        if bytes[at] == 5 {
            return Some(f64::from_le_bytes(bytes.get(at + 64..at + 72)?.try_into().ok()?));
        }
        at += 8 + length;
    }
    None
}

/// Watches until told to stop; a page that is sent away says why.
fn watch(studio: &Studio, seen: &Seen, over: &AtomicBool) {
    let mut socket = connect(studio);
    while !over.load(Ordering::Relaxed) {
        match socket.read() {
            Ok(Message::Binary(bytes)) => {
                seen.frames.fetch_add(1, Ordering::Relaxed);
                let ticks = ticks(&bytes).expect("the status of the loop");
                seen.ticks.store(ticks as u64, Ordering::Relaxed);
            }
            Ok(Message::Close(frame)) => panic!("sent away: {frame:?}"),
            Ok(_) => {}
            Err(error) => panic!("lost: {error}"),
        }
    }
}

/// Drags a body in circles, sixty times a second.
fn drag(studio: &Studio, over: &AtomicBool) {
    let mut socket = connect(studio);
    let mut say = |text: String| socket.send(Message::text(text)).expect("sent");
    say("{\"do\":\"take\"}".into());
    say("{\"do\":\"pause\",\"on\":false}".into());
    say("{\"do\":\"grab\",\"body\":1,\"point\":[0,0,0]}".into());
    let start = Instant::now();
    while !over.load(Ordering::Relaxed) {
        let (s, c) = (3.0 * start.elapsed().as_secs_f64()).sin_cos();
        say(format!("{{\"do\":\"move\",\"target\":[{:.4},{:.4},0.3]}}", 0.1 * s, 0.1 * c));
        std::thread::sleep(Duration::from_millis(16));
    }
}

/// Floods: bad messages and malformed frames, each over a connection of its own.
fn flood(studio: &Studio, seed: u64, over: &AtomicBool) -> usize {
    let (mut random, mut sent) = (Random(seed), 0);
    while !over.load(Ordering::Relaxed) {
        let mut socket = connect(studio);
        if let MaybeTlsStream::Plain(stream) = socket.get_mut() {
            use std::io::Write;
            let noise: Vec<u8> = (0..2000).map(|_| random.next() as u8).collect();
            // text frames with a mask of zeros, or anything at all
            let bad = [0x81, 0x81, 0, 0, 0, 0, b'x'].repeat(700);
            let bytes = if random.below(4) == 0 { noise } else { bad };
            // the studio may have closed it already
            sent += usize::from(stream.write_all(&bytes).is_ok());
        }
    }
    sent
}

/// Frames a second that seven pages get, the least of them, and steps a second of the world.
fn rates(pages: &[Seen], time: Duration) -> (f64, f64) {
    let now = || -> Vec<[u64; 2]> {
        let of = |p: &Seen| [&p.frames, &p.ticks].map(|c| c.load(Ordering::Relaxed));
        pages.iter().map(of).collect()
    };
    let (before, start) = (now(), Instant::now());
    std::thread::sleep(time);
    let (after, seconds) = (now(), start.elapsed().as_secs_f64());
    let each =
        |k: usize| before.iter().zip(&after).map(move |(b, a)| (a[k] - b[k]) as f64 / seconds);
    (each(0).fold(f64::INFINITY, f64::min), each(1).fold(0.0, f64::max))
}

/// Eight pages, one of which drags a body, and two that flood: the others see what happens as
/// before, and the loop goes on at its rate. `scripts/flood` measures the same at the program.
#[test]
fn a_flood_does_not_keep_other_pages_from_seeing_what_is_dragged() {
    let studio = Studio::start(Settings::default()).expect("a studio");
    let (over, dry) = (AtomicBool::new(false), AtomicBool::new(false));
    let pages: Vec<Seen> = (0..7).map(|_| Seen::default()).collect();
    let (quiet, wet, sent) = std::thread::scope(|scope| {
        for page in &pages {
            scope.spawn(|| watch(&studio, page, &over));
        }
        scope.spawn(|| drag(&studio, &over));
        std::thread::sleep(Duration::from_millis(500));
        let quiet = rates(&pages, Duration::from_secs(2));
        let floods = [1, 2].map(|seed| {
            scope.spawn({
                let (studio, dry) = (&studio, &dry);
                move || flood(studio, seed, dry)
            })
        });
        let wet = rates(&pages, Duration::from_secs(3));
        dry.store(true, Ordering::Relaxed);
        let sent: usize = floods.into_iter().map(|f| f.join().expect("a flood")).sum();
        over.store(true, Ordering::Relaxed);
        (quiet, wet, sent)
    });
    println!("frames/s, steps/s: {quiet:?}, with {sent} floods {wet:?}");
    assert!(sent > 10, "{sent} floods");
    // the floods are threads of this test and want the processor for themselves
    assert!(wet.0 > 0.25 * quiet.0.min(60.0), "{wet:?} frames/s after {quiet:?}");
    assert!(wet.1 > 0.8 * quiet.1, "{wet:?} steps/s after {quiet:?}");
}
