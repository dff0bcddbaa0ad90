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
    "areas.js",
    "arrows.js",
    "beams.js",
    "camera.js",
    "coil.js",
    "contactpanel.js",
    "contacts.js",
    "dom.js",
    "drop.js",
    "energy.js",
    "export.js",
    "extras.js",
    "film.js",
    "flashes.js",
    "floor.js",
    "folder.js",
    "gallery.js",
    "gauge.js",
    "hand.js",
    "handpanel.js",
    "inspect.js",
    "labels.js",
    "light.js",
    "link.js",
    "loop.js",
    "make.js",
    "pad.js",
    "palette.js",
    "parameters.js",
    "parts.js",
    "quality.js",
    "shapes.js",
    "slider.js",
    "solids.js",
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
    "vendor/Inter.woff2",
    "vendor/LICENSE-Inter",
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
        Some("woff2") => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every module of the page on disk, from its folder.
    fn modules() -> Vec<String> {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let list = |folder: &str| -> Vec<String> {
            let read = std::fs::read_dir(page.join(folder)).expect("the page");
            let names = read.map(|f| f.expect("a file").file_name().into_string().expect("a name"));
            names.filter(|n| n.ends_with(".js")).map(|n| format!("{folder}{n}")).collect()
        };
        [list(""), list("vendor/")].concat()
    }

    #[test]
    fn every_module_is_inside_and_fetched_with_the_first_paint() {
        let (index, _) = find("", None).expect("the page");
        let index = String::from_utf8(index).expect("text");
        let modules = modules();
        assert!(modules.len() > 25, "{modules:?}");
        for module in modules {
            assert!(find(&module, None).is_some(), "{module} is not in FILES");
            let link = format!("<link rel=\"modulepreload\" href=\"{module}\">");
            assert!(module == "start.js" || index.contains(&link), "index.html lacks {link}");
        }
    }
}
