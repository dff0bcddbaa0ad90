//! The studio on a world made in Python.

use crate::core::Core;
use crate::errors::{PalpableError, Refuse};
use crate::world::World;
use palpable::Snapshot;
use palpable_scene::{Built, RecordPlan, Script, Steps};
use palpable_studio::stage::Show;
use palpable_studio::{Settings, open_in_browser};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A running studio; ends when it is closed or forgotten.
#[pyclass(frozen, module = "palpable")]
#[derive(Debug)]
pub struct Studio {
    #[pyo3(get)]
    /// The address to open, with its token.
    address: String,
    /// Steps of worlds without a scene \[s\].
    h: f64,
    /// The studio, and a world like the one it shows, to tell whether another one is like it.
    inner: Mutex<Option<(palpable_studio::Studio, Option<palpable::World>)>>,
}

#[pymethods]
impl Studio {
    /// Shows a world as it is now; time on the page stands still there until somebody runs it on.
    fn show(&self, py: Python<'_>, world: &World) -> PyResult<()> {
        let (show, state) = shown(&*world.lock()?, self.h);
        py.detach(|| {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            let Some((studio, twin)) = inner.as_mut() else {
                return Err(PalpableError::new_err("this studio was closed; open another one"));
            };
            if !twin.as_mut().is_some_and(|twin| twin.restore(&state)) {
                // of other parts
                *twin = Some(show.world());
                studio.show(show);
            }
            studio.place(state, true);
            Ok(())
        })
    }

    /// Ends it.
    fn close(&self, py: Python<'_>) {
        let studio = self.inner.lock().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(studio));
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: Py<PyAny>,
        _value: Py<PyAny>,
        _trace: Py<PyAny>,
    ) -> bool {
        self.close(py);
        false
    }

    fn __repr__(&self) -> String {
        format!("<Studio at {}>", self.address)
    }

    fn _repr_html_(&self) -> String {
        let address = &self.address;
        format!("<iframe src=\"{address}\" width=\"100%\" height=\"640\"></iframe>")
    }
}

/// Opens the studio on a world, as it is now, at steps of `h` \[s\].
///
/// It runs a copy: the world in Python stays as it is, and `Studio.show` shows what became of it.
/// Without a world it shows the gallery.
#[pyfunction]
#[pyo3(signature = (world=None, *, h=1e-3, port=0, browser=true))]
pub fn studio(
    py: Python<'_>,
    world: Option<&World>,
    h: f64,
    port: u16,
    browser: bool,
) -> PyResult<Studio> {
    let settings = Settings { port, framed: true, ..Settings::default() };
    // what the page lets a user choose
    if !(2e-5..=0.1).contains(&h) {
        return Err(PalpableError::new_err(format!("h is {h}; the studio takes 20 us to 100 ms")));
    }
    let first = world.map(|w| Ok::<_, PyErr>(shown(&*w.lock()?, h))).transpose()?;
    let twin = first.as_ref().map(|(show, _)| show.world());
    let started = py.detach(|| match first {
        Some((show, state)) => {
            let studio = palpable_studio::Studio::open(show, settings)?;
            studio.place(state, false);
            Ok(studio)
        }
        None => palpable_studio::Studio::start(settings),
    });
    let inner = started.or_raise(PalpableError::new_err)?;
    if browser {
        // whoever has no browser has the address
        let _ = inner.door().is_some_and(open_in_browser);
    }
    let address = inner.address().to_owned();
    Ok(Studio { address, h, inner: Mutex::new(Some((inner, twin))) })
}

/// A world as the studio shows it, and the state that it is in.
fn shown(core: &Core, h: f64) -> (Box<Show>, Snapshot) {
    let scene = core.scene.as_ref();
    let looks = scene.map_or_else(Default::default, |s| s.shown.clone());
    let built = Built {
        name: scene.map_or("a world from Python".to_owned(), |s| s.name.clone()),
        description: scene.map_or(String::new(), |s| s.description.clone()),
        model: core.world.model().clone(),
        options: *core.world.options(),
        duration: scene.map_or(f64::INFINITY, |s| s.duration),
        script: scene.map_or_else(Script::default, |s| s.script.clone()),
        steps: scene.map_or_else(|| Steps::fixed(h), |s| s.steps.clone()),
        record: nothing_recorded(),
        impulses: None,
        robots: Vec::new(),
        looks: looks.looks.clone(),
        joints: looks.joints.clone(),
        systems: looks.systems.clone(),
        sections: looks.sections.clone(),
        staging: looks.staging.clone(),
    };
    (Box::new(Show::new("python", built)), core.world.snapshot())
}

fn nothing_recorded() -> RecordPlan {
    let (bodies, ports, springs) = Default::default();
    RecordPlan { every: 1, energy: false, bodies, ports, springs }
}
