//! The studio on a world made in Python.

use crate::errors::{PalpableError, Refuse};
use crate::world::World;
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
    inner: Mutex<Option<palpable_studio::Studio>>,
}

#[pymethods]
impl Studio {
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

/// Opens the studio on the model of a world, from its start, at steps of `h` \[s\].
///
/// It runs a copy: the world in Python stays as it is. Without a world it shows the gallery.
#[pyfunction]
#[pyo3(signature = (world=None, *, h=1e-3, port=0, browser=true))]
pub fn studio(
    py: Python<'_>,
    world: Option<&World>,
    h: f64,
    port: u16,
    browser: bool,
) -> PyResult<Studio> {
    let settings = Settings { port, ..Settings::default() };
    let show = world.map(|w| show(w, h)).transpose()?;
    let started = py.detach(|| match show {
        Some(show) => palpable_studio::Studio::open(show, settings),
        None => palpable_studio::Studio::start(settings),
    });
    let inner = started.or_raise(PalpableError::new_err)?;
    if browser {
        // whoever has no browser has the address
        let _ = inner.door().is_some_and(open_in_browser);
    }
    Ok(Studio { address: inner.address().to_owned(), inner: Mutex::new(Some(inner)) })
}

fn show(world: &World, h: f64) -> PyResult<Box<Show>> {
    // what the page lets a user choose
    if !(2e-5..=0.1).contains(&h) {
        return Err(PalpableError::new_err(format!("h is {h}; the studio takes 20 us to 100 ms")));
    }
    let core = world.lock()?;
    let scene = core.scene.as_ref();
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
        looks: Vec::new(),
        joints: Vec::new(),
        systems: Vec::new(),
        sections: Vec::new(),
        staging: Default::default(),
    };
    Ok(Box::new(Show::new("python", built)))
}

fn nothing_recorded() -> RecordPlan {
    let (bodies, ports, springs) = Default::default();
    RecordPlan { every: 1, energy: false, bodies, ports, springs }
}
