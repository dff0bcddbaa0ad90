//! The nine kinds of worlds.

/// Which kind of world a scene is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// Anything: masses over twelve decades, steps over five, every joint.
    Wild,
    /// What people build: some bodies on a floor, steps of 0.2 to 10 ms.
    Moderate,
    /// Bodies thrown at each other in empty space: momentum is kept.
    Iso,
    /// A pile that comes to rest.
    Pile,
    /// A pile that something hits later.
    PileHit,
    /// Bodies pressed onto a floor by constant forces.
    Press,
    /// Chains, tendons, motors, gears and beams.
    Articulated,
    /// A pile of what people build.
    ModeratePile,
    /// A world of one of the other kinds whose surfaces yield: contact over volumes.
    Soft,
}

impl Profile {
    /// All of them, in the order of reports.
    pub const ALL: [Profile; 9] = [
        Profile::Wild,
        Profile::Moderate,
        Profile::Iso,
        Profile::Pile,
        Profile::PileHit,
        Profile::Press,
        Profile::Articulated,
        Profile::ModeratePile,
        Profile::Soft,
    ];

    /// Seeds from here on are soft worlds; those below draw what they drew before there were any.
    pub const SOFT_FROM: u64 = 1 << 48;

    /// The first seed that may be of this kind.
    pub fn first_seed(self) -> u64 {
        if self == Profile::Soft { Self::SOFT_FROM } else { 0 }
    }

    /// One in ten each, wild and moderate worlds twice.
    pub(crate) const DRAWN: [Profile; 10] = [
        Profile::Wild,
        Profile::Wild,
        Profile::Moderate,
        Profile::Moderate,
        Profile::Iso,
        Profile::Pile,
        Profile::PileHit,
        Profile::Articulated,
        Profile::ModeratePile,
        Profile::Press,
    ];

    /// Its name in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Wild => "wild",
            Profile::Moderate => "moderate",
            Profile::Iso => "iso",
            Profile::Pile => "pile",
            Profile::PileHit => "pile-hit",
            Profile::Press => "press",
            Profile::Articulated => "articulated",
            Profile::ModeratePile => "moderate-pile",
            Profile::Soft => "soft",
        }
    }

    /// The profile of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// True for worlds that people build: sizes, masses and steps are ordinary.
    pub fn is_moderate(self) -> bool {
        matches!(self, Profile::Moderate | Profile::ModeratePile)
    }

    /// True for piles.
    pub fn is_pile(self) -> bool {
        matches!(self, Profile::Pile | Profile::PileHit | Profile::ModeratePile)
    }

    /// True for worlds that nothing acts on from outside.
    pub fn is_iso(self) -> bool {
        self == Profile::Iso
    }
}
