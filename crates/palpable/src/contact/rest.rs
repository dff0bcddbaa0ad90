//! Who rests: piles in which phase I has nothing to do, bodies that lose their last speed, and
//! forces that still hold.

use super::Site;
use super::stage::Stage;
use super::touch::Touch;
use crate::math::{Vec3, Vec6, angular, find_root, join, linear};
use crate::model::BodyParams;
use crate::solve::cone::ConeSettings;
use crate::stamp::Rule;

/// Gaps below this [m] count as closed: rounding must not part what rests.
pub(super) const TOUCHING: f64 = 1e-9;
/// The same where all is still [m].
pub(super) const NEAR: f64 = 1e-7;
/// Speeds below this part of what gravity gives in a step are none, where contacts can hold them.
const SLOW: f64 = 0.05;
/// A still pile that moves slower than this [m/s] may wait for better forces,
const GOOD: f64 = 2e-7;
/// for so many steps.
const WAIT: u32 = 64;
/// Speeds up to so many times that are nearly none,
const SETTLING: f64 = 20.0;
/// and a step may then take so many times more sweeps.
const PATIENT: usize = 4;
/// Once forces hold all of it, a step takes so many times fewer.
const LEISURELY: usize = 4;
/// Speeds above this part of what gravity gives in a step are no rounding: the load has changed.
const CHANGED: f64 = 2e-4;
/// What normals that turn by rounding may do to a force at the edge of its cone.
const LAWFUL: f64 = 1e-6;
/// Part of its push that a contact has to spare, to hold a body.
const SPARE: f64 = 1e-3;

/// What one step hands to the next about rest.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Marks {
    /// step length at which the forces were found [s]
    pub h: f64,
    /// steps since the forces of still piles were last improved
    since: u32,
    /// every pile was held by its forces at one time, and has been still since
    landed: bool,
    /// steps for which still piles are not pushed out, since nobody paid for it
    pub unpaid: u32,
}

impl Marks {
    /// All of it as numbers.
    pub fn numbers(&self) -> [f64; 4] {
        let landed = f64::from(u8::from(self.landed));
        [self.h, f64::from(self.since), landed, f64::from(self.unpaid)]
    }
}

/// Piles: bodies and islands that touch each other; the immovable world joins none.
#[derive(Debug, Clone, Default)]
pub(super) struct Rest {
    parent: Vec<u32>,
    /// per pile, at its root: something in it moves
    busy: Vec<bool>,
    /// per pile: it stands on the immovable world
    grounded: Vec<bool>,
    /// contacts of a body: loaded ones, and those of them with friction to spare
    held: Vec<[u8; 2]>,
    /// per pile: all of it is still, so that its forces may be kept
    still: Vec<bool>,
    /// forces kept, and what they do: `f·A⁻¹f`, `f·û` without them [W]
    pub wrenches: Vec<Vec6>,
    sums: Vec<[f64; 2]>,
    pub marks: Marks,
    /// per pile: the fastest body under the forces kept [m/s]
    worst: Vec<f64>,
    /// per pile: its forces hold, and are being improved
    tried: Vec<bool>,
    /// every pile is still, or nearly
    all: bool,
    calms: bool,
}

impl Rest {
    pub fn new(bodies: usize, islands: usize) -> Self {
        let n = bodies + islands;
        Self {
            parent: vec![0; n],
            busy: vec![false; n],
            grounded: vec![false; n],
            held: vec![[0; 2]; n],
            still: vec![false; n],
            wrenches: vec![Vec6::zeros(); bodies],
            sums: vec![[0.0; 2]; n],
            marks: Marks::default(),
            worst: vec![0.0; n],
            tried: vec![false; n],
            all: false,
            calms: false,
        }
    }

    fn clear(&mut self) {
        self.parent.iter_mut().enumerate().for_each(|(i, p)| *p = i as u32);
        self.busy.fill(false);
        self.grounded.fill(false);
        self.held.fill([0; 2]);
        self.still.fill(true);
    }

    fn root(&mut self, node: usize) -> usize {
        find_root(&mut self.parent, node as u32) as usize
    }
}

/// Out of reach for half the step.
pub(super) fn is_apart(touch: &Touch, rates: &[f64; 6], rule: &Rule) -> bool {
    touch.gap + (0.5 * rule.h * rates[0]).min(0.0) > TOUCHING
}

