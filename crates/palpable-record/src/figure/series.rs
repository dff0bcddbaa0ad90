//! What is plotted: lines and points, stacked areas, histograms.

use crate::figure::{Color, Dash, Marker};

/// A named curve through samples, a cloud of markers, or both.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub(crate) name: String,
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) color: Option<Color>,
    pub(crate) dash: Option<Dash>,
    pub(crate) width: f64,
    pub(crate) marker: Option<Marker>,
    pub(crate) connected: bool,
}

impl Line {
    /// A curve through `(x, y)`, in the axes' units. Samples that are not finite break it; the
    /// longer of the two slices is cut. An empty name stays out of the legend.
    pub fn new(name: impl Into<String>, x: &[f64], y: &[f64]) -> Self {
        let count = x.len().min(y.len());
        Self {
            name: name.into(),
            x: x[..count].to_vec(),
            y: y[..count].to_vec(),
            color: None,
            dash: None,
            width: 1.5,
            marker: None,
            connected: true,
        }
    }

    /// Unconnected markers at `(x, y)`.
    pub fn scatter(name: impl Into<String>, x: &[f64], y: &[f64], marker: Marker) -> Self {
        Self { connected: false, marker: Some(marker), ..Self::new(name, x, y) }
    }

    /// Sets the colour; the next one of the palette otherwise.
    pub fn color(self, color: Color) -> Self {
        Self { color: Some(color), ..self }
    }

    /// Sets the dash; by default each line of a panel has its own.
    pub fn dash(self, dash: Dash) -> Self {
        Self { dash: Some(dash), ..self }
    }

    /// Sets the width [logical pixel], cut to 0.2..12.
    pub fn width(self, width: f64) -> Self {
        let width = if width.is_finite() { width.clamp(0.2, 12.0) } else { 1.5 };
        Self { width, ..self }
    }

    /// Adds a marker at every sample.
    pub fn marker(self, marker: Marker) -> Self {
        Self { marker: Some(marker), ..self }
    }
}

/// Areas on top of each other over one common x.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stack {
    pub(crate) x: Vec<f64>,
    pub(crate) layers: Vec<Layer>,
}

/// One area of a [`Stack`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layer {
    pub name: String,
    pub y: Vec<f64>,
    pub color: Option<Color>,
}

impl Stack {
    /// No areas yet, over these places in the x axis' unit.
    pub fn new(x: &[f64]) -> Self {
        Self { x: x.to_vec(), layers: Vec::new() }
    }

    /// Puts an area of height `y` (in the y axis' unit) on top. Positive heights stack upwards from
    /// zero, negative ones downwards; missing and non-finite heights count as zero.
    pub fn layer(mut self, name: impl Into<String>, y: &[f64]) -> Self {
        self.layers.push(Layer { name: name.into(), y: y.to_vec(), color: None });
        self
    }

    /// Sets the colour of the area added last.
    pub fn color(mut self, color: Color) -> Self {
        if let Some(layer) = self.layers.last_mut() {
            layer.color = Some(color);
        }
        self
    }

    /// Lower and upper edge of every layer at every x.
    pub(crate) fn edges(&self) -> Vec<(Vec<f64>, Vec<f64>)> {
        let (mut above, mut below) = (vec![0.0; self.x.len()], vec![0.0; self.x.len()]);
        let bounded = |sum: f64| sum.clamp(-1e300, 1e300);
        let each = self.layers.iter().map(|layer| {
            let heights = (0..self.x.len())
                .map(|i| layer.y.get(i).copied().filter(|y| y.is_finite()).unwrap_or(0.0));
            let spans = heights.enumerate().map(|(i, height)| {
                let side = if height < 0.0 { &mut below[i] } else { &mut above[i] };
                let from = *side;
                *side = bounded(from + height);
                (from.min(*side), from.max(*side))
            });
            spans.unzip()
        });
        each.collect()
    }
}

/// How samples are sorted into bars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bins {
    /// As many equal bars as the spread of the samples calls for.
    #[default]
    Auto,
    /// This many bars of equal width.
    Equal(usize),
    /// This many bars of equal ratio, for a logarithmic axis; samples not above 0 are left out.
    Log(usize),
}

/// Bars that count samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    pub(crate) name: String,
    pub(crate) edges: Vec<f64>,
    pub(crate) counts: Vec<f64>,
    pub(crate) color: Option<Color>,
}

impl Histogram {
    /// Counts the finite samples in bars.
    pub fn new(name: impl Into<String>, samples: &[f64], bins: Bins) -> Self {
        let log = matches!(bins, Bins::Log(_));
        let fits = |v: &f64| v.is_finite() && (!log || *v > 0.0);
        let place = |v: f64| if log { v.log10() } else { v };
        let mut sorted: Vec<f64> = samples.iter().copied().filter(fits).map(place).collect();
        sorted.sort_by(f64::total_cmp);
        let (edges, counts) = count(&sorted, bins);
        let edges = edges.into_iter().map(|e| if log { 10f64.powf(e) } else { e }).collect();
        Self { name: name.into(), edges, counts, color: None }
    }

    /// Bars that were counted elsewhere: bar `i` reaches from `edges[i]` to `edges[i + 1]`.
    pub fn from_counts(name: impl Into<String>, edges: &[f64], counts: &[f64]) -> Self {
        let bars = counts.len().min(edges.len().saturating_sub(1));
        let edges = edges.iter().copied().take(bars + 1).collect();
        Self { name: name.into(), edges, counts: counts[..bars].to_vec(), color: None }
    }

    /// Sets the colour.
    pub fn color(self, color: Color) -> Self {
        Self { color: Some(color), ..self }
    }
}

/// Edges and counts of sorted samples.
fn count(sorted: &[f64], bins: Bins) -> (Vec<f64>, Vec<f64>) {
    let (Some(low), Some(high)) = (sorted.first(), sorted.last()) else {
        return (Vec::new(), Vec::new());
    };
    let (low, high) = (low.max(-1e300), high.min(1e300));
    let (low, high) = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
    let bars = match bins {
        Bins::Auto => spread_bars(sorted, high - low),
        Bins::Equal(bars) | Bins::Log(bars) => bars,
    };
    let bars = bars.clamp(1, 1000);
    let width = (high - low) / bars as f64;
    let mut counts = vec![0.0; bars];
    for sample in sorted {
        // the last bar owns its upper edge
        let index = ((sample - low) / width).max(0.0) as usize;
        counts[index.min(bars - 1)] += 1.0;
    }
    ((0..=bars).map(|index| low + width * index as f64).collect(), counts)
}

/// Number of bars by the rule of Freedman and Diaconis: width = 2 IQR / n^(1/3).
fn spread_bars(sorted: &[f64], span: f64) -> usize {
    let at = |share: f64| sorted[(share * (sorted.len() - 1) as f64).round() as usize];
    let width = 2.0 * (at(0.75) - at(0.25)) / (sorted.len() as f64).cbrt();
    if width > 0.0 { (span / width).ceil().clamp(5.0, 100.0) as usize } else { 20 }
}
