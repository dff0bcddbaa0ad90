//! Contact and hard joints as springs and dampers, for the schemes that know neither.
//!
//! What programs without constraints do. It is here for comparison with the schemes of the papers,
//! under conditions that are fair to them: springs as stiff as the step allows, and no stiffer.
//!
//! # Equation
//! ```text
//! k = (α/h)² m,   b = 2 ζ (α/h) m                         m: the mass that the spring moves
//! normal    f_n = max(0, k δ − b v_n)                     v_n: rate of the gap
//!           δ = −(gap + a v_n)                            a: 0, h/2 or h
//! friction  f_t = −min(μ f_n, (α/h) m_t |v_t|) v_t/|v_t|
//! joints    λ = −(k G + b J u)  on every hard row
//! ```
//! # Symbols
//! `a` is where the scheme takes its forces: at the start, in the middle or at the end of the step,
//! reached with the velocity of the start. `α` is the angle of the spring's oscillation in one step
//! \[rad\], [`Penalty::angle`]; `ζ` follows from the restitution `e` of a contact,
//! `ζ = −ln e/√(π² + ln² e)`, 1 for `e = 0`; for joints it is [`Penalty::damping`].
//! # Guarantee
//! None: such springs store energy, and overlaps that appear or vanish between steps make or lose
//! it. The ledger shows how much. Friction creeps, and neither spinning nor rolling is resisted.

use crate::contact::Touch;
use crate::math::{Mat6, Vec3, Vec6, angular, join, linear};
use crate::model::{BodyState, Params};
use crate::settle::Slate;
use crate::stamp;
use crate::world::scratch::{Progress, Scratch};

/// How schemes other than [`crate::Scheme::PassiveMidpoint`] hold what touches and hard joints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penalty {
    /// Angle by which a spring's own oscillation turns in one step [rad]. Symplectic Euler is
    /// stable up to 2 with one spring on a body, and with less where several share one.
    pub angle: f64,
    /// Damping ratio of joints [1].
    pub damping: f64,
}

impl Default for Penalty {
    /// An angle of 0.3 rad, half of critical damping: stable in all schemes for simple scenes.
    fn default() -> Self {
        Self { angle: 0.3, damping: 0.5 }
    }
}

/// Velocity of the second body against the first where they touch, by twists.
fn slide(touch: &Touch, bodies: &[BodyState], twist: impl Fn(usize) -> Vec6) -> Vec3 {
    let mut v = Vec3::zeros();
    for (node, sign) in touch.nodes().iter().zip([-1.0, 1.0]) {
        let Some(node) = *node else { continue };
        let (s, u) = (&bodies[node], twist(node));
        v += (linear(&u) + (s.q * angular(&u)).cross(&(touch.point - s.x))) * sign;
    }
    v
}

/// The mass that a force along the unit vector `d` moves where two bodies touch [kg].
fn moved(touch: &Touch, (params, bodies): (&Params, &[BodyState]), d: &Vec3) -> f64 {
    let mut mobility = 0.0;
    for node in touch.nodes().iter().flatten() {
        let (p, s) = (&params.bodies[*node], &bodies[*node]);
        let lever = s.q.inverse() * (touch.point - s.x).cross(d);
        mobility += 1.0 / p.mass + lever.component_mul(&lever).component_div(&p.inertia).sum();
    }
    if mobility > 0.0 { 1.0 / mobility } else { 0.0 }
}

