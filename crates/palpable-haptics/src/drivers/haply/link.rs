//! One WebSocket connection to the service: connect, say, hear.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use tungstenite::client::client_with_config;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, HandshakeError, Message, Utf8Bytes, WebSocket};

use crate::device::DeviceError;

/// Largest message that is read \[bytes\]; a state is about 1 kB.
const LARGEST: usize = 1 << 20;
/// Messages that are thrown away at once, at most.
const FLOOD: usize = 1000;
/// Shortest time that a socket can be asked to wait.
const BRIEF: Duration = Duration::from_millis(1);

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// Not `HOST:PORT`.
    #[error("`{0}` is no address: write HOST:PORT, e.g. 127.0.0.1:10001")]
    Address(String),
    /// Nobody listens there.
    #[error(
        "nothing answers at {0}: start the Haply Inverse Service (Haply Hub, or `systemctl start \
         haply-inverse-service`), or give its address"
    )]
    NotRunning(String),
    /// Something else listens there.
    #[error("what answers at {0} is not the Haply service ({1}): give the right address")]
    NotTheService(String, String),
}

impl From<ConnectError> for DeviceError {
    fn from(error: ConnectError) -> Self {
        DeviceError::Refused(error.to_string().into())
    }
}

/// What went wrong while talking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Nothing in time; the connection may be sound.
    Silent,
    /// The connection is over.
    Broken,
}

/// A stream whose reads and writes together end at a deadline, however many there are: a message
/// that comes byte by byte is put off as one that does not come.
struct Timed {
    stream: TcpStream,
    /// none to take what is there and not to wait
    deadline: Option<Instant>,
}

impl Timed {
    /// Lets the system wait for what is left of the time.
    fn left(&self) -> io::Result<Option<Duration>> {
        let Some(deadline) = self.deadline else { return Ok(None) };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::WouldBlock.into()) } else { Ok(Some(left.max(BRIEF))) }
    }

    /// Everything until further notice is over at `deadline`; without one nothing waits.
    fn until(&mut self, deadline: Option<Instant>) -> io::Result<()> {
        self.deadline = deadline;
        self.stream.set_nonblocking(deadline.is_none())
    }
}

impl Read for Timed {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if let Some(left) = self.left()? {
            self.stream.set_read_timeout(Some(left))?;
        }
        self.stream.read(to)
    }
}

impl Write for Timed {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        if let Some(left) = self.left()? {
            self.stream.set_write_timeout(Some(left))?;
        }
        self.stream.write(from)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// A connection.
pub struct Link {
    socket: WebSocket<Timed>,
}

/// A connection that we have left: nothing more is sent, and what still comes is read away until
/// the other side ends it, so that the system does not throw away what it has not read yet.
pub struct Left {
    stream: TcpStream,
    until: Instant,
}

impl Left {
    /// True once the other side has ended it too, or its time is over.
    pub fn is_over(&mut self) -> bool {
        let mut waste = [0; 4096];
        for _ in 0..FLOOD {
            match self.stream.read(&mut waste) {
                Ok(0) => return true,
                Ok(_) => {}
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                Err(_) => return true,
            }
        }
        Instant::now() >= self.until
    }
}

/// `HOST:PORT` of an address that may be written as `ws://HOST:PORT/`.
fn host_and_port(address: &str) -> Result<&str, ConnectError> {
    let bare = address.strip_prefix("ws://").unwrap_or(address).trim_end_matches('/');
    let port = bare.rsplit_once(':').map(|(host, port)| (host, port.parse::<u16>()));
    match port {
        Some((host, Ok(_))) if !host.is_empty() && !bare.contains('/') => Ok(bare),
        _ => Err(ConnectError::Address(address.to_owned())),
    }
}

/// How much is taken at once.
pub fn config() -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(Some(LARGEST)).max_frame_size(Some(LARGEST))
}

