//! Piles that sleep: what has not moved for a while is left alone until something touches it.
//!
//! A pile is all that touches each other. It sleeps once every body of it has been slower than a
//! ten thousandth of its own radius a second for half a second ([`Sleeping`]); speeds relative to
//! sizes make no difference between grams and tonnes, or with and without gravity. What is left of
//! its motion is taken as impact. Nothing in a sleeping pile is collided, solved or moved; its last
//! forces can be read. A touch, a force at a port, a body put elsewhere, an edit or a changed
//! parameter wakes all of it. Bodies with joints or springs, and what they touch, stay awake, and
//! so does a world with contacts over a volume.

use super::Site;
use super::stage::{Stage, TOUCHING};
use super::touch::Touch;
use crate::math::Vec3;
use crate::model::{BodyInfo, BodyState};
use crate::stamp::Rule;

/// When piles sleep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sleeping {
    /// Speed below which a body is calm, in its bounding radii a second; 0 keeps everything awake.
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

/// Speed of a body in its own radii a second.
fn pace(info: &BodyInfo, s: &BodyState) -> f64 {
    let radius = info.shape.as_ref().map_or(0.0, |shape| shape.bounding_radius());
    s.v.norm() / radius + s.omega.norm()
}

impl Stage {
    /// Wakes and puts to sleep; returns the energy taken [J].
    pub fn settle_sleep(&mut self, site: &mut Site, rule: &Rule) -> f64 {
        self.wake_touched(site, rule);
        self.fall_asleep(site)
    }

    /// Wakes sleepers that an awake body has come near, and all that hangs together with them.
    /// `chosen` touches that join sleepers are in the graph then.
    pub(super) fn wake_touched(&mut self, site: &Site, rule: &Rule) {
        if !self.sleep.asleep.contains(&true) {
            return;
        }
        let reach = 4.0 * rule.h * rule.h * site.params.gravity.norm() + 1e-6;
        let meets = |touch: &Touch, sleep: &Sleep| {
            let [a, b] = touch.nodes().map(|n| n.map(|b| sleep.asleep[b]));
            let mixed = matches!((a, b), (Some(true), Some(false)) | (Some(false), Some(true)));
            mixed && touch.gap + (2.0 * rule.h * touch.rates(site.state)[0]).min(0.0) <= reach
        };
        let Self { touches, sleep, graph, .. } = self;
        if !touches.iter().any(|t| meets(t, sleep)) {
            return;
        }
        graph.choose(touches, |t| sleep.holds(t) || meets(t, sleep));
        graph.join(touches);
        graph.unmark();
        for b in 0..sleep.asleep.len() {
            if !sleep.asleep[b] {
                graph.mark(graph.units.of(b));
            }
        }
        for b in 0..sleep.asleep.len() {
            if sleep.asleep[b] && graph.is_marked(graph.units.of(b)) {
                sleep.wake(b);
            }
        }
    }

    /// Puts piles to sleep that have been calm for long enough; returns the energy of their last
    /// motion [J].
    pub(super) fn fall_asleep(&mut self, site: &mut Site) -> f64 {
        let time = self.ask.sleeping.time;
        let Self { touches, graph, sleep, .. } = self;
        let (bodies, ripe) = (sleep.calm.len(), |s: &Sleep, b: usize| s.calm[b] >= time);
        let due = |b: usize| ripe(sleep, b) && !sleep.asleep[b];
        if !(self.ask.sleeping.speed > 0.0) || !(0..bodies).any(due) {
            return 0.0;
        }
        graph.choose(touches, |t| t.force != Vec3::zeros() || t.gap <= TOUCHING);
        graph.join(touches);
        // piles with somebody who is not ripe, or a touch of a law that does not rest
        graph.unmark();
        for k in 0..graph.chosen.len() {
            let touch = &touches[graph.chosen[k] as usize];
            if let (false, Some(b)) = (touch.is_conic(), touch.movers().next()) {
                graph.mark(graph.units.of(b));
            }
        }
        for b in 0..bodies {
            let joined = graph.units.island_of(b).is_some();
            if joined || !ripe(sleep, b) && !sleep.asleep[b] {
                graph.mark(graph.units.of(b));
            }
        }
        let mut lost = 0.0;
        for b in 0..bodies {
            if sleep.asleep[b] || graph.is_marked(graph.units.of(b)) {
                continue;
            }
            let (p, s) = (&site.params.bodies[b], &mut site.state.bodies[b]);
            lost += p.kinetic(&s.v, &s.omega);
            (s.v, s.omega) = (Vec3::zeros(), Vec3::zeros());
            sleep.asleep[b] = true;
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
