//! The committed header says what the source says: cbindgen makes it (`scripts/header`), and this
//! compares names, arguments, fields and values, which needs no cbindgen.

use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn source() -> String {
    ["lib", "border", "ids", "model", "world", "servo"]
        .map(|f| read(&format!("src/{f}.rs")))
        .concat()
}

/// Without comments, and with single spaces.
fn plain(header: &str) -> String {
    let mut text = String::new();
    for (i, part) in header.split("/*").enumerate() {
        text.push_str(if i == 0 { part } else { part.split_once("*/").map_or("", |p| p.1) });
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands between two marks after each occurrence of a third.
fn between<'a>(text: &'a str, start: &'a str, open: char, close: char) -> Vec<(&'a str, &'a str)> {
    let found = text.split(start).skip(1);
    found
        .filter_map(|rest| Some((rest.split_once(open)?.0.trim(), rest.split_once(open)?.1)))
        .filter_map(|(name, rest)| Some((name, rest.split_once(close)?.0)))
        .collect()
}

fn words(list: &str, of: impl Fn(&str) -> Option<String>) -> Vec<String> {
    list.split(',').filter_map(|item| of(item.trim())).collect()
}

#[test]
fn every_function_is_in_the_header_with_its_arguments() {
    let (source, header) = (source(), plain(&read("include/palpable.h")));
    let functions = between(&source, "pub extern \"C\" fn ", '(', ')');
    assert!(functions.len() > 30);
    for (name, arguments) in &functions {
        let wanted = words(arguments, |a| Some(a.split_once(':')?.0.trim().to_owned()));
        let told = header.split_once(&format!("{name}(")).unwrap_or_else(|| panic!("{name}"));
        let told = told.1.split_once(')').expect("an end").0;
        let last = |a: &str| a.rsplit([' ', '*']).next().map(|w| w.to_owned());
        assert_eq!(words(told, last), wanted, "{name}; run scripts/header");
    }
    let declared = header.matches("enum pal_status pal_").count() + 1;
    assert_eq!(declared, functions.len(), "the header declares others; run scripts/header");
}

#[test]
fn every_field_and_value_is_in_the_header_in_order() {
    let (source, header) = (source(), plain(&read("include/palpable.h")));
    for (name, fields) in between(&source, "pub struct pal_", '{', '}') {
        let field = |line: &str| {
            let rest = line.trim().strip_prefix("pub ")?;
            Some(rest.split_once(':')?.0.to_owned())
        };
        let wanted: Vec<_> = fields.lines().filter_map(field).collect();
        let told = header.split_once(&format!("typedef struct pal_{name} {{")).expect(name).1;
        let told = told.split_once('}').expect("an end").0;
        let places = wanted.iter().map(|f| {
            let at = |end: char| told.find(&format!("{f}{end}"));
            at(';').or(at('[')).or(at(')')).unwrap_or_else(|| panic!("{name}.{f}"))
        });
        assert!(places.collect::<Vec<_>>().is_sorted(), "{name}; run scripts/header");
        assert_eq!(told.matches(';').count(), wanted.len(), "{name}; run scripts/header");
    }
    for (name, values) in between(&source, "pub enum pal_", '{', '}') {
        for line in values.lines().filter_map(|l| l.trim().strip_suffix(',')) {
            assert!(header.contains(line), "{name}: {line}; run scripts/header");
        }
    }
    let version = format!("#define PAL_VERSION {}", palpable_c::PAL_VERSION);
    assert!(header.contains(&version));
}
