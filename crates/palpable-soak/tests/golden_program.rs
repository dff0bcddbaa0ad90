//! A program that is written for a scene compiles, and its world goes the same way as the runner's.
//!
//! The committed text is compiled here. To write it anew:
//! `cargo test -p palpable-soak --test golden_program -- --ignored`.
#![allow(clippy::all, reason = "the text is made by a program")]

mod common;

use palpable_soak::program::scene_part;
// what a whole program carries with it
use palpable_soak::{change, check, drive, solids};

include!("golden/zoo.txt");

const GOLDEN: &str = include_str!("golden/zoo.txt");

fn written() -> String {
    scene_part(&common::zoo(), Kind::Panic)
}

#[test]
fn the_program_of_a_scene_is_the_committed_one() {
    assert!(written() == GOLDEN, "the text differs; see the head of this file");
}

#[test]
#[ignore = "writes the committed text"]
fn write_the_committed_text() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/zoo.txt");
    std::fs::write(path, written()).expect("the folder of golden texts");
}

#[test]
fn the_world_of_a_program_goes_the_same_way_as_that_of_the_runner() {
    let outcome = palpable_soak::run::run(&common::zoo());
    assert_eq!(outcome.refusal, None);
    assert_eq!((outcome.steps, outcome.touching > 0), (STEPS, true), "{:?}", outcome.findings);
    let (findings, hash) = run();
    assert_eq!(findings, outcome.findings);
    assert_eq!(hash, outcome.hash);
}

#[test]
fn the_assertion_of_a_program_holds_where_its_law_holds() {
    main();
}
