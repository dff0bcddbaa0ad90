//! A soak gives the same counts for any number of threads, and goes on where it ended.

use palpable_soak::scene::Profile;
use palpable_soak::soak::campaign::{Goal, Plan, soak};
use palpable_soak::soak::state::State;
use palpable_soak::soak::table::table;
use std::fs;
use std::path::PathBuf;

fn plan(steps: u64, threads: usize) -> Plan {
    Plan { goal: Goal::Steps(steps), from: Some(40), only: None, out: None, threads }
}

/// The counts without what a clock said.
fn timeless(mut state: State) -> State {
    state.seconds = 0.0;
    for worlds in state.tally.profiles.values_mut() {
        (worlds.slowest, worlds.slowest_seed) = (0.0, 0);
    }
    state
}

fn soaked(plan: &Plan) -> State {
    timeless(soak(plan, || false).expect("a soak"))
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let alone = soaked(&plan(800, 1));
    assert!(alone.tally.total().steps >= 800);
    assert_eq!(soaked(&plan(800, 3)), alone);
}

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path).expect("a folder of an earlier run");
    }
    path
}

#[test]
fn a_second_call_goes_on_where_the_first_one_ended() {
    let out = folder("goes_on");
    let moderate = Some(Profile::Moderate);
    let first = Plan { out: Some(out.clone()), only: moderate, ..plan(400, 2) };
    let one = soaked(&first);
    let two = soaked(&Plan { from: None, ..first.clone() });
    assert_eq!(two.from, 40);
    assert!(two.next > one.next);
    let once = soaked(&Plan { out: None, ..first.clone() });
    assert_eq!(State { listed: 0, ..one }, once);
    let text = fs::read_to_string(out.join("state.txt")).expect("a state");
    assert_eq!(timeless(State::from_text(&text).expect("a whole state")), two);
    assert!(soak(&Plan { from: Some(41), ..first }, || false).is_err());
}

#[test]
fn a_soak_that_is_stopped_leaves_a_whole_state() {
    let out = folder("stopped");
    let endless = Plan { goal: Goal::Minutes(60.0), out: Some(out.clone()), ..plan(0, 2) };
    let state = timeless(soak(&endless, || true).expect("a soak"));
    let text = fs::read_to_string(out.join("state.txt")).expect("a state");
    assert_eq!(timeless(State::from_text(&text).expect("a whole state")), state);
    let left = fs::read_dir(&out).expect("the folder").flatten();
    assert!(left.into_iter().all(|file| file.path().extension().is_none_or(|e| e != "tmp")));
}

#[test]
fn tables_fit_on_eighty_columns() {
    let state = soaked(&plan(800, 2));
    for line in table(&state.tally).lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}
