//! The momentum of a chain that floats freely.
//!
//! The step of a subsystem is second order in its momentum, which is not one of its coordinates.
//! Nothing outside acts on a floating chain but gravity, so its momentum is known, and since `L` is
//! lower triangular with the base first, it is held by the first six velocities alone:
//!
//! ```text
//! p = (M w)₁..₆ = L₆ ξ₁..₆,    ξ₁..₆ ← L₆⁻¹ p,    |ξ₇..| scaled so that |ξ| stays
//! ```
//! `p` is the linear momentum, and the angular momentum about the base in base axes.

use crate::math::{Rotation, Vec3};
use crate::model::lagrangian::base_pose;
use crate::model::{Site, SystemAt, SystemWork};

/// Numbers that move the base.
const BASE: usize = 6;
/// The inner motion gives or takes at most this part of itself.
const MOST: f64 = 0.2;

/// Momentum of a floating chain, world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Momentum {
    /// [kg·m/s]
    linear: Vec3,
    /// About the centre of mass [kg·m²/s].
    angular: Vec3,
    /// Centre of mass [m].
    center: Vec3,
}

/// Mass [kg] and centre of mass [m] of the links.
fn center(site: &Site, s: SystemAt) -> (f64, Vec3) {
    let (mut mass, mut sum) = (0.0, Vec3::zeros());
    for node in site.model.systems[s].nodes.clone() {
        let m = site.params.bodies[node].mass;
        mass += m;
        sum += site.state.bodies[node].x * m;
    }
    (mass, sum / mass)
}

/// The momentum of system `s`, which must float and be evaluated where it is.
pub fn momentum_of(site: &Site, s: SystemAt) -> Momentum {
    let (state, work) = (&*site.state, &site.systems[s]);
    let xi = &state.systems[s].xi;
    let p = |i: usize| (0..=i).map(|k| work.l[(i, k)] * xi[k]).sum::<f64>();
    let base = base_pose(&state.systems[s].q);
    let linear = Vec3::new(p(0), p(1), p(2));
    let about_base = base.rotation * Vec3::new(p(3), p(4), p(5));
    let (_, center) = center(site, s);
    let angular = about_base + (base.position - center).cross(&linear);
    Momentum { linear, angular, center }
}

/// Gives system `s` the momentum `before`, and that of gravity over `h` [s], and moves its centre
/// of mass accordingly; its links must be shown where they are. Returns the change of kinetic
/// energy, which is rounding [J].
pub fn keep_momentum(site: &mut Site, s: SystemAt, before: &Momentum, h: f64) -> f64 {
    let (mass, com) = center(site, s);
    let (params, state, work) = (site.params, &mut *site.state, &mut site.systems[s]);
    let base = base_pose(&state.systems[s].q);
    let linear = before.linear + params.gravity * (mass * h);
    let about_base = before.angular - (base.position - com).cross(&linear);
    let wanted = rigid(work, &base.rotation, &linear, &about_base);
    let system = &mut state.systems[s];
    let (kinetic, (base, inner)) = (system.kinetic(), system.xi.split_at_mut(BASE));
    let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    let ratio = (square(base) + square(inner) - square(&wanted)) / square(inner);
    // a chain that hardly moves in itself cannot pay for its momentum
    if !((ratio - 1.0).abs() <= MOST) {
        return 0.0;
    }
    base.copy_from_slice(&wanted);
    inner.iter_mut().for_each(|x| *x *= ratio.sqrt());
    let change = system.kinetic() - kinetic;
    // the centre of mass moves as its momentum says; across gravity that is free
    let mean = (before.linear + linear) * (0.5 / mass);
    let astray = before.center + mean * h - com;
    let down = params.gravity.try_normalize(0.0).unwrap_or_default();
    let shift = astray - down * down.dot(&astray);
    system.q.iter_mut().zip(&shift).for_each(|(q, d)| *q += d);
    work.shift_frames(&shift);
    change
}

/// `L₆⁻¹ p`.
fn rigid(work: &SystemWork, turn: &Rotation, linear: &Vec3, angular: &Vec3) -> [f64; BASE] {
    let own = turn.inverse() * angular;
    let mut x = [linear.x, linear.y, linear.z, own.x, own.y, own.z];
    for i in 0..BASE {
        let known: f64 = (0..i).map(|k| work.l[(i, k)] * x[k]).sum();
        x[i] = (x[i] - known) / work.l[(i, i)];
    }
    x
}
