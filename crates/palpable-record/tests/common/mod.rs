//! Folders and tables that the tests share.
#![allow(dead_code)] // no test file uses all of them

use palpable_record::{Column, Table};
use std::path::PathBuf;

/// An empty folder of the test's own.
pub fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("record").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

/// Columns of every kind of group, with awkward names.
pub fn columns() -> Vec<Column> {
    let mut columns = vec![Column::new("energy.kinetic", "J", "energy")];
    columns.extend(Column::pose("ball"));
    columns.push(Column::new("ball.vx", "m/s", "body/ball"));
    columns.push(Column::new("hand.force", "N", "port/hand"));
    columns.push(Column::new("odd, \"name\" [x]", "", "odd/group"));
    columns.push(Column::new("twin.x", "1/s²", "same"));
    columns.push(Column::new("other.x", "", "same"));
    columns
}

/// A table with values from all corners of `f64`.
pub fn table() -> Table {
    let corners = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1 + 0.2,
        f64::MIN_POSITIVE,
        f64::from_bits(1),
        -f64::from_bits(0x000f_ffff_ffff_ffff),
        f64::MAX,
        f64::MIN,
        f64::EPSILON,
        1.0 / 3.0,
        1e22,
        123_456_789.123_456_78,
        f64::INFINITY,
        f64::NEG_INFINITY,
        6.02214076e23,
    ];
    let columns = columns();
    let mut table = Table::new(&columns);
    for row in 0..40usize {
        let values: Vec<f64> =
            (0..columns.len()).map(|c| corners[(7 * row + 3 * c) % corners.len()]).collect();
        table.push(row as f64 * 0.001 + 1e-17, &values).expect("one value per column");
    }
    table
}

/// Every number of a table as bits, time first.
pub fn bits(table: &Table) -> Vec<Vec<u64>> {
    let mut row = Vec::new();
    let each = (0..table.len()).map(|index| {
        let time = table.read_row(index, &mut row).expect("the row exists");
        std::iter::once(time).chain(row.iter().copied()).map(f64::to_bits).collect()
    });
    each.collect()
}
