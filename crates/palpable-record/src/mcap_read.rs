//! Reading an MCAP recording back.

use crate::mcap_channels::{COLUMNS, GROUP, POSE, number};
use crate::{Column, RecordError, Table};
use mcap::records::{ChunkHeader, Record};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;

const RECORD_AGAIN: &str = "the recording was cut off or damaged: record it again, \
                            or try `mcap recover`";
/// Ours are of 1 MiB \[byte\].
#[cfg(feature = "zstd")]
const LARGEST_CHUNK: usize = 1 << 28;
const NOT_OURS: &str = "read only files that palpable recorded";

/// Reads a recording written by [`McapSink`](crate::McapSink), with the same columns and groups.
///
/// Channels of other programs in the same file are passed over.
pub fn read_mcap(path: impl AsRef<Path>) -> Result<Table, RecordError> {
    read(path.as_ref(), None)
}

/// The same, but only those of the columns that `wanted` names, in the order of the file: a long
/// recording has many more than a reader needs.
pub fn read_mcap_columns(path: impl AsRef<Path>, wanted: &[&str]) -> Result<Table, RecordError> {
    read(path.as_ref(), Some(wanted))
}

fn read(path: &Path, wanted: Option<&[&str]>) -> Result<Table, RecordError> {
    let bytes = crate::regular::read(path)
        .map_err(|source| RecordError::io(path, "open the recording", source))?;
    read_bytes(&bytes, wanted).map_err(|Fault { offset, problem, cure }| RecordError::Mcap {
        path: path.to_path_buf(),
        offset: Some(offset),
        problem,
        cure,
    })
}

/// What is wrong, and where \[byte\].
struct Fault {
    offset: u64,
    problem: String,
    cure: &'static str,
}

fn fault(offset: usize, problem: impl Into<String>, cure: &'static str) -> Fault {
    Fault { offset: offset as u64, problem: problem.into(), cure }
}

fn read_bytes(bytes: &[u8], wanted: Option<&[&str]>) -> Result<Table, Fault> {
    let magic = mcap::MAGIC;
    if bytes.is_empty() {
        return Err(fault(0, "the file is empty", RECORD_AGAIN));
    }
    let Some(inner) = bytes.strip_prefix(magic) else {
        return Err(fault(0, "not an MCAP file", NOT_OURS));
    };
    let Some(inner) = inner.strip_suffix(magic) else {
        return Err(fault(bytes.len(), "the file ends without its closing mark", RECORD_AGAIN));
    };
    let mut reader = Reader { wanted, ..Reader::default() };
    walk(inner, magic.len(), false, &mut |offset, record| reader.take(offset, record))?;
    reader.table(bytes.len())
}

/// Calls `visit` with every record and its place in the file, inside chunks too.
fn walk(
    mut bytes: &[u8],
    mut offset: usize,
    in_chunk: bool,
    visit: &mut dyn FnMut(usize, Record) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // a record is a code, the length of its body, and the body
    while let Some((code, rest)) = bytes.split_first() {
        let cut = || fault(offset, "the file ends inside a record", RECORD_AGAIN);
        let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(cut)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| cut())?;
        let (body, rest) = rest.split_at_checked(length).ok_or_else(cut)?;
        let damaged = |problem: String| fault(offset, problem, RECORD_AGAIN);
        let start = offset + 9;
        match mcap::parse_record(*code, body).map_err(|error| damaged(error.to_string()))? {
            Record::Chunk { .. } if in_chunk => {
                return Err(damaged("a chunk inside a chunk".into()));
            }
            Record::Chunk { header, data } => {
                let data = unpack(&header, data)
                    .map_err(|(problem, cure)| fault(offset, problem, cure))?;
                let sum = crc32fast::hash(&data);
                if header.uncompressed_crc != 0 && header.uncompressed_crc != sum {
                    return Err(damaged("the checksum of a chunk does not match".into()));
                }
                walk(&data, (start + length).saturating_sub(data.len()), true, visit)?;
            }
            record => visit(offset, record)?,
        }
        offset = start + length;
        bytes = rest;
    }
    Ok(())
}

