//! A studio in one thread, without sockets and clocks: connections are bytes in memory, and the
//! world takes a step whenever nothing else is to be done. For whoever tries what bytes do.

use crate::gallery::GALLERY;
use crate::rig::{self, Console, Servo};
use crate::server::{Frame, Hub, router};
use crate::stage::{Order, Show};
use crate::{StudioError, token};
use palpable_scene::Scene;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

/// The port that requests must name, though nobody listens there.
const PORT: u16 = 7200;
/// Turns without a pause before it is work on another thread that is waited for.
const BUSY: u32 = 64;
/// Turns between two steps of the world: most are for those who talk.
const BETWEEN: u32 = 8;
/// Bytes that may be on their way in either direction: the first words to a page, and frames.
const ROOM: usize = 1 << 20;

/// A studio that only the caller can visit.
#[derive(Debug)]
pub struct Indoors {
    runtime: Runtime,
    hub: Arc<Hub>,
    console: Console,
    servo: Servo,
    show: Box<Show>,
    visits: mpsc::UnboundedSender<DuplexStream>,
}

/// Where visitors come from.
struct Door(mpsc::UnboundedReceiver<DuplexStream>);

impl axum::serve::Listener for Door {
    type Io = DuplexStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.0.recv().await {
            Some(stream) => (stream, (Ipv4Addr::LOCALHOST, PORT).into()),
            // nobody can come any more
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        Ok((Ipv4Addr::LOCALHOST, PORT).into())
    }
}

impl Indoors {
    /// Begins with a scene of the gallery.
    ///
    /// # Errors
    /// There is no such scene, or the system lacks something.
    pub fn start(id: &str) -> Result<Self, StudioError> {
        let exhibit = GALLERY.iter().find(|exhibit| exhibit.id == id).unwrap_or(&GALLERY[0]);
        let show = Box::new(Show::of_scene(id, Scene::parse(exhibit.text, id)?)?);
        let (mut console, servo) = rig::apart(show.clone(), 1);
        let orders = std::mem::replace(&mut console.orders, rtrb::RingBuffer::new(1).0);
        let hub = Arc::new(Hub::new(orders, show.clone(), token::random()?, PORT, None)?);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.map_err(|e| StudioError::system("the web thread", e))?;
        let (visits, door) = mpsc::unbounded_channel();
        let routes = router(hub.clone(), Frame::Nobody);
        runtime.spawn(async move { axum::serve(Door(door), routes).await });
        Ok(Self { runtime, hub, console, servo, show, visits })
    }

    /// The port that requests must name.
    pub fn port(&self) -> u16 {
        PORT
    }

    /// The word in the address.
    pub fn token(&self) -> &str {
        self.hub.token()
    }

    /// Shows the first scene again, and forgets whatever visitors did.
    pub fn begin_again(&mut self) {
        self.hub.forget();
        self.hub.show(Some(self.show.clone()));
        self.hub.order(Order::Pause(false));
        for _ in 0..2 {
            self.servo.turn();
            self.hub.attend(&mut self.console);
        }
    }

    /// Says everything and then hears everything; what was heard, or nothing if the studio does not
    /// end the connection for so long after its visitor did.
    pub fn visit(&mut self, bytes: &[u8], within: Duration) -> Option<Vec<u8>> {
        let (ours, theirs) = tokio::io::duplex(ROOM);
        self.visits.send(theirs).ok()?;
        let (hub, console, servo) = (&self.hub, &mut self.console, &mut self.servo);
        self.runtime.block_on(async move {
            let (mut hear, mut say) = tokio::io::split(ours);
            let (mut turns, start) = (0, Instant::now());
            let talk = async {
                let mut heard = Vec::new();
                let all = async {
                    // a studio that does not want to hear more is no fault
                    let _ = say.write_all(bytes).await;
                    let _ = say.shutdown().await;
                };
                let _ = tokio::join!(all, hear.read_to_end(&mut heard));
                heard
            };
            tokio::pin!(talk);
            let heard = loop {
                tokio::select! {
                    biased;
                    heard = &mut talk => break heard,
                    () = pause(turns) => {}
                }
                if turns % BETWEEN == 0 {
                    servo.turn();
                    hub.attend(console);
                }
                turns += 1;
                if start.elapsed() > within {
                    return None;
                }
            };
            // whoever left is told to the others
            servo.turn();
            hub.attend(console);
            Some(heard)
        })
    }
}

/// Lets the tasks of the studio run, and threads that read files after a while.
async fn pause(turns: u32) {
    if turns < BUSY {
        tokio::task::yield_now().await;
    } else {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
