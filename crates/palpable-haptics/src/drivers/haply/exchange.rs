//! The driver's own thread: it sends the latest command and publishes the latest state.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::HaplySettings;
use super::link::{Link, Trouble};
use super::wire::{self, ForceKey, Misread};
use crate::device::Sample;
use palpable::Vec3;

/// Without a new command for this long, the last one is sent again: no message, no state.
const KEEP_ALIVE: Duration = Duration::from_millis(10);
/// Time between two attempts to connect again.
const RETRY: Duration = Duration::from_millis(20);

/// From the servo loop: the latest value counts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Order {
    /// Force on the hand \[N\].
    pub force: Vec3,
    /// The connection that it is meant for; a force for an older one is not sent.
    pub epoch: u64,
    /// Count of commands.
    pub count: u64,
}

/// To the servo loop: the latest value counts.
#[derive(Debug, Clone, Copy, Default)]
pub struct News {
    /// The latest reading; its sequence counts the answers of the service.
    pub sample: Sample,
    /// Counts connections, and times when the force was taken away for want of commands.
    pub epoch: u64,
    /// True while connected.
    pub linked: bool,
    /// Messages that could not be used.
    pub garbled: u64,
    /// Why the last one of them could not.
    pub misread: Option<Misread>,
}

/// The thread's side.
pub struct Exchange {
    pub settings: HaplySettings,
    pub id: String,
    pub link: Option<Link>,
    pub orders: triple_buffer::Output<Order>,
    pub news: triple_buffer::Input<News>,
    pub now: News,
    pub closing: Arc<AtomicBool>,
}

/// What the thread remembers between two turns.
struct Turn {
    text: String,
    quoted: String,
    first: bool,
    order: Order,
    fresh: Instant,
    heard: Instant,
    pushing: bool,
}

impl Exchange {
    /// Runs until the device is closed.
    pub fn run(mut self) {
        let now = Instant::now();
        let quoted = serde_json::Value::from(self.id.clone()).to_string();
        let mut turn = Turn {
            text: String::new(),
            quoted,
            first: true,
            order: Order::default(),
            fresh: now,
            heard: now,
            pushing: false,
        };
        while !self.closing.load(Ordering::Acquire) {
            if self.link.is_none() {
                self.connect_again(&mut turn);
            } else if self.wait(&mut turn) && self.exchange(&mut turn) == Err(Trouble::Broken) {
                self.lose();
            }
        }
        self.farewell(&mut turn);
    }

    /// Waits for a new command, not longer than the service wants to be kept awake; false if the
    /// device is being closed.
    fn wait(&mut self, turn: &mut Turn) -> bool {
        let start = Instant::now();
        loop {
            let order = *self.orders.read();
            if order.count != turn.order.count {
                (turn.order, turn.fresh) = (order, Instant::now());
                return true;
            }
            let waited = start.elapsed();
            if waited >= KEEP_ALIVE {
                self.mute(turn);
                return true;
            }
            if self.closing.load(Ordering::Acquire) {
                return false;
            }
            std::thread::park_timeout(KEEP_ALIVE - waited);
        }
    }

    /// Takes the force away if the loop hangs; it must ramp in again.
    fn mute(&mut self, turn: &mut Turn) {
        if turn.pushing && turn.fresh.elapsed() > self.settings.mute_after {
            self.now.epoch += 1;
            turn.pushing = false;
            self.news.write(self.now);
        }
    }

    /// One message there, one back.
    fn exchange(&mut self, turn: &mut Turn) -> Result<(), Trouble> {
        let Some(link) = &mut self.link else { return Ok(()) };
        let (late, patience) = (link.drain()?, self.settings.broken_after);
        let meant = turn.order.epoch == self.now.epoch;
        let force = if meant { turn.order.force } else { Vec3::zeros() };
        turn.pushing = force != Vec3::zeros();
        let key: ForceKey = self.settings.force_key;
        wire::command(&mut turn.text, &turn.quoted, &force, key, turn.first);
        let said = link.say(&turn.text);
        turn.first &= said.is_err();
        let heard = said.and_then(|()| link.hear(self.settings.answer_within));
        let text = match (heard, late) {
            (Ok(text), _) => text,
            (Err(Trouble::Silent), Some(text)) => text,
            (Err(Trouble::Silent), None) if turn.heard.elapsed() < patience => return Ok(()),
            (Err(_), _) => return Err(Trouble::Broken),
        };
        turn.heard = Instant::now();
        self.publish(&text);
        Ok(())
    }

    /// Takes the reading out of a message and shows it to the servo loop.
    fn publish(&mut self, text: &str) {
        match wire::sample(text, &self.id, self.now.sample.sequence + 1) {
            Ok(sample) => self.now.sample = sample,
            Err(misread) => {
                self.now.garbled += 1;
                self.now.misread = Some(misread);
            }
        }
        self.news.write(self.now);
    }

    fn lose(&mut self) {
        self.link = None;
        self.now.linked = false;
        self.news.write(self.now);
    }

    /// One attempt to get the service and our device back.
    fn connect_again(&mut self, turn: &mut Turn) {
        let (address, within) = (&self.settings.address, self.settings.answer_within);
        let patience = self.settings.broken_after;
        let opened = Link::open(address, patience, within).ok();
        let listed = opened.and_then(|mut link| {
            let text = link.hear(patience).ok()?;
            wire::sample(&text, &self.id, 0).ok().map(|_| (link, text))
        });
        let Some((link, text)) = listed else {
            std::thread::park_timeout(RETRY);
            return;
        };
        self.link = Some(link);
        // forces meant for the old connection are not sent over this one
        self.now.epoch += 1;
        self.now.linked = true;
        (turn.first, turn.pushing, turn.heard) = (true, false, Instant::now());
        self.publish(&text);
    }

    /// Zero force, then the end.
    fn farewell(&mut self, turn: &mut Turn) {
        let Some(mut link) = self.link.take() else { return };
        let (key, quoted) = (self.settings.force_key, &turn.quoted);
        wire::command(&mut turn.text, quoted, &Vec3::zeros(), key, turn.first);
        if link.say(&turn.text).is_ok() {
            let _ = link.hear(self.settings.answer_within);
        }
        link.close();
    }
}
