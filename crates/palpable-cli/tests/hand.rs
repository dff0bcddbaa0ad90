//! `palpable run --device`: a simulated hand, replays, faults, words and exit codes.

mod common;

use common::{assert_fits, code, folder, json, palpable, run, stderr, stdout};
use palpable_record::{Table, read_mcap};
use serde_json::Value;
use std::path::Path;

const SCENE: &str = "scenes/reference-port.toml";

/// A simulated hand in virtual time, with more words.
fn simulated(out: &Path, words: &[&str]) -> std::process::Output {
    let fixed = ["run", SCENE, "--device", "simulated", "--fast", "--out"];
    let output = palpable().args(fixed).arg(out).args(words).output();
    output.expect("the program starts")
}

fn recording(out: &Path) -> Table {
    read_mcap(out.join("run.mcap")).expect("a readable recording")
}

#[test]
fn a_simulated_hand_moves_the_scene_and_gets_no_energy() {
    let out = folder("hand-simulated");
    let output = simulated(&out, &["--json"]);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    let value = json(&output);
    assert_eq!(value["status"], "finished");
    assert_eq!(value["problem"], Value::Null);
    let ticks = value["ticks"].as_u64().unwrap();
    // three seconds and the fade at the end
    assert_eq!(ticks, 3050);
    assert_eq!(
        (value["missed_deadlines"].as_u64(), value["lost_rows"].as_u64()),
        (Some(0), Some(0))
    );
    let number = |name: &str, part: &str| value[name][part].as_f64().unwrap();
    assert!(number("handle_energy", "most_given") <= 0.0);
    assert!(number("handle_energy", "given") < -0.1);
    assert!(value["max_force"].as_f64().unwrap() > 1.0);
    let of = |part: &str| number("energy", part);
    let lost = of("damped") + of("friction") + of("impact") + of("discarded");
    let open = of("initial") + of("supplied") - of("final") - lost;
    // some thousand additions
    assert!(open.abs() <= 1e-12 * (of("initial") + of("supplied") + lost), "{open:e} J");
    let table = recording(&out);
    assert_eq!(table.len() as u64, ticks);
    assert!(table.column("hand.x").unwrap().iter().any(|x| *x > 0.01));
    // in virtual time the same bits come out again
    let again = json(&simulated(&folder("hand-again"), &["--json"]));
    assert_eq!(value["state_hash"], again["state_hash"]);
}

#[test]
fn two_devices_hold_two_hands_at_once_and_neither_gets_energy() {
    let run = |out: &Path, words: &[&str]| {
        let fixed = ["run", "peg-two-hands", "--duration", "1.5", "--fast", "--json", "--out"];
        palpable().args(fixed).arg(out).args(words).output().expect("the program starts")
    };
    let both = ["--device", "simulated", "--device", "simulated"];
    let out = folder("hands-two");
    let output = run(&out, &both);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    let value = json(&output);
    let hands = value["hands"].as_array().unwrap();
    let ports: Vec<_> = hands.iter().map(|hand| hand["port"].as_str().unwrap()).collect();
    // finger tips follow their palm, so the second device gets the other palm
    assert_eq!(ports, ["right palm", "left palm"]);
    for (k, hand) in hands.iter().enumerate() {
        assert_eq!(hand["status"], "finished");
        assert_eq!(hand["problem"], Value::Null);
        assert_eq!(hand["faults"], serde_json::json!({}), "hand {k}");
        let energy = |part: &str| hand["handle_energy"][part].as_f64().unwrap();
        // what a world on another thread is granted so that a rest can end
        assert!(energy("most_given") <= 1e-3, "hand {k}: {:e} J", energy("most_given"));
        assert!(energy("given") < 0.0, "hand {k}");
        assert!(hand["max_force"].as_f64().unwrap() > 0.1, "hand {k}");
        let of = |part: &str| hand["energy"][part].as_f64().unwrap();
        let lost = of("damped") + of("friction") + of("impact") + of("discarded");
        let open = of("initial") + of("supplied") - of("final") - lost;
        assert!(open.abs() <= 1e-11 * (of("initial") + of("supplied") + lost), "{open:e} J");
        let file = out.join(["run.mcap", "run-2.mcap"][k]);
        let table = read_mcap(file).expect("a readable recording");
        assert_eq!(Some(table.len() as u64), hand["ticks"].as_u64());
        let x = table.column("hand.x").unwrap();
        let way = x
            .iter()
            .fold(0.0f64, |most, x| most.max((x - table.column("hand.x").unwrap()[0]).abs()));
        assert!(way > 0.02, "hand {k} moved {way} m");
    }
    // in virtual time the same bits come out again, and from the two recordings as well
    let again = json(&run(&folder("hands-again"), &both));
    assert_eq!(hands[0]["state_hash"], again["hands"][0]["state_hash"]);
    // the names of ports may be given, in any order
    let other = ["--port", "left palm", "--port", "right palm"];
    let swapped = json(&run(&folder("hands-swapped"), &[&both[..], &other].concat()));
    assert_eq!(swapped["hands"][0]["port"], "left palm");
    let same = ["--port", "left palm", "--port", "left palm"];
    let output = run(&folder("hands-same"), &[&both[..], &same].concat());
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("two devices cannot hold the port"), "{}", stderr(&output));
}

