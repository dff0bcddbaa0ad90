//! Recordings and figures of palpable runs.
//!
//! A run announces its [`Column`]s to a [`Sink`] and hands it rows. Sinks write [CSV](CsvSink) or
//! [MCAP](McapSink), keep a whole [`Table`] or a [thinned](Decimator) one in memory, or do
//! several of these at once through a [`Tee`]. Readers give the table back. A
//! [`Figure`](figure::Figure) draws columns as PNG and SVG, the same on every machine.
//!
//! ```no_run
//! use palpable_record::figure::{Axis, Figure, Line, Panel};
//! use palpable_record::{Column, CsvSink, McapSink, Sink, Table, Tee};
//!
//! # fn main() -> Result<(), palpable_record::RecordError> {
//! let mut table = Table::default();
//! let mut sink = Tee::new()
//!     .with(CsvSink::create("out/run.csv")?)
//!     .with(McapSink::create("out/run.mcap")?)
//!     .with(&mut table);
//! sink.begin(&[Column::new("ball.x", "m", "ball")])?;
//! for tick in 0..1000 {
//!     let time = 1e-3 * f64::from(tick);
//!     sink.row(time, &[0.1 * (6.0 * time).cos()])?;
//! }
//! sink.finish()?;
//! drop(sink);
//! let x = table.column("ball.x").unwrap_or_default();
//! Figure::new("A ball on a spring", Axis::new("time", "s"))
//!     .panel(Panel::new(Axis::new("position", "m")).line(Line::new("ball", table.time(), x)))
//!     .write_both("out/ball")?;
//! # Ok(())
//! # }
//! ```
//!
//! Values are `f64` in SI units. Nothing here prints, and nothing panics on any input.

mod atomic;
mod canvas;
mod column;
mod csv_read;
mod csv_sink;
mod decimate;
mod error;
pub mod figure;
mod mcap_channels;
mod mcap_read;
mod mcap_scene;
mod mcap_schema;
mod mcap_sink;
pub mod picture;
mod regular;
mod sink;
mod table;

pub use column::Column;
pub use csv_read::read_csv;
pub use csv_sink::CsvSink;
pub use decimate::Decimator;
pub use error::RecordError;
pub use mcap_read::{read_mcap, read_mcap_columns};
pub use mcap_scene::{Entity, Solid, SolidForm};
pub use mcap_sink::McapSink;
pub use sink::{Sink, Tee};
pub use table::Table;