/// The records of a chunk.
fn unpack<'a>(
    header: &ChunkHeader,
    data: Cow<'a, [u8]>,
) -> Result<Cow<'a, [u8]>, (String, &'static str)> {
    match header.compression.as_str() {
        "" => Ok(data),
        #[cfg(feature = "zstd")]
        "zstd" => {
            // a lie about the size must not exhaust the memory
            let size = usize::try_from(header.uncompressed_size).unwrap_or(usize::MAX);
            let unpacked = zstd::bulk::decompress(&data, size.min(LARGEST_CHUNK));
            let wrong = |error| (format!("a chunk does not unpack: {error}"), RECORD_AGAIN);
            unpacked.map(Cow::Owned).map_err(wrong)
        }
        other => Err((format!("a chunk packed with {other}"), "unpack it with `mcap decompress`")),
    }
}

/// Where a value is in a message.
enum Spot {
    Plain(String),
    Position(String),
    Orientation(String),
}

/// One of our channels: where its values belong, and where they are in a message.
struct Fields {
    places: Vec<(usize, Spot)>,
    /// all of its columns, wanted or not
    announced: usize,
}

impl Fields {
    fn is_wanted(&self) -> bool {
        !self.places.is_empty() || self.announced == 0
    }
}

/// Values that a table may have in all, the time of a row among them: 400 MB.
const MOST_VALUES: usize = 50_000_000;
/// Columns that a recording may have.
const MOST_COLUMNS: usize = 100_000;

#[derive(Default)]
struct Reader<'w> {
    wanted: Option<&'w [&'w str]>,
    channels: HashMap<u16, Fields>,
    /// columns that are wanted, by their place in the recording
    columns: Vec<(usize, Column)>,
    /// all places that were announced
    announced: usize,
    /// begun with the first row; by then all columns are known
    table: Option<Table>,
    /// where the values of a place in the recording go
    order: HashMap<usize, usize>,
    row: Row,
}

/// The row that is being read.
#[derive(Default)]
struct Row {
    sequence: Option<u32>,
    time: f64,
    values: Vec<f64>,
    filled: Vec<bool>,
}