#[test]
fn a_hand_whose_device_is_lost_leaves_the_other_in_the_scene() {
    let words = ["--device", "simulated", "--device", "simulated", "--rehearse", "lost@0.5"];
    let fixed = ["run", "peg-two-hands", "--duration", "1", "--fast", "--json", "--no-record"];
    let output = run(&[&fixed[..], &words].concat());
    assert_eq!(code(&output), 1);
    let value = json(&output);
    assert_eq!(value["hands"][0]["faults"]["DeviceLost"], 1);
    assert_eq!(value["hands"][1]["problem"], Value::Null);
    let ticks = |k: usize| value["hands"][k]["ticks"].as_u64().unwrap();
    assert!(ticks(0) < 600 && ticks(1) >= 1000, "{} and {}", ticks(0), ticks(1));
    let text = run(&[
        &["run", "peg-two-hands", "--duration", "0.2", "--fast", "--no-record"],
        &words[..4],
    ]
    .concat());
    assert_fits(&stdout(&text));
    for name in ["`right palm`", "`left palm`"] {
        assert!(stdout(&text).contains(name), "{}", stdout(&text));
    }
}

#[test]
fn a_replay_reproduces_the_hash_and_says_so_or_what_differs() {
    let out = folder("hand-recorded");
    let first = json(&simulated(&out, &["--json", "--duration", "1"]));
    let device = format!("replay:{}", out.join("run.mcap").display());
    let fixed = ["run", SCENE, "--device", &device, "--fast", "--no-record"];
    let output = run(&[&fixed[..], &["--json"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let value = json(&output);
    assert_eq!(value["state_hash"], first["state_hash"]);
    assert_eq!(value["replay"]["compared_ticks"], first["ticks"]);
    assert_eq!(value["replay"]["first_difference"], Value::Null);
    let text = run(&fixed);
    assert!(stdout(&text).contains("state hashes as recorded"));
    assert_fits(&stdout(&text));
    let other = run(&[&fixed[..], &["--scale", "2"]].concat());
    assert_eq!(code(&other), 1);
    assert!(stderr(&other).contains("differs from its recording from tick"), "{}", stderr(&other));
}

/// Fault, name in the JSON, exit code, words on standard error, whether the force comes back.
const FAULTS: [(&str, &str, i32, &str, bool); 9] = [
    ("lost", "DeviceLost", 1, "the device is lost", false),
    ("silent", "WorldStalled", 1, "did not answer in time", false),
    ("garbled", "BadSample", 1, "not a finite number", false),
    ("jump", "TooFast", 1, "faster than allowed", false),
    ("brake", "DeviceBrake", 1, "brake", false),
    ("stall", "WorldStalled", 1, "gave no answer in time", false),
    ("force", "NotFinite", 1, "not a finite number", false),
    ("late", "LateLoop", 1, "away for a while: the servo loop came too late", true),
    ("clock", "ClockJump", 1, "away for a while: the clock jumped", true),
];

#[test]
fn every_fault_takes_the_force_away_and_leaves_a_recording_and_a_message() {
    for (fault, name, exit, words, recovers) in FAULTS {
        let out = folder(&format!("hand-{fault}"));
        let at = format!("{fault}@0.8");
        let output = simulated(&out, &["--json", "--duration", "2.5", "--rehearse", &at]);
        assert_eq!(code(&output), exit, "{fault}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{fault}: {}", stderr(&output));
        let value = json(&output);
        assert_eq!(value["faults"][name], 1, "{fault}");
        let table = recording(&out);
        assert_eq!(Some(table.len() as u64), value["ticks"].as_u64(), "{fault}");
        let force = |i: usize| {
            let part = |c: &str| table.column(c).unwrap()[i].powi(2);
            (part("command.fx") + part("command.fy") + part("command.fz")).sqrt()
        };
        assert!(force(790) > 0.1, "{fault}: pushing before");
        // stale_after + damp + fade of the default limits, and a tick for each
        let zero = (800..table.len()).find(|i| force(*i) == 0.0).expect("zero");
        let took = table.time()[zero] - table.time()[801.min(zero)];
        assert!(took <= 0.1 + 0.1 + 0.05 + 3e-3, "{fault}: {took}");
        assert_eq!(force(table.len() - 1), 0.0, "{fault}");
        let back = (zero..table.len()).any(|i| force(i) > 0.1);
        assert_eq!(back, recovers, "{fault}");
    }
}

#[test]
fn the_summary_fits_and_says_what_matters() {
    let out = folder("hand-words");
    let output = simulated(&out, &["--rehearse", "late@1"]);
    let text = stdout(&output);
    assert_fits(&text);
    for words in ["port `hand`", "0 N", "never got back more", "1 time: the servo loop", "run.mcap"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn a_coupling_too_stiff_for_the_device_is_reduced_with_a_note() {
    // 2 N·s/m at 50 Hz render 200 N/m, and the port has 500
    let words = ["--json", "--rate-hz", "50", "--duration", "1"];
    let out = folder("hand-stiff");
    let value = json(&simulated(&out, &words));
    let note = value["notes"][0].as_str().unwrap();
    assert!(note.contains("500 N/m") && note.contains("200 N/m"), "{note}");
    let used = recording(&out).column("setup.stiffness").unwrap()[0];
    // the bound is found by bisection to 1e-12
    assert!((used / 200.0 - 1.0).abs() < 1e-11, "{used}");
    let kept = json(&simulated(&out, &[&words[..], &["--keep-stiffness"]].concat()));
    assert_eq!(kept["notes"].as_array().unwrap().len(), 0);
}

#[test]
fn mistakes_are_told_with_their_cure() {
    let cases: [(&[&str], &str); 7] = [
        (&["run", SCENE, "--device", "wand"], "no such device; there are: simulated"),
        (&["run", SCENE, "--device", "simulated", "--port", "foot"], "there are: hand"),
        (&["run", "scenes/oscillator.toml", "--device", "simulated"], "kind = \"reference\""),
        (&["run", SCENE, "--device", "replay:nothing.mcap", "--fast"], "nothing.mcap"),
        (&["run", SCENE, "--device", "simulated", "--rehearse", "clock@1"], "--fast"),
        (&["run", SCENE, "--device", "simulated", "--rehearse", "flood@1"], "there are: lost"),
        (&["run", SCENE, "--fast"], "--device"),
    ];
    for (words, told) in cases {
        let output = run(words);
        assert_eq!(code(&output), 2, "{words:?}");
        assert!(stderr(&output).contains(told), "{words:?}: {}", stderr(&output));
    }
}

#[test]
fn real_threads_run_with_the_world_in_the_loop_and_beside_it() {
    let fixed = ["run", SCENE, "--device", "simulated", "--no-record", "--no-real-time", "--json"];
    for more in [&["--duration", "0.3"][..], &["--duration", "0.3", "--world-rate-hz", "300"]] {
        let output = run(&[&fixed[..], more].concat());
        let value = json(&output);
        // a stall of a shared machine may be a fault; what is asserted is that it ends in order
        assert!([0, 1].contains(&code(&output)), "{}", stderr(&output));
        assert!(value["ticks"].as_u64().unwrap() > 0);
        assert!(value["period_us"]["median"].is_f64());
        let words = value["real_time"][0].as_str().unwrap();
        assert!(words.contains("not asked for"), "{words}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_fades_out_and_leaves_a_complete_recording() {
    use std::process::{Command, Stdio};
    let out = folder("hand-interrupt");
    let words = ["run", SCENE, "--device", "simulated", "--duration", "1e5", "--no-real-time"];
    let child = palpable()
        .args(words)
        .args(["--json", "--out"])
        .arg(&out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let part = out.join("run.mcap.part");
    while !std::fs::metadata(&part).is_ok_and(|data| data.len() > 100_000) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill").success());
    let output = child.wait_with_output().expect("output");
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // a fault of a stalled machine would end with 1 before
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(value["status"], "interrupted");
    let table = recording(&out);
    assert_eq!(table.len() as u64, value["ticks"].as_u64().unwrap());
    let last = |name: &str| *table.column(name).unwrap().last().unwrap();
    assert_eq!([last("command.fx"), last("command.fy"), last("safety.enabled")], [0.0; 3]);
    assert!(!part.exists());
}

/// A rate that no loop can keep, wherever it comes from, and a rehearsal at the end of time.
#[test]
fn a_profile_with_a_wild_rate_is_refused_and_a_late_rehearsal_never_comes() {
    let out = folder("hand-rate");
    let text = std::fs::read_to_string(common::root().join("devices/example.toml")).expect("text");
    let rate = text.lines().find(|line| line.starts_with("rate")).expect("a rate").to_owned();
    let file = out.join("p.toml");
    std::fs::write(&file, text.replace(&rate, "rate = \"1e15 kHz\"")).expect("a file");
    let output = simulated(&out, &["--profile", file.to_str().expect("a path")]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(stderr(&output).contains("--rate-hz"), "{}", stderr(&output));
    let output = simulated(&out, &["--rate-hz", "-1"]);
    assert!(stderr(&output).contains("1 to 20000"), "{}", stderr(&output));
    let output = simulated(&out, &["--rehearse", "lost@1e300", "--duration", "0.5"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

/// A peg that a hand swings against a wall, 15 mm away; its surface has the law `impulse`.
const STRUCK: &str = r#"
version = 1
contact = {}

[[body]]
name = "wall"
fixed = true
shape = { box = { size = ["20 mm", "80 mm", "80 mm"] } }
position = ["35 mm", 0, 0]

[[body]]
name = "peg"
shape = { box = { size = ["20 mm", "20 mm", "20 mm"] } }
mass = "0.1 kg"
material = { law = "impulse", friction = 0.2, modulus = 1e8, damping = 1e5 }

[[port]]
name = "hand"
kind = "reference"
body = "peg"
stiffness = { linear = "300 N/m", angular = "0.02 N m/rad" }
damping = { linear = "1 N s/m", angular = "1 mN m s/rad" }

[run]
duration = "5 s"
"#;

#[test]
fn impulses_are_sent_to_a_device_within_its_limits_as_the_command_or_the_scene_says() {
    let out = folder("hand-impulses");
    std::fs::create_dir_all(&out).expect("a folder");
    let scene = out.join("struck.toml");
    std::fs::write(&scene, STRUCK).expect("a scene");
    let run = |scene: &Path, words: &[&str]| {
        let fixed = ["--device", "simulated", "--fast", "--json", "--out"];
        let command = &mut palpable();
        let command = command.arg("run").arg(scene).args(fixed).arg(&out).args(words);
        command.output().expect("the program starts")
    };
    let mut peaks = Vec::new();
    for (words, expected) in [
        (&[][..], Value::from("spread")),
        (&["--impulses", "scale"][..], Value::from("scale")),
        (&["--impulses", "saturate"][..], Value::from("saturate")),
        (&["--impulses", "off"][..], Value::Null),
    ] {
        let value = json(&run(&scene, words));
        assert_eq!((&value["status"], &value["impulses"]), (&Value::from("finished"), &expected));
        // 10 N is what the simulated device can do
        let peak = value["max_force"].as_f64().expect("a force");
        assert!(peak <= 10.0 * (1.0 + 1e-12), "{expected}: {peak} N");
        assert!(value["handle_energy"]["most_given"].as_f64().expect("energy") <= 1e-4, "{value}");
        assert_eq!(value["faults"], serde_json::json!({}));
        peaks.push(peak);
        // a replay hears of it from the recording
        let device = format!("replay:{}", out.join("run.mcap").display());
        let fixed = ["--device", &device, "--fast", "--no-record", "--json"];
        let again = palpable().arg("run").arg(&scene).args(fixed).output().expect("starts");
        let again = json(&again);
        assert_eq!(again["replay"]["first_difference"], Value::Null, "{again}");
        assert_eq!(again["state_hash"], value["state_hash"]);
    }
    assert!(peaks[0] > 1.2 * peaks[3], "a blow is felt: {peaks:?}");
    // the scene decides where the command does not
    let quiet = out.join("quiet.toml");
    let text = STRUCK.replace("contact = {}", "contact = { impulses = \"off\" }");
    std::fs::write(&quiet, text).expect("a scene");
    assert_eq!(json(&run(&quiet, &[]))["impulses"], Value::Null);
    assert_eq!(json(&run(&quiet, &["--impulses", "spread"]))["impulses"], "spread");
    // a scene without the law sends none
    assert_eq!(json(&simulated(&out, &["--json", "--duration", "0.2"]))["impulses"], Value::Null);
    assert_eq!(code(&run(&scene, &["--impulses", "loud"])), 2);
}
