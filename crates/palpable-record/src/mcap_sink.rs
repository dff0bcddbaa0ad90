//! Recording as MCAP, for Foxglove, Rerun and replay.

use crate::mcap_channels::{Layout, layouts};
use crate::mcap_scene::{self, Entity};
use crate::mcap_schema::{frame_transforms, schema};
use crate::table::check_length;
use crate::{Column, RecordError, Sink, atomic};
use mcap::records::MessageHeader;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Most channels of columns: ids have 16 bits, and poses and looks have channels of their own.
const MOST_CHANNELS: usize = 65_000;
/// Least time between two messages with all frames \[ns\].
const FRAME: u64 = 1_000_000_000 / 60;

/// Writes a recording as MCAP: one channel of JSON messages per group of columns.
///
/// The group `energy` becomes `/energy`. A group `body/NAME` with the columns of
/// [`Column::pose`] becomes `/body/NAME` of schema `foxglove.PoseInFrame`, its other columns
/// `/body/NAME/state`, and all poses together, 60 times per second, `/tf` of
/// `foxglove.FrameTransforms`; what bodies look like is in `/scene`
/// ([`McapSink::with_entities`]): viewers show these in space, relative to the frame `world`. Log
/// times are the row's time in nanoseconds.
///
/// # Guarantee
/// Every finite `f64`, the time included, reads back with the same bits. JSON has no other numbers:
/// NaN is written `null` (sign and payload are lost), infinities are the words `"Infinity"` and
/// `"-Infinity"`.
///
/// The file grows as `NAME.part` and takes its name when finished or dropped. Memory stays
/// bounded: chunks of 1 MiB are written as they fill, packed by Zstandard with the feature `zstd`.
pub struct McapSink {
    path: PathBuf,
    writer: Option<mcap::Writer<BufWriter<File>>>,
    channels: Vec<(u16, Layout)>,
    transforms: Option<u16>,
    entities: Vec<Entity>,
    last_transform: u64,
    columns: usize,
    rows: u64,
    begun: bool,
    text: String,
}

impl McapSink {
    /// Creates the growing file, and its folder if need be.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let path = path.as_ref().to_path_buf();
        let file = BufWriter::new(atomic::create_part(&path)?);
        let options = packed(mcap::WriteOptions::new())
            .profile("palpable")
            .library(concat!("palpable-record ", env!("CARGO_PKG_VERSION")));
        let writer = options.create(file).map_err(|error| fault(&path, 0, &error))?;
        Ok(Self {
            path,
            writer: Some(writer),
            channels: Vec::new(),
            transforms: None,
            entities: Vec::new(),
            last_transform: 0,
            columns: 0,
            rows: 0,
            begun: false,
            text: String::new(),
        })
    }

    /// Tells what bodies look like: `/scene` of schema `foxglove.SceneUpdate`, once.
    pub fn with_entities(mut self, entities: Vec<Entity>) -> Self {
        self.entities = entities;
        self
    }

    /// Runs a call of the writer; after a failure the file keeps its name of growth.
    fn with_writer<T>(
        &mut self,
        call: impl FnOnce(&mut mcap::Writer<BufWriter<File>>) -> mcap::McapResult<T>,
    ) -> Result<T, RecordError> {
        let writer =
            self.writer.as_mut().ok_or(RecordError::Order { problem: "already finished" })?;
        let outcome = call(writer);
        if outcome.is_err() {
            self.writer = None;
        }
        outcome.map_err(|error| fault(&self.path, self.rows, &error))
    }

    fn add_channel(
        &mut self,
        (name, text): (String, String),
        topic: &str,
        metadata: &BTreeMap<String, String>,
    ) -> Result<u16, RecordError> {
        self.with_writer(|writer| {
            let schema = writer.add_schema(&name, "jsonschema", text.as_bytes())?;
            writer.add_channel(schema, topic, "json", metadata)
        })
    }

    fn put(&mut self, channel_id: u16, nanoseconds: u64) -> Result<(), RecordError> {
        let header = MessageHeader {
            channel_id,
            // the reader tells rows apart by this
            sequence: self.rows as u32,
            log_time: nanoseconds,
            publish_time: nanoseconds,
        };
        let text = std::mem::take(&mut self.text);
        let outcome =
            self.with_writer(|writer| writer.write_to_known_channel(&header, text.as_bytes()));
        self.text = text;
        outcome
    }

    /// All poses of a row as one message, as often as a screen shows a picture.
    fn put_transforms(&mut self, nanoseconds: u64, values: &[f64]) -> Result<(), RecordError> {
        let Some(channel) = self.transforms else { return Ok(()) };
        let passed = nanoseconds.checked_sub(self.last_transform);
        if self.rows > 0 && passed.is_some_and(|passed| passed < FRAME) {
            return Ok(());
        }
        self.last_transform = nanoseconds;
        self.text.clear();
        self.text.push_str("{\"transforms\":[");
        let mut first = true;
        for (_, layout) in self.channels.iter().filter(|(_, layout)| layout.body.is_some()) {
            if !std::mem::replace(&mut first, false) {
                self.text.push(',');
            }
            layout.transform(nanoseconds, values, &mut self.text);
        }
        self.text.push_str("]}");
        self.put(channel, nanoseconds)
    }
}

