//! What the stage is told, and what it tells.

use super::{Change, Lane, Show, Stage};
use palpable::model::Params;
use palpable::{ContactLaw, Payment, Rotation, Scheme, Vec3};

/// What a world beside the first does in another way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rival {
    /// Another scheme.
    Scheme(Scheme),
    /// Another contact law; a pyramid has the sides of the first world's, if that has one.
    Law(ContactLaw),
}

/// An order to the stage.
#[derive(Debug, Clone)]
pub enum Order {
    /// Shows another scene.
    Load(Box<Show>),
    /// Takes hold of a point of a body, in body axes [m].
    Grab {
        /// Index of the body.
        body: usize,
        /// The point [m].
        point: Vec3,
    },
    /// Moves the hand.
    Move {
        /// Where to, world axes [m].
        target: Vec3,
        /// Turned by how much since it took hold.
        turn: Rotation,
    },
    /// Lets go.
    Release,
    /// Changes a parameter.
    Set(Change, Payment),
    /// Shows the same scene under another scheme or law beside it, or no longer.
    Compare(Option<Rival>),
    /// Stops or lets time run.
    Pause(bool),
    /// Takes single steps.
    Step(u32),
    /// Simulated seconds per second.
    Speed(f64),
    /// Goes back by so many simulated seconds.
    Rewind(f64),
    /// Begins or ends a take.
    Record(bool),
    /// Replays the take, or stops replaying.
    Replay(bool),
}

/// What the stage tells.
#[derive(Debug)]
pub enum Notice {
    /// A new scene is on; the old one is to be dropped elsewhere.
    Loaded {
        /// Its generation.
        generation: u32,
        /// Its parameters.
        parameters: Box<Parameters>,
        /// The scene before it.
        retired: Box<Show>,
    },
    /// Parameters, schemes or the coupling changed.
    Changed(Box<Parameters>),
    /// An order was refused.
    Refused(String),
    /// The hand let go on its own, and why.
    LetGo(&'static str),
    /// A replay ended; true if it arrived at the same state, bit for bit.
    Replayed(bool),
    /// Time jumped: plots begin again.
    Jumped,
}

/// The present values of everything that can be changed.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// Bodies, springs, gravity.
    pub params: Params,
    /// Scheme of every lane.
    pub schemes: Vec<Scheme>,
    /// Contact law of every lane.
    pub laws: Vec<ContactLaw>,
    /// Mean step length [s].
    pub step: f64,
    /// Coupling of the hand.
    pub coupling: super::Coupling,
    /// The device and the line behind it.
    pub line: super::Line,
}

impl Stage {
    /// The present values of everything that can be changed.
    pub fn parameters(&self) -> Parameters {
        Parameters {
            params: self.lanes[0].world.params().clone(),
            schemes: self.lanes.iter().map(|l| l.world.options().scheme).collect(),
            laws: self.lanes.iter().map(Lane::law).collect(),
            step: self.show.steps.mean_length(),
            coupling: self.hand.coupling,
            line: self.hand.line,
        }
    }

    /// Carries out an order from outside.
    pub fn give(&mut self, order: Order) -> Option<Notice> {
        let acts = matches!(
            order,
            Order::Grab { .. } | Order::Move { .. } | Order::Release | Order::Set(..)
        );
        if acts && self.take.is_replaying() {
            let idle = matches!(order, Order::Move { .. } | Order::Release);
            return (!idle).then(|| Notice::Refused("a replay is running; stop it first".into()));
        }
        if acts {
            self.take.note(self.lanes[0].world.tick(), &order);
        }
        self.obey(order)
    }

    pub(super) fn obey(&mut self, order: Order) -> Option<Notice> {
        match order {
            Order::Load(show) => return Some(self.load(show)),
            Order::Grab { body, point } => {
                if !self.grab(body, point) {
                    return Some(Notice::Refused("this body cannot be held".into()));
                }
            }
            Order::Move { target, turn } => {
                self.silence = 0.0;
                if self.hand.grip.is_some() && target.iter().all(|v| v.is_finite()) {
                    (self.hand.target, self.hand.turn) = (target, turn);
                }
            }
            Order::Release => self.release(),
            Order::Set(change, payment) => {
                return Some(match self.change(&change, payment) {
                    Ok(()) => Notice::Changed(Box::new(self.parameters())),
                    Err(reason) => Notice::Refused(reason),
                });
            }
            Order::Compare(rival) => return Some(self.compare(rival)),
            time => return self.obey_time(time),
        }
        None
    }

