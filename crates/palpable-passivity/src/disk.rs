//! Generalised disks in the complex plane: disks, half-planes and holes without division.

use nalgebra::Matrix2;

use crate::polynomial::C64;

/// The region `{ g : [g;1]ᴴ M [g;1] <= 0 }` of a Hermitian `M = [[A, B], [B̄, C]]`.
///
/// `A > 0` is a disk, `A = 0` a half-plane, `A < 0` the outside of a disk (a hole).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disk {
    a: f64,
    b: C64,
    c: f64,
    /// Sizes of the terms that A, |B| and C were summed from: their rounding is 1e-16 of these.
    size: [f64; 3],
}

/// What a generalised disk looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// Bounded: the inside of a circle.
    Disk,
    /// One side of a line.
    HalfPlane,
    /// Unbounded: the outside of a circle.
    Hole,
}

impl Disk {
    /// The disk about `center` of `radius`.
    pub fn new(center: C64, radius: f64) -> Self {
        let (square, r) = (center.norm_sqr(), radius * radius);
        Self { a: 1.0, b: -center, c: square - r, size: [1.0, center.norm(), square + r] }
    }

    /// The half-plane `Re g >= edge`.
    pub fn right_of(edge: f64) -> Self {
        Self { a: 0.0, b: C64::new(-1.0, 0.0), c: 2.0 * edge, size: [0.0, 1.0, 2.0 * edge.abs()] }
    }

    /// The image under `g' = (n00 g + n01)/(n10 g + n11)`.
    ///
    /// # Equation
    /// `M' = adj(N)ᴴ M adj(N)`: the adjugate instead of the inverse, so no division.
    pub fn mobius(&self, n: &Matrix2<C64>) -> Self {
        let adjugate = Matrix2::new(n[(1, 1)], -n[(0, 1)], -n[(1, 0)], n[(0, 0)]);
        let m = Matrix2::new(C64::from(self.a), self.b, self.b.conj(), C64::from(self.c));
        let image = adjugate.adjoint() * m * adjugate;
        let [sa, sb, sc] = self.size;
        let weight = adjugate.map(|x| x.norm());
        let size = weight.transpose() * Matrix2::new(sa, sb, sb, sc) * weight;
        Self {
            a: image[(0, 0)].re,
            b: image[(0, 1)],
            c: image[(1, 1)].re,
            size: [size[(0, 0)], size[(0, 1)], size[(1, 1)]],
        }
    }

    /// Disk, half-plane or hole; a half-plane when `A` is rounding of the rest.
    pub fn region(&self) -> Region {
        if self.a.abs() <= 1e-12 * self.size[0] {
            Region::HalfPlane
        } else if self.a > 0.0 {
            Region::Disk
        } else {
            Region::Hole
        }
    }

    /// The circle's centre; infinite or not a number for a half-plane.
    pub fn center(&self) -> C64 {
        -self.b / self.a
    }

    /// The circle's radius; infinite or not a number for a half-plane.
    pub fn radius(&self) -> f64 {
        (self.b.norm_sqr() - self.a * self.c).max(0.0).sqrt() / self.a.abs()
    }

    /// Above zero iff the region lies in the open right half-plane; dimensionless.
    ///
    /// # Equation
    /// ```text
    /// margin = (-Re B - √(|B|² - AC)) / (|B| + √|AC|),  negative if A < 0
    /// ```
    /// # Guarantee
    /// `region ⊂ {Re > 0}  <=>  A >= 0, C >= 0, -Re B >= √(|B|² - AC)` (S-lemma): no centre or
    /// radius is formed, so the test is smooth where a disk becomes a half-plane.
    /// # Differs from the source
    /// `[Brown1998, sec. 4.1]` treats disk, half-plane and hole as separate cases.
    pub fn right_half_plane_margin(&self) -> f64 {
        let size = self.b.norm() + (self.a * self.c).abs().sqrt();
        if size == 0.0 {
            return 0.0;
        }
        let spread = (self.b.norm_sqr() - self.a * self.c).max(0.0).sqrt();
        let margin = (-self.b.re - spread) / size;
        if self.a < -1e-14 * size && margin > 0.0 { -margin } else { margin }
    }
}
