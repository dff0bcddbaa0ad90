//! From a document to a model, a script, steps and a plan of what to record.

mod beam;
mod body;
mod chain;
mod contact;
mod engine_errors;
mod gear;
mod include;
mod input;
mod joint;
mod matter;
mod mesh;
pub(crate) mod motor;
mod options;
mod parts;
mod port;
mod record;
mod rows;
mod shape;
mod spring;
mod steps;
mod studio;
mod turn;
mod visual;

use crate::built::{Built, ChainJoint, Included, Look};
use crate::csv_file::CsvFile;
use crate::document::{Document, Point};
use crate::place::{At, Mistakes, Part, Place};
use crate::script::Script;
use crate::shelf::Shelf;
use crate::suggest;
use palpable::{
    Body, BodyId, ElementId, Model, ModelBuilder, PortId, Pose, Rotation, Spring, SystemId, Vec3,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What has been put together so far.
struct Assembly<'d> {
    document: &'d Document,
    /// Folder that file names start from.
    folder: PathBuf,
    /// The text of the one file that is included, if the scene is that file.
    inline: Option<&'d str>,
    /// Where files may be read from.
    shelf: Shelf,
    builder: ModelBuilder,
    bodies: Vec<Added<BodyId>>,
    /// Where each of the bodies starts.
    starts: Vec<Pose>,
    /// Links of robots that are part of a body: name, body, and where they are on it.
    links: Vec<(String, usize, Pose)>,
    robots: Vec<Included>,
    looks: Vec<Look>,
    sections: Vec<(String, [f64; 2])>,
    systems: Vec<Added<SystemId>>,
    /// Joints of chains and robots.
    jointed: Vec<Jointed>,
    /// Springs, dampers and joints, in the engine's order.
    springs: Vec<Added<ElementId>>,
    ports: Vec<Added<PortId>>,
    /// Reference ports so far: name, id, and where they start.
    references: Vec<(String, PortId, Pose)>,
    script: Script,
    mistakes: Mistakes,
}

/// The joint above a link of a chain or robot.
struct Jointed {
    link: String,
    /// What motors drive.
    measure: Spring,
    /// Its chain, and its number among the joints of the chain.
    system: Option<(SystemId, usize)>,
    turns: bool,
    /// Where it starts [rad or m].
    start: f64,
    limit: Option<Limit>,
}

impl Jointed {
    fn in_chain(&self) -> Option<ChainJoint> {
        let (system, number) = self.system?;
        Some(ChainJoint { name: self.link.clone(), system, number, turns: self.turns })
    }
}

/// The largest effort of a robot's joint.
#[derive(Clone, Copy)]
struct Limit {
    /// [N m or N]
    effort: f64,
    robot: usize,
    joint: usize,
}

/// A part handed to the engine, and where it stands in the file.
struct Added<Id> {
    id: Id,
    name: String,
    place: Place,
    /// The bodies it names, first and second end; the part itself where there are none.
    ends: [Place; 2],
}

/// Puts a scene together. Goes on after mistakes, those of reading included, so that all are found.
pub(crate) fn assemble(
    document: &Document,
    file: &Path,
    inline: Option<&str>,
    shelf: &Shelf,
    mistakes: Mistakes,
) -> Result<Built, Mistakes> {
    let mut assembly = Assembly::new(document, file, inline, shelf, mistakes);
    if let Some(gravity) = document.gravity.get() {
        assembly.builder.gravity(gravity.value.map(|g| g.0));
    }
    assembly.add_contact();
    assembly.add_includes();
    assembly.add_bodies();
    assembly.add_chains();
    assembly.add_beams();
    assembly.add_springs();
    assembly.add_joints();
    assembly.add_gears();
    assembly.add_tendons();
    assembly.add_ports();
    assembly.add_motors();
    assembly.finish(file)
}

/// The bodies of a document alone, as the engine takes them, and what they look like.
pub(crate) fn assemble_bodies(
    document: &Document,
    file: &Path,
    shelf: &Shelf,
) -> Result<(Vec<Body>, Vec<Look>), Mistakes> {
    let mut assembly = Assembly::new(document, file, None, shelf, Mistakes::default());
    let bodies = document.body.get().map_or(&[][..], |list| &list.value);
    let bodies = bodies.iter().map(|body| assembly.rigid(body).0).collect();
    if assembly.mistakes.0.is_empty() {
        Ok((bodies, assembly.looks))
    } else {
        Err(assembly.mistakes)
    }
}

