//! Ground over a regular grid.

use super::super::shape_error::{ShapeError, check_length};
use super::collision_error::CollisionError;
use super::facet::Facet;
use super::frame::Aabb;
use super::triangle::Triangle;
use crate::math::Vec3;

/// Heights over a grid in the plane z = 0, two triangles a cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HeightField {
    columns: usize,
    rows: usize,
    spacing: [f64; 2],
    heights: Vec<f64>,
    pub bounds: Aabb,
}

impl HeightField {
    pub fn new(
        columns: usize,
        spacing: [f64; 2],
        heights: Vec<f64>,
    ) -> Result<Self, CollisionError> {
        check_length("height field spacing.x", spacing[0])?;
        check_length("height field spacing.y", spacing[1])?;
        let rows = heights.len().checked_div(columns).unwrap_or(0);
        if columns < 2 || rows < 2 || rows * columns != heights.len() {
            return Err(CollisionError::Grid { rows, columns, heights: heights.len() });
        }
        if let Some(&value) = heights.iter().find(|h| !(h.abs() <= 1e12)) {
            Err(ShapeError::NotFinite { field: "height field heights", value })?;
        }
        let mut made = Self { columns, rows, spacing, heights, bounds: Aabb::NONE };
        let all = (0..rows).flat_map(|r| (0..columns).map(move |c| (c, r)));
        made.bounds = Aabb::around(all.map(|(c, r)| made.at(c, r)));
        Ok(made)
    }

    /// The shorter side of a cell [m].
    pub fn stride(&self) -> f64 {
        self.spacing[0].min(self.spacing[1])
    }

    fn at(&self, column: usize, row: usize) -> Vec3 {
        let z = self.heights[row * self.columns + column];
        Vec3::new(column as f64 * self.spacing[0], row as f64 * self.spacing[1], z)
    }

    /// A grid point by numbers that may lie outside.
    fn beyond(&self, column: isize, row: isize) -> Option<Vec3> {
        let (c, r) = (usize::try_from(column).ok()?, usize::try_from(row).ok()?);
        (c < self.columns && r < self.rows).then(|| self.at(c, r))
    }

    /// Calls `found` with the triangles of every cell under a box.
    pub fn facets(&self, bounds: &Aabb, mut found: impl FnMut(&Facet)) {
        if !self.bounds.overlaps(bounds) {
            return;
        }
        // casts of negative or huge numbers saturate
        let cell = |x: f64, spacing: f64, most: usize| ((x / spacing) as usize).min(most);
        let [sx, sy] = self.spacing;
        let (most_c, most_r) = (self.columns - 2, self.rows - 2);
        for r in cell(bounds.low.y, sy, most_r)..=cell(bounds.high.y, sy, most_r) {
            for c in cell(bounds.low.x, sx, most_c)..=cell(bounds.high.x, sx, most_c) {
                for half in 0..2 {
                    if let Some(facet) = self.facet(c, r, half).filter(|f| near(f, bounds)) {
                        found(&facet);
                    }
                }
            }
        }
    }

    /// The lower right (0) or upper left (1) triangle of a cell.
    fn facet(&self, c: usize, r: usize, half: usize) -> Option<Facet> {
        let (p, q) = (self.at(c, r), self.at(c + 1, r + 1));
        let (ci, ri) = (c as isize, r as isize);
        let (corners, beyond) = if half == 0 {
            let far =
                [self.beyond(ci, ri - 1), self.beyond(ci + 2, ri + 1), Some(self.at(c, r + 1))];
            ([p, self.at(c + 1, r), q], far)
        } else {
            let far =
                [Some(self.at(c + 1, r)), self.beyond(ci + 1, ri + 2), self.beyond(ci - 1, ri)];
            ([p, q, self.at(c, r + 1)], far)
        };
        let index = (2 * (r * self.columns + c) + half) as u32;
        Some(Facet { index, triangle: Triangle::new(corners)?, beyond })
    }
}

/// True if the facet's heights reach the box.
fn near(facet: &Facet, bounds: &Aabb) -> bool {
    let z = facet.triangle.corners.map(|p| p.z);
    let (low, high) = (z[0].min(z[1]).min(z[2]), z[0].max(z[1]).max(z[2]));
    low <= bounds.high.z && bounds.low.z <= high
}
