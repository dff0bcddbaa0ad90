//! Springs and dampers.

use super::rows::{self, Dimensions, Layout};
use super::{Added, Assembly, check_names, on_body, turn, vector};
use crate::dimension::{AngularDamping, AngularStiffness, Damping, Dimension, Stiffness};
use crate::document::{Anchor, Rows, SpringKind};
use crate::place::{At, Place};
use crate::read::Field;
use palpable::{Anchor as Hold, Spring as Elastic, Vec6};

/// Dimensions of stiffness rows.
pub(super) const STIFFNESS: Dimensions = [Stiffness::ABOUT, AngularStiffness::ABOUT];
/// Dimensions of damping rows.
pub(super) const DAMPING: Dimensions = [Damping::ABOUT, AngularDamping::ABOUT];

/// A spring or a damper, which is a spring without stiffness.
struct Joined<'d> {
    name: &'d Field<String>,
    kind: SpringKind,
    ends: [&'d Field<Anchor>; 2],
    stiffness: Option<&'d At<Rows>>,
    damping: Option<&'d At<Rows>>,
    place: &'d Place,
}

impl Assembly<'_> {
    pub(super) fn add_springs(&mut self) {
        let document = self.document;
        let springs = document.spring.get().map_or(&[][..], |list| &list.value);
        let dampers = document.damper.get().map_or(&[][..], |list| &list.value);
        let joints = document.joint.get().map_or(&[][..], |list| &list.value);
        let names = springs.iter().map(|s| &s.name).chain(dampers.iter().map(|d| &d.name));
        let tendons = document.tendon.get().map_or(&[][..], |list| &list.value);
        let gears = document.gear.get().map_or(&[][..], |list| &list.value);
        let names = names.chain(joints.iter().map(|j| &j.name));
        let names = names.chain(gears.iter().map(|g| &g.name));
        let names = names.chain(tendons.iter().map(|t| &t.name)).filter_map(Field::get);
        check_names(
            "springs, dampers, joints, gears or tendons",
            &self.springs,
            names,
            &mut self.mistakes,
        );
        for (i, s) in springs.iter().enumerate() {
            let (stiffness, damping) = (s.stiffness.get(), s.damping.get());
            let (name, kind, place) = (&s.name, s.kind.or_default(), &s.place);
            let ends = [&s.a, &s.b];
            let joined = Joined { name, kind, ends, stiffness, damping, place };
            self.add_spring(&joined, format!("spring {}", i + 1));
        }
        for (i, d) in dampers.iter().enumerate() {
            let (name, kind, place) = (&d.name, d.kind.or_default(), &d.place);
            let (ends, damping) = ([&d.a, &d.b], d.damping.get());
            let joined = Joined { name, kind, ends, stiffness: None, damping, place };
            self.add_spring(&joined, format!("damper {}", i + 1));
        }
    }

    fn add_spring(&mut self, joined: &Joined<'_>, fallback: String) {
        let layout = Layout::from(joined.kind);
        let mut rows = |given: Option<&At<Rows>>, about: &Dimensions| match given {
            Some(given) => rows::rows(given, layout, about, &mut self.mistakes),
            None => Some(Vec6::zeros()),
        };
        let stiffness = rows(joined.stiffness, &STIFFNESS);
        let damping = rows(joined.damping, &DAMPING);
        let [a, b] = joined.ends.map(|end| self.anchor(end));
        let (Some(stiffness), Some(damping), Some(a), Some(b)) = (stiffness, damping, a, b) else {
            return;
        };
        let name = joined.name.get().map(|n| n.value.clone());
        let elastic = match joined.kind {
            SpringKind::Point => Elastic::point(a, b),
            SpringKind::Rotation => Elastic::rotation(a, b),
            SpringKind::Pose => Elastic::pose(a, b),
        };
        let elastic = elastic
            .named(name.clone().unwrap_or_default())
            .stiffness_rows(stiffness)
            .damping_rows(damping);
        let (id, place) = (self.builder.spring(elastic), joined.place.clone());
        let name = name.unwrap_or(fallback);
        let ends = joined.ends.map(|end| end.get().map_or(place.clone(), |e| e.place.clone()));
        self.springs.push(Added { id, name, place, ends });
    }

    /// Where an end holds on; `None` if that is not clear, which is noted.
    pub(super) fn anchor(&mut self, end: &Field<Anchor>) -> Option<Hold> {
        let end = end.get()?;
        let rotation = turn::rotation(end.orientation.get(), &mut self.mistakes);
        match (end.body.get(), end.world.get()) {
            (Some(body), None) => {
                let (index, frame) = self.body_named(body)?;
                let (point, rotation) = on_body(&frame, vector(end.point.get()), rotation);
                Some(self.bodies[index].id.at(point).turned(rotation))
            }
            (None, Some(world)) => {
                if let Some(point) = end.point.get() {
                    let message = "a point of the world needs no `point`";
                    self.mistakes.add(&point.place, message, "put it into `world = [x, y, z]`");
                }
                Some(Hold::world(vector(Some(world))).turned(rotation))
            }
            (body, _) => {
                let message = match body {
                    Some(_) => "an end is on a body or in the world, not both",
                    None => "an end needs a body or a point of the world",
                };
                let cure = "give { body = \"name\", point = [x, y, z] } or { world = [x, y, z] }";
                self.note_once(&end.place, message, cure);
                None
            }
        }
    }
}
