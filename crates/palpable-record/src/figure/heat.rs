//! A grid of coloured cells.

use crate::figure::{ColorMap, Scale};

/// Values over a grid of two parameters, as colours with a colour bar.
///
/// Cells have equal size whatever the parameters' spacing; cells that are not a number stay grey,
/// infinite ones take the colour of the end of the bar.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) values: Vec<f64>,
    pub(crate) label: String,
    pub(crate) unit: String,
    pub(crate) scale: Scale,
    pub(crate) map: ColorMap,
    pub(crate) range: Option<(f64, f64)>,
    pub(crate) texts: bool,
}

impl HeatMap {
    /// Cells at the columns `x` and rows `y` (in the axes' units, the first row lowest), `values`
    /// row by row: the cell of `x[i]` and `y[j]` is `values[j * x.len() + i]`. `label` and `unit`
    /// describe the values. Missing values count as not a number.
    pub fn new(
        label: impl Into<String>,
        unit: impl Into<String>,
        x: &[f64],
        y: &[f64],
        values: &[f64],
    ) -> Self {
        Self {
            x: x.to_vec(),
            y: y.to_vec(),
            values: values.to_vec(),
            label: label.into(),
            unit: unit.into(),
            scale: Scale::Linear,
            map: ColorMap::Viridis,
            range: None,
            texts: false,
        }
    }

    /// Colours by the logarithm; values not above 0 take the colour of the lower end.
    pub fn log(self) -> Self {
        Self { scale: Scale::Log, ..self }
    }

    /// Chooses the colours.
    pub fn colors(self, map: ColorMap) -> Self {
        Self { map, ..self }
    }

    /// Sets the values at the two ends of the colour bar.
    pub fn range(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..self }
    }

    /// Writes the value into every cell that has room for it.
    pub fn texts(self) -> Self {
        Self { texts: true, ..self }
    }

    /// The value of column `i` and row `j`.
    pub(crate) fn value(&self, i: usize, j: usize) -> f64 {
        self.values.get(j * self.x.len() + i).copied().unwrap_or(f64::NAN)
    }
}