impl Link {
    /// Connects within `open_within`.
    pub fn open(address: &str, open_within: Duration) -> Result<Self, ConnectError> {
        let place = host_and_port(address)?;
        let silent = || ConnectError::NotRunning(place.to_owned());
        let mut found = place.to_socket_addrs().map_err(|_| silent())?;
        let stream = found.find_map(|a| TcpStream::connect_timeout(&a, open_within).ok());
        let stream = stream.ok_or_else(silent)?;
        let other = |why: String| ConnectError::NotTheService(place.to_owned(), why);
        stream.set_nodelay(true).map_err(|e| other(e.to_string()))?;
        let timed = Timed { stream, deadline: Some(Instant::now() + open_within) };
        let (socket, _) = client_with_config(format!("ws://{place}/"), timed, Some(config()))
            .map_err(|error| match error {
                HandshakeError::Interrupted(_) => other("it says nothing".into()),
                HandshakeError::Failure(error) => other(error.to_string()),
            })?;
        Ok(Self { socket })
    }

    fn until(&mut self, deadline: Option<Instant>) -> Result<(), Trouble> {
        self.socket.get_mut().until(deadline).map_err(|_| Trouble::Broken)
    }

    /// Sends a text within `within`. One that does not go out whole in time is a broken
    /// connection: as only one is on its way, the other side takes nothing any more.
    pub fn say(&mut self, text: &str, within: Duration) -> Result<(), Trouble> {
        self.until(Some(Instant::now() + within))?;
        self.socket.send(Message::text(text)).map_err(|_| Trouble::Broken)
    }

    /// The next text. Other messages are passed over, but never for longer than `within`.
    pub fn hear(&mut self, within: Duration) -> Result<Utf8Bytes, Trouble> {
        let deadline = Instant::now() + within;
        self.until(Some(deadline))?;
        while Instant::now() < deadline {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Ok(text),
                Ok(Message::Close(_)) => return Err(Trouble::Broken),
                Ok(_) => {}
                Err(error) => match trouble(error) {
                    Trouble::Silent => {}
                    Trouble::Broken => return Err(Trouble::Broken),
                },
            }
        }
        Err(Trouble::Silent)
    }

    /// Reads away what has come unasked or late, so that answers do not queue up; how many texts.
    pub fn drain(&mut self) -> Result<usize, Trouble> {
        self.until(None)?;
        let mut texts = 0;
        for _ in 0..FLOOD {
            match self.socket.read() {
                Ok(Message::Text(_)) => texts += 1,
                Ok(Message::Close(_)) => return Err(Trouble::Broken),
                Ok(_) => {}
                Err(error) => match trouble(error) {
                    Trouble::Silent => break,
                    Trouble::Broken => return Err(Trouble::Broken),
                },
            }
        }
        Ok(texts)
    }

    /// Says good-bye, without waiting for an answer; what is left is to be read away for `linger`.
    pub fn leave(mut self, linger: Duration) -> Option<Left> {
        let until = Instant::now() + linger;
        self.until(None).ok()?;
        let _ = self.socket.close(None);
        let _ = self.socket.flush();
        let stream = &self.socket.get_ref().stream;
        let _ = stream.shutdown(Shutdown::Write);
        stream.try_clone().ok().map(|stream| Left { stream, until })
    }
}

fn trouble(error: Error) -> Trouble {
    match error {
        Error::Io(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
            Trouble::Silent
        }
        Error::Io(e) if e.kind() == ErrorKind::Interrupted => Trouble::Silent,
        _ => Trouble::Broken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_hosts_with_ports() {
        for good in ["127.0.0.1:10001", "ws://localhost:10001", "ws://[::1]:9/"] {
            assert!(host_and_port(good).is_ok(), "{good}");
        }
        for bad in ["", "localhost", ":1", "localhost:x", "wss://a:1", "a:1/b", "a:99999"] {
            let error = host_and_port(bad).unwrap_err();
            assert!(error.to_string().contains("HOST:PORT"), "{bad}");
        }
    }
}
