//! Flexible beams.

use super::chain::added;
use super::{Assembly, check_names, turn, vector};
use crate::dimension::{Angle, AngularVelocity, Description, Dimension, Position, Velocity};
use crate::document::{Beam, MountKind};
use crate::place::At;
use crate::quantity::Loose;
use crate::read::Field;
use palpable::{Beam as Flexible, Mount, Pose};

/// Places along a beam that can be shown and held, at most.
const MOST_STATIONS: u64 = 1000;

impl Assembly<'_> {
    pub(super) fn add_beams(&mut self) {
        let beams = self.document.beam.get().map_or(&[][..], |list| &list.value);
        let names = beams.iter().filter_map(|b| b.name.get());
        check_names("chains or beams", &self.systems, names, &mut self.mistakes);
        for beam in beams {
            self.add_beam(beam);
        }
    }

    /// Adds a beam; leaves it out if something is wrong with it, which is noted.
    fn add_beam(&mut self, beam: &At<Beam>) -> Option<()> {
        let frame = Pose {
            position: vector(beam.position.get()),
            rotation: turn::rotation(beam.orientation.get(), &mut self.mistakes),
        };
        let mount = beam.mount.or_default();
        let start = self.beam_start(beam, mount);
        let made = self.section(beam)?;
        let name = beam.name.get()?.value.clone();
        if let Some(size) = beam.size.get() {
            self.sections.push((name.clone(), [size.value[1].0, size.value[2].0]));
        }
        // ten is all there are; more is refused by the engine, which says so
        let modes = beam.modes.get().map_or(3, |m| m.value.min(1000) as usize);
        let stations = match beam.stations.get() {
            Some(given) if given.value > MOST_STATIONS => {
                let message = format!("{} stations along a beam", given.value);
                self.mistakes.add(&given.place, message, format!("give at most {MOST_STATIONS}"));
                return None;
            }
            given => given.map_or(8, |s| s.value as usize),
        };
        let kind = match mount {
            MountKind::Clamped => Mount::Clamped,
            MountKind::Hub => Mount::Hub,
            MountKind::Planar => Mount::Planar,
        };
        let mass = beam.mount_mass.get().map_or(0.0, |m| m.0);
        let inertia = beam.mount_inertia.get().map_or(0.0, |m| m.0);
        let made = made
            .modes(modes)
            .stations(stations)
            .mount(kind, mass, inertia)
            .damping_ratio(beam.damping_ratio.get().map_or(0.0, |d| d.0))
            .at(frame)
            .start(start?);
        let before = self.builder.elements().len();
        let id = self.builder.beam(made);
        let modes: Vec<_> = self.builder.elements().skip(before).collect();
        for (i, mode) in modes.into_iter().enumerate() {
            self.springs.push(added(mode, format!("{name} mode {}", i + 1), beam));
        }
        for i in 0..stations + 2 {
            self.bodies.push(added(id.link(i), format!("{name} {i}"), beam));
            self.starts.push(frame);
        }
        self.systems.push(added(id, name, beam));
        Some(())
    }

    /// Section and material, in one of two ways.
    fn section(&mut self, beam: &At<Beam>) -> Option<Flexible> {
        let name = beam.name.get()?.value.as_str();
        let solid = (beam.size.get(), beam.density.get(), beam.young.get());
        let sum = (beam.length.get(), beam.mass.get(), beam.rigidity.get());
        let any_solid = solid.0.is_some() || solid.1.is_some() || solid.2.is_some();
        let any_sum = sum.0.is_some() || sum.1.is_some() || sum.2.is_some();
        match (solid, sum) {
            ((Some(size), Some(density), Some(young)), _) if !any_sum => {
                let size = size.value.map(|c| c.0);
                Some(Flexible::rectangular(name, size, density.0, young.0))
            }
            (_, (Some(length), Some(mass), Some(rigidity))) if !any_solid => {
                Some(Flexible::new(name, length.0, mass.0, rigidity.0))
            }
            _ => {
                let message = match any_solid && any_sum {
                    true => "its section is given in two ways",
                    false => "its section or material is missing",
                };
                let cure = "give size, density and young, or length, mass and rigidity";
                self.note_once(&beam.place, message, cure);
                None
            }
        }
    }

    /// Pairs of coordinate and rate, mount first.
    fn beam_start(&mut self, beam: &At<Beam>, mount: MountKind) -> Option<Vec<(f64, f64)>> {
        let places = [Position::ABOUT, Angle::ABOUT];
        let rates = [Velocity::ABOUT, AngularVelocity::ABOUT];
        let q = self.numbers(&beam.coordinates, mount, &places);
        let w = self.numbers(&beam.rates, mount, &rates);
        let (mut q, mut w) = (q?, w?);
        let count = q.len().max(w.len());
        q.resize(count, 0.0);
        w.resize(count, 0.0);
        Some(q.into_iter().zip(w).collect())
    }

    fn numbers(
        &mut self,
        given: &Field<Vec<At<Loose>>>,
        mount: MountKind,
        [slide, turn]: &[Description; 2],
    ) -> Option<Vec<f64>> {
        let turning = match mount {
            MountKind::Clamped => None,
            MountKind::Hub => Some(0),
            MountKind::Planar => Some(2),
        };
        let list = given.get().map_or(&[][..], |list| &list.value);
        let number = |(i, value): (usize, &At<Loose>)| {
            let about = if Some(i) == turning { turn } else { slide };
            value.resolve(about, &value.place, &mut self.mistakes)
        };
        let found: Vec<Option<f64>> = list.iter().enumerate().map(number).collect();
        found.into_iter().collect()
    }
}
