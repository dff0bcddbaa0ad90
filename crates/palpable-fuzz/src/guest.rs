//! Bytes sent to a studio by somebody who knows its token, all in one thread.

use palpable_studio::indoors::Indoors;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Threads and tasks of the program that broke down.
static BROKEN: AtomicU64 = AtomicU64::new(0);
static WATCH: Once = Once::new();

/// Visits before the studio begins anew: what one has left behind may trouble the next.
const VISITS: usize = 16;
/// The studio answers or leaves in this time, however busy the machine is.
const WITHIN: Duration = Duration::from_secs(60);

/// A studio and whoever visits it.
pub struct Guest {
    studio: Indoors,
    visits: usize,
}

/// A light scene with a spring, a hand and nothing that touches: most inputs are about the door.
fn studio() -> Indoors {
    Indoors::start("reference-port").unwrap_or_else(|error| unreachable!("a studio: {error}"))
}

impl Guest {
    /// Begins a studio, and takes note of everything that breaks down from now on.
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

    /// True if the next visit is the first since the studio began.
    pub fn is_new(&self) -> bool {
        self.visits == 0 || self.visits == VISITS
    }

    /// Sends a request as it is, with our token and port in it; anything else after a handshake.
    ///
    /// # Panics
    /// Something in the studio broke down, or it does not let go of the connection.
    pub fn visit(&mut self, input: &[u8]) {
        let broken = BROKEN.load(Ordering::SeqCst);
        if self.visits == VISITS {
            self.studio.begin_again();
            self.visits = 0;
        }
        self.visits += 1;
        let request =
            [&b"GET "[..], b"POST ", b"PUT ", b"HEAD "].iter().any(|m| input.starts_with(m));
        let mut bytes = if request { Vec::new() } else { self.handshake() };
        bytes.extend_from_slice(&if request { self.filled(input) } else { input.to_vec() });
        let left = self.studio.visit(&bytes, WITHIN).is_some();
        assert!(left, "the studio lets go of a connection that has ended");
        assert_eq!(BROKEN.load(Ordering::SeqCst), broken, "something in the studio broke down");
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
