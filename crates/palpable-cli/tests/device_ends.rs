//! However a run with a device ends, zero is the last force that it was sent. One case for each row
//! of the table in `docs/devices.md`, against a fake Haply service, by what arrived there.
#![cfg(target_os = "linux")]

mod common;
#[path = "../../palpable-haptics/tests/fakes/haply.rs"]
#[allow(dead_code)]
mod haply;

use common::{folder, palpable};
use haply::{Bench, FakeHaply, Mood};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The program with its hand on the fake service.
struct Run {
    bench: Arc<Bench>,
    fake: FakeHaply,
    child: Child,
}

/// What is left of it.
struct End {
    code: Option<i32>,
    words: String,
}

/// Waits until something holds; a minute is for machines that stall.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn norm(force: [f64; 3]) -> f64 {
    force.iter().map(|f| f * f).sum::<f64>().sqrt()
}

impl Run {
    /// Starts it with more words; it records nothing unless they say where.
    fn new(words: &[&str]) -> Self {
        Self::of(palpable(), words)
    }

    fn of(mut command: Command, words: &[&str]) -> Self {
        let bench = Bench::new(&["049D"]);
        let fake = FakeHaply::start(&bench);
        command.args(["run", "scenes/reference-port.toml", "--device", "haply", "--no-real-time"]);
        command.args(["--haply-address", &fake.address(), "--haply-events", &fake.events()]);
        if !words.contains(&"--out") {
            command.arg("--no-record");
        }
        if !words.contains(&"--duration") {
            command.args(["--duration", "600"]);
        }
        command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("the program starts");
        Self { bench, fake, child }
    }

    /// Waits until the hand feels something.
    fn pushing(self) -> Self {
        until("a force", || self.bench.last().is_some_and(|heard| norm(heard.force) > 0.3));
        self
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args([&format!("-{name}"), &id]).status();
        assert!(status.expect("kill").success());
    }

    /// Waits for the end: it had pushed, and the last that arrived is zero.
    fn end(self, cause: &str) -> End {
        let output = self.child.wait_with_output().expect("output");
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        let heard = self.bench.heard();
        let largest = heard.iter().map(|heard| norm(heard.force)).fold(0.0, f64::max);
        assert!(largest > 0.3 && largest <= 5.0, "{cause}: {largest} N; {words}");
        // what was sent may still be on its way to a busy service
        until(cause, || self.bench.last().is_some_and(|heard| heard.force == [0.0; 3]));
        assert!(!words.contains("panicked") || cause.contains("panic"), "{cause}: {words}");
        drop(self.fake);
        End { code: output.status.code(), words }
    }
}

/// A machine that stalls may end a run by a fault of its own; then it is tried again.
fn steadily(cause: &str, code: i32, run: impl Fn() -> Run) -> End {
    for _ in 0..3 {
        let end = run().end(cause);
        let stalled = ["came too late", "the clock jumped", "or the loop hung"];
        // whoever closed its standard error hears no words
        let stalled = end.words.is_empty() || stalled.iter().any(|words| end.words.contains(words));
        if end.code == Some(code) || !stalled {
            assert_eq!(end.code, Some(code), "{cause}: {}", end.words);
            return end;
        }
    }
    panic!("{cause}: the machine stalls");
}

#[test]
fn the_end_of_its_time() {
    steadily("its time is over", 0, || Run::new(&["--duration", "1.5"]));
}

#[test]
fn signals_that_end_it() {
    for name in ["INT", "TERM", "HUP"] {
        let end = steadily(name, 130, || {
            let run = Run::new(&[]).pushing();
            run.signal(name);
            run
        });
        assert!(end.words.contains("the force was faded out"), "{name}: {}", end.words);
    }
}

#[test]
fn a_terminal_that_wants_to_suspend_it_is_not_heard() {
    steadily("TSTP, TTIN, TTOU", 130, || {
        let run = Run::new(&[]).pushing();
        ["TSTP", "TTIN", "TTOU"].iter().for_each(|name| run.signal(name));
        let many = run.bench.messages() + 100;
        until("more messages", || run.bench.messages() > many);
        run.signal("INT");
        run
    });
}