impl Sink for McapSink {
    fn begin(&mut self, columns: &[Column]) -> Result<(), RecordError> {
        if std::mem::replace(&mut self.begun, true) {
            return Err(RecordError::Order { problem: "begun twice" });
        }
        self.columns = columns.len();
        let layouts = layouts(columns);
        if layouts.len() > MOST_CHANNELS {
            let problem = format!("{} channels, and MCAP numbers {MOST_CHANNELS}", layouts.len());
            let (path, offset) = (self.path.clone(), None);
            let cure = "record fewer bodies, or as CSV alone (--csv)";
            return Err(RecordError::Mcap { path, offset, problem, cure });
        }
        for layout in layouts {
            let id = self.add_channel(schema(&layout), &layout.topic, &layout.metadata())?;
            self.channels.push((id, layout));
        }
        if self.channels.iter().any(|(_, layout)| layout.body.is_some()) {
            let id = self.add_channel(frame_transforms(), "/tf", &BTreeMap::new())?;
            self.transforms = Some(id);
        }
        if !self.entities.is_empty() {
            let id = self.add_channel(mcap_scene::schema(), "/scene", &BTreeMap::new())?;
            self.text = mcap_scene::message(&self.entities);
            self.put(id, 0)?;
        }
        Ok(())
    }

    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), RecordError> {
        if !self.begun {
            return Err(RecordError::Order { problem: "row before begin" });
        }
        check_length(self.rows, self.columns, values.len())?;
        // times before zero and not a number are logged at zero; the message has the exact time
        let nanoseconds = (time * 1e9).round() as u64;
        for index in 0..self.channels.len() {
            let (id, layout) = &self.channels[index];
            let id = *id;
            layout.message(time, nanoseconds, values, &mut self.text);
            self.put(id, nanoseconds)?;
        }
        self.put_transforms(nanoseconds, values)?;
        self.rows += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        if self.writer.is_none() {
            return Ok(());
        }
        if !self.begun {
            // a recording without columns still is a table
            self.begin(&[])?;
        }
        self.with_writer(|writer| writer.finish().map(drop))?;
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let file = writer.into_inner().into_inner();
        file.map_err(|error| RecordError::io(&self.path, "write the rows", error.into_error()))?;
        atomic::publish(&self.path)
    }
}

impl Drop for McapSink {
    fn drop(&mut self) {
        // nobody is left to hear of a failure; the part file stays then
        let _ = self.finish();
    }
}

/// Packs chunks, on the thread that writes.
#[cfg(feature = "zstd")]
fn packed(options: mcap::WriteOptions) -> mcap::WriteOptions {
    options.compression(Some(mcap::Compression::Zstd)).compression_threads(0)
}

#[cfg(not(feature = "zstd"))]
fn packed(options: mcap::WriteOptions) -> mcap::WriteOptions {
    options.compression(None)
}

fn fault(path: &Path, rows: u64, error: &mcap::McapError) -> RecordError {
    RecordError::Mcap {
        path: path.to_path_buf(),
        offset: None,
        problem: format!("cannot write row {rows}: {error}"),
        cure: "check the space left on the disk",
    }
}
