//! What the engine refuses, brought back to its place in the file.

use super::{Added, Assembly, part_of};
use crate::document::Body;
use crate::place::{At, Place};
use palpable::geometry::MassError;
use palpable::{BuildError, BuildErrors};

impl Assembly<'_> {
    /// Notes what the engine found, except in parts with mistakes of their own.
    pub(super) fn note_engine_errors(&mut self, errors: BuildErrors) {
        for error in errors.0 {
            // names are checked here, with their places
            if matches!(error, BuildError::DuplicateName { .. }) && !self.mistakes.0.is_empty() {
                continue;
            }
            if self.mistakes.is_full() {
                // looking for the place takes time, and nobody reads it
                self.mistakes.1 += 1;
                continue;
            }
            let place = self.place_of(&error);
            if self.mistakes.concern(&part_of(&place)) {
                continue;
            }
            let (message, cure) = words(&error);
            self.mistakes.add(&place, message, cure);
        }
    }

    fn place_of(&self, error: &BuildError) -> Place {
        match error {
            BuildError::Shape { body, .. } => self.in_body(body, |b| b.shape.get().map(place)),
            BuildError::Mass { body, source } => self.in_body(body, |b| mass_place(b, source)),
            BuildError::NoInertia { body } => self.in_body(body, |_| None),
            BuildError::NothingMoves { part } => self.part_named(part, |p| &p[0]),
            BuildError::SameBody { part } => self.part_named(part, |p| &p[1]),
            _ => named(error).map_or_else(Place::default, |part| self.part_named(part, |p| &p[2])),
        }
    }

    /// A field of the body with this name, or the body itself.
    fn in_body(&self, name: &str, field: impl Fn(&Body) -> Option<Place>) -> Place {
        let bodies = self.document.body.get().map_or(&[][..], |list| &list.value);
        let is_it = |b: &&At<Body>| b.name.get().is_some_and(|n| n.value == name);
        let Some(body) = bodies.iter().find(is_it) else {
            let link = self.bodies.iter().find(|b| b.name == name);
            return link.map_or(Place::default(), |l| l.place.clone());
        };
        field(body).unwrap_or_else(|| body.place.clone())
    }

    /// The first end, second end or whole of a part.
    fn part_named(&self, part: &str, choose: fn(&[Place; 3]) -> &Place) -> Place {
        // a link is called `link "name" of "chain"`
        let short = part.split_once("\" of \"").map(|(link, _)| format!("{link}\""));
        let link = short.and_then(|s| find(&s, "link", &self.bodies));
        let system = |kind| find(part, kind, &self.systems);
        let places = find(part, "body", &self.bodies)
            .or(link)
            .or_else(|| system("chain"))
            .or_else(|| system("beam"))
            .or_else(|| system("subsystem"))
            .or_else(|| find(part, "spring", &self.springs))
            .or_else(|| find(part, "port", &self.ports));
        places.as_ref().map(choose).cloned().unwrap_or_default()
    }
}

/// The engine calls parts `spring "name"`, or `spring 3` if they have none.
fn find<Id>(part: &str, kind: &str, added: &[Added<Id>]) -> Option<[Place; 3]> {
    let rest = part.strip_prefix(kind)?.strip_prefix(' ')?;
    let index = match rest.strip_prefix('"').and_then(|r| r.strip_suffix('"')) {
        Some(name) => added.iter().position(|a| a.name == name)?,
        None => rest.parse::<usize>().ok()?.checked_sub(1)?,
    };
    let Added { ends: [first, second], place, .. } = added.get(index)?;
    Some([first.clone(), second.clone(), place.clone()])
}

fn place<T>(at: &At<T>) -> Place {
    at.place.clone()
}

fn mass_place(body: &Body, error: &MassError) -> Option<Place> {
    let mass = body.mass.get().map(place).or_else(|| body.density.get().map(place));
    let inertia = body.inertia.get().map(place);
    match error {
        MassError::Mass(_) => mass.or(inertia),
        MassError::CenterOfMass(_) => body.center_of_mass.get().map(place),
        _ => inertia.or(mass),
    }
    .or_else(|| body.shape.get().map(place))
}

/// The part that an error names.
fn named(error: &BuildError) -> Option<&str> {
    match error {
        BuildError::NothingMoves { part }
        | BuildError::SameBody { part }
        | BuildError::NotFinite { part, .. }
        | BuildError::Negative { part, .. }
        | BuildError::TooLarge { part, .. }
        | BuildError::TooSmall { part, .. }
        | BuildError::UnknownBody { part }
        | BuildError::MotorRows { part, .. }
        | BuildError::Parent { part, .. }
        | BuildError::NoLinks { part, .. }
        | BuildError::NotPositive { part, .. }
        | BuildError::Modes { part, .. }
        | BuildError::Starts { part, .. }
        | BuildError::Coordinate { part, .. }
        | BuildError::SystemSize { part, .. }
        | BuildError::SingularMass { part, .. }
        | BuildError::Collision { part, .. }
        | BuildError::Material { part, .. }
        | BuildError::Stops { part, .. }
        | BuildError::Rows { part, .. } => Some(part),
        BuildError::Shape { .. }
        | BuildError::Mass { .. }
        | BuildError::NoInertia { .. }
        | BuildError::DuplicateName { .. }
        | BuildError::Gone { .. } => None,
    }
}

/// Message and cure of an engine error, without the name of the part.
fn words(error: &BuildError) -> (String, String) {
    let text = error.to_string();
    let prefix = match error {
        BuildError::Shape { body, .. }
        | BuildError::Mass { body, .. }
        | BuildError::NoInertia { body } => format!("body \"{body}\": "),
        _ => named(error).map_or_else(String::new, |part| format!("{part}: ")),
    };
    let text = text.strip_prefix(&prefix).unwrap_or(&text);
    let (message, cure) = text.split_once("; ").unwrap_or((text, "change it"));
    (message.to_owned(), cure.to_owned())
}