/// The solver would leave it alone: its residual without an impulse is not above the idle one.
fn is_quiet(touch: &Touch, rates: &[f64; 6], idle: f64) -> bool {
    let m = &touch.material;
    let rubs = if touch.capacity > 0.0 {
        let (spin, roll) = (m.spin_radius * rates[3], m.roll_radius);
        let turns = spin * spin + roll * roll * (rates[4] * rates[4] + rates[5] * rates[5]);
        (rates[1] * rates[1] + rates[2] * rates[2]).max(turns).sqrt()
    } else {
        0.0
    };
    let parts = if touch.hold > 0.0 { rates[0] } else { 0.0 };
    (-rates[0]).max(parts).max(rubs) <= idle
}

impl Stage {
    /// Finds how fast the contacts move and which piles are busy.
    pub(super) fn find_rest(&mut self, site: &Site, rule: &Rule) {
        let idle = self.settings.impulse_idle();
        let Self { rest, touches, rates, island_of, .. } = self;
        let bodies = island_of.len();
        let node = |b: usize| island_of[b].map_or(b, |i| bodies + i);
        rest.clear();
        for (touch, rates) in touches.iter().zip(rates.iter_mut()) {
            *rates = touch.rates(site.state);
            let apart = is_apart(touch, rates, rule);
            if apart && touch.force == Vec3::zeros() {
                continue;
            }
            let quiet = apart || (self.stop_blocks.is_empty() && is_quiet(touch, rates, idle));
            let push = SPARE * rest.marks.h * touch.force.dot(&touch.normal);
            let holds = touch.hold > push && push > 0.0 && touch.friction() > 0.0;
            let mut last = None;
            for b in touch.nodes.into_iter().flatten() {
                let n = node(b);
                let root = rest.root(n);
                let [loaded, sticking] = &mut rest.held[n];
                *loaded = loaded.saturating_add(u8::from(push > 0.0));
                *sticking = sticking.saturating_add(u8::from(holds));
                rest.busy[root] |= !quiet;
                rest.grounded[root] |= holds && touch.nodes.contains(&None);
                if let Some(other) = last
                    && other != root
                {
                    let (low, high) = (root.min(other), root.max(other));
                    rest.parent[high] = low as u32;
                    rest.busy[low] |= rest.busy[high];
                    rest.busy[high] = false;
                    rest.grounded[low] |= rest.grounded[high];
                }
                last = Some(root);
            }
        }
    }

    /// Nothing rests: no pile keeps its forces or is given more sweeps.
    pub(super) fn wake(&mut self) {
        self.rest.still.fill(false);
        (self.rest.all, self.rest.calms) = (false, false);
    }

    /// Contact `t` joins no piles: it is apart and did not push.
    pub(super) fn is_outside(&self, t: usize, rule: &Rule) -> bool {
        let touch = &self.touches[t];
        touch.force == Vec3::zeros() && is_apart(touch, &self.rates[t], rule)
    }

    /// The piles on both sides of contact `t`.
    fn piles(&mut self, t: usize) -> [Option<usize>; 2] {
        let bodies = self.island_of.len();
        let nodes = self.touches[t].nodes;
        nodes.map(|n| n.map(|b| self.rest.root(self.island_of[b].map_or(b, |i| bodies + i))))
    }

    /// A still pile is on either side of contact `t`.
    pub(super) fn is_beside_still(&mut self, t: usize) -> bool {
        let piles = self.piles(t);
        piles.into_iter().flatten().any(|pile| self.rest.still[pile])
    }

    /// The piles on both sides of contact `t` are still no longer.
    pub(super) fn rouse(&mut self, t: usize) {
        for pile in self.piles(t).into_iter().flatten() {
            self.rest.still[pile] = false;
            self.rest.all = false;
        }
    }

    /// The pile of contact `t`.
    fn pile(&mut self, t: usize) -> Option<usize> {
        let b = self.touches[t].nodes.into_iter().flatten().next()?;
        let node = self.island_of[b].map_or(b, |i| self.island_of.len() + i);
        Some(self.rest.root(node))
    }

    /// Contact `t` lies in a pile that is busy.
    pub(super) fn is_busy(&mut self, t: usize) -> bool {
        self.pile(t).is_some_and(|pile| self.rest.busy[pile])
    }

    /// The force of contact `t` was kept from the last step.
    pub(super) fn is_kept(&mut self, t: usize) -> bool {
        self.pile(t).is_some_and(|pile| self.rest.still[pile])
    }

