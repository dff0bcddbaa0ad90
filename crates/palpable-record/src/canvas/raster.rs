//! Rendering to a PNG image.

use crate::RecordError;
use crate::canvas::coverage::Coverage;
use crate::canvas::{Drawing, Item, Point, Rect, Text, font, pt, stroke};
use crate::figure::Color;

/// Pixels of the image per logical pixel.
pub(crate) const SCALE: f64 = 2.0;

/// An image of 8-bit red, green and blue.
struct Raster {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
    clip: Rect,
}

/// Renders a drawing on white, and packs it as PNG.
pub(crate) fn to_png(drawing: &Drawing) -> Result<Vec<u8>, RecordError> {
    let mut raster = Raster::new(drawing.width * SCALE, drawing.height * SCALE);
    for item in &drawing.items {
        raster.paint(item);
    }
    let (width, height) = (raster.width as u32, raster.height as u32);
    encode(&raster).map_err(|error| RecordError::Png { width, height, problem: error.to_string() })
}

fn encode(raster: &Raster) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, raster.width as u32, raster.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Default);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&raster.pixels)?;
    writer.finish()?;
    Ok(bytes)
}

impl Raster {
    fn new(width: f64, height: f64) -> Self {
        let (width, height) = (width.round().max(1.0) as usize, height.round().max(1.0) as usize);
        let clip = Rect { x0: 0.0, y0: 0.0, x1: width as f64, y1: height as f64 };
        Self { width, height, pixels: vec![255; 3 * width * height], clip }
    }

    fn paint(&mut self, item: &Item) {
        match item {
            Item::Clip(rect) => self.set_clip(*rect),
            Item::Fill { points, color } => {
                let points = scaled(points);
                self.cover(bounds(&points, 1.0), *color, |edge| stroke::ring(&points, edge));
            }
            Item::Line { points, color, width, dash } => {
                let (points, width) = (scaled(points), width * SCALE);
                let pattern: Vec<f64> = dash.pattern().iter().map(|part| part * width).collect();
                let pieces = stroke::dashes(&points, &pattern);
                self.cover(bounds(&points, width + 1.0), *color, |edge| {
                    for piece in &pieces {
                        stroke::outline(piece, width, &mut *edge);
                    }
                });
            }
            Item::Text(text) => self.paint_text(text),
        }
    }

    fn set_clip(&mut self, rect: Option<Rect>) {
        let page = Rect { x0: 0.0, y0: 0.0, x1: self.width as f64, y1: self.height as f64 };
        self.clip = rect.map_or(page, |rect| Rect {
            x0: (rect.x0 * SCALE).clamp(0.0, page.x1),
            y0: (rect.y0 * SCALE).clamp(0.0, page.y1),
            x1: (rect.x1 * SCALE).clamp(0.0, page.x1),
            y1: (rect.y1 * SCALE).clamp(0.0, page.y1),
        });
    }

    fn paint_text(&mut self, text: &Text) {
        let size = text.size * SCALE;
        let before = font::width(&text.text, size) * text.anchor.share();
        let (x, y) = (text.at.x * SCALE, text.at.y * SCALE);
        let drop = font::HALF_CAPITAL * size;
        // from ems along and across the writing to pixels of the page
        let place = |p: Point| {
            let (along, across) = (p.x * size - before, p.y * size + drop);
            if text.upward { pt(x + across, y - along) } else { pt(x + along, y + across) }
        };
        let mut edges = Vec::new();
        font::outline(&text.text, |a, b| edges.push((place(a), place(b))));
        let corners: Vec<Point> = edges.iter().map(|edge| edge.0).collect();
        self.cover(bounds(&corners, 1.0), text.color, |edge| {
            for (a, b) in &edges {
                edge(*a, *b);
            }
        });
    }

    /// Paints the shape whose edges `draw` lists, within its bounds and the clip.
    fn cover(
        &mut self,
        bounds: Rect,
        color: Color,
        draw: impl FnOnce(&mut dyn FnMut(Point, Point)),
    ) {
        let x0 = bounds.x0.max(self.clip.x0).floor();
        let y0 = bounds.y0.max(self.clip.y0).floor();
        let x1 = bounds.x1.min(self.clip.x1).ceil();
        let y1 = bounds.y1.min(self.clip.y1).ceil();
        if !(x1 > x0 && y1 > y0) {
            return;
        }
        let mut coverage =
            Coverage::new(x0 as i64, y0 as i64, (x1 - x0) as usize, (y1 - y0) as usize);
        draw(&mut |a, b| coverage.edge(a, b));
        coverage.for_each(|x, y, share| self.blend(x as usize, y as usize, color, share));
    }

    fn blend(&mut self, x: usize, y: usize, color: Color, share: f64) {
        let start = 3 * (y * self.width + x);
        let alpha = share * color.alpha;
        for (pixel, ink) in self.pixels[start..start + 3].iter_mut().zip(color.rgb) {
            let mixed = f64::from(*pixel) * (1.0 - alpha) + f64::from(ink) * alpha;
            *pixel = mixed.round() as u8;
        }
    }
}

fn scaled(points: &[Point]) -> Vec<Point> {
    points.iter().map(|p| pt(p.x * SCALE, p.y * SCALE)).collect()
}

/// The rectangle around points, grown by a margin; empty for no points.
fn bounds(points: &[Point], margin: f64) -> Rect {
    let far = f64::INFINITY;
    let start = Rect { x0: far, y0: far, x1: -far, y1: -far };
    let rect = points.iter().fold(start, |r, p| Rect {
        x0: r.x0.min(p.x),
        y0: r.y0.min(p.y),
        x1: r.x1.max(p.x),
        y1: r.y1.max(p.y),
    });
    rect.grown(margin)
}