    fn obey_time(&mut self, order: Order) -> Option<Notice> {
        match order {
            Order::Pause(paused) => (self.paused, self.pending) = (paused, 0),
            Order::Step(n) => (self.paused, self.pending) = (true, n),
            Order::Speed(speed) => self.speed = speed.clamp(1e-3, 10.0),
            Order::Rewind(seconds) => {
                self.take.interrupt();
                self.paused = true;
                let tick = self.lanes[0].world.tick();
                self.take.end(tick, self.lanes[0].world.state_hash());
                return self.rewind(seconds).then_some(Notice::Jumped);
            }
            Order::Record(true) => {
                let now = self.moment();
                self.take.begin(now);
            }
            Order::Record(false) => {
                let world = &self.lanes[0].world;
                self.take.end(world.tick(), world.state_hash());
            }
            Order::Replay(true) => {
                let Some(start) = self.take.replay() else {
                    return Some(Notice::Refused("nothing is recorded yet".into()));
                };
                self.return_to(&start);
                self.past.clear();
                self.paused = false;
                return Some(Notice::Jumped);
            }
            Order::Replay(false) => {
                self.take.interrupt();
                self.release();
            }
            _ => {}
        }
        None
    }

    fn load(&mut self, show: Box<Show>) -> Notice {
        let again = show.id == self.show.id;
        let rival = self.rival();
        let generation = self.generation + 1;
        let mut fresh = Stage::new(show);
        (fresh.generation, fresh.speed) = (generation, self.speed);
        fresh.paused = self.paused && again;
        // the device stays in the hand
        fresh.hand.line = self.hand.line;
        let old = std::mem::replace(self, fresh);
        if rival.is_some() {
            // a law that does not suit this scene ends the comparison
            self.compare(rival);
        }
        let parameters = Box::new(self.parameters());
        Notice::Loaded { generation, parameters, retired: old.show }
    }

    /// In what the second world differs.
    fn rival(&self) -> Option<Rival> {
        let [first, second] = &self.lanes[..] else { return None };
        let by_law = first.law() != second.law();
        let scheme = second.world.options().scheme;
        Some(if by_law { Rival::Law(second.law()) } else { Rival::Scheme(scheme) })
    }

    fn compare(&mut self, rival: Option<Rival>) -> Notice {
        self.lanes.truncate(1);
        self.past.clear();
        if let Some(rival) = rival {
            let first = &self.lanes[0];
            let (scheme, law) = match rival {
                Rival::Scheme(scheme) => (scheme, first.law()),
                Rival::Law(law) => {
                    (first.world.options().scheme, first.other_law(law.name(), None))
                }
            };
            let mut world = super::show::under(&first.world, scheme);
            if let Err(reason) = world.set_contact_law(law) {
                return Notice::Refused(reason.to_string());
            }
            let mut lane = Lane::new(world);
            lane.port = self.lanes[0].port;
            lane.link.clone_from(&self.lanes[0].link);
            self.lanes.push(lane);
        }
        Notice::Changed(Box::new(self.parameters()))
    }

    /// True, and the replay over, if the last step was its last; whether it arrived at the same
    /// state is in the notice.
    pub fn end_of_replay(&mut self) -> Option<Notice> {
        let tick = self.lanes[0].world.tick();
        // what was done between the last step and the end of the take
        while let Some(order) = self.take.last_orders(tick) {
            self.obey(order);
        }
        let world = &self.lanes[0].world;
        let exact = self.take.finished(world.tick(), || world.state_hash())?;
        self.release();
        self.paused = true;
        Some(Notice::Replayed(exact))
    }

    /// Counts `seconds` without a word from the page; lets go when they are too many.
    pub fn hush(&mut self, seconds: f64) -> Option<Notice> {
        self.silence += seconds;
        let lost = self.silence > super::LEASE && self.hand.grip.is_some();
        if !lost || self.take.is_replaying() {
            return None;
        }
        self.give(Order::Release);
        Some(Notice::LetGo("the page that held it fell silent"))
    }
}
