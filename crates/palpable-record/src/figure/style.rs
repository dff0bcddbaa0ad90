//! Colours, dashes and markers that stay distinct for colour-blind eyes and in grey.

/// An opaque or translucent colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color {
    /// Red, green and blue, 0 to 255 (sRGB).
    pub rgb: [u8; 3],
    /// Opacity from 0 to 1.
    pub alpha: f64,
}

impl Color {
    /// Black.
    pub const BLACK: Self = Self::new(0, 0, 0);
    /// Blue of the palette.
    pub const BLUE: Self = Self::new(0x00, 0x72, 0xb2);
    /// Vermilion of the palette.
    pub const VERMILION: Self = Self::new(0xd5, 0x5e, 0x00);
    /// Bluish green of the palette.
    pub const GREEN: Self = Self::new(0x00, 0x9e, 0x73);
    /// Reddish purple of the palette.
    pub const PURPLE: Self = Self::new(0xcc, 0x79, 0xa7);
    /// Orange of the palette.
    pub const ORANGE: Self = Self::new(0xe6, 0x9f, 0x00);
    /// Sky blue of the palette.
    pub const SKY: Self = Self::new(0x56, 0xb4, 0xe9);
    /// Yellow of the palette; too pale for thin lines on white.
    pub const YELLOW: Self = Self::new(0xf0, 0xe4, 0x42);
    /// A middle grey, for what should stay in the background.
    pub const GREY: Self = Self::new(0x80, 0x80, 0x80);

    pub(crate) const INK: Self = Self::new(0x22, 0x22, 0x22);
    pub(crate) const FRAME: Self = Self::new(0x44, 0x44, 0x44);
    pub(crate) const GRID: Self = Self::new(0xe4, 0xe4, 0xe4);
    pub(crate) const WHITE: Self = Self::new(255, 255, 255);

    /// Colours given to lines in turn, after Okabe and Ito, without the pale yellow.
    pub const PALETTE: [Self; 7] = [
        Self::BLUE,
        Self::VERMILION,
        Self::GREEN,
        Self::PURPLE,
        Self::ORANGE,
        Self::SKY,
        Self::BLACK,
    ];

    /// An opaque colour from red, green and blue (sRGB).
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self { rgb: [red, green, blue], alpha: 1.0 }
    }

    /// The colour with another opacity, cut to 0..1.
    pub fn with_alpha(self, alpha: f64) -> Self {
        let alpha = if alpha.is_nan() { 1.0 } else { alpha.clamp(0.0, 1.0) };
        Self { alpha, ..self }
    }

    /// The colour `share` of the way to `other`.
    pub(crate) fn mixed(self, other: Self, share: f64) -> Self {
        let part = |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))).round();
        let rgb = std::array::from_fn(|index| part(self.rgb[index], other.rgb[index]) as u8);
        Self { rgb, alpha: self.alpha }
    }

    /// Whether black text is hard to read on the colour.
    pub(crate) fn is_dark(self) -> bool {
        let [red, green, blue] = self.rgb.map(f64::from);
        0.299 * red + 0.587 * green + 0.114 * blue < 120.0
    }

    /// The colour of the series with this number.
    pub(crate) fn of_series(index: usize) -> Self {
        Self::PALETTE[index % Self::PALETTE.len()]
    }
}

/// How a line is broken up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// Unbroken.
    #[default]
    Solid,
    /// Dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// Dashes and dots in turn.
    DashDot,
    /// Long dashes.
    LongDash,
}

impl Dash {
    /// Drawn and blank lengths in turn, in line widths.
    pub(crate) fn pattern(self) -> &'static [f64] {
        match self {
            Self::Solid => &[],
            Self::Dashed => &[4.5, 2.5],
            Self::Dotted => &[1.3, 1.7],
            Self::DashDot => &[5.5, 2.0, 1.3, 2.0],
            Self::LongDash => &[9.0, 3.0],
        }
    }

    /// The dash of the series with this number.
    pub(crate) fn of_series(index: usize) -> Self {
        [Self::Solid, Self::Dashed, Self::DashDot, Self::Dotted, Self::LongDash][index % 5]
    }
}

/// Sign drawn at every sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// Filled disc.
    Disc,
    /// Filled square.
    Square,
    /// Filled triangle.
    Triangle,
    /// Filled diamond.
    Diamond,
    /// Diagonal cross.
    Cross,
}

/// Colours of a heat map.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ColorMap {
    /// From dark violet to yellow, evenly bright steps (viridis).
    #[default]
    Viridis,
    /// Blue below `center`, white at it, vermilion above.
    Diverging {
        /// Value that is shown white.
        center: f64,
    },
}

/// Stops of viridis at 0, 0.1, .. 1.
const VIRIDIS: [[u8; 3]; 11] = [
    [0x44, 0x01, 0x54],
    [0x48, 0x24, 0x75],
    [0x41, 0x44, 0x87],
    [0x35, 0x5f, 0x8d],
    [0x2a, 0x78, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x22, 0xa8, 0x84],
    [0x44, 0xbf, 0x70],
    [0x7a, 0xd1, 0x51],
    [0xbd, 0xdf, 0x26],
    [0xfd, 0xe7, 0x25],
];

/// The viridis colour at `share` in 0..1.
pub(crate) fn viridis(share: f64) -> Color {
    let place = share.clamp(0.0, 1.0) * 10.0;
    let index = (place.floor() as usize).min(9);
    let [from, to] = [VIRIDIS[index], VIRIDIS[index + 1]].map(|[r, g, b]| Color::new(r, g, b));
    from.mixed(to, place - index as f64)
}

/// Blue at -1, white at 0, vermilion at 1.
pub(crate) fn diverging(side: f64) -> Color {
    let end = if side < 0.0 { Color::BLUE } else { Color::VERMILION };
    Color::WHITE.mixed(end, side.abs().min(1.0))
}
