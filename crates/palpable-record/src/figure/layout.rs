//! Where everything stands on the page.

use crate::canvas::{Rect, font};
use crate::figure::Figure;
use crate::figure::draw_heat::bar_room;
use crate::figure::legend;
use crate::figure::prepare::Prepared;

/// Text sizes [logical pixel].
pub(crate) const TITLE: f64 = 15.0;
pub(crate) const LABEL: f64 = 12.0;
pub(crate) const SMALL: f64 = 11.0;

/// Length of the marks outside the frame [logical pixel].
pub(crate) const MARK: f64 = 4.0;

/// Places of the parts of a figure.
pub(crate) struct Layout {
    /// The frame of each panel.
    pub frames: Vec<Rect>,
    /// Distance from a frame's left side to the middle of its y caption, by column.
    pub caption_gap: Vec<f64>,
    /// Upper edge of the legend below all panels.
    pub legend_top: f64,
}

/// Lays out the panels so that no text lies on another.
pub(crate) fn layout(figure: &Figure, panels: &[Prepared]) -> Layout {
    let (width, height) = figure.page();
    let columns = figure.columns.max(1);
    let rows = panels.len().div_ceil(columns).max(1);
    let top = if figure.title.is_empty() { 12.0 } else { 38.0 };
    let below = legend::height_below(figure, panels);
    let legend_top = height - below;
    let over: Vec<f64> = (0..rows).map(|row| room_over(panels, row)).collect();
    let under: Vec<f64> = (0..rows).map(|row| room_under(panels, row)).collect();
    let used: f64 = over.iter().sum::<f64>() + under.iter().sum::<f64>();
    let tall = ((legend_top - top - used) / rows as f64).max(20.0);
    let left: Vec<f64> = (0..columns).map(|column| room_left(panels, column, tall)).collect();
    let right: Vec<f64> = (0..columns).map(|column| room_right(figure, panels, column)).collect();
    let used: f64 = left.iter().sum::<f64>() + right.iter().sum::<f64>();
    let wide = ((width - used) / columns as f64).max(20.0);
    let start = |rooms: [&[f64]; 2], length: f64, index: usize| -> f64 {
        let before: f64 = rooms.iter().flat_map(|room| &room[..index]).sum();
        before + length * index as f64 + rooms[0][index]
    };
    let frames = panels.iter().map(|panel| {
        let x0 = start([&left, &right], wide, panel.column);
        let y0 = top + start([&over, &under], tall, panel.row);
        Rect { x0, y0, x1: x0 + wide, y1: y0 + tall }
    });
    let frames = frames.collect();
    let caption_gap = left.iter().map(|room| room - 13.0).collect();
    Layout { frames, caption_gap, legend_top }
}

/// Room above the frames of a row: half a tick label, and titles.
fn room_over(panels: &[Prepared], row: usize) -> f64 {
    let titled = panels.iter().any(|p| p.row == row && !p.panel.title.is_empty());
    if titled { 26.0 } else { 7.0 }
}

/// Room below the frames of a row: tick labels and captions, where there are any.
fn room_under(panels: &[Prepared], row: usize) -> f64 {
    let labelled = panels.iter().any(|p| p.row == row && p.labelled);
    if labelled { MARK + 42.0 } else { 9.0 }
}

/// Room left of the frames of a column: the widest tick label and the caption.
fn room_left(panels: &[Prepared], column: usize, tall: f64) -> f64 {
    let labels = panels.iter().filter(|p| p.column == column).flat_map(|p| p.y_ticks(tall).major);
    let widest = labels.map(|(_, label)| font::width(&label, SMALL)).fold(0.0, f64::max);
    widest.min(120.0) + MARK + 3.0 + 30.0
}

/// Room right of the frames of a column: legend, colour bar, or the end of a tick label.
fn room_right(figure: &Figure, panels: &[Prepared], column: usize) -> f64 {
    let (page, _) = figure.page();
    let each = panels.iter().filter(|p| p.column == column).map(|p| match p.heat() {
        Some(map) => bar_room(map),
        None => legend::width_right(&p.legend_right(figure), page),
    });
    each.fold(18.0, f64::max)
}
