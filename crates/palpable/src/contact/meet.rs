//! Impulses where surfaces that yield begin to touch `[Constantinescu2005 sec. III]`.
//!
//! A pair whose law has impulses is in three states: free, colliding, resting. Where a contact is
//! new and approaches, its whole group, the chain of moving bodies that touch, collides: impulses
//! act at all its contacts that approach. Else the layer that yields holds it, spring, damper and
//! friction (`contact/volume`), and nothing here acts.
//!
//! A contact is not new if it was there in the last step, by its name or by its place: a ball that
//! rolls from piece to piece of a socket does not collide.
//!
//! # Differs from the source
//! Impulses are those of phase I: `p ≥ 0`, with friction. The distance of coherence follows from
//! the size of the smaller body and the way of the step.

use super::Site;
use super::carry::Carry;
use super::stage::{STILL, Stage, TOUCHING};
use super::touch::{Touch, TouchAt};
use super::workspace::Effect;
use crate::math::{Groups, Vec3};
use crate::model::State;
use crate::stamp::Rule;

/// Part of the smaller body's radius within which a contact is that of the last step.
const NEAR: f64 = 0.5;
/// Cosine of half a right angle: normals that lean less than that belong to one surface.
const ALIKE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// What a device can do, and what becomes of impulses that are larger.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpulseLimit {
    /// Largest force on a body that a port acts on, impulse over step [N].
    pub force: f64,
    /// Largest torque about its centre of mass [N·m].
    pub torque: f64,
    /// Go on colliding in the next step where an impulse was lessened; else the rest is left to
    /// the layer that yields.
    pub spread: bool,
}

impl Default for ImpulseLimit {
    /// No limit, spread.
    fn default() -> Self {
        Self { force: f64::INFINITY, torque: f64::INFINITY, spread: true }
    }
}

/// How contacts are recognised from step to step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Coherence {
    /// By name and by place.
    #[default]
    Place,
    /// By name alone: every new pair of pieces collides. For comparison.
    Name,
}

/// How a body is in contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum ContactState {
    /// It touches nothing.
    #[default]
    Free,
    /// A contact of its group is new and approached.
    Colliding,
    /// It touches, and no contact of its group is new and approached.
    Resting,
}

impl Stage {
    /// True if a contact of surfaces that yield was there in the last step.
    pub(super) fn is_known(&self, carry: &Carry, touch: &Touch, state: &State, h: f64) -> bool {
        if self.ask.coherence == Coherence::Name {
            return false;
        }
        let radius = |node: &Option<usize>| node.map_or(f64::INFINITY, |n| self.bodies.radii[n]);
        let size = radius(&touch.nodes()[0]).min(radius(&touch.nodes()[1]));
        let v = touch.rates(state);
        let way = h * Vec3::new(v[0], v[1], v[2]).norm();
        let reach = NEAR * size + way;
        let of = |place: &TouchAt| &carry.touches[*place];
        let least = touch.point.x - reach;
        let before =
            |place: &TouchAt| (of(place).nodes(), of(place).point.x) < (touch.nodes(), least);
        let first = self.search.places.partition_point(before);
        let near = self.search.places[first..].iter().map(of).take_while(|last| {
            last.nodes() == touch.nodes() && last.point.x <= touch.point.x + reach
        });
        let alike = |last: &Touch| last.normal.dot(&touch.normal) > ALIKE;
        near.into_iter().any(|t| alike(t) && (t.point - touch.point).norm() <= reach)
    }

    /// Lists the contacts of the last step that may be recognised by their place: by their bodies,
    /// and along x.
    pub(super) fn list_places(&mut self, carry: &Carry) {
        self.search.places.clear();
        if self.ask.coherence == Coherence::Name {
            return;
        }
        let of = |place: &TouchAt| &carry.touches[*place];
        let lasts = |t: &TouchAt| of(t).meeting.met && of(t).meeting.yields;
        self.search.places.extend(carry.touches.all().filter(lasts));
        self.search.places.sort_unstable_by(|a, b| {
            let along = of(a).point.x.total_cmp(&of(b).point.x);
            of(a).nodes().cmp(&of(b).nodes()).then(along).then(a.cmp(b))
        });
    }

    /// Finds which contacts of surfaces that yield collide, and who is in their groups.
    pub(super) fn find_colliding(&mut self, site: &Site, rest_speed: f64, rule: &Rule) {
        self.effect.colliding.fill(false);
        if !self.touches.iter().any(|t| t.meeting.yields) {
            return;
        }
        let Self { touches, rows, effect: Effect { colliding, .. }, .. } = self;
        let (rates, groups) = (&mut rows.start_rates, &mut self.bodies.groups);
        let slow = (super::impulse::STRIKES * rest_speed).max(STILL / rule.h);
        for (touch, rates) in
            touches.iter_mut().zip(rates.iter_mut()).filter(|(t, _)| t.meeting.yields)
        {
            *rates = touch.rates(site.state);
            touch.meeting.met = touch.gap + (0.5 * rule.h * rates[0]).min(0.0) <= TOUCHING;
            touch.meeting.collides = touch.meeting.met
                && -rates[0] > slow
                && (!touch.meeting.known || touch.meeting.pending);
            touch.meeting.pending = false;
            if touch.meeting.collides {
                touch.movers().for_each(|n| colliding[n] = true);
            }
        }
        // along chains of moving bodies
        if colliding.contains(&true) {
            join_neighbours(touches, colliding, groups);
        }
        for (touch, rates) in touches.iter_mut().zip(rates.iter()).filter(|(t, _)| t.meeting.yields)
        {
            let group = touch.movers().any(|n| colliding[n]);
            touch.meeting.collides |= group && touch.meeting.met && -rates[0] > slow;
        }
        self.report.colliding += touches.iter().filter(|t| t.meeting.collides).count();
    }

