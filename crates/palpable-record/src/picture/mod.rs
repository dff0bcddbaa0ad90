//! Pictures of solids: snapshots of a run side by side, as PNG and SVG.

mod paint;
mod solid;
mod vector;

pub use solid::{Place, Solid};

use crate::canvas::{self, Anchor, Drawing, Rect, font, pt};
use crate::figure::Color;
use crate::{RecordError, atomic};
use std::path::{Path, PathBuf};

/// From where all snapshots of a page are seen; z is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where the eye is [m].
    pub eye: [f64; 3],
    /// What it looks at [m].
    pub target: [f64; 3],
    /// Angle from the lower to the upper edge [rad].
    pub angle: f64,
}

/// A line in space: points [m], colour, width [logical pixel].
pub type Stroke = (Vec<[f64; 3]>, Color, f64);

/// What is seen at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shot {
    /// Written below it.
    pub caption: String,
    /// What is there.
    pub solids: Vec<Solid>,
    /// Lines over it.
    pub lines: Vec<Stroke>,
    /// Height of the floor [m], if there is one.
    pub floor: Option<f64>,
}

/// A page of snapshots.
///
/// Solids are convex, or nearly: each is painted whole, behind or before another.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    title: String,
    camera: Camera,
    columns: usize,
    /// Of one snapshot [logical pixel].
    size: (f64, f64),
    shots: Vec<Shot>,
}

const MARGIN: f64 = 12.0;
const CAPTION: f64 = 24.0;

impl Picture {
    /// A page with a title, seen through one camera, with this many snapshots side by side.
    pub fn new(title: impl Into<String>, camera: Camera, columns: usize) -> Self {
        let (columns, size) = (columns.clamp(1, 12), (300.0, 220.0));
        Self { title: title.into(), camera, columns, size, shots: Vec::new() }
    }

    /// Sets width and height of a snapshot [logical pixel], cut to 40..2000.
    pub fn size(self, width: f64, height: f64) -> Self {
        let cut = |length: f64| if length.is_finite() { length.clamp(40.0, 2000.0) } else { 300.0 };
        Self { size: (cut(width), cut(height)), ..self }
    }

    /// Adds a snapshot, row by row from the upper left.
    pub fn shot(mut self, shot: Shot) -> Self {
        self.shots.push(shot);
        self
    }

    fn drawing(&self) -> Drawing {
        let rows = self.shots.len().div_ceil(self.columns).max(1);
        let (wide, tall) = (self.size.0 + MARGIN, self.size.1 + CAPTION + 4.0);
        let (width, top) = (self.columns as f64 * wide + MARGIN, 40.0);
        let mut drawing = Drawing::new(width, top + rows as f64 * tall + 4.0);
        let title = font::shorten(&self.title, 15.0, width - 20.0);
        drawing.text(&title, pt(0.5 * width, 20.0), 15.0, Color::INK, Anchor::Middle);
        for (i, shot) in self.shots.iter().enumerate() {
            let (row, column) = (i / self.columns, i % self.columns);
            let (x0, y0) = (MARGIN + column as f64 * wide, top + row as f64 * tall);
            let rect = Rect { x0, y0, x1: x0 + self.size.0, y1: y0 + self.size.1 };
            paint::paint(&mut drawing, &rect, &self.camera, shot);
            let caption = font::shorten(&shot.caption, 12.0, self.size.0);
            let at = pt(rect.center().x, rect.y1 + 13.0);
            drawing.text(&caption, at, 12.0, Color::INK, Anchor::Middle);
        }
        drawing
    }

    /// The picture as an SVG document.
    pub fn to_svg(&self) -> String {
        canvas::to_svg(&self.drawing())
    }

    /// The picture as the bytes of a PNG image.
    ///
    /// # Errors
    /// An image that cannot be packed.
    pub fn to_png(&self) -> Result<Vec<u8>, RecordError> {
        canvas::to_png(&self.drawing())
    }

    /// Writes `STEM.png` and `STEM.svg`, and returns their names.
    ///
    /// # Errors
    /// Files that cannot be written.
    pub fn write_both(&self, stem: impl AsRef<Path>) -> Result<[PathBuf; 2], RecordError> {
        atomic::write_both(stem.as_ref(), &self.to_png()?, &self.to_svg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAMERA: Camera = Camera { eye: [0.0, -2.0, 0.5], target: [0.0; 3], angle: 0.6 };

    fn at(x: f64, y: f64, z: f64) -> Place {
        [x, y, z, 0.0, 0.0, 0.0, 1.0]
    }

    /// Colour of the pixel of a snapshot's middle.
    fn middle(shot: Shot) -> [u8; 3] {
        let picture = Picture::new("", CAMERA, 1).size(100.0, 100.0).shot(shot);
        let png = picture.to_png().expect("an image");
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size()];
        let info = reader.next_frame(&mut pixels).expect("a frame");
        let (x, y) = (2 * 62, 2 * 90);
        let start = 3 * (y * info.width as usize + x);
        [pixels[start], pixels[start + 1], pixels[start + 2]]
    }

    #[test]
    fn what_is_nearer_hides_what_is_behind_it_in_either_order() {
        let red = Color::new(200, 0, 0);
        let blue = Color::new(0, 0, 200);
        // a long box reaches farther back than a small one behind its front: centres mislead
        let long = Solid::cuboid(&at(0.0, 0.45, 0.0), [0.5, 1.0, 0.1], red);
        let small = Solid::cuboid(&at(0.0, -0.2, 0.0), [0.3, 0.1, 0.3], blue);
        for solids in [[long.clone(), small.clone()], [small.clone(), long.clone()]] {
            let [r, _, b] = middle(Shot { solids: solids.to_vec(), ..Default::default() });
            assert!(b > r, "the small box is in front: {r} {b}");
        }
        let behind = Solid::ball(&at(0.0, 1.3, 0.0), 0.3, blue);
        for solids in [[long.clone(), behind.clone()], [behind, long]] {
            let [r, _, b] = middle(Shot { solids: solids.to_vec(), ..Default::default() });
            assert!(r > b, "the ball is behind: {r} {b}");
        }
    }

    #[test]
    fn normals_point_outward_for_every_shape() {
        let color = Color::GREY;
        let place = [0.1, 0.2, -0.3, 0.5, 0.5, 0.5, 0.5];
        for solid in [
            Solid::cuboid(&place, [0.1, 0.2, 0.3], color),
            Solid::ball(&place, 0.1, color),
            Solid::cylinder(&place, 0.1, 0.05, color),
            Solid::capsule(&place, 0.1, 0.05, color),
        ] {
            let center = solid.center();
            for (i, c) in center.iter().enumerate() {
                assert!((c - place[i]).abs() < 1e-12);
            }
            for face in &solid.faces {
                let n = solid.normal(face);
                let out = vector::sub(solid.vertices[face[1]], center);
                assert!(vector::dot(n, out) > 0.0, "{n:?} {out:?}");
            }
        }
    }
}
