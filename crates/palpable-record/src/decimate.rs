//! Keeping a long run small without losing its extremes.

use crate::table::check_length;
use crate::{Column, RecordError, Sink, Table};

/// A sink that keeps a bounded number of rows, spread evenly over the run.
///
/// # Guarantee
/// The first and the last row are kept, and for every column the rows of its lowest and highest
/// value, of the whole run and of each of the equal parts that the run is divided into; so are
/// rows with values that are not numbers, one per part and column. Kept rows are whole and
/// unchanged, so columns still fit together.
///
/// # Cost
/// O(columns) per row on average. Memory for `max_rows` rows, however long the run.
pub struct Decimator {
    columns: Vec<Column>,
    max_rows: usize,
    seen: u64,
    rows: Vec<Row>,
}

struct Row {
    index: u64,
    time: f64,
    values: Box<[f64]>,
}

impl Decimator {
    /// Keeps at most about `max_rows` rows; never less than eight per column.
    pub fn new(max_rows: usize) -> Self {
        Self { columns: Vec::new(), max_rows, seen: 0, rows: Vec::new() }
    }

    /// Number of rows that were given.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The rows that were kept.
    pub fn table(&self) -> Table {
        let mut table = Table::new(&self.columns);
        for row in &self.rows {
            // kept rows have one value per column
            let _ = table.push(row.time, &row.values);
        }
        table
    }

    fn limit(&self) -> usize {
        self.max_rows.max(8 * (self.columns.len() + 1))
    }

    /// Halves the rows: keeps the extremes of equal parts of the run. The newest row comes after.
    fn reduce(&mut self) {
        // each part keeps its first row, and per column up to three: low, high, not a number
        let parts = (self.limit() / 2 / (3 * self.columns.len() + 1)).max(1) as u64;
        // lengths are powers of two, so that earlier parts lie whole within later ones
        let halvings = (0..63).find(|shift| self.seen >> shift < parts).unwrap_or(63);
        let part = |row: &Row| row.index >> halvings;
        let mut kept = vec![false; self.rows.len()];
        let mut start = 0;
        for run in self.rows.chunk_by(|a, b| part(a) == part(b)) {
            kept[start] = true;
            for column in 0..self.columns.len() {
                for index in extremes(run, column).into_iter().flatten() {
                    kept[start + index] = true;
                }
            }
            start += run.len();
        }
        let mut kept = kept.into_iter();
        self.rows.retain(|_| kept.next().unwrap_or(true));
    }
}

/// The rows with the lowest and the highest value of a column, and the first without a number.
fn extremes(run: &[Row], column: usize) -> [Option<usize>; 3] {
    let value = |index: &usize| run[*index].values[column];
    let numbers = || (0..run.len()).filter(|index| !value(index).is_nan());
    [
        numbers().min_by(|a, b| value(a).total_cmp(&value(b))),
        numbers().max_by(|a, b| value(a).total_cmp(&value(b))),
        (0..run.len()).find(|index| value(index).is_nan()),
    ]
}

impl Sink for Decimator {
    /// Starts over with these columns and no rows.
    fn begin(&mut self, columns: &[Column]) -> Result<(), RecordError> {
        (self.columns, self.seen) = (columns.to_vec(), 0);
        self.rows.clear();
        Ok(())
    }

    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), RecordError> {
        check_length(self.seen, self.columns.len(), values.len())?;
        if self.rows.len() >= self.limit() {
            self.reduce();
        }
        self.rows.push(Row { index: self.seen, time, values: values.into() });
        self.seen += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        Ok(())
    }
}
