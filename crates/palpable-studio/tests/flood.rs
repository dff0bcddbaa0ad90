//! A hundred thousand random and malformed messages: no panic, no leak, the loop runs on.

use palpable_scene::Scene;
use palpable_studio::protocol::Command;
use palpable_studio::stage::{Show, Stage};
use palpable_studio::{GALLERY, Settings, Studio};
use std::net::TcpStream;
use std::time::Duration;
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
    for round in 0..if long { 6000 } else { 150 } {
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
        if round == 50 {
            before = memory();
        }
    }
    assert!(sent > 2_000 && reasons > silent, "{sent} sent, {reasons} reasons, {silent} without");
    println!("{sent} messages, {reasons} reasons, {silent} connections without");
    let grown = memory().saturating_sub(before);
    // two hundred connections more must not cost more than scenes and buffers of a few
    assert!(grown < 64 << 20, "{grown} bytes more");
    let mut socket = connect(&studio);
    socket.send(Message::text("{\"do\":\"load\",\"scene\":\"demo\"}")).expect("sent");
    socket.send(Message::text("{\"do\":\"pause\",\"on\":false}")).expect("sent");
    let mut frames = 0;
    while frames < 10 {
        frames += usize::from(matches!(socket.read().expect("a message"), Message::Binary(_)));
    }
}
