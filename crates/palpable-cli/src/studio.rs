//! `palpable` alone, or `palpable studio`: the local page where the mouse is the hand.

use crate::failure::Failure;
use crate::{Done, output};
use palpable_studio::{Settings, Studio, StudioError, open_in_browser};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Asks the studio to end.
type Stopper = Box<dyn Fn() + Send + Sync>;

/// Open the studio: a local page where the mouse is the hand
///
/// Only this machine can reach it, and only with the token in the address.
#[derive(clap::Args, Default)]
#[command(after_help = "Examples:\n  palpable studio\n  palpable studio scenes/chain.toml \
                        --port 8080 --no-open")]
pub struct Args {
    /// Scene to begin with; the gallery is always there
    scene: Option<PathBuf>,
    /// Port on the loopback address, 0 for any that is free [default: 7200 if free]
    #[arg(long)]
    port: Option<u16>,
    /// Scene and parameters as the page's Share button copies them
    #[arg(long, value_name = "TEXT")]
    at: Option<String>,
    /// Print the address and leave the browser alone
    #[arg(long)]
    no_open: bool,
    /// Serve the page's files from this folder, for work on them
    #[arg(long, hide = true)]
    ui_dir: Option<PathBuf>,
}

/// The port that is tried first.
const USUAL: u16 = 7200;

/// Runs the command until Ctrl-C.
pub fn main(args: &Args, json: bool) -> Result<Done, Failure> {
    let settings = |port| Settings {
        port,
        scene: args.scene.clone(),
        page_folder: args.ui_dir.clone(),
        fragment: args.at.clone().unwrap_or_default(),
        framed: false,
    };
    // from here on the studio has a folder: whoever ends the program must not leave it behind
    let asked = Arc::new(AtomicBool::new(false));
    let stop: Arc<OnceLock<Stopper>> = Arc::default();
    let _ = ctrlc::set_handler({
        let (asked, stop) = (asked.clone(), stop.clone());
        move || {
            asked.store(true, Ordering::SeqCst);
            stop.get().into_iter().for_each(|stop| stop());
        }
    });
    let started = match (args.port, Studio::start(settings(args.port.unwrap_or(USUAL)))) {
        // another studio may be open
        (None, Err(StudioError::Port { .. })) => Studio::start(settings(0)),
        (_, started) => started,
    };
    let studio = started?;
    let stopper = stop.get_or_init(|| Box::new(studio.stopper()));
    if asked.load(Ordering::SeqCst) {
        stopper();
    } else {
        announce(&studio, args, json)?;
    }
    studio.wait();
    Ok(Done::Well)
}

fn announce(studio: &Studio, args: &Args, json: bool) -> Result<(), Failure> {
    let at = args.at.as_ref().map_or(String::new(), |at| format!("#{}", at.trim_matches('#')));
    let address = &format!("{}{at}", studio.address());
    let opened = !json && !args.no_open && studio.door().is_some_and(open_in_browser);
    if json {
        let port = studio.port();
        return output::print_json(&serde_json::json!({ "address": address, "port": port }));
    }
    let hint = if opened { "A browser was asked to open it." } else { "Open it in a browser." };
    output::print(&format!(
        "palpable {}: the studio is at\n\n  {address}\n\n{hint} Only this machine can reach it, \
         and only with\nthis address. Ctrl-C ends it; `palpable help` shows what else there is.\n",
        env!("CARGO_PKG_VERSION"),
    ))
}
