//! The driver's own thread: it sends the latest command and publishes the latest state.
//!
//! One command is on its way at any time: the next one is sent when the service has answered. A
//! service that takes longer than the settings allow, or sends far more than it was asked, has a
//! broken connection, which is left with a zero as its last force.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::HaplySettings;
use super::link::{Left, Link, Trouble};
use super::wire::{self, ForceKey, Misread};
use crate::device::Sample;
use palpable::Vec3;

/// Without a new command for this long, the last one is sent again: no message, no state.
const KEEP_ALIVE: Duration = Duration::from_millis(10);
/// Shortest and longest time between two attempts to connect again; it doubles each time.
const RETRY: [Duration; 2] = [Duration::from_millis(20), Duration::from_secs(1)];
/// A connection that has lasted this long is sound: the next attempts begin with the shortest time.
const SOUND: Duration = Duration::from_secs(1);
/// Time in which a connection that we leave may take what it was sent.
const LINGER: Duration = Duration::from_millis(500);
/// Connections that are being left at the same time, at most.
const LEAVING: usize = 4;
/// Texts that a service may send unasked for each command, and on top of that at once.
const UNASKED: [usize; 2] = [4, 64];

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
    /// When it was asked for.
    pub asked: Option<Instant>,
    /// Counts connections, and times when the force was taken away for want of commands.
    pub epoch: u64,
    /// True while connected.
    pub linked: bool,
    /// Messages that could not be used.
    pub garbled: u64,
    /// Why the last one of them could not.
    pub misread: Option<Misread>,
}

/// How the thread ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parting {
    /// The service has answered to zero force.
    Acknowledged,
    /// It has not: zero was sent, or there was no connection to send it over.
    Unheard,
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
    pub turn: Turn,
}

/// What the thread remembers between two turns.
pub struct Turn {
    text: String,
    quoted: String,
    first: bool,
    order: Order,
    fresh: Instant,
    pushing: bool,
    /// texts that came unasked, less what is allowed
    unasked: usize,
    connected: Instant,
    retry: Duration,
    retry_at: Instant,
    left: Vec<Left>,
}

impl Turn {
    /// At the start of a connection to the device `id`.
    pub fn new(id: &str) -> Self {
        let now = Instant::now();
        Self {
            text: String::new(),
            quoted: serde_json::Value::from(id).to_string(),
            first: true,
            order: Order::default(),
            fresh: now,
            pushing: false,
            unasked: 0,
            connected: now,
            retry: RETRY[0],
            retry_at: now,
            left: Vec::new(),
        }
    }
}

impl Exchange {
    /// Runs until the device is closed.
    pub fn run(&mut self) -> Parting {
        while !self.closing.load(Ordering::Acquire) {
            self.turn.left.retain_mut(|left| !left.is_over());
            if self.link.is_none() {
                self.connect_again();
            } else if self.wait() && self.exchange().is_err() {
                self.lose();
            }
        }
        self.farewell()
    }

    /// Waits for a new command, not longer than the service wants to be kept awake; false if the
    /// device is being closed.
    fn wait(&mut self) -> bool {
        let start = Instant::now();
        loop {
            let order = *self.orders.read();
            if order.count != self.turn.order.count {
                // a loop, or a process, that stood still must ramp in again
                self.mute();
                (self.turn.order, self.turn.fresh) = (order, Instant::now());
                return true;
            }
            let waited = start.elapsed();
            if waited >= KEEP_ALIVE {
                self.mute();
                return true;
            }
            if self.closing.load(Ordering::Acquire) {
                return false;
            }
            std::thread::park_timeout(KEEP_ALIVE - waited);
        }
    }

    /// Takes the force away if the loop hangs; it must ramp in again.
    fn mute(&mut self) {
        if self.turn.pushing && self.turn.fresh.elapsed() > self.settings.mute_after {
            self.now.epoch += 1;
            self.turn.pushing = false;
            self.news.write(self.now);
        }
    }

    /// Writes a command for a force and sends it.
    fn say(&mut self, force: &Vec3) -> Result<(), Trouble> {
        let (turn, key): (&mut Turn, ForceKey) = (&mut self.turn, self.settings.force_key);
        let Some(link) = &mut self.link else { return Err(Trouble::Broken) };
        wire::command(&mut turn.text, &turn.quoted, force, key, turn.first);
        link.say(&turn.text, self.settings.answer_within)?;
        turn.first = false;
        Ok(())
    }

