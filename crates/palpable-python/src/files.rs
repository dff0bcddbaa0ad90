//! Recordings into arrays, and the papers' experiments.

use crate::errors::{self, PalpableError, Refuse};
use crate::vector::array;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Name, unit, group and values of a column.
type Column<'py> = (String, String, String, Bound<'py, PyArray1<f64>>);

/// Times \[s\] and columns of a recording.
#[pyfunction]
#[pyo3(name = "_read")]
pub fn read<'py>(
    py: Python<'py>,
    path: PathBuf,
    columns: Option<Vec<String>>,
) -> PyResult<(Bound<'py, PyArray1<f64>>, Vec<Column<'py>>)> {
    let packed = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("mcap"));
    let table = py.detach(|| match (&columns, packed) {
        (Some(wanted), true) => {
            let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
            palpable_record::read_mcap_columns(&path, &wanted)
        }
        (None, true) => palpable_record::read_mcap(&path),
        (_, false) => palpable_record::read_csv(&path),
    });
    let table = table.or_raise(errors::record)?;
    let wanted = |name: &str| columns.as_ref().is_none_or(|c| c.iter().any(|n| n == name));
    let mut out = Vec::new();
    for column in table.columns().iter().filter(|c| wanted(&c.name)) {
        let values = array(py, table.column(&column.name).unwrap_or_default());
        out.push((column.name.clone(), column.unit.clone(), column.group.clone(), values));
    }
    Ok((array(py, table.time()), out))
}

/// How long an experiment works before we look for Ctrl-C.
const WAIT: Duration = Duration::from_millis(50);

/// Name, value, bound in words, whether it holds.
type Check = (String, f64, String, bool);

/// Id, paper, title and sentence of each experiment that a pattern names.
#[pyfunction]
#[pyo3(name = "_experiments")]
pub fn experiments(pattern: &str) -> PyResult<Vec<[&'static str; 4]>> {
    let found = palpable_papers::find(pattern).or_raise(PalpableError::new_err)?;
    Ok(found.iter().map(|e| [e.id, e.paper, e.title, e.shows]).collect())
}

/// Runs one experiment: its checks, and the files it wrote. Ctrl-C leaves it to end by itself.
#[pyfunction]
#[pyo3(name = "_reproduce")]
pub fn reproduce(py: Python<'_>, id: &str, out: PathBuf) -> PyResult<(Vec<Check>, Vec<PathBuf>)> {
    let found = palpable_papers::find(id).or_raise(PalpableError::new_err)?;
    let Some(experiment) = found.first().copied() else {
        return Err(PalpableError::new_err(format!("there is no experiment {id:?}")));
    };
    let (tell, told) = mpsc::channel();
    let told = Mutex::new(told);
    std::thread::spawn(move || {
        // nobody listens if the user stopped
        let _ = tell.send(palpable_papers::run(experiment, &out, &mut |_| {}));
    });
    let outcome = loop {
        let wait = || told.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(WAIT);
        match py.detach(wait) {
            Ok(outcome) => break outcome.or_raise(PalpableError::new_err)?,
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PalpableError::new_err(format!("{id} broke off, which is a defect")));
            }
        }
    };
    let check = |c: palpable_papers::Check| (c.name, c.value, c.bound.to_string(), c.pass);
    Ok((outcome.checks.into_iter().map(check).collect(), outcome.files))
}
