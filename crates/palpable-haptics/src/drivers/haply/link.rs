//! One WebSocket connection to the service: connect, say, hear.

use std::io::ErrorKind;
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use tungstenite::client::client_with_config;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, HandshakeError, Message, Utf8Bytes, WebSocket};

use crate::device::DeviceError;

/// Largest message that is read \[bytes\]; a state is about 1 kB.
const LARGEST: usize = 1 << 20;
/// Messages that are thrown away at once, at most.
const FLOOD: usize = 1000;

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

/// A connection.
pub struct Link {
    socket: WebSocket<TcpStream>,
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

impl Link {
    /// Connects; every reading or writing later takes at most `answer_within`.
    pub fn open(
        address: &str,
        open_within: Duration,
        answer_within: Duration,
    ) -> Result<Self, ConnectError> {
        let place = host_and_port(address)?;
        let silent = || ConnectError::NotRunning(place.to_owned());
        let mut found = place.to_socket_addrs().map_err(|_| silent())?;
        let stream = found.find_map(|a| TcpStream::connect_timeout(&a, open_within).ok());
        let stream = stream.ok_or_else(silent)?;
        let other = |why: String| ConnectError::NotTheService(place.to_owned(), why);
        let patience = |time| {
            stream.set_read_timeout(Some(time))?;
            stream.set_write_timeout(Some(time))
        };
        stream.set_nodelay(true).and(patience(open_within)).map_err(|e| other(e.to_string()))?;
        let held = stream.try_clone().map_err(|e| other(e.to_string()))?;
        let config = WebSocketConfig::default();
        let config = config.max_message_size(Some(LARGEST)).max_frame_size(Some(LARGEST));
        let (socket, _) = client_with_config(format!("ws://{place}/"), held, Some(config))
            .map_err(|error| match error {
                HandshakeError::Interrupted(_) => other("it says nothing".into()),
                HandshakeError::Failure(error) => other(error.to_string()),
            })?;
        patience(answer_within).map_err(|e| other(e.to_string()))?;
        Ok(Self { socket })
    }

    /// Sends a text.
    pub fn say(&mut self, text: &str) -> Result<(), Trouble> {
        self.socket.send(Message::text(text)).map_err(trouble)
    }

    /// The next text. Other messages are passed over, but never for longer than `within`.
    pub fn hear(&mut self, within: Duration) -> Result<Utf8Bytes, Trouble> {
        let deadline = Instant::now() + within;
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

    /// Reads away what has come unasked or late, so that answers do not queue up; the newest text.
    pub fn drain(&mut self) -> Result<Option<Utf8Bytes>, Trouble> {
        let switch = |link: &Self, on| {
            link.socket.get_ref().set_nonblocking(on).map_err(|_| Trouble::Broken)
        };
        switch(self, true)?;
        let mut newest = None;
        for _ in 0..FLOOD {
            match self.socket.read() {
                Ok(Message::Text(text)) => newest = Some(text),
                Ok(Message::Close(_)) => return Err(Trouble::Broken),
                Ok(_) => {}
                Err(error) => match trouble(error) {
                    Trouble::Silent => break,
                    Trouble::Broken => return Err(Trouble::Broken),
                },
            }
        }
        switch(self, false)?;
        Ok(newest)
    }

    /// Says good-bye, without waiting for an answer.
    pub fn close(mut self) {
        let _ = self.socket.close(None);
        let _ = self.socket.flush();
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
