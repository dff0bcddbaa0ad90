//! `palpable run` and `palpable` alone: numbers, files, words, exit codes.

mod common;

use common::{assert_fits, code, folder, json, names, palpable, run, stderr, stdout};
use palpable_record::{read_csv, read_mcap};
use serde_json::Value;

#[test]
fn json_has_every_field_of_the_design_with_its_type() {
    let words = ["run", "scenes/oscillator.toml", "--json", "--no-record", "--no-plots"];
    let output = run(&words);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).is_empty());
    let value = json(&output);
    assert_eq!(value["steps"], 1000);
    assert!((value["simulated_seconds"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    assert_eq!(value["finite"], Value::Bool(true));
    assert_eq!(value["interrupted"], Value::Bool(false));
    assert_eq!(value["status"], "finished");
    let fields =
        "initial final tank supplied damped friction impact discarded created booked max_defect";
    for field in fields.split(' ') {
        assert!(value["energy"][field].is_f64(), "energy.{field}");
    }
    for field in ["median", "p99", "p999", "max"] {
        assert!(value["step_time_us"][field].is_f64(), "step_time_us.{field}");
    }
    assert!(value["contacts"]["max"].is_u64());
    assert_eq!(value["files"].as_array().unwrap().len(), 0);
}

#[test]
fn the_books_in_the_json_close_to_round_off() {
    for scene in ["demo", "damped", "reference-port", "csv-port"] {
        let file = format!("scenes/{scene}.toml");
        let value = json(&run(&["run", &file, "--json", "--no-record", "--no-plots"]));
        let of = |field: &str| value["energy"][field].as_f64().unwrap();
        let lost = of("damped") + of("friction") + of("impact") + of("discarded");
        let open = of("initial") + of("supplied") - of("final") - lost;
        let scale = of("initial").abs() + of("supplied").abs() + lost;
        // some thousand additions
        assert!(open.abs() <= 1e-12 * scale, "{scene}: {open:e} of {scale:e} J");
        assert!(of("max_defect") < 1e-12, "{scene}");
        assert_eq!(value["audit"]["clean"], Value::Bool(true), "{scene}");
    }
}

#[test]
fn a_contact_law_is_chosen_and_what_it_creates_is_told() {
    let quiet = ["--no-record", "--no-plots"];
    let scene = ["run", "scenes/printed-plastic.toml"];
    let value = json(&run(&[&scene[..], &quiet, &["--json"]].concat()));
    let of = |value: &Value, field: &str| value["energy"][field].as_f64().unwrap();
    assert_eq!(value["contact_law"], "printed-plastic");
    assert!(of(&value, "created") > 1e-6 && value["audit"]["clean"] == Value::Bool(false));
    let lost = ["damped", "friction", "impact", "discarded"].map(|f| of(&value, f));
    let open = of(&value, "initial") + of(&value, "supplied") + of(&value, "created")
        - of(&value, "final")
        - lost.iter().sum::<f64>();
    // some thousand additions of 6 J
    assert!(open.abs() < 1e-11, "{open:e}");
    let text = stdout(&run(&[&scene[..], &quiet].concat()));
    assert!(text.contains("created by contact") && text.contains("printed-plastic"), "{text}");
    assert_fits(&text);
    let cone = run(&[&scene[..], &quiet, &["--json", "--contact-law", "cone"]].concat());
    let cone = json(&cone);
    assert!(of(&cone, "created") == 0.0 && cone["audit"]["clean"] == Value::Bool(true));
    // mistakes name the cure
    for (scene, words, cure) in [
        ("scenes/oscillator.toml", ["--contact-law", "cone"], "[contact]"),
        ("scenes/box-drop.toml", ["--contact-law", "printed"], "printed-elastic"),
        ("scenes/printed-plastic.toml", ["--sides", "3"], "4 to 64"),
        ("scenes/box-drop.toml", ["--sides", "8"], "--contact-law printed-elastic"),
    ] {
        let output = run(&[&["run", scene][..], &quiet, &words].concat());
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains(cure), "{}", stderr(&output));
    }
}

#[test]
fn the_same_scene_gives_the_same_bits_and_another_seed_gives_others() {
    let hash = |words: &[&str]| {
        let fixed = ["run", "scenes/oscillator-random-step.toml", "--json", "--no-record"];
        let value = json(&run(&[&fixed, words].concat()));
        value["state_hash"].as_str().unwrap().to_owned()
    };
    assert_eq!(hash(&["--no-plots"]), hash(&["--no-plots"]));
    // 42 is the seed in the scene
    assert_eq!(hash(&["--no-plots"]), hash(&["--no-plots", "--seed", "42"]));
    assert_ne!(hash(&["--no-plots"]), hash(&["--no-plots", "--seed", "7"]));
}

#[test]
fn recording_and_plots_are_whole_and_readable() {
    let out = folder("run-files");
    let folder = out.to_str().unwrap();
    let output = run(&["run", "scenes/reference-port.toml", "--out", folder, "--json"]);
    let value = json(&output);
    let expected = [
        "energy.png",
        "energy.svg",
        "forces.png",
        "forces.svg",
        "positions.png",
        "positions.svg",
        "run.csv",
        "run.mcap",
        "step-times.png",
        "step-times.svg",
    ];
    assert_eq!(names(&out), expected);
    let mut listed: Vec<&str> =
        value["files"].as_array().unwrap().iter().map(|f| f.as_str().unwrap()).collect();
    listed.sort_unstable();
    let whole: Vec<String> = expected.iter().map(|name| format!("{folder}/{name}")).collect();
    assert_eq!(listed, whole);
    let (csv, mcap) = (read_csv(out.join("run.csv")), read_mcap(out.join("run.mcap")));
    let (csv, mcap) = (csv.expect("CSV"), mcap.expect("MCAP"));
    assert_eq!((csv.len(), mcap.len()), (3001, 3001));
    for name in ["ball.x", "energy.elastic", "port.hand.fx", "spring.hanger.gz", "step.length"] {
        let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let column = csv.column(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(bits(column), bits(mcap.column(name).unwrap()), "{name}");
    }
    let last = csv.column("energy.elastic").unwrap().last().unwrap();
    assert_eq!(*last, value["energy"]["final_accounts"]["elastic"].as_f64().unwrap());
    for name in expected.iter().filter(|name| name.ends_with(".png")) {
        let bytes = std::fs::read(out.join(name)).unwrap();
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.ends_with(b"IEND\xaeB`\x82"));
    }
    for name in expected.iter().filter(|name| name.ends_with(".svg")) {
        let text = std::fs::read_to_string(out.join(name)).unwrap();
        assert!(text.contains("<svg") && text.trim_end().ends_with("</svg>"), "{name}");
    }
}

#[test]
fn only_the_wanted_files_are_written() {
    for (option, expected) in
        [("--csv", vec!["run.csv"]), ("--mcap", vec!["run.mcap"]), ("--no-record", vec![])]
    {
        let out = folder("run-wanted");
        let words = ["run", "scenes/oscillator.toml", "--no-plots", "--out"];
        assert_eq!(code(&run(&[&words, &[out.to_str().unwrap(), option][..]].concat())), 0);
        assert_eq!(names(&out), expected, "{option}");
    }
}

#[test]
fn the_summary_fits_on_80_columns_and_names_the_accounts() {
    let out = folder("run-summary");
    let out = out.to_str().unwrap();
    for scene in ["demo", "falling-shapes", "so3-spring"] {
        let output = run(&["run", &format!("scenes/{scene}.toml"), "--no-record", "--out", out]);
        let text = stdout(&output).replace(out, "OUT");
        assert_fits(&text);
        for word in ["steps", "kinetic", "total", "The account closes", "step time: median"] {
            assert!(text.contains(word), "{scene}: {word}: {text}");
        }
    }
}

#[test]
fn duration_and_scheme_take_the_place_of_the_scenes() {
    let fixed = ["run", "scenes/oscillator.toml", "--json", "--no-record", "--no-plots"];
    let other = ["--duration", "0.25", "--scheme", "implicit-euler"];
    let value = json(&run(&[&fixed[..], &other].concat()));
    assert_eq!(value["steps"], 250);
    assert_eq!(value["scheme"], "implicit-euler");
    // implicit Euler swallows energy, and the audit says so
    assert!(value["energy"]["final"].as_f64() < value["energy"]["initial"].as_f64());
    assert_eq!(value["audit"]["clean"], Value::Bool(false));
}

#[test]
fn a_refused_step_ends_the_run_with_a_reason_and_a_whole_recording() {
    let out = folder("run-refused");
    let words = ["run", "scenes/oscillator.toml", "--scheme", "explicit-euler", "--json"];
    let output = run(&[&words[..], &["--out", out.to_str().unwrap()]].concat());
    assert_eq!(code(&output), 1);
    let value = json(&output);
    assert_eq!(value["finite"], Value::Bool(false));
    assert_eq!(value["status"], "refused");
    assert!(stderr(&output).contains("was refused: the result of explicit-euler"));
    assert!(stderr(&output).contains("use passive-midpoint"));
    let steps = value["steps"].as_u64().unwrap() as usize;
    assert_eq!(read_csv(out.join("run.csv")).expect("CSV").len(), steps + 1);
    assert_eq!(read_mcap(out.join("run.mcap")).expect("MCAP").len(), steps + 1);
}

#[test]
fn every_mistake_of_a_scene_is_printed_and_the_exit_code_is_2() {
    let file = folder("run-mistakes").join("bad.toml");
    std::fs::write(&file, "version = 1\n[[body]]\nnmae = \"x\"\nmass = -1\n").unwrap();
    for command in ["run", "check"] {
        let output = run(&[command, file.to_str().unwrap()]);
        assert_eq!(code(&output), 2);
        assert!(stdout(&output).is_empty());
        let text = stderr(&output);
        assert!(text.contains("bad.toml:3:1: body.nmae"), "{text}");
        assert!(text.contains("bad.toml:4:8: body.mass"), "{text}");
        assert!(text.contains("2 mistakes"), "{text}");
    }
}

#[test]
fn wrong_words_are_answered_with_the_cure_and_exit_code_2() {
    let demo = "scenes/demo.toml";
    let cases: [(&[&str], &str); 7] = [
        (&["run"], "<SCENE>"),
        (&["run", demo, "--duration", "-1"], "greater than 0"),
        (&["run", demo, "--duration", "5 kg"], "give a time"),
        (&["run", demo, "--scheme", "euler"], "explicit-euler"),
        (&["run", demo, "--seed", "3"], "leave --seed out"),
        (&["run", demo, "--csv", "--no-record"], "--no-record"),
        (&["run", "nowhere.toml"], "nowhere.toml: cannot be read"),
    ];
    for (words, part) in cases {
        let output = run(words);
        assert_eq!(code(&output), 2, "{words:?}");
        assert!(stdout(&output).is_empty(), "{words:?}");
        assert!(stderr(&output).contains(part), "{words:?}: {}", stderr(&output));
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named_before_any_work() {
    let file = folder("run-unwritable").join("file");
    std::fs::write(&file, "").unwrap();
    let out = file.join("sub");
    let scene = "scenes/oscillator.toml";
    // an endless run would not come back
    let endless = ["run", scene, "--duration", "1e9", "--out", out.to_str().unwrap()];
    let output = run(&endless);
    assert_eq!(code(&output), 2);
    let text = stderr(&output);
    assert!(text.contains("cannot create the folder") && text.contains("--out DIR"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_named_with_the_cure() {
    use std::os::unix::fs::PermissionsExt;
    let out = folder("run-read-only");
    std::fs::set_permissions(&out, std::fs::Permissions::from_mode(0o555)).unwrap();
    // the superuser may write anywhere
    if std::fs::write(out.join("probe"), "").is_ok() {
        return;
    }
    let output = run(&["run", "scenes/oscillator.toml", "--out", out.to_str().unwrap()]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("check the name and that its folder is writable"));
}

#[test]
fn the_demonstration_runs_from_any_folder() {
    let place = folder("demo");
    let output = palpable().current_dir(&place).arg("demo").output().unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    assert_fits(&text);
    assert!(text.contains("palpable-out/demo/") && text.contains("The account closes"), "{text}");
    let out = place.join("palpable-out/demo");
    assert!(names(&out).contains(&"energy.png".to_owned()));
    assert!(read_mcap(out.join("run.mcap")).is_ok());
    let value = json(&palpable().current_dir(&place).args(["demo", "--json"]).output().unwrap());
    assert_eq!(value["scene"], "spring net");
}

/// Two runs at once in one folder: the second is refused, the first is whole.
#[cfg(unix)]
#[test]
fn a_second_run_in_the_same_folder_is_refused_and_spoils_nothing() {
    let out = folder("run-twice");
    let words = ["run", "scenes/demo.toml", "--duration", "1e6", "--json", "--out"];
    let mut first = palpable()
        .args(words)
        .arg(&out)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    while !std::fs::metadata(out.join("run.csv.part")).is_ok_and(|data| data.len() > 100_000) {
        assert!(first.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let second = palpable().args(["run", "scenes/oscillator.toml", "--out"]).arg(&out).output();
    let second = second.expect("the program starts");
    assert_eq!(code(&second), 2, "{}", stderr(&second));
    assert!(stderr(&second).contains("another run writes here"), "{}", stderr(&second));
    let id = first.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(first.wait_with_output().expect("output").status.code(), Some(130));
    let (csv, mcap) = (read_csv(out.join("run.csv")), read_mcap(out.join("run.mcap")));
    assert_eq!(csv.expect("CSV").len(), mcap.expect("MCAP").len());
}

#[test]
fn names_in_a_scene_do_not_speak_to_the_terminal() {
    let out = folder("run-names");
    let file = out.join("x.toml");
    let text = "version = 1\nscene = { name = \"a\\u001b]0;x\\u0007\\u001b[2J\" }\n\
                run = { duration = 0.01 }\n[[body]]\nname = \"b\"\nmass = 1\n\
                shape = { sphere = { radius = 0.1 } }\n";
    std::fs::write(&file, text).expect("a file");
    let output = run(&["run", file.to_str().expect("a path"), "--no-record", "--no-plots"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let said = stdout(&output) + &stderr(&output);
    assert!(!said.contains('\u{1b}') && said.contains("\\u{1b}]0;x"), "{said}");
}
