//! Ctrl-C and closed pipes.
#![cfg(unix)]

mod common;

use common::{folder, names, palpable};
use palpable_record::{read_csv, read_mcap};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Starts a run that would take days, and waits until it has recorded something.
fn start(out: &Path) -> Child {
    let words = ["run", "scenes/demo.toml", "--duration", "1e6", "--json", "--out"];
    let mut child = palpable()
        .args(words)
        .arg(out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let part = out.join("run.csv.part");
    let recorded = || std::fs::metadata(&part).is_ok_and(|data| data.len() > 100_000);
    while !recorded() {
        assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill").success());
}

#[test]
fn ctrl_c_leaves_a_whole_recording_plots_and_a_summary() {
    let out = folder("interrupt");
    let child = start(&out);
    interrupt(&child);
    let output = child.wait_with_output().expect("output");
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted"));
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["interrupted"], Value::Bool(true));
    let rows = value["steps"].as_u64().unwrap() as usize + 1;
    let csv = read_csv(out.join("run.csv")).expect("CSV");
    let mcap = read_mcap(out.join("run.mcap")).expect("MCAP");
    assert_eq!((csv.len(), mcap.len()), (rows, rows));
    assert_eq!(*csv.time().last().unwrap(), value["simulated_seconds"].as_f64().unwrap());
    let names = names(&out);
    assert!(names.iter().all(|name| !name.ends_with(".part")), "{names:?}");
    assert!(names.contains(&"energy.png".to_owned()));
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    // the reader closes at once; the program still has pages to print
    let program = env!("CARGO_BIN_EXE_palpable");
    for words in ["schema", "completions bash", "reproduce --list", "help run"] {
        let script = format!("{{ {program} {words}; echo $? >&2; }} | true");
        let output = Command::new("sh").args(["-c", &script]).output().expect("sh");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(errors.trim(), "0", "{words}");
    }
}
