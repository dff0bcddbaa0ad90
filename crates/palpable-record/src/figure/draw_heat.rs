//! Drawing the cells of a heat map and its colour bar.

use crate::canvas::{Anchor, Drawing, Rect, font, pt};
use crate::figure::layout::{LABEL, MARK, SMALL};
use crate::figure::range::{Span, scaled, span};
use crate::figure::style::{diverging, viridis};
use crate::figure::ticks::{Ticks, ticks};
use crate::figure::{Axis, Color, ColorMap, HeatMap, Range, Scale, number};

const BAR_GAP: f64 = 16.0;
const BAR_WIDTH: f64 = 14.0;
const NOT_A_NUMBER: Color = Color::new(0xc8, 0xc8, 0xc8);

fn axis(map: &HeatMap) -> Axis {
    let range = map.range.map_or(Range::Auto, |(low, high)| Range::Fixed(low, high));
    let axis = Axis::new(map.label.as_str(), map.unit.as_str()).range(range);
    if map.scale == Scale::Log { axis.log() } else { axis }
}

fn bar_span(map: &HeatMap) -> Span {
    let found = span(&axis(map), &[&map.values], 0.0);
    match map.map {
        ColorMap::Viridis => found,
        ColorMap::Diverging { center } => {
            // both sides reach equally far
            let center = scaled(center, map.scale);
            if !center.is_finite() {
                return found;
            }
            let reach = (found.high - center).abs().max((found.low - center).abs());
            Span { low: center - reach, high: center + reach, ..found }
        }
    }
}

fn color(map: &HeatMap, share: f64) -> Color {
    match map.map {
        _ if share.is_nan() => NOT_A_NUMBER,
        ColorMap::Viridis => viridis(share),
        ColorMap::Diverging { .. } => diverging(2.0 * share - 1.0),
    }
}

/// The colour of a value.
fn cell_color(map: &HeatMap, span: &Span, value: f64) -> Color {
    let below = map.scale == Scale::Log && value <= 0.0;
    color(map, if below { 0.0 } else { span.share(value) })
}

/// Draws the cells into a frame.
pub(crate) fn cells(drawing: &mut Drawing, frame: &Rect, map: &HeatMap) {
    let span = bar_span(map);
    let (wide, tall) = (map.x.len().max(1) as f64, map.y.len().max(1) as f64);
    let (wide, tall) = (frame.width() / wide, frame.height() / tall);
    for j in 0..map.y.len() {
        for i in 0..map.x.len() {
            let (x0, y1) = (frame.x0 + wide * i as f64, frame.y1 - tall * j as f64);
            let cell = Rect { x0, y0: y1 - tall, x1: x0 + wide, y1 };
            let value = map.value(i, j);
            let color = cell_color(map, &span, value);
            // a hair of overlap closes the seams between cells
            drawing.fill(cell.grown(0.15).corners().to_vec(), color);
            let text = number::short(value, 2);
            let fits = font::width(&text, SMALL) + 4.0 < wide && tall > 13.0;
            if map.texts && fits {
                let ink = if color.is_dark() { Color::WHITE } else { Color::BLACK };
                drawing.text(&text, cell.center(), SMALL, ink, Anchor::Middle);
            }
        }
    }
}

fn bar_ticks(map: &HeatMap, height: f64) -> Ticks {
    ticks(&axis(map), &bar_span(map), (height / 40.0).clamp(2.0, 8.0))
}

fn widest(ticks: &Ticks) -> f64 {
    ticks.major.iter().map(|(_, label)| font::width(label, SMALL)).fold(0.0, f64::max).min(120.0)
}

/// Room that the colour bar takes right of the frame.
pub(crate) fn bar_room(map: &HeatMap) -> f64 {
    let labels = widest(&bar_ticks(map, 300.0)).max(widest(&bar_ticks(map, 80.0)));
    BAR_GAP + BAR_WIDTH + MARK + 3.0 + labels + 26.0
}

/// Draws the colour bar beside a frame.
pub(crate) fn bar(drawing: &mut Drawing, frame: &Rect, map: &HeatMap) {
    let span = bar_span(map);
    let x0 = frame.x1 + BAR_GAP;
    let bar = Rect { x0, x1: x0 + BAR_WIDTH, ..*frame };
    for step in 0..128 {
        // each colour reaches to the top, the next one covers it: no seams
        let y1 = bar.y1 - f64::from(step) / 128.0 * bar.height();
        let share = (f64::from(step) + 0.5) / 128.0;
        drawing.fill(Rect { y1, ..bar }.corners().to_vec(), color(map, share));
    }
    drawing.frame(&bar, Color::FRAME, 0.8);
    let ticks = bar_ticks(map, frame.height());
    for (value, label) in &ticks.major {
        let y = bar.y1 - span.share(*value) * bar.height();
        drawing.segment(pt(bar.x1, y), pt(bar.x1 + MARK, y), Color::FRAME, 0.8);
        let at = pt(bar.x1 + MARK + 3.0, y);
        drawing.text(&font::shorten(label, SMALL, 120.0), at, SMALL, Color::INK, Anchor::Start);
    }
    let at = pt(bar.x1 + MARK + 3.0 + widest(&ticks) + 13.0, bar.center().y);
    let caption = font::shorten(&ticks.caption, LABEL, frame.height() + 14.0);
    drawing.text_upward(&caption, at, LABEL, Color::INK);
}
