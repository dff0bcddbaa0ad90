//! Where the pages and the servo thread meet.

use super::load;
use crate::files::Folder;
use crate::gallery::{self, GALLERY};
use crate::protocol::{Event, describe};
use crate::recording::Recording;
use crate::rig::{Console, FRAME};
use crate::stage::{Notice, Order, Parameters, Show, Stage};
use crate::{StudioError, devices};
use axum::body::Bytes;
use palpable_passivity::DeviceProfile;
use rtrb::{Consumer, Producer};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{broadcast, watch};

/// What all pages share.
#[derive(Debug)]
pub struct Hub {
    pub(super) token: String,
    pub(super) port: u16,
    pub(super) folder: Folder,
    pub(super) page_folder: Option<PathBuf>,
    pub(super) uploads: AtomicUsize,
    /// the newest frame; a slow page simply misses some
    pub(super) frames: watch::Sender<Bytes>,
    /// texts for every page
    pub(super) events: broadcast::Sender<Arc<str>>,
    pub(super) gallery: Value,
    pub(super) devices: Vec<DeviceProfile>,
    orders: Mutex<Producer<Order>>,
    books: Mutex<Books>,
    next_page: AtomicU64,
    recording: Mutex<Recording>,
}

/// What is known about the stage, and who is here.
#[derive(Debug)]
struct Books {
    show: Box<Show>,
    /// shows on their way to the stage, oldest first
    coming: VecDeque<Box<Show>>,
    generation: u32,
    parameters: Parameters,
    holder: Option<u64>,
    pages: Vec<u64>,
}

fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // every change under the lock is complete in itself
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    /// A hub in front of a servo thread that shows `show`; `console` loses its end for orders.
    pub fn new(
        orders: Producer<Order>,
        show: Box<Show>,
        token: String,
        port: u16,
        page_folder: Option<PathBuf>,
    ) -> Result<Self, StudioError> {
        let folder = Folder::create(&token)?;
        gallery::unpack(&folder)?;
        let parameters = Stage::new(show.clone()).parameters();
        let books = Books {
            show,
            coming: VecDeque::new(),
            generation: 1,
            parameters,
            holder: None,
            pages: vec![],
        };
        Ok(Self {
            gallery: catalogue(&folder),
            devices: devices::all(),
            token,
            port,
            folder,
            page_folder,
            uploads: AtomicUsize::new(0),
            frames: watch::Sender::new(Bytes::new()),
            events: broadcast::Sender::new(64),
            orders: Mutex::new(orders),
            books: Mutex::new(books),
            next_page: AtomicU64::new(1),
            recording: Mutex::default(),
        })
    }

    /// Passes frames and notices on until the servo thread is gone; one task for all pages.
    pub(crate) async fn pump(self: Arc<Self>, mut console: Console) {
        // looks more often than frames come as a rule: one that comes early goes out at once
        let mut clock = tokio::time::interval(FRAME / 6);
        clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            clock.tick().await;
            while let Ok(notice) = console.notices.pop() {
                self.hear(notice);
            }
            self.collect(&mut console.rows);
            if self.frames.receiver_count() > 0 && console.frames.update() {
                let bytes = console.frames.output_buffer_mut().encode();
                self.frames.send_replace(bytes.into());
            }
        }
    }

    /// Collects the rows of a take.
    fn collect(&self, rows: &mut Consumer<f64>) {
        let mut row = Vec::new();
        while let Ok(head) = rows.read_chunk(3) {
            let (first, second) = head.as_slices();
            row.clear();
            row.extend(first.iter().chain(second));
            let values = row[1] as usize;
            let Ok(whole) = rows.read_chunk(3 + values) else { break };
            row.clear();
            row.extend(whole);
            open(&self.recording).take(&row, &open(&self.books).show);
        }
    }

    /// A copy of the newest take.
    pub(super) fn recording(&self) -> Recording {
        open(&self.recording).clone()
    }

    fn hear(&self, notice: Notice) {
        let event = match notice {
            Notice::Loaded { generation, parameters, retired } => {
                drop(retired);
                self.loaded(generation, *parameters)
            }
            Notice::Changed(parameters) => {
                let event = Event::changed(&parameters);
                open(&self.books).parameters = *parameters;
                event
            }
            Notice::Refused(text) => Event::Error { text },
            Notice::LetGo(why) => Event::Note { text: format!("The hand let go: {why}.") },
            Notice::Replayed(true) => {
                Event::Note { text: "Replayed: the same state, bit for bit.".into() }
            }
            Notice::Replayed(false) => {
                Event::Error { text: "The replay ended in another state.".into() }
            }
            Notice::Jumped => Event::Jumped {},
        };
        self.tell(&event);
    }

    fn loaded(&self, generation: u32, parameters: Parameters) -> Event {
        let mut books = open(&self.books);
        if let Some(show) = books.coming.pop_front() {
            books.show = show;
        }
        books.parameters = parameters;
        books.generation = generation;
        Event::Scene(describe(&books.show, books.generation, &books.parameters))
    }

    /// The scene that is on, for a page that has just arrived.
    pub(super) fn scene(&self) -> Event {
        let books = open(&self.books);
        Event::Scene(describe(&books.show, books.generation, &books.parameters))
    }

    /// The coupling's stiffness [N/m] and damping [N·s/m].
    pub(super) fn coupling(&self) -> (f64, f64) {
        let coupling = open(&self.books).parameters.coupling;
        (coupling.stiffness, coupling.damping)
    }

    /// Sends an event to every page.
    pub(super) fn tell(&self, event: &Event) {
        // nobody listening is no fault
        let _ = self.events.send(event.text().into());
    }

    /// Passes an order to the stage; false if its queue is full.
    pub(super) fn order(&self, order: Order) -> bool {
        open(&self.orders).push(order).is_ok()
    }

    /// Shows a scene, or begins the present one again.
    pub(super) fn show(&self, show: Option<Box<Show>>) -> bool {
        let mut books = open(&self.books);
        let show = show.unwrap_or_else(|| books.show.clone());
        let sent = self.order(Order::Load(show.clone()));
        if sent {
            books.coming.push_back(show);
        }
        sent
    }

    /// A new page; its number, or `None` if there are too many.
    pub(super) fn arrive(&self) -> Option<u64> {
        let mut books = open(&self.books);
        if books.pages.len() >= super::limits::MOST_PAGES {
            return None;
        }
        let page = self.next_page.fetch_add(1, Ordering::Relaxed);
        books.pages.push(page);
        books.holder.get_or_insert(page);
        drop(books);
        self.tell_hand();
        Some(page)
    }

    /// A page left: if it held the hand, the hand lets go and waits for the next.
    pub(super) fn leave(&self, page: u64) {
        let mut books = open(&self.books);
        books.pages.retain(|p| *p != page);
        if books.holder == Some(page) {
            books.holder = books.pages.first().copied();
            self.order(Order::Release);
        }
        drop(books);
        self.tell_hand();
    }

    /// A page takes the hand from whoever has it.
    pub(super) fn take(&self, page: u64) {
        let mut books = open(&self.books);
        if books.holder.replace(page) != Some(page) {
            self.order(Order::Release);
        }
        drop(books);
        self.tell_hand();
    }

    /// True if this page holds the hand.
    pub(super) fn holds(&self, page: u64) -> bool {
        open(&self.books).holder == Some(page)
    }

    /// Who holds the hand.
    pub(super) fn hand(&self) -> Event {
        let books = open(&self.books);
        Event::Hand { holder: books.holder, pages: books.pages.len() }
    }

    fn tell_hand(&self) {
        self.tell(&self.hand());
    }
}

/// Id, name and description of every scene of the gallery, and where its bodies start.
fn catalogue(folder: &Folder) -> Value {
    let entry = |exhibit: &gallery::Exhibit| {
        let show = load::exhibit(exhibit, folder).ok()?;
        let parameters = Stage::new(show.clone()).parameters();
        let mut picture = describe(&show, 0, &parameters);
        if let Some(map) = picture.as_object_mut() {
            map.remove("parameters");
        }
        Some(picture)
    };
    json!(GALLERY.iter().filter_map(entry).collect::<Vec<_>>())
}
