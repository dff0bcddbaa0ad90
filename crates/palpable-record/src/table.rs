//! A recording in memory, one vector per column.

use crate::{Column, RecordError, Sink};

/// Rows of `f64` with their time, stored by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
    time: Vec<f64>,
    values: Vec<Vec<f64>>,
}

impl Table {
    /// An empty table of these columns.
    pub fn new(columns: &[Column]) -> Self {
        let values = vec![Vec::new(); columns.len()];
        Self { columns: columns.to_vec(), time: Vec::new(), values }
    }

    /// Adds a row at `time` \[s\]; `values` must hold one value per column.
    pub fn push(&mut self, time: f64, values: &[f64]) -> Result<(), RecordError> {
        check_length(self.len() as u64, self.columns.len(), values.len())?;
        self.time.push(time);
        for (column, value) in self.values.iter_mut().zip(values) {
            column.push(*value);
        }
        Ok(())
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// The columns, in the order of a row's values.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Time of every row \[s\].
    pub fn time(&self) -> &[f64] {
        &self.time
    }

    /// Values of the column with this name, in the column's unit.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let index = self.columns.iter().position(|column| column.name == name)?;
        self.values.get(index).map(Vec::as_slice)
    }

    /// The columns of a group and their values.
    pub fn group<'a>(
        &'a self,
        group: &'a str,
    ) -> impl Iterator<Item = (&'a Column, &'a [f64])> + 'a {
        let pairs = self.columns.iter().zip(&self.values);
        pairs.filter(move |(column, _)| column.group == group).map(|(c, v)| (c, v.as_slice()))
    }

    /// Copies row `index` into `row`, replacing what it held, and returns its time \[s\].
    pub fn read_row(&self, index: usize, row: &mut Vec<f64>) -> Option<f64> {
        let time = *self.time.get(index)?;
        row.clear();
        row.extend(self.values.iter().filter_map(|column| column.get(index)));
        Some(time)
    }

    /// Plays the whole table into a sink, and finishes it.
    pub fn play(&self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        sink.begin(&self.columns)?;
        let mut row = Vec::with_capacity(self.columns.len());
        for index in 0..self.len() {
            if let Some(time) = self.read_row(index, &mut row) {
                sink.row(time, &row)?;
            }
        }
        sink.finish()
    }
}

impl Sink for Table {
    /// Starts over with these columns and no rows.
    fn begin(&mut self, columns: &[Column]) -> Result<(), RecordError> {
        *self = Self::new(columns);
        Ok(())
    }

    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), RecordError> {
        self.push(time, values)
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        Ok(())
    }
}

/// Refuses a row that does not match the columns.
pub(crate) fn check_length(row: u64, expected: usize, found: usize) -> Result<(), RecordError> {
    if expected == found { Ok(()) } else { Err(RecordError::RowLength { row, expected, found }) }
}
