//! `palpable run --device` and `palpable doctor` with real devices, played by fakes.
#![cfg(target_os = "linux")]

mod common;
#[path = "../../palpable-haptics/tests/fakes/haply.rs"]
#[allow(dead_code)]
mod haply;
#[path = "../../palpable-haptics/tests/fakes/spacenavd.rs"]
#[allow(dead_code)]
mod spacenavd;
#[path = "../../palpable-haptics/tests/fakes/stub.rs"]
mod stub;

use common::{assert_fits, code, json, palpable, run, stderr, stdout};
use haply::{Bench, FakeHaply};
use serde_json::Value;
use spacenavd::FakeSpacenavd;
use std::process::Output;

const SCENE: &str = "scenes/reference-port.toml";

/// A short run on real threads; a stalled machine may end it with a fault, never with a mistake.
fn held(device: &str, words: &[&str]) -> (Output, Value) {
    let fixed = ["run", SCENE, "--device", device, "--no-real-time", "--no-record"];
    let rest = ["--duration", "0.4", "--json"];
    let output = palpable().args(fixed).args(rest).args(words).output().expect("it starts");
    assert!([0, 1].contains(&code(&output)), "{}", stderr(&output));
    let value = json(&output);
    assert!(value["ticks"].as_u64().unwrap() > 0, "{value}");
    (output, value)
}

