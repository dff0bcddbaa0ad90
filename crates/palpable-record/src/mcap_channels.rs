//! How columns are spread over MCAP channels, and rows over their JSON messages.

use crate::Column;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Key of the channel metadata that lists the columns; its presence marks our channels.
pub(crate) const COLUMNS: &str = "palpable.columns";
/// Key of the channel metadata that names the group.
pub(crate) const GROUP: &str = "palpable.group";

/// Column keys of a pose: position, then unit quaternion.
pub(crate) const POSE: [&str; 7] = ["x", "y", "z", "qx", "qy", "qz", "qw"];

/// One channel: some columns of one group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub topic: String,
    pub group: String,
    /// Name of the body if the columns are its pose, in the order of [`POSE`].
    pub body: Option<String>,
    pub fields: Vec<Field>,
}

/// One column in its channel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    /// Place of the column in a row.
    pub index: usize,
    pub name: String,
    pub unit: String,
    /// Key of the value in a message.
    pub key: String,
}

/// The channels of a recording. A recording without columns has one for its time.
pub(crate) fn layouts(columns: &[Column]) -> Vec<Layout> {
    let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, column) in columns.iter().enumerate() {
        let place = *places.entry(&column.group).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, members)) => members.push(index),
            None => groups.push((&column.group, vec![index])),
        }
    }
    if groups.is_empty() {
        groups.push(("time", Vec::new()));
    }
    groups.iter().flat_map(|(group, members)| split(columns, group, members)).collect()
}

/// One channel for a group, or two where it holds a pose and more.
fn split(columns: &[Column], group: &str, members: &[usize]) -> Vec<Layout> {
    let topic = match group.trim_matches('/') {
        "" => "/values".to_string(),
        group => format!("/{group}"),
    };
    let Some(pose) = pose(columns, group, members) else {
        return vec![plain(columns, topic, group, members)];
    };
    let rest: Vec<usize> = members.iter().copied().filter(|i| !pose.contains(i)).collect();
    let state = format!("{topic}/state");
    let mut channels = vec![Layout {
        body: Some(group.trim_start_matches("body/").to_string()),
        ..plain(columns, topic, group, &pose)
    }];
    if !rest.is_empty() {
        channels.push(plain(columns, state, group, &rest));
    }
    channels
}

/// The columns of a body's pose in the order of [`POSE`], if the group has each of them once.
fn pose(columns: &[Column], group: &str, members: &[usize]) -> Option<Vec<usize>> {
    group.strip_prefix("body/")?;
    let find = |key: &&str| {
        let mut found = members.iter().filter(|index| columns[**index].key() == *key);
        found.next().copied().filter(|_| found.next().is_none())
    };
    POSE.iter().map(find).collect()
}

fn plain(columns: &[Column], topic: String, group: &str, members: &[usize]) -> Layout {
    let mut fields: Vec<Field> = Vec::new();
    for index in members {
        let Column { name, unit, .. } = &columns[*index];
        let free = |key: &str| key != "time" && fields.iter().all(|field| field.key != key);
        let short = columns[*index].key();
        let key = match () {
            () if free(short) => short.to_string(),
            () if free(name) => name.clone(),
            () => format!("{name} #{index}"),
        };
        fields.push(Field { index: *index, name: name.clone(), unit: unit.clone(), key });
    }
    Layout { topic, group: group.to_string(), body: None, fields }
}

impl Layout {
    /// What the reader needs to rebuild the columns.
    pub fn metadata(&self) -> BTreeMap<String, String> {
        let field =
            |f: &Field| json!({"index": f.index, "name": f.name, "unit": f.unit, "key": f.key});
        let fields: Vec<Value> = self.fields.iter().map(field).collect();
        BTreeMap::from([
            (COLUMNS.to_string(), Value::from(fields).to_string()),
            (GROUP.to_string(), self.group.clone()),
        ])
    }

    /// Writes the message of a row.
    pub fn message(&self, time: f64, nanoseconds: u64, row: &[f64], out: &mut String) {
        out.clear();
        out.push_str("{\"time\":");
        push_number(out, time);
        if self.body.is_some() {
            out.push(',');
            push_stamp(out, nanoseconds);
            out.push_str(",\"frame_id\":\"world\",\"pose\":{");
            self.push_pose(row, ["position", "orientation"], out);
            out.push_str("}}");
            return;
        }
        for field in &self.fields {
            out.push(',');
            push_text(out, &field.key);
            out.push(':');
            push_number(out, row.get(field.index).copied().unwrap_or(f64::NAN));
        }
        out.push('}');
    }

    /// Writes the body's frame as one element of a `foxglove.FrameTransforms` list.
    pub fn transform(&self, nanoseconds: u64, row: &[f64], out: &mut String) {
        out.push('{');
        push_stamp(out, nanoseconds);
        out.push_str(",\"parent_frame_id\":\"world\",\"child_frame_id\":");
        push_text(out, self.body.as_deref().unwrap_or_default());
        out.push(',');
        self.push_pose(row, ["translation", "rotation"], out);
        out.push('}');
    }

    fn push_pose(&self, row: &[f64], names: [&str; 2], out: &mut String) {
        let parts = [&self.fields[..3.min(self.fields.len())], self.fields.get(3..).unwrap_or(&[])];
        for (name, fields) in names.iter().zip(parts) {
            // the quaternion follows the position
            let _ = write!(out, "{}\"{name}\":{{", if name == &names[0] { "" } else { "," });
            for (field, key) in fields.iter().zip(["x", "y", "z", "w"]) {
                let _ = write!(out, "{}\"{key}\":", if key == "x" { "" } else { "," });
                push_number(out, row.get(field.index).copied().unwrap_or(f64::NAN));
            }
            out.push('}');
        }
    }
}

fn push_stamp(out: &mut String, nanoseconds: u64) {
    let (sec, nsec) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
    let _ = write!(out, "\"timestamp\":{{\"sec\":{sec},\"nsec\":{nsec}}}");
}

fn push_text(out: &mut String, text: &str) {
    let _ = write!(out, "{}", Value::from(text));
}

/// Shortest text with the same bits. JSON lacks the rest: NaN is null, infinities are words.
fn push_number(out: &mut String, value: f64) {
    let _ = match value {
        v if v.is_nan() => write!(out, "null"),
        f64::INFINITY => write!(out, "\"Infinity\""),
        f64::NEG_INFINITY => write!(out, "\"-Infinity\""),
        v => write!(out, "{v:?}"),
    };
}

/// Reads what [`push_number`] wrote.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Null => Some(f64::NAN),
        Value::Number(number) => number.as_f64(),
        Value::String(word) if word == "Infinity" => Some(f64::INFINITY),
        Value::String(word) if word == "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}
