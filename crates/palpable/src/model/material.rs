//! What surfaces do to each other, and which of them may touch.

use super::BodyInfo;
use super::contact_law::ContactLaw;
use super::volume::{VolumeKind, VolumeLaw};
use crate::geometry::{CollisionPipeline, Listing};

/// How a surface rubs and bounces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Coefficient of friction while sliding.
    pub friction: f64,
    /// Coefficient of friction at rest; at least `friction`.
    pub static_friction: f64,
    /// Restitution, 0 to 1. Down to −1 where contacts begin with impulses: the impulse is then
    /// `1 + e` of the one that stops the approach, and the layer does the rest.
    pub restitution: f64,
    /// Lever of the friction against spinning about the normal [m].
    pub spin_radius: f64,
    /// Lever of the friction against rolling [m].
    pub roll_radius: f64,
    /// The surface yields, and touches over an area; `None` for a hard one.
    pub volume: Option<VolumeLaw>,
    /// The law of its hard contacts; `None` leaves it to the other surface, then to the world.
    pub law: Option<ContactLaw>,
}

impl Default for Material {
    /// Friction 0.5, no bounce.
    fn default() -> Self {
        Self::new(0.5, 0.0)
    }
}

impl Material {
    /// One coefficient of friction and a restitution.
    pub fn new(friction: f64, restitution: f64) -> Self {
        let (static_friction, spin_radius, roll_radius) = (friction, 0.0, 0.0);
        let (volume, law) = (None, None);
        Self { friction, static_friction, restitution, spin_radius, roll_radius, volume, law }
    }

    /// A higher coefficient at rest.
    pub fn sticky(mut self, static_friction: f64) -> Self {
        self.static_friction = static_friction;
        self
    }

    /// Friction against spinning about the normal and against rolling: levers [m] at which the
    /// normal force resists.
    pub fn rolling(mut self, spin_radius: f64, roll_radius: f64) -> Self {
        (self.spin_radius, self.roll_radius) = (spin_radius, roll_radius);
        self
    }

    /// A surface that yields; one that does, against a hard one, yields alone.
    pub fn soft(mut self, law: VolumeLaw) -> Self {
        self.volume = Some(law);
        self
    }

    /// A law of its own for its hard contacts; one that yields is not asked. The printed laws know
    /// no levers.
    pub fn law(mut self, law: ContactLaw) -> Self {
        self.law = Some(law);
        self
    }

    /// Rows of a contact: normal and two tangents, then spinning, then rolling.
    pub(crate) fn rows(&self) -> usize {
        match (self.spin_radius > 0.0, self.roll_radius > 0.0) {
            _ if self.law.is_some_and(ContactLaw::is_printed) => 3,
            (_, true) => 6,
            (true, false) => 4,
            (false, false) => 3,
        }
    }

    /// What two surfaces make together: the geometric mean of their friction, the larger of their
    /// levers, the smaller of their restitutions; layers that yield are in series, and the later of
    /// two laws counts.
    pub fn with(&self, other: &Self) -> Self {
        Self {
            friction: (self.friction * other.friction).sqrt(),
            static_friction: (self.static_friction * other.static_friction).sqrt(),
            restitution: self.restitution.min(other.restitution),
            spin_radius: self.spin_radius.max(other.spin_radius),
            roll_radius: self.roll_radius.max(other.roll_radius),
            volume: match (&self.volume, &other.volume) {
                (Some(one), Some(two)) => Some(one.in_series(two)),
                (one, two) => one.or(*two),
            },
            law: self.law.max(other.law),
        }
    }

    /// The least restitution it may have: a hard contact has nothing that would stop the rest.
    pub fn least_restitution(&self) -> f64 {
        if self.volume.is_some_and(|law| law.impulse) { -1.0 } else { 0.0 }
    }

    /// The field at fault, if any.
    pub(crate) fn fault(&self) -> Option<(&'static str, f64)> {
        let fields = [
            ("friction", self.friction, 0.0..=f64::MAX),
            ("static friction", self.static_friction, 0.0..=f64::MAX),
            ("restitution", self.restitution, self.least_restitution()..=1.0),
            ("spin radius", self.spin_radius, 0.0..=f64::MAX),
            ("roll radius", self.roll_radius, 0.0..=f64::MAX),
        ];
        let bad = fields.iter().find(|(_, v, allowed)| !allowed.contains(v));
        let own = bad.map(|(name, v, _)| (*name, *v));
        let sides =
            self.law.and_then(ContactLaw::fault).map(|n| ("sides of its law", f64::from(n)));
        own.or(sides).or_else(|| self.volume.as_ref().and_then(VolumeLaw::fault))
    }
}

/// Who may touch whom, in a model whose bodies collide.
#[derive(Debug, Clone)]
pub struct ContactModel {
    /// Who is looked at, numbered like the bodies of the model; without room to find contacts in.
    pub(crate) pipeline: CollisionPipeline,
    /// Most contacts.
    pub capacity: usize,
    /// Most rows of a contact.
    pub(crate) rows: usize,
}

/// How surfaces rub and bounce; may change while the world runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surfaces {
    /// Per body.
    pub bodies: Vec<Material>,
    /// Pairs of bodies that have their own, lower number first.
    pub pairs: Vec<((usize, usize), Material)>,
}

impl Surfaces {
    /// Most rows of a contact.
    pub(crate) fn rows(&self) -> usize {
        let own = self.bodies.iter().chain(self.pairs.iter().map(|(_, m)| m));
        // the larger of two levers counts: one body may spin where another rolls
        own.map(Material::rows).max().unwrap_or(3)
    }

    /// Whether two bodies touch at points, over a volume, or over a volume that begins with an
    /// impulse at points.
    pub(crate) fn listing(&self, a: usize, b: usize) -> Listing {
        if !self.any_soft() {
            return Listing::Contacts;
        }
        match self.material(a, b).volume {
            None => Listing::Contacts,
            Some(law) if law.impulse => Listing::Both,
            Some(_) => Listing::Apart,
        }
    }

    /// True if any surface yields.
    pub fn any_soft(&self) -> bool {
        self.all().any(|m| m.volume.is_some())
    }

    /// True if contacts of any surface begin with impulses.
    pub fn any_impulse(&self) -> bool {
        self.all().any(|m| m.volume.is_some_and(|law| law.impulse))
    }

    /// True if any surface creates energy by design.
    pub(crate) fn any_printed(&self) -> bool {
        let printed = |law: VolumeLaw| law.kind == VolumeKind::Printed;
        self.all()
            .any(|m| m.volume.is_some_and(printed) || m.law.is_some_and(ContactLaw::is_printed))
    }

    fn all(&self) -> impl Iterator<Item = &Material> {
        self.bodies.iter().chain(self.pairs.iter().map(|(_, m)| m))
    }

    /// What two bodies make together.
    pub fn material(&self, a: usize, b: usize) -> Material {
        let key = (a.min(b), a.max(b));
        let own = self.pairs.iter().find(|(pair, _)| *pair == key);
        own.map_or_else(|| self.bodies[a].with(&self.bodies[b]), |(_, m)| *m)
    }
}

/// True if a body can touch anything.
pub(super) fn collides(body: &BodyInfo) -> bool {
    body.collider.is_some()
}
