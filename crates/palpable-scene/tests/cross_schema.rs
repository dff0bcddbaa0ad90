//! The JSON schema that is checked in is the one the code makes, and knows what the reader knows.
//!
//! `PALPABLE_BLESS=1 cargo test -p palpable-scene --test cross_schema` writes it anew.

use palpable_scene::Scene;
use serde_json::Value;
use std::path::Path;

/// Compares a file, by its path from this crate, with what the code makes; blesses it if asked to.
fn stays_current(path: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("PALPABLE_BLESS").is_some() {
        std::fs::write(&path, made).expect("written");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == made,
        "run `PALPABLE_BLESS=1 cargo test -p palpable-scene --test cross_schema`"
    );
}

#[test]
fn the_schema_checked_in_is_current() {
    let made = serde_json::to_string_pretty(&Scene::schema()).expect("JSON") + "\n";
    stays_current("scene.schema.json", &made);
}

#[test]
fn the_page_about_the_format_is_current_and_names_every_field() {
    let made = Scene::guide();
    stays_current("../../docs/scene.md", &made);
    for field in Scene::schema()["properties"].as_object().expect("fields").keys() {
        assert!(made.contains(&format!("| `{field}`")), "{field}");
    }
}

/// Tables of a scene, each with the text that opens it and its name in the schema.
const TABLES: [(&str, &str, &str); 31] = [
    ("Document", "", ""),
    ("Title", "[scene]\n", ""),
    ("Include", "[[include]]\n", ""),
    ("Body", "[[body]]\n", ""),
    ("BodyDamping", "[[body]]\ndamping = { ", " }"),
    ("Turn", "[[body]]\norientation = { ", " }"),
    ("Parts", "[[body]]\ninertia = { ", " }"),
    ("Sphere", "[[body]]\nshape = { sphere = { ", " } }"),
    ("CuboidSize", "[[body]]\nshape = { box = { ", " } }"),
    ("Round", "[[body]]\nshape = { capsule = { ", " } }"),
    ("Hull", "[[body]]\nshape = { hull = { ", " } }"),
    ("Mesh", "[[body]]\nshape = { mesh = { ", " } }"),
    ("Spring", "[[spring]]\n", ""),
    ("Anchor", "[[spring]]\na = { ", " }"),
    ("Split", "[[spring]]\nstiffness = { ", " }"),
    ("Damper", "[[damper]]\n", ""),
    ("Joint", "[[joint]]\n", ""),
    ("StiffnessApart", "[[joint]]\nstiffness = { ", " }"),
    ("DampingApart", "[[joint]]\ndamping = { ", " }"),
    ("Gear", "[[gear]]\n", ""),
    ("TableDrive", "[[motor]]\ninput = { table = { ", " } }"),
    ("Port", "[[port]]\n", ""),
    ("Constant", "[[port]]\ninput = { constant = { ", " } }"),
    ("Sine", "[[port]]\ninput = { sine = { ", " } }"),
    ("Table", "[[port]]\ninput = { table = { ", " } }"),
    ("Step", "[step]\n", ""),
    ("Run", "[run]\n", ""),
    ("Record", "[record]\n", ""),
    ("Studio", "[studio]\n", ""),
    ("StudioHand", "[studio]\nhand = { ", " }"),
    ("Visual", "[[body]]\nvisual = [{ ", " }]"),
];

#[test]
fn the_reader_knows_the_fields_of_the_schema_and_no_others() {
    let schema = Scene::schema();
    for (name, before, after) in TABLES {
        let table = match name {
            "Document" => &schema,
            _ => &schema["$defs"][name],
        };
        assert_eq!(table["additionalProperties"], Value::Bool(false), "{name}");
        let properties = table["properties"].as_object().unwrap_or_else(|| panic!("{name}"));
        let mut listed: Vec<&str> = properties.keys().map(String::as_str).collect();
        listed.sort_unstable();
        // an unknown field makes the reader list all that it knows
        let errors = Scene::parse(format!("{before}zzzzzz = 1{after}"), "x.toml").unwrap_err();
        let unknown = errors.0.iter().find(|e| e.field.ends_with("zzzzzz")).expect("unknown field");
        let known = unknown.cure.strip_prefix("known fields: ").expect("a list");
        let mut known: Vec<&str> = known.split(", ").collect();
        known.sort_unstable();
        assert_eq!(known, listed, "{name}");
    }
}

#[test]
fn a_field_that_the_schema_requires_is_missed_by_the_reader() {
    let schema = Scene::schema();
    for (name, before, after) in TABLES {
        let table = match name {
            "Document" => &schema,
            _ => &schema["$defs"][name],
        };
        let errors = Scene::parse(format!("{before}zzzzzz = 1{after}"), "x.toml").unwrap_err();
        let missed = |field: &str| {
            let message = format!("`{field}` is missing");
            errors.0.iter().any(|e| e.message == message)
        };
        for field in table["properties"].as_object().expect("fields").keys() {
            let required =
                table["required"].as_array().is_some_and(|r| r.contains(&field[..].into()));
            // every text here lacks the version
            let expected = required || field == "version";
            assert_eq!(missed(field), expected, "{name}.{field}");
        }
    }
}
