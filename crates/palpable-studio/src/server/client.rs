//! One page: reads its commands, sends it frames and events.

use super::limits::{Bucket, MOST_MISTAKES};
use super::{Hub, gauge, load};
use crate::gallery;
use crate::protocol::{Command, Event, Wish};
use crate::stage::{Edit, Order};
use axum::Error;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use palpable_passivity::Device;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// A page that does not take a message for this long is gone.
const STUCK: Duration = Duration::from_secs(10);

/// The end of a connection: code and words for the page, or nothing if it is gone already.
type Gone = Option<(u16, String)>;

/// Serves a page until it leaves or misbehaves.
pub async fn serve(hub: Arc<Hub>, mut socket: WebSocket) {
    let Some(page) = hub.arrive() else {
        close(socket, (close_code::AGAIN, "too many pages are open; close one".into())).await;
        return;
    };
    let Err(gone) = talk(&hub, &mut socket, page).await;
    hub.leave(page);
    if let Some(reason) = gone {
        if reason.0 != close_code::AWAY {
            hub.note_rude();
        }
        close(socket, reason).await;
    }
}

async fn close(mut socket: WebSocket, (code, mut reason): (u16, String)) {
    // a close frame holds 123 bytes
    while reason.len() > 123 {
        reason.pop();
    }
    let frame = CloseFrame { code, reason: reason.into() };
    if timeout(STUCK, socket.send(Message::Close(Some(frame)))).await.is_ok() {
        // wait for the answer, so that the words arrive before the connection is torn down
        let rest = async { while let Some(Ok(_)) = socket.recv().await {} };
        let _ = timeout(Duration::from_secs(1), rest).await;
    }
}

async fn talk(hub: &Arc<Hub>, socket: &mut WebSocket, page: u64) -> Result<Infallible, Gone> {
    let (mut events, mut frames) = (hub.events.subscribe(), hub.frames.subscribe());
    send(socket, Message::text(hub.hello(page))).await?;
    for event in [hub.own_scenes(), hub.scene(), hub.hand()] {
        send(socket, Message::text(event.text())).await?;
    }
    let bucket = Bucket::new(600.0, 300.0, Instant::now());
    let mut visitor = Visitor { page, bucket, mistakes: 0, question: None, work: None };
    loop {
        visitor.begin_work(hub);
        tokio::select! {
            answer = answer(&mut visitor.work) => {
                visitor.work = None;
                send(socket, Message::text(answer.text())).await?;
            }
            message = socket.recv() => {
                if let Some(answer) = visitor.read(hub, message).await? {
                    send(socket, Message::text(answer.text())).await?;
                }
            }
            event = events.recv() => {
                let text = match event {
                    Ok(text) => text.to_string(),
                    // a page that missed events is told everything again
                    Err(RecvError::Lagged(_)) => hub.scene().text(),
                    Err(RecvError::Closed) => {
                        return Err(Some((close_code::AWAY, "the studio ends".into())));
                    }
                };
                send(socket, Message::text(text)).await?;
            }
            _ = frames.changed() => {
                let bytes = frames.borrow_and_update().clone();
                send(socket, Message::Binary(bytes)).await?;
            }
        }
    }
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), Gone> {
    match timeout(STUCK, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(None),
        Err(_) => Err(Some((close_code::AWAY, "the page takes no messages".into()))),
    }
}

/// The answer of an analysis; never, if there is none at work.
async fn answer(work: &mut Option<JoinHandle<Event>>) -> Event {
    match work {
        Some(work) => work.await.unwrap_or_else(|_| Event::Error {
            text: "gauge: the analysis broke down; report this".into(),
        }),
        None => std::future::pending().await,
    }
}

struct Visitor {
    page: u64,
    bucket: Bucket,
    mistakes: u32,
    /// the newest question about a device; older ones are not answered
    question: Option<Device>,
    /// its analysis, which takes a second, off the threads that serve pages
    work: Option<JoinHandle<Event>>,
}

impl Drop for Visitor {
    /// A page that leaves has no questions any more: else whoever comes and goes would make others
    /// wait for the answers.
    fn drop(&mut self) {
        self.work.iter().for_each(JoinHandle::abort);
    }
}

impl Visitor {
    /// Takes up the newest question when the last one is answered.
    fn begin_work(&mut self, hub: &Arc<Hub>) {
        if self.work.is_some() {
            return;
        }
        self.work = self.question.take().map(|device| {
            let hub = hub.clone();
            tokio::spawn(async move {
                let one = hub.analysis.clone().acquire_owned().await;
                let coupling = hub.coupling();
                let work = tokio::task::spawn_blocking(move || {
                    // held to the end of the work, even if whoever asked is gone by then
                    let _one = one;
                    gauge::event(coupling, &device)
                });
                work.await.unwrap_or_else(|_| Event::Error {
                    text: "gauge: the analysis broke down; report this".into(),
                })
            })
        });
    }

