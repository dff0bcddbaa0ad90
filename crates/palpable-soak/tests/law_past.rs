//! Worlds in which the soak once found a broken promise. Each was seen to fail before its cause was
//! mended.

use palpable_soak::check::finding::{KINDS, Kind};
use palpable_soak::generate::generate;
use palpable_soak::run::run;

/// Seeds, and what was wrong.
const PAST: [(u64, &str); 11] = [
    (120000984, "the tank kept what links had shown too much, and the gate had taken"),
    (120001742, "the same, of 2e-8 J"),
    (120002971, "a chain's lift that nobody paid hid behind friction"),
    (90000472, "the same under a press"),
    (80000612, "hard joints that say the same thing twice in one pose: a linear step lost 3 J"),
    (80000566, "the same among bodies, 2e10 J before the gate"),
    (170000486, "the same, where the first solve was just good enough"),
    (70000047, "stops that press harder than they move did work; the chain was held"),
    (120004643, "the same: held for 110 steps"),
    (80000455, "the same in a fast free pair: held, and its momentum gone"),
    (5000019872, "normals between sleepers came from the work space; a clone went another way"),
];

#[test]
fn what_was_mended_stays_mended() {
    for (seed, what) in PAST {
        let found = run(&generate(seed)).findings.found;
        let broken = KINDS.iter().filter(|(kind, _)| kind.is_grave() || *kind == Kind::Held);
        let names: Vec<_> =
            broken.filter(|(kind, _)| found.contains_key(kind)).map(|(_, name)| name).collect();
        assert!(names.is_empty(), "seed {seed}, {what}: {names:?}");
    }
}

/// Heavy bodies on light ones, 5 and 10 ms: one was pressed into the floor up to its centre.
const SUNK: [u64; 5] = [5000000438, 5000001611, 5000002067, 5000003066, 5000003168];

#[test]
fn heavy_bodies_press_no_light_one_into_the_floor() {
    for seed in SUNK {
        let found = run(&generate(seed)).findings.found;
        let sunk = found.get(&Kind::ThroughFloor);
        assert!(sunk.is_none(), "seed {seed}: {sunk:?}");
    }
}
