//! Rendering to SVG text.

use crate::canvas::{Anchor, Drawing, Item, Point, Text, font, pt};
use crate::figure::Color;
use std::fmt::Write as _;

/// Renders a drawing on white as a stand-alone SVG document.
///
/// Texts stay text, and carry their length in the embedded font, so that the layout holds where
/// that font is missing.
pub(crate) fn to_svg(drawing: &Drawing) -> String {
    let (width, height) = (drawing.width, drawing.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    let (mut clips, mut open) = (0, false);
    for item in &drawing.items {
        match item {
            Item::Line { points, color, width, dash } => {
                let pattern: Vec<f64> = dash.pattern().iter().map(|part| part * width).collect();
                push_line(&mut out, points, *color, *width, &pattern);
            }
            Item::Fill { points, color } => push_fill(&mut out, points, *color),
            Item::Text(text) => push_text(&mut out, text),
            Item::Clip(rect) => {
                if std::mem::replace(&mut open, rect.is_some()) {
                    out.push_str("</g>\n");
                }
                if let Some(r) = rect {
                    clips += 1;
                    let (x, y, w, h) = (r.x0, r.y0, r.width().max(0.0), r.height().max(0.0));
                    let _ = write!(
                        out,
                        "<clipPath id=\"c{clips}\"><rect x=\"{x:.2}\" y=\"{y:.2}\" \
                         width=\"{w:.2}\" height=\"{h:.2}\"/></clipPath>\n\
                         <g clip-path=\"url(#c{clips})\">\n"
                    );
                }
            }
        }
    }
    out.push_str(if open { "</g>\n</svg>\n" } else { "</svg>\n" });
    out
}

fn hex(color: Color) -> String {
    let [r, g, b] = color.rgb;
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A path through the points with two decimals, trailing zeros dropped.
fn push_path(out: &mut String, points: &[Point]) {
    for (index, point) in points.iter().enumerate() {
        out.push(if index == 0 { 'M' } else { 'L' });
        push_number(out, point.x);
        out.push(' ');
        push_number(out, point.y);
    }
}

fn push_number(out: &mut String, value: f64) {
    let rounded = (value * 100.0).round() / 100.0;
    let _ = if rounded == 0.0 { write!(out, "0") } else { write!(out, "{rounded}") };
}

fn push_line(out: &mut String, points: &[Point], color: Color, width: f64, pattern: &[f64]) {
    out.push_str("<path d=\"");
    push_path(out, points);
    let _ = write!(
        out,
        "\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"",
        hex(color)
    );
    if color.alpha < 1.0 {
        let _ = write!(out, " stroke-opacity=\"{:.3}\"", color.alpha);
    }
    if !pattern.is_empty() {
        let list: Vec<String> = pattern.iter().map(|part| format!("{part:.2}")).collect();
        let _ = write!(out, " stroke-dasharray=\"{}\"", list.join(" "));
    }
    out.push_str("/>\n");
}

fn push_fill(out: &mut String, points: &[Point], color: Color) {
    out.push_str("<path d=\"");
    push_path(out, points);
    let _ = write!(out, "Z\" fill=\"{}\"", hex(color));
    if color.alpha < 1.0 {
        let _ = write!(out, " fill-opacity=\"{:.3}\"", color.alpha);
    }
    out.push_str("/>\n");
}

fn push_text(out: &mut String, text: &Text) {
    let drop = font::HALF_CAPITAL * text.size;
    let (x, y) = (text.at.x, text.at.y);
    let base = if text.upward { pt(x + drop, y) } else { pt(x, y + drop) };
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let _ = write!(
        out,
        "<text x=\"{:.2}\" y=\"{:.2}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{anchor}\" \
         textLength=\"{:.2}\" lengthAdjust=\"spacingAndGlyphs\"",
        base.x,
        base.y,
        text.size,
        hex(text.color),
        font::width(&text.text, text.size)
    );
    if text.upward {
        let _ = write!(out, " transform=\"rotate(-90 {:.2} {:.2})\"", base.x, base.y);
    }
    let _ = writeln!(out, ">{}</text>", escaped(&text.text));
}

/// The text with the characters that XML reserves written as entities.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
