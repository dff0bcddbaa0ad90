//! Scenes from the gallery or from files that the user dropped, made ready outside the servo.

use crate::files::{Folder, is_plain_path};
use crate::gallery::Exhibit;
use crate::protocol::{Event, LoadError, describe};
use crate::stage::{LONGEST_STEP, Newcomer, SHORTEST_STEP, Show, Stage};
use palpable_scene::{Built, Scene, SceneErrors};
use serde_json::{Value, json};

/// A scene of the gallery.
pub fn exhibit(exhibit: &Exhibit, folder: &Folder) -> Result<Box<Show>, SceneErrors> {
    let origin = folder.path().join(exhibit.id).with_extension("toml");
    Ok(Box::new(Show::of_scene(exhibit.id, Scene::parse(exhibit.text, origin)?)?))
}

/// The file that the program was given.
pub fn given(path: &std::path::Path) -> Result<Box<Show>, Event> {
    let id = path.display().to_string();
    let failed = |errors| Event::LoadFailed {
        file: id.clone(),
        source: std::fs::read_to_string(path).unwrap_or_default(),
        errors,
    };
    let refused = |(message, cure): (String, &str)| {
        let (field, cure) = (String::new(), cure.to_owned());
        failed(vec![LoadError { line: 0, column: 0, field, message, cure }])
    };
    let scene = Scene::load(path).map_err(|errors| failed(LoadError::all(&errors)))?;
    crowd(&scene).map_or(Ok(()), |reason| Err(refused(reason)))?;
    let show = Show::of_scene(&id, scene).map_err(|errors| failed(LoadError::all(&errors)))?;
    unfit(&show).map_or(Ok(Box::new(show)), |reason| Err(refused(reason)))
}

/// A file that was dropped: a scene, or a mesh that becomes one.
pub fn dropped(name: &str, folder: &Folder) -> Result<Box<Show>, Event> {
    let failed = |source: String, errors| Event::LoadFailed { file: name.into(), source, errors };
    let whole = |message: String, cure: &str| LoadError {
        line: 0,
        column: 0,
        field: String::new(),
        message,
        cure: cure.to_owned(),
    };
    if !is_plain_path(name) {
        let error = whole("this is not a file name".into(), "drop the file itself");
        return Err(failed(String::new(), vec![error]));
    }
    let path = folder.path().join("dropped").join(name);
    let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let text = match ending.as_str() {
        "obj" | "stl" => mesh_scene(name),
        _ => match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                let cure = "drop a scene (.toml, .json), a robot (.urdf) or a mesh (.obj, .stl)";
                return Err(failed(String::new(), vec![whole(error.to_string(), cure)]));
            }
        },
    };
    // the scene around a mesh is ours: mistakes are those of the mesh
    let is_mesh = matches!(ending.as_str(), "obj" | "stl");
    let origin = if is_mesh { path.with_extension("scene") } else { path.clone() };
    // whoever dropped it may not be its author: it reads what was dropped, and nothing else
    let own = folder.path().join("dropped");
    let scene = Scene::parse_within(text.clone(), &origin, own);
    if let Some((what, cure)) = scene.as_ref().ok().and_then(crowd) {
        return Err(failed(String::new(), vec![whole(what, cure)]));
    }
    let made = scene.and_then(|scene| Show::of_scene(name, scene));
    match made {
        Ok(show) => {
            let show = Box::new(show);
            match unfit(&show) {
                Some((what, cure)) => Err(failed(String::new(), vec![whole(what, cure)])),
                None => Ok(show),
            }
        }
        Err(errors) => {
            let text =
                if is_mesh { std::fs::read_to_string(&path).unwrap_or_default() } else { text };
            let mut all = LoadError::all(&errors);
            all.iter_mut().for_each(|error| error.hide(folder.path()));
            Err(failed(text, all))
        }
    }
}

/// A scene by its text, as if it had been dropped.
pub fn in_dropped(text: &str, folder: &Folder) -> Result<Built, SceneErrors> {
    let own = folder.path().join("dropped");
    Scene::parse_within(text, own.join("saved.toml"), &own)?.build()
}

