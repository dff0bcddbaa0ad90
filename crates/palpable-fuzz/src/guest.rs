//! Bytes sent to a running studio by somebody who knows its token.

use palpable_studio::{Settings, Studio};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Threads of the program that broke down.
static BROKEN: AtomicU64 = AtomicU64::new(0);
static WATCH: Once = Once::new();

/// Visits before the studio begins anew; it makes visitors wait after more that were sent away.
const VISITS: u32 = 30;
/// The studio answers or leaves in this time.
const WITHIN: Duration = Duration::from_secs(12);

/// A studio and whoever visits it.
pub struct Guest {
    studio: Studio,
    visits: u32,
}

fn studio() -> Studio {
    Studio::start(Settings::default()).unwrap_or_else(|error| unreachable!("a studio: {error}"))
}

impl Guest {
    /// Starts a studio, and takes note of every thread that breaks down from now on.
    pub fn new() -> Self {
        WATCH.call_once(|| {
            let usual = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                BROKEN.fetch_add(1, Ordering::SeqCst);
                usual(info);
            }));
        });
        Self { studio: studio(), visits: 0 }
    }

    /// Sends a request as it is, with our token and port in it; anything else after a handshake.
    ///
    /// # Panics
    /// A thread of the studio broke down, or the studio does not let go of the connection.
    pub fn visit(&mut self, input: &[u8]) {
        let broken = BROKEN.load(Ordering::SeqCst);
        self.visits += 1;
        if self.visits > VISITS {
            (self.studio, self.visits) = (studio(), 0);
        }
        let request =
            [&b"GET "[..], b"POST ", b"PUT ", b"HEAD "].iter().any(|m| input.starts_with(m));
        let mut bytes = if request { Vec::new() } else { self.handshake() };
        bytes.extend_from_slice(&if request { self.filled(input) } else { input.to_vec() });
        if let Ok(stream) = TcpStream::connect(("127.0.0.1", self.studio.port())) {
            let left = converse(stream, &bytes);
            assert!(left, "the studio lets go of a connection that has ended");
        }
        assert_eq!(BROKEN.load(Ordering::SeqCst), broken, "threads of the studio broke down");
    }

    fn handshake(&self) -> Vec<u8> {
        let (port, token) = (self.studio.port(), self.studio.token());
        format!(
            "GET /{token}/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
             Origin: http://127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        .into_bytes()
    }

    /// A request with our token and port in the places of those words.
    fn filled(&self, input: &[u8]) -> Vec<u8> {
        let put = |text: Vec<u8>, word: &[u8], with: &str| {
            let mut out = Vec::new();
            let mut rest = &text[..];
            while let Some(at) = rest.windows(word.len()).position(|w| w == word) {
                out.extend_from_slice(&rest[..at]);
                out.extend_from_slice(with.as_bytes());
                rest = &rest[at + word.len()..];
            }
            out.extend_from_slice(rest);
            out
        };
        let text = put(input.to_vec(), b"TOKEN", self.studio.token());
        put(text, b"PORT", &self.studio.port().to_string())
    }
}

/// Says everything and then hears everything; false if the other side does not end it.
fn converse(mut stream: TcpStream, bytes: &[u8]) -> bool {
    let start = Instant::now();
    let _ = stream.set_read_timeout(Some(WITHIN));
    let _ = stream.set_write_timeout(Some(WITHIN));
    let _ = stream.write_all(bytes).and_then(|()| stream.shutdown(Shutdown::Write));
    let mut waste = [0; 1 << 16];
    while start.elapsed() < WITHIN {
        match stream.read(&mut waste) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() != std::io::ErrorKind::WouldBlock,
        }
    }
    false
}
