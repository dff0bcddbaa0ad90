//! The worlds: boxes by their half edges and places, and the step. The same in `python/layout.py`
//! and `cpp/ode.cpp`.

/// Boxes on a floor.
pub struct Layout {
    /// Half the edges of each box \[m\].
    pub half: [f64; 3],
    /// Centres \[m\].
    pub places: Vec<[f64; 3]>,
    /// Length of a step \[s\].
    pub step: f64,
}

/// A world by its name: `pyramid`, `wall` or `tower`, of `n` boxes of 1 kg.
pub fn layout(kind: &str, n: usize) -> Layout {
    let mut places = Vec::new();
    match kind {
        // rows of b, b - 1, .. blocks; the last one partial
        "pyramid" => {
            let mut row = (1..).find(|b| b * (b + 1) / 2 >= n).unwrap_or(1);
            let (mut left, mut z) = (n, 0.5);
            while left > 0 {
                let count = row.min(left);
                let middle = (count as f64 - 1.0) / 2.0;
                places.extend((0..count).map(|k| [2.1 * (k as f64 - middle), 0.0, z]));
                (left, row, z) = (left - count, row.saturating_sub(1).max(1), z + 1.0);
            }
        }
        // rows of ten in a bond
        "wall" => places.extend((0..n).map(|i| {
            let (row, k) = (i / 10, i % 10);
            [2.02 * k as f64 + 0.5 * (row % 2) as f64, 0.0, 0.5 + row as f64]
        })),
        _ => places.extend((0..n).map(|i| [0.0, 0.0, 0.1 + 0.2 * i as f64])),
    }
    let half = if kind == "tower" { [0.1; 3] } else { [1.0, 0.5, 0.5] };
    Layout { half, places, step: if kind == "pyramid" { 5e-3 } else { 1e-3 } }
}
