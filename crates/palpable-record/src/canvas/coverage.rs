//! How much of every pixel a shape covers.

use crate::canvas::Point;

/// Exact area coverage of a shape over a window of pixels.
///
/// Edges add their signed area to the pixels they cross; the running sum along a row is then the
/// winding number averaged over each pixel. Overlapping parts of the same orientation count once.
pub(crate) struct Coverage {
    left: i64,
    top: i64,
    width: usize,
    height: usize,
    sums: Vec<f32>,
}

impl Coverage {
    /// A window of pixels with nothing covered.
    pub fn new(left: i64, top: i64, width: usize, height: usize) -> Self {
        // an edge on the right border spills into two more cells
        Self { left, top, width, height, sums: vec![0.0; (width + 2) * height] }
    }

    /// Adds the edge from `a` to `b` \[pixel\] of a closed outline.
    pub fn edge(&mut self, a: Point, b: Point) {
        let (left, top) = (self.left as f64, self.top as f64);
        let (a, b) = ((a.x - left, a.y - top), (b.x - left, b.y - top));
        if a.1 < b.1 {
            self.split(a, b, 1.0);
        } else if a.1 > b.1 {
            self.split(b, a, -1.0);
        }
    }

    /// Cuts a falling edge where it leaves the window sideways, and moves outer parts to its side.
    fn split(&mut self, a: (f64, f64), b: (f64, f64), sign: f64) {
        let right = self.width as f64;
        let slope = b.0 - a.0;
        let mut inner: [f64; 2] = [0.0, right].map(|border| {
            let t = (border - a.0) / slope;
            if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 }
        });
        inner.sort_by(f64::total_cmp);
        let mut from = a;
        for t in [inner[0], inner[1], 1.0] {
            let to = if t >= 1.0 { b } else { (a.0 + t * slope, a.1 + t * (b.1 - a.1)) };
            self.falling((from.0.clamp(0.0, right), from.1), (to.0.clamp(0.0, right), to.1), sign);
            from = to;
        }
    }

    /// Adds an edge that falls (y grows) and lies inside the window sideways.
    fn falling(&mut self, a: (f64, f64), b: (f64, f64), sign: f64) {
        let fall = b.1 - a.1;
        if fall <= 0.0 || !(fall.is_finite() && a.0.is_finite() && b.0.is_finite()) {
            return;
        }
        let slope = (b.0 - a.0) / fall;
        let first = a.1.max(0.0).floor() as usize;
        let last = b.1.min(self.height as f64).ceil().max(0.0) as usize;
        for row in first..last {
            let upper = a.1.max(row as f64);
            let lower = b.1.min((row + 1) as f64);
            if lower > upper {
                let x = a.0 + (upper - a.1) * slope;
                let x_next = a.0 + (lower - a.1) * slope;
                self.crossing(row, x, x_next, sign * (lower - upper));
            }
        }
    }

    /// Adds the part of an edge inside one row, from `x` to `x_next`, of signed height `area`.
    fn crossing(&mut self, row: usize, x: f64, x_next: f64, area: f64) {
        let right = self.width as f64;
        let (low, high) = (x.min(x_next).clamp(0.0, right), x.max(x_next).clamp(0.0, right));
        let (first, last) = (low.floor() as usize, (high.ceil() as usize).max(1) - 1);
        let start = row * (self.width + 2);
        if last <= first {
            // all within one pixel: the share right of the edge's middle
            let share = 0.5 * (low + high) - first as f64;
            self.sums[start + first] += (area * (1.0 - share)) as f32;
            self.sums[start + first + 1] += (area * share) as f32;
            return;
        }
        // trapezoids: the covered share of pixel c is the integral of the part left of x
        let run = high - low;
        let covered = |c: f64| {
            let (p, q) = (c.clamp(low, high), (c + 1.0).clamp(low, high));
            let ramp = 0.5 * ((p - low) + (q - low)) * (q - p) / run;
            ramp + (c + 1.0 - q.max(c))
        };
        let mut before = 0.0;
        for c in first..=last {
            let now = covered(c as f64).min(1.0);
            self.sums[start + c] += (area * (now - before)) as f32;
            before = now;
        }
        self.sums[start + last + 1] += (area * (1.0 - before)) as f32;
    }

    /// Calls `paint` with column, row and coverage in (0, 1] of every touched pixel.
    pub fn for_each(&self, mut paint: impl FnMut(i64, i64, f64)) {
        for (row, sums) in self.sums.chunks_exact(self.width + 2).enumerate() {
            let mut sum = 0.0f32;
            for (column, change) in sums[..self.width].iter().enumerate() {
                sum += change;
                let share = sum.abs().min(1.0);
                if share > 1e-3 {
                    paint(self.left + column as i64, self.top + row as i64, f64::from(share));
                }
            }
        }
    }
}
