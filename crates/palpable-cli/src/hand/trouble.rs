//! Faults that are rehearsed.

use palpable::Vec3;
use palpable_haptics::rt::{Books, Render, VirtualClock};
use palpable_haptics::{Sample, Wish, Wrench};
use std::time::Duration;

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The device goes away.
    Lost,
    /// The device does not answer.
    Silent,
    /// The device reports what is not a number.
    Garbled,
    /// The handle jumps.
    Jump,
    /// The handle is said to be a kilometre away.
    Far,
    /// The handle is said to move, and does not.
    Stuck,
    /// A reading is older than the one before.
    Order,
    /// A reading comes from the future.
    Future,
    /// The device's brake goes on.
    Brake,
    /// The world gives no answer.
    Stall,
    /// The world asks for a force that is not a number.
    Force,
    /// The world does not come back from a step.
    Hang,
    /// The world breaks down in a step.
    Panic,
    /// The loop comes late once.
    Late,
    /// The clock jumps once.
    Clock,
}

/// How late the loop comes: the safety stage fades from 50 ms on, the watchdog waits for 100 ms.
const LATE: Duration = Duration::from_millis(80);

const NAMES: [(&str, What); 15] = [
    ("lost", What::Lost),
    ("silent", What::Silent),
    ("garbled", What::Garbled),
    ("jump", What::Jump),
    ("far", What::Far),
    ("stuck", What::Stuck),
    ("order", What::Order),
    ("future", What::Future),
    ("brake", What::Brake),
    ("stall", What::Stall),
    ("force", What::Force),
    ("hang", What::Hang),
    ("panic", What::Panic),
    ("late", What::Late),
    ("clock", What::Clock),
];

/// A fault and when it happens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rehearsal {
    /// What goes wrong.
    pub what: What,
    /// When \[s\].
    pub at: f64,
}

/// Reads `lost@0.5`.
pub fn parse(text: &str) -> Result<Rehearsal, String> {
    let (name, at) = text.split_once('@').ok_or("write WHAT@SECONDS, e.g. lost@0.5")?;
    let what = NAMES.iter().find(|(known, _)| *known == name).map(|(_, what)| *what);
    let names = || NAMES.map(|(name, _)| name).join(", ");
    let what = what.ok_or_else(|| format!("there is no fault `{name}`; there are: {}", names()))?;
    match at.parse::<f64>() {
        Ok(at) if at >= 0.0 && at.is_finite() => Ok(Rehearsal { what, at }),
        _ => Err("give the time in seconds, e.g. lost@0.5".into()),
    }
}

/// A renderer whose world fails at a set time.
pub struct Troubled<R> {
    inner: R,
    rehearsal: Option<Rehearsal>,
    started: Option<Duration>,
}

impl<R> Troubled<R> {
    /// Fails as `rehearsal` says, if it concerns the world.
    pub fn new(inner: R, rehearsal: Option<Rehearsal>) -> Self {
        Self { inner, rehearsal, started: None }
    }

    /// What renders.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Render> Render for Troubled<R> {
    fn render(&mut self, now: Duration, h: Duration, sample: &Sample) -> Wish {
        let mut wish = self.inner.render(now, h, sample);
        let passed = now.saturating_sub(*self.started.get_or_insert(now)).as_secs_f64();
        match self.rehearsal {
            Some(Rehearsal { what: What::Stall, at }) if passed >= at => {
                wish.age = Duration::try_from_secs_f64(passed - at).unwrap_or_default();
            }
            Some(Rehearsal { what: What::Force, at }) if passed >= at => {
                wish.wrench = Wrench::force(Vec3::repeat(f64::NAN));
            }
            Some(Rehearsal { what: What::Hang, at }) if passed >= at => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
            Some(Rehearsal { what: What::Late, at }) if passed >= at => {
                std::thread::sleep(LATE);
                self.rehearsal = None;
            }
            Some(Rehearsal { what: What::Panic, at }) if passed >= at => {
                std::panic::panic_any("a rehearsal");
            }
            _ => {}
        }
        wish
    }

    fn books(&self) -> Books {
        self.inner.books()
    }
}

/// Makes a virtual clock late or jump at its time, once.
pub fn disturb(clock: &VirtualClock, rehearsal: &mut Option<Rehearsal>, passed: f64) {
    match *rehearsal {
        Some(Rehearsal { what: What::Late, at }) if passed >= at => {
            clock.be_late(Duration::from_millis(100));
            *rehearsal = None;
        }
        Some(Rehearsal { what: What::Clock, at }) if passed >= at => {
            clock.be_late(Duration::from_secs(3600));
            *rehearsal = None;
        }
        _ => {}
    }
}
