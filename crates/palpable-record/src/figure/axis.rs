//! What an axis shows.

/// Spacing of values along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal distances are equal differences.
    #[default]
    Linear,
    /// Equal distances are equal ratios; values that are not above 0 are left out.
    Log,
}

/// How the range of an axis is found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Range {
    /// All finite samples.
    #[default]
    Auto,
    /// The samples of the calm series; series that diverge run out of the frame, where a small
    /// triangle says so.
    Robust,
    /// From the first value to the second, in the axis' unit.
    Fixed(f64, f64),
}

/// Label, unit, scale and range of one axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    pub(crate) label: String,
    pub(crate) unit: String,
    pub(crate) scale: Scale,
    pub(crate) range: Range,
    pub(crate) include: Vec<f64>,
}

impl Axis {
    /// A linear axis over all samples. `unit` is that of the data, e.g. `m`, or empty for pure
    /// numbers; for large and small values the axis shows a prefix by itself (`mm`).
    pub fn new(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { label: label.into(), unit: unit.into(), ..Self::default() }
    }

    /// Makes the axis logarithmic.
    pub fn log(self) -> Self {
        Self { scale: Scale::Log, ..self }
    }

    /// Sets how the range is found.
    pub fn range(self, range: Range) -> Self {
        Self { range, ..self }
    }

    /// Shows exactly `low` to `high`, in the axis' unit.
    pub fn fixed(self, low: f64, high: f64) -> Self {
        self.range(Range::Fixed(low, high))
    }

    /// Lets diverging series leave the frame: [`Range::Robust`].
    pub fn robust(self) -> Self {
        self.range(Range::Robust)
    }

    /// Widens the automatic range so that it holds `value`, e.g. zero.
    pub fn include(mut self, value: f64) -> Self {
        self.include.push(value);
        self
    }
}
