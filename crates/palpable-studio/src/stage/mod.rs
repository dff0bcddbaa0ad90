//! What the servo thread holds: the worlds on show, the hand, and time.
//!
//! Nothing here knows of threads, sockets or clocks; the tests drive it tick by tick.

mod change;
mod edit;
mod grip;
mod hand;
pub mod histogram;
mod lane;
mod line;
mod moment;
mod order;
pub mod rival;
mod show;
mod strike;
mod take;

pub use change::{Change, LONGEST_STEP, SHORTEST_STEP, Target};
pub use edit::{Cast, Edit, Made, Newcomer, rewritten};
pub use grip::Grip;
pub use hand::{Coupling, Hand};
pub use histogram::Histogram;
pub use lane::{Fate, Lane};
pub use line::{Line, Link};
pub use moment::Moment;
pub use order::{Notice, Order, Parameters, Rival};
pub use show::Show;
pub use strike::{MOST as MOST_STRIKES, Strike, Strikes};
pub use take::Take;

use moment::Past;
use palpable::{Inputs, Scheme};

/// Longest time without a word from whoever holds the hand before it lets go [s].
pub const LEASE: f64 = 2.0;

/// The worlds on show and everything a user can do to them.
#[derive(Debug)]
pub struct Stage {
    pub(crate) show: Box<Show>,
    /// the world, and under comparison the same under another scheme
    pub(crate) lanes: Vec<Lane>,
    pub(crate) hand: Hand,
    pub(crate) inputs: Inputs,
    pub(crate) paused: bool,
    /// simulated seconds per second
    pub(crate) speed: f64,
    /// single steps still to be taken while paused
    pub(crate) pending: u32,
    past: Past,
    pub(crate) take: Take,
    /// the present, while an earlier moment is looked at
    present: Option<Box<Moment>>,
    /// where everything began, and what was changed since
    beginning: Option<Box<Moment>>,
    altered: Vec<(Change, palpable::Payment)>,
    /// what motors are told instead of what the scene says
    drives: Vec<(palpable::PortId, palpable::PortInput)>,
    /// nobody looks: time stands still
    pub(crate) idle: bool,
    /// simulated time since the hand or a wish last changed anything [s]
    calm: f64,
    /// time since the hand was last heard of [s]
    pub(crate) silence: f64,
    pub(crate) generation: u32,
    /// who is there, and whether the pages have yet to be told
    cast: std::sync::Arc<Cast>,
    recast: bool,
}

impl Stage {
    /// A stage with a scene.
    pub fn new(show: Box<Show>) -> Self {
        let world = show.world();
        let (hand, inputs) = (Hand::new(show.coupling), world.inputs());
        Self {
            lanes: vec![Lane::new(world)],
            past: Past::default(),
            take: Take::default(),
            present: None,
            beginning: None,
            altered: Vec::new(),
            drives: Vec::new(),
            idle: false,
            calm: 0.0,
            paused: false,
            speed: 1.0,
            pending: 0,
            silence: 0.0,
            generation: 1,
            cast: Cast::of(&show),
            recast: false,
            hand,
            inputs,
            show,
        }
    }

    /// True if the next call of [`Stage::tick`] moves time on.
    pub fn is_running(&self) -> bool {
        !self.idle && (!self.paused || self.pending > 0)
    }

    /// Takes one step in every lane; returns its length [s].
    pub fn tick(&mut self) -> f64 {
        if self.beginning.is_none() {
            self.beginning = Some(Box::new(self.moment()));
        }
        self.pending = self.pending.saturating_sub(1);
        let before = self.lanes[0].world.tick();
        while let Some(order) = self.take.due(before) {
            self.obey(order);
        }
        let h = self.show.steps.next_length();
        self.hand.follow(h);
        let time = self.lanes[0].world.time();
        self.take_over();
        self.show.script.during(time, h, &mut self.inputs);
        for (port, input) in &self.drives {
            self.inputs.set(*port, *input);
        }
        self.calm = if self.hand.grip.is_some() { 0.0 } else { self.calm + h };
        for lane in &mut self.lanes {
            lane.step(h, &mut self.inputs, &self.hand);
        }
        self.remember();
        h
    }

    /// The scheme of a lane.
    pub fn scheme(&self, lane: usize) -> Option<Scheme> {
        self.lanes.get(lane).map(|l| l.world.options().scheme)
    }

    /// The first lane's world.
    pub fn world(&self) -> &palpable::World {
        &self.lanes[0].world
    }

    /// All lanes.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// The hand.
    pub fn hand(&self) -> &Hand {
        &self.hand
    }

    /// The scene.
    pub fn show(&self) -> &Show {
        &self.show
    }

    /// Counts up with every new scene, so that frames of an old one can be told apart.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Simulated time that can be rewound [s].
    pub fn rewindable(&self) -> f64 {
        self.past.depth(self.lanes[0].world.time())
    }

    /// How long before the present the moment on show is [s]; `None` if it is the present.
    pub fn looking_back(&self) -> Option<f64> {
        let present = self.present.as_ref()?;
        Some((present.time - self.lanes[0].world.time()).max(0.0))
    }

    /// Simulated seconds per second.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// True if time stands still.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// What is recorded.
    pub fn take(&self) -> &Take {
        &self.take
    }

    /// Begins to look for the largest force and the deepest overlap anew.
    pub fn take_peaks(&mut self) {
        self.lanes.iter_mut().for_each(Lane::forget_peaks);
    }
}
