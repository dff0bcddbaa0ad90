//! Threads that run worlds and shrink violations.

use crate::check::finding::Kind;
use crate::generate::{generate, profile_of};
use crate::run::{Outcome, run};
use crate::scene::{Profile, Scene};
use crate::shrink::shrink_violation;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

/// What a thread has done.
pub enum Done {
    /// Ran the world of a seed.
    World {
        /// The seed.
        seed: u64,
        /// What became of it; nothing if its profile is not wanted.
        outcome: Option<Box<Outcome>>,
    },
    /// Shrank a violation.
    Shrunk {
        /// Which violation.
        violation: Violation,
        /// The smaller scene.
        scene: Box<Scene>,
    },
}

/// A violation that is worth a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Violation {
    /// Of which law.
    pub kind: Kind,
    /// In the world of this seed.
    pub seed: u64,
}

/// What the threads share.
pub struct Pool {
    work: Mutex<Work>,
    /// Only worlds of this profile.
    only: Option<Profile>,
    /// True once shrinking is to end at once.
    hurry: AtomicBool,
}

struct Work {
    next: u64,
    violations: VecDeque<Violation>,
    open: bool,
}

enum Job {
    World(u64),
    Shrink(Violation),
}

impl Pool {
    /// A pool that begins at a seed.
    pub fn new(next: u64, only: Option<Profile>) -> Self {
        let work = Work { next, violations: VecDeque::new(), open: true };
        Self { work: Mutex::new(work), only, hurry: AtomicBool::new(false) }
    }

    /// Lets a thread shrink a violation.
    pub fn shrink(&self, violation: Violation) {
        self.with(|work| work.violations.push_back(violation));
    }

    /// Hands out no more seeds. What was begun is ended; in a `hurry` nothing is shrunk any more.
    pub fn close(&self, hurry: bool) {
        self.hurry.fetch_or(hurry, Ordering::Relaxed);
        self.with(|work| {
            work.open = false;
            if hurry {
                work.violations.clear();
            }
        });
    }

    /// Works until there is nothing to do. A violation that is shrunk after [`Pool::close`] must
    /// have been handed in before.
    pub fn work(&self, done: &Sender<Done>) {
        while let Some(job) = self.with(Work::take) {
            let answer = match job {
                Job::World(seed) => self.run(seed),
                Job::Shrink(violation) => self.shrink_now(violation),
            };
            if done.send(answer).is_err() {
                return;
            }
        }
    }

    fn run(&self, seed: u64) -> Done {
        let wanted = self.only.is_none_or(|only| only == profile_of(seed));
        Done::World { seed, outcome: wanted.then(|| Box::new(run(&generate(seed)))) }
    }

    fn shrink_now(&self, violation: Violation) -> Done {
        let stopped = || self.hurry.load(Ordering::Relaxed);
        let scene = shrink_violation(&generate(violation.seed), violation.kind, stopped);
        Done::Shrunk { violation, scene: Box::new(scene) }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Work) -> T) -> T {
        // a thread that panicked left the numbers whole: each is written at once
        act(&mut self.work.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl Work {
    fn take(&mut self) -> Option<Job> {
        if let Some(violation) = self.violations.pop_front() {
            return Some(Job::Shrink(violation));
        }
        self.open.then(|| {
            self.next += 1;
            Job::World(self.next - 1)
        })
    }
}
