//! One frame of a figure and what is in it.

use crate::figure::{Axis, Color, Dash, HeatMap, Histogram, Line, Marker, Stack};

/// One frame: a y axis, series, reference lines and notes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    pub(crate) title: String,
    pub(crate) x: Option<Axis>,
    pub(crate) y: Axis,
    pub(crate) plots: Vec<Plot>,
    pub(crate) references: Vec<Reference>,
    pub(crate) notes: Vec<Note>,
}

/// One series of a panel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Plot {
    Line(Line),
    Stack(Stack),
    Histogram(Histogram),
    Heat(HeatMap),
}

/// A straight line across the frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reference {
    pub value: f64,
    pub label: String,
    pub upright: bool,
}

/// A short text at a place of the data.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Note {
    pub x: f64,
    pub y: f64,
    pub text: String,
}

impl Panel {
    /// An empty frame with this y axis.
    pub fn new(y: Axis) -> Self {
        Self { y, ..Self::default() }
    }

    /// Puts a title above the frame.
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Gives the panel an x axis of its own instead of the figure's.
    pub fn x(self, x: Axis) -> Self {
        Self { x: Some(x), ..self }
    }

    /// Adds a curve or a cloud of markers.
    pub fn line(mut self, line: Line) -> Self {
        self.plots.push(Plot::Line(line));
        self
    }

    /// Adds stacked areas; the y axis then holds zero.
    pub fn stack(mut self, stack: Stack) -> Self {
        self.y = self.y.include(0.0);
        self.plots.push(Plot::Stack(stack));
        self
    }

    /// Adds a histogram; the y axis then holds zero.
    pub fn histogram(mut self, histogram: Histogram) -> Self {
        self.y = self.y.include(0.0);
        self.plots.push(Plot::Histogram(histogram));
        self
    }

    /// Fills the frame with a heat map. The axes then number its cells, so other series and
    /// reference lines of the panel are not shown.
    pub fn heat(mut self, map: HeatMap) -> Self {
        self.plots.push(Plot::Heat(map));
        self
    }

    /// Adds a level line at `y`, in the y axis' unit, with a small label.
    pub fn hline(mut self, y: f64, label: impl Into<String>) -> Self {
        self.references.push(Reference { value: y, label: label.into(), upright: false });
        self
    }

    /// Adds an upright line at `x`, in the x axis' unit, with a small label.
    pub fn vline(mut self, x: f64, label: impl Into<String>) -> Self {
        self.references.push(Reference { value: x, label: label.into(), upright: true });
        self
    }

    /// Writes a note beside the place `(x, y)` of the data.
    pub fn note(mut self, x: f64, y: f64, text: impl Into<String>) -> Self {
        self.notes.push(Note { x, y, text: text.into() });
        self
    }

    /// The heat map that fills the panel, if any.
    pub(crate) fn heat_map(&self) -> Option<&HeatMap> {
        self.plots.iter().find_map(|plot| match plot {
            Plot::Heat(map) => Some(map),
            _ => None,
        })
    }

    /// The x values of every series.
    pub(crate) fn xs(&self) -> Vec<&[f64]> {
        let each = self.plots.iter().map(|plot| match plot {
            Plot::Line(line) => line.x.as_slice(),
            Plot::Stack(stack) => stack.x.as_slice(),
            Plot::Histogram(histogram) => histogram.edges.as_slice(),
            Plot::Heat(_) => &[],
        });
        each.collect()
    }

    /// Free share at both ends of the x axis: markers need room for their outer half.
    pub(crate) fn x_pad(&self) -> f64 {
        let marked = |plot: &Plot| matches!(plot, Plot::Line(line) if line.marker.is_some());
        if self.plots.iter().any(marked) { 0.03 } else { 0.0 }
    }

    /// Free share above and below: bars leave a line for the words of upright lines.
    pub(crate) fn y_pad(&self) -> f64 {
        let bars = self.plots.iter().any(|plot| matches!(plot, Plot::Histogram(_)));
        let words = self.references.iter().any(|reference| reference.upright);
        if bars && words { 0.12 } else { 0.05 }
    }

    /// The y values that every series reaches.
    pub(crate) fn ys(&self) -> Vec<Vec<f64>> {
        let mut all = Vec::new();
        for plot in &self.plots {
            match plot {
                Plot::Line(line) => all.push(line.y.clone()),
                Plot::Histogram(histogram) => all.push(histogram.counts.clone()),
                Plot::Stack(stack) => {
                    // zero heights are edges too, but say nothing on a logarithmic axis
                    let edges = stack.edges().into_iter();
                    all.push(edges.flat_map(|(low, high)| low.into_iter().chain(high)).collect());
                }
                Plot::Heat(_) => {}
            }
        }
        all
    }

    /// The legend's entries with the styles that the series are drawn in, in order.
    pub(crate) fn styles(&self) -> Vec<Style> {
        let (mut lines, mut areas, mut styles) = (0, 0, Vec::new());
        for plot in &self.plots {
            match plot {
                Plot::Line(line) => {
                    styles.push(Style::of_line(line, lines));
                    lines += 1;
                }
                Plot::Stack(stack) => {
                    for layer in &stack.layers {
                        let color = layer.color.unwrap_or(AREAS[areas % AREAS.len()]);
                        styles.push(Style::area(&layer.name, color));
                        areas += 1;
                    }
                }
                Plot::Histogram(histogram) => {
                    let color = histogram.color.unwrap_or(Color::of_series(areas));
                    styles.push(Style::area(&histogram.name, color));
                    areas += 1;
                }
                Plot::Heat(_) => {}
            }
        }
        styles
    }
}

/// Colours given to areas in turn: neighbours differ in brightness too.
const AREAS: [Color; 7] = [
    Color::BLUE,
    Color::ORANGE,
    Color::GREEN,
    Color::YELLOW,
    Color::PURPLE,
    Color::SKY,
    Color::VERMILION,
];

/// How a series looks, in the frame and in the legend.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Style {
    pub name: String,
    pub color: Color,
    pub dash: Dash,
    pub width: f64,
    pub marker: Option<Marker>,
    pub connected: bool,
    pub area: bool,
}

impl Style {
    fn of_line(line: &Line, index: usize) -> Self {
        Self {
            name: line.name.clone(),
            color: line.color.unwrap_or(Color::of_series(index)),
            dash: line.dash.unwrap_or(Dash::of_series(index)),
            width: line.width,
            marker: line.marker,
            connected: line.connected,
            area: false,
        }
    }

    fn area(name: &str, color: Color) -> Self {
        Self {
            name: name.to_string(),
            color,
            dash: Dash::Solid,
            width: 1.0,
            marker: None,
            connected: false,
            area: true,
        }
    }
}