    /// Reads one message; what to answer, or why the connection ends.
    async fn read(
        &mut self,
        hub: &Arc<Hub>,
        message: Option<Result<Message, Error>>,
    ) -> Result<Option<Event>, Gone> {
        let message = match message {
            None => return Err(None),
            Some(Err(error)) => return Err(Some(broken(&error))),
            Some(Ok(message)) => message,
        };
        if !self.bucket.admit(Instant::now()) {
            return Err(Some((close_code::POLICY, "too many messages; send at most 300/s".into())));
        }
        let text = match &message {
            Message::Text(text) => text.as_str(),
            Message::Binary(_) => {
                let reason = "binary messages are not understood; send JSON text";
                return Err(Some((close_code::UNSUPPORTED, reason.into())));
            }
            Message::Ping(_) | Message::Pong(_) => return Ok(None),
            Message::Close(_) => return Err(None),
        };
        match Command::parse(text) {
            Ok(command) => Ok(self.obey(hub, command).await),
            Err(error) => {
                self.mistakes += 1;
                if self.mistakes > MOST_MISTAKES {
                    let reason = format!("too many bad messages; the last: {error}");
                    return Err(Some((close_code::POLICY, reason)));
                }
                Ok(Some(Event::Error { text: error.to_string() }))
            }
        }
    }

    /// Opens a file of the user: one that was dropped, or the one that the program was given.
    async fn open_own(&self, hub: &Arc<Hub>, file: String) -> Option<Event> {
        let keeper = hub.clone();
        // a large mesh takes a while
        let loading = tokio::task::spawn_blocking(move || keeper.open_own(&file));
        match loading.await {
            Ok(Ok(show)) => {
                hub.add_own(&show);
                let busy = || Event::Error { text: "the studio is busy; try again".into() };
                (!hub.show(Some(show))).then(busy)
            }
            Ok(Err(event)) => Some(event),
            Err(_) => Some(Event::Error { text: "the file could not be read".into() }),
        }
    }

    /// Adds a body to the scene.
    async fn add(&self, hub: &Arc<Hub>, wish: Wish) -> Option<Event> {
        let keeper = hub.clone();
        // a large mesh takes a while
        let making = tokio::task::spawn_blocking(move || keeper.newcomer(&wish));
        let text = match making.await {
            Ok(Ok(newcomer)) => {
                let sent = hub.order(Order::Edit(Edit::Add(newcomer)));
                return (!sent)
                    .then(|| Event::Error { text: "the studio is busy; try again".into() });
            }
            Ok(Err(text)) => text,
            Err(_) => "the body could not be made".into(),
        };
        Some(Event::Error { text })
    }

    async fn obey(&mut self, hub: &Arc<Hub>, command: Command) -> Option<Event> {
        let refuse = |text: &str| Some(Event::Error { text: text.to_owned() });
        match &command {
            Command::Take {} => {
                hub.take(self.page);
                return None;
            }
            Command::Gauge { device, damping, rate, delay } => {
                let known = device.and_then(|index| hub.devices.get(index as usize));
                let mut device = match known {
                    Some(profile) => profile.device.clone(),
                    None => Device::new("a device of your own", 0.1, *damping, *rate),
                };
                (device.damping, device.rate, device.delay) = (*damping, *rate, *delay);
                self.question = Some(device);
                return None;
            }
            // a page that has just lost the hand may still be letting go
            Command::Move { .. } | Command::Release {} if !hub.holds(self.page) => return None,
            _ if !hub.holds(self.page) => {
                return refuse("another page holds the hand; take it first");
            }
            _ => {}
        }
        let sent = match &command {
            Command::Reset {} => hub.show(None),
            Command::Load { scene } => match gallery::find(scene) {
                Some(exhibit) => match load::exhibit(exhibit, &hub.folder) {
                    Ok(show) => hub.show(Some(show)),
                    Err(errors) => return refuse(&errors.to_string()),
                },
                None => return self.open_own(hub, scene.clone()).await,
            },
            Command::Open { file } => return self.open_own(hub, file.clone()).await,
            Command::Add(wish) => return self.add(hub, wish.clone()).await,
            other => match other.order() {
                Ok(Some(order)) => hub.order(order),
                Ok(None) => true,
                Err(error) => return refuse(&error.to_string()),
            },
        };
        if sent { None } else { refuse("the studio is busy; try again") }
    }
}

/// What a protocol error means to the page.
fn broken(error: &Error) -> (u16, String) {
    let text = error.to_string();
    let code = if text.contains("too long") || text.contains("too big") {
        close_code::SIZE
    } else {
        close_code::PROTOCOL
    };
    (code, text)
}