    /// One message there, one back.
    fn exchange(&mut self) -> Result<(), Trouble> {
        let Some(link) = &mut self.link else { return Ok(()) };
        let [each, at_once] = UNASKED;
        let unasked = self.turn.unasked + link.drain()?;
        if unasked > at_once {
            // its answers are not answers to us: commands would queue up unread
            return Err(Trouble::Broken);
        }
        self.turn.unasked = unasked.saturating_sub(each);
        let meant = self.turn.order.epoch == self.now.epoch;
        let force = if meant { self.turn.order.force } else { Vec3::zeros() };
        self.turn.pushing = force != Vec3::zeros();
        let asked = Instant::now();
        self.say(&force)?;
        let Some(link) = &mut self.link else { return Ok(()) };
        let text = link.hear(self.settings.broken_after)?;
        self.publish(&text, asked);
        Ok(())
    }

    /// Takes the reading out of a message and shows it to the servo loop.
    fn publish(&mut self, text: &str, asked: Instant) {
        match wire::sample(text, &self.id, self.now.sample.sequence + 1) {
            Ok(sample) => (self.now.sample, self.now.asked) = (sample, Some(asked)),
            Err(misread) => {
                self.now.garbled += 1;
                self.now.misread = Some(misread);
            }
        }
        self.news.write(self.now);
    }

    /// Leaves a connection that is broken: what it may still read ends with zero.
    fn lose(&mut self) {
        let _ = self.say(&Vec3::zeros());
        self.leave();
        self.now.linked = false;
        self.news.write(self.now);
        let sound = self.turn.connected.elapsed() > SOUND;
        self.turn.retry = if sound { RETRY[0] } else { self.turn.retry };
        self.put_off();
    }

    fn leave(&mut self) {
        let left = self.link.take().and_then(|link| link.leave(LINGER));
        if self.turn.left.len() >= LEAVING {
            self.turn.left.remove(0);
        }
        self.turn.left.extend(left);
    }

    /// The next attempt to connect is later than the last one was.
    fn put_off(&mut self) {
        let turn = &mut self.turn;
        turn.retry_at = Instant::now() + turn.retry;
        turn.retry = (2 * turn.retry).min(RETRY[1]);
    }

    /// One attempt to get the service and our device back, when it is time.
    fn connect_again(&mut self) {
        // the servo loop unparks us at every tick: what counts is the clock
        let left = self.turn.retry_at.saturating_duration_since(Instant::now());
        if !left.is_zero() {
            std::thread::park_timeout(left.min(KEEP_ALIVE));
            return;
        }
        let patience = self.settings.broken_after;
        let opened = Link::open(&self.settings.address, patience).ok();
        let listed = opened.and_then(|mut link| {
            let text = link.hear(patience).ok()?;
            wire::sample(&text, &self.id, 0).ok().map(|_| (link, text))
        });
        let Some((link, text)) = listed else {
            self.put_off();
            return;
        };
        self.link = Some(link);
        // forces meant for the old connection are not sent over this one
        self.now.epoch += 1;
        self.now.linked = true;
        let now = Instant::now();
        (self.turn.first, self.turn.pushing, self.turn.unasked) = (true, false, 0);
        self.turn.connected = now;
        self.publish(&text, now);
    }

    /// Zero force and the answer to it, then the end.
    fn farewell(&mut self) -> Parting {
        let (patience, end) = (self.settings.broken_after, Instant::now() + LINGER);
        let drained = self.link.as_mut().map(Link::drain);
        let said =
            drained.is_some_and(|drained| drained.is_ok()) && self.say(&Vec3::zeros()).is_ok();
        let heard = said && self.link.as_mut().is_some_and(|link| link.hear(patience).is_ok());
        self.leave();
        while !self.turn.left.is_empty() && Instant::now() < end {
            self.turn.left.retain_mut(|left| !left.is_over());
            std::thread::sleep(Duration::from_millis(1));
        }
        if heard { Parting::Acknowledged } else { Parting::Unheard }
    }
}

impl Drop for Exchange {
    /// Also if this thread breaks down, zero is the last force.
    fn drop(&mut self) {
        if self.link.is_some() {
            self.farewell();
        }
    }
}
