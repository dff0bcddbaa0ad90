//! Contact over a volume: what a surface says of it, and what a contact remembers.

use super::mark::Fnv;
use crate::math::{Room, Vec3, Vec6};

/// How the overlap of two solids pushes them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub enum VolumeKind {
    /// Pressure that grows with the depth of the overlap: a potential against a half-space. Passive
    /// through a store per contact.
    #[default]
    Hydrostatic,
    /// A spring and a damper at the deepest point: the comparison of `[Hasegawa2004 sec. 5]`.
    /// Passive through its store.
    Point,
    /// `[Hasegawa2004, (7)-(12)]` as printed but for its errata, at the start of the step. Creates
    /// energy, which the ledger shows as `created`.
    Printed,
}

impl VolumeKind {
    /// Names in scene files.
    pub const NAMES: [&str; 3] = ["volume", "point", "printed-volume"];

    /// The kind of this name; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        let kinds = [Self::Hydrostatic, Self::Point, Self::Printed];
        Self::NAMES.iter().position(|n| *n == name).map(|i| kinds[i])
    }

    /// Name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hydrostatic => Self::NAMES[0],
            Self::Point => Self::NAMES[1],
            Self::Printed => Self::NAMES[2],
        }
    }
}

/// A surface that yields: its contacts have an area.
///
/// For [`VolumeKind::Hydrostatic`] all numbers are per area. For the other two they are those of
/// the whole contact: [N/m] and [N·s/m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VolumeLaw {
    /// Which law.
    pub kind: VolumeKind,
    /// Pressure per depth [Pa/m].
    pub modulus: f64,
    /// Pressure per rate of depth [Pa·s/m].
    pub damping: f64,
    /// Stress per displacement of friction at rest [Pa/m].
    pub shear: f64,
    /// Stress per velocity of friction at rest [Pa·s/m].
    pub shear_damping: f64,
    /// Impulses act where a contact begins `[Constantinescu2005]`.
    pub impulse: bool,
}

impl VolumeLaw {
    /// Pressure per depth [Pa/m] and per rate of depth [Pa·s/m]; friction at rest is as stiff.
    pub fn new(modulus: f64, damping: f64) -> Self {
        let kind = VolumeKind::Hydrostatic;
        let (shear, shear_damping, impulse) = (modulus, damping, false);
        Self { kind, modulus, damping, shear, shear_damping, impulse }
    }

    /// Another law.
    pub fn kind(mut self, kind: VolumeKind) -> Self {
        self.kind = kind;
        self
    }

    /// The same, but contacts begin with impulses, as if both surfaces were hard: what approaches
    /// stops, or bounces by the restitution of the pair; then the layer holds.
    pub fn with_impulses(mut self) -> Self {
        self.impulse = true;
        self
    }

    /// Stress of friction at rest per displacement [Pa/m] and per velocity [Pa·s/m].
    pub fn shear(mut self, modulus: f64, damping: f64) -> Self {
        (self.shear, self.shear_damping) = (modulus, damping);
        self
    }

    /// Two layers in series: both bear the same pressure, their depths add up.
    ///
    /// # Equation
    /// ```text
    /// κ = κ₁ κ₂/(κ₁ + κ₂),   d = (d₁ κ₂² + d₂ κ₁²)/(κ₁ + κ₂)²
    /// ```
    /// The damping is that of layers which share the depth as they do at rest.
    pub fn in_series(&self, other: &Self) -> Self {
        let (modulus, damping) =
            series((self.modulus, self.damping), (other.modulus, other.damping));
        let (shear, shear_damping) =
            series((self.shear, self.shear_damping), (other.shear, other.shear_damping));
        let (kind, impulse) = (self.kind.max(other.kind), self.impulse || other.impulse);
        Self { kind, modulus, damping, shear, shear_damping, impulse }
    }

    /// The field at fault, if any.
    pub(super) fn fault(&self) -> Option<(&'static str, f64)> {
        let fields = [
            ("modulus", self.modulus),
            ("damping", self.damping),
            ("shear modulus", self.shear),
            ("shear damping", self.shear_damping),
        ];
        let bad = |v: f64| !(0.0..=f64::MAX).contains(&v);
        if !(self.modulus > 0.0) {
            return Some(fields[0]);
        }
        fields.into_iter().find(|(_, v)| bad(*v))
    }
}

fn series(one: (f64, f64), two: (f64, f64)) -> (f64, f64) {
    let sum = one.0 + two.0;
    if !(sum > 0.0) {
        return (0.0, 0.0);
    }
    // shares first, so that nothing overflows
    let (a, b) = (one.0 / sum, two.0 / sum);
    (one.0 * b, one.1 * b * b + two.1 * a * a)
}

/// What a contact over a volume leaves to the next step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PatchMemory {
    /// Pieces of the collision pipeline that touch.
    pub pieces: (u32, u32),
    /// Energy that its springs may give back [J].
    pub store: f64,
    /// Displacement of the friction spring, axes of the first body [m].
    pub slide: Vec3,
    /// The same about the normal [rad].
    pub turn: f64,
    /// Where that is measured, frame of the first body [m].
    pub center: Vec3,
    /// Normal from the first to the second body, axes of the first.
    pub normal: Vec3,
    /// Relative twists of the last two steps at the centre, world axes.
    pub rates: [Vec6; 2],
    /// How many of them are valid.
    pub age: u8,
    /// Slides.
    pub slips: bool,
    /// Largest extent of the overlap along the normal [m].
    pub depth: f64,
}

/// What all contacts over a volume leave to the next step; sorted by pieces.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VolumeMemory {
    /// Contacts.
    pub patches: Room<PatchMemory>,
}

impl VolumeMemory {
    /// Room for `most` contacts.
    pub fn with_capacity(most: usize) -> Self {
        Self { patches: Room::with_capacity(most) }
    }

    /// Takes over another memory in the room it already has.
    pub fn copy_from(&mut self, other: &Self) {
        self.patches.clone_from(&other.patches);
    }

    /// Energy in all stores [J].
    pub fn stored(&self) -> f64 {
        self.patches.iter().map(|p| p.store).sum()
    }

    /// What is remembered of pieces `a` and `b`.
    pub fn of(&self, a: u32, b: u32) -> Option<&PatchMemory> {
        let found = self.patches.binary_search_by_key(&(a, b), |p| p.pieces).ok()?;
        self.patches.get(found)
    }

    pub(crate) fn hash(&self, hash: &mut Fnv) {
        for p in &self.patches {
            hash.count(p.pieces.0 as usize);
            hash.count(p.pieces.1 as usize);
            hash.add(&[p.store, p.turn, f64::from(p.age), f64::from(u8::from(p.slips)), p.depth]);
            for v in [&p.slide, &p.center, &p.normal] {
                hash.add(v.as_slice());
            }
            p.rates.iter().for_each(|r| hash.add(r.as_slice()));
        }
    }
}
