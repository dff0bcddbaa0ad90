//! Contact: whether bodies touch, their materials, and stops of joints.

use super::{Added, Assembly};
use crate::dimension::{
    Angle, Damping, Description, Dimension, Force, LayerDamping, LayerModulus, Position,
    Restitution, Sign, Stiffness, Torque,
};
use crate::document::{
    CollisionName, Contact, ImpulsesName, Joint, JointKind, LawName, Material, SurfaceName,
};
use crate::place::At;
use crate::quantity::{Loose, Quantity};
use crate::read::Field;
use palpable::coupling::Rendering;
use palpable::{
    Anchor as Hold, ContactLaw, Material as Surface, Model, Spring as Elastic, VolumeKind,
    VolumeLaw,
};

/// Room that a scene and its world make for a contact [bytes], most of it never touched:
/// `crates/palpable/tests/no_alloc.rs` measures 70 kB for a body and its eight.
const BYTES: usize = 9_000;
/// So many contacts are not worth a question.
const FEW: usize = 100_000;

/// True if the system gives so many bytes, piece by piece as a world would ask for them.
fn has_room(bytes: usize) -> bool {
    const PIECE: usize = 1 << 26;
    // no processor has addresses for more
    if bytes >> 46 > 0 {
        return false;
    }
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    (0..bytes.div_ceil(PIECE)).all(|_| {
        let mut piece = Vec::new();
        let given = piece.try_reserve_exact(PIECE).is_ok();
        pieces.push(piece);
        given
    })
}

