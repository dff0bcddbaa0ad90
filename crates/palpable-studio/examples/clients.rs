//! Does a page cost the servo thread anything? CPU time per step with 0, 1 and 8 plain WebSocket
//! clients, which read every frame but draw nothing; and how soon a hand's move shows in a frame.
//!
//! `cargo run --release -p palpable-studio --example clients` (Linux: reads `/proc`).

use palpable_studio::{Settings, Studio};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket, stream::MaybeTlsStream};

type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

fn connect(studio: &Studio) -> Socket {
    let port = studio.port();
    let address = format!("ws://127.0.0.1:{port}/{}/socket", studio.token());
    let mut request = address.into_client_request().expect("an address");
    let origin = format!("http://127.0.0.1:{port}");
    request.headers_mut().insert("origin", origin.parse().expect("a header"));
    tungstenite::connect(request).expect("let in").0
}

/// CPU time of the servo thread so far [ns].
fn servo_time() -> Option<u64> {
    for task in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
        let name = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        if name.trim() == "palpable-servo" {
            let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            return text.split(' ').next()?.parse().ok();
        }
    }
    None
}

/// A number of the `loop` section of a frame, or of the `hand` section.
fn section(bytes: &[u8], wanted: u8) -> Option<&[u8]> {
    let mut at = 16;
    while at + 8 <= bytes.len() {
        let length = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().ok()?) as usize;
        if bytes[at] == wanted {
            return bytes.get(at + 8..at + 8 + length);
        }
        at += 8 + length;
    }
    None
}

fn ticks(bytes: &[u8]) -> Option<f64> {
    Some(f64::from_le_bytes(section(bytes, 5)?.get(..8)?.try_into().ok()?))
}

fn held_force(bytes: &[u8]) -> Option<f32> {
    let hand = section(bytes, 2)?;
    let at = |i: usize| f32::from_le_bytes(hand[i * 4..i * 4 + 4].try_into().unwrap_or_default());
    Some((6..9).map(|i| at(i) * at(i)).sum::<f32>().sqrt())
}

fn steps(socket: &mut Socket) -> f64 {
    loop {
        if let Ok(Message::Binary(bytes)) = socket.read()
            && let Some(ticks) = ticks(&bytes)
        {
            return ticks;
        }
    }
}

fn reader(mut socket: Socket, stop: Arc<AtomicBool>, frames: Arc<AtomicU64>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        while !stop.load(Ordering::Relaxed) && socket.read().is_ok() {
            frames.fetch_add(1, Ordering::Relaxed);
        }
    })
}

/// CPU time per step [µs] over `seconds` with so many clients, and frames that each received.
fn measure(studio: &Studio, clients: usize, seconds: u64) -> Option<(f64, f64)> {
    let stop = Arc::new(AtomicBool::new(false));
    let frames = Arc::new(AtomicU64::new(0));
    let readers: Vec<_> =
        (0..clients).map(|_| reader(connect(studio), stop.clone(), frames.clone())).collect();
    let count = || {
        let mut probe = connect(studio);
        steps(&mut probe)
    };
    std::thread::sleep(Duration::from_millis(500));
    let (first, begin) = (count(), servo_time()?);
    frames.store(0, Ordering::Relaxed);
    std::thread::sleep(Duration::from_secs(seconds));
    let (last, end) = (count(), servo_time()?);
    stop.store(true, Ordering::Relaxed);
    readers.into_iter().for_each(|r| drop(r.join()));
    let received = frames.load(Ordering::Relaxed) as f64 / (clients.max(1) as u64 * seconds) as f64;
    Some(((end - begin) as f64 / 1e3 / (last - first), received))
}

/// From sending a grip and a move to the frame that shows its force [ms], many times.
fn latency(studio: &Studio, times: usize) -> Vec<f64> {
    let mut socket = connect(studio);
    let mut found = Vec::new();
    for _ in 0..times {
        let text = |t: &str| Message::text(t.to_owned());
        socket.send(text(r#"{"do":"grab","body":0,"point":[0,0,0]}"#)).expect("sent");
        let begin = Instant::now();
        socket.send(text(r#"{"do":"move","target":[0.3,0.1,0.9]}"#)).expect("sent");
        loop {
            if let Ok(Message::Binary(bytes)) = socket.read()
                && held_force(&bytes).is_some_and(|f| f > 1e-3)
            {
                break;
            }
        }
        found.push(begin.elapsed().as_secs_f64() * 1e3);
        socket.send(text(r#"{"do":"release"}"#)).expect("sent");
        loop {
            if let Ok(Message::Binary(bytes)) = socket.read()
                && held_force(&bytes).is_some_and(|f| f == 0.0)
            {
                break;
            }
        }
    }
    found.sort_by(f64::total_cmp);
    found
}

fn main() {
    let studio = Studio::start(Settings::default()).expect("a studio");
    println!("clients   CPU per step   frames/s each");
    for round in 0..3 {
        for clients in [0, 1, 8] {
            let Some((time, frames)) = measure(&studio, clients, 6) else {
                println!("this system does not tell a thread's CPU time");
                return;
            };
            println!("{clients:>7}   {time:>9.2} us   {frames:>10.1}   round {round}");
        }
    }
    let found = latency(&studio, 60);
    let at = |q: f64| found[((found.len() - 1) as f64 * q) as usize];
    println!(
        "move to force in a frame: median {:.1} ms, p90 {:.1}, max {:.1}",
        at(0.5),
        at(0.9),
        at(1.0)
    );
}
