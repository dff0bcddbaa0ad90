//! Keeps the house in order: who may use whom, sizes, citations, and a map that matches the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// All Rust files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Which room of the engine may use which; a room may always use itself.
const ROOMS: &[(&str, &[&str])] = &[
    ("math", &[]),
    ("geometry", &["math"]),
    ("port", &["math"]),
    ("ledger", &["math"]),
    ("model", &["math", "geometry", "port"]),
    ("predict", &["math", "model"]),
    ("solve", &["math"]),
    ("stamp", &["math", "model", "port", "solve"]),
    ("settle", &["math", "model", "predict", "stamp", "solve", "ledger"]),
    ("coupling", &["math", "port", "ledger"]),
    ("contact", &["math", "geometry", "model", "predict", "stamp", "solve", "settle", "ledger"]),
    (
        "world",
        &["math", "model", "port", "predict", "contact", "stamp", "solve", "settle", "ledger"],
    ),
];

/// Names that follow `crate::` in a file.
fn rooms_used(text: &str) -> BTreeSet<String> {
    text.split("crate::")
        .skip(1)
        .map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
        .collect()
}

#[test]
fn every_room_uses_only_the_rooms_below_it() {
    let source = root().join("crates/palpable/src");
    let table: BTreeMap<_, _> = ROOMS.iter().copied().collect();
    for entry in fs::read_dir(&source).expect("the engine").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !entry.path().is_dir() {
            assert_eq!(name, "lib.rs", "a room is a folder");
            continue;
        }
        let allowed = table.get(name.as_str()).unwrap_or_else(|| panic!("unknown room {name}"));
        for file in rust_files(&entry.path()) {
            for used in rooms_used(&read(&file)) {
                let known = table.contains_key(used.as_str());
                assert!(
                    !known || used == name || allowed.contains(&used.as_str()),
                    "{}: room {name} must not use {used}",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn the_engine_has_no_clock_file_thread_or_voice() {
    let banned =
        ["std::time", "std::fs", "std::thread", "std::env", "std::net", "println!", "dbg!("];
    for file in rust_files(&root().join("crates/palpable/src")) {
        let text = read(&file);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for word in banned {
            assert!(!code.contains(word), "{}: {word} belongs outside", file.display());
        }
    }
}

/// Lengths of the functions of a file: from the line of `fn` to the line of its closing brace.
fn function_lengths(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        let head = bare.split_once("fn ").filter(|(before, _)| {
            before
                .split_whitespace()
                .all(|w| ["pub", "const", "async", "extern"].contains(&w) || w.starts_with("pub("))
        });
        let Some((_, rest)) = head else { continue };
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let close = format!("{}}}", " ".repeat(indent));
        if let Some(length) = lines[start..].iter().position(|l| **l == close) {
            found.push((name, length + 1));
        }
    }
    found
}

#[test]
fn files_functions_and_lines_stay_small() {
    let mut lengths = Vec::new();
    for file in rust_files(&root().join("crates")) {
        let text = read(&file);
        let lines = text.lines().count();
        assert!(lines <= 1000, "{}: {lines} lines; split it", file.display());
        for (number, line) in text.lines().enumerate() {
            let width = line.chars().count();
            assert!(width <= 100, "{}:{}: {width} columns", file.display(), number + 1);
        }
        if !file.components().any(|c| c.as_os_str() == "tests") {
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            lengths.extend(function_lengths(code));
        }
    }
    lengths.sort_by_key(|(_, n)| *n);
    let (n, longest) = (lengths.len(), lengths.last().expect("functions"));
    let at = |q: f64| lengths[((n - 1) as f64 * q) as usize].1;
    println!("{n} functions: median {}, p90 {}, longest {longest:?}", at(0.5), at(0.9));
    assert!(at(0.5) <= 12, "median function {} lines", at(0.5));
    assert!(at(0.9) <= 40, "p90 function {} lines", at(0.9));
    assert!(longest.1 <= 100, "{longest:?}");
}

#[test]
fn the_step_fits_on_one_screen() {
    let text = read(&root().join("crates/palpable/src/world/step.rs"));
    let step = function_lengths(&text).into_iter().find(|(name, _)| name == "step");
    let (_, lines) = step.expect("World::step lives in world/step.rs");
    assert!(lines <= 60, "{lines} lines");
}

/// Citation keys such as `Kim2017` in a text: capital word and a year after `[`.
fn citation_keys(text: &str) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for rest in text.split('[').skip(1) {
        let key: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
        let (letters, digits): (Vec<char>, Vec<char>) =
            key.chars().partition(|c| c.is_alphabetic());
        let year = digits.len() == 4 && key.ends_with(&digits.iter().collect::<String>());
        if year && letters.len() >= 3 && letters[0].is_uppercase() {
            keys.insert(key);
        }
    }
    keys
}

#[test]
fn every_citation_has_a_key_and_every_key_an_entry() {
    let references = read(&root().join("REFERENCES.md"));
    for file in rust_files(&root().join("crates")) {
        let text = read(&file);
        for key in citation_keys(&text) {
            let entry = format!("**[{key}]**");
            assert!(
                references.contains(&entry),
                "{}: [{key}] is not in REFERENCES.md",
                file.display()
            );
        }
        let bare = ["eq. (", "eqn (", "equation ("];
        let lower = text.to_lowercase();
        if !file.ends_with("house.rs") {
            for word in bare {
                assert!(!lower.contains(word), "{}: \"{word}\" without a key", file.display());
            }
        }
    }
}

#[test]
fn the_map_in_architecture_matches_the_tree() {
    let root = root();
    let text = read(&root.join("ARCHITECTURE.md"));
    let map = text.split("<!-- map -->").nth(1).expect("a map between <!-- map --> marks");
    let mut listed = BTreeSet::new();
    for line in map.lines().filter(|l| l.starts_with("| `")) {
        let path = line.split('`').nth(1).expect("a path in backticks");
        assert!(root.join(path).exists(), "ARCHITECTURE.md lists {path}, which does not exist");
        listed.insert(path.trim_end_matches('/').to_owned());
    }
    let mut expected = BTreeSet::new();
    for krate in fs::read_dir(root.join("crates")).expect("crates").flatten() {
        expected.insert(format!("crates/{}", krate.file_name().to_string_lossy()));
    }
    for room in fs::read_dir(root.join("crates/palpable/src")).expect("rooms").flatten() {
        if room.path().is_dir() {
            expected.insert(format!("crates/palpable/src/{}", room.file_name().to_string_lossy()));
        }
    }
    for folder in fs::read_dir(&root).expect("the root").flatten() {
        let name = folder.file_name().to_string_lossy().into_owned();
        let skipped =
            ["target", "crates", "palpable-out", "soak-out", "out"].contains(&name.as_str());
        if folder.path().is_dir() && !name.starts_with('.') && !skipped {
            expected.insert(name);
        }
    }
    let missing: Vec<_> = expected.difference(&listed).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md does not list {missing:?}");
}

#[test]
fn the_root_stays_tidy() {
    let entries = fs::read_dir(root()).expect("the root").flatten();
    let visible = entries.map(|e| e.file_name().to_string_lossy().into_owned()).filter(|n| {
        !n.starts_with('.') && !["target", "palpable-out", "soak-out", "out"].contains(&n.as_str())
    });
    let names: Vec<_> = visible.collect();
    assert!(names.len() <= 20, "{} entries: {names:?}", names.len());
}
