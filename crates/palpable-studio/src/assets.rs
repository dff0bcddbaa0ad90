//! The page, inside the program.

use std::path::Path;

macro_rules! table {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../page/", $name)).as_slice())),*]
    };
}

/// Every file that may be asked for; nothing else is.
const FILES: &[(&str, &[u8])] = table![
    "index.html",
    "style.css",
    "main.js",
    "arrows.js",
    "contactpanel.js",
    "contacts.js",
    "dom.js",
    "drop.js",
    "energy.js",
    "export.js",
    "gallery.js",
    "gauge.js",
    "hand.js",
    "handpanel.js",
    "labels.js",
    "link.js",
    "loop.js",
    "pad.js",
    "parameters.js",
    "shapes.js",
    "slider.js",
    "sound.js",
    "start.js",
    "strip.js",
    "time.js",
    "units.js",
    "view.js",
    "wire.js",
    "vendor/three.core.js",
    "vendor/three.module.js",
    "vendor/OrbitControls.js",
    "vendor/uPlot.esm.js",
    "vendor/uPlot.min.css",
    "vendor/LICENSE-three",
    "vendor/LICENSE-uPlot",
];

/// Bytes and media type of a file of the page; from `disk` instead of the program if given, for
/// whoever works on the page.
pub fn find(name: &str, disk: Option<&Path>) -> Option<(Vec<u8>, &'static str)> {
    let name = if name.is_empty() { "index.html" } else { name };
    let (known, bytes) = FILES.iter().find(|(file, _)| *file == name)?;
    let bytes = match disk {
        Some(folder) => std::fs::read(folder.join(known)).ok()?,
        None => bytes.to_vec(),
    };
    Some((bytes, media_type(known)))
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => "text/plain; charset=utf-8",
    }
}
