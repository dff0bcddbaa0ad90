//! What a check found, and how often.

use std::collections::BTreeMap;

/// Which law was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Stored energy rose by more than was supplied.
    Rise,
    /// The loss by damping is negative.
    NegativeDamped,
    /// The loss by friction is negative.
    NegativeFriction,
    /// The loss by impacts is negative.
    NegativeImpact,
    /// What a full tank turned away is negative.
    NegativeDiscarded,
    /// Energy came from nowhere and was booked so.
    Created,
    /// The account of a step does not close.
    Closure,
    /// The energy of poses and velocities rose while the ledger shows no rise.
    OwnRise,
    /// The same in a world with chains.
    OwnRiseChain,
    /// The ledger's kinetic energy is not that of the velocities.
    OwnKinetic,
    /// The ledger's elastic energy is not that of the strains.
    OwnElastic,
    /// The ledger's potential of gravity is not that of the poses.
    OwnGravity,
    /// The same in a world with chains.
    OwnGravityChain,
    /// The engine's own recomputation of its energy disagrees.
    Verify,
    /// The ports' work is not what the ledger calls supplied.
    PortWork,
    /// A pose or a velocity is not finite.
    NotFinite,
    /// A step was refused.
    Refused,
    /// Steps are refused again and again.
    Stuck,
    /// Linear momentum of a free world changed.
    Momentum,
    /// Angular momentum of a free world changed.
    AngularMomentum,
    /// A body is below the floor.
    ThroughFloor,
    /// A hard joint is open.
    JointGap,
    /// A clone went another way.
    CloneDiffers,
    /// A replay from a snapshot went another way.
    ReplayDiffers,
    /// A world refused its own snapshot.
    RestoreRefused,
    /// A live change gained energy that nobody paid, by the ledger.
    ChangeRise,
    /// The same by poses and velocities.
    ChangeOwnRise,
    /// The audit at the end is not clean.
    Audit,
    /// The last gate had something to do.
    Gate,
    /// A group was held where it was for several steps in a row.
    Held,
    /// The engine panicked.
    Panic,
}

/// All kinds and their names, in the order of reports.
pub const KINDS: [(Kind, &str); 31] = [
    (Kind::Rise, "rise"),
    (Kind::NegativeDamped, "neg-damped"),
    (Kind::NegativeFriction, "neg-friction"),
    (Kind::NegativeImpact, "neg-impact"),
    (Kind::NegativeDiscarded, "neg-discarded"),
    (Kind::Created, "created"),
    (Kind::Closure, "closure"),
    (Kind::OwnRise, "rise-own"),
    (Kind::OwnRiseChain, "rise-own-chain"),
    (Kind::OwnKinetic, "kinetic-mismatch"),
    (Kind::OwnElastic, "elastic-mismatch"),
    (Kind::OwnGravity, "gravity-drift"),
    (Kind::OwnGravityChain, "gravity-drift-chain"),
    (Kind::Verify, "verify"),
    (Kind::PortWork, "supplied-vs-ports"),
    (Kind::NotFinite, "not-finite"),
    (Kind::Refused, "refused"),
    (Kind::Stuck, "stuck"),
    (Kind::Momentum, "momentum"),
    (Kind::AngularMomentum, "ang-momentum"),
    (Kind::ThroughFloor, "through-floor"),
    (Kind::JointGap, "joint-gap"),
    (Kind::CloneDiffers, "clone-differs"),
    (Kind::ReplayDiffers, "replay-differs"),
    (Kind::RestoreRefused, "restore-refused"),
    (Kind::ChangeRise, "change-rise"),
    (Kind::ChangeOwnRise, "change-rise-own"),
    (Kind::Audit, "audit"),
    (Kind::Gate, "gate"),
    (Kind::Held, "held"),
    (Kind::Panic, "panic"),
];

impl Kind {
    /// Its name in reports and files.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or("?", |(_, name)| name)
    }

    /// True if a world that shows it breaks the promise or falls apart. The others are told and do
    /// not fail a run: the engine is known not to keep them to rounding, and ARCHITECTURE.md says
    /// why. Friction on a body that spins changes angular momentum in the first order of the step;
    /// at 10 ms small fast bodies may be in the floor, and hard joints open, for a step or two.
    pub fn is_grave(self) -> bool {
        let told =
            [Kind::AngularMomentum, Kind::ThroughFloor, Kind::JointGap, Kind::Gate, Kind::Held];
        !told.contains(&self)
    }

    /// The kind of a name.
    pub fn named(name: &str) -> Option<Self> {
        KINDS.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }
}

/// The worst of one kind in a world, and how often it was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Steps in which it was seen.
    pub count: usize,
    /// Step of the worst.
    pub step: usize,
    /// Its size in its own unit: [J], [m], [kg·m/s], or 1.
    pub size: f64,
    /// Its size relative to what is at stake [1]: mostly the energy in play.
    pub relative: f64,
    /// What else is known about it.
    pub note: String,
}

/// All that was found in a world.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// The step that is being checked.
    pub step: usize,
    /// What was found, by kind.
    pub found: BTreeMap<Kind, Finding>,
}

impl Findings {
    /// Writes down that a law is broken by `size`, which is `relative` of what is at stake.
    pub fn add(&mut self, kind: Kind, size: f64, relative: f64, note: impl FnOnce() -> String) {
        let count = self.found.get(&kind).map_or(0, |known| known.count);
        let worst = self.found.get(&kind).is_none_or(|known| relative > known.relative);
        if worst {
            let finding = Finding { count, step: self.step, size, relative, note: note() };
            self.found.insert(kind, finding);
        }
        if let Some(known) = self.found.get_mut(&kind) {
            known.count += 1;
        }
    }
}
