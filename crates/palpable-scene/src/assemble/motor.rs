//! Motors.

use super::chain::added;
use super::{Assembly, check_names};
use crate::built::Included;
use crate::dimension::{
    Angle, AngularDamping, AngularStiffness, AngularVelocity, Damping, Description, Dimension,
    Force, Position, Stiffness, Torque, Velocity,
};
use crate::document::{
    ConstantDrive, Drive, DriveKind, Motor, MotorKind, PathDrive, SineDrive, TableDrive,
};
use crate::place::At;
use crate::quantity::Loose;
use crate::read::Field;
use crate::script::{Enters, Path as Course, Signal, Track};
use crate::suggest;
use crate::urdf::{Remark, RemarkKind};
use palpable::{Port, PortInput, Spring};

/// What the numbers of a motor measure.
struct Dimensions {
    place: Description,
    rate: Description,
    effort: Description,
    stiffness: Description,
    damping: Description,
}

fn dimensions(turns: bool) -> Dimensions {
    if turns {
        Dimensions {
            place: Angle::ABOUT,
            rate: AngularVelocity::ABOUT,
            effort: Torque::ABOUT,
            stiffness: AngularStiffness::ABOUT,
            damping: AngularDamping::ABOUT,
        }
    } else {
        Dimensions {
            place: Position::ABOUT,
            rate: Velocity::ABOUT,
            effort: Force::ABOUT,
            stiffness: Stiffness::ABOUT,
            damping: Damping::ABOUT,
        }
    }
}

