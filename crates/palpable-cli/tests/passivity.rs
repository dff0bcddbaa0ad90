//! `palpable passivity`: numbers, profiles, plots, exit codes.

mod common;

use common::{assert_fits, code, folder, json, names, root, run, stderr, stdout};
use serde_json::Value;

const QUESTIONS: [&str; 8] =
    ["wall", "coupling", "mass", "zwidth", "delay", "tune", "explain", "profile"];

fn ask(words: &[&str]) -> std::process::Output {
    run(&[&["passivity", "--no-plots"], words].concat())
}

fn near(value: &Value, expected: f64) {
    let found = value.as_f64().unwrap_or(f64::NAN);
    assert!((found / expected - 1.0).abs() < 1e-6, "{found} is not {expected}");
}

#[test]
fn every_question_has_help_with_an_example_on_80_columns() {
    for question in QUESTIONS {
        let text = stdout(&run(&["passivity", question, "--help"]));
        assert_fits(&text);
        assert!(text.contains(&format!("  palpable passivity {question}")), "{question}: {text}");
    }
    assert_fits(&stdout(&run(&["passivity", "--help"])));
}

#[test]
fn a_wall_asks_half_its_stiffness_times_the_step_plus_its_damping() {
    // [Brown1998, (3.9)]: 10 kN/m at 1 kHz and 20 N·s/m
    let words = ["wall", "-k", "10 kN/m", "-b", "20", "--verify", "--json"];
    let output = ask(&[&words[..], &["--device-damping", "30"]].concat());
    assert_eq!(code(&output), 0);
    let value = json(&output);
    near(&value["required_damping"], 25.0);
    assert_eq!(value["passive"], Value::Bool(true));
    assert_eq!(value["verification"]["brackets"], Value::Bool(true));
    assert_eq!(value["verification"]["below"]["grows"], Value::Bool(true));
    let output = ask(&["wall", "-k", "10000", "-b", "20", "--device-damping", "24"]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("NOT passive, 1 N·s/m are missing"));
}

#[test]
fn a_coupling_that_sends_the_end_of_the_step_asks_only_for_its_spring() {
    let needed = |gamma: &str| {
        let words = ["coupling", "-k", "2000", "-b", "1", "--json", "--gamma", gamma];
        json(&ask(&words))["required_damping"].clone()
    };
    // (b - KT/2) B_r >= ((1 - γ) KT/2)²
    near(&needed("1"), 1.0);
    near(&needed("0"), 2.0);
    near(&json(&ask(&["coupling", "-k", "2000", "-b", "1", "--json"]))["required_damping"], 2.0);
}

