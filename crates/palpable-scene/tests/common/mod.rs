//! What several tests need.

use proptest::prelude::ProptestConfig;

/// So many cases, or as many as `PROPTEST_CASES` says.
pub fn cases(number: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let is_set = std::env::var_os("PROPTEST_CASES").is_some();
    let cases = if is_set { default.cases } else { number };
    ProptestConfig { cases, failure_persistence: None, ..default }
}
