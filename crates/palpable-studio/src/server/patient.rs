//! A listener with patience of a measure: so many connections, and none that only waits.

use super::limits::MOST_CONNECTIONS;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
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

/// Takes connections, at most so many at a time.
#[derive(Debug)]
pub struct Patient {
    listener: TcpListener,
    places: Arc<Semaphore>,
    times: Times,
}

impl Patient {
    /// In front of a listener.
    pub fn new(listener: TcpListener) -> Self {
        Self { listener, places: Arc::new(Semaphore::new(MOST_CONNECTIONS)), times: USUAL }
    }
}

impl axum::serve::Listener for Patient {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            // never closed, so always given
            let place = self.places.clone().acquire_owned().await.ok();
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    return (Connection::new(stream, place, self.times), address);
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
    /// when the present request began; none once it is answered
    asked: Option<Instant>,
    active: Instant,
    alarm: Pin<Box<Sleep>>,
    times: Times,
}

impl Connection {
    fn new(stream: TcpStream, place: Option<OwnedSemaphorePermit>, times: Times) -> Self {
        let now = Instant::now();
        let alarm = Box::pin(sleep(times.request));
        Self { stream, _place: place, asked: Some(now), active: now, alarm, times }
    }

    /// Ready when its time is over; wakes the task then.
    fn poll_over(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let request = self.asked.map(|asked| asked + self.times.request);
        let end = request.unwrap_or(self.active + self.times.idle);
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
                    self.active = now;
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
            (self.asked, self.active) = (None, Instant::now());
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

    /// Two places; requests that are never whole, and connections that only stay, are closed, and
    /// the next in line is served.
    #[test]
    fn connections_that_only_wait_make_room_for_others() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let address = listener.local_addr().expect("an address");
        let times = Times { request: Duration::from_millis(300), idle: Duration::from_millis(300) };
        let patient = Patient { listener, places: Arc::new(Semaphore::new(2)), times };
        let router = axum::Router::new().fallback(|| async { "served" });
        runtime.spawn(async move { axum::serve(patient, router).await });
        let connect = |text: &str| {
            let mut stream = std::net::TcpStream::connect(address).expect("connected");
            stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
            stream.write_all(text.as_bytes()).expect("sent");
            stream
        };
        let whole = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        let (mut silent, mut half) = (connect(""), connect("GET / HT"));
        let mut third = connect(whole);
        for stuck in [&mut silent, &mut half] {
            let mut rest = Vec::new();
            // an end or a reset, but no answer
            let _ = stuck.read_to_end(&mut rest);
            assert!(!String::from_utf8_lossy(&rest).contains("served"));
        }
        let mut text = String::new();
        third.read_to_string(&mut text).expect("answered, then closed for being idle");
        assert!(text.contains("served"), "{text}");
    }
}