    /// Impulses act between two bodies in this step and may go on in the next, because a device can
    /// do no more: the layer waits, else it would take energy that no hand feels.
    pub(super) fn spreads(&self, bodies: [usize; 2]) -> bool {
        let limit = &self.ask.limit;
        let limited = limit.force.is_finite() || limit.torque.is_finite();
        let between = |t: &Touch| bodies.iter().all(|b| t.bodies.contains(b));
        let collide = |t: &Touch| t.meeting.collides && between(t);
        limit.spread && limited && self.touches.iter().any(collide)
    }

    /// Notes the impulse along the axes of a touch, and what it is to its bodies.
    pub(super) fn add_impulse(&mut self, state: &State, t: TouchAt, p: [f64; 3]) {
        let touch = &mut self.touches[t];
        let [n, t1, t2] = touch.axes();
        let push = n * p[0] + t1 * p[1] + t2 * p[2];
        touch.impulse += push;
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            if let Some(node) = touch.nodes()[side] {
                let arm = touch.point - state.bodies[node].x;
                self.effect.impulses[node][0] += push * sign;
                self.effect.impulses[node][1] += arm.cross(&push) * sign;
            }
        }
    }

    /// Lessens impulses that are beyond what the device can do; a group by one factor.
    pub(super) fn lessen_impulses(&mut self, site: &Site, rule: &Rule) {
        let limit = self.ask.limit;
        if !(limit.force.is_finite() || limit.torque.is_finite()) {
            return;
        }
        self.number_touches();
        for island in 0..self.cone.islands().len() {
            let mut part: f64 = 1.0;
            for port in &site.model.ports {
                let (force, torque) = self.felt(site, island, port.body, rule);
                let share = |most: f64, is: f64| if is > most { most / is } else { 1.0 };
                part = part.min(share(limit.force, force)).min(share(limit.torque, torque));
            }
            if part < 1.0 {
                self.lessen(island, part);
            }
        }
    }

    /// Finds touches by their numbers in the problem.
    fn number_touches(&mut self) {
        self.rows.numbered.clear();
        self.rows.numbered.resize(self.cone.len(), None);
        for (t, touch) in self.touches.entries().filter(|(_, touch)| touch.meeting.yields) {
            if let Some(place) = touch.seat.number.and_then(|n| self.rows.numbered.get_mut(n)) {
                *place = Some(t);
            }
        }
    }

    /// The touch of this number, if its surfaces yield.
    fn numbered(&self, number: usize) -> Option<TouchAt> {
        *self.rows.numbered.get(number)?
    }

    /// Force and torque that the impulses of an island are over a step, on the linkage of a body.
    fn felt(&self, site: &Site, island: usize, body: usize, rule: &Rule) -> (f64, f64) {
        let (mut p, mut l) = (Vec3::zeros(), Vec3::zeros());
        let units = &site.model.units;
        let own = |node: usize| units.of(node) == units.of(body);
        let center = site.state.bodies[body].x;
        for number in self.cone.island_contacts(island) {
            let Some(touch) = self.numbered(number).map(|t| &self.touches[t]) else { continue };
            let [n, t1, t2] = touch.axes();
            let lambda = self.cone.lambda(number);
            let push = n * lambda[0] + t1 * lambda[1] + t2 * lambda[2];
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                if touch.nodes()[side].is_some_and(own) {
                    p += push * sign;
                    l += (touch.point - center).cross(&push) * sign;
                }
            }
        }
        (p.norm() / rule.h, l.norm() / rule.h)
    }

    fn lessen(&mut self, island: usize, part: f64) {
        self.cone.lessen(island, part);
        for k in 0..self.cone.islands()[island].contacts {
            let Some(number) = self.cone.island_contacts(island).nth(k) else { continue };
            let Some(t) = self.numbered(number) else { continue };
            let touch = &mut self.touches[t];
            touch.meeting.pending = self.ask.limit.spread;
            let adapted = (1.0 + touch.material.restitution) * part - 1.0;
            let least = self.report.adapted.map_or(adapted, |e| e.min(adapted));
            self.report.adapted = Some(least);
        }
    }
}

/// Bodies collide whose group, the chain of moving bodies that touch, has one that does.
fn join_neighbours(touches: &[Touch], colliding: &mut [bool], groups: &mut Groups<usize>) {
    groups.part(colliding.len());
    for touch in touches.iter().filter(|t| t.meeting.met || !t.meeting.yields && t.gap <= TOUCHING)
    {
        if let [Some(a), Some(b)] = touch.nodes() {
            groups.join(a, b);
        }
    }
    // the leader knows first, and tells
    for node in 0..colliding.len() {
        colliding[groups.leader(node)] |= colliding[node];
    }
    for node in 0..colliding.len() {
        colliding[node] |= colliding[groups.leader(node)];
    }
}
