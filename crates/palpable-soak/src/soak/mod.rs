//! Many worlds on all cores: hands out seeds, merges what comes back in the order of the seeds,
//! keeps the state and writes programs.

pub mod campaign;
pub mod files;
pub mod pool;
pub mod progress;
pub mod state;
pub mod table;
pub mod tally;
