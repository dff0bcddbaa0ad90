//! SpaceMouse and its kin through the socket of `spacenavd`: input only.
//!
//! The daemon sends 8 integers of 32 bits an event: a deflection (kind 0: x, y, z, rx, ry, rz and a
//! time), a button pressed (1) or released (2). Its x is to the right, y up, z away from the user.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::device::{Axes, Buttons, Capabilities, Device, DeviceError, Motion, Sample};
use crate::safety::Command;
use palpable::Vec3;

/// Bytes of an event.
const EVENT: usize = 32;
/// Time between two looks at whether the device is being closed.
const LOOK: Duration = Duration::from_millis(50);

/// Where the daemon is, and how fast a full deflection flies.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceMouseSettings {
    /// The daemon's socket.
    pub socket: PathBuf,
    /// Counts of a full deflection.
    pub full: f64,
    /// Speed of a full deflection [m/s].
    pub speed: f64,
    /// Turning of a full deflection [rad/s].
    pub turning: f64,
    /// Rate of the loop that reads it [Hz].
    pub rate: f64,
}

impl Default for SpaceMouseSettings {
    fn default() -> Self {
        Self {
            socket: "/var/run/spnav.sock".into(),
            full: 350.0,
            speed: 0.1,
            turning: 0.8,
            rate: 1000.0,
        }
    }
}

/// What is told by the daemon, latest value.
#[derive(Debug, Clone, Copy, Default)]
struct Deflection {
    motion: [i32; 6],
    buttons: u32,
    lost: bool,
}

/// A SpaceMouse: how hard it is deflected, as a wish of velocity.
pub struct SpaceMouse {
    capabilities: Capabilities,
    settings: SpaceMouseSettings,
    latest: triple_buffer::Output<Deflection>,
    closing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    reads: u64,
}

/// Connects to the daemon and lets go again.
/// # Errors
/// No daemon, or no permission; with the cure.
pub fn find(socket: &Path) -> Result<(), DeviceError> {
    connect(socket).map(drop)
}

impl SpaceMouse {
    /// Connects to the daemon.
    /// # Errors
    /// No daemon, or no permission; with the cure.
    pub fn open(settings: SpaceMouseSettings) -> Result<Self, DeviceError> {
        let stream = connect(&settings.socket)?;
        let (to, latest) = triple_buffer::triple_buffer(&Deflection::default());
        let closing = Arc::new(AtomicBool::new(false));
        let ends = closing.clone();
        let builder = std::thread::Builder::new().name("palpable-spacemouse".into());
        let thread = builder
            .spawn(move || listen(stream, to, &ends))
            .map_err(|e| DeviceError::Refused(format!("no thread: {e}").into()))?;
        let capabilities = Capabilities {
            buttons: 32,
            ..Capabilities::input("SpaceMouse", Axes::SIX, Motion::Twist, settings.rate)
        };
        Ok(Self { capabilities, settings, latest, closing, thread: Some(thread), reads: 0 })
    }
}

#[cfg(unix)]
type Stream = std::os::unix::net::UnixStream;
#[cfg(not(unix))]
type Stream = std::io::Empty;

#[cfg(unix)]
fn connect(socket: &Path) -> Result<Stream, DeviceError> {
    let place = socket.display();
    let stream = Stream::connect(socket).map_err(|error| {
        DeviceError::Refused(
            match error.kind() {
                ErrorKind::PermissionDenied => format!(
                    "no permission for {place}: ask for membership in the group that owns it"
                ),
                ErrorKind::NotFound | ErrorKind::ConnectionRefused => format!(
                    "spacenavd does not run ({place}): install it (Debian: apt install \
                     spacenavd) and start it (systemctl start spacenavd)"
                ),
                _ => format!("{place}: {error}"),
            }
            .into(),
        )
    })?;
    stream
        .set_read_timeout(Some(LOOK))
        .map_err(|error| DeviceError::Refused(format!("{place}: {error}").into()))?;
    Ok(stream)
}

#[cfg(not(unix))]
fn connect(_: &Path) -> Result<Stream, DeviceError> {
    Err(DeviceError::Refused("spacenavd exists on Unix systems only".into()))
}

/// Reads events until the device is closed or the daemon ends.
fn listen(mut stream: Stream, mut to: triple_buffer::Input<Deflection>, closing: &AtomicBool) {
    let mut now = Deflection::default();
    let (mut event, mut filled) = ([0; EVENT], 0);
    while !closing.load(Ordering::Acquire) {
        match stream.read(&mut event[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == ErrorKind::WouldBlock || e.kind() == ErrorKind::TimedOut => {}
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
        if filled == EVENT {
            filled = 0;
            take(&event, &mut now);
            to.write(now);
        }
    }
    // a hand that is gone wishes nothing
    to.write(Deflection { lost: true, ..Deflection::default() });
}

fn take(event: &[u8; EVENT], now: &mut Deflection) {
    let word = |i: usize| {
        i32::from_ne_bytes([event[4 * i], event[4 * i + 1], event[4 * i + 2], event[4 * i + 3]])
    };
    let button = u32::try_from(word(1)).ok().and_then(|bit| 1u32.checked_shl(bit)).unwrap_or(0);
    match word(0) {
        0 => now.motion = std::array::from_fn(|i| word(i + 1)),
        1 => now.buttons |= button,
        2 => now.buttons &= !button,
        // changes of devices and settings, raw events
        _ => {}
    }
}

impl Device for SpaceMouse {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn read(&mut self) -> Result<Sample, DeviceError> {
        let now = *self.latest.read();
        if now.lost || self.thread.is_none() {
            return Err(DeviceError::Lost("spacenavd ended; start it again".into()));
        }
        self.reads += 1;
        let s = &self.settings;
        let part = |i: usize| (f64::from(now.motion[i]) / s.full).clamp(-1.0, 1.0);
        Ok(Sample {
            sequence: self.reads,
            velocity: Some(s.speed * Vec3::new(part(0), part(2), part(1))),
            angular_velocity: Some(s.turning * Vec3::new(part(3), part(5), part(4))),
            buttons: Buttons(now.buttons),
            ..Sample::default()
        })
    }

    fn write(&mut self, _: &Command) -> Result<(), DeviceError> {
        Ok(())
    }

    fn close(&mut self) -> Result<(), DeviceError> {
        self.closing.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        Ok(())
    }
}

impl Drop for SpaceMouse {
    fn drop(&mut self) {
        let _ = self.close();
    }
}