/// Adds the forces of all contacts to those on the bodies.
pub(super) fn push_contacts(
    params: &Params,
    scratch: &mut Scratch,
    penalty: &Penalty,
    (h, ahead): (f64, f64),
) {
    let Scratch { work, contact, slate: Slate { springs, .. }, acting, .. } = scratch;
    springs.touches.clear();
    let Some(stage) = contact else { return };
    stage.report.depth = 0.0;
    let omega = penalty.angle / h;
    for touch in &mut stage.touches {
        let v = slide(touch, &work.bodies, |node| work.bodies[node].twist());
        let opening = touch.normal.dot(&v);
        let depth = -(touch.gap_at(work) + ahead * opening);
        touch.force = Vec3::zeros();
        let m = moved(touch, (params, &work.bodies), &touch.normal);
        let (k, e) = (omega * omega * m, touch.material.restitution);
        springs.touches.push([k, 0.0]);
        if !(depth > 0.0) {
            continue;
        }
        stage.report.depth = stage.report.depth.max(depth);
        let log = e.clamp(1e-9, 1.0).ln();
        let zeta = if e > 0.0 { -log / log.hypot(std::f64::consts::PI) } else { 1.0 };
        let normal = (k * depth - 2.0 * zeta * omega * m * opening).max(0.0);
        let across = v - touch.normal * opening;
        let speed = across.norm();
        let mut force = touch.normal * normal;
        if let Some(d) = across.try_normalize(0.0) {
            let held = omega * moved(touch, (params, &work.bodies), &d) * speed;
            force -= d * held.min(touch.material.friction * normal);
        }
        touch.force = force;
        if let Some(last) = springs.touches.last_mut() {
            last[1] = k * depth;
        }
        for (node, sign) in touch.nodes().iter().zip([-1.0, 1.0]) {
            let Some(node) = *node else { continue };
            let s = &work.bodies[node];
            let torque = (touch.point - s.x).cross(&force);
            acting.wrenches[node] += join(&force, &(s.q.inverse() * torque)) * sign;
        }
    }
}

/// What friction and the dampers of contacts take in a step with the velocities `mid` [J].
pub(super) fn losses(scratch: &Scratch, h: f64) -> [f64; 2] {
    let Some(stage) = &scratch.contact else { return [0.0; 2] };
    let (mut friction, mut impact) = (0.0, 0.0);
    for (touch, [_, elastic]) in stage.touches.iter().zip(&scratch.slate.springs.touches) {
        if *elastic <= 0.0 {
            continue;
        }
        let v = slide(touch, &scratch.work.bodies, |node| scratch.slate.mid[node]);
        let normal = touch.normal.dot(&touch.force);
        let across = touch.force - touch.normal * normal;
        friction -= h * across.dot(&v);
        impact -= h * (normal - elastic) * touch.normal.dot(&v);
    }
    [friction, impact]
}

/// The springs of hard rows, by the mass that each row moves.
pub(super) fn soften<S: Iterator<Item = (usize, Mat6)>>(
    params: &Params,
    sides: impl Fn() -> S,
    hard: impl Fn(usize) -> bool,
    (penalty, h): (&Penalty, f64),
) -> [Vec6; 2] {
    let (omega, mut out) = (penalty.angle / h, [Vec6::zeros(); 2]);
    for row in (0..6).filter(|&row| hard(row)) {
        let mut mobility = 0.0;
        for (body, jacobian) in sides() {
            let mass = stamp::mass_vector(&params.bodies[body]);
            let row = Vec6::from_fn(|k, _| jacobian[(row, k)]);
            mobility += row.component_mul(&row).component_div(&mass).sum();
        }
        if mobility > 0.0 {
            out[0][row] = omega * omega / mobility;
            out[1][row] = 2.0 * penalty.damping * omega / mobility;
        }
    }
    out
}

/// Books what the springs did: losses, and what they store after the motion [J].
pub(super) fn settle(scratch: &Scratch, [friction, impact]: [f64; 2], progress: &mut Progress) {
    (progress.friction, progress.impact) = (friction, impact);
    progress.tally.work += friction.abs() + impact.abs();
    let touches = scratch.contact.iter().flat_map(|stage| &stage.touches);
    for (touch, [k, _]) in touches.zip(&scratch.slate.springs.touches) {
        let depth = (-touch.gap_at(&scratch.work)).max(0.0);
        progress.penalty += 0.5 * k * depth * depth;
    }
    for ([k, _], g) in scratch.slate.springs.rows.iter().zip(&scratch.work.strain) {
        progress.penalty += 0.5 * k.dot(&g.component_mul(g));
    }
}
