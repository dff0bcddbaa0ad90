//! The smaller commands: check, schema, completions, doctor, bench, reproduce, help.

mod common;

use common::{assert_fits, code, folder, json, run, stderr, stdout};
use serde_json::Value;

const COMMANDS: [&str; 8] =
    ["run", "check", "reproduce", "passivity", "bench", "schema", "doctor", "completions"];

#[test]
fn every_command_has_help_with_an_example_on_80_columns() {
    for command in COMMANDS {
        let output = run(&[command, "--help"]);
        assert_eq!(code(&output), 0);
        let text = stdout(&output);
        assert_fits(&text);
        assert!(text.contains("Example"), "{command}");
        assert!(text.contains(&format!("  palpable {command}")), "{command}");
        assert!(text.contains("--json"), "{command}");
        assert_can_be_pasted(&text);
    }
    for command in ["wall", "tune", "delay", "zwidth", "explain"] {
        let text = stdout(&run(&["passivity", command, "--help"]));
        assert_fits(&text);
        assert_can_be_pasted(&text);
    }
    assert_fits(&stdout(&run(&["--help"])));
    let version = stdout(&run(&["--version"]));
    assert_eq!(version.trim(), format!("palpable {}", env!("CARGO_PKG_VERSION")));
}

/// An example that goes on below ends with a backslash, as shells want it.
fn assert_can_be_pasted(text: &str) {
    let below = text.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
    let lines: Vec<&str> = below.take_while(|line| line.starts_with("  ")).collect();
    assert!(!lines.is_empty(), "{text}");
    for pair in lines.windows(2) {
        let goes_on = !pair[1].trim_start().starts_with("palpable");
        assert_eq!(goes_on, pair[0].ends_with('\\'), "{pair:?}");
    }
}

#[test]
fn an_unknown_command_is_refused_with_a_hint() {
    let output = run(&["rum"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("run"));
}

#[test]
fn check_says_what_a_scene_holds() {
    let output = run(&["check", "scenes/demo.toml"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("12 bodies, 21 springs and dampers, 1 port"));
    assert_fits(&stdout(&output));
    let value = json(&run(&["check", "scenes/demo.toml", "--json"]));
    assert_eq!(value["ok"], Value::Bool(true));
    assert_eq!((value["bodies"].as_u64(), value["ports"].as_u64()), (Some(12), Some(1)));
}

#[test]
fn schema_is_the_one_that_the_scene_crate_checks_in() {
    let printed = json(&run(&["schema"]));
    assert_eq!(printed, palpable_scene::Scene::schema());
    assert_eq!(printed, json(&run(&["schema", "--json"])));
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&["completions", shell]);
        assert_eq!(code(&output), 0);
        let script = stdout(&output);
        assert!(COMMANDS.iter().all(|command| script.contains(command)), "{shell}");
    }
    assert_eq!(json(&run(&["completions", "bash", "--json"]))["shell"], "bash");
    assert_eq!(code(&run(&["completions", "dos"])), 2);
}

#[test]
fn doctor_says_what_the_machine_offers() {
    let value = json(&run(&["doctor", "--json"]));
    assert!(value["cores"].as_u64().unwrap() >= 1);
    assert!(value["devices"].is_array());
    assert_fits(&stdout(&run(&["doctor"])));
}