fn notes(value: &Value) -> String {
    let notes = value["notes"].as_array().unwrap().iter();
    notes.map(|note| note.as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_haply_holds_a_scene() {
    let fake = FakeHaply::start(&Bench::new(&["0001", "049D"]));
    let (address, events) = (fake.address(), fake.events());
    let at = ["--haply-address", address.as_str(), "--haply-events", events.as_str()];
    let (_, value) = held("haply:049D", &at);
    assert_eq!(value["device"]["name"], "Haply Inverse3 049D");
    assert_eq!(value["device"]["peak_force"], 5.0);
    assert!(notes(&value).contains("--profile") && notes(&value).contains("--max-force"));
    let heard = fake.bench.heard();
    assert!(heard.len() > 10 && heard.iter().all(|heard| heard.key == "values"));
    assert_eq!(heard.last().unwrap().force, [0.0; 3], "it lets go");
    let more =
        ["--haply-force-key", "vector", "--max-force", "1", "--profile", "devices/touch.toml"];
    let (_, value) = held("haply", &[&at[..], &more[..]].concat());
    assert_eq!(value["device"]["peak_force"], 1.0);
    assert!(value["device"]["damping"].is_f64(), "told by the profile");
    assert!(!notes(&value).contains("not known"), "{}", notes(&value));
    assert_eq!(fake.bench.last().unwrap().key, "vector");
}

#[test]
fn makers_libraries_hold_a_scene() {
    let library = stub::library("dhd", None);
    let path = library.to_str().unwrap();
    let (_, value) = held("forcedimension", &["--forcedimension-library", path]);
    assert_eq!(value["device"]["name"], "stub omega.6");
    let library = stub::library("hd", None);
    let path = library.to_str().unwrap();
    let (_, value) = held("openhaptics:Second", &["--openhaptics-library", path]);
    assert_eq!(value["device"]["name"], "stub Touch");
    assert!(value["real_time"][0].as_str().unwrap().contains("the device's own thread"));
}

#[test]
fn a_space_mouse_holds_a_scene_and_feels_nothing() {
    let fake = FakeSpacenavd::start();
    let socket = fake.socket().to_str().unwrap().to_owned();
    let (output, value) = held("spacemouse", &["--spacenav-socket", &socket]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(value["max_force"], 0.0);
    assert!(notes(&value).contains("input only: the scene's forces go nowhere"));
    let words = ["run", SCENE, "--device", "spacemouse", "--duration", "0.2", "--no-record"];
    let text = palpable().args(words).args(["--spacenav-socket", &socket]).output().unwrap();
    assert_fits(&stdout(&text));
    assert!(stdout(&text).contains("input only"), "{}", stdout(&text));
}

#[test]
fn what_is_missing_is_told_with_its_cure_before_anything_runs() {
    let cases: [(&[&str], &str); 9] = [
        (&["haply", "--haply-address", "127.0.0.1:1"], "start the Haply Inverse Service"),
        (&["haply", "--haply-address", "somewhere"], "HOST:PORT"),
        (&["haply:"], "haply[:ID]"),
        (&["forcedimension", "--forcedimension-library", "/nowhere/x.so"], "FORCEDIM_SDK"),
        (&["forcedimension:first"], "a number from 0"),
        (&["openhaptics", "--openhaptics-library", "/nowhere/x.so"], "install OpenHaptics"),
        (&["spacemouse", "--spacenav-socket", "/nowhere/s"], "systemctl start spacenavd"),
        (&["spacemouse", "--fast"], "a real device keeps real time"),
        (&["haply", "--max-force", "0"], "0.1 to 100"),
    ];
    for (words, told) in cases {
        let output = run(&[&["run", SCENE, "--device"][..], words].concat());
        assert_eq!(code(&output), 2, "{words:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(told), "{words:?}: {}", stderr(&output));
    }
}

#[test]
fn doctor_says_of_each_device_what_is_found_missing_and_to_be_done() {
    let standing = |value: &Value, device: &str| {
        let devices = value["devices"].as_array().unwrap();
        let found = devices.iter().find(|d| d["device"] == device).expect("every kind").clone();
        let text = |name: &str| found[name].as_str().unwrap().to_owned();
        [text("standing"), text("seen"), text("cure")]
    };
    let nowhere = [
        ["--haply-address", "127.0.0.1:1"],
        ["--forcedimension-library", "/nowhere/libdrd.so"],
        ["--openhaptics-library", "/nowhere/libHD.so"],
        ["--spacenav-socket", "/nowhere/spnav.sock"],
    ];
    let words = [&["doctor"][..], nowhere.as_flattened()].concat();
    let text = stdout(&run(&words));
    assert_fits(&text);
    let value = json(&run(&[&words[..], &["--json"]].concat()));
    let cures = [
        ("haply", "start the Haply Inverse Service"),
        ("forcedimension", "FORCEDIM_SDK"),
        ("openhaptics", "install OpenHaptics"),
        ("spacemouse", "start spacenavd"),
    ];
    for (device, cure) in cures {
        let [standing, seen, told] = standing(&value, device);
        assert_eq!(standing, "missing", "{device}: {seen}");
        assert!(told.contains(cure), "{device}: {told}");
    }
    assert!(text.contains("missing       Haply Inverse3"), "{text}");

    let fake = FakeHaply::start(&Bench::new(&["049D"]));
    let (address, events) = (fake.address(), fake.events());
    let (dhd, hd) = (stub::library("dhd", None), stub::library("hd", Some("without_force")));
    let daemon = FakeSpacenavd::start();
    let there = [
        ["--haply-address", &address],
        ["--haply-events", &events],
        ["--forcedimension-library", dhd.to_str().unwrap()],
        ["--openhaptics-library", hd.to_str().unwrap()],
        ["--spacenav-socket", daemon.socket().to_str().unwrap()],
    ];
    let words = [&["doctor", "--json"][..], there.as_flattened()].concat();
    let value = json(&run(&words));
    let [word, seen, cure] = standing(&value, "haply");
    assert!(word == "found" && seen.contains("049D") && cure.is_empty(), "{seen} {cure}");
    let [word, seen, _] = standing(&value, "forcedimension");
    assert!(word == "found" && seen.contains("1 device") && seen.contains("3.17"), "{seen}");
    let [word, seen, cure] = standing(&value, "openhaptics");
    assert!(word == "not usable" && seen.contains("hdSetDoublev"), "{word}: {seen}");
    assert!(cure.contains("OpenHaptics 3.0"), "{cure}");
    let [word, seen, _] = standing(&value, "spacemouse");
    assert!(["found", "no device"].contains(&word.as_str()) && seen.contains("answers"), "{seen}");
    // a library without a device
    let none = palpable().env("STUB_DHD_DEVICES", "0").args(&words).output().unwrap();
    let [word, _, cure] = standing(&json(&none), "forcedimension");
    assert!(word == "no device" && cure.contains("plug it in"), "{word}: {cure}");
}
