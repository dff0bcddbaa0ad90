//! Puts the servo thread, the hub and the web server together.

use crate::gallery::GALLERY;
use crate::rig;
use crate::server::{Frame, Hub, Patient, router, unfit};
use crate::stage::{Order, Show};
use crate::{StudioError, token};
use palpable::Snapshot;
use palpable_scene::Scene;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio::sync::Notify;

/// How to start.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Port on the loopback address; 0 takes any that is free.
    pub port: u16,
    /// Scene to begin with; the first of the gallery if none.
    pub scene: Option<PathBuf>,
    /// Folder of the page's files, for whoever works on them; those inside the program if none.
    pub page_folder: Option<PathBuf>,
    /// Scene and parameters for the page that the browser opens, as its Share button copies them.
    pub fragment: String,
    /// Whether notebooks that this machine serves may show the page in a frame; else nobody may.
    pub framed: bool,
}

/// A running studio; ends when dropped.
#[derive(Debug)]
pub struct Studio {
    address: String,
    folder: PathBuf,
    door: Option<PathBuf>,
    port: u16,
    token: String,
    runtime: Option<Runtime>,
    stop: Arc<Notify>,
    hub: Arc<Hub>,
}

impl Studio {
    /// Starts everything and returns at once.
    ///
    /// # Errors
    /// The port is taken, the scene is wrong, or the system lacks something.
    pub fn start(settings: Settings) -> Result<Self, StudioError> {
        let show = first_show(&settings)?;
        Self::open(show, settings)
    }

    /// The same with a scene that was made elsewhere; the one in the settings is not read.
    ///
    /// # Errors
    /// The port is taken, or the system lacks something.
    pub fn open(show: Box<Show>, settings: Settings) -> Result<Self, StudioError> {
        let token = token::random()?;
        let fail = |source| StudioError::Port { port: settings.port, source };
        // loopback only: nothing outside this machine can reach it
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, settings.port)).map_err(fail)?;
        listener.set_nonblocking(true).map_err(fail)?;
        let port = listener.local_addr().map_err(fail)?.port();
        let mut console = rig::start(show.clone(), 1)?;
        // the hub keeps the end for orders; the console a dead one
        let orders = std::mem::replace(&mut console.orders, rtrb::RingBuffer::new(1).0);
        let mut hub = Hub::new(orders, show, token.clone(), port, settings.page_folder)?;
        if let Some(path) = settings.scene {
            hub.watch(path);
        }
        // time begins with the first page
        hub.rest();
        let hub = Arc::new(hub);
        let address = format!("http://127.0.0.1:{port}/{token}/");
        let fragment = settings.fragment.trim_matches('#');
        let plain = fragment.chars().all(|c| c.is_ascii_alphanumeric() || "=&%._-:,".contains(c));
        let hash = if fragment.is_empty() || !plain { "" } else { "#" };
        let inside = format!("{address}{hash}{}", if plain { fragment } else { "" });
        let (folder, door) = (hub.folder_path(), hub.door(&inside));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("palpable-web")
            .enable_all()
            .build()
            .map_err(|e| StudioError::system("the web threads", e))?;
        let stop = Arc::new(Notify::new());
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener).map_err(fail)?
        };
        runtime.spawn(hub.clone().pump(console));
        let frame = if settings.framed { Frame::Notebooks } else { Frame::Nobody };
        let routes = router(hub.clone(), frame);
        runtime.spawn(async move {
            // ends with the runtime
            let _ = axum::serve(Patient::new(listener), routes).await;
        });
        Ok(Self { address, folder, door, port, token, runtime: Some(runtime), stop, hub })
    }

    /// Shows another scene that was made elsewhere. While one is on its way only the newest waits.
    pub fn show(&self, show: Box<Show>) {
        self.hub.show(Some(show));
    }

    /// Shows the state of a world like the one on show, at once; `stop` makes time stand still
    /// there.
    pub fn place(&self, state: Snapshot, stop: bool) {
        if stop {
            self.hub.order(Order::Pause(true));
        }
        // where the queue is full newer states are on their way
        self.hub.order(Order::Place(Box::new(state)));
    }

    /// The address to open, with its token.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// A page in a private file that leads to the address, for the browser.
    pub fn door(&self) -> Option<&Path> {
        self.door.as_deref()
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The word in the address.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Something that ends [`Studio::wait`] from another thread.
    pub fn stopper(&self) -> impl Fn() + Send + Sync + 'static {
        let stop = self.stop.clone();
        move || stop.notify_one()
    }

    /// Waits until a stopper is called.
    pub fn wait(&self) {
        if let Some(runtime) = &self.runtime {
            runtime.block_on(self.stop.notified());
        }
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // a page that hangs must not hold up the end
            runtime.shutdown_timeout(std::time::Duration::from_secs(2));
        }
        // whoever is still at work on a file keeps the hub, but the files go
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn first_show(settings: &Settings) -> Result<Box<Show>, StudioError> {
    let (id, scene) = match &settings.scene {
        Some(path) => (path.display().to_string(), Scene::load(path)?),
        None => (GALLERY[0].id.to_owned(), Scene::parse(GALLERY[0].text, GALLERY[0].id)?),
    };
    let show = Box::new(Show::of_scene(&id, scene)?);
    match unfit(&show) {
        Some((what, cure)) => Err(StudioError::system("the scene", format!("{what}; {cure}"))),
        None => Ok(show),
    }
}
