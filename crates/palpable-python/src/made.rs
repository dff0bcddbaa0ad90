//! How worlds come about: from scenes, and from what was done to another one.

use crate::core::{Core, Orders, SceneRun, Shown};
use crate::errors::{self, PalpableError, Refuse};
use crate::inputs::Inputs;
use crate::journal::Journal;
use crate::model::Model;
use crate::options::options;
use crate::world::{PATIENCE, Snapshot, World};
use palpable_scene::Scene;
use palpable_studio::{GALLERY, located};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;

/// What makes an equal world: origin, options, journal.
pub fn parts<'py>(
    py: Python<'py>,
    (origin, options): (&Py<PyTuple>, &Py<PyDict>),
    journal: &Journal,
) -> PyResult<Bound<'py, PyTuple>> {
    if journal.lost {
        let words = "more than 100 000 changes of input since the world was built; pickle its \
                     model, or pickle it earlier";
        return Err(PalpableError::new_err(words));
    }
    (origin.clone_ref(py), options.clone_ref(py), journal.list(py)?).into_pyobject(py)
}

/// A world by what it was made of and what was done to it, for pickles.
#[pyfunction]
#[pyo3(name = "_world")]
pub fn world<'py>(
    py: Python<'py>,
    origin: (String, Bound<'py, PyTuple>),
    options: &Bound<'py, PyDict>,
    journal: Vec<(String, Bound<'py, PyTuple>)>,
) -> PyResult<Bound<'py, World>> {
    let (kind, parts) = origin;
    let world = if kind == "model" {
        let (calls,) = parts.extract()?;
        let model = crate::model::model(py, calls)?;
        Bound::new(py, World::new(py, model.get(), Some(options))?)?
    } else if kind == "named" {
        let (name,): (PathBuf,) = parts.extract()?;
        Bound::new(py, load(py, name, Some(options))?)?
    } else {
        let (text, path): (String, PathBuf) = parts.extract()?;
        Bound::new(py, from_scene(py, Scene::parse(text, path), None, Some(options))?)?
    };
    for (name, arguments) in journal {
        if name == "_steps" || name == "_scripted" {
            let (h, inputs, count) = arguments.extract()?;
            replay(py, world.get(), h, (inputs, name == "_scripted"), count)?;
        } else if name == "_edit" {
            let (calls,) = arguments.extract()?;
            let lent = Model::lend(&world.get().lock()?.world);
            let lent = Bound::new(py, lent)?;
            crate::model::repeat(&lent, calls)?;
            world.get().adopt(py, lent.get())?;
        } else {
            world.as_any().call_method1(name.as_str(), arguments)?;
        }
    }
    Ok(world)
}

fn replay(
    py: Python<'_>,
    world: &World,
    h: Option<f64>,
    (inputs, scripted): (Option<Bound<'_, Inputs>>, bool),
    count: u64,
) -> PyResult<()> {
    let mut left = count;
    let inputs = inputs.map(|i| i.borrow().0.clone());
    let orders = Orders { h, inputs: inputs.as_ref(), scripted };
    while left > 0 {
        let mut guard = world.lock()?;
        let core: &mut Core = &mut guard;
        let (done, result) = py.detach(move || core.steps(orders, left, PATIENCE));
        left -= done;
        result?;
        py.check_signals()?;
    }
    Ok(())
}

/// A snapshot by the world it is of, for pickles.
#[pyfunction]
#[pyo3(name = "_snapshot")]
pub fn snapshot<'py>(
    py: Python<'py>,
    origin: (String, Bound<'py, PyTuple>),
    options: &Bound<'py, PyDict>,
    journal: Vec<(String, Bound<'py, PyTuple>)>,
) -> PyResult<Snapshot> {
    world(py, origin, options, journal)?.get().snapshot(py)
}

fn from_scene(
    py: Python<'_>,
    scene: Result<Scene, palpable_scene::SceneErrors>,
    exhibit: Option<&str>,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<World> {
    let scene = scene.or_raise(errors::scene)?;
    let built = scene.build().or_raise(errors::scene)?;
    let chosen = options(named, built.options)?;
    let world = palpable::World::with_options(built.model, chosen).or_raise(errors::build)?;
    let run = SceneRun {
        name: built.name,
        description: built.description,
        duration: built.duration,
        script: built.script,
        steps: built.steps,
        inputs: world.inputs(),
        shown: Arc::new(Shown {
            looks: built.looks,
            joints: built.joints,
            systems: built.systems,
            sections: built.sections,
            staging: built.staging,
        }),
    };
    let origin = match exhibit {
        // files that it names are unpacked again
        Some(name) => ("named", (name,)).into_pyobject(py)?,
        None => ("scene", (scene.text(), scene.file())).into_pyobject(py)?,
    };
    let core = Core::new(world, Some(run));
    World::wrap(py, core, (origin, named))
}

/// A world of a scene file (TOML, JSON), a robot (URDF) or a scene of the gallery by its name;
/// options by name replace the file's.
#[pyfunction]
#[pyo3(signature = (path, **named))]
pub fn load(py: Python<'_>, path: PathBuf, named: Option<&Bound<'_, PyDict>>) -> PyResult<World> {
    let found = located::find(&path).or_raise(errors::scene)?;
    from_scene(py, Scene::load(&found.path), found.exhibit, named)
}

/// A world of the text of a scene; `origin` is the file that relative paths in it start from.
#[pyfunction]
#[pyo3(signature = (text, origin=PathBuf::from("scene.toml"), **named))]
pub fn parse(
    py: Python<'_>,
    text: String,
    origin: PathBuf,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<World> {
    from_scene(py, Scene::parse(text, origin), None, named)
}

/// Scenes that the package carries, for `load`: their names, and the group each is in.
#[pyfunction]
pub fn scenes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    GALLERY.iter().try_for_each(|exhibit| all.set_item(exhibit.id, exhibit.group))?;
    Ok(all)
}
