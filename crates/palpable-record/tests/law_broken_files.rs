//! Broken files are refused with file, place and cure, and never panic.

mod common;

use common::{folder, table};
use palpable_record::{CsvSink, McapSink, RecordError, read_csv, read_mcap};
use std::path::Path;

fn csv_error(path: &Path, text: &[u8]) -> String {
    std::fs::write(path, text).unwrap();
    let error = read_csv(path).unwrap_err();
    assert!(matches!(error, RecordError::Csv { .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("broken.csv: line "), "{text}");
    text
}

#[test]
fn a_broken_text_is_refused_by_line() {
    let path = folder("broken_csv").join("broken.csv");
    assert!(csv_error(&path, b"").contains("line 1: the file is empty"));
    assert!(csv_error(&path, b"x,y\n1,2\n").contains("first column is `x`"));
    assert!(csv_error(&path, b"time [ms],y\n1,2\n").contains("time is in `ms`"));
    assert!(csv_error(&path, b"time [s],y\n1,2\n3\n").contains("line 3: 1 fields"));
    assert!(csv_error(&path, b"time [s],y\n1,2\n3,4x\n").contains("line 3: field 2: `4x`"));
    assert!(csv_error(&path, b"time [s],y\n1,\xff\xfe\n").contains("UTF-8"));
}

#[test]
fn a_missing_file_is_named() {
    let path = folder("missing").join("none.csv");
    for error in [read_csv(&path).unwrap_err(), read_mcap(&path).unwrap_err()] {
        assert!(matches!(error, RecordError::Io { .. }));
        assert!(error.to_string().contains("none.csv"));
    }
}

#[test]
fn every_cut_of_a_text_reads_as_a_shorter_table_or_is_refused() {
    let folder = folder("cut_csv");
    let whole = folder.join("whole.csv");
    table().play(&mut CsvSink::create(&whole).unwrap()).unwrap();
    let bytes = std::fs::read(&whole).unwrap();
    let path = folder.join("cut.csv");
    for end in (0..bytes.len()).step_by(37) {
        std::fs::write(&path, &bytes[..end]).unwrap();
        if let Ok(table) = read_csv(&path) {
            assert!(table.len() <= 40);
        }
    }
}

fn mcap_bytes(folder: &Path) -> Vec<u8> {
    let whole = folder.join("whole.mcap");
    table().play(&mut McapSink::create(&whole).unwrap()).unwrap();
    std::fs::read(&whole).unwrap()
}

#[test]
fn every_cut_of_a_binary_is_refused_by_byte() {
    let folder = folder("cut_mcap");
    let bytes = mcap_bytes(&folder);
    let path = folder.join("cut.mcap");
    for end in (0..bytes.len()).step_by(61).chain([1, 7, 8, 9, 16, bytes.len() - 1]) {
        std::fs::write(&path, &bytes[..end]).unwrap();
        let error = read_mcap(&path).unwrap_err();
        assert!(matches!(error, RecordError::Mcap { offset: Some(_), .. }), "{error:?}");
        assert!(error.to_string().contains("cut.mcap: byte "), "{error}");
    }
}

#[test]
fn a_flipped_byte_never_panics_and_never_changes_a_value() {
    let folder = folder("flip_mcap");
    let bytes = mcap_bytes(&folder);
    let good = common::bits(&table());
    let path = folder.join("flip.mcap");
    for place in (0..bytes.len()).step_by(101) {
        for flip in [0x01, 0x80, 0xff] {
            let mut broken = bytes.clone();
            broken[place] ^= flip;
            std::fs::write(&path, &broken).unwrap();
            if let Ok(table) = read_mcap(&path) {
                assert_eq!(common::bits(&table), good, "byte {place}");
            }
        }
    }
}

#[test]
fn a_file_of_another_program_is_refused() {
    let path = folder("foreign").join("foreign.mcap");
    let mut writer = mcap::Writer::new(std::fs::File::create(&path).unwrap()).unwrap();
    writer.finish().unwrap();
    let error = read_mcap(&path).unwrap_err().to_string();
    assert!(error.contains("read only files that palpable recorded"), "{error}");
}
