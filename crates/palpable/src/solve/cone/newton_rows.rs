//! Natural map of one contact and its generalised derivative, after [Alart1991].
//!
//! ```text
//! y_n = λ_n − u_n/w,  F_n = w (λ_n − max(0, y_n))
//! y_t = λ_t − v_t/w,  F_t = w (λ_t − P(y_t)),   P onto the disc of radius μ max(0, y_n)
//! ```
//! `w` is the mobility of the rows: `F` is a velocity, and equals `v` where the contact sticks.

use super::law::{Block, Disc, Kind};

/// Forces, velocities and `W` of an island, `n` rows.
pub(super) struct Point<'a> {
    pub n: usize,
    pub w: &'a [f64],
    pub lambda: &'a [f64],
    pub velocity: &'a [f64],
    /// part of its mobility that is added to a row
    pub soft: f64,
}

/// Rows of the linear system `jacobian · dλ = −F`; `jacobian` may be left out.
pub(super) struct Equations<'a> {
    pub f: &'a mut [f64],
    pub jacobian: Option<&'a mut [f64]>,
}

/// The normal row of a contact: its place, `y_n` and its mobility `w_n`.
struct Normal {
    row: usize,
    y: f64,
    weight: f64,
}

/// Redundant contacts leave the rows singular; at least this much of their mobility is added. It
/// shortens a step along what no row feels, and leaves the solution where it is.
pub(super) const SOFT: f64 = 1e-7;

impl Equations<'_> {
    /// Row `r` says `velocity = 0`, times `factor`.
    fn stick(&mut self, p: &Point, r: usize, value: f64, weight: f64) {
        self.f[r] = value;
        if let Some(j) = &mut self.jacobian {
            let row = &mut j[r * p.n..r * p.n + p.n];
            row.copy_from_slice(&p.w[r * p.n..r * p.n + p.n]);
            row[r] += p.soft * weight;
        }
    }

    /// Row `r` says `λ = 0`.
    fn release(&mut self, p: &Point, r: usize, weight: f64) {
        self.f[r] = weight * p.lambda[r];
        if let Some(j) = &mut self.jacobian {
            let row = &mut j[r * p.n..r * p.n + p.n];
            row.fill(0.0);
            row[r] = weight;
        }
    }

    /// Writes the rows of `block`, whose first row is `at`.
    pub fn write(&mut self, block: &Block, at: usize, p: &Point) {
        let weight = block.weight[0];
        if block.dead {
            (at..at + block.rows).for_each(|r| self.release(p, r, 1.0));
            return;
        }
        if block.kind == Kind::Bounded {
            return self.write_disc(&block.as_disc(), &Normal { row: at, y: 0.0, weight }, p);
        }
        let u = p.velocity[at] + block.goal;
        let y = p.lambda[at] - u / weight;
        if y > 0.0 {
            self.stick(p, at, u, weight);
        } else {
            self.release(p, at, weight);
        }
        let normal = Normal { row: at, y, weight };
        for k in 0..block.discs() {
            self.write_disc(&block.disc(k), &normal, p);
        }
    }

    fn write_disc(&mut self, disc: &Disc, normal: &Normal, p: &Point) {
        let first = normal.row + disc.first;
        let (rows, weight) = (first..first + disc.len, disc.weight);
        let radius = disc.slope * normal.y.max(0.0) + disc.offset;
        let mut y = [0.0; 2];
        for (y, r) in y.iter_mut().zip(rows.clone()) {
            *y = p.lambda[r] - p.velocity[r] / weight;
        }
        let size = (y[0] * y[0] + y[1] * y[1]).sqrt();
        if size <= radius {
            rows.for_each(|r| self.stick(p, r, p.velocity[r], weight));
        } else if radius <= 0.0 {
            rows.for_each(|r| self.release(p, r, weight));
        } else {
            let direction = [y[0] / size, y[1] / size];
            for (i, r) in rows.clone().enumerate() {
                self.f[r] = weight * (p.lambda[r] - radius * direction[i]);
            }
            self.slip(disc, normal, p, direction, radius / size);
        }
    }

    /// Derivative of a slipping disc:
    /// `w dλ_t − w e dR − w (R/‖y‖)(1 − e eᵀ)(dλ_t − dv_t/w)`, `dR = μ (dλ_n − dv_n/w_n)`.
    fn slip(&mut self, disc: &Disc, normal: &Normal, p: &Point, e: [f64; 2], ratio: f64) {
        let Some(j) = &mut self.jacobian else { return };
        let &Normal { row: at, y: y_n, weight: w_n } = normal;
        let (n, w, first) = (p.n, disc.weight, at + disc.first);
        for i in 0..disc.len {
            let row = &mut j[(first + i) * n..(first + i) * n + n];
            row.fill(0.0);
            row[first + i] += (1.0 + p.soft) * w;
            if y_n > 0.0 {
                row[at] -= w * e[i] * disc.slope;
                let factor = w * e[i] * disc.slope / w_n;
                row.iter_mut().zip(&p.w[at * n..]).for_each(|(x, w)| *x += factor * w);
            }
            for k in 0..disc.len {
                let across = ratio * (f64::from(u8::from(i == k)) - e[i] * e[k]);
                row[first + k] -= w * across;
                let other = &p.w[(first + k) * n..];
                row.iter_mut().zip(other).for_each(|(x, w)| *x += across * w);
            }
        }
    }
}