    /// Takes the last speed from piles that rest on the world; returns its energy [J].
    ///
    /// Forces that are a little wrong would else move them a little in each step, and every step
    /// would be another problem, which no warm start knows. In such a pile all bodies are free, as
    /// slow as gravity makes them in a fraction of a step, and held: three contacts push and two
    /// of them have friction to spare, so that the impulse that stops them is inside the cones.
    pub(super) fn still(&mut self, site: &mut Site, rule: &Rule) -> f64 {
        let slow = SLOW * rule.h * site.params.gravity.norm();
        // joints with stops alone are no pile
        self.rest.calms = !self.touches.is_empty();
        for b in 0..self.touching.len() {
            if !self.touching[b] {
                continue;
            }
            let island = self.island_of[b];
            let root = self.rest.root(island.map_or(b, |i| self.touching.len() + i));
            let (p, s) = (&site.params.bodies[b], &site.state.bodies[b]);
            let [loaded, sticking] = self.rest.held[b];
            let held = island.is_none() && loaded >= 3 && sticking >= 2;
            let held = held && self.rest.grounded[root];
            let speed = size(p, &s.v, &s.omega);
            self.rest.still[root] &= held && speed <= slow;
            self.rest.calms &= held && speed <= SETTLING * slow;
        }
        let mut lost = 0.0;
        self.rest.all = true;
        for b in 0..self.touching.len() {
            self.rest.all &= !self.touching[b] || self.island_of[b].is_none();
            if self.touching[b] && self.island_of[b].is_none() {
                let root = self.rest.root(b);
                self.rest.all &= self.rest.still[root];
                if self.rest.still[root] {
                    let (p, s) = (&site.params.bodies[b], &mut site.state.bodies[b]);
                    lost += p.kinetic(&s.v, &s.omega);
                    (s.v, s.omega) = (Vec3::zeros(), Vec3::zeros());
                    self.rest.busy[root] = false;
                }
            }
        }
        self.rest.marks.landed &= self.rest.all;
        lost
    }

    /// Budget of the solver: a world that all but rests gets more, and needs none once it does.
    /// Once forces held all of it, there is time: the next step goes on where this one ends.
    pub(super) fn budget(&self) -> ConeSettings {
        let sweeps = match (self.rest.calms, self.rest.marks.landed) {
            (true, true) => self.settings.sweeps.div_ceil(LEISURELY),
            (true, false) => PATIENT * self.settings.sweeps,
            _ => self.settings.sweeps,
        };
        ConeSettings { sweeps, ..self.settings }
    }

    /// Every pile was still at the start of the step.
    pub(super) fn all_rest(&self) -> bool {
        self.rest.all
    }

    /// A pile is busy.
    pub(super) fn any_busy(&self) -> bool {
        !self.stop_blocks.is_empty() || self.rest.busy.iter().any(|b| *b)
    }

    /// Keeps the forces of piles that are still, if they hold them this time too.
    ///
    /// What the solver would ask of each contact is asked of each body: with the forces of the last
    /// step, which are lawful, it has to stay where it is. Scaled like any warm start, they never
    /// add energy: `s² f·A⁻¹f + s f·û ≤ 0`. Forces that are good enough but not yet as good as
    /// they may become are improved now and then.
    pub(super) fn keep(&mut self, site: &Site, wrenches: &mut [Vec6], rule: &Rule) {
        let mut fit = self.rest.all && self.rest.marks.h == rule.h;
        if self.rest.marks.h != rule.h {
            self.rest.still.fill(false);
        }
        self.rest.marks.h = rule.h;
        self.rest.wrenches.fill(Vec6::zeros());
        self.rest.sums.fill([0.0; 2]);
        self.rest.worst.fill(0.0);
        for t in 0..self.touches.len() {
            if let Some(pile) = self.pile(t).filter(|pile| self.rest.still[*pile]) {
                self.rest.still[pile] = is_lawful(&self.touches[t]);
                fit &= self.rest.still[pile];
                self.press(t);
            }
        }
        for pass in 0..2 {
            for b in 0..self.touching.len() {
                if !self.touching[b] || self.island_of[b].is_some() {
                    continue;
                }
                let root = self.rest.root(b);
                if !self.rest.still[root] {
                    continue;
                }
                let (f, mid) = (self.rest.wrenches[b], self.mid[b]);
                let answer = self.frames[b].respond(&f);
                let [a, c] = &mut self.rest.sums[root];
                if pass == 0 {
                    *a += f.dot(&answer);
                    *c += f.dot(&mid);
                } else {
                    let u = mid + answer * scale(*a, *c);
                    let speed = size(&site.params.bodies[b], &linear(&u), &angular(&u));
                    let speed = if speed.is_finite() { speed } else { f64::INFINITY };
                    self.rest.worst[root] = self.rest.worst[root].max(speed);
                }
            }
        }
        self.judge(fit, CHANGED * rule.h * site.params.gravity.norm());
        self.push_kept(wrenches, false);
    }

