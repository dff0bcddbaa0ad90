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

/// A slip of the pen is answered with what was probably meant, by exit code 2.
#[test]
fn slips_are_answered_with_the_nearest_word() {
    for (words, near) in [
        (&["rn", "oscillator"][..], "did you mean `palpable run`"),
        (&["run", "oscilator"], "did you mean `oscillator`"),
        (&["scenes", "dominos"], "did you mean `dominoes`"),
        (&["passivity", "explain", "refrence-port"], "did you mean `reference-port`"),
        (&["passivity", "tune", "--device", "toch"], "touch"),
    ] {
        let output = run(words);
        assert_eq!(code(&output), 2, "{words:?}");
        assert!(stderr(&output).contains(near), "{words:?}: {}", stderr(&output));
    }
}

/// Who asks for JSON gets it for mistakes in the command line, too.
#[test]
fn mistakes_in_the_command_line_are_json_as_well() {
    for words in [&["rn", "--json"][..], &["run", "--json"], &["bench", "--nope", "--json"]] {
        let output = run(words);
        assert_eq!(code(&output), 2, "{words:?}");
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(told["ok"], false, "{words:?}");
        assert!(told["error"].as_str().is_some_and(|text| !text.is_empty()), "{words:?}");
    }
}

/// Without a clone there is no folder of devices: the program carries them.
#[test]
fn devices_inside_the_program_are_known_by_name() {
    let by_name = run(&["passivity", "tune", "--device", "touch", "--json"]);
    let by_path = run(&["passivity", "tune", "--device", "devices/touch.toml", "--json"]);
    assert_eq!(code(&by_name), code(&by_path), "{}", stderr(&by_name));
    assert_eq!(json(&by_name)["device"], json(&by_path)["device"]);
    let explained = stdout(&run(&["passivity", "explain", "reference-port"]));
    assert!(explained.contains("devices/example.toml"), "{explained}");
}

/// A negative number is answered as one, not taken for an option.
#[test]
fn negative_numbers_are_numbers() {
    for option in ["--stiffness", "--device-damping", "--device-mass", "--delay"] {
        let mut words = vec!["passivity", "wall", "--stiffness", "100", option, "-5"];
        if option == "--stiffness" {
            words.drain(2..4);
        }
        let told = run(&words);
        assert_eq!(code(&told), 2, "{option}: {}", stdout(&told));
        assert!(!stderr(&told).contains("unexpected argument"), "{option}: {}", stderr(&told));
    }
}
