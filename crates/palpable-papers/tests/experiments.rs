//! Every experiment runs, leaves whole files and passes its checks.

use palpable_papers::{Experiment, Outcome, PaperError, all, find, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let unique = format!("palpable-papers-{name}-{}", std::process::id());
        Self(std::env::temp_dir().join(unique))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn check_files(experiment: &Experiment, outcome: &Outcome, folder: &Folder) {
    let id = experiment.id;
    for ending in ["png", "svg", "csv"] {
        let path = folder.0.join(format!("{id}.{ending}"));
        assert!(outcome.files.contains(&path), "{id}: {:?}", outcome.files);
    }
    for path in &outcome.files {
        let bytes = fs::read(path).expect("a file that was announced");
        // a table may have few rows
        let (begin, least): (&[u8], usize) = match path.extension().and_then(|e| e.to_str()) {
            Some("png") => (b"\x89PNG", 500),
            Some("svg") => (b"<", 500),
            _ => (b"", 100),
        };
        assert!(bytes.len() > least && bytes.starts_with(begin), "{}", path.display());
    }
}

#[test]
fn every_experiment_passes_its_checks_and_leaves_its_files() {
    let folder = Folder::new("all");
    for experiment in all() {
        let mut shares = Vec::new();
        let outcome = run(experiment, &folder.0, &mut |share| shares.push(share)).expect("a run");
        assert_eq!(outcome.id, experiment.id);
        assert!(outcome.checks.len() >= 4, "{}: too few checks", experiment.id);
        for check in &outcome.checks {
            assert!(check.pass, "{}: {check}", experiment.id);
            assert!(check.value.is_finite(), "{}: {check}", experiment.id);
        }
        assert!(outcome.passed());
        check_files(experiment, &outcome, &folder);
        let rising = shares.windows(2).all(|pair| pair[0] <= pair[1]);
        assert!(rising && shares.first() == Some(&0.0) && shares.last() == Some(&1.0));
    }
    let parts = walk(&folder.0).into_iter().filter(|path| path.to_string_lossy().ends_with("part"));
    assert_eq!(parts.count(), 0);
}

fn walk(folder: &PathBuf) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("entry").path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn a_table_over_time_reads_back_as_a_recording() {
    let folder = Folder::new("table");
    let experiment = find("kim2017/fig1").expect("a known id")[0];
    run(experiment, &folder.0, &mut |_| {}).expect("a run");
    let table = palpable_record::read_csv(folder.0.join("kim2017/fig1.csv")).expect("a table");
    assert_eq!(table.len(), 1001);
    let ratio = table.column("passive_midpoint.E/E0").expect("a column");
    assert!(ratio.iter().all(|ratio| (ratio - 1.0).abs() <= 1e-12));
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let (one, two) = (Folder::new("one"), Folder::new("two"));
    let experiment = find("lee2008/fig4").expect("a known id")[0];
    let first = run(experiment, &one.0, &mut |_| {}).expect("a run");
    let second = run(experiment, &two.0, &mut |_| {}).expect("a run");
    for (a, b) in first.files.iter().zip(&second.files) {
        assert_eq!(fs::read(a).expect("a file"), fs::read(b).expect("a file"));
    }
}

#[test]
fn ids_are_unique_and_well_formed() {
    let ids: BTreeSet<&str> = all().iter().map(|experiment| experiment.id).collect();
    assert_eq!(ids.len(), all().len());
    for experiment in all() {
        let (paper, figure) = experiment.id.split_once('/').expect("paper/figure");
        assert_eq!(paper, experiment.paper.to_lowercase());
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
        assert!(!figure.is_empty() && figure.chars().all(allowed), "{}", experiment.id);
        assert!(!experiment.title.is_empty() && !experiment.shows.is_empty());
    }
}

#[test]
fn a_pattern_finds_one_experiment_one_paper_or_all() {
    let ids = |pattern: &str| -> Vec<&str> {
        find(pattern).expect("a known pattern").iter().map(|experiment| experiment.id).collect()
    };
    assert_eq!(ids("kim2017/fig3"), ["kim2017/fig3"]);
    assert_eq!(ids(" Kim2017/FIG3 "), ["kim2017/fig3"]);
    assert_eq!(ids("lee2008"), ["lee2008/fig2", "lee2008/fig4", "lee2008/fig6"]);
    assert_eq!(ids("lee2008/"), ids("lee2008"));
    assert_eq!(ids("").len(), all().len());
}

#[test]
fn an_unknown_pattern_is_answered_with_near_ones() {
    let near = |pattern: &str| match find(pattern) {
        Err(PaperError::Unknown { near, papers, .. }) => {
            assert_eq!(
                papers,
                ["kim2017", "lee2008", "brown1998", "hasegawa2004", "constantinescu2005"]
            );
            near
        }
        other => panic!("{pattern}: {other:?}"),
    };
    assert_eq!(near("kim2017/fig4")[0], "kim2017/fig1");
    assert_eq!(near("kim207"), ["kim2017"]);
    assert!(near("so3-offaxis").contains(&"kim2017/so3-off-axis"));
    assert!(near("brown1998/fig7.9").iter().any(|id| id.starts_with("brown1998/fig7.")));
    assert!(near("zebra").is_empty());
    let message = find("zebra").expect_err("unknown").to_string();
    assert!(message.contains("zebra") && message.contains("kim2017"), "{message}");
    let message = find("kim2017/fig4").expect_err("unknown").to_string();
    assert!(message.contains("did you mean kim2017/fig1"), "{message}");
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_that_names_it() {
    let folder = Folder::new("blocked");
    fs::create_dir_all(&folder.0).expect("a folder");
    fs::write(folder.0.join("kim2017"), "in the way").expect("a file");
    let experiment = find("kim2017/fig2").expect("a known id")[0];
    let message = run(experiment, &folder.0, &mut |_| {}).expect_err("no folder").to_string();
    assert!(message.contains("kim2017"), "{message}");
}
