//! What was done to a world since it was built: replaying it gives the same bits, so a world can
//! be pickled without a format for its memory.

use crate::inputs::{Held, Inputs};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::Arc;

/// Most entries that are kept. Equal steps in a row are one entry.
const MOST: usize = 100_000;

/// One thing that was done.
#[derive(Debug, Clone)]
pub enum Record {
    /// Steps of a length \[s\] with the same inputs; none of either means the scene's own.
    Steps {
        /// Length \[s\].
        h: Option<f64>,
        /// What entered; `None` if nothing did.
        inputs: Option<Held>,
        /// True if the scene's script gave the inputs.
        scripted: bool,
        /// How many.
        count: u64,
    },
    /// A method and its arguments.
    Call(Arc<Py<PyTuple>>),
}

/// Everything that was done, in order; empty and `lost` if it became too much.
#[derive(Debug, Clone, Default)]
pub struct Journal {
    /// What was done.
    pub records: Arc<Vec<Record>>,
    /// True if it was too much to keep.
    pub lost: bool,
}

impl Journal {
    /// Notes one step.
    #[inline]
    pub fn step(&mut self, h: Option<f64>, inputs: Option<&Held>, scripted: bool) {
        self.steps(h, inputs, scripted, 1);
    }

    /// Notes equal steps in a row.
    #[inline]
    pub fn steps(&mut self, h: Option<f64>, inputs: Option<&Held>, scripted: bool, more: u64) {
        if self.lost || more == 0 {
            return;
        }
        let records = Arc::make_mut(&mut self.records);
        if let Some(Record::Steps { h: last, inputs: held, scripted: s, count }) =
            records.last_mut()
            && *last == h
            && *s == scripted
            && held.as_ref() == inputs
        {
            *count += more;
            return;
        }
        let inputs = inputs.cloned();
        self.add(Record::Steps { h, inputs, scripted, count: more });
    }

    /// Notes a call.
    pub fn call(&mut self, call: Bound<'_, PyTuple>) {
        self.add(Record::Call(Arc::new(call.unbind())));
    }

    fn add(&mut self, record: Record) {
        if self.records.len() >= MOST {
            (self.records, self.lost) = (Arc::default(), true);
        } else if !self.lost {
            Arc::make_mut(&mut self.records).push(record);
        }
    }

    /// As Python objects.
    pub fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for record in self.records.iter() {
            match record {
                Record::Steps { h, inputs: held, scripted, count } => {
                    let held = held.clone().map(Inputs);
                    let name = if *scripted { "_scripted" } else { "_steps" };
                    list.append((name, (*h, held, *count)))?;
                }
                Record::Call(call) => list.append(call.bind(py))?,
            }
        }
        Ok(list)
    }
}
