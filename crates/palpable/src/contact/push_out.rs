//! What is left of an overlap is taken away, as far as somebody pays for it.

use super::Site;
use super::gather::{Metric, Terms};
use super::rigid::stamp_rigid;
use super::stage::Stage;
use crate::ledger::Tank;
use crate::math::{Vec6, angular, dense, linear, so3};
use crate::model::lagrangian::retract;
use crate::solve::Tools;
use crate::solve::cone::{Law, Rule as ConeRule};
use crate::stamp::Rule;

/// Overlaps below this [m] are left alone.
const SLIGHT: f64 = 1e-9;
/// The same where everything rests, which a push would disturb.
const SLIGHT_AT_REST: f64 = 5e-8;
/// Steps that resting piles wait if nobody paid for their push.
const PATIENCE: u32 = 512;
/// Largest turn of a push, and change of a coordinate [rad or m].
const LARGEST_TURN: f64 = 0.1;

/// Work of a push against gravity on free bodies, and what the tank did not take of it [J].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pushed {
    /// Work against gravity.
    pub lift: f64,
    /// Surplus that a full tank turned away.
    pub discarded: f64,
}

/// Moves overlapping bodies apart by the least mass-weighted displacement.
///
/// # Equation
/// ```text
/// δ = argmin ½ δᵀ M δ    with  G_n δ ≥ −gap,  stiff joints held
/// ```
/// Velocities do not change, so nothing but gravity works against it: free bodies lift from the
/// tank, and no further than it pays; what it costs an island is booked with the island.
/// `strains` are the true ones, by which stops are measured.
pub fn push_out(
    site: &mut Site,
    islands: &mut [Tools],
    stage: &mut Stage,
    (tank, strains): (&mut Tank, &[Vec6]),
    rule: &Rule,
) -> Pushed {
    stage.rest.unpaid = stage.rest.unpaid.saturating_sub(1);
    let waits = stage.rest.unpaid > 0;
    let deepest = |stage: &Stage, site: &Site| {
        stage.touches.iter().map(|t| -t.gap_at(site.state)).fold(0.0, f64::max)
    };
    let past = |k: usize| stage.stop_gaps(site, strains, k).into_iter().fold(0.0, f64::min);
    let furthest = -(0..stage.stop_at.len()).map(past).fold(0.0, f64::min);
    let depth = deepest(stage, site);
    let slight = match stage.all_rest() {
        true if waits => f64::INFINITY,
        true => SLIGHT_AT_REST,
        false => SLIGHT,
    };
    let urgent = depth > slight || furthest > SLIGHT;
    if !urgent {
        stage.report.depth = stage.report.depth.max(depth);
        return Pushed::default();
    }
    stage.restart();
    for (i, island) in site.model.islands.iter().enumerate() {
        if stage.joined[i] {
            stamp_rigid(site, island, &mut islands[i], rule, false);
            let Tools { problem, solution, solver } = &mut islands[i];
            solver.solve_roughly(problem, solution);
        }
    }
    stage.frame_bodies(site, Metric::Mass, rule, &[]);
    let mut sides = [[[0.0; 6]; 6]; 2];
    for t in 0..stage.touches.len() {
        let gap = stage.touches[t].gap_at(site.state);
        stage.sides(t, 1, &mut sides);
        let terms = Terms {
            law: Law::Unilateral,
            target: 0.0,
            hold: 0.0,
            restitution: 0.0,
            bias: &[gap],
            start: &[],
        };
        stage.add_touch(site, islands, (t, 1), &sides, terms);
    }
    add_stops(site, islands, stage, strains, rule);
    let report = stage.cone.solve(&stage.settings, ConeRule::Impulse { rest_speed: f64::MAX });
    stage.report.iterations += report.sweeps + report.newton_steps;
    let pushed = move_free(site, stage, tank);
    move_islands(site, stage);
    stage.report.depth = stage.report.depth.max(deepest(stage, site));
    pushed
}

