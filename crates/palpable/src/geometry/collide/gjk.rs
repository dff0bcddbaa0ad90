//! Distance of two convex cores `[Gilbert1988]`, without allocation.

use super::convex::Pair;
use super::simplex::Simplex;
use crate::math::Vec3;

/// Closest points of two cores.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closest {
    pub a: Vec3,
    pub b: Vec3,
    /// From a to b, unit length; of no meaning if the cores overlap.
    pub normal: Vec3,
    /// 0 if the cores overlap.
    pub distance: f64,
}

/// More rounds than any pair of sane shapes needs; the result is then the best so far.
const MOST_ROUNDS: usize = 100;

/// A smaller distance, as a share of the size, counts as overlap: its direction is noise.
pub(super) const TOUCHING: f64 = 1e-10;

/// The closest points of the cores of a pair.
///
/// Walks over simplices of the difference set `A − B`: from the closest point `v` to the origin
/// it asks for the support along `−v`; `|v|² − v·w` bounds what can still be gained.
/// # Guarantee
/// Never panics and always ends; the distance never lies below the true one beyond rounding.
/// # Cost
/// A few rounds, each two supports; no allocation.
pub(super) fn closest(pair: &Pair, guess: &Vec3) -> Closest {
    let mut simplex = Simplex::default();
    let mut v = -guess;
    if !(v.norm_squared() > 0.0) {
        v = Vec3::x();
    }
    let mut best = f64::INFINITY;
    let touching = TOUCHING * pair.size();
    for _ in 0..MOST_ROUNDS {
        let (a, b) = (pair.support_a(&-v), pair.support_b(&v));
        let w = a - b;
        let gain = v.norm_squared() - v.dot(&w);
        if simplex.count() > 0 && (gain <= 1e-15 * v.norm_squared() || simplex.holds(&w)) {
            break;
        }
        let before = simplex;
        simplex.push(w, a, b);
        let Some(next) = simplex.reduce() else {
            return overlap(&simplex);
        };
        let square = next.norm_squared();
        if !(square < best) {
            simplex = before;
            break;
        }
        (v, best) = (next, square);
        if best <= touching * touching {
            return overlap(&simplex);
        }
    }
    let [a, b] = simplex.points();
    Closest { a, b, normal: simplex.normal(&-v), distance: best.sqrt() }
}

fn overlap(simplex: &Simplex) -> Closest {
    let [a, b] = simplex.points();
    Closest { a, b, normal: Vec3::zeros(), distance: 0.0 }
}
