//! The embedded font: how long a text is, and its outlines.

use crate::canvas::{Point, pt};
use ab_glyph::{Font, FontRef, OutlineCurve};
use std::sync::OnceLock;

const DEJAVU_SANS: &[u8] = include_bytes!("../../assets/DejaVuSans.ttf");

/// Half the height of a capital letter, in ems: centres a text on its place.
pub(crate) const HALF_CAPITAL: f64 = 0.364;

fn font() -> Option<&'static FontRef<'static>> {
    static FONT: OnceLock<Option<FontRef<'static>>> = OnceLock::new();
    FONT.get_or_init(|| FontRef::try_from_slice(DEJAVU_SANS).ok()).as_ref()
}

/// Calls `visit` with each glyph and its distance from the start, in ems; returns the length.
fn walk(text: &str, mut visit: impl FnMut(&FontRef, ab_glyph::GlyphId, f64, f64)) -> f64 {
    let Some(font) = font() else { return 0.0 };
    let em = f64::from(font.units_per_em().unwrap_or(2048.0)).max(1.0);
    let (mut along, mut last) = (0.0, None);
    for letter in text.chars() {
        let id = font.glyph_id(letter);
        if let Some(last) = last {
            along += f64::from(font.kern_unscaled(last, id)) / em;
        }
        visit(font, id, along, em);
        along += f64::from(font.h_advance_unscaled(id)) / em;
        last = Some(id);
    }
    along
}

/// Length of a text of this size \[pixel\].
pub(crate) fn width(text: &str, size: f64) -> f64 {
    size * walk(text, |_, _, _, _| {})
}

/// The text cut to at most `limit` pixels, with an ellipsis where something was cut.
pub(crate) fn shorten(text: &str, size: f64, limit: f64) -> String {
    if width(text, size) <= limit {
        return text.to_string();
    }
    let room = limit - width("…", size);
    let mut end = 0;
    walk_cut(text, size, room, &mut end);
    format!("{}…", text.get(..end).unwrap_or_default().trim_end())
}

/// Moves `end` behind the last letter that still fits into `room` pixels.
fn walk_cut(text: &str, size: f64, room: f64, end: &mut usize) {
    let mut ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let mut last = 0;
    walk(text, |font, id, along, em| {
        last = ends.next().unwrap_or(last);
        if size * (along + f64::from(font.h_advance_unscaled(id)) / em) <= room {
            *end = last;
        }
    });
}

/// The closed outlines of a text that starts at the origin, as straight edges, y down, in ems.
pub(crate) fn outline(text: &str, mut edge: impl FnMut(Point, Point)) -> f64 {
    walk(text, |font, id, along, em| {
        let Some(outline) = font.outline(id) else { return };
        let place = |p: ab_glyph::Point| pt(along + f64::from(p.x) / em, -f64::from(p.y) / em);
        for curve in outline.curves {
            match curve {
                OutlineCurve::Line(a, b) => edge(place(a), place(b)),
                OutlineCurve::Quad(a, b, c) => {
                    let (a, b, c) = (place(a), place(b), place(c));
                    // a quadratic is a cubic with its inner points two thirds of the way
                    flatten([a, mix(a, b, 2.0 / 3.0), mix(c, b, 2.0 / 3.0), c], &mut edge);
                }
                OutlineCurve::Cubic(a, b, c, d) => {
                    flatten([place(a), place(b), place(c), place(d)], &mut edge);
                }
            }
        }
    })
}

fn mix(a: Point, b: Point, t: f64) -> Point {
    pt(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y))
}

/// Replaces a cubic Bézier curve by eight chords.
fn flatten([a, b, c, d]: [Point; 4], edge: &mut impl FnMut(Point, Point)) {
    let mut from = a;
    for index in 1..=8 {
        let t = f64::from(index) / 8.0;
        let (ab, bc, cd) = (mix(a, b, t), mix(b, c, t), mix(c, d, t));
        let to = mix(mix(ab, bc, t), mix(bc, cd, t), t);
        edge(from, to);
        from = to;
    }
}
