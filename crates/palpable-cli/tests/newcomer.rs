//! What somebody who has just installed the program tries first.

mod common;

use common::{code, folder, json, run, stderr, stdout};
use palpable_record::read_csv;

#[test]
fn scenes_of_the_gallery_run_by_name_and_can_be_written_out() {
    let all = json(&run(&["scenes", "--json"]));
    assert!(all["scenes"].as_array().expect("a list").len() > 30);
    let output =
        json(&run(&["run", "wipe", "--json", "--no-record", "--no-plots", "--duration", "20 ms"]));
    assert_eq!(output["status"], "finished");
    assert_eq!(output["steps"], 20);
    let out = folder("written");
    let words = ["scenes", "arm", "--out", out.to_str().expect("a name")];
    assert_eq!(code(&run(&words)), 0);
    let file = out.join("arm.toml");
    assert_eq!(code(&run(&["check", file.to_str().expect("a name")])), 0, "with all that it names");
    assert_eq!(code(&run(&["scenes", "nothing"])), 2);
}

#[test]
fn mistakes_are_json_if_that_is_asked_for() {
    let file = folder("mistake").join("bad.toml");
    std::fs::write(&file, "version = 1\n[[body]]\nname = \"a\"\nmas = 3\n").expect("written");
    let output = run(&["check", file.to_str().expect("a name"), "--json"]);
    assert_eq!(code(&output), 2);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(told["ok"], false);
    assert_eq!(
        (&told["mistakes"][0]["line"], &told["mistakes"][0]["field"]),
        (&4.into(), &"body.mas".into())
    );
}

/// The reason is the scheme's, and nobody is accused of creating energy in no steps.
#[test]
fn a_scheme_that_cannot_run_a_scene_says_why() {
    let output =
        run(&["run", "box-drop", "--scheme", "symplectic-euler", "--no-record", "--no-plots"]);
    assert_eq!(code(&output), 1);
    let told = stderr(&output);
    assert!(
        told.contains("contact is not supported") && !told.contains("creates energy"),
        "{told}"
    );
}

#[test]
fn the_readmes_tuning_works_as_printed_and_names_its_device() {
    let output = run(&["passivity", "tune", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let output = run(&["passivity", "tune"]);
    assert!(stdout(&output).contains("devices/example.toml"));
    let output = stdout(&run(&["passivity", "delay", "--stiffness", "1000", "--delay", "5 ms"]));
    assert!(output.contains("5 ms") && output.contains("--device-damping"), "{output}");
}

/// Hinges in radians, their rate the derivative of their angle, contacts counted.
#[test]
fn recordings_hold_joints_and_contacts_in_their_units() {
    let out = folder("recorded");
    let words = ["run", "four-bar", "--duration", "200 ms", "--no-plots", "--out"];
    let output = run(&[&words[..], &[out.to_str().expect("a name")]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let head = std::fs::read_to_string(out.join("run.csv")).expect("a recording");
    let head = head.lines().next().expect("columns").to_owned();
    assert!(
        head.contains("joint.shaft.angle [rad]") && head.contains("joint.shaft.rate [rad/s]"),
        "{head}"
    );
    let table = read_csv(out.join("run.csv")).expect("a table");
    let (time, angle) = (table.time(), table.column("joint.shaft.angle").expect("an angle"));
    let rate = table.column("joint.shaft.rate").expect("a rate");
    for i in 1..time.len() {
        let slope = (angle[i] - angle[i - 1]) / (time[i] - time[i - 1]);
        let mean = 0.5 * (rate[i] + rate[i - 1]);
        // the trapezoid is off by h²/12 times the second derivative of the rate, which begins with
        // 130 rad/s² within 2 ms; half a turn begins again at −π
        let jump = (angle[i] - angle[i - 1]).abs() > 3.0;
        assert!(jump || (slope - mean).abs() < 1e-2 * mean.abs().max(1.0), "{slope} {mean}");
    }
    let mcap = std::fs::read(out.join("run.mcap")).expect("a recording");
    let named = |word: &[u8]| mcap.windows(word.len()).any(|w| w == word);
    assert!(named(b"foxglove.SceneUpdate"), "viewers show solids");
}
