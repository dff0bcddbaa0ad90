//! Where the energy of a run is and went: areas that fill up to what was put in.

use super::simulate::Run;
use palpable_record::Table;
use palpable_record::figure::{Axis, Color, Dash, Figure, Line, Panel, Stack};
use palpable_studio::looks::{ACCOUNTS, VISIBLE, legend};

/// Parts of the time for each of which the largest defect is shown.
const PARTS: usize = 200;
/// Energy that grew by more than this factor over what was put in is shown on a logarithmic axis.
const RUNAWAY: f64 = 30.0;

/// Stacked energies above, the defect of each step below.
pub fn energy(run: &Run) -> Figure {
    let table = run.history.energy();
    let initial = run.world.ledger().initial().total() - gravity_base(&table);
    let entered = column(&table, "supplied").iter().zip(column(&table, "created"));
    let put_in: Vec<f64> = entered.map(|(s, c)| initial + s + c).collect();
    let layers: Vec<(&str, Color, Vec<f64>)> = ACCOUNTS
        .iter()
        .map(|(name, color)| (*name, *color, values(&table, name)))
        .filter(|(_, _, values)| most(values) > VISIBLE * most(&put_in))
        .collect();
    let mut figure = Figure::new(format!("{}: energy", run.built.name), Axis::new("time", "s"));
    figure = figure.panel(if ran_away(&layers, &put_in) {
        lines(&table, &layers, &put_in)
    } else {
        stack(&table, &layers, &put_in)
    });
    let (time, defect) = worst(table.time(), column(&table, "defect"));
    if most(&defect) > 0.0 {
        let panel = Panel::new(Axis::new("largest defect / energy", "").log());
        figure = figure.panel(panel.line(Line::new("", &time, &defect).color(Color::BLACK)));
    }
    figure
}

/// The largest value of each of [`PARTS`] equal parts of the time, as stairs.
fn worst(time: &[f64], values: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (Some(first), Some(last)) = (time.first(), time.last()) else { return Default::default() };
    let width = (last - first) / PARTS as f64;
    let mut largest = [0.0f64; PARTS];
    for (t, value) in time.iter().zip(values) {
        let part = ((t - first) / width) as usize;
        largest[part.min(PARTS - 1)] = largest[part.min(PARTS - 1)].max(*value);
    }
    let stairs = largest.iter().enumerate().filter(|(_, value)| **value > 0.0);
    stairs
        .flat_map(|(part, value)| [part, part + 1].map(|p| (first + width * p as f64, *value)))
        .unzip()
}

/// The largest of the values, at least 0.
fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn column<'a>(table: &'a Table, name: &str) -> &'a [f64] {
    table.column(name).unwrap_or_default()
}

/// Lowest level of gravity's energy: it counts from there, so that no area is below zero.
fn gravity_base(table: &Table) -> f64 {
    let lowest = column(table, "gravity").iter().copied().fold(f64::INFINITY, f64::min);
    if lowest.is_finite() { lowest } else { 0.0 }
}

fn values(table: &Table, name: &str) -> Vec<f64> {
    let base = if name == "gravity" { gravity_base(table) } else { 0.0 };
    column(table, name).iter().map(|value| value - base).collect()
}

fn stack(table: &Table, layers: &[(&str, Color, Vec<f64>)], put_in: &[f64]) -> Panel {
    let mut stack = Stack::new(table.time());
    for (name, color, values) in layers {
        stack = stack.layer(legend(name), values).color(*color);
    }
    let put_in = Line::new("put in", table.time(), put_in).color(Color::BLACK).dash(Dash::Dashed);
    Panel::new(Axis::new("energy", "J")).stack(stack).line(put_in)
}

fn lines(table: &Table, layers: &[(&str, Color, Vec<f64>)], put_in: &[f64]) -> Panel {
    let mut panel = Panel::new(Axis::new("energy", "J").log());
    for (name, color, values) in layers {
        panel = panel.line(Line::new(legend(name), table.time(), values).color(*color));
    }
    let put_in = Line::new("put in", table.time(), put_in).color(Color::BLACK).dash(Dash::Dashed);
    panel.line(put_in)
}

/// True for a scheme that created much more energy than was put in.
fn ran_away(layers: &[(&str, Color, Vec<f64>)], put_in: &[f64]) -> bool {
    let stored = layers.iter().map(|(_, _, values)| most(values)).fold(0.0, f64::max);
    stored > RUNAWAY * most(put_in)
}
