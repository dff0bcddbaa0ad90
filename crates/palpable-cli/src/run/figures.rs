//! The plots of a run: energies, positions, rotations, port forces, step times.

use super::figure_energy;
use super::simulate::Run;
use crate::failure::Failure;
use palpable_record::Table;
use palpable_record::figure::{Axis, Figure, Histogram, Legend, Line, Panel};
use std::path::{Path, PathBuf};

/// Curves in one panel; more cannot be told apart.
const CURVES: usize = 6;
/// Curves of angular velocities, which cross each other more.
const SPINS: usize = 3;
/// Ports in one figure.
const PORTS: usize = 4;

/// Draws what there is to draw as PNG and SVG, and returns the names.
///
/// # Errors
/// Files that cannot be written.
pub fn draw(run: &Run, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let bodies = run.history.bodies();
    let name = &run.built.name;
    let figures = [
        ("energy", Some(figure_energy::energy(run))),
        (
            "positions",
            motion(&bodies, CURVES, &["x", "y", "z"], &format!("{name}: positions"), "m"),
        ),
        (
            "rotations",
            motion(
                &bodies,
                SPINS,
                &["wx", "wy", "wz"],
                &format!("{name}: angular velocities"),
                "rad/s",
            ),
        ),
        ("forces", forces(&run.history.ports(), name)),
        ("step-times", Some(step_times(run))),
    ];
    let mut files = Vec::new();
    for (stem, figure) in figures {
        if let Some(figure) = figure {
            files.extend(figure.write_both(folder.join(stem))?);
        }
    }
    Ok(files)
}

/// How far a column moves; 0 for nothing.
fn extent(table: &Table, column: &str) -> f64 {
    let values = table.column(column).unwrap_or_default();
    let (low, high) = values
        .iter()
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(*v), high.max(*v)));
    (high - low).max(0.0)
}

/// The parts whose columns move most, in their old order.
fn liveliest<'a>(
    parts: &'a [(String, Table)],
    columns: &[&str],
    most: usize,
) -> Vec<&'a (String, Table)> {
    let moves = |part: &(String, Table)| {
        columns.iter().map(|column| extent(&part.1, column)).fold(0.0, f64::max)
    };
    let mut order: Vec<(usize, f64)> =
        parts.iter().map(moves).enumerate().filter(|(_, size)| *size > 0.0).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order.truncate(most);
    order.sort_by_key(|(index, _)| *index);
    order.into_iter().map(|(index, _)| &parts[index]).collect()
}

/// One panel per axis along which something moves; none if nothing does.
fn motion(
    parts: &[(String, Table)],
    curves: usize,
    columns: &[&str],
    title: &str,
    unit: &str,
) -> Option<Figure> {
    let shown = liveliest(parts, columns, curves);
    let span = |column: &&str| shown.iter().map(|part| extent(&part.1, column)).fold(0.0, f64::max);
    let largest = columns.iter().map(span).fold(0.0, f64::max);
    // round-off along an axis is no motion
    let lively: Vec<&&str> = columns.iter().filter(|c| span(c) > 1e-9 * largest).collect();
    if lively.is_empty() {
        return None;
    }
    let mut title = title.to_owned();
    if shown.len() < parts.len() {
        title.push_str(&format!(" ({} of {} bodies)", shown.len(), parts.len()));
    }
    let mut figure = Figure::new(title, Axis::new("time", "s")).legend(Legend::Below);
    for column in lively {
        let label = column.replace('w', "ω").replace("ωx", "ω₁");
        let label = label.replace("ωy", "ω₂").replace("ωz", "ω₃");
        let mut panel = Panel::new(Axis::new(label, unit));
        for (name, table) in &shown {
            let values = table.column(column).unwrap_or_default();
            panel = panel.line(Line::new(name, table.time(), values));
        }
        figure = figure.panel(panel);
    }
    Some(figure)
}

/// Forces, and torques where there are any, port by port.
fn forces(ports: &[(String, Table)], name: &str) -> Option<Figure> {
    let kinds = [("force", "N", ["fx", "fy", "fz"]), ("torque", "N·m", ["tx", "ty", "tz"])];
    let all: Vec<&str> = kinds.iter().flat_map(|(_, _, columns)| *columns).collect();
    let shown = liveliest(ports, &all, PORTS);
    // a constant force does not move, and is worth seeing all the same
    let shown = if shown.is_empty() { ports.iter().take(PORTS).collect() } else { shown };
    let mut figure = Figure::new(format!("{name}: ports"), Axis::new("time", "s"));
    let mut panels = 0;
    for (port, table) in shown {
        for (kind, unit, columns) in kinds {
            let acts = |column: &&str| {
                table.column(column).unwrap_or_default().iter().any(|value| *value != 0.0)
            };
            let acting: Vec<&str> = columns.into_iter().filter(acts).collect();
            if acting.is_empty() {
                continue;
            }
            let mut panel = Panel::new(Axis::new(format!("{kind} at {port}"), unit));
            for column in acting {
                let axis = column.trim_start_matches(['f', 't']);
                let values = table.column(column).unwrap_or_default();
                panel = panel.line(Line::new(axis, table.time(), values));
            }
            panels += 1;
            figure = figure.panel(panel);
        }
    }
    (panels > 0).then_some(figure)
}

fn step_times(run: &Run) -> Figure {
    let (edges, counts) = run.times.bars(60);
    // microseconds, as in the summary
    let edges: Vec<f64> = edges.iter().map(|edge| 1e6 * edge).collect();
    let at = |share: f64| 1e-3 * run.times.quantile(share);
    let axis = Axis::new("time of one step", "µs").log();
    Figure::new(format!("{}: step times", run.built.name), axis).panel(
        Panel::new(Axis::new("steps", ""))
            .histogram(Histogram::from_counts("", &edges, &counts))
            .vline(at(0.5), "median")
            .vline(at(0.99), "p99")
            .vline(at(0.999), "p99.9"),
    )
}
