//! What the stage is told, and what it tells.

use super::{Change, Edit, Lane, Made, Show, Stage};
use palpable::model::Params;
use palpable::{ContactLaw, Payment, PortInput, Rotation, Scheme, Snapshot, Vec3, World};
use palpable_scene::End;

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
    /// Adds or removes a body.
    Edit(Edit),
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
    /// Shows the moment so many simulated seconds before the present and forgets nothing; the
    /// present itself if 0.
    Peek(f64),
    /// What happens when the scene is over.
    End(End),
    /// Tells a motor what to do instead of what the scene says, or no longer.
    Drive(usize, Option<PortInput>),
    /// Time stands still as long as nobody looks.
    Idle(bool),
    /// Hands out a copy of the world.
    Copy,
    /// Puts the world into the state of another one that was made in the same way.
    Place(Box<Snapshot>),
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
    /// Others are there now: somebody came or left, or the moment on show has others.
    Recast {
        /// Its generation.
        generation: u32,
        /// Its parameters.
        parameters: Box<Parameters>,
        /// The scene as it is now.
        show: Box<Show>,
    },
    /// An order was refused.
    Refused(String),
    /// The hand let go on its own, and why.
    LetGo(&'static str),
    /// A replay ended; true if it arrived at the same state, bit for bit.
    Replayed(bool),
    /// Time jumped: plots begin again.
    Jumped,
    /// The world was put into this state, which is to be dropped elsewhere.
    Placed(Box<Snapshot>),
    /// The scene is over, and time stands still.
    Ended,
    /// The world as it is, and what was made of the scene.
    Copied(Box<World>, Vec<Made>),
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

/// A scene begins again only when nobody has touched it for so long [s].
const QUIET: f64 = 3.0;

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
            Order::Grab { .. }
                | Order::Move { .. }
                | Order::Release
                | Order::Set(..)
                | Order::Edit(_)
                | Order::Drive(..)
        );
        if acts && self.take.is_replaying() {
            let idle = matches!(order, Order::Move { .. } | Order::Release);
            return (!idle).then(|| Notice::Refused("a replay is running; stop it first".into()));
        }
        if acts && !matches!(order, Order::Move { .. } | Order::Release) {
            // whoever acts in the past begins another future
            self.branch();
            self.calm = 0.0;
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
                    Ok(()) => {
                        self.remember_change(change, payment);
                        Notice::Changed(Box::new(self.parameters()))
                    }
                    Err(reason) => Notice::Refused(reason),
                });
            }
            Order::Edit(edit) => {
                return self.edit(&edit).err().map(Notice::Refused);
            }
            Order::Compare(rival) => return Some(self.compare(rival)),
            Order::Drive(port, input) => self.drive(port, input),
            Order::Idle(idle) => self.idle = idle,
            Order::End(end) => self.show.staging.end = end,
            Order::Place(state) => return Some(self.place(state)),
            Order::Copy => {
                let world = Box::new(self.lanes[0].world.clone());
                return Some(Notice::Copied(world, self.show.made.clone()));
            }
            time => return self.obey_time(time),
        }
        None
    }

    fn obey_time(&mut self, order: Order) -> Option<Notice> {
        match order {
            Order::Pause(paused) => {
                (self.paused, self.pending) = (paused, 0);
                if !paused && self.go_to_present() {
                    return Some(Notice::Jumped);
                }
            }
            Order::Step(n) => {
                self.branch();
                (self.paused, self.pending) = (true, n);
            }
            Order::Peek(seconds) => {
                self.take.interrupt();
                self.paused = true;
                self.peek(seconds);
            }
            Order::Speed(speed) => self.speed = speed.clamp(1e-3, 10.0),
            Order::Rewind(seconds) => {
                self.go_to_present();
                self.take.interrupt();
                self.paused = true;
                let tick = self.lanes[0].world.tick();
                self.take.end(tick, self.lanes[0].world.state_hash());
                return self.rewind(seconds).then_some(Notice::Jumped);
            }
            Order::Record(true) => {
                self.branch();
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

    /// Keeps a change for when the scene begins again; a newer one takes the place of its kind.
    fn remember_change(&mut self, change: Change, payment: Payment) {
        let same = |other: &Change| other.is_like(&change);
        self.altered.retain(|(other, _)| !same(other));
        self.altered.push((change, payment));
    }

    fn drive(&mut self, port: usize, input: Option<PortInput>) {
        let name = self.lanes[0].world.model().ports().get(port).map(|p| p.name.clone());
        let Some(port) = name.and_then(|n| self.lanes[0].world.port_named(&n)) else { return };
        self.drives.retain(|(other, _)| *other != port);
        self.drives.extend(input.map(|input| (port, input)));
    }

    /// At the end of the scene: begins again or stops, if that is wanted and nobody is at work.
    pub fn end_of_scene(&mut self) -> Option<Notice> {
        let over = self.lanes[0].world.time() >= self.show.duration;
        let busy = self.take.is_recording() || self.take.is_replaying();
        if !over || busy || self.paused || self.calm < QUIET.min(self.show.duration) {
            return None;
        }
        match self.show.staging.end {
            End::GoOn => None,
            End::Stop => {
                self.paused = true;
                // once is enough: whoever goes on wants to go on
                self.show.staging.end = End::GoOn;
                Some(Notice::Ended)
            }
            End::Loop => Some(self.begin_again()),
        }
    }

    /// Goes back to the start with the parameters that were chosen since.
    fn begin_again(&mut self) -> Notice {
        let Some(start) = self.beginning.take() else { return Notice::Jumped };
        let rival = self.rival();
        self.return_to(&start);
        self.beginning = Some(start);
        for (change, payment) in std::mem::take(&mut self.altered) {
            if self.change(&change, payment).is_ok() {
                self.altered.push((change, payment));
            }
        }
        if rival.is_some() {
            self.compare(rival);
        }
        self.past.clear();
        Notice::Jumped
    }

    fn load(&mut self, show: Box<Show>) -> Notice {
        let again = show.id == self.show.id;
        let rival = self.rival();
        let generation = self.generation + 1;
        let mut fresh = Stage::new(show);
        (fresh.generation, fresh.speed, fresh.idle) = (generation, self.speed, self.idle);
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
    pub(super) fn rival(&self) -> Option<Rival> {
        let [first, second] = &self.lanes[..] else { return None };
        let by_law = first.law() != second.law();
        let scheme = second.world.options().scheme;
        Some(if by_law { Rival::Law(second.law()) } else { Rival::Scheme(scheme) })
    }

    pub(super) fn compare(&mut self, rival: Option<Rival>) -> Notice {
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
