//! How long the steps are.

use crate::dimension::Duration;
use crate::place::At;
use crate::quantity::Quantity;
use crate::read::document;

document! {
    /// How long the steps are: always the same, random, or from a list; 1 ms unless given.
    struct Step {
        required {}
        optional {
            /// Length of every step [s].
            length: Quantity<Duration>,
            /// Random lengths.
            random: Random,
            /// Lengths from a list, over and over.
            table: StepTable,
        }
    }
}

document! {
    /// Lengths drawn evenly from a range, the same ones on every run.
    struct Random {
        required {
            /// Shortest step [s].
            min: Quantity<Duration>,
            /// Longest step [s].
            max: Quantity<Duration>,
        }
        optional {
            /// Which random numbers; 1 unless given.
            seed: u64,
        }
    }
}

document! {
    /// Lengths from a list or a CSV file with a column `length`, over and over.
    struct StepTable {
        required {}
        optional {
            /// Lengths [s].
            lengths: Vec<At<Quantity<Duration>>>,
            /// A CSV file with a column `length` [s], relative to the scene file.
            file: String,
        }
    }
}