#[test]
fn couplings_are_verified_with_the_world_that_asks_most() {
    for (gamma, bound) in [("1", 1.0), ("0", 2.0)] {
        let words = ["coupling", "-k", "2000", "-b", "1", "--gamma", gamma, "--verify"];
        let text = stdout(&ask(&words));
        assert_fits(&text);
        assert!(text.contains("motion grows") && text.contains("motion decays"), "{text}");
        let test = json(&ask(&[&words[..], &["--json"]].concat()))["verification"].clone();
        // a mass or spring attains the bound, whatever it is
        near(&test["world_damping"], bound);
        near(&test["below"]["damping"], 0.95 * bound);
        near(&test["above"]["damping"], 1.05 * bound);
        assert!(test["below"]["growth_per_second"].as_f64().unwrap() > 1e-3, "{test}");
        assert!(test["above"]["growth_per_second"].as_f64().unwrap() < -1e-3, "{test}");
        assert_eq!(test["brackets"], Value::Bool(true));
    }
    let words = ["coupling", "-k", "2000", "-b", "1", "--delay", "0.5 ms", "--verify", "--json"];
    assert_eq!(json(&ask(&words))["verification"]["brackets"], Value::Bool(true));
    let output = ask(&["coupling", "-k", "2000", "--gamma", "0", "--verify"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("nothing damps the virtual side"), "{}", stderr(&output));
}

#[test]
fn lightest_masses_are_verified_one_by_one() {
    let words = ["mass", "-k", "8000", "--device", "devices/brown1998.toml", "--verify"];
    let output = ask(&words);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_fits(&stdout(&output));
    let value = json(&ask(&[&words[..], &["--json"]].concat()));
    let tests = value["verification"].as_array().unwrap();
    // delayed Euler has no passive mass; the four others are tested
    assert_eq!(tests.len(), 4);
    for test in tests {
        assert_eq!(test["brackets"], Value::Bool(true), "{test}");
    }
    // the lightest mass of method 2 asks all that the device has
    near(&tests[0]["below"]["damping"], 0.95 * 18.6);
}

#[test]
fn every_delay_is_verified_also_where_it_is_a_fraction_of_a_period() {
    let words = ["delay", "-k", "1000", "-b", "1", "--verify"];
    assert_fits(&stdout(&ask(&words)));
    let value = json(&ask(&[&words[..], &["--json"]].concat()));
    let (delays, tests) = (&value["delays"], value["verification"].as_array().unwrap());
    assert_eq!(tests.len(), 7);
    for (i, test) in tests.iter().enumerate() {
        assert_eq!(test["brackets"], Value::Bool(true), "{test}");
        near(&test["above"]["damping"], 1.05 * delays[i]["required_damping"].as_f64().unwrap());
    }
}

#[test]
fn masses_are_those_of_the_thesis() {
    let output = ask(&["mass", "-k", "8000", "--device", "devices/brown1998.toml", "--json"]);
    let value = json(&output);
    let list = value["integrators"].as_array().unwrap();
    let of = |name: &str| list.iter().find(|i| i["integrator"] == name).unwrap();
    // [Brown1998, fig. 7.8]: method 2 in closed form, K T² (2β+1) / (4 (1 - b_wall/b))
    near(&of("symplectic-euler")["minimum_mass"], 8e-3 * 3.0 / (4.0 * (1.0 - 12.0 / 18.6)));
    assert_eq!(of("delayed-euler")["passive_masses"], "none");
    assert_eq!(of("implicit-euler")["passive_masses"], "any");
}

#[test]
fn z_width_and_delay_agree_with_the_closed_forms() {
    let value = json(&ask(&["zwidth", "--device-damping", "3", "--json"]));
    let edge = value["boundary"].as_array().unwrap();
    // K = 2 (b - B) / T
    near(&edge[0]["stiffness"], 6000.0);
    for point in edge {
        let damping = point["damping"].as_f64().unwrap();
        let stiffness = point["stiffness"].as_f64().unwrap();
        assert!((stiffness - 2000.0 * (3.0 - damping)).abs() < 1e-3, "{point}");
    }
    let value = json(&ask(&["delay", "-k", "1000", "--device-damping", "3", "--json"]));
    let whole = &value["delays"][3];
    near(&whole["delay"], 1e-3);
    // a spring one period late: b = (KT/2)(1 + 2 d)
    near(&whole["required_damping"], 1.5);
    near(&whole["max_stiffness"], 2000.0);
}

#[test]
fn tuning_ends_with_a_coupling_within_its_bounds_and_lines_that_build() {
    let output = ask(&["tune", "--device", "devices/example.toml", "--verify", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let value = json(&output);
    // K_max = b / (T/2 + β T) = 2 / 1.5 ms, of which 90 %
    near(&value["max_stiffness"], 2.0 / 1.5e-3);
    near(&value["chosen"]["stiffness"], 1200.0);
    assert!(value["margin"].as_f64().unwrap() > 1.0);
    assert_eq!(value["verification"]["brackets"], Value::Bool(true));
    let body = "version = 1\n[[body]]\nname = \"NAME\"\nshape = { sphere = { radius = 0.01 } }\n";
    let file = folder("tune").join("pasted.toml");
    std::fs::write(&file, format!("{body}{}", value["scene"].as_str().unwrap())).unwrap();
    let scene = file.to_str().unwrap();
    assert_eq!(code(&run(&["check", scene])), 0);
    // and the pasted coupling is passive on the device it was made for
    assert_eq!(code(&ask(&["explain", scene, "--device", "devices/example.toml"])), 0);
}

#[test]
fn explain_names_the_broken_bound_and_ways_out_that_work() {
    let scene = "scenes/reference-port.toml";
    let words = ["explain", scene, "--device", "devices/touch.toml"];
    let output = ask(&words);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert_fits(&text);
    assert!(text.contains("port hand: 500 N/m, 2 N·s/m: NOT passive"), "{text}");
    assert!(text.contains("BROKEN: sampling") && text.contains("3. "), "{text}");
    let value = json(&ask(&[&words[..], &["--json"]].concat()));
    let port = &value["ports"][0];
    assert_eq!(port["passive"], Value::Bool(false));
    assert_eq!(port["findings"][0]["bound"], "damping");
    near(&port["findings"][0]["needed"], 0.25);
    assert!(port["ways_out"].as_array().unwrap().len() >= 3);
    assert_eq!(code(&ask(&["explain", scene, "--device", "devices/example.toml"])), 0);
    let output = ask(&["explain", "scenes/oscillator.toml", "--device", "devices/touch.toml"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("no reference port"));
}

#[test]
fn every_profile_in_the_house_is_sound_and_says_where_it_comes_from() {
    for name in names(&root().join("devices")) {
        let output = ask(&["profile", &format!("devices/{name}")]);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        assert_fits(&stdout(&output));
        let value = json(&ask(&["profile", &format!("devices/{name}"), "--json"]));
        let status = value["status"].as_str().unwrap();
        // only what was read in a source is called published
        let honest =
            ["invented", "published, not measured by us", "unverified, not measured by us"];
        let honest = honest.contains(&status);
        assert!(honest && value["source"].as_str().unwrap().len() > 10, "{name}: {status}");
        assert!(value["stiffness_ceiling"]["lowest"].as_f64().unwrap() > 0.0, "{name}");
    }
}

#[test]
fn bad_numbers_and_profiles_are_answered_with_the_cure_and_exit_code_2() {
    let place = folder("profiles");
    let good = std::fs::read_to_string(root().join("devices/example.toml")).unwrap();
    let write = |name: &str, from: &str, to: &str| {
        let path = place.join(name);
        assert!(good.contains(from), "{from}");
        std::fs::write(&path, good.replace(from, to)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let unknown = write("unknown.toml", "delay = 0", "dealy = 0");
    let unit = write("unit.toml", "\"100 g\"", "\"100 lb\"");
    let negative = write("negative.toml", "\"100 g\"", "-0.1");
    let rate = write("rate.toml", "\"1 kHz\"", "0");
    let assumed = write("assumed.toml", "assumed = []", "assumed = [\"weight\"]");
    let cases: [(&[&str], &str); 9] = [
        (&["profile", &unknown], "dealy"),
        (&["profile", &unit], "mass: cannot read \"100 lb\""),
        (&["profile", &negative], "mass [kg] is -0.1"),
        (&["profile", &rate], "rate [Hz] is 0"),
        (&["profile", &assumed], "there is no field `weight`"),
        (&["profile", "nowhere.toml"], "devices/example.toml"),
        (&["wall", "-k", "5 lb"], "N/m, N/mm"),
        (&["wall", "-k", "100", "--rate", "0"], "rate [Hz] is 0"),
        (&["zwidth"], "--device-damping"),
    ];
    for (words, part) in cases {
        let output = ask(words);
        assert_eq!(code(&output), 2, "{words:?}");
        assert!(stdout(&output).is_empty(), "{words:?}");
        assert!(stderr(&output).contains(part), "{words:?}: {}", stderr(&output));
    }
}

#[test]
fn plots_are_drawn_and_listed() {
    let out = folder("passivity-plots");
    let device = ["--device", "devices/example.toml"];
    let questions: [&[&str]; 6] = [
        &["wall", "-k", "1000"],
        &["coupling", "-k", "1000", "-b", "1"],
        &["mass", "-k", "1000"],
        &["zwidth"],
        &["delay", "-k", "1000"],
        &["tune"],
    ];
    for words in questions {
        let folder = ["--out", out.to_str().unwrap(), "--json"];
        let output = run(&[&["passivity"], words, &device[..], &folder].concat());
        let value = json(&output);
        let files = value["files"].as_array().unwrap();
        assert_eq!(files.len(), 2, "{words:?}");
        for file in files {
            assert!(std::fs::metadata(file.as_str().unwrap()).unwrap().len() > 1000);
        }
    }
    assert_eq!(names(&out).len(), 12);
}
