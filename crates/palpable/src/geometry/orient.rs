//! On which side of a plane a point lies, exactly `[Shewchuk1997]`.

use nalgebra::Vector3;

/// Relative error of the plain determinant; 1.2 times the bound `7 u + 56 u²`, `u = 2⁻⁵³`
/// `[Shewchuk1997]`.
const FILTER: f64 = 9.4e-16;

/// The sign of `(b − a) × (c − a) · (d − a)`: 1 if `d` lies on the side from which `a, b, c`
/// run anticlockwise, −1 on the other, 0 in the plane.
///
/// # Guarantee
/// Exact for the numbers given, as long as no product of three coordinates underflows: a plain
/// evaluation decides when its error bound allows, else the determinant is expanded into
/// doubles that add up to it without rounding (error-free sums and products).
pub(super) fn orient(a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>, d: &Vector3<f64>) -> i8 {
    let (u, v, w) = (b - a, c - a, d - a);
    let det = u.cross(&v).dot(&w);
    let (u, v, w) = (u.abs(), v.abs(), w.abs());
    let permanent = w.x * (u.y * v.z + u.z * v.y)
        + w.y * (u.z * v.x + u.x * v.z)
        + w.z * (u.x * v.y + u.y * v.x);
    if det.abs() > FILTER * permanent {
        return if det > 0.0 { 1 } else { -1 };
    }
    exact([b, c, d].map(|p| [0, 1, 2].map(|i| difference(p[i], a[i]))))
}

/// A number as the exact sum of two doubles, the larger first.
type Pair = [f64; 2];

/// Sign of the determinant of three rows of exact numbers.
fn exact(rows: [[Pair; 3]; 3]) -> i8 {
    let mut sum = Expansion::default();
    for (i, j, k, sign) in [
        (0, 1, 2, 1.0),
        (1, 2, 0, 1.0),
        (2, 0, 1, 1.0),
        (0, 2, 1, -1.0),
        (2, 1, 0, -1.0),
        (1, 0, 2, -1.0),
    ] {
        for x in rows[0][i] {
            for y in rows[1][j] {
                for z in rows[2][k] {
                    sum.add_product(sign * x, y, z);
                }
            }
        }
    }
    sum.sign()
}

/// A sum kept without rounding: doubles that do not overlap, smallest first.
#[derive(Default)]
struct Expansion(Vec<f64>);

impl Expansion {
    fn add_product(&mut self, x: f64, y: f64, z: f64) {
        if x == 0.0 || y == 0.0 || z == 0.0 {
            return;
        }
        let [high, low] = product(x, y);
        for part in [product(low, z), product(high, z)] {
            self.add(part[1]);
            self.add(part[0]);
        }
    }

    fn add(&mut self, value: f64) {
        let mut carry = value;
        for term in &mut self.0 {
            let [high, low] = sum(carry, *term);
            (*term, carry) = (low, high);
        }
        self.0.push(carry);
        self.0.retain(|term| *term != 0.0);
    }

    fn sign(&self) -> i8 {
        match self.0.last() {
            Some(largest) if *largest > 0.0 => 1,
            Some(largest) if *largest < 0.0 => -1,
            _ => 0,
        }
    }
}

/// `x + y` without rounding.
fn sum(x: f64, y: f64) -> Pair {
    let high = x + y;
    let y_part = high - x;
    [high, (x - (high - y_part)) + (y - y_part)]
}

/// `x − y` without rounding.
fn difference(x: f64, y: f64) -> Pair {
    sum(x, -y)
}

/// `x y` without rounding.
fn product(x: f64, y: f64) -> Pair {
    let high = x * y;
    [high, x.mul_add(y, -high)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_side_is_exact_one_unit_in_the_last_place_away_from_the_plane() {
        // x + y + z = 1.5 in tenths that doubles cannot hold; the plain determinant is noise
        let (a, b) = (Vector3::new(0.5, 0.5, 0.5), Vector3::new(12.0, 12.0, -22.5));
        let c = Vector3::new(24.0, -24.0, 1.5);
        let up = |z: f64| Vector3::new(0.1, 0.4, z);
        let on = Vector3::new(0.25, 0.75, 0.5);
        let side = orient(&a, &b, &c, &Vector3::new(0.0, 0.0, 100.0));
        assert_eq!(orient(&a, &b, &c, &on), 0);
        let next = Vector3::new(0.25, 0.75, 0.5_f64.next_up());
        let last = Vector3::new(0.25, 0.75, 0.5_f64.next_down());
        assert_eq!(orient(&a, &b, &c, &next), side);
        assert_eq!(orient(&a, &b, &c, &last), -side);
        // 0.1 + 0.4 + 1 differs from 1.5 by the rounding of 0.1 and 0.4, both upwards
        assert_eq!(orient(&a, &b, &c, &up(1.0)), side);
    }
}
