//! Where the pages and the servo thread meet.

use super::{Bucket, load};
use crate::files::Folder;
use crate::gallery::{self, GALLERY};
use crate::protocol::{Event, Wish, describe};
use crate::recording::{HEAD, Recording};
use crate::rig::{self, Console, FRAME};
use crate::stage::{Made, Newcomer, Notice, Order, Parameters, Show, Stage, rewritten, rival};
use crate::{StudioError, devices};
use axum::body::Bytes;
use palpable::{ContactLaw, Scheme};
use palpable_passivity::DeviceProfile;
use rtrb::{Consumer, Producer, RingBuffer};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::{Semaphore, broadcast, watch};

/// What all pages share.
#[derive(Debug)]
pub struct Hub {
    pub(super) token: String,
    pub(super) port: u16,
    pub(super) folder: Folder,
    pub(super) page_folder: Option<PathBuf>,
    pub(super) uploads: AtomicUsize,
    /// bytes of all files that were dropped
    pub(super) kept: AtomicUsize,
    /// one analysis at a time, whoever asks
    pub(super) analysis: Arc<Semaphore>,
    /// pages that were sent away, and until when new ones have to wait
    rude: Mutex<(Bucket, Option<Instant>)>,
    /// the newest frame; a slow page simply misses some
    pub(super) frames: watch::Sender<Bytes>,
    /// texts for every page
    pub(super) events: broadcast::Sender<Arc<str>>,
    /// what every page is told first, but for its number
    hello: [String; 2],
    pub(super) devices: Vec<DeviceProfile>,
    orders: Mutex<Producer<Order>>,
    books: Mutex<Books>,
    next_page: AtomicU64,
    recording: Mutex<Recording>,
    /// descriptions of the user's own scenes
    own: Mutex<Vec<Value>>,
    /// the file that the program was given, and when it was last written
    watched: Option<(PathBuf, Mutex<Option<SystemTime>>)>,
}

/// What is known about the stage, and who is here.
#[derive(Debug)]
struct Books {
    show: Box<Show>,
    /// the same before anything was added or removed
    written: Box<Show>,
    /// the show on its way to the stage
    coming: Option<Box<Show>>,
    /// the one after it; a newer one takes its place
    next: Option<Box<Show>>,
    generation: u32,
    parameters: Parameters,
    holder: Option<u64>,
    pages: Vec<u64>,
    /// how often the servo thread has broken down in a row, and when it last did
    falls: (u32, Option<Instant>),
}

/// Scenes of the user that stay in the gallery, at most.
const MOST_OWN: usize = 12;
/// Pages that may be sent away at once, and per second \[1/s\], before new ones have to wait.
const RUDE: f64 = 32.0;
const RUDE_RATE: f64 = 4.0;
/// So long after the last of too many.
const WARY: Duration = Duration::from_secs(2);
/// A servo thread that lasts longer than this has recovered from what broke it.
const RECOVERED: Duration = Duration::from_secs(10);

fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // every change under the lock is complete in itself
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    /// Takes note of a page that was sent away for what it did.
    pub(super) fn note_rude(&self) {
        let (mut rude, now) = (open(&self.rude), Instant::now());
        if !rude.0.admit(now) {
            rude.1 = Some(now + WARY);
        }
    }

    /// True while so many are sent away that new ones should wait: whoever floods must not take the
    /// time of those who watch.
    pub(super) fn is_wary(&self) -> bool {
        open(&self.rude).1.is_some_and(|until| Instant::now() < until)
    }

    /// A hub in front of a servo thread that shows `show`; `console` loses its end for orders.
    pub fn new(
        orders: Producer<Order>,
        show: Box<Show>,
        token: String,
        port: u16,
        page_folder: Option<PathBuf>,
    ) -> Result<Self, StudioError> {
        let folder = Folder::create()?;
        gallery::unpack(&folder)?;
        let (devices, parameters) = (devices::all(), Stage::new(show.clone()).parameters());
        let books = Books {
            written: show.clone(),
            show,
            coming: None,
            next: None,
            generation: 1,
            parameters,
            holder: None,
            pages: vec![],
            falls: (0, None),
        };
        Ok(Self {
            hello: hello(catalogue(&folder), &devices),
            devices,
            token,
            port,
            folder,
            page_folder,
            uploads: AtomicUsize::new(0),
            kept: AtomicUsize::new(0),
            analysis: Arc::new(Semaphore::new(1)),
            rude: Mutex::new((Bucket::new(RUDE, RUDE_RATE, Instant::now()), None)),
            frames: watch::Sender::new(Bytes::new()),
            events: broadcast::Sender::new(64),
            orders: Mutex::new(orders),
            books: Mutex::new(books),
            next_page: AtomicU64::new(1),
            recording: Mutex::default(),
            own: Mutex::default(),
            watched: None,
        })
    }

    /// Watches the file that the program was given, and counts it among the user's own.
    pub(crate) fn watch(&mut self, path: PathBuf) {
        let show = open(&self.books).show.clone();
        self.add_own(&show);
        let now = written(&path);
        self.watched = Some((path, Mutex::new(now)));
    }

    /// The word in the address.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// The first words to a page. They are long, and were made once for all: whoever comes and goes
    /// takes no time from others.
    pub(super) fn hello(&self, page: u64) -> String {
        let [before, after] = &self.hello;
        format!("{before}{page}{after}")
    }

    /// Time stands still until a page arrives.
    pub(crate) fn rest(&self) {
        self.order(Order::Idle(true));
    }

    /// The user's own scenes.
    pub(super) fn own_scenes(&self) -> Event {
        Event::Own { scenes: open(&self.own).clone() }
    }

    /// Counts a scene among the user's own and tells every page.
    pub(super) fn add_own(&self, show: &Show) {
        let entry = picture(show, "Yours");
        let mut own = open(&self.own);
        own.retain(|other| other["id"] != entry["id"]);
        own.insert(0, entry);
        own.truncate(MOST_OWN);
        drop(own);
        self.tell(&self.own_scenes());
    }

    /// Reads a file of the user: the one that is watched, or one that was dropped.
    pub(super) fn open_own(&self, file: &str) -> Result<Box<Show>, Event> {
        match &self.watched {
            Some((path, _)) if path.display().to_string() == file => load::given(path),
            _ => load::dropped(file, &self.folder),
        }
    }

    /// Makes a body that a page wishes for; what is wrong with it, if anything.
    pub(super) fn newcomer(&self, wish: &Wish) -> Result<Box<Newcomer>, String> {
        let show = open(&self.books).show.clone();
        let taken = |name: &str| show.model.bodies().iter().any(|b| b.name == name);
        let entry = wish.entry(taken).map_err(|error| error.to_string())?;
        load::newcomer(entry, &self.folder)
    }

    /// Shows the file that is watched again if it was saved since.
    fn look_after_file(&self) {
        let Some((path, last)) = &self.watched else { return };
        let now = written(path);
        if now.is_none() || std::mem::replace(&mut *open(last), now) == now {
            return;
        }
        let on = open(&self.books).show.id == path.display().to_string();
        match load::given(path) {
            Ok(show) => {
                self.add_own(&show);
                if on && self.show(Some(show)) {
                    let text = "The file was saved: it begins again.".into();
                    self.tell(&Event::Note { text });
                }
            }
            Err(event) => self.tell(&event),
        }
    }

    /// Where its files are.
    pub(crate) fn folder_path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// A page for the browser that leads to `address`, if it can be written.
    pub(crate) fn door(&self, address: &str) -> Option<PathBuf> {
        self.folder.door(address).ok()
    }

    /// Passes frames and notices on, and starts the servo thread anew should it break down; one
    /// task for all pages.
    pub(crate) async fn pump(self: Arc<Self>, mut console: Console) {
        // looks more often than frames come as a rule: one that comes early goes out at once
        let mut clock = tokio::time::interval(FRAME / 6);
        clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        for tick in 0u64.. {
            clock.tick().await;
            if tick % 200 == 0 {
                let keeper = self.clone();
                tokio::task::spawn_blocking(move || keeper.look_after_file());
            }
            let over = console.is_over();
            self.attend(&mut console);
            if over {
                match self.revive() {
                    Ok(anew) => console = anew,
                    // no thread now; perhaps in a while
                    Err(_) => tokio::time::sleep(Duration::from_secs(1)).await,
                }
            }
        }
    }

    /// Passes on what the servo thread has told and shown.
    pub(crate) fn attend(&self, console: &mut Console) {
        while let Ok(notice) = console.notices.pop() {
            self.hear(notice);
        }
        self.collect(&mut console.rows);
        if self.frames.receiver_count() > 0 && console.frames.update() {
            let bytes = console.frames.output_buffer_mut().encode();
            self.frames.send_replace(bytes.into());
        }
    }

    /// Forgets who misbehaved and what was dropped, as if the studio had just begun.
    pub(crate) fn forget(&self) {
        *open(&self.rude) = (Bucket::new(RUDE, RUDE_RATE, Instant::now()), None);
        self.uploads.store(0, Ordering::Relaxed);
        self.kept.store(0, Ordering::Relaxed);
        let _ = std::fs::remove_dir_all(self.folder.path().join("dropped"));
        let _ = gallery::unpack(&self.folder);
        open(&self.own).clear();
    }

    /// The servo thread broke down: starts it anew with the scene that was on, or with the first of
    /// the gallery if that breaks it at once, and tells every page.
    fn revive(&self) -> Result<Console, StudioError> {
        let mut books = open(&self.books);
        let (before, last) = books.falls;
        let again = last.is_some_and(|last| last.elapsed() < RECOVERED);
        let falls = if again { before + 1 } else { 1 };
        let generation = books.generation.wrapping_add(1);
        let begin = |show: Box<Show>| {
            let begun = catch_unwind(AssertUnwindSafe(|| {
                let parameters = Stage::new(show.clone()).parameters();
                rig::start(show.clone(), generation).map(|console| (console, parameters))
            }));
            begun.ok().map(|begun| (show, begun))
        };
        let same = if falls > 1 { None } else { begin(books.written.clone()) };
        let left = same.is_none();
        let first = || load::exhibit(&GALLERY[0], &self.folder).ok().and_then(begin);
        let Some((show, begun)) = same.or_else(first) else {
            return Err(StudioError::system("the servo thread", "it breaks down at once"));
        };
        let (mut console, parameters) = begun?;
        *open(&self.orders) = std::mem::replace(&mut console.orders, RingBuffer::new(1).0);
        books.falls = (falls, Some(Instant::now()));
        (books.coming, books.next) = (None, None);
        books.written.clone_from(&show);
        (books.show, books.parameters, books.generation) = (show, parameters, generation);
        drop(books);
        let what = if left { "another scene is shown" } else { "it begins again" };
        let text = format!(
            "The simulation broke down; {what}. This should not happen: please report what you did."
        );
        self.tell(&self.scene());
        self.tell(&Event::Error { text });
        Ok(console)
    }

    /// Collects the rows of a take.
    fn collect(&self, rows: &mut Consumer<f64>) {
        let mut row = Vec::new();
        while let Ok(head) = rows.read_chunk(HEAD) {
            let (first, second) = head.as_slices();
            row.clear();
            row.extend(first.iter().chain(second));
            let values = row[1] as usize;
            let books = open(&self.books);
            let now = f64::from(books.generation);
            if row[3] > now {
                // who is there will be told in a moment
                break;
            }
            let Ok(whole) = rows.read_chunk(HEAD + values) else { break };
            row.clear();
            row.extend(whole);
            let show = (row[3] == now).then_some(books.show.as_ref());
            open(&self.recording).take(&row, show);
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
            Notice::Recast { generation, parameters, show } => {
                let mut books = open(&self.books);
                (books.generation, books.parameters, books.show) = (generation, *parameters, show);
                Event::Recast(describe(&books.show, books.generation, &books.parameters))
            }
            Notice::Refused(text) => Event::Error { text },
            Notice::LetGo(why) => Event::Note { text: format!("The hand let go: {why}.") },
            Notice::Replayed(true) => Event::Note {
                text: "Replayed: the same state, bit for bit. Time stands still; run goes on."
                    .into(),
            },
            Notice::Replayed(false) => {
                Event::Error { text: "The replay ended in another state.".into() }
            }
            Notice::Jumped => Event::Jumped {},
            Notice::Placed(state) => return drop(state),
            Notice::Ended => {
                Event::Note { text: "The scene is over. Run goes on, R begins again.".into() }
            }
            Notice::Copied(world, made) => self.saved(&world, &made),
        };
        self.tell(&event);
    }

    /// The world as a scene file.
    fn saved(&self, world: &palpable::World, made: &[Made]) -> Event {
        let show = open(&self.books).show.clone();
        let Some(scene) = &show.scene else {
            return Event::Error { text: "this scene cannot be saved".into() };
        };
        let stem = show.id.rsplit('/').next().unwrap_or("scene").split('.').next();
        let file = format!("{}-saved.toml", stem.unwrap_or("scene"));
        let whole = rewritten(scene, made).and_then(|scene| {
            let text = scene.at(world, &show.systems);
            // what is saved can be opened again: beside what was dropped, or where it came from
            let dropped = load::in_dropped(&text, &self.folder);
            match dropped.or_else(|errors| scene.build().map_err(|_| errors)) {
                Ok(_) => Ok(text),
                Err(errors) => Err(errors.to_string()),
            }
        });
        match whole {
            Ok(text) => Event::Saved { file, text },
            Err(reason) => {
                // nobody chose the studio's own folder
                let own = format!("{}/", self.folder.path().display());
                let reason = reason.replace(&own, "");
                Event::Error { text: format!("this cannot be saved: {reason}") }
            }
        }
    }

    fn loaded(&self, generation: u32, parameters: Parameters) -> Event {
        let mut books = open(&self.books);
        if let Some(show) = books.coming.take() {
            books.written.clone_from(&show);
            books.show = show;
        }
        books.parameters = parameters;
        books.generation = generation;
        let event = Event::Scene(describe(&books.show, books.generation, &books.parameters));
        if let Some(next) = books.next.take() {
            self.send(&mut books, next);
        }
        event
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
    pub(crate) fn order(&self, order: Order) -> bool {
        open(&self.orders).push(order).is_ok()
    }

    /// Shows a scene, or begins the present one again. While one is on its way only the newest
    /// waits, so that no number of wishes fills the memory.
    pub(crate) fn show(&self, show: Option<Box<Show>>) -> bool {
        let mut books = open(&self.books);
        if books.coming.is_some() {
            let again = || books.next.as_ref().or(books.coming.as_ref()).cloned();
            books.next = show.or_else(again);
            return true;
        }
        let show = show.unwrap_or_else(|| books.written.clone());
        self.send(&mut books, show)
    }

    fn send(&self, books: &mut Books, show: Box<Show>) -> bool {
        let sent = self.order(Order::Load(show.clone()));
        if sent {
            books.coming = Some(show);
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
        if books.pages.len() == 1 {
            self.order(Order::Idle(false));
        }
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
        if books.pages.is_empty() {
            self.order(Order::Idle(true));
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

/// What every page is told first: before its number and after it.
fn hello(gallery: Value, profiles: &[DeviceProfile]) -> [String; 2] {
    let event = Event::Hello {
        version: env!("CARGO_PKG_VERSION"),
        you: 0,
        gallery: Box::new(gallery),
        schemes: Box::new(Scheme::ALL.map(Scheme::name)),
        scheme_words: Box::new(Scheme::ALL.map(rival::words)),
        laws: &ContactLaw::NAMES,
        devices: Box::new(devices::list(profiles)),
    };
    let text = event.text();
    let (before, after) = text.split_once("\"you\":0").unwrap_or_default();
    [format!("{before}\"you\":"), after.to_owned()]
}

/// Id, name and description of every scene of the gallery, and where its bodies start.
fn catalogue(folder: &Folder) -> Value {
    let entry = |exhibit: &gallery::Exhibit| {
        let show = load::exhibit(exhibit, folder).ok()?;
        Some(picture(&show, exhibit.group))
    };
    json!(GALLERY.iter().filter_map(entry).collect::<Vec<_>>())
}

/// What a card of the gallery shows.
fn picture(show: &Show, group: &str) -> Value {
    let parameters = Stage::new(Box::new(show.clone())).parameters();
    let mut picture = describe(show, 0, &parameters);
    if let Some(map) = picture.as_object_mut() {
        map.remove("parameters");
        map.insert("group".to_owned(), group.into());
    }
    picture
}

/// When a file was last written.
fn written(path: &std::path::Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|m| m.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpable::{Anchor, Body, Element, Model, Pose, Spring, Vec6};
    use std::sync::atomic::AtomicU32;

    /// An element of a user's own that breaks down after so many calls, and then never again.
    #[derive(Debug)]
    struct Breaks(AtomicU32, u32);

    impl Element for Breaks {
        fn rows(&self) -> usize {
            1
        }
        fn strain(&self, a: &Pose, b: &Pose) -> Vec6 {
            let calls = self.0.fetch_add(1, Ordering::Relaxed);
            assert!(calls < 2000 || calls > self.1, "breaks down for the test");
            Vec6::repeat((a.position - b.position).norm())
        }
    }

    /// A scene that breaks the servo thread, so many calls long.
    fn breaking(calls: u32, folder: &Folder) -> Box<Show> {
        let mut show = load::exhibit(&GALLERY[0], folder).expect("a scene");
        let mut model = Model::builder();
        let ball = model.body(Body::sphere("ball", 0.01).mass(0.1).position([0.1, 0.0, 0.0]));
        let own = Arc::new(Breaks(AtomicU32::new(0), calls));
        model.spring(Spring::custom(own, ball.origin(), Anchor::world([0.0; 3])).stiffness(1.0));
        show.model = model.build().expect("a model");
        let world = show.world();
        (show.bodies, show.lines) = (vec![world.body_named("ball").expect("there")], vec![]);
        show.id = "breaks".into();
        show
    }

    /// Waits for an event of this name.
    async fn told(events: &mut broadcast::Receiver<Arc<str>>, name: &str) -> Value {
        let waited = tokio::time::timeout(Duration::from_secs(60), async {
            loop {
                let text = events.recv().await.expect("an event");
                let value: Value = serde_json::from_str(&text).expect("JSON");
                if value["event"] == name {
                    return value;
                }
            }
        });
        waited.await.expect("told in time")
    }

    /// Once, and it begins again; for ever, and another scene is shown.
    #[test]
    fn a_servo_thread_that_breaks_down_is_told_to_every_page_and_started_anew() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            for (calls, shown) in [(2000, "breaks"), (u32::MAX, GALLERY[0].id)] {
                let first = Folder::create().expect("a folder");
                gallery::unpack(&first).expect("scenes");
                let show = breaking(calls, &first);
                drop(first);
                let mut console = rig::start(show.clone(), 1).expect("a thread");
                let orders = std::mem::replace(&mut console.orders, RingBuffer::new(1).0);
                let hub = Hub::new(orders, show, format!("test{calls}"), 0, None).expect("a hub");
                let hub = Arc::new(hub);
                let mut events = [hub.events.subscribe(), hub.events.subscribe()];
                let mut frames = hub.frames.subscribe();
                let pump = tokio::spawn(hub.clone().pump(console));
                for page in &mut events {
                    let scene = told(page, "scene").await;
                    assert_eq!(scene["generation"], 2);
                    let error = told(page, "error").await;
                    assert!(error["text"].as_str().is_some_and(|t| t.contains("broke down")));
                }
                while hub.scene().text().contains("\"breaks\"") != (shown == "breaks") {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                frames.borrow_and_update();
                for _ in 0..10 {
                    frames.changed().await.expect("frames go on");
                }
                assert!(hub.order(Order::Pause(true)), "orders are taken again");
                pump.abort();
            }
        });
    }
}
