//! Robots.

use super::{Added, Assembly, Jointed, Limit, turn, vector, visual};
use crate::built::Included;
use crate::dimension::{Angle, Dimension, Position};
use crate::document::{Base, Coordinates, Include};
use crate::place::{At, Place};
use crate::shelf::Kind;
use crate::suggest;
use crate::urdf::{self, Mount, MountError, Mounted, Robot, Source};
use palpable::Pose;
use std::path::PathBuf;

impl Assembly<'_> {
    pub(super) fn add_includes(&mut self) {
        let includes = self.document.include.get().map_or(&[][..], |list| &list.value);
        for include in includes {
            self.add_include(include);
        }
    }

    /// Adds a robot; leaves it out if something is wrong with it, which is noted.
    fn add_include(&mut self, include: &At<Include>) -> Option<()> {
        let robot = self.read_robot(include);
        let pose = Pose {
            position: vector(include.position.get()),
            rotation: turn::rotation(include.orientation.get(), &mut self.mistakes),
        };
        let robot = robot?;
        let mount = Mount {
            name: include.name.get().map_or(String::new(), |n| n.value.clone()),
            pose,
            base: match include.base.or_default() {
                Base::Fixed => urdf::Base::Fixed,
                Base::Free => urdf::Base::Free,
            },
            coordinates: match include.coordinates.or_default() {
                Coordinates::Maximal => urdf::Coordinates::Maximal,
                Coordinates::Generalized => urdf::Coordinates::Generalized,
            },
            positions: self.positions(include, &robot),
        };
        self.check_robot_names(include, &robot, &mount)?;
        match robot.mount(&mut self.builder, &mount) {
            Ok(mounted) => self.keep(include, robot, &mount, mounted),
            Err(error) => self.note_mount_error(include, &error),
        }
        Some(())
    }

    fn read_robot(&mut self, include: &At<Include>) -> Option<Robot> {
        let file = include.file.get()?;
        let path = self.path(file);
        let read;
        let text = match self.inline {
            Some(text) => text,
            None => {
                read = self.read_text(file, &path)?;
                &read
            }
        };
        if !text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
            let message = format!("`{}` is not a URDF file", path.display());
            self.mistakes.add(&file.place, message, "include robots; scenes do not nest");
            return None;
        }
        let packages = include.packages.get().map_or(&[][..], |list| &list.value);
        let packages: Vec<PathBuf> = packages.iter().map(|folder| self.path(folder)).collect();
        let source = Source { text, file: &path, packages: &packages, shelf: &self.shelf };
        urdf::read(&source)
            .map_err(|mistakes| self.mistakes.include(mistakes, &source, &file.place))
            .ok()
    }

    fn read_text(&mut self, file: &At<String>, path: &std::path::Path) -> Option<String> {
        self.shelf
            .text(path, Kind::Text)
            .map_err(|error| {
                let message = format!("cannot read `{}`: {error}", path.display());
                let cure = "check the path, which starts at the scene file, and that it is text";
                self.mistakes.add(&file.place, message, cure);
            })
            .ok()
    }

    /// Start positions by number of joint; names that no joint has are noted.
    fn positions(&mut self, include: &Include, robot: &Robot) -> Vec<(usize, f64)> {
        let given = include.positions.get().map_or(&[][..], |p| &p.0);
        let mut found = Vec::new();
        for (name, value) in given {
            let Some(index) = robot.joint_named(name) else {
                let names = robot.joints.iter().map(|j| j.name.as_str());
                let cure = suggest::cure(name, names, "known joints");
                self.mistakes.add(&name.place, format!("there is no joint `{}`", name.value), cure);
                continue;
            };
            let joint = &robot.joints[index];
            if !joint.kind.is_single() || joint.mimic.is_some() {
                let message = match joint.mimic {
                    Some(mimic) => format!("it follows `{}`", robot.joints[mimic.joint].name),
                    None => format!("a {} joint has no single position", joint.kind.name()),
                };
                self.mistakes.add(&name.place, message, "leave it out");
                continue;
            }
            let about = if joint.kind.turns() { Angle::ABOUT } else { Position::ABOUT };
            let number = value.resolve(&about, &value.place, &mut self.mistakes);
            let range = joint.limits.and_then(|l| l.range);
            if let (Some(q), Some([lower, upper])) = (number, range)
                && !(lower..=upper).contains(&q)
            {
                let message = format!("{q} is outside its limits, {lower} to {upper}");
                let cure = format!("start it between {lower} and {upper} {}", about.unit);
                self.mistakes.add(&value.place, message, cure);
                continue;
            }
            found.extend(number.map(|q| (index, q)));
        }
        found
    }

    /// Notes names that other robots of the scene have already; `None` if there are any.
    fn check_robot_names(
        &mut self,
        include: &At<Include>,
        robot: &Robot,
        mount: &Mount,
    ) -> Option<()> {
        let is_link = |n: &String| {
            self.bodies.iter().any(|b| b.name == *n) || self.links.iter().any(|l| l.0 == *n)
        };
        let is_joint = |n: &String| self.springs.iter().any(|s| s.name == *n);
        let link = robot.links.iter().map(|l| mount.full_name(&l.name)).find(is_link);
        let joint = robot.joints.iter().map(|j| mount.full_name(&j.name)).find(is_joint);
        let (kind, name) = match (link, joint) {
            (Some(link), _) => ("links", link),
            (None, Some(joint)) => ("joints", joint),
            (None, None) => return Some(()),
        };
        let place = include.name.get().map_or(&include.place, |n| &n.place);
        let message = format!("two {kind} of robots are named `{name}`");
        self.mistakes.add(place, message, "give this robot another `name`");
        None
    }

    /// Remembers what was added, under the names that springs, ports and recordings use.
    fn keep(&mut self, include: &At<Include>, robot: Robot, mount: &Mount, mounted: Mounted) {
        let place = include.file.get().map_or(&include.place, |f| &f.place).clone();
        for (i, part) in robot.parts.iter().enumerate() {
            let (id, index) = (mounted.bodies[i], self.bodies.len());
            let full_name = |link: usize| mount.full_name(&robot.links[link].name);
            self.bodies.push(added(id, full_name(part.top), &place));
            self.starts.push(mounted.starts[i]);
            self.looks.extend(visual::of_part(&robot, part, &full_name(part.top)));
            let merged = part.links[1..].iter().map(|(l, pose)| (full_name(*l), index, *pose));
            self.links.extend(merged);
        }
        self.keep_joints(&robot, mount, &mounted);
        for (name, id) in &mounted.elements {
            self.springs.push(added(*id, name.clone(), &place));
        }
        self.robots.push(Included { name: mount.name.clone(), robot, mounted });
    }

    /// Joints of a robot, for motors; by the name of the link below.
    fn keep_joints(&mut self, robot: &Robot, mount: &Mount, mounted: &Mounted) {
        for (index, joint) in robot.joints.iter().enumerate() {
            if joint.mimic.is_some() {
                continue;
            }
            let Some(measure) = urdf::measure(robot, index, mounted) else { continue };
            let robot_number = self.robots.len();
            let effort = joint.limits.and_then(|l| l.effort);
            self.jointed.push(Jointed {
                link: mount.full_name(&robot.links[joint.child].name),
                measure,
                system: mounted.coordinates[index],
                turns: joint.kind.turns(),
                start: mounted.positions[index],
                limit: effort.map(|effort| Limit { effort, robot: robot_number, joint: index }),
            });
        }
    }

    fn note_mount_error(&mut self, include: &At<Include>, error: &MountError) {
        let place = match error {
            MountError::MasslessBase { .. } | MountError::SingularBase { .. } => {
                include.base.get().map(|b| &b.place)
            }
            MountError::Planar { .. } | MountError::TooMany { .. } => {
                include.coordinates.get().map(|c| &c.place)
            }
            MountError::NoPosition { .. } | MountError::BeyondLimits { .. } => {
                include.positions.get().map(|p| &p.place)
            }
        };
        let text = error.to_string();
        let (message, cure) = text.split_once("; ").unwrap_or((&text, "change it"));
        self.mistakes.add(place.unwrap_or(&include.place), message, cure);
    }
}

fn added<Id>(id: Id, name: String, place: &Place) -> Added<Id> {
    Added { id, name, place: place.clone(), ends: [place.clone(), place.clone()] }
}
