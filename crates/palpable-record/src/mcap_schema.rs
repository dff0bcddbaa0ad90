//! JSON schemas of the messages, as Foxglove and Rerun look for them.

use crate::mcap_channels::Layout;
use serde_json::{Map, Value, json};

/// Name and text of the schema of a channel.
pub(crate) fn schema(layout: &Layout) -> (String, String) {
    if layout.body.is_some() {
        return ("foxglove.PoseInFrame".into(), pose_in_frame().to_string());
    }
    let name = format!("palpable{}", layout.topic.replace('/', "."));
    let mut properties = Map::new();
    properties.insert("time".into(), number("time [s]"));
    for field in &layout.fields {
        let unit = if field.unit.is_empty() { "1" } else { &field.unit };
        properties.insert(field.key.clone(), number(&format!("{} [{unit}]", field.name)));
    }
    (name.clone(), json!({"title": name, "type": "object", "properties": properties}).to_string())
}

/// Name and text of the schema of the channel with all frames.
pub(crate) fn frame_transforms() -> (String, String) {
    let transform = json!({
        "title": "foxglove.FrameTransform",
        "type": "object",
        "properties": {
            "timestamp": timestamp(),
            "parent_frame_id": {"type": "string"},
            "child_frame_id": {"type": "string"},
            "translation": vector("foxglove.Vector3", &["x", "y", "z"]),
            "rotation": vector("foxglove.Quaternion", &["x", "y", "z", "w"]),
        }
    });
    let name = "foxglove.FrameTransforms";
    let list = json!({"type": "array", "items": transform});
    let whole = json!({"title": name, "type": "object", "properties": {"transforms": list}});
    (name.into(), whole.to_string())
}

fn pose_in_frame() -> Value {
    json!({
        "title": "foxglove.PoseInFrame",
        "type": "object",
        "properties": {
            "timestamp": timestamp(),
            "frame_id": {"type": "string"},
            "pose": {
                "title": "foxglove.Pose",
                "type": "object",
                "properties": {
                    "position": vector("foxglove.Vector3", &["x", "y", "z"]),
                    "orientation": vector("foxglove.Quaternion", &["x", "y", "z", "w"]),
                }
            },
            "time": number("time [s]"),
        }
    })
}

fn number(description: &str) -> Value {
    json!({"type": "number", "description": description})
}

fn timestamp() -> Value {
    json!({
        "type": "object",
        "title": "time",
        "properties": {
            "sec": {"type": "integer", "minimum": 0},
            "nsec": {"type": "integer", "minimum": 0, "maximum": 999_999_999}
        }
    })
}

fn vector(title: &str, parts: &[&str]) -> Value {
    let parts: Map<String, Value> =
        parts.iter().map(|part| (part.to_string(), json!({"type": "number"}))).collect();
    json!({"title": title, "type": "object", "properties": parts})
}
