//! What can be wrong with a shape, and the cure.

/// Why a shape was refused. Every message names the field at fault and the cure.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length or coordinate is NaN or infinite.
    #[error("{field} is {value}; give a finite number of metres")]
    NotFinite {
        /// Which field of the shape.
        field: &'static str,
        /// The value given [m].
        value: f64,
    },
    /// A length is zero or negative.
    #[error("{field} is {value} m; give a length greater than zero")]
    NotPositive {
        /// Which field of the shape.
        field: &'static str,
        /// The value given [m].
        value: f64,
    },
    /// A length is outside `1e-12 ..= 1e12` m, where its fifth power is still a safe number.
    #[error("{field} is {value} m; lengths lie between 1e-12 m and 1e12 m: convert to metres")]
    OutOfRange {
        /// Which field of the shape.
        field: &'static str,
        /// The value given [m].
        value: f64,
    },
    /// Not enough distinct points or triangles to enclose a volume.
    #[error("{field} has {count} distinct entries; give at least 4 that enclose a volume")]
    TooFew {
        /// Which field of the shape.
        field: &'static str,
        /// How many distinct entries were given.
        count: usize,
    },
    /// A triangle names a vertex that does not exist.
    #[error(
        "triangle {triangle} names vertex {vertex}, but there are {vertex_count} vertices; \
         count vertices from 0 and below that number"
    )]
    IndexOutOfRange {
        /// Position in the list of triangles.
        triangle: usize,
        /// The index it names.
        vertex: u32,
        /// Number of vertices given.
        vertex_count: usize,
    },
    /// The points lie in a plane, or the surface encloses no volume.
    #[error("{field} encloses no volume (it is flat); give points that do not share one plane")]
    Flat {
        /// Which field of the shape.
        field: &'static str,
    },
    /// The surface has a hole: an edge has no triangle on its other side.
    #[error(
        "the surface is open at the edge from vertex {from} to vertex {to}; \
         close the hole there, or use a convex hull of the points"
    )]
    Open {
        /// First vertex of the edge.
        from: u32,
        /// Second vertex of the edge.
        to: u32,
    },
    /// Two triangles that meet at an edge run around it the same way.
    #[error(
        "triangles disagree about inside and outside at the edge from vertex {from} to \
         vertex {to}; reverse the corner order of one of them"
    )]
    MixedWinding {
        /// First vertex of the edge.
        from: u32,
        /// Second vertex of the edge.
        to: u32,
    },
    /// The surface is closed but every normal points inwards.
    #[error(
        "the mesh is inside out (volume {volume} m³); corners run anticlockwise seen from \
         outside: turn it with `flip_winding`"
    )]
    InsideOut {
        /// The negative volume found [m³].
        volume: f64,
    },
    /// The hull algorithm did not return a convex closed surface.
    #[error(
        "no convex hull of these {count} points was found; \
         merge points that nearly coincide, or give fewer"
    )]
    HullFailed {
        /// How many distinct points were given.
        count: usize,
    },
}

/// Smallest and largest length accepted [m].
const LENGTH_RANGE: core::ops::RangeInclusive<f64> = 1e-12..=1e12;

/// Passes a positive, finite length in range, or says what is wrong with it.
pub(super) fn check_length(field: &'static str, value: f64) -> Result<f64, ShapeError> {
    if !value.is_finite() {
        Err(ShapeError::NotFinite { field, value })
    } else if value <= 0.0 {
        Err(ShapeError::NotPositive { field, value })
    } else if !LENGTH_RANGE.contains(&value) {
        Err(ShapeError::OutOfRange { field, value })
    } else {
        Ok(value)
    }
}

/// Passes finite coordinates in range, or says what is wrong with the first bad one.
pub(super) fn check_points(
    field: &'static str,
    points: &[nalgebra::Vector3<f64>],
) -> Result<(), ShapeError> {
    for &value in points.iter().flat_map(|p| p.iter()) {
        if !value.is_finite() {
            return Err(ShapeError::NotFinite { field, value });
        }
        if value.abs() > *LENGTH_RANGE.end() {
            return Err(ShapeError::OutOfRange { field, value });
        }
    }
    let extent = largest_extent(points);
    if extent > 0.0 && extent < *LENGTH_RANGE.start() {
        return Err(ShapeError::OutOfRange { field, value: extent });
    }
    Ok(())
}

/// Longest side of the axis-aligned box around the points [m]; 0 for none.
pub(super) fn largest_extent(points: &[nalgebra::Vector3<f64>]) -> f64 {
    let (lower, upper) = bounds(points);
    (upper - lower).max().max(0.0)
}

/// Axis-aligned box around the points [m].
pub(super) fn bounds(
    points: &[nalgebra::Vector3<f64>],
) -> (nalgebra::Vector3<f64>, nalgebra::Vector3<f64>) {
    let Some(first) = points.first() else { return Default::default() };
    points.iter().fold((*first, *first), |(lower, upper), p| (lower.inf(p), upper.sup(p)))
}
