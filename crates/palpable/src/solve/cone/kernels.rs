//! Products with the Jacobians and responses of one contact; three rows on free bodies are fixed
//! sizes.

use super::law::Block;
use super::problem::{Blocks, Link};
use crate::math::dot6;

/// Rows of one contact; those beyond its own are zero.
pub(super) type Rows = [f64; 6];

/// A contact whose normal is this much less mobile than its other rows cannot push.
const IMMOBILE: f64 = 1e-12;

#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    match (a.first_chunk::<6>(), b.first_chunk::<6>()) {
        (Some(a6), Some(b6)) if a.len() == 6 => dot6(a6, b6),
        _ => a.iter().zip(b).map(|(a, b)| a * b).sum(),
    }
}

/// Rows of 6 of a three-row block.
#[inline(always)]
fn three(data: &[f64], start: usize) -> Option<&[[f64; 6]; 3]> {
    data.get(start..start + 18)?.as_chunks::<6>().0.first_chunk()
}

impl Blocks {
    /// The links of a contact.
    #[inline(always)]
    pub fn links(&self, block: &Block) -> &[Link] {
        &self.links[block.side..block.side + block.sides]
    }

    /// `J z` of a fast contact.
    #[inline(always)]
    pub fn rate3(&self, block: &Block, z: &[f64]) -> [f64; 3] {
        let mut out = [0.0; 3];
        for link in self.links(block) {
            let (Some(j), Some(z)) =
                (three(&self.jacobian, link.jacobian), z[link.start..].first_chunk::<6>())
            else {
                continue;
            };
            for r in 0..3 {
                out[r] += dot6(&j[r], z);
            }
        }
        out
    }

    /// `z += A⁻¹Jᵀ d` of a fast contact.
    #[inline(always)]
    pub fn respond3(&self, block: &Block, d: &[f64; 3], z: &mut [f64]) {
        for link in self.links(block) {
            let (Some(y), Some(z)) =
                (three(&self.response, link.response), z[link.start..].first_chunk_mut::<6>())
            else {
                continue;
            };
            for k in 0..6 {
                z[k] += y[0][k] * d[0] + y[1][k] * d[1] + y[2][k] * d[2];
            }
        }
    }

    /// `J z` of any contact.
    #[inline]
    pub fn rate(&self, block: &Block, z: &[f64]) -> Rows {
        let mut out = [0.0; 6];
        if block.fast {
            out[..3].copy_from_slice(&self.rate3(block, z));
            return out;
        }
        for link in self.links(block) {
            let z = &z[link.read..link.read + link.width];
            for (r, out) in out.iter_mut().enumerate().take(block.rows) {
                *out += dot(self.jacobian_row(link, r), z);
            }
        }
        out
    }

    /// `z += A⁻¹Jᵀ d` of any contact.
    #[inline]
    pub fn respond(&self, block: &Block, d: &[f64], z: &mut [f64]) {
        if let (true, Some(d)) = (block.fast, d.first_chunk::<3>()) {
            self.respond3(block, d, z);
            return;
        }
        for link in self.links(block) {
            let z = &mut z[link.start..link.start + link.dim];
            for (r, &d) in d.iter().enumerate().take(block.rows) {
                if d != 0.0 {
                    let y = self.response_row(link, r);
                    z.iter_mut().zip(y).for_each(|(z, y)| *z += y * d);
                }
            }
        }
    }

    #[inline]
    fn jacobian_row(&self, link: &Link, r: usize) -> &[f64] {
        let start = link.jacobian + r * link.width;
        &self.jacobian[start..start + link.width]
    }

    #[inline]
    fn response_row(&self, link: &Link, r: usize) -> &[f64] {
        let start = link.response + r * link.dim;
        &self.response[start..start + link.dim]
    }

    /// Entry `(r, s)` of `W = J A⁻¹Jᵀ` between row `r` of `a` and row `s` of `b`.
    #[inline]
    pub fn delassus(&self, a: &Block, r: usize, b: &Block, s: usize) -> f64 {
        let mut sum = 0.0;
        for left in self.links(a) {
            for right in self.links(b) {
                if left.group == right.group {
                    let column = left.read - left.start;
                    let y = &self.response_row(right, s)[column..column + left.width];
                    sum += dot(self.jacobian_row(left, r), y);
                }
            }
        }
        sum
    }

    /// The block of `W = J A⁻¹Jᵀ` between the rows of `a` and those of `b`.
    pub fn coupling(&self, a: &Block, b: &Block) -> [Rows; 6] {
        let mut out = [[0.0; 6]; 6];
        for left in self.links(a) {
            for right in self.links(b).iter().filter(|right| right.group == left.group) {
                let column = left.read - left.start;
                let (fixed, wide) = (left.width == 6, column..column + left.width);
                for (r, out) in out.iter_mut().enumerate().take(a.rows) {
                    let row = self.jacobian_row(left, r);
                    for (s, out) in out.iter_mut().enumerate().take(b.rows) {
                        let y = &self.response_row(right, s)[wide.clone()];
                        *out += match (row.first_chunk::<6>(), y.first_chunk::<6>()) {
                            (Some(row), Some(y)) if fixed => dot6(row, y),
                            _ => row.iter().zip(y).map(|(j, y)| j * y).sum(),
                        };
                    }
                }
            }
        }
        out
    }

    /// Local block of a contact, row-major.
    pub fn local(&self, block: &Block, d: &mut [f64]) {
        let n = block.rows;
        if let (true, Some(d)) = (block.fast, d.first_chunk_mut::<9>()) {
            d.fill(0.0);
            for link in self.links(block) {
                let (Some(j), Some(y)) =
                    (three(&self.jacobian, link.jacobian), three(&self.response, link.response))
                else {
                    continue;
                };
                for k in 0..9 {
                    d[k] += dot6(&j[k / 3], &y[k % 3]);
                }
            }
            return;
        }
        for (k, d) in d.iter_mut().enumerate().take(n * n) {
            *d = self.delassus(block, k / n, block, k % n);
        }
    }

    /// Mobilities of the rows: the diagonal of the local block.
    #[inline]
    fn mobilities(&self, block: &Block) -> Rows {
        let mut w = [0.0; 6];
        if block.fast {
            for link in self.links(block) {
                let (Some(j), Some(y)) =
                    (three(&self.jacobian, link.jacobian), three(&self.response, link.response))
                else {
                    continue;
                };
                (0..3).for_each(|r| w[r] += dot6(&j[r], &y[r]));
            }
        } else {
            for (r, w) in w.iter_mut().enumerate().take(block.rows) {
                *w = self.delassus(block, r, block, r);
            }
        }
        w
    }

    /// Mobilities for the natural map; finds contacts that cannot push.
    pub fn weigh(&self, block: &mut Block) {
        let w = self.mobilities(block);
        let all: f64 = w.iter().sum();
        let top = |w: &[f64]| w.iter().fold(0.0, |a: f64, w| a.max(*w));
        block.weight = [w[0], top(&w[1..3]), w[3], top(&w[4..])];
        let immobile = !(block.weight[0] > IMMOBILE * top(&w));
        block.dead = immobile || !all.is_finite();
        // rows that nothing moves: any positive weight makes their natural map right
        let least = IMMOBILE * block.weight[0];
        block.weight[1..].iter_mut().for_each(|w| *w = w.max(least));
    }
}