impl<'d> Assembly<'d> {
    /// Nothing so far but mistakes of reading.
    fn new(
        document: &'d Document,
        file: &Path,
        inline: Option<&'d str>,
        shelf: &Shelf,
        mistakes: Mistakes,
    ) -> Self {
        Self {
            document,
            folder: file.parent().unwrap_or(Path::new("")).to_owned(),
            inline,
            shelf: shelf.clone(),
            builder: Model::builder(),
            bodies: Vec::new(),
            starts: Vec::new(),
            links: Vec::new(),
            robots: Vec::new(),
            looks: Vec::new(),
            sections: Vec::new(),
            systems: Vec::new(),
            jointed: Vec::new(),
            springs: Vec::new(),
            ports: Vec::new(),
            references: Vec::new(),
            script: Script::default(),
            mistakes,
        }
    }
}

impl Assembly<'_> {
    fn finish(mut self, file: &Path) -> Result<Built, Mistakes> {
        let (options, duration) = self.options();
        let steps = self.steps();
        let record = self.record_plan();
        let staging = self.staging();
        let impulses = self.impulses();
        if !self.check_room() {
            return Err(self.mistakes);
        }
        let model = match self.builder.build() {
            Ok(model) => {
                self.check_contact_law(options.contact_law, &model);
                Some(model)
            }
            Err(errors) => {
                self.note_engine_errors(errors);
                None
            }
        };
        let (Some(model), Some(steps), true) = (model, steps, self.mistakes.0.is_empty()) else {
            return Err(self.mistakes);
        };
        let title = self.document.scene.get();
        let text = |field: Option<&At<String>>| field.map(|at| at.value.clone());
        let stem = || file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Built {
            name: text(title.and_then(|t| t.name.get())).unwrap_or_else(stem),
            description: text(title.and_then(|t| t.description.get())).unwrap_or_default(),
            model,
            options,
            duration,
            script: self.script,
            steps,
            record,
            robots: self.robots,
            looks: self.looks,
            sections: self.sections,
            joints: self.jointed.iter().filter_map(Jointed::in_chain).collect(),
            systems: self.systems.into_iter().map(|s| (s.name, s.id)).collect(),
            impulses,
            staging,
        })
    }

    /// Finds a body by name, or a link that is part of one and where it is on it; notes that
    /// there is none.
    fn body_named(&mut self, name: &At<String>) -> Option<(usize, Pose)> {
        let body = self.bodies.iter().position(|b| b.name == name.value);
        let link = || self.links.iter().find(|l| l.0 == name.value).map(|l| (l.1, l.2));
        let found = body.map(|b| (b, Pose::default())).or_else(link);
        if found.is_none() {
            let bodies = self.bodies.iter().map(|b| b.name.as_str()).filter(|n| !n.is_empty());
            let names = bodies.chain(self.links.iter().map(|l| l.0.as_str()));
            self.mistakes.add_with(&name.place, || {
                let message = format!("there is no body `{}`", name.value);
                (message, suggest::cure(name, names, "known bodies"))
            });
        }
        found
    }

    /// A file named in the scene.
    fn path(&self, file: &At<String>) -> PathBuf {
        self.folder.join(&file.value)
    }

    fn read_csv(&mut self, file: &At<String>) -> Option<CsvFile> {
        CsvFile::read(&self.path(file), &self.shelf, &file.place, &mut self.mistakes)
    }
}

/// Notes names that are empty or that an earlier part of the same kind has.
fn check_names<'n, Id>(
    kind: &str,
    added: &[Added<Id>],
    names: impl Iterator<Item = &'n At<String>>,
    mistakes: &mut Mistakes,
) {
    let mut seen: BTreeSet<&str> = added.iter().map(|a| a.name.as_str()).collect();
    for name in names {
        if name.value.is_empty() {
            mistakes.add(&name.place, "the name is empty", "give it at least one letter");
        } else if !seen.insert(name.value.as_str()) {
            let message = format!("two {kind} are named `{}`", name.value);
            mistakes.add(&name.place, message, "rename one of them");
        }
    }
}

/// A point and an orientation on a link, seen from the body that the link is part of.
fn on_body(frame: &Pose, point: Vec3, rotation: Rotation) -> (Vec3, Rotation) {
    if *frame == Pose::default() {
        return (point, rotation);
    }
    (frame.position + frame.rotation * point, frame.rotation * rotation)
}

fn vector(point: Option<&At<Point>>) -> Vec3 {
    point.map_or(Vec3::zeros(), |p| Vec3::from(p.value.map(|c| c.0)))
}

/// The part that a place belongs to; a name that no part has if there is none.
fn part_of(place: &Place) -> Part {
    place.part.clone().unwrap_or_default()
}
