//! Panels with their ranges found, before anything has a place on the page.

use crate::figure::panel::{Panel, Style};
use crate::figure::range::{Span, span};
use crate::figure::ticks::{Ticks, caption, ticks};
use crate::figure::{Axis, Figure, HeatMap, Legend, Scale, number};

/// A panel with its ranges, styles and place in the grid.
pub(crate) struct Prepared<'a> {
    pub panel: &'a Panel,
    pub row: usize,
    pub column: usize,
    pub x_axis: Axis,
    pub x: Span,
    pub y: Span,
    pub styles: Vec<Style>,
    /// Whether the x axis is labelled at this panel.
    pub labelled: bool,
}

/// Finds the ranges of all panels.
pub(crate) fn prepare(figure: &Figure) -> Vec<Prepared<'_>> {
    let columns = figure.columns.max(1);
    let shared: Vec<Span> = (0..columns).map(|column| shared_span(figure, column)).collect();
    let each = figure.panels.iter().enumerate().map(|(index, panel)| {
        let (row, column) = (index / columns, index % columns);
        let own = panel.x.as_ref();
        let (x, y) = match panel.heat_map() {
            Some(map) => (cells(map.x.len()), cells(map.y.len())),
            None => {
                let ys = panel.ys();
                let ys: Vec<&[f64]> = ys.iter().map(Vec::as_slice).collect();
                let x = own.map_or(shared[column], |axis| span(axis, &panel.xs(), panel.x_pad()));
                (x, span(&panel.y, &ys, panel.y_pad()))
            }
        };
        let lower = figure.panels.iter().skip(index + columns).step_by(columns);
        let labelled = !shares(panel) || !lower.into_iter().any(shares);
        let x_axis = own.unwrap_or(&figure.x).clone();
        Prepared { panel, row, column, x_axis, x, y, styles: panel.styles(), labelled }
    });
    each.collect()
}

/// Whether a panel uses the figure's x axis.
fn shares(panel: &Panel) -> bool {
    panel.x.is_none() && panel.heat_map().is_none()
}

fn shared_span(figure: &Figure, column: usize) -> Span {
    let panels = figure.panels.iter().skip(column).step_by(figure.columns.max(1));
    let panels: Vec<&Panel> = panels.filter(|panel| shares(panel)).collect();
    let xs: Vec<&[f64]> = panels.iter().flat_map(|panel| panel.xs()).collect();
    span(&figure.x, &xs, panels.iter().map(|panel| panel.x_pad()).fold(0.0, f64::max))
}

/// A stretch that numbers cells from their left edges.
fn cells(count: usize) -> Span {
    Span { low: 0.0, high: count.max(1) as f64, scale: Scale::Linear }
}

impl Prepared<'_> {
    /// Marks of the x axis for a frame of this width \[pixel\].
    pub fn x_ticks(&self, width: f64, label_width: impl Fn(&str) -> f64) -> Ticks {
        if let Some(map) = self.panel.heat_map() {
            let widest = number::alike(&map.x).into_iter().map(|label| label_width(&label));
            let room = width / map.x.len().max(1) as f64;
            let stride = ((widest.fold(0.0, f64::max) + 6.0) / room).ceil().max(1.0);
            return cell_ticks(&self.x_axis, &map.x, stride as usize);
        }
        let mut count = (width / 70.0).clamp(2.0, 12.0);
        loop {
            let found = ticks(&self.x_axis, &self.x, count);
            let room = width / found.major.len().max(1) as f64;
            let widest = found.major.iter().map(|(_, label)| label_width(label));
            if count <= 2.0 || widest.fold(0.0, f64::max) + 14.0 < room {
                return found;
            }
            count = (count - 1.0).max(2.0);
        }
    }

    /// Marks of the y axis for a frame of this height \[pixel\].
    pub fn y_ticks(&self, height: f64) -> Ticks {
        if let Some(map) = self.panel.heat_map() {
            let room = height / map.y.len().max(1) as f64;
            return cell_ticks(&self.panel.y, &map.y, (14.0 / room).ceil().max(1.0) as usize);
        }
        ticks(&self.panel.y, &self.y, (height / 34.0).clamp(2.0, 9.0))
    }

    /// The series that appear in the legend: areas as they are stacked, the upper one first.
    pub fn legend(&self) -> Vec<&Style> {
        let named = |style: &&Style| !style.name.is_empty();
        let areas = self.styles.iter().filter(|style| style.area).rev();
        self.styles.iter().filter(|style| !style.area).chain(areas).filter(named).collect()
    }

    /// The legend's entries if they stand beside the panel.
    pub fn legend_right(&self, figure: &Figure) -> Vec<&Style> {
        if figure.legend == Legend::Right { self.legend() } else { Vec::new() }
    }

    /// The panel's heat map.
    pub fn heat(&self) -> Option<&HeatMap> {
        self.panel.heat_map()
    }
}

/// Marks at the middle of cells, every `stride`-th labelled.
fn cell_ticks(axis: &Axis, values: &[f64], stride: usize) -> Ticks {
    let labels = number::alike(values).into_iter().enumerate();
    let places = labels.map(|(index, label)| (index as f64 + 0.5, label));
    let major = places.step_by(stride.max(1)).collect();
    Ticks { major, minor: Vec::new(), caption: caption(&axis.label, &axis.unit) }
}