#[test]
fn a_process_that_was_stopped_begins_again_with_zero() {
    steadily("STOP and CONT", 130, || {
        let run = Run::new(&[]).pushing();
        run.signal("STOP");
        // what is on its way arrives; after this, nothing does
        std::thread::sleep(Duration::from_millis(300));
        let stopped = run.bench.messages();
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(run.bench.messages(), stopped, "it stands still");
        run.signal("CONT");
        until("the next messages", || run.bench.messages() > stopped + 1);
        // one command may have been on its way already
        assert_eq!(run.bench.heard()[stopped + 1].force, [0.0; 3]);
        let run = run.pushing();
        run.signal("INT");
        run
    });
}

#[test]
fn a_full_disk_ends_the_recording_and_not_the_run() {
    let out = folder("ends-full");
    let program = env!("CARGO_BIN_EXE_palpable");
    let script = format!("ulimit -f 40; exec {program} \"$@\"");
    let end = steadily("a full disk", 2, || {
        let mut command = Command::new("sh");
        command.current_dir(common::root()).args(["-c", &script, "sh"]);
        Run::of(command, &["--duration", "2", "--out", path(&out)])
    });
    assert!(end.words.contains("cannot write"), "{}", end.words);
    assert!(end.words.contains("the run itself went to its end"), "{}", end.words);
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path")
}

#[test]
fn readers_who_leave() {
    steadily("closed pipes", 0, || {
        let mut run = Run::new(&["--duration", "1.5"]);
        drop((run.child.stdout.take(), run.child.stderr.take()));
        run
    });
}

#[test]
fn a_loop_that_breaks_down_or_hangs() {
    for (what, words) in [("panic@0.8", "broke down"), ("hang@0.8", "stands still")] {
        let end = steadily(what, 2, || Run::new(&["--rehearse", what]));
        assert!(end.words.contains(words), "{what}: {}", end.words);
    }
}

#[test]
fn faults_rehearsed_in_the_path_of_the_driver() {
    for (what, words) in [
        ("lost", "lost"),
        ("silent", "did not answer in time"),
        ("garbled", "not a finite number"),
        ("jump", "faster than allowed"),
        ("far", "far outside its workspace"),
        ("stuck", "contradict each other"),
        ("order", "contradict each other"),
        ("future", "contradict each other"),
        ("late", "came too late"),
        ("brake", "brake"),
        ("stall", "gave no answer in time"),
        ("force", "not a finite number"),
    ] {
        let at = format!("{what}@0.8");
        let end = steadily(what, 1, || Run::new(&["--rehearse", &at, "--duration", "2.5"]));
        assert!(end.words.contains(words), "{what}: {}", end.words);
    }
}

/// What broke and came back took the force away meanwhile: the run goes on, and is no good one.
#[test]
fn a_connection_that_is_cut_and_comes_back() {
    let run = Run::new(&["--duration", "4"]).pushing();
    run.bench.set(Mood::Cuts);
    until("a new connection", || run.bench.connections() > 1);
    run.bench.set(Mood::Well);
    let end = run.pushing().end("a cut");
    assert_eq!(end.code, Some(1), "{}", end.words);
    assert!(end.words.contains("the force was away for a while"), "{}", end.words);
}

#[test]
fn a_service_that_misbehaves() {
    // mood, exit code, words
    let cases = [
        (Mood::Delays(30), 0, ""),
        (Mood::Delays(300), 1, "the connection to the device broke"),
        (Mood::Mute, 1, "the connection to the device broke"),
        (Mood::Floods(300), 1, "the connection to the device broke"),
        (Mood::Drips, 1, "the connection to the device broke"),
        (Mood::Huge, 1, "the connection to the device broke"),
        (Mood::Nonsense, 1, "cannot be understood"),
        (Mood::OtherDevice, 1, "does not list our Inverse3"),
        (Mood::Jumps(300), 1, "faster than allowed"),
        (Mood::Jumps(1_000_000_000), 1, "far outside its workspace"),
        (Mood::Toggles(50), 1, "faster than allowed"),
        (Mood::Stuck, 1, "contradict each other"),
    ];
    for (mood, code, words) in cases {
        let cause = format!("{mood:?}");
        let end = steadily(&cause, code, || {
            let run = Run::new(&["--duration", "2.5"]).pushing();
            run.bench.set(mood);
            run
        });
        assert!(end.words.contains(words), "{cause}: {}", end.words);
    }
}