impl Assembly<'_> {
    /// Lets bodies touch if the scene says so.
    pub(super) fn add_contact(&mut self) {
        let Some(contact) = self.document.contact.get() else { return };
        if !contact.enabled.or(true) {
            self.builder.ghosts();
            return;
        }
        let capacity = contact.capacity.get().map_or(0, |c| c.value);
        if let Some(given) = contact.capacity.get() {
            if capacity == 0 {
                let cure = "give 1 or more, remove it, or give enabled = false";
                self.mistakes.add(&given.place, "without room for a contact none can hold", cure);
            } else if capacity > 1_000_000 {
                let message = format!("room for {capacity} contacts is too much");
                self.mistakes.add(&given.place, message, "give at most 1000000");
            }
        }
        self.check_collision(contact);
        self.builder.contacts(capacity.min(1_000_000) as usize);
    }

    /// Notes a scene with more contacts than the system has memory for, and returns false: a model
    /// could not say so.
    pub(super) fn check_room(&mut self) -> bool {
        let contact = self.document.contact.get();
        if contact.is_some_and(|contact| !contact.enabled.or(true)) {
            return true;
        }
        let given = contact.and_then(|contact| contact.capacity.get());
        let contacts = given.map_or(8 * self.bodies.len(), |c| c.value as usize);
        let place = given.map(|c| c.place.clone()).or(self.bodies.last().map(|b| b.place.clone()));
        if contacts <= FEW || has_room(contacts.saturating_mul(BYTES)) {
            return true;
        }
        let gigabytes = (contacts as f64 * BYTES as f64 * 1e-9).ceil();
        let message = format!(
            "{} bodies and room for {contacts} contacts need {gigabytes} GB of addresses, and the \
             system does not give them",
            self.bodies.len()
        );
        let cure = "give contact = { capacity = ... } (8 for each body unless given), contact = \
                    { enabled = false }, or the program more memory (ulimit -v)";
        self.mistakes.add(&place.unwrap_or_default(), message, cure);
        false
    }

    /// Notes a way to find impulses in a scene whose law has none.
    fn check_collision(&mut self, contact: &Contact) {
        let law = contact.law.or_default();
        let (Some(given), true) = (contact.collision.get(), law != LawName::Cone) else { return };
        if given.value != CollisionName::Simultaneous {
            let message = "a printed law has no impulses that collisions could be resolved by";
            let cure = "remove `collision`, or give law = \"cone\"";
            self.mistakes.add(&given.place, message, cure);
        }
    }

    /// The law that gives contact its forces.
    pub(super) fn contact_law(&mut self) -> ContactLaw {
        let Some(contact) = self.document.contact.get() else { return ContactLaw::Cone };
        let law = contact.law.or_default();
        law.law(self.sides(law != LawName::Cone, contact.sides.get()))
    }

    /// What a device is sent of impulses.
    pub(super) fn impulses(&self) -> Option<Rendering> {
        let contact = self.document.contact.get();
        contact.map_or(ImpulsesName::default(), |c| c.impulses.or_default()).rendering()
    }

    /// Sides of a pyramid, 8 unless given; `printed` laws have one.
    fn sides(&mut self, printed: bool, given: Option<&At<u64>>) -> u32 {
        let Some(given) = given else { return ContactLaw::SIDES };
        let sides = u32::try_from(given.value).unwrap_or(u32::MAX);
        if !printed {
            let cure = "remove `sides`, or choose law = \"printed-elastic\"";
            self.mistakes.add(&given.place, "a cone has no sides", cure);
        } else if !ContactLaw::SIDES_ALLOWED.contains(&sides) {
            let message = format!("a pyramid of {} sides is not allowed", given.value);
            self.mistakes.add(&given.place, message, "give 4 to 64");
            return ContactLaw::SIDES;
        }
        sides
    }

    /// Notes that the law does not suit what was built.
    pub(super) fn check_contact_law(&mut self, law: ContactLaw, model: &Model) {
        let given = self.document.contact.get().and_then(|contact| contact.law.get());
        let (Err(error), Some(given)) = (law.check(model), given) else { return };
        let words = error.to_string();
        let (message, cure) = words.split_once("; ").unwrap_or((&words, "choose `cone`"));
        self.mistakes.add(&given.place, message, cure);
    }

    /// How a surface rubs and bounces.
    pub(super) fn material(&mut self, given: &At<Material>) -> Surface {
        let mut made = Surface::default();
        if let Some(friction) = given.friction.get() {
            (made.friction, made.static_friction) = (friction.0, friction.0);
        }
        if let Some(at_rest) = given.static_friction.get() {
            if at_rest.0 < made.friction {
                let message = format!("friction at rest is {}, less than in motion", at_rest.0);
                let cure = format!("give at least {}", made.friction);
                self.mistakes.add(&at_rest.place, message, cure);
            }
            made.static_friction = at_rest.0;
        }
        made.volume = self.layer(given);
        if let Some(restitution) = given.restitution.get() {
            made.restitution = self.restitution(restitution, given);
        }
        let law = given.law.or_default();
        let printed = law.law(ContactLaw::SIDES).is_some_and(ContactLaw::is_printed);
        made.law = law.law(self.sides(printed, given.sides.get()));
        let radius = |field: Option<&At<Quantity<_>>>| field.map_or(0.0, |r| r.0);
        made.rolling(radius(given.spin_radius.get()), radius(given.roll_radius.get()))
    }

    /// How a surface bounces.
    fn restitution(&mut self, given: &At<Quantity<Restitution>>, of: &At<Material>) -> f64 {
        let (e, spoiled) = (given.0, self.mistakes.blame(&of.place, "law"));
        let begins = spoiled || of.law.or_default() == SurfaceName::Impulse;
        let least = if begins { -1.0 } else { 0.0 };
        if (least..=1.0).contains(&e) {
            return e;
        }
        let (message, cure) = if e.abs() > 1.0 {
            let cure = if begins { "give -1 to 1" } else { "give 0 to 1" };
            (format!("a restitution of {e} would create energy"), cure)
        } else {
            let cure = "give 0 to 1, or law = \"impulse\" and a modulus";
            (format!("a restitution of {e} leaves an approach that no layer stops"), cure)
        };
        self.mistakes.add(&given.place, message, cure);
        0.0
    }

    /// The layer of a surface that yields.
    fn layer(&mut self, given: &At<Material>) -> Option<VolumeLaw> {
        let fields = [&given.modulus, &given.damping, &given.shear_modulus, &given.shear_damping];
        let Some(kind) = given.law.or_default().kind() else {
            let spoiled = self.mistakes.blame(&given.place, "law");
            if let (Some(field), false) = (fields.into_iter().find_map(|f| f.get()), spoiled) {
                let cure = "give law = \"volume\", or remove it";
                self.mistakes.add(&field.place, "a hard surface does not yield", cure);
            }
            return None;
        };
        let (stiffness, damping) = match kind {
            VolumeKind::Hydrostatic => (LayerModulus::ABOUT, LayerDamping::ABOUT),
            VolumeKind::Point | VolumeKind::Printed => (Stiffness::ABOUT, Damping::ABOUT),
        };
        let firm = Description { sign: Sign::Positive, ..stiffness };
        let about = [&firm, &damping, &stiffness, &damping];
        let [k, d, shear, shear_damping] = [0, 1, 2, 3].map(|i| {
            let field = fields[i].get()?;
            field.resolve(about[i], &field.place, &mut self.mistakes)
        });
        let Some(modulus) = k else {
            if given.modulus.is_empty() && !self.mistakes.blame(&given.place, "modulus") {
                let message = "a surface that yields needs `modulus`";
                self.mistakes.add(&given.place, message, firm.cure());
            }
            return None;
        };
        let mut law = VolumeLaw::new(modulus, d.unwrap_or(0.0)).kind(kind);
        law.impulse = given.law.or_default() == SurfaceName::Impulse;
        let (k, d) = (shear.unwrap_or(law.shear), shear_damping.unwrap_or(law.shear_damping));
        Some(law.shear(k, d))
    }

    /// Adds the stops and the dry friction of a hinge or slider, as an element of their own after
    /// the joint.
    pub(super) fn add_bounds(&mut self, joint: &At<Joint>, kind: JointKind, a: Hold, b: Hold) {
        let (stops, friction) = (joint.stops.get(), joint.friction.get());
        let Some(place) = stops.map(|s| &s.place).or(friction.map(|f| &f.place)) else { return };
        let (measure, about, turns) = match kind {
            JointKind::Hinge => (Elastic::angle(a, b), Angle::ABOUT, true),
            JointKind::Prismatic | JointKind::Cylindrical => {
                (Elastic::slide(a, b), Position::ABOUT, false)
            }
            _ => {
                let what = if stops.is_some() { "stops" } else { "friction" };
                let message = format!("this kind of joint has no {what}");
                let cure = "remove it, or choose kind = \"hinge\" or \"prismatic\"";
                self.mistakes.add(place, message, cure);
                return;
            }
        };
        let range = stops.map(|given| self.range(given, &about));
        let limit = friction.map(|_| self.friction(&joint.friction, turns));
        let mut measure = measure;
        match range {
            Some(None) => return,
            Some(Some([lower, upper])) => measure = measure.stops(lower, upper),
            None => {}
        }
        match limit {
            Some(None) => return,
            Some(Some(limit)) => measure = measure.friction(limit),
            None => {}
        }
        let what = if stops.is_some() { "stops" } else { "friction" };
        let name = self.springs.last().map_or(String::new(), |j| format!("{} {what}", j.name));
        let id = self.builder.spring(measure.named(name.clone()));
        let (place, ends) = (place.clone(), [place.clone(), place.clone()]);
        self.springs.push(Added { id, name, place, ends });
    }

    /// Stops, the lower below the upper.
    pub(super) fn range(
        &mut self,
        given: &At<[Loose; 2]>,
        about: &Description,
    ) -> Option<[f64; 2]> {
        let ends = given.value.map(|v| v.resolve(about, &given.place, &mut self.mistakes));
        let [Some(lower), Some(upper)] = ends else { return None };
        if lower >= upper {
            let message = format!("the lower stop {lower} is not below the upper stop {upper}");
            self.mistakes.add(&given.place, message, "give [lower, upper]");
            return None;
        }
        Some([lower, upper])
    }

    /// Dry friction of a joint that turns or slides, 0 unless given.
    pub(super) fn friction(&mut self, given: &Field<Loose>, turns: bool) -> Option<f64> {
        let Some(given) = given.get() else { return Some(0.0) };
        let about = if turns { Torque::ABOUT } else { Force::ABOUT };
        let limit = given.resolve(&about, &given.place, &mut self.mistakes)?;
        if limit < 0.0 {
            let message = format!("friction of {limit} would drive the joint");
            self.mistakes.add(&given.place, message, "give 0 or more");
            return None;
        }
        Some(limit)
    }
}

#[cfg(test)]
mod tests {
    use super::has_room;

    #[test]
    fn room_is_what_the_system_gives() {
        assert!(has_room(1 << 20));
        assert!(!has_room(1 << 60));
    }
}
