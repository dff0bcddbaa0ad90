//! Figures: what to draw, laid out once and rendered as PNG and SVG.

mod axis;
mod draw;
mod draw_heat;
mod draw_series;
mod heat;
mod layout;
mod legend;
mod number;
mod panel;
mod prepare;
mod range;
mod remarks;
mod series;
mod style;
#[cfg(test)]
mod tests;
mod ticks;

pub use axis::{Axis, Range, Scale};
pub use heat::HeatMap;
pub use panel::Panel;
pub use series::{Bins, Histogram, Line, Stack};
pub use style::{Color, ColorMap, Dash, Marker};

use crate::canvas::{self, Drawing};
use crate::{RecordError, atomic};
use std::path::{Path, PathBuf};

/// Where the legend stands; never on the data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Legend {
    /// Right of each panel that has named series.
    #[default]
    Right,
    /// One for all panels, below them.
    Below,
    /// Nowhere.
    Hidden,
}

/// A page of panels that share their x axis.
///
/// Any input draws: empty and non-finite series, single points, equal limits, logarithms of
/// negative numbers. The same description gives the same bytes on every machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) panels: Vec<Panel>,
    pub(crate) columns: usize,
    pub(crate) legend: Legend,
    size: Option<(f64, f64)>,
}

impl Figure {
    /// A page with a title (may be empty) and the x axis that its panels share.
    pub fn new(title: impl Into<String>, x: Axis) -> Self {
        let (panels, legend) = (Vec::new(), Legend::default());
        Self { title: title.into(), x, panels, columns: 1, legend, size: None }
    }

    /// Adds a panel, row by row from the upper left.
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// Sets the number of panels side by side; one by default.
    pub fn columns(self, columns: usize) -> Self {
        Self { columns: columns.clamp(1, 20), ..self }
    }

    /// Sets width and height [logical pixel], cut to 160..4000; a PNG has twice as many pixels.
    pub fn size(self, width: f64, height: f64) -> Self {
        let cut = |length: f64, default: f64| {
            if length.is_finite() { length.clamp(160.0, 4000.0) } else { default }
        };
        Self { size: Some((cut(width, 720.0), cut(height, 420.0))), ..self }
    }

    /// Sets where the legend stands.
    pub fn legend(self, legend: Legend) -> Self {
        Self { legend, ..self }
    }

    /// Width and height of the page [logical pixel].
    pub(crate) fn page(&self) -> (f64, f64) {
        let rows = self.panels.len().div_ceil(self.columns).max(1) as f64;
        let height = if rows < 1.5 { 400.0 } else { (80.0 + 200.0 * rows).min(4000.0) };
        let width = if self.columns == 1 { 720.0 } else { 400.0 * self.columns as f64 };
        self.size.unwrap_or((width.min(4000.0), height))
    }

    fn drawing(&self) -> Drawing {
        draw::draw(self)
    }

    /// The figure as an SVG document.
    pub fn to_svg(&self) -> String {
        canvas::to_svg(&self.drawing())
    }

    /// The figure as the bytes of a PNG image, two pixels per logical pixel.
    pub fn to_png(&self) -> Result<Vec<u8>, RecordError> {
        canvas::to_png(&self.drawing())
    }

    /// Writes the figure as its name says, `.png` or `.svg`. Folders are created; a file appears
    /// under its name only when it is whole.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), RecordError> {
        let path = path.as_ref();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "png" => atomic::write(path, &self.to_png()?),
            "svg" => atomic::write(path, self.to_svg().as_bytes()),
            _ => Err(RecordError::FigureFormat { path: path.to_path_buf() }),
        }
    }

    /// Writes `STEM.png` and `STEM.svg`, and returns their names.
    pub fn write_both(&self, stem: impl AsRef<Path>) -> Result<[PathBuf; 2], RecordError> {
        atomic::write_both(stem.as_ref(), &self.to_png()?, &self.to_svg())
    }
}