impl Reader<'_> {
    fn take(&mut self, offset: usize, record: Record) -> Result<(), Fault> {
        match record {
            Record::Channel(channel) if !self.channels.contains_key(&channel.id) => {
                let Some(list) = channel.metadata.get(COLUMNS) else { return Ok(()) };
                let group = channel.metadata.get(GROUP).map_or("", String::as_str);
                let fields = self.describe(list, group);
                let fields = fields.ok_or_else(|| {
                    fault(offset, "the list of columns does not read", RECORD_AGAIN)
                })?;
                if self.table.is_some() && !fields.places.is_empty() {
                    return Err(fault(offset, "columns come after rows", RECORD_AGAIN));
                }
                self.channels.insert(channel.id, fields);
                Ok(())
            }
            // a channel of which nothing is wanted need not be understood
            Record::Message { header, data }
                if self.channels.get(&header.channel_id).is_some_and(Fields::is_wanted) =>
            {
                self.begin(offset)?;
                if self.row.sequence != Some(header.sequence) {
                    self.end_row(offset)?;
                    self.row.sequence = Some(header.sequence);
                }
                self.fill(&header.channel_id, &data).ok_or_else(|| {
                    fault(offset, "a message lacks a value of its columns", RECORD_AGAIN)
                })
            }
            _ => Ok(()),
        }
    }

    /// Notes the columns of a channel.
    fn describe(&mut self, list: &str, group: &str) -> Option<Fields> {
        let list: Value = serde_json::from_str(list).ok()?;
        let list = list.as_array()?;
        self.announced += list.len();
        if self.announced > MOST_COLUMNS {
            return None;
        }
        let text = |field: &Value, key: &str| field.get(key)?.as_str().map(str::to_string);
        let keys = list.iter().map(|field| text(field, "key")).collect::<Option<Vec<_>>>()?;
        // a value that is named twice would be one number in the file and many in the table
        if keys.iter().collect::<HashSet<_>>().len() < keys.len() {
            return None;
        }
        let pose = group.starts_with("body/") && keys == POSE;
        let mut places = Vec::new();
        for (place, (field, key)) in list.iter().zip(keys).enumerate() {
            let index = usize::try_from(field.get("index")?.as_u64()?).ok()?;
            let column = Column::new(text(field, "name")?, text(field, "unit")?, group);
            if self.wanted.is_some_and(|wanted| !wanted.contains(&column.name.as_str())) {
                continue;
            }
            self.columns.push((index, column));
            let spot = match (pose, place) {
                (false, _) => Spot::Plain(key),
                (true, 0..3) => Spot::Position(key),
                (true, _) => Spot::Orientation(key.trim_start_matches('q').to_owned()),
            };
            places.push((index, spot));
        }
        Some(Fields { places, announced: list.len() })
    }

    /// Makes the table, once.
    fn begin(&mut self, end: usize) -> Result<(), Fault> {
        if self.table.is_some() {
            return Ok(());
        }
        if self.channels.is_empty() {
            return Err(fault(end, "no channel with a list of columns", NOT_OURS));
        }
        self.columns.sort_by_key(|(index, _)| *index);
        let twice = self.columns.windows(2).any(|two| two[0].0 == two[1].0);
        let missing = self.wanted.is_none()
            && self.columns.iter().enumerate().any(|(place, (index, _))| place != *index);
        if twice || missing {
            return Err(fault(end, "some columns are missing or there twice", RECORD_AGAIN));
        }
        let places = self.columns.iter().enumerate().map(|(place, (index, _))| (*index, place));
        self.order = places.collect();
        self.row.values = vec![f64::NAN; self.columns.len()];
        self.row.filled = vec![false; self.columns.len()];
        let columns: Vec<Column> = self.columns.drain(..).map(|(_, column)| column).collect();
        self.table = Some(Table::new(&columns));
        Ok(())
    }

    /// Takes the values of a message.
    fn fill(&mut self, channel: &u16, data: &[u8]) -> Option<()> {
        let fields = self.channels.get(channel)?;
        let message: Value = serde_json::from_slice(data).ok()?;
        let time = number(message.get("time")?)?;
        if !self.row.filled.contains(&true) {
            self.row.time = time;
        }
        for (index, spot) in &fields.places {
            let value = match spot {
                Spot::Plain(key) => message.get(key)?,
                Spot::Position(key) => message.get("pose")?.get("position")?.get(key)?,
                Spot::Orientation(key) => message.get("pose")?.get("orientation")?.get(key)?,
            };
            let place = *self.order.get(index)?;
            self.row.values[place] = number(value)?;
            if std::mem::replace(&mut self.row.filled[place], true) {
                return None;
            }
        }
        Some(())
    }

    /// Puts the row that was read into the table.
    fn end_row(&mut self, offset: usize) -> Result<(), Fault> {
        let (Some(table), Some(_)) = (&mut self.table, self.row.sequence) else { return Ok(()) };
        let (row, number) = (&mut self.row, table.len());
        let whole = row.filled.iter().all(|filled| *filled);
        if !whole || table.push(row.time, &row.values).is_err() {
            return Err(fault(offset, format!("row {number} is incomplete"), RECORD_AGAIN));
        }
        row.filled.fill(false);
        if (1 + table.columns().len()).saturating_mul(table.len()) > MOST_VALUES {
            let problem = format!("there are more than {MOST_VALUES} values");
            return Err(fault(offset, problem, "record less at a time"));
        }
        Ok(())
    }

    fn table(mut self, end: usize) -> Result<Table, Fault> {
        self.begin(end)?;
        self.end_row(end)?;
        Ok(self.table.unwrap_or_default())
    }
}
