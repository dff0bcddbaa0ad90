//! Every input that was a defect once, and some hundreds made from each: no panic, nothing slow.

use palpable_fuzz::target::Target;
use palpable_fuzz::{Limits, campaign};
use std::time::Duration;

#[test]
fn what_was_a_defect_once_is_none_any_more() {
    // the long mode of scripts/check tries each target for a minute, with counters
    for target in Target::ALL {
        let seeds = target.seeds().len() as u64;
        assert!(seeds > 1, "{target:?} has seeds");
        let limits = Limits { runs: seeds + 300, time: Duration::from_secs(60) };
        let outcome = campaign(target, 1, limits);
        assert!(outcome.failure.is_none(), "{target:?}: {:?}", outcome.failure);
        assert!(outcome.runs >= seeds, "{target:?}: all seeds were tried");
    }
}
