//! Gears, racks and couplings.

use super::Assembly;
use super::chain::added;
use crate::dimension::{AngularDamping, AngularStiffness, Damping, Dimension, Stiffness};
use crate::document::{Gear, GearKind, Rigidity};
use crate::place::At;
use crate::suggest;
use palpable::Joint;

impl Assembly<'_> {
    pub(super) fn add_gears(&mut self) {
        let gears = self.document.gear.get().map_or(&[][..], |list| &list.value);
        for (i, gear) in gears.iter().enumerate() {
            self.add_gear(gear, format!("gear {}", i + 1));
        }
    }

    /// Adds a gear; leaves it out if something is wrong with it, which is noted.
    fn add_gear(&mut self, gear: &At<Gear>, fallback: String) -> Option<()> {
        let tied = self.tie(gear);
        let turns = tied.as_ref().is_none_or(|t| t.1);
        let (k, b) = if turns {
            (AngularStiffness::ABOUT, AngularDamping::ABOUT)
        } else {
            (Stiffness::ABOUT, Damping::ABOUT)
        };
        let stiffness = match gear.stiffness.get() {
            None => Some(f64::INFINITY),
            Some(given) => match given.value {
                Rigidity::Hard => Some(f64::INFINITY),
                Rigidity::Soft(value) => value.resolve(&k, &given.place, &mut self.mistakes),
            },
        };
        let damping = match gear.damping.get() {
            None => Some(0.0),
            Some(given) => given.resolve(&b, &given.place, &mut self.mistakes),
        };
        if let (Some(given), Some(f64::INFINITY)) = (gear.damping.get(), stiffness) {
            let message = "a hard gear does not yield, so there is nothing to damp";
            self.mistakes.add(&given.place, message, "give it a stiffness");
        }
        let name = gear.name.get().map(|n| n.value.clone());
        let joint = tied?.0.named(name.clone().unwrap_or_default());
        let id = self.builder.joint(joint.stiffness(stiffness?).damping(damping?));
        self.springs.push(added(id, name.unwrap_or(fallback), gear));
        Some(())
    }

    /// What is tied, and whether its first joint turns.
    fn tie(&mut self, gear: &At<Gear>) -> Option<(Joint, bool)> {
        let ratio = gear.ratio.get().map(|r| r.0);
        let ends = [&gear.a, &gear.b, &gear.c, &gear.d];
        let given = ends.iter().filter(|end| end.get().is_some()).count();
        match (gear.links.get(), given) {
            (Some(_), 0) => self.coupling_of(gear, ratio?),
            (None, 4) => {
                let [a, b, c, d] = ends.map(|end| self.anchor(end));
                let (a, b, c, d, ratio) = (a?, b?, c?, d?, ratio?);
                Some(match gear.kind.or_default() {
                    GearKind::Gear => (Joint::gear(a, b, c, d, ratio), true),
                    GearKind::Rack => (Joint::rack(a, b, c, d, ratio), true),
                    GearKind::Slides => (Joint::tied_slides(a, b, c, d, ratio), false),
                })
            }
            _ => {
                let message = "a gear ties the joints of two links, or two pairs of ends";
                self.note_once(&gear.place, message, "give `links`, or `a`, `b`, `c` and `d`");
                None
            }
        }
    }

    /// Two joints of one chain.
    fn coupling_of(&mut self, gear: &At<Gear>, ratio: f64) -> Option<(Joint, bool)> {
        let links = gear.links.get()?;
        if let Some(kind) = gear.kind.get() {
            let message = "the links say what is tied";
            self.mistakes.add(&kind.place, message, "remove `kind`");
        }
        let [first, second] = &links.value[..] else {
            let message = format!("{} links are tied", links.value.len());
            self.mistakes.add(&links.place, message, "name two");
            return None;
        };
        let mut find = |link: &At<String>| {
            let found = self.jointed.iter().find(|j| j.link == link.value);
            if found.is_none() {
                let names = self.jointed.iter().map(|j| j.link.as_str());
                let cure = suggest::cure(link, names, "known links with a joint");
                let message = format!("no chain has a link `{}`", link.value);
                self.mistakes.add(&link.place, message, cure);
            }
            found.map(|j| (j.system, j.turns, j.start))
        };
        let (one, other) = (find(first), find(second));
        let ((one, turns, q1), (other, _, q2)) = (one?, other?);
        let (Some((system, i)), Some((same, j))) = (one, other) else {
            return self.refuse_links(gear);
        };
        if system != same || i == j {
            return self.refuse_links(gear);
        }
        Some((Joint::coupling(system, i, j, ratio, q1 + ratio * q2), turns))
    }

    fn refuse_links(&mut self, gear: &At<Gear>) -> Option<(Joint, bool)> {
        let place = gear.links.get().map_or(&gear.place, |l| &l.place);
        let message = "the two links are not different links of one chain";
        let cure = "name two links of one chain in joint coordinates, or give a, b, c and d";
        self.mistakes.add(place, message, cure);
        None
    }
}