/// Stops near enough to matter.
fn add_stops(
    site: &mut Site,
    islands: &mut [Tools],
    stage: &mut Stage,
    strains: &[Vec6],
    rule: &Rule,
) {
    for k in 0..stage.stop_blocks.len() {
        let (i, _) = stage.stop_at[k];
        stage.measure_stop(site, k, None, rule);
        let gaps = stage.stop_gaps(site, strains, k);
        for (gap, sign) in gaps.into_iter().zip([1.0, -1.0]) {
            if gap < LARGEST_TURN {
                let (law, bias) = (Law::Unilateral, &[gap]);
                let (target, hold, restitution, start) = (0.0, 0.0, 0.0, &[]);
                let terms = Terms { law, target, hold, restitution, bias, start };
                stage.add_stop(site, &mut islands[i], (i, k, sign, 1.0), terms);
            }
        }
    }
}

/// Moves free bodies, all by the same part of the way, as far as the tank pays.
fn move_free(site: &mut Site, stage: &mut Stage, tank: &mut Tank) -> Pushed {
    let (mut lift, mut turn) = (0.0, 0.0f64);
    for (b, group) in stage.groups.bodies.iter().enumerate() {
        let Some(group) = group else { continue };
        let delta = Vec6::from_column_slice(stage.cone.change(*group as usize));
        lift -= site.params.bodies[b].mass * site.params.gravity.dot(&linear(&delta));
        turn = turn.max(angular(&delta).norm());
    }
    let mut part = if turn > LARGEST_TURN { LARGEST_TURN / turn } else { 1.0 };
    lift *= part;
    // places are rounded, so the work done is not quite the work planned
    let payable = 0.999 * tank.content();
    if lift > payable {
        part *= payable / lift;
        stage.rest.unpaid = PATIENCE;
    }
    if !(part > 0.0) {
        return Pushed::default();
    }
    let mut work = 0.0;
    for (b, group) in stage.groups.bodies.iter().enumerate() {
        let Some(group) = group else { continue };
        let delta = Vec6::from_column_slice(stage.cone.change(*group as usize)) * part;
        let s = &mut site.state.bodies[b];
        let before = s.x;
        s.x += linear(&delta);
        s.q = so3::compose(&s.q, &so3::exp(&angular(&delta)));
        work -= site.params.bodies[b].mass * site.params.gravity.dot(&(s.x - before));
    }
    let discarded = if work > 0.0 {
        // all of it, but for rounding
        tank.pay(work) - work
    } else {
        -work - tank.offer_surplus(-work)
    };
    Pushed { lift: work, discarded }
}

/// Moves the bodies and subsystems of islands; booking settles what that costs.
fn move_islands(site: &mut Site, stage: &mut Stage) {
    for (i, island) in site.model.islands.iter().enumerate() {
        let Some(group) = stage.groups.islands[i] else { continue };
        let change = stage.cone.change(group as usize);
        for (k, &b) in island.bodies.iter().enumerate() {
            let delta = Vec6::from_column_slice(&change[6 * k..6 * k + 6]);
            let turn = angular(&delta).norm();
            let delta = if turn > LARGEST_TURN { delta * (LARGEST_TURN / turn) } else { delta };
            let s = &mut site.state.bodies[b];
            s.x += linear(&delta);
            s.q = so3::compose(&s.q, &so3::exp(&angular(&delta)));
        }
        let mut at = 6 * island.bodies.len();
        for &s in &island.systems {
            let (work, info) = (&mut site.systems[s], &site.model.systems[s]);
            let n = work.row.len();
            work.row.copy_from_slice(&change[at..at + n]);
            dense::solve_upper(&work.l, &mut work.row);
            let far = work.row.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
            let part = if far > LARGEST_TURN { LARGEST_TURN / far } else { 1.0 };
            retract(info.law.as_ref(), &mut site.state.systems[s].q, &work.row, part);
            work.configure(info.law.as_ref(), &site.state.systems[s].q, &site.params.gravity);
            work.show_frames(info, &mut site.state.bodies);
            at += n;
        }
        stage.pushed_islands[i] = true;
    }
}
