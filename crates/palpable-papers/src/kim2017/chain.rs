//! A pinned chain of light links on stiff point joints, the setting of `[Kim2017 sec. 3.2]`.

use crate::PaperError;
use palpable::{Anchor, Body, Inputs, Joint, Model, Options, Scheme, Vec3, World};
use palpable_random::Random;

/// Length of a link \[m\].
const LENGTH: f64 = 0.1;
/// Mass of a link \[kg\].
const MASS: f64 = 1e-3;
/// Simulated time \[s\].
pub(super) const TIME: f64 = 2.0;

/// What the links are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// Inertia `m·I` as printed: the numbers of the mass as moments \[kg·m²\].
    Printed,
    /// Slender rods, `m l²/12` across.
    Rods,
}

/// A chain and how it is run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chain {
    pub links: Links,
    /// Number of links.
    pub count: u32,
    /// Stiffness of every joint \[N/m\].
    pub stiffness: f64,
}

impl Chain {
    /// Lies along x, pinned at the origin, every link spinning at up to 11 rad/s with velocities
    /// that fit the joints.
    fn world(&self, scheme: Scheme, joint_loss: f64) -> Result<World, PaperError> {
        let moments = match self.links {
            Links::Printed => [MASS; 3],
            // about its own axis as one of 28 mm radius: a thin rod would turn there even easier
            Links::Rods => [4e-7, MASS * LENGTH * LENGTH / 12.0, MASS * LENGTH * LENGTH / 12.0],
        };
        let half = Vec3::new(0.5 * LENGTH, 0.0, 0.0);
        let mut spins = Spins(Random(u64::from(self.count)));
        let mut model = Model::ghosts();
        let (mut end, mut tip) = (Anchor::world([0.0; 3]), Vec3::zeros());
        for i in 0..self.count {
            let spin = spins.next();
            let velocity = tip + spin.cross(&half);
            tip = velocity + spin.cross(&half);
            let link = Body::new(format!("link {}", i + 1))
                .principal_inertia(MASS, moments)
                .position([LENGTH * (f64::from(i) + 0.5), 0.0, 0.0]);
            let link = model.body(link.velocity(velocity).angular_velocity(spin));
            model.joint(Joint::ball(link.at(-half), end).stiffness(self.stiffness));
            end = link.at(half);
        }
        let options = Options { scheme, joint_loss, ..Default::default() };
        Ok(World::begin(model.build()?, options))
    }

    /// Runs the chain for 2 s, or until it holds `limit` times its energy.
    pub(super) fn run(&self, way: Way, h: f64, limit: f64) -> Result<Gain, PaperError> {
        let mut world = self.world(way.scheme, way.joint_loss)?;
        let initial = world.energy().total();
        let mut gain = Gain { end: 1.0, stray: 0.0, rise: 0.0, gap: 0.0, opened: 0.0 };
        for _ in 0..(TIME / h).round() as u32 {
            let report = world.step(h, &Inputs::none());
            let taken = report.status.is_taken();
            gain.gap = gain.gap.max(report.gap);
            gain.opened = gain.opened.max(report.gap_before);
            gain.rise = gain.rise.max(world.energy().total() / initial - 1.0);
            let sum = world.energy().total() + world.ledger().totals().lost();
            // a step is refused when its numbers overflow
            gain.end = if taken { sum / initial } else { f64::INFINITY };
            gain.stray = gain.stray.max((gain.end - 1.0).abs());
            if gain.end > limit {
                break;
            }
        }
        Ok(gain)
    }
}

/// What became of a chain's energy, by `(E + lost) / E0`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gain {
    /// At the end of the run.
    pub end: f64,
    /// Largest distance from 1 at any time.
    pub stray: f64,
    /// Largest `E/E0 − 1` at any time, losses left out.
    pub rise: f64,
    /// Largest gap of a joint, `|g − G|`, left after a step \[m\].
    pub gap: f64,
    /// The same before the configuration is pulled onto the carried strain \[m\].
    pub opened: f64,
}

/// How a chain is stepped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Way {
    pub scheme: Scheme,
    /// Numerical loss of unresolved joints.
    pub joint_loss: f64,
}

/// Angular velocities, the same on every machine.
struct Spins(Random);

impl Spins {
    /// Small along the link, up to 8 rad/s each way across it \[rad/s\].
    fn next(&mut self) -> Vec3 {
        let mut up_to = |limit: f64| limit * self.0.signed();
        Vec3::new(up_to(2.0), up_to(8.0), up_to(8.0))
    }
}
