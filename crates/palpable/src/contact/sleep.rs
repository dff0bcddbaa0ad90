//! Piles that sleep: what has not moved for a while is left alone until something touches it.
//!
//! A pile is all that touches each other. It sleeps once every body of it has been slower than a
//! ten thousandth of its own radius a second for half a second ([`Sleeping`]); speeds relative to
//! sizes make no difference between grams and tonnes, or with and without gravity. What is left of
//! its motion is taken as impact. Nothing in a sleeping pile is collided, solved or moved; its last
//! forces can be read. A touch, a force at a port, a body put elsewhere, an edit or a changed
//! parameter wakes all of it. Bodies with joints or springs, and what they touch, stay awake.
//! Contacts over a volume tie bodies like points do ([`Tie`]); their springs keep what they have.

use super::Site;
use super::stage::{Stage, TOUCHING};
use super::touch::Touch;
use super::volume::VolumeStage;
use crate::math::Vec3;
use crate::model::{BodyInfo, BodyState};
use crate::stamp::Rule;

/// When piles sleep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sleeping {
    /// Speed below which a body is calm, in its bounding radii a second, and a contact over a
    /// volume, in its depths a second; 0 keeps everything awake.
    pub speed: f64,
    /// How long all of a pile has to be calm [s].
    pub time: f64,
}

impl Default for Sleeping {
    fn default() -> Self {
        Self { speed: 1e-4, time: 0.5 }
    }
}

impl Sleeping {
    /// Nothing ever sleeps.
    pub const NEVER: Self = Self { speed: 0.0, time: f64::INFINITY };
}

/// Who sleeps, and for how long others have been calm, per moving body.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sleep {
    calm: Vec<f64>,
    asleep: Vec<bool>,
}

impl Sleep {
    pub(super) fn new(bodies: usize) -> Self {
        Self { calm: vec![0.0; bodies], asleep: vec![false; bodies] }
    }

    pub(super) fn copy_from(&mut self, other: &Sleep) {
        self.calm.clone_from(&other.calm);
        self.asleep.clone_from(&other.asleep);
    }

    pub(super) fn numbers(&self, each: &mut impl FnMut(&[f64])) {
        each(&self.calm);
        self.asleep.iter().for_each(|a| each(&[f64::from(u8::from(*a))]));
    }

    /// Takes over another one, body by body as `to` says where each is now.
    pub(super) fn adopt(&mut self, was: &Sleep, to: &[Option<usize>]) {
        for (from, to) in to.iter().enumerate() {
            if let Some(to) = *to {
                (self.calm[to], self.asleep[to]) = (was.calm[from], was.asleep[from]);
            }
        }
    }

    /// A moving body sleeps.
    #[inline]
    pub fn is_asleep(&self, body: usize) -> bool {
        self.asleep[body]
    }

    /// Every moving body sleeps, and there is one.
    pub fn all_asleep(&self) -> bool {
        !self.asleep.is_empty() && self.asleep.iter().all(|a| *a)
    }

    /// Nobody sleeps any more.
    pub fn wake_all(&mut self) {
        self.calm.fill(0.0);
        self.asleep.fill(false);
    }

    /// Wakes one body; who touches it wakes with the next step.
    pub fn wake(&mut self, body: usize) {
        (self.calm[body], self.asleep[body]) = (0.0, false);
    }

    /// Both sides of a touch sleep, or cannot move.
    #[inline]
    pub(super) fn holds(&self, touch: &Touch) -> bool {
        touch.movers().all(|b| self.asleep[b])
    }
}

/// What a contact over a volume has to say about sleep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tie {
    /// moving bodies it is between
    pub nodes: [Option<usize>; 2],
    pub kind: TieKind,
}

/// How it ties them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TieKind {
    /// They pressed on each other in the last step.
    Holds,
    /// One sleeps, the other one is awake and presses on it.
    Wakes,
    /// They press by a law that never comes to rest, or a layer still yields.
    Restless,
}

/// Speed of a body in its own radii a second.
fn pace(info: &BodyInfo, s: &BodyState) -> f64 {
    let radius = info.shape.as_ref().map_or(0.0, |shape| shape.bounding_radius());
    s.v.norm() / radius + s.omega.norm()
}

impl Stage {
    /// Wakes and puts to sleep; returns the energy taken [J].
    pub fn settle_sleep(
        &mut self,
        site: &mut Site,
        volume: Option<&mut VolumeStage>,
        rule: &Rule,
    ) -> f64 {
        let (asleep, ripe) = (self.sleep.asleep.contains(&true), self.any_ripe());
        if !(asleep || ripe) {
            return 0.0;
        }
        let ties: &[Tie] = match volume {
            Some(volume) => volume.tie(site, self, rule),
            None => &[],
        };
        if asleep {
            self.wake_touched(site, ties, rule);
        }
        if ripe { self.fall_asleep(site, ties) } else { 0.0 }
    }

