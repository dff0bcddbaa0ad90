//! Scripts of ports.

use super::{Assembly, turn, vector};
use crate::csv_file::CsvFile;
use crate::dimension::{Description, Dimension, Force, Position};
use crate::document::{Constant, Input, Path, PortKind, Sine, Table};
use crate::place::{At, Place};
use crate::quantity::Loose;
use crate::script::{Enters, Path as Course, Signal, Track};
use crate::suggest;
use palpable::{PortId, PortInput, Pose, Vec3};

/// Columns of a table for a force port; the last three may be left out.
const WRENCH: [&str; 6] = ["fx", "fy", "fz", "tx", "ty", "tz"];
/// Columns of a table for a reference port.
const POSITION: [&str; 3] = ["x", "y", "z"];

impl Assembly<'_> {
    /// What a script means at a port of this kind that starts at `start`.
    pub(super) fn signal(
        &mut self,
        input: &At<Input>,
        kind: PortKind,
        start: &Pose,
    ) -> Option<Signal> {
        match &input.value {
            Input::Constant(constant) => self.constant(constant, kind, start),
            Input::Sine(sine) => self.sine(sine, kind, start),
            Input::Table(table) => self.table(table, kind, start),
            Input::Path(path) => self.course(path, kind, start, &input.place),
        }
    }

    fn constant(&mut self, given: &Constant, kind: PortKind, start: &Pose) -> Option<Signal> {
        let foreign = match kind {
            PortKind::Force => [place(given.position.get()), place(given.orientation.get())],
            PortKind::Reference => [place(given.force.get()), place(given.torque.get())],
        };
        self.refuse(foreign, kind);
        let numbers = |v: [f64; 3]| Vec3::from(v);
        Some(Signal::Constant(match kind {
            PortKind::Force => PortInput::Wrench {
                force: numbers(given.force.get().map_or([0.0; 3], |f| f.value.map(|c| c.0))),
                torque: numbers(given.torque.get().map_or([0.0; 3], |t| t.value.map(|c| c.0))),
            },
            PortKind::Reference => PortInput::Reference {
                position: given.position.get().map_or(start.position, |p| vector(Some(p))),
                rotation: match given.orientation.get() {
                    None => start.rotation,
                    orientation => turn::rotation(orientation, &mut self.mistakes),
                },
            },
        }))
    }

    fn sine(&mut self, sine: &Sine, kind: PortKind, start: &Pose) -> Option<Signal> {
        let (about, default) = match kind {
            PortKind::Force => (Force::ABOUT, Vec3::zeros()),
            PortKind::Reference => (Position::ABOUT, start.position),
        };
        let amplitude = self.loose(sine.amplitude.get(), &about, Vec3::zeros());
        let offset = self.loose(sine.offset.get(), &about, default);
        let (swing, mean) = (sine.torque_amplitude.get(), sine.torque_offset.get());
        if kind == PortKind::Reference {
            self.refuse([place(swing), place(mean)], kind);
        }
        let torque = |t: Option<&At<[crate::quantity::Quantity<_>; 3]>>| {
            Vec3::from(t.map_or([0.0; 3], |t| t.value.map(|c: crate::quantity::Quantity<_>| c.0)))
        };
        Some(Signal::Sine {
            offset: [offset?, torque(mean)],
            amplitude: [amplitude?, torque(swing)],
            frequency: sine.frequency.get()?.0,
            phase: sine.phase.get().map_or(0.0, |p| p.0),
            reference: (kind == PortKind::Reference).then_some(start.rotation),
        })
    }

    /// Numbers whose dimension depends on the kind of port.
    fn loose(
        &mut self,
        given: Option<&At<[Loose; 3]>>,
        about: &Description,
        default: Vec3,
    ) -> Option<Vec3> {
        let Some(at) = given else { return Some(default) };
        let [x, y, z] = at.value.map(|v| v.resolve(about, &at.place, &mut self.mistakes));
        Some(Vec3::new(x?, y?, z?))
    }

    fn table(&mut self, table: &Table, kind: PortKind, start: &Pose) -> Option<Signal> {
        let file = table.file.get()?;
        let csv = self.read_csv(file)?;
        let columns: &[&str] = match kind {
            PortKind::Force if csv.has(WRENCH[3]) => &WRENCH,
            PortKind::Force => &WRENCH[..3],
            PortKind::Reference => &POSITION,
        };
        let names: Vec<&str> = std::iter::once("time").chain(columns.iter().copied()).collect();
        let enters = match kind {
            PortKind::Force => Enters::Wrench,
            PortKind::Reference => Enters::Reference(start.rotation),
        };
        let (between, outside) = (table.interpolation.or_default(), table.outside.or_default());
        self.track(&csv, file, &names, Track::new(between, outside, enters))
    }

    /// Poses at given times; fields that a pose leaves out are those of the pose before.
    fn course(&mut self, given: &Path, kind: PortKind, start: &Pose, at: &Place) -> Option<Signal> {
        if kind == PortKind::Force {
            let cure = "set kind = \"reference\", or give a table of forces";
            self.mistakes.add(at, "a force port does not follow a path", cure);
            return None;
        }
        let keys = given.keys.get()?;
        let leader = match given.frame.get() {
            Some(name) => Some(self.leader(name)?),
            None => None,
        };
        let frame = leader.map_or(Pose::default(), |(_, frame)| frame);
        let start = Pose {
            position: frame.rotation.inverse() * (start.position - frame.position),
            rotation: frame.rotation.inverse() * start.rotation,
        };
        let mut path = Course::new(given.outside.or_default());
        for key in &keys.value {
            let before = path.last().unwrap_or(start);
            let position = key.position.get().map_or(before.position, |p| vector(Some(p)));
            let rotation = match key.orientation.get() {
                None => before.rotation,
                orientation => turn::rotation(orientation, &mut self.mistakes),
            };
            let time = key.time.get()?.0;
            if !path.push(time, Pose { position, rotation }) {
                self.late(&key.place, time);
                return None;
            }
        }
        self.some_keys(path.last().is_some(), &keys.place)?;
        Some(match leader {
            Some((port, _)) => Signal::Led(port, path),
            None => Signal::Path(path),
        })
    }

    /// A reference port that stands before, and where it starts.
    fn leader(&mut self, name: &At<String>) -> Option<(PortId, Pose)> {
        let found = self.references.iter().find(|(port, _, _)| *port == name.value);
        if found.is_none() {
            let names = self.references.iter().map(|(port, _, _)| port.as_str());
            let cure = suggest::cure(name, names, "reference ports before this one");
            let message = format!("no reference port `{}` stands before this one", name.value);
            self.mistakes.add(&name.place, message, cure);
        }
        found.map(|(_, id, start)| (*id, *start))
    }

    /// Notes a time that is not later than the one before.
    pub(super) fn late(&mut self, at: &Place, time: f64) {
        let message = format!("time {time} s is not later than that of the key before");
        self.mistakes.add(at, message, "sort the keys by time, and keep one for each time");
    }

    /// Notes a path without keys.
    pub(super) fn some_keys(&mut self, has_any: bool, at: &Place) -> Option<()> {
        if !has_any {
            self.note_once(at, "a path without keys", "give at least one key with a time");
        }
        has_any.then_some(())
    }

    /// Rows of a table into a track; the first name is that of the time.
    pub(super) fn track(
        &mut self,
        csv: &CsvFile,
        file: &At<String>,
        names: &[&str],
        mut track: Track,
    ) -> Option<Signal> {
        let rows = csv.columns(names, &file.place, &mut self.mistakes)?;
        for row in &rows {
            let number = |i: usize| row.values.get(i).copied().unwrap_or(0.0);
            let triple = |i: usize| Vec3::new(number(i), number(i + 1), number(i + 2));
            if !track.push(number(0), [triple(1), triple(4)]) {
                let message = format!("time {} s is not later than the row before", number(0));
                let cure = "sort the rows by time, and keep one for each time";
                let at = file.place.renamed("time");
                csv.note(row.line, &at, message, cure, &mut self.mistakes);
                return None;
            }
        }
        Some(Signal::Table(track))
    }

    /// Notes fields that belong to the other kind of port.
    fn refuse(&mut self, fields: [Option<&Place>; 2], kind: PortKind) {
        let (name, cure) = match kind {
            PortKind::Force => ("force", "give force and torque, or set kind = \"reference\""),
            PortKind::Reference => ("reference", "give a position, or set kind = \"force\""),
        };
        for place in fields.into_iter().flatten() {
            self.mistakes.add(place, format!("a {name} port does not take this"), cure);
        }
    }
}

fn place<T>(field: Option<&At<T>>) -> Option<&Place> {
    field.map(|at| &at.place)
}
