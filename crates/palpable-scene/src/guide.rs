//! A page that explains the scene format, made from the schema.

use serde_json::{Map, Value};
use std::fmt::Write;

const HEAD: &str = "\
# Scene files

Made from the schema by `palpable schema --guide`; do not edit.

A scene is TOML or JSON. Numbers are in SI units and radians; most may be texts with a unit, such as
`\"2 kN/m\"`, `\"10 ms\"` or `\"30 deg\"`. `palpable check FILE` lists every mistake with its
cure, and `palpable scenes NAME` writes out an example. Bodies with shapes touch each other, unless
they are ghosts or `contact = { enabled = false }`.

```toml
version = 1
gravity = [0, 0, -9.81]

[[body]]
name = \"floor\"
shape = { half_space = {} }

[[body]]
name = \"box\"
shape = { box = { size = [\"20 cm\", \"20 cm\", \"10 cm\"] } }
mass = \"1 kg\"
position = [0, 0, \"30 cm\"]
```
";

/// The whole page.
pub(crate) fn page(schema: &Value) -> String {
    let mut text = HEAD.to_owned();
    section(&mut text, "The file itself", schema);
    let parts = schema["$defs"].as_object().cloned().unwrap_or_default();
    for (name, part) in tables(&parts) {
        section(&mut text, name, part);
    }
    for (name, part) in parts.iter().filter(|(_, part)| !choices(part).is_empty()) {
        let _ = writeln!(text, "\n## {name}\n\n{}\n", about(part));
        for (word, meaning) in choices(part) {
            let _ = writeln!(text, "- `{word}` {meaning}");
        }
    }
    for (name, part) in parts.iter().filter(|(_, p)| !has_fields(p) && choices(p).is_empty()) {
        let _ = writeln!(text, "\n## {name}\n\n{}", about(part));
    }
    text
}

fn has_fields(part: &Value) -> bool {
    part["properties"].as_object().is_some_and(|p| !p.is_empty())
}

/// Parts that are tables with fields.
fn tables(parts: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    parts.iter().map(|(name, part)| (name.as_str(), part)).filter(|(_, part)| has_fields(part))
}

fn section(text: &mut String, name: &str, part: &Value) {
    let Some(fields) = part["properties"].as_object() else { return };
    let _ = writeln!(
        text,
        "\n## {name}\n\n{}\n\n| field | value | meaning |\n|---|---|---|",
        about(part)
    );
    let required = |name: &str| {
        part["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name))
    };
    for (name, field) in fields {
        let must = if required(name) { " (required)" } else { "" };
        let _ = writeln!(text, "| `{name}`{must} | {} | {} |", kind(field), about(field));
    }
}

fn about(part: &Value) -> String {
    part["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|")
}

/// What kind of value a field takes, with a link to its section.
fn kind(field: &Value) -> String {
    if let Some(name) = field["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(item) = field.get("items") {
        return format!("list of {}", kind(item));
    }
    if let Some(first) =
        field["prefixItems"].as_array().and_then(|all| Some((all.len(), all.first()?)))
    {
        return format!("{} × {}", first.0, kind(first.1));
    }
    match &field["type"] {
        Value::String(word) => word.clone(),
        Value::Array(words) => {
            words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")
        }
        _ => "see the meaning".into(),
    }
}

/// The words or one-of tables of a part, with their meaning.
fn choices(part: &Value) -> Vec<(String, String)> {
    let one = |choice: &Value| {
        let meaning = about(choice);
        if let Some(word) = choice["const"].as_str() {
            return Some((word.to_owned(), meaning));
        }
        let (key, _) = choice["properties"].as_object()?.iter().next()?;
        Some((key.clone(), meaning))
    };
    part["oneOf"].as_array().map_or(Vec::new(), |all| all.iter().filter_map(one).collect())
}
