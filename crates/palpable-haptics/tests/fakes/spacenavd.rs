//! A stand-in for spacenavd: its socket and its events.

use std::io::Write;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A daemon that waits for one client.
pub struct FakeSpacenavd {
    pub socket: PathBuf,
    listener: UnixListener,
    client: Option<UnixStream>,
}

impl FakeSpacenavd {
    /// Listens at a place of its own.
    pub fn start() -> Self {
        let count = COUNT.fetch_add(1, Ordering::SeqCst);
        // a short path: sockets allow 107 bytes
        let name = format!("palpable-spnav-{}-{count}.sock", std::process::id());
        let socket = std::env::temp_dir().join(name);
        let _ = std::fs::remove_file(&socket);
        let listener = UnixListener::bind(&socket).expect("a socket");
        Self { socket, listener, client: None }
    }

    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// Takes the client that has connected.
    pub fn accept(&mut self) {
        self.client = Some(self.listener.accept().expect("a client").0);
    }

    /// Sends an event.
    pub fn send(&mut self, event: [i32; 8]) {
        let bytes: Vec<u8> = event.iter().flat_map(|word| word.to_ne_bytes()).collect();
        self.send_bytes(&bytes);
    }

    /// Sends any bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.client.as_mut().expect("a client").write_all(bytes).expect("a reader");
    }

    /// Hangs up.
    pub fn hang_up(&mut self) {
        self.client = None;
    }
}

impl Drop for FakeSpacenavd {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.socket);
    }
}