impl Assembly<'_> {
    pub(super) fn add_motors(&mut self) {
        let motors = self.document.motor.get().map_or(&[][..], |list| &list.value);
        let names = motors.iter().filter_map(|m| m.name.get());
        check_names("ports or motors", &self.ports, names, &mut self.mistakes);
        for motor in motors {
            self.add_motor(motor);
        }
    }

    /// Adds a motor and its script; leaves it out if that cannot be done, which is noted.
    fn add_motor(&mut self, motor: &At<Motor>) -> Option<()> {
        let (measure, turns) = self.measure(motor)?;
        let about = dimensions(turns);
        let mut number = |given: &Field<Loose>, about: &Description| match given.get() {
            None => Some(0.0),
            Some(given) => given.resolve(about, &given.place, &mut self.mistakes),
        };
        let stiffness = number(&motor.stiffness, &about.stiffness);
        let damping = number(&motor.damping, &about.damping);
        let signal = motor.input.get().map(|input| self.drive(motor, input, &about));
        let limit = self.limit(motor, &about);
        let name = motor.name.get()?.value.clone();
        let measure = measure.stiffness(stiffness?).damping(damping?);
        let id = self.builder.port(Port::motor(name.as_str(), measure).limit(limit?));
        self.ports.push(added(id, name, motor));
        if let Some(signal) = signal {
            self.script.push(id, signal?);
        }
        Some(())
    }

    /// What a motor drives, and whether that turns.
    fn measure(&mut self, motor: &At<Motor>) -> Option<(Spring, bool)> {
        let ends = [motor.a.get(), motor.b.get()];
        if motor.chain.get().is_some() || motor.radii.get().is_some() {
            return self.pulled_tendon(motor);
        }
        match (motor.link.get(), ends) {
            (Some(link), [None, None]) => {
                let Some(found) = self.jointed.iter().find(|j| j.link == link.value) else {
                    let names = self.jointed.iter().map(|j| j.link.as_str());
                    let cure = suggest::cure(link, names, "known links with a joint");
                    let message = format!("no chain or robot moves a link `{}`", link.value);
                    self.mistakes.add(&link.place, message, cure);
                    return None;
                };
                Some((found.measure.clone(), found.turns))
            }
            (None, [Some(_), Some(_)]) => {
                let [a, b] = [&motor.a, &motor.b].map(|end| self.anchor(end));
                Some(match motor.kind.or_default() {
                    MotorKind::Angle => (Spring::angle(a?, b?), true),
                    MotorKind::Slide => (Spring::slide(a?, b?), false),
                })
            }
            _ => {
                let message = "a motor drives the joint of a link, or moves two ends";
                self.note_once(&motor.place, message, "give `link`, or both `a` and `b`");
                None
            }
        }
    }

    /// The tendon that a motor pulls.
    fn pulled_tendon(&mut self, motor: &At<Motor>) -> Option<(Spring, bool)> {
        let others = [motor.link.is_empty(), motor.a.is_empty(), motor.b.is_empty()];
        let (Some(chain), Some(radii), [true, true, true]) =
            (motor.chain.get(), motor.radii.get(), others)
        else {
            let message = "a motor that pulls a tendon has a chain and radii, and nothing else";
            self.note_once(&motor.place, message, "give both `chain` and `radii`, or neither");
            return None;
        };
        Some((self.tendon(chain, radii)?, false))
    }

    fn drive(&mut self, motor: &Motor, input: &At<Drive>, about: &Dimensions) -> Option<Signal> {
        match &input.value {
            Drive::Constant(drive) => self.constant_drive(motor, input, drive, about),
            Drive::Sine(drive) => self.sine_drive(motor, input, drive, about),
            Drive::Table(drive) => self.table_drive(motor, input, drive),
            Drive::Path(drive) => self.path_drive(motor, input, drive, about),
        }
    }

    fn constant_drive(
        &mut self,
        motor: &Motor,
        input: &At<Drive>,
        drive: &ConstantDrive,
        about: &Dimensions,
    ) -> Option<Signal> {
        let given = [drive.effort.get(), drive.rate.get(), drive.target.get()];
        let kinds = [DriveKind::Effort, DriveKind::Rate, DriveKind::Target];
        let mut one = kinds.into_iter().zip(given).filter_map(|(k, g)| Some((k, g?)));
        let (Some((kind, value)), None) = (one.next(), one.next()) else {
            let message = "a motor takes one of effort, rate and target";
            self.note_once(&input.place, message, "keep one, such as { effort = \"5 mN m\" }");
            return None;
        };
        self.check_drive(motor, input, kind)?;
        let number = value.resolve(of(kind, about), &value.place, &mut self.mistakes)?;
        Some(Signal::Constant(input_of(kind, number)))
    }

    fn sine_drive(
        &mut self,
        motor: &Motor,
        input: &At<Drive>,
        drive: &SineDrive,
        about: &Dimensions,
    ) -> Option<Signal> {
        let kind = drive.kind.or_default();
        self.check_drive(motor, input, kind)?;
        let mut number = |given: &Field<Loose>| match given.get() {
            None => Some(0.0),
            Some(given) => given.resolve(of(kind, about), &given.place, &mut self.mistakes),
        };
        let (offset, amplitude) = (number(&drive.offset), number(&drive.amplitude));
        Some(Signal::Drive {
            kind,
            offset: offset?,
            amplitude: amplitude?,
            frequency: drive.frequency.get()?.0,
            phase: drive.phase.get().map_or(0.0, |p| p.0),
        })
    }

    fn table_drive(
        &mut self,
        motor: &Motor,
        input: &At<Drive>,
        drive: &TableDrive,
    ) -> Option<Signal> {
        let file = drive.file.get()?;
        let csv = self.read_csv(file)?;
        let kinds = [DriveKind::Effort, DriveKind::Rate, DriveKind::Target];
        let columns = ["effort", "rate", "target"];
        let mut given = (0..3).filter(|&i| csv.has(columns[i]));
        let (Some(i), None) = (given.next(), given.next()) else {
            let message = "a motor takes one of effort, rate and target";
            let cure = "make the header `time, effort`, `time, rate` or `time, target`";
            let at = file.place.renamed("header");
            csv.note(1, &at, message, cure, &mut self.mistakes);
            return None;
        };
        self.check_drive(motor, input, kinds[i])?;
        let (between, outside) = (drive.interpolation.or_default(), drive.outside.or_default());
        let track = Track::new(between, outside, Enters::Drive(kinds[i]));
        self.track(&csv, file, &["time", columns[i]], track)
    }

    fn path_drive(
        &mut self,
        motor: &Motor,
        input: &At<Drive>,
        drive: &PathDrive,
        about: &Dimensions,
    ) -> Option<Signal> {
        let kind = drive.kind.or_default();
        self.check_drive(motor, input, kind)?;
        let keys = drive.keys.get()?;
        let mut path = Course::new(drive.outside.or_default());
        for key in &keys.value {
            let (time, value) = (key.time.get()?.0, key.value.value.get()?);
            let value = value.resolve(of(kind, about), &value.place, &mut self.mistakes)?;
            if !path.push(time, value) {
                self.late(&key.place, time);
                return None;
            }
        }
        self.some_keys(path.last().is_some(), &keys.place)?;
        Some(Signal::DrivePath(kind, path))
    }

    /// The largest effort of a motor [N m or N], its own or that of the robot's joint.
    fn limit(&mut self, motor: &At<Motor>, about: &Dimensions) -> Option<f64> {
        let gains = motor.stiffness.get().is_some() || motor.damping.get().is_some();
        if let Some(given) = motor.limit.get() {
            let limit = given.resolve(&about.effort, &given.place, &mut self.mistakes)?;
            if gains {
                let message = "a motor that follows a rate or target has no limit yet";
                self.mistakes.add(&given.place, message, "remove it, or drive by effort");
                return None;
            }
            if limit < 0.0 {
                let message = format!("the limit is {limit}");
                self.mistakes.add(&given.place, message, "give 0 or more");
                return None;
            }
            return Some(limit);
        }
        let link = motor.link.get().map(|l| l.value.as_str());
        let found = self.jointed.iter().find(|j| Some(j.link.as_str()) == link);
        let Some(own) = found.and_then(|j| j.limit) else { return Some(f64::INFINITY) };
        if gains {
            let Included { robot, mounted, .. } = &mut self.robots[own.robot];
            let joint = &robot.joints[own.joint];
            mounted.remarks.push(Remark {
                kind: RemarkKind::NotSimulated,
                line: joint.limits.map_or(joint.line, |l| l.line),
                about: format!("joint[{}].limit", joint.name),
                message: "its effort does not bound a motor that follows a rate or target".into(),
            });
            return Some(f64::INFINITY);
        }
        Some(own.effort)
    }

    /// Notes a rate without damping and a target without stiffness: nothing would follow them.
    fn check_drive(&mut self, motor: &Motor, input: &At<Drive>, kind: DriveKind) -> Option<()> {
        let (message, cure) = match kind {
            DriveKind::Rate if motor.damping.get().is_none() => {
                ("a rate without damping moves nothing", "add `damping = ..`, the gain")
            }
            DriveKind::Target if motor.stiffness.get().is_none() => {
                ("a target without stiffness moves nothing", "add `stiffness = ..`, the gain")
            }
            _ => return Some(()),
        };
        self.note_once(&input.place, message, cure);
        None
    }
}

fn of(kind: DriveKind, about: &Dimensions) -> &Description {
    match kind {
        DriveKind::Effort => &about.effort,
        DriveKind::Rate => &about.rate,
        DriveKind::Target => &about.place,
    }
}

/// What enters at a motor.
pub(crate) fn input_of(kind: DriveKind, value: f64) -> PortInput {
    match kind {
        DriveKind::Effort => PortInput::Effort(value),
        DriveKind::Rate => PortInput::Rate(value),
        DriveKind::Target => PortInput::Target(value),
    }
}
