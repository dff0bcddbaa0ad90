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

/// A file whose channel names its columns by hand, with messages of sixteen bytes.
fn hostile(path: &Path, columns: &str, messages: u32) {
    let mut writer = mcap::Writer::new(std::fs::File::create(path).unwrap()).unwrap();
    let metadata = [("palpable.columns", columns), ("palpable.group", "g")];
    let metadata = metadata.map(|(k, v)| (k.to_owned(), v.to_owned())).into_iter().collect();
    let schema = writer.add_schema("s", "jsonschema", b"{}").unwrap();
    let channel_id = writer.add_channel(schema, "/g", "json", &metadata).unwrap();
    for sequence in 0..messages {
        let header =
            mcap::records::MessageHeader { channel_id, sequence, log_time: 0, publish_time: 0 };
        writer.write_to_known_channel(&header, b"{\"time\":0,\"k\":1}").unwrap();
    }
    writer.finish().unwrap();
}

/// Ten thousand columns may not name the same number: half a megabyte took more than six gigabytes.
#[test]
fn a_number_that_is_named_by_many_columns_is_refused() {
    let path = folder("bomb").join("bomb.mcap");
    let one = |i: usize, key: &str| {
        format!("{{\"index\":{i},\"name\":\"n{i}\",\"unit\":\"\",\"key\":\"{key}\"}}")
    };
    let list = |n: usize, key: &str| (0..n).map(|i| one(i, key)).collect::<Vec<_>>().join(",");
    hostile(&path, &format!("[{}]", list(1, "k")), 3);
    assert_eq!(read_mcap(&path).expect("one column, three rows").len(), 3);
    hostile(&path, &format!("[{}]", list(10_000, "k")), 100);
    let error = read_mcap(&path).unwrap_err().to_string();
    assert!(error.contains("list of columns"), "{error}");
}

#[test]
fn only_the_columns_that_are_wanted_are_read() {
    let path = folder("wanted").join("run.mcap");
    let whole = table();
    whole.play(&mut McapSink::create(&path).unwrap()).unwrap();
    let names = ["ball.qx", "hand.force", "nothing"];
    let some = palpable_record::read_mcap_columns(&path, &names).unwrap();
    let read: Vec<&str> = some.columns().iter().map(|c| c.name.as_str()).collect();
    assert_eq!(read, ["ball.qx", "hand.force"]);
    let bits = |t: &palpable_record::Table, name: &str| -> Vec<u64> {
        t.column(name).unwrap().iter().map(|v| v.to_bits()).collect()
    };
    for name in read {
        assert_eq!(bits(&some, name), bits(&read_mcap(&path).unwrap(), name), "{name}");
    }
    assert_eq!(some.len(), whole.len());
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_folders_are_no_recordings() {
    let folder = folder("kinds");
    let pipe = folder.join("pipe.mcap");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [&pipe, Path::new("/dev/zero")] {
        for error in [read_mcap(path).unwrap_err(), read_csv(path).unwrap_err()] {
            assert!(error.to_string().contains("not a regular file"), "{error}");
        }
    }
    let error = read_mcap(&folder).unwrap_err().to_string();
    assert!(error.contains("name a file, not a folder"), "{error}");
}

/// Two runs in one folder: the second is refused, the first is whole.
#[test]
fn a_file_that_still_grows_is_not_taken_by_another() {
    let path = folder("twice").join("run.csv");
    let mut first = CsvSink::create(&path).unwrap();
    let error = CsvSink::create(&path).err().expect("refused");
    assert!(matches!(error, RecordError::Busy { .. }), "{error:?}");
    assert!(error.to_string().contains("another run writes here"), "{error}");
    table().play(&mut first).unwrap();
    assert_eq!(read_csv(&path).unwrap().len(), table().len());
    // what a run that was killed has left is in nobody's way
    std::fs::write(folder("twice").join("run.csv.part"), "left over").unwrap();
    table().play(&mut CsvSink::create(&path).unwrap()).unwrap();
    assert_eq!(read_csv(&path).unwrap().len(), table().len());
}

#[cfg(unix)]
#[test]
fn a_link_with_the_name_of_a_growing_file_is_not_followed() {
    let folder = folder("link");
    std::fs::write(folder.join("precious"), "precious").unwrap();
    for target in ["precious", "nothing"] {
        let _ = std::fs::remove_file(folder.join("run.csv.part"));
        std::os::unix::fs::symlink(folder.join(target), folder.join("run.csv.part")).unwrap();
        assert!(CsvSink::create(folder.join("run.csv")).is_err(), "{target}");
    }
    assert_eq!(std::fs::read_to_string(folder.join("precious")).unwrap(), "precious");
    assert!(!folder.join("nothing").exists());
}
