//! Four contacts that stand for many: the deepest, and the largest area.

use super::glide::Glide;
use super::manifold::{FEW_POINTS, Patch, Point};
use crate::math::Vec3;

/// Areas nearer to each other than this share of the spread count as equal.
const TIE: f64 = 1e-6;
/// The same for depths.
const TIE_OF_DEPTH: f64 = 1e-9;

/// Keeps the deepest contact, the furthest from it, the two that span most on either side, and
/// those that the motion brings inside.
pub(super) fn reduce(n: &Vec3, all: &[Point], glide: &Glide) -> Patch {
    let mut patch = Patch { normal: *n, ..Patch::default() };
    if all.len() <= FEW_POINTS {
        all.iter().for_each(|p| patch.push(*p));
        return patch;
    }
    let spread = all.iter().map(|p| (p.b - all[0].b).norm_squared()).fold(0.0, f64::max).sqrt();
    let least = all.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
    let middle = all.iter().map(|p| p.b).sum::<Vec3>() / all.len() as f64;
    // of equally deep ones that furthest out
    let out = |p: &Point| {
        let deep = p.gap <= least + TIE_OF_DEPTH * spread;
        if deep { (p.b - middle).norm_squared() } else { -1.0 }
    };
    let first = first_of(all, out, TIE * spread * spread);
    let p0 = all[first].b;
    let second = first_of(all, |p| (p.b - p0).norm_squared(), TIE * spread * spread);
    let d = all[second].b - p0;
    let area = |p: &Point| d.cross(&(p.b - p0)).dot(n);
    let third = first_of(all, area, TIE * spread * spread);
    let fourth = first_of(all, |p| -area(p), TIE * spread * spread);
    let few = [first, second, third, fourth];
    for (k, i) in few.into_iter().enumerate() {
        if !few[..k].contains(&i) {
            patch.push(all[i]);
        }
    }
    for (i, p) in all.iter().enumerate() {
        if !few.contains(&i) && glide.closes(&p.b, n, p.gap) {
            patch.push(*p);
        }
    }
    patch
}

/// The first of the contacts whose measure is largest up to a tie.
fn first_of(all: &[Point], measure: impl Fn(&Point) -> f64, tie: f64) -> usize {
    let most = all.iter().map(&measure).fold(f64::NEG_INFINITY, f64::max);
    all.iter().position(|p| measure(p) >= most - tie).unwrap_or(0)
}