    /// Which piles keep their forces: those that hold, unless it is time to improve them.
    fn judge(&mut self, mut all: bool, changed: f64) {
        let (rest, idle) = (&mut self.rest, self.settings.idle);
        rest.marks.since = (rest.marks.since + 1) % WAIT;
        let improves = rest.marks.since == 0;
        for pile in 0..rest.still.len() {
            let (still, worst) = (rest.still[pile], rest.worst[pile]);
            let holds = still && worst <= idle.max(GOOD);
            all &= holds || !still;
            rest.marks.landed &= !still || worst <= changed;
            rest.tried[pile] = holds && improves && worst > idle;
            rest.still[pile] = holds && !rest.tried[pile];
            if holds {
                self.report.residual = self.report.residual.max(worst);
            }
        }
        rest.marks.landed |= all;
    }

    /// Adds the kept forces to the bodies of piles that are still; with `again` only of those that
    /// tried to improve them.
    fn push_kept(&mut self, wrenches: &mut [Vec6], again: bool) {
        for (b, wrench) in wrenches.iter_mut().enumerate() {
            if !self.touching[b] || self.island_of[b].is_some() {
                continue;
            }
            let root = self.rest.root(b);
            if self.rest.still[root] && (!again || self.rest.tried[root]) {
                let [a, c] = self.rest.sums[root];
                let push = self.rest.wrenches[b] * scale(a, c);
                self.wrenches[b] += push;
                *wrench += push;
            }
        }
    }

    /// Goes back to the kept forces in piles that would move faster under those just found;
    /// returns true if nothing else was solved.
    pub(super) fn keep_better(&mut self, site: &Site, wrenches: &mut [Vec6]) -> bool {
        if !self.rest.tried.contains(&true) {
            return false;
        }
        for b in 0..self.touching.len() {
            let Some(group) = self.groups.bodies[b] else { continue };
            let root = self.rest.root(b);
            if self.rest.tried[root] {
                let change = Vec6::from_column_slice(self.cone.change(group as usize));
                let u = self.mid[b] + change;
                let speed = size(&site.params.bodies[b], &linear(&u), &angular(&u));
                // written so that NaN is worse
                self.rest.still[root] |= !(speed <= self.rest.worst[root]);
            }
        }
        let mut none = true;
        for t in 0..self.touches.len() {
            if self.touches[t].number.is_some() && self.is_kept(t) {
                self.touches[t].number = None;
            }
            none &= self.touches[t].number.is_none();
        }
        self.push_kept(wrenches, true);
        none
    }

    /// Adds the last force of contact `t` to the bodies it is between.
    fn press(&mut self, t: usize) {
        let touch = &self.touches[t];
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let Some(b) = touch.nodes[side] else { continue };
            let (force, frame) = (touch.force * sign, &self.frames[b]);
            // a pile that is still does not turn: its secant is its rotation
            let mut torque = touch.points[side].cross(&frame.turn.tr_mul(&force));
            let arm = touch.arm_in(frame, side);
            if arm != Vec3::zeros() {
                torque += frame.lever * arm.cross(&force);
            }
            if touch.count() > 3 {
                torque += frame.lever * (touch.torque * sign);
            }
            self.rest.wrenches[b] += join(&force, &torque);
        }
    }
}

/// Its last force lies in the cone of the present friction, which a user may have changed.
fn is_lawful(touch: &Touch) -> bool {
    let n = touch.force.dot(&touch.normal);
    let most = touch.friction() * n * (1.0 + LAWFUL);
    touch.force.norm_squared() - n * n <= most * most
}

/// Speed of a body, a turn counted by its radius of gyration [m/s].
fn size(p: &BodyParams, v: &Vec3, omega: &Vec3) -> f64 {
    v.norm() + (p.inertia.max() / p.mass).sqrt() * omega.norm()
}

/// The part of kept forces that takes as much as it may: see `Sums::start_scale`.
fn scale(a: f64, b: f64) -> f64 {
    let s = -b / a;
    if s > 0.0 { s.min(1.0) } else { 0.0 }
}
