//! A listener with patience of a measure: so many connections, and none that only waits.

use super::limits::MOST_CONNECTIONS;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// How long a connection may take.
#[derive(Debug, Clone, Copy)]
struct Times {
    /// A request must be whole, and be answered, in this time.
    request: Duration,
    /// A connection on which nothing is sent either way for this long is closed. A page is sent
    /// frames all the time.
    idle: Duration,
}

const USUAL: Times = Times { request: Duration::from_secs(30), idle: Duration::from_secs(60) };

/// So long after it last moved, a connection may lose its place to a new one. A page is sent frames
/// all the time, and is never so still.
const STILL: Duration = Duration::from_secs(1);

/// Takes connections, at most so many at a time. If all places are taken, the connection on which
/// nothing has happened for the longest time makes room: whoever only connects keeps nobody out.
#[derive(Debug)]
pub struct Patient {
    listener: TcpListener,
    places: Arc<Semaphore>,
    taken: Vec<Weak<Seat>>,
    times: Times,
}

/// What the listener knows of a connection.
#[derive(Debug)]
struct Seat {
    state: Mutex<Sitting>,
}

#[derive(Debug)]
struct Sitting {
    /// when something was last sent either way
    active: Instant,
    /// nothing was ever answered
    new: bool,
    /// its place is wanted
    over: bool,
    /// wakes whoever waits for bytes
    waker: Option<Waker>,
}

impl Seat {
    fn open(&self) -> MutexGuard<'_, Sitting> {
        // every change under the lock is complete in itself
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Patient {
    /// In front of a listener.
    pub fn new(listener: TcpListener) -> Self {
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        Self { listener, places, taken: Vec::new(), times: USUAL }
    }

    /// A place for one more, from the stillest of all if need be.
    async fn place(&mut self) -> Option<OwnedSemaphorePermit> {
        if self.taken.len() >= 2 * MOST_CONNECTIONS {
            self.taken.retain(|seat| seat.strong_count() > 0);
        }
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return Some(place);
        }
        let seats = self.taken.iter().filter_map(Weak::upgrade);
        let still = seats.filter(|seat| {
            let sitting = seat.open();
            !sitting.over && (sitting.new || sitting.active.elapsed() > STILL)
        });
        if let Some(seat) = still.min_by_key(|seat| seat.open().active) {
            let mut sitting = seat.open();
            sitting.over = true;
            sitting.waker.take().into_iter().for_each(Waker::wake);
        }
        // never closed, so always given
        self.places.clone().acquire_owned().await.ok()
    }
}

impl axum::serve::Listener for Patient {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    let place = self.place().await;
                    let connection = Connection::new(stream, place, self.times);
                    self.taken.push(Arc::downgrade(&connection.seat));
                    return (connection, address);
                }
                // too many files, or a connection that was gone at once
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

/// A connection that ends by itself when nothing comes of it.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    /// given back when it is dropped
    _place: Option<OwnedSemaphorePermit>,
    seat: Arc<Seat>,
    /// when the present request began; none once it is answered
    asked: Option<Instant>,
    alarm: Pin<Box<Sleep>>,
    times: Times,
}

impl Connection {
    fn new(stream: TcpStream, place: Option<OwnedSemaphorePermit>, times: Times) -> Self {
        let now = Instant::now();
        let alarm = Box::pin(sleep(times.request));
        let sitting = Sitting { active: now, new: true, over: false, waker: None };
        let seat = Arc::new(Seat { state: Mutex::new(sitting) });
        Self { stream, _place: place, seat, asked: Some(now), alarm, times }
    }

    /// Ready when its time is over or its place wanted; wakes the task then.
    fn poll_over(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let active = {
            let mut sitting = self.seat.open();
            if sitting.over {
                return Poll::Ready(());
            }
            sitting.waker = Some(context.waker().clone());
            sitting.active
        };
        let request = self.asked.map(|asked| asked + self.times.request);
        let end = request.unwrap_or(active + self.times.idle);
        if self.alarm.deadline() != end {
            self.alarm.as_mut().reset(end);
        }
        self.alarm.as_mut().poll(context)
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(read) => {
                if buffer.filled().len() > before {
                    let now = Instant::now();
                    self.seat.open().active = now;
                    self.asked.get_or_insert(now);
                }
                Poll::Ready(read)
            }
            Poll::Pending => match self.poll_over(context) {
                Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
                Poll::Pending => Poll::Pending,
            },
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if let Poll::Ready(Ok(_)) = written {
            self.asked = None;
            let mut sitting = self.seat.open();
            (sitting.active, sitting.new) = (Instant::now(), false);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    /// A server with two places; its address.
    fn serve(runtime: &tokio::runtime::Runtime, times: Times) -> SocketAddr {
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let address = listener.local_addr().expect("an address");
        let places = Arc::new(Semaphore::new(2));
        let patient = Patient { listener, places, taken: Vec::new(), times };
        let router = axum::Router::new().fallback(|| async { "served" });
        runtime.spawn(async move { axum::serve(patient, router).await });
        address
    }

    fn runtime() -> tokio::runtime::Runtime {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        runtime.expect("a runtime")
    }

    fn connect(address: SocketAddr, text: &str) -> std::net::TcpStream {
        let mut stream = std::net::TcpStream::connect(address).expect("connected");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream.write_all(text.as_bytes()).expect("sent");
        stream
    }

    /// What comes until the end or a reset.
    fn rest(mut stream: std::net::TcpStream) -> String {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    const WHOLE: &str = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    /// Requests that are never whole, and connections that only stay, are closed.
    #[test]
    fn connections_that_only_wait_are_closed() {
        let runtime = runtime();
        let brief = Duration::from_millis(300);
        let address = serve(&runtime, Times { request: brief, idle: brief });
        let stuck = [connect(address, ""), connect(address, "GET / HT")];
        stuck.into_iter().for_each(|stream| assert!(!rest(stream).contains("served")));
        assert!(rest(connect(address, WHOLE)).contains("served"), "answered, then closed");
    }

    /// Two places and a hundred who take none: whoever asks is served at once, in the order of
    /// coming, and the stillest are sent away.
    #[test]
    fn whoever_only_connects_keeps_nobody_out() {
        let runtime = runtime();
        let long = Duration::from_secs(3600);
        let address = serve(&runtime, Times { request: long, idle: long });
        let idle: Vec<_> = (0..100).map(|_| connect(address, "")).collect();
        let mut asked = connect(address, WHOLE);
        let mut some = [0; 12];
        asked.read_exact(&mut some).expect("served, though all places are taken");
        let gone = idle.into_iter().take(98).map(rest);
        assert!(gone.into_iter().all(|words| words.is_empty()));
    }
}
