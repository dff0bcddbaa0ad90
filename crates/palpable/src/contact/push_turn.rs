//! A push moves bodies that move, and so changes their angular momentum. Piles that touch nothing
//! fixed get it back: they turn as one, a little.
//!
//! ```text
//! D = Σ δ × m v + (exp(θ) − 1) L,    Δω = −I⁻¹ D,    v ← v + Δω × (x − c),    ω ← ω + Δω
//! ```
//! with `I` the inertia of the whole pile about its centre of mass `c`. Linear momentum stays. What
//! the turn adds to the energy, the motion of the bodies among themselves pays; where that is too
//! much to ask, they do not turn.

use super::Site;
use super::stage::Stage;
use crate::math::{Mat3, Vec3, angular, linear, so3, solve3};
use crate::model::Movers;
use crate::settle::{Payable, kinetic_of_movers};

/// The part of the motion of bodies among themselves that may pay.
const PAYABLE: f64 = 0.5;

impl Stage {
    /// Gives floating piles back the angular momentum that a `part` of their push took; returns
    /// the change of kinetic energy, which is not positive [J].
    pub(super) fn turn_back(&mut self, site: &mut Site, part: f64) -> f64 {
        let mut change = 0.0;
        for k in 0..self.points.piles.len() {
            let pile = self.points.piles[k].clone();
            let pushed = |m: usize| self.points.problem.change(m) != [0.0; 6];
            if self.floats(&pile) && pile.movers.clone().any(pushed) {
                let lost = self.momentum_lost(site, pile.movers.clone(), part);
                self.points.list(pile.movers);
                change += give(site, self.points.listed(), &lost);
            }
        }
        change
    }

    /// `D`: what a part of the push of some movers changed their angular momentum by.
    fn momentum_lost(&self, site: &Site, movers: std::ops::Range<usize>, part: f64) -> Vec3 {
        let mut sum = Vec3::zeros();
        for mover in movers {
            let b = self.points.body(mover);
            let (p, s) = (&site.params.bodies[b], &site.state.bodies[b]);
            let delta = crate::math::Vec6::from(self.points.problem.change(mover)) * part;
            let spin = s.q * p.inertia.component_mul(&s.omega);
            sum += linear(&delta).cross(&(s.v * p.mass));
            sum += spin - so3::exp(&-angular(&delta)) * spin;
        }
        sum
    }
}

/// Turns bodies as one so that they lose the angular momentum `excess`; returns the change of
/// kinetic energy [J].
fn give(site: &mut Site, bodies: &[usize], excess: &Vec3) -> f64 {
    let (params, state) = (site.params, &mut *site.state);
    let movers = Movers { bodies, systems: &[], anchored: false };
    let (mut mass, mut center) = (0.0, Vec3::zeros());
    for &b in bodies {
        mass += params.bodies[b].mass;
        center += state.bodies[b].x * params.bodies[b].mass;
    }
    center /= mass;
    let mut inertia = Mat3::zeros();
    for &b in bodies {
        let (p, s) = (&params.bodies[b], &state.bodies[b]);
        let (r, d) = (s.q.to_rotation_matrix().into_inner(), so3::skew(&(s.x - center)));
        inertia += r * Mat3::from_diagonal(&p.inertia) * r.transpose() - d * d * p.mass;
    }
    let Some(spin) = solve3(&inertia, excess) else { return 0.0 };
    let mut turn = |spin: &Vec3| {
        for &b in bodies {
            let s = &mut state.bodies[b];
            s.v -= spin.cross(&(s.x - center));
            s.omega -= s.q.inverse() * spin;
        }
        kinetic_of_movers(params, state, &movers)
    };
    let before = turn(&Vec3::zeros());
    let gained = turn(&spin) - before;
    if gained <= 0.0 {
        return gained;
    }
    let payable = Payable::of(params, site.state, &movers);
    // scaling rounds, too
    let owed = gained + 1e-15 * before;
    if !(owed <= PAYABLE * payable.energy) {
        for &b in bodies {
            let s = &mut site.state.bodies[b];
            s.v += spin.cross(&(s.x - center));
            s.omega += s.q.inverse() * spin;
        }
        return kinetic_of_movers(params, site.state, &movers) - before;
    }
    payable.change(site.state, &movers, -owed);
    kinetic_of_movers(params, site.state, &movers) - before
}
