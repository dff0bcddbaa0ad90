//! Reading an MCAP recording back.

use crate::mcap_channels::{COLUMNS, GROUP, POSE, number};
use crate::{Column, RecordError, Table};
use mcap::records::{ChunkHeader, Record};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;
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
    let path = path.as_ref();
    let bytes = std::fs::read(path)
        .map_err(|source| RecordError::io(path, "open the recording", source))?;
    read_bytes(&bytes).map_err(|Fault { offset, problem, cure }| RecordError::Mcap {
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

fn read_bytes(bytes: &[u8]) -> Result<Table, Fault> {
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
    let mut reader = Reader::default();
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

/// One of our channels: where its values belong, and where they are in a message.
struct Fields {
    pose: bool,
    places: Vec<(usize, String)>,
}

#[derive(Default)]
struct Reader {
    channels: HashMap<u16, Fields>,
    columns: Vec<(usize, Column)>,
    rows: Vec<PartialRow>,
}

/// A row of which not all channels may have been read.
struct PartialRow {
    sequence: u32,
    time: f64,
    values: Vec<(usize, f64)>,
}

impl Reader {
    fn take(&mut self, offset: usize, record: Record) -> Result<(), Fault> {
        match record {
            Record::Channel(channel) if !self.channels.contains_key(&channel.id) => {
                let Some(list) = channel.metadata.get(COLUMNS) else { return Ok(()) };
                let group = channel.metadata.get(GROUP).map_or("", String::as_str);
                let fields = self.describe(list, group);
                let fields = fields.ok_or_else(|| {
                    fault(offset, "the list of columns does not read", RECORD_AGAIN)
                })?;
                self.channels.insert(channel.id, fields);
                Ok(())
            }
            Record::Message { header, data } => {
                let Some(fields) = self.channels.get(&header.channel_id) else { return Ok(()) };
                let (time, values) = values(fields, &data).ok_or_else(|| {
                    fault(offset, "a message lacks a value of its columns", RECORD_AGAIN)
                })?;
                match self.rows.last_mut().filter(|row| row.sequence == header.sequence) {
                    Some(row) => row.values.extend(values),
                    None => {
                        self.rows.push(PartialRow { sequence: header.sequence, time, values });
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Notes the columns of a channel.
    fn describe(&mut self, list: &str, group: &str) -> Option<Fields> {
        let list: Value = serde_json::from_str(list).ok()?;
        let mut places = Vec::new();
        for field in list.as_array()? {
            let index = usize::try_from(field.get("index")?.as_u64()?).ok()?;
            let text = |key: &str| field.get(key)?.as_str().map(str::to_string);
            self.columns.push((index, Column::new(text("name")?, text("unit")?, group)));
            places.push((index, text("key")?));
        }
        let keys: Vec<&str> = places.iter().map(|(_, key)| key.as_str()).collect();
        Some(Fields { pose: group.starts_with("body/") && keys == POSE, places })
    }

    fn table(mut self, end: usize) -> Result<Table, Fault> {
        if self.channels.is_empty() {
            return Err(fault(end, "no channel with a list of columns", NOT_OURS));
        }
        self.columns.sort_by_key(|(index, _)| *index);
        if self.columns.iter().enumerate().any(|(place, (index, _))| place != *index) {
            return Err(fault(end, "some columns are missing or there twice", RECORD_AGAIN));
        }
        let columns: Vec<Column> = self.columns.into_iter().map(|(_, column)| column).collect();
        let mut table = Table::new(&columns);
        for (number, row) in self.rows.iter_mut().enumerate() {
            row.values.sort_by_key(|(index, _)| *index);
            let whole = row.values.iter().map(|(index, _)| *index).eq(0..columns.len());
            let values: Vec<f64> = row.values.iter().map(|(_, value)| *value).collect();
            if !whole || table.push(row.time, &values).is_err() {
                let problem = format!("row {number} is incomplete");
                return Err(fault(end, problem, RECORD_AGAIN));
            }
        }
        Ok(table)
    }
}

/// The time and values of a message.
fn values(fields: &Fields, data: &[u8]) -> Option<(f64, Vec<(usize, f64)>)> {
    let message: Value = serde_json::from_slice(data).ok()?;
    let time = number(message.get("time")?)?;
    let mut values = Vec::with_capacity(fields.places.len());
    for (place, (index, key)) in fields.places.iter().enumerate() {
        let value = match (fields.pose, place) {
            (false, _) => message.get(key)?,
            (true, 0..3) => message.get("pose")?.get("position")?.get(key)?,
            (true, _) => {
                message.get("pose")?.get("orientation")?.get(key.trim_start_matches('q'))?
            }
        };
        values.push((*index, number(value)?));
    }
    Some((time, values))
}