    /// Calm for long enough, and awake.
    fn is_ripe(&self, body: usize) -> bool {
        self.sleep.calm[body] >= self.ask.sleeping.time && !self.sleep.asleep[body]
    }

    fn any_ripe(&self) -> bool {
        self.ask.sleeping.speed > 0.0 && (0..self.sleep.calm.len()).any(|b| self.is_ripe(b))
    }

    /// Joins the chosen touches and what presses over a volume into piles; none is singled out.
    fn join_all(&mut self, ties: &[Tie]) {
        let Self { touches, graph, .. } = self;
        graph.join(touches);
        for tie in ties {
            if let [Some(a), Some(b)] = tie.nodes {
                graph.join_bodies(a, b);
            }
        }
        graph.unmark();
    }

    /// Singles out the pile of a moving body.
    fn mark(&mut self, body: usize) {
        self.graph.mark(self.graph.units.of(body));
    }

    fn is_marked(&mut self, body: usize) -> bool {
        self.graph.is_marked(self.graph.units.of(body))
    }

    /// Wakes sleepers that an awake body has come near, and all that hangs together with them.
    /// `chosen` touches that join sleepers are in the graph then.
    fn wake_touched(&mut self, site: &Site, ties: &[Tie], rule: &Rule) {
        let reach = 4.0 * rule.h * rule.h * site.params.gravity.norm() + 1e-6;
        let meets = |touch: &Touch, sleep: &Sleep| {
            let [a, b] = touch.nodes().map(|n| n.map(|b| sleep.asleep[b]));
            let mixed = matches!((a, b), (Some(true), Some(false)) | (Some(false), Some(true)));
            mixed && touch.gap + (2.0 * rule.h * touch.rates(site.state)[0]).min(0.0) <= reach
        };
        let Self { touches, sleep, graph, .. } = self;
        let pressed = ties.iter().any(|t| t.kind == TieKind::Wakes);
        if !pressed && !touches.iter().any(|t| meets(t, sleep)) {
            return;
        }
        graph.choose(touches, |t| sleep.holds(t) || meets(t, sleep));
        self.join_all(ties);
        for b in 0..self.sleep.asleep.len() {
            if !self.sleep.asleep[b] {
                self.mark(b);
            }
        }
        for b in 0..self.sleep.asleep.len() {
            if self.sleep.asleep[b] && self.is_marked(b) {
                self.sleep.wake(b);
            }
        }
    }

    /// Puts piles to sleep that have been calm for long enough; returns the energy of their last
    /// motion [J].
    fn fall_asleep(&mut self, site: &mut Site, ties: &[Tie]) -> f64 {
        let Self { touches, graph, .. } = self;
        graph.choose(touches, |t| t.force != Vec3::zeros() || t.gap <= TOUCHING);
        self.join_all(ties);
        // piles with somebody who is not ripe, or a touch of a law that does not rest
        for k in 0..self.graph.chosen.len() {
            let touch = &self.touches[self.graph.chosen[k]];
            if let (false, Some(b)) = (touch.is_conic(), touch.movers().next()) {
                self.mark(b);
            }
        }
        for tie in ties.iter().filter(|t| t.kind == TieKind::Restless) {
            tie.nodes.into_iter().flatten().for_each(|b| self.mark(b));
        }
        let bodies = self.sleep.calm.len();
        for b in 0..bodies {
            let joined = self.graph.units.island_of(b).is_some();
            if joined || !self.is_ripe(b) && !self.sleep.asleep[b] {
                self.mark(b);
            }
        }
        let mut lost = 0.0;
        for b in 0..bodies {
            if self.sleep.asleep[b] || self.is_marked(b) {
                continue;
            }
            let (p, s) = (&site.params.bodies[b], &mut site.state.bodies[b]);
            lost += p.kinetic(&s.v, &s.omega);
            (s.v, s.omega) = (Vec3::zeros(), Vec3::zeros());
            self.sleep.asleep[b] = true;
        }
        lost
    }
}

impl Stage {
    /// Counts for how long free bodies have been calm, after a step of `h` [s].
    pub fn count_calm(&mut self, infos: &[BodyInfo], states: &[BodyState], h: f64) {
        if !(self.ask.sleeping.speed > 0.0) {
            return;
        }
        for info in infos {
            let Some(b) = info.moving else { continue };
            if self.sleep.asleep[b] {
                continue;
            }
            let free = self.graph.units.island_of(b).is_none();
            let calm = free && pace(info, &states[b]) <= self.ask.sleeping.speed;
            self.sleep.calm[b] = if calm { self.sleep.calm[b] + h } else { 0.0 };
        }
    }
}