#[test]
fn bench_measures_every_world_and_fits_the_growth() {
    let value = json(&run(&["bench", "--quick", "--bodies", "1,10,100", "--json"]));
    let worlds = value["worlds"].as_array().unwrap();
    let kinds: Vec<&str> = worlds.iter().map(|w| w["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["free", "free", "free", "chain", "chain", "chain", "net", "heap"]);
    for world in worlds {
        let of = |field: &str| world["step_time_us"][field].as_f64().unwrap();
        assert!(0.0 < of("median") && of("median") <= of("p99"));
        assert!(of("p99") <= of("p999") && of("p999") <= of("max"));
        assert!(world["steps"].as_u64().unwrap() >= 20);
        let per_body = 1e3 * of("median") / world["n"].as_f64().unwrap();
        assert!((world["ns_per_body"].as_f64().unwrap() / per_body - 1.0).abs() < 1e-9);
    }
    assert!(value["growth_exponent"]["free"].is_f64());
    assert!(value["growth_exponent"]["chain"].is_f64());
    assert!(value["note"].as_str().unwrap().contains("noisy"));
}

#[test]
fn bench_within_a_budget_is_never_above_it_and_draws_how_far_it_strays() {
    let folder = folder("bench-budget");
    let out = folder.to_str().expect("a path");
    let value =
        json(&run(&["bench", "--budget", "0.8 ms", "--steps", "1500", "--out", out, "--json"]));
    for world in value["worlds"].as_array().expect("worlds") {
        assert_eq!([&world["above"], &world["rises"]], [0, 0], "{world}");
        assert_eq!(world["compared"].as_array().map(Vec::len), Some(1), "one window of a second");
    }
    assert!(folder.join("budget.png").exists());
    assert_eq!(code(&run(&["bench", "--only", "peg-two-hands"])), 2, "of what?");
}

#[test]
fn bench_prints_a_table_and_histograms_on_80_columns() {
    let text = stdout(&run(&["bench", "--quick", "--bodies", "10"]));
    assert_fits(&text);
    for word in ["median", "p99.9", "ns/body", "grows as", "#####", "noisy"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert_eq!(code(&run(&["bench", "--bodies", "0"])), 2);
}

#[test]
fn reproduce_draws_checks_and_tells() {
    let out = folder("reproduce");
    let out = out.to_str().unwrap();
    let output = run(&["reproduce", "kim2017/fig1", "--out", out, "--json"]);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).is_empty());
    let value = json(&output);
    let experiment = &value["experiments"][0];
    assert_eq!(experiment["id"], "kim2017/fig1");
    for check in experiment["checks"].as_array().unwrap() {
        assert!(check["name"].is_string() && check["pass"].is_boolean());
        assert!(check["value"].is_f64() && check["bound"].is_f64(), "{check}");
    }
    for file in experiment["files"].as_array().unwrap() {
        assert!(std::fs::metadata(file.as_str().unwrap()).unwrap().len() > 0);
    }
    let text = stdout(&run(&["reproduce", "kim2017/fig1", "--out", out])).replace(out, "OUT");
    assert_fits(&text);
    assert!(text.contains("  pass  ") && text.contains("checks passed"), "{text}");
}

#[test]
fn reproduce_lists_and_suggests() {
    let listed = json(&run(&["reproduce", "--list", "--json"]));
    let all = listed["experiments"].as_array().unwrap().len();
    assert_eq!(all, palpable_papers::all().len());
    assert_fits(&stdout(&run(&["reproduce", "--list"])));
    let output = run(&["reproduce", "kim2017/fig91"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("did you mean kim2017/fig1"), "{}", stderr(&output));
}

#[test]
fn check_says_what_was_read_of_a_robot_and_what_was_ignored() {
    let output = run(&["check", "scenes/robots/arm.urdf"]);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    assert_fits(&text);
    for words in ["robot arm: 11 links, 10 joints, 9.9 kg", "flange, palm, tool", "wrist_roll"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let value = json(&run(&["check", "scenes/arm.toml", "--json"]));
    let robot = &value["robots"][0];
    assert_eq!((robot["prefix"].as_str(), robot["mass"].as_f64()), (Some("arm"), Some(9.9)));
    let remarks = robot["remarks"].as_array().unwrap();
    let file = std::fs::read_to_string(common::root().join("scenes/robots/arm.urdf")).unwrap();
    for tag in ["<transmission", "<gazebo"] {
        let line = 1 + file.lines().position(|line| line.contains(tag)).unwrap();
        let is_it = |r: &&Value| r["line"] == line && r["kind"] == "ignored";
        assert_eq!(remarks.iter().filter(is_it).count(), 1, "{tag}");
    }
}

#[test]
fn a_robot_runs_by_itself_and_says_what_is_left_out() {
    let words = ["run", "scenes/robots/arm.urdf", "--no-record", "--no-plots", "--json"];
    let output = run(&[&words[..], &["--duration", "0.2"]].concat());
    assert_eq!(code(&output), 0);
    assert_eq!(json(&output)["steps"], 200);
    let chains =
        run(&[&words[..], &["--duration", "0.2", "--coordinates", "generalized"]].concat());
    // the same fall in other coordinates
    let left = |output| json(output)["energy"]["final"].as_f64().unwrap();
    assert!((left(&chains) / left(&output) - 1.0).abs() < 1e-4);
    assert_ne!(left(&chains), left(&output));
    assert_eq!(code(&run(&["run", "scenes/demo.toml", "--coordinates", "maximal"])), 2);
    let said = stderr(&output);
    assert!(said.contains("not simulated: `palpable check scenes/robots/arm.urdf`"), "{said}");
    let out = folder("robot");
    let file = out.join("cycle.urdf");
    let text = "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/>\n\
                <joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>\n\
                <joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>\n\
                </robot>";
    std::fs::write(&file, text).unwrap();
    let output = run(&["run", file.to_str().unwrap()]);
    assert_eq!(code(&output), 2);
    let said = stderr(&output);
    assert!(said.contains("cycle.urdf:3:1: joint[k]: these links form a cycle"), "{said}");
}

/// A scene from somebody else learns nothing about files outside its folder.
#[test]
fn a_scene_that_is_not_trusted_stays_in_its_own_folder() {
    let folder = folder("own-folder");
    std::fs::create_dir_all(folder.join("in")).expect("a folder");
    std::fs::write(folder.join("secret.csv"), "the first line\n1\n").expect("a file");
    let text = "version = 1\nstep = { table = { file = \"../secret.csv\" } }\n";
    let scene = folder.join("in/s.toml");
    std::fs::write(&scene, text).expect("a file");
    let scene = scene.to_str().expect("a path");
    for words in [&["check", scene][..], &["run", scene, "--no-record", "--no-plots"]] {
        let open = run(words);
        assert!(stderr(&open).contains("the first line"), "{}", stderr(&open));
        let shut = run(&[words, &["--own-folder"]].concat());
        assert_eq!(code(&shut), 2);
        assert!(stderr(&shut).contains("outside the folder"), "{}", stderr(&shut));
        assert!(!stderr(&shut).contains("the first line"), "{}", stderr(&shut));
    }
}
