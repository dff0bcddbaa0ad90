//! How long the steps are.

use super::Assembly;
use crate::document::{Random, Step, StepTable};
use crate::place::{At, Place};
use crate::steps::Steps;

/// Length of a step unless given [s].
const LENGTH: f64 = 1e-3;
/// Shortest step [s].
const SHORTEST: f64 = 1e-9;

impl Assembly<'_> {
    /// The step policy; `None` if something is wrong with it, which is noted.
    pub(super) fn steps(&mut self) -> Option<Steps> {
        let Some(step) = self.document.step.get() else { return Some(Steps::fixed(LENGTH)) };
        let Step { length, random, table } = &step.value;
        match (length.get(), random.get(), table.get()) {
            (Some(length), None, None) => {
                self.check_length(length.0, &length.place).map(Steps::fixed)
            }
            (None, Some(random), None) => self.random_steps(random),
            (None, None, Some(table)) => self.step_table(table),
            (None, None, None) => Some(Steps::fixed(LENGTH)),
            _ => {
                let message = "more than one of length, random and table";
                self.mistakes.add(&step.place, message, "keep one of them");
                None
            }
        }
    }

    /// A step so short that no run would ever end is a mistake.
    fn check_length(&mut self, length: f64, at: &Place) -> Option<f64> {
        if length < SHORTEST {
            let message = format!("a step of {length} s is shorter than 1 ns");
            self.mistakes.add(at, message, "give 1 ns or more; 1 ms is usual");
            return None;
        }
        Some(length)
    }

    fn random_steps(&mut self, random: &At<Random>) -> Option<Steps> {
        let (min, max) = (random.min.get()?, random.max.get()?);
        self.check_length(min.0, &min.place)?;
        if min.0 > max.0 {
            let message = format!("the shortest step, {} s, is longer than the longest", min.0);
            self.mistakes.add(&min.place, message, "exchange `min` and `max`");
            return None;
        }
        Some(Steps::random(min.0, max.0, random.seed.or(1)))
    }

    fn step_table(&mut self, table: &At<StepTable>) -> Option<Steps> {
        let lengths = match (table.lengths.get(), table.file.get()) {
            (Some(lengths), None) => {
                let lengths: Vec<f64> = lengths.value.iter().map(|l| l.0).collect();
                let shortest = lengths.iter().copied().fold(f64::INFINITY, f64::min);
                self.check_length(shortest, &table.place)?;
                lengths
            }
            (None, Some(file)) => self.step_file(file)?,
            _ => {
                let message = "a table of steps needs either `lengths` or `file`";
                let cure = "give one of them, such as lengths = [\"1 ms\", \"2 ms\"]";
                self.mistakes.add(&table.place, message, cure);
                return None;
            }
        };
        self.listed(lengths, &table.place)
    }

    fn step_file(&mut self, file: &At<String>) -> Option<Vec<f64>> {
        let csv = self.read_csv(file)?;
        let rows = csv.columns(&["length"], &file.place, &mut self.mistakes)?;
        for row in rows.iter().filter(|r| !(r.values[0] >= SHORTEST)) {
            let message = format!("a step of {} s", row.values[0]);
            let cure = "give lengths of 1 ns or more";
            let at = file.place.renamed("length");
            csv.note(row.line, &at, message, cure, &mut self.mistakes);
        }
        Some(rows.iter().map(|r| r.values[0]).collect())
    }

    fn listed(&mut self, lengths: Vec<f64>, at: &Place) -> Option<Steps> {
        let steps = Steps::listed(lengths);
        if steps.is_none() {
            self.mistakes.add(at, "there are no step lengths", "give at least one");
        }
        steps
    }
}
