//! Keeps the reasons in the house: constants say what they are, classic algorithms name their
//! source, and ARCHITECTURE names stages and files that exist.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// Constants of a text that have no comment of their own, by line.
fn unexplained(text: &str) -> Vec<usize> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines: Vec<&str> = code.lines().map(str::trim).collect();
    let is_constant = |line: &str| {
        let bare = line.split_once("const ").filter(|(before, _)| {
            before.is_empty() || before.trim() == "pub" || before.starts_with("pub(")
        });
        bare.is_some_and(|(_, rest)| rest.split(':').next().is_some_and(is_shouted))
    };
    let explained = |i: usize| {
        let above = lines[..i].iter().rev().find(|line| !line.starts_with("#["));
        above.is_some_and(|line| line.starts_with("//"))
    };
    let all = (0..lines.len()).filter(|i| is_constant(lines[*i]));
    all.filter(|i| !explained(*i)).map(|i| i + 1).collect()
}

fn is_shouted(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_numeric() || c == '_')
}

#[test]
fn every_constant_of_the_engine_says_what_it_is() {
    let source = root().join("crates/palpable/src");
    let mut bare = Vec::new();
    for file in rust_files(&source) {
        let text = fs::read_to_string(&file).expect("a file");
        let name = file.strip_prefix(&source).expect("below").display().to_string();
        bare.extend(unexplained(&text).into_iter().map(|line| format!("{name}:{line}")));
    }
    bare.sort();
    assert!(bare.is_empty(), "say what it is, its unit and its reason: {bare:#?}");
}

#[test]
fn the_measure_sees_constants_without_a_comment() {
    let text = "/// Said.\nconst A: u8 = 1;\nconst B: u8 = 2;\n    pub(super) const C_2: u8 = 3;\n\
        /// Said.\n#[rustfmt::skip]\npub const D: u8 = 4;\nconst fn e() {}\n";
    assert_eq!(unexplained(text), [3, 4]);
}

/// Files with an algorithm that has a name outside, and its source.
const CLASSICS: &[[&str; 2]] = &[
    ["geometry/collide/gjk.rs", "Gilbert1988"],
    ["geometry/collide/epa.rs", "Bergen2001"],
    ["geometry/collide/impact.rs", "Mirtich1996"],
    ["geometry/hull.rs", "Barber1996"],
    ["geometry/orient.rs", "Shewchuk1997"],
    ["geometry/principal.rs", "Golub2013"],
    ["model/chain_law.rs", "Featherstone2008"],
    ["solve/cone/collide.rs", "Smith2012"],
    ["solve/cone/lemke.rs", "Cottle1992"],
    ["solve/cone/newton_rows.rs", "Alart1991"],
    ["solve/cone/sweep.rs", "Silcowitz2010"],
];

#[test]
fn classic_algorithms_name_their_source() {
    for [file, key] in CLASSICS {
        let text = fs::read_to_string(root().join("crates/palpable/src").join(file));
        let text = text.unwrap_or_else(|e| panic!("{file}: {e}"));
        assert!(text.contains(&format!("[{key}")), "{file}: cite [{key}]");
    }
}

#[test]
fn every_reference_is_cited() {
    let files = rust_files(&root().join("crates"));
    let all: String = files.iter().map(|f| fs::read_to_string(f).expect("a file")).collect();
    let references = fs::read_to_string(root().join("REFERENCES.md")).expect("references");
    for rest in references.split("**[").skip(1) {
        let key = rest.split(']').next().expect("a bracket");
        assert!(all.contains(&format!("[{key}")), "nobody cites [{key}]");
    }
}

#[test]
fn stages_and_files_that_architecture_names_exist() {
    let root = root();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the architecture");
    let files = rust_files(&root.join("crates"));
    for quoted in text.split('`').skip(1).step_by(2).filter(|q| q.ends_with(".rs")) {
        // `element_*.rs` stands for several
        let (start, end) = quoted.split_once('*').unwrap_or((quoted, ""));
        let known = files.iter().map(|file| file.to_string_lossy()).any(|file| {
            let begun = file.split_once(&format!("/{start}")).map(|(_, rest)| rest);
            begun.is_some_and(|rest| rest.ends_with(end) && (!end.is_empty() || rest.is_empty()))
        });
        assert!(known, "ARCHITECTURE.md names {quoted}, which does not exist");
    }
    let source = root.join("crates/palpable/src");
    let world: Vec<String> = rust_files(&source.join("world"))
        .iter()
        .map(|file| fs::read_to_string(file).expect("a file"))
        .collect();
    let section = text.split("## One step").nth(1).and_then(|t| t.split("\n## ").next());
    let stages: Vec<&str> = section.expect("one step").split("**").skip(1).step_by(2).collect();
    assert!(stages.len() >= 8, "{stages:?}");
    for stage in stages {
        let word = stage.trim_start_matches("the last ");
        let is_function = world.iter().any(|text| text.contains(&format!("fn {word}(")));
        let is_place =
            source.join(word).is_dir() || source.join(format!("world/{word}.rs")).exists();
        assert!(is_function || is_place, "ARCHITECTURE.md: no stage `{stage}` in the code");
    }
}
