//! Recordings and figures of palpable runs.
//!
//! A run announces its [`Column`]s to a [`Sink`] and hands it rows. Sinks write [CSV](CsvSink), keep
//! a [`Table`] in memory, or several of these at once through a [`Tee`]. Readers give the table
//! back. A [`Figure`](figure::Figure) draws columns as PNG and SVG, the same on every machine.
//!
//! Values are `f64` in SI units. Nothing here prints, and nothing panics on any input.

mod atomic;
mod canvas;
mod column;
mod csv_read;
mod csv_sink;
mod error;
pub mod figure;
mod sink;
mod table;

pub use column::Column;
pub use csv_read::read_csv;
pub use csv_sink::CsvSink;
pub use error::RecordError;
pub use sink::{Sink, Tee};
pub use table::Table;
