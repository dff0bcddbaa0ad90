//! Matrices of a contact over a region, kept as the blocks that are not zero.
//!
//! Pressing couples `v_n, ω_1, ω_2`, rubbing couples `v_1, v_2, ω_n`, and neither the other: a
//! stiffness over the region is two symmetric blocks of three. The rows towards the twist of a body
//! turn with the body but do not move with its spin: three blocks of three.

use crate::math::{Mat3, Mat6, Vec3, Vec6, angular, join, linear};

/// `[A, L; 0, T]`: twist of a contact from the twist of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows {
    /// from the velocity of its centre to that at the contact
    pub axes: Mat3,
    /// from its spin to the velocity at the contact
    pub lever: Mat3,
    /// from its spin to the spin at the contact
    pub turn: Mat3,
}

impl Rows {
    pub fn zeros() -> Self {
        let zero = Mat3::zeros();
        Self { axes: zero, lever: zero, turn: zero }
    }

    pub fn times(&self, twist: &Vec6) -> Vec6 {
        let (v, w) = (linear(twist), angular(twist));
        join(&(self.axes * v + self.lever * w), &(self.turn * w))
    }

    /// The wrench on the body from that at the contact.
    pub fn back(&self, wrench: &Vec6) -> Vec6 {
        let (f, m) = (linear(wrench), angular(wrench));
        join(&self.axes.tr_mul(&f), &(self.lever.tr_mul(&f) + self.turn.tr_mul(&m)))
    }

    pub fn matrix(&self) -> Mat6 {
        blocks(&self.axes, &self.lever, &Mat3::zeros(), &self.turn)
    }
}

/// A symmetric matrix over a region: its blocks for pressing and for rubbing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slope {
    pub normal: Mat3,
    pub shear: Mat3,
}

impl Slope {
    pub fn zeros() -> Self {
        Self { normal: Mat3::zeros(), shear: Mat3::zeros() }
    }

    pub fn times(&self, u: &Vec6) -> Vec6 {
        press(&self.normal, u) + rub(&self.shear, u)
    }

    pub fn matrix(&self) -> Mat6 {
        let (n, s) = (&self.normal, &self.shear);
        let mut out = Mat6::zeros();
        for i in 0..3 {
            for j in 0..3 {
                out[(PRESSES[i], PRESSES[j])] = n[(i, j)];
                out[(RUBS[i], RUBS[j])] = s[(i, j)];
            }
        }
        out
    }

    /// `K J` by blocks: its rows 0 to 2 and 3 to 5, for columns 0 to 2 and 3 to 5.
    fn of(&self, j: &Rows) -> [Mat3; 4] {
        let (n, s) = (&self.normal, &self.shear);
        // columns of J are (a, 0) and (l, t)
        let upper = |c: &Vec3, t: &Vec3| {
            let press = n * Vec3::new(c.x, t.y, t.z);
            let rub = s * Vec3::new(c.y, c.z, t.x);
            (Vec3::new(press.x, rub.x, rub.y), Vec3::new(rub.z, press.y, press.z))
        };
        let mut out = [Mat3::zeros(); 4];
        for k in 0..3 {
            let (a, l, t) = (j.axes.column(k), j.lever.column(k), j.turn.column(k));
            let (top, low) = upper(&a.into_owned(), &Vec3::zeros());
            out[0].set_column(k, &top);
            out[2].set_column(k, &low);
            let (top, low) = upper(&l.into_owned(), &t.into_owned());
            out[1].set_column(k, &top);
            out[3].set_column(k, &low);
        }
        out
    }

    /// `I_aᵀ K J_b`.
    pub fn between(&self, a: &Rows, b: &Rows) -> Mat6 {
        let [p, q, r, s] = self.of(b);
        let low = a.lever.tr_mul(&p) + a.turn.tr_mul(&r);
        let right = a.lever.tr_mul(&q) + a.turn.tr_mul(&s);
        blocks(&a.axes.tr_mul(&p), &a.axes.tr_mul(&q), &low, &right)
    }

    /// `Jᵀ K J`.
    pub fn about(&self, j: &Rows) -> Mat6 {
        let [p, q, _, s] = self.of(j);
        let side = j.axes.tr_mul(&q);
        let right = j.lever.tr_mul(&q) + j.turn.tr_mul(&s);
        blocks(&j.axes.tr_mul(&p), &side, &side.transpose(), &right)
    }
}

/// Places of `v_n, ω_1, ω_2` in a twist.
const PRESSES: [usize; 3] = [0, 4, 5];
/// Places of `v_1, v_2, ω_n`.
const RUBS: [usize; 3] = [1, 2, 3];

/// A block of pressing times a twist.
pub(super) fn press(block: &Mat3, u: &Vec6) -> Vec6 {
    let f = block * Vec3::new(u[0], u[4], u[5]);
    Vec6::new(f.x, 0.0, 0.0, 0.0, f.y, f.z)
}

/// A block of rubbing times a twist.
pub(super) fn rub(block: &Mat3, u: &Vec6) -> Vec6 {
    let f = block * Vec3::new(u[1], u[2], u[3]);
    Vec6::new(0.0, f.x, f.y, f.z, 0.0, 0.0)
}

fn blocks(a: &Mat3, b: &Mat3, c: &Mat3, d: &Mat3) -> Mat6 {
    let mut out = Mat6::zeros();
    for j in 0..3 {
        for i in 0..3 {
            out[(i, j)] = a[(i, j)];
            out[(i, j + 3)] = b[(i, j)];
            out[(i + 3, j)] = c[(i, j)];
            out[(i + 3, j + 3)] = d[(i, j)];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(seed: f64) -> Mat3 {
        Mat3::from_fn(|i, j| (seed + 1.7 * i as f64 - 0.9 * j as f64).sin())
    }

    fn symmetric(seed: f64) -> Mat3 {
        some(seed) + some(seed).transpose()
    }

    #[test]
    fn blocks_multiply_as_the_matrices_do() {
        let k = Slope { normal: symmetric(0.3), shear: symmetric(1.1) };
        let row = |s: f64| Rows { axes: some(s), lever: some(s + 2.0), turn: some(s + 5.0) };
        let (a, b) = (row(0.1), row(0.7));
        let u = Vec6::new(0.3, -0.2, 0.9, 1.4, -0.6, 0.5);
        let (full, ja, jb) = (k.matrix(), a.matrix(), b.matrix());
        // sums of a few numbers near one
        let close = |x: f64| assert!(x < 1e-13, "{x}");
        close((k.times(&u) - full * u).norm());
        close((a.times(&u) - ja * u).norm());
        close((a.back(&u) - ja.tr_mul(&u)).norm());
        close((k.between(&a, &b) - ja.tr_mul(&(full * jb))).norm());
        close((k.about(&a) - ja.tr_mul(&(full * ja))).norm());
    }
}
