//! Keeps the house narrow: functions of at most 6 values (tuples opened), structs of at most 15
//! fields, no anonymous tuple in a public signature. What is wider stands in a list that only
//! shrinks: a name that is no longer needed fails the test as well.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const VALUES: usize = 6;
const FIELDS: usize = 15;

/// Functions of more than six values, by file below `src` and name.
const WIDE: &[&str] = &[];

/// Crates whose functions are those of another language: a Python method names each of its
/// arguments, and Rust has no other way to say so.
const BINDINGS: &[&str] = &["palpable-python"];

/// Structs of more than fifteen fields.
const LARGE: &[&str] = &[];

/// Public functions with a tuple in their signature.
const TUPLES: &[&str] = &[];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// Code without comments and unit tests.
fn code(text: &str) -> String {
    let kept = text.split("#[cfg(test)]").next().unwrap_or_default();
    kept.lines().map(|l| l.split("//").next().unwrap_or_default().to_owned() + "\n").collect()
}

/// What stands between a bracket, which is behind, and the one that closes it.
fn inside(text: &str) -> &str {
    let mut depth = 1;
    for (i, c) in text.char_indices() {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        if depth == 0 {
            return &text[..i];
        }
    }
    text
}

/// Parts between commas that stand in no bracket.
fn parts(text: &str) -> Vec<&str> {
    let (mut out, mut depth, mut start, mut last) = (Vec::new(), 0, 0, ' ');
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if !"-=".contains(last) => depth -= 1,
            ',' if depth == 0 => {
                out.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
        last = c;
    }
    out.push(&text[start..]);
    out.into_iter().map(str::trim).filter(|p| !p.is_empty()).collect()
}

/// The type of an argument.
fn type_of(argument: &str) -> &str {
    let pattern = match argument.strip_prefix('(') {
        Some(rest) => inside(rest).len() + 2,
        None => 0,
    };
    argument[pattern..].split_once(':').map_or("", |(_, t)| t.trim())
}

/// Values that an argument stands for.
fn values(argument: &str) -> usize {
    type_of(argument).strip_prefix('(').map_or(1, |tuple| parts(inside(tuple)).len())
}

#[derive(Default)]
struct Found {
    wide: BTreeSet<String>,
    large: BTreeSet<String>,
    tuples: BTreeSet<String>,
}

fn measure(file: &str, text: &str, found: &mut Found) {
    for (at, _) in text.match_indices("fn ") {
        let name: String =
            text[at + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let before = text[..at].rsplit('\n').next().unwrap_or_default().trim();
        let words = ["", "pub", "const", "pub const"];
        let known = words.contains(&before) || before.starts_with("pub(");
        let rest = &text[at + 3 + name.len()..];
        let Some(open) = rest.find('(').filter(|_| known && !name.is_empty()) else { continue };
        let arguments = inside(&rest[open + 1..]);
        let tail = &rest[open + 1 + arguments.len() + 1..];
        let result = tail.split(['{', ';']).next().unwrap_or_default();
        let result = result.split("where").next().unwrap_or_default();
        let key = format!("{file} {name}");
        if parts(arguments).into_iter().map(values).sum::<usize>() > VALUES {
            found.wide.insert(key.clone());
        }
        let bare = |t: &str| t.trim_start_matches(['&', ' ']).trim_start_matches("mut ").to_owned();
        let pair = |t: &str| bare(t).starts_with('(') && bare(t) != "()";
        let given = parts(arguments).into_iter().any(|a| pair(type_of(a)));
        let returned = result.split_once("->").is_some_and(|(_, t)| pair(t.trim()));
        if before.starts_with("pub") && !before.starts_with("pub(") && (given || returned) {
            found.tuples.insert(key);
        }
    }
    for (at, _) in text.match_indices("struct ") {
        let rest = &text[at + 7..];
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
        let head = rest.find(['{', ';', '(']).unwrap_or(0);
        if rest[head..].starts_with('{') && parts(inside(&rest[head + 1..])).len() > FIELDS {
            found.large.insert(format!("{file} {name}"));
        }
    }
}

fn compare(what: &str, found: &BTreeSet<String>, allowed: &[&str]) {
    let allowed: BTreeSet<String> = allowed.iter().map(|s| (*s).to_owned()).collect();
    let new: Vec<_> = found.difference(&allowed).collect();
    let gone: Vec<_> = allowed.difference(found).collect();
    println!("{what}: {} exceptions", allowed.len());
    assert!(new.is_empty(), "{what}: too wide, name what belongs together: {new:#?}");
    assert!(gone.is_empty(), "{what}: no exception any more, take it off the list: {gone:#?}");
}

#[test]
fn functions_structs_and_signatures_stay_narrow() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Found::default();
    for path in rust_files(&source) {
        let file = path.strip_prefix(&source).expect("below").to_string_lossy().into_owned();
        measure(&file, &code(&fs::read_to_string(&path).expect("a file")), &mut found);
    }
    compare("functions", &found.wide, WIDE);
    compare("structs", &found.large, LARGE);
    compare("public signatures", &found.tuples, TUPLES);
}

#[test]
fn functions_of_all_crates_stay_narrow() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Found::default();
    for entry in fs::read_dir(&crates).expect("crates").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if BINDINGS.contains(&name.as_str()) {
            continue;
        }
        for path in rust_files(&entry.path().join("src")) {
            let file = path.strip_prefix(&crates).expect("below").to_string_lossy().into_owned();
            measure(&file, &code(&fs::read_to_string(&path).expect("a file")), &mut found);
        }
    }
    compare("functions of all crates", &found.wide, WIDE);
}

#[test]
fn the_measure_opens_tuples_and_counts_fields() {
    let mut found = Found::default();
    let text = "pub fn six((a, b): (u8, &[u8]), c: Vec<(u8, u8)>, d: u8, e: u8, f: u8) {}\n\
        fn seven(&self, (a, b): (u8, u8), c: impl Fn(u8, u8) -> u8, d: u8, e: u8, f: u8) {}\n\
        pub(super) fn two() -> (u8, u8) {}\npub fn pair() -> (u8, u8) {}\n";
    measure("x", text, &mut found);
    let names = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found.wide), ["x seven"]);
    assert_eq!(names(&found.tuples), ["x pair", "x six"]);
}