/// A body for the scene that is on, by its entry in a scene file; a mesh is one that was dropped.
pub fn newcomer(entry: Value, folder: &Folder) -> Result<Box<Newcomer>, String> {
    let own = folder.path().join("dropped");
    let text = json!({ "version": 1, "body": [entry] }).to_string();
    let plain = |errors: SceneErrors| {
        let mut all = LoadError::all(&errors);
        all.iter_mut().for_each(|error| error.hide(folder.path()));
        let words = all.iter().map(|e| format!("{}; {}", e.message, e.cure));
        words.collect::<Vec<_>>().join(". ")
    };
    let scene = Scene::parse_within(text, own.join("newcomer.json"), &own).map_err(plain)?;
    let newcomer = Newcomer::of_scene(&scene, entry).map_err(plain)?;
    // built alone it shows its mistakes, and how much there is to tell about it
    let alone = scene.build().map_err(plain)?;
    let size = describe_size(Show::new("newcomer", alone));
    if size > LARGEST_NEWCOMER {
        return Err(format!("{} kB to describe; a body may take 1 MB", size >> 10));
    }
    Ok(Box::new(newcomer))
}

fn describe_size(show: Show) -> usize {
    let parameters = Stage::new(Box::new(show.clone())).parameters();
    describe(&show, 1, &parameters).to_string().len()
}

/// Largest description of a body that is added \[bytes\].
const LARGEST_NEWCOMER: usize = 1 << 20;
/// Largest description of a scene that is sent to a page \[bytes\]; a socket takes twice that.
const LARGEST_SCENE: usize = 4 << 20;

/// Bodies of a scene that may be described in so many bytes.
const MOST_BODIES: usize = 20_000;
/// A text below this cannot hold so many \[bytes\]: `[[body]]`, a name, a shape.
const FEW: usize = 16 * MOST_BODIES;

/// Why a scene is not even built, and what to do, if it has far too many bodies: a world of 60 000
/// takes more room than many machines have.
fn crowd(scene: &Scene) -> Option<(String, &'static str)> {
    if scene.text().len() < FEW {
        return None;
    }
    let bodies = scene.to_json()["body"].as_array().map_or(0, Vec::len);
    let what = || format!("{bodies} bodies; the studio shows at most {MOST_BODIES}");
    (bodies > MOST_BODIES).then(|| (what(), "leave out some, or use `palpable run`"))
}

/// Why a scene cannot be shown, and what to do, if it cannot.
pub fn unfit(show: &Show) -> Option<(String, &'static str)> {
    let step = show.steps.mean_length();
    if !(SHORTEST_STEP..=LONGEST_STEP).contains(&step) {
        let what = format!("steps of {step} s; the studio takes 20 us to 100 ms");
        return Some((what, "change [step], or use `palpable run`"));
    }
    let parameters = Stage::new(Box::new(show.clone())).parameters();
    let size = describe(show, 1, &parameters).to_string().len();
    (size > LARGEST_SCENE).then(|| {
        let (bodies, megabytes) = (show.bodies.len(), size >> 20);
        let what = format!("{bodies} bodies take {megabytes} MB to describe; a page takes 4 MB");
        (what, "leave out some, or use `palpable run`")
    })
}

/// A mesh hung up by a soft spring, so that it can be pulled about.
fn mesh_scene(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    format!(
        "version = 1\n\
         scene = {{ name = \"{name}\", description = \"A mesh of 100 g on a soft spring\" }}\n\
         [[body]]\nname = \"mesh\"\nmass = 0.1\nshape = {{ mesh = {{ file = \"{name}\" }} }}\n\
         damping = {{ linear = 0.02, angular = 1e-5 }}\n\
         [[spring]]\nname = \"tether\"\na = {{ body = \"mesh\" }}\nb = {{ world = [0, 0, 0] }}\n\
         stiffness = 5\ndamping = 0.2\n"
    )
}
