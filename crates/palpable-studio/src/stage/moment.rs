//! Moments to go back to: for rewinding, and for the start of a recording.

use super::{Cast, Grip, Hand, Lane, Link, Notice, Stage};
use palpable::{Scheme, Snapshot, World};
use palpable_scene::Steps;
use std::collections::VecDeque;
use std::sync::Arc;

/// Everything that time changes.
#[derive(Debug, Clone)]
pub struct Moment {
    lanes: Vec<(Scheme, Snapshot, Option<Link>)>,
    hand: Hand,
    steps: Steps,
    cast: Arc<Cast>,
    /// Simulated time [s].
    pub time: f64,
}

/// How far apart moments are kept, and how many [s, 1]: two minutes.
const SPACING: f64 = 0.05;
const KEPT: usize = 2400;
/// Memory for them [bytes]; of a large scene fewer are kept, and the page says how far they reach.
const MOST_BYTES: usize = 256 << 20;
/// About what a body, an element and a contact take in a snapshot [bytes].
const SIZES: [usize; 3] = [512, 512, 1024];

/// The last two minutes, or as much of it as there is room for.
#[derive(Debug, Default)]
pub(super) struct Past {
    moments: VecDeque<Moment>,
}

impl Past {
    pub fn clear(&mut self) {
        self.moments.clear();
    }

    /// Simulated time that can be rewound from `now` [s].
    pub fn depth(&self, now: f64) -> f64 {
        self.moments.front().map_or(0.0, |m| (now - m.time).max(0.0))
    }
}

impl Stage {
    /// The present.
    pub fn moment(&self) -> Moment {
        let lane = |l: &Lane| (l.world.options().scheme, l.world.snapshot(), l.link.clone());
        Moment {
            lanes: self.lanes.iter().map(lane).collect(),
            hand: self.hand.clone(),
            steps: self.show.steps.clone(),
            cast: self.cast.clone(),
            time: self.lanes[0].world.time(),
        }
    }

    /// Keeps the present if it is time to; uses the room of the oldest moment again.
    pub(super) fn remember(&mut self) {
        let now = self.lanes[0].world.time();
        if self.past.moments.back().is_some_and(|m| now - m.time < SPACING) {
            return;
        }
        let kept = self.kept();
        while self.past.moments.len() > kept {
            self.past.moments.pop_front();
        }
        let reused =
            if self.past.moments.len() < kept { None } else { self.past.moments.pop_front() };
        let moment = match reused {
            Some(mut moment)
                if moment.lanes.len() == self.lanes.len()
                    && Arc::ptr_eq(&moment.cast, &self.cast) =>
            {
                for (slot, lane) in moment.lanes.iter_mut().zip(&self.lanes) {
                    slot.0 = lane.world.options().scheme;
                    lane.world.snapshot_into(&mut slot.1);
                    slot.2.clone_from(&lane.link);
                }
                moment.hand.clone_from(&self.hand);
                moment.steps.clone_from(&self.show.steps);
                moment.time = now;
                moment
            }
            _ => self.moment(),
        };
        self.past.moments.push_back(moment);
    }

    /// How many moments there is room for, two at least.
    fn kept(&self) -> usize {
        let model = self.lanes[0].world.model();
        let contacts = model.contact().map_or(0, |contact| contact.capacity);
        let counts = [model.bodies().len(), model.elements().len(), contacts];
        let one: usize = counts.iter().zip(SIZES).map(|(count, size)| count * size).sum();
        (MOST_BYTES / (one * self.lanes.len()).max(1)).clamp(2, KEPT)
    }

    /// Goes back to the kept moment nearest to `seconds` ago and forgets what came after; false
    /// if nothing is kept.
    pub(super) fn rewind(&mut self, seconds: f64) -> bool {
        let goal = self.lanes[0].world.time() - seconds;
        let near = |m: &Moment| (m.time - goal).abs();
        let moments = self.past.moments.iter().enumerate();
        let best = moments.min_by(|a, b| near(a.1).total_cmp(&near(b.1))).map(|(i, _)| i);
        let Some(index) = best else { return false };
        let moment = self.past.moments[index].clone();
        self.past.moments.truncate(index + 1);
        self.return_to(&moment);
        true
    }

    /// Shows the kept moment nearest to `seconds` before the present; the future stays.
    pub(super) fn peek(&mut self, seconds: f64) {
        let now = self.present.as_ref().map_or(self.lanes[0].world.time(), |p| p.time);
        if seconds <= 0.0 {
            self.go_to_present();
            return;
        }
        let near = |m: &Moment| (m.time - (now - seconds)).abs();
        let best = self.past.moments.iter().min_by(|a, b| near(a).total_cmp(&near(b))).cloned();
        let Some(moment) = best else { return };
        if self.present.is_none() {
            self.present = Some(Box::new(self.moment()));
        }
        self.return_to(&moment);
    }

    /// Goes back to the present, if another moment is looked at.
    pub(super) fn go_to_present(&mut self) -> bool {
        let Some(present) = self.present.take() else { return false };
        self.return_to(&present);
        true
    }

    /// Makes the moment that is looked at the present, and forgets what came after it.
    pub(super) fn branch(&mut self) {
        if self.present.take().is_some() {
            let now = self.lanes[0].world.time();
            self.past.moments.retain(|m| m.time <= now);
        }
    }

    /// Puts the world into the state of another one that was made in the same way: what came before
    /// it can be looked at, and a rival begins there.
    pub(super) fn place(&mut self, state: Box<Snapshot>) -> Notice {
        self.take.interrupt();
        self.go_to_present();
        self.release();
        let (rival, before) = (self.rival(), self.lanes[0].world.time());
        let lane = &mut self.lanes[0];
        if !lane.world.restore(&state) {
            return Notice::Refused("this state is of a world with other parts".into());
        }
        lane.world.set_penalty(self.show.options.penalty);
        lane.fate = super::Fate::Well;
        if lane.world.time() < before {
            self.past.clear();
        }
        if rival.is_some() {
            self.compare(rival);
        }
        self.remember();
        Notice::Placed(state)
    }

    /// Goes to a moment of the same scene.
    pub fn return_to(&mut self, moment: &Moment) {
        self.release();
        self.lanes.truncate(moment.lanes.len());
        if !Arc::ptr_eq(&moment.cast, &self.cast) {
            // others were there: worlds of that model, which the snapshots then fill
            for lane in &mut self.lanes {
                let options = *lane.world.options();
                *lane = Lane::new(World::begin(moment.cast.model.clone(), options));
            }
            self.take_cast(moment.cast.clone());
        }
        while self.lanes.len() < moment.lanes.len() {
            self.lanes.push(Lane::new(self.lanes[0].world.clone()));
        }
        let grip: Option<Grip> = moment.hand.grip;
        let period = moment.steps.mean_length();
        for (lane, (scheme, snapshot, link)) in self.lanes.iter_mut().zip(&moment.lanes) {
            if lane.world.options().scheme != *scheme {
                lane.world = super::show::under(&lane.world, *scheme);
            }
            if let Some(grip) = &grip {
                lane.attach(grip, &moment.hand, &self.show.bodies, period);
            }
            let _ = lane.world.restore(snapshot);
            lane.link.clone_from(link);
            lane.fate = super::Fate::Well;
        }
        self.hand.clone_from(&moment.hand);
        self.show.steps.clone_from(&moment.steps);
        self.show.script.take_back();
        self.inputs = self.lanes[0].world.inputs();
        self.silence = 0.0;
    }
}
