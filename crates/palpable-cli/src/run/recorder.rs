//! What a recording holds: columns, and a row for a state of the world.

use super::areas;
use super::bearing::Bearing;
use super::joints::Joints;
use palpable::model::{Kind, Row};
use palpable::{BodyId, ElementId, Flows, StepReport, Stored, World};
use palpable_record::{Column, CsvSink, McapSink, RecordError, Sink, Tee};
use palpable_scene::{Built, Named, RecordPlan};
use palpable_studio::looks;
use std::path::{Path, PathBuf};

/// Which recordings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formats {
    /// Comma-separated text.
    pub csv: bool,
    /// For Foxglove and Rerun.
    pub mcap: bool,
}

/// Writes the chosen recordings, row by row.
pub struct Recorder {
    plan: RecordPlan,
    joints: Joints,
    pressed: Vec<Named<BodyId>>,
    sink: Tee<'static>,
    files: Vec<PathBuf>,
    row: Vec<f64>,
    last: Option<u64>,
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl Recorder {
    /// Creates `run.csv` and `run.mcap` in `folder`, as `formats` says.
    pub fn create(
        world: &World,
        built: &Built,
        formats: Formats,
        folder: &Path,
    ) -> Result<Self, RecordError> {
        let (plan, joints) = (&built.record, &Joints::of(built, world));
        let (mut sink, mut files) = (Tee::new(), Vec::new());
        if formats.csv {
            files.push(folder.join("run.csv"));
            sink = sink.with(CsvSink::create(folder.join("run.csv"))?);
        }
        if formats.mcap {
            files.push(folder.join("run.mcap"));
            let mcap = McapSink::create(folder.join("run.mcap"))?;
            let framed = |name: &str| plan.bodies.iter().any(|body| body.name == name);
            let entities = looks::entities(&built.model, &built.looks, framed);
            sink = sink.with(mcap.with_entities(entities));
        }
        let pressed = areas::bodies(world, plan);
        sink.begin(&columns(world, plan, joints, &pressed))?;
        let (plan, joints, row) = (plan.clone(), joints.clone(), Vec::new());
        Ok(Self { plan, joints, pressed, sink, files, row, last: None })
    }

    /// Records the state after a step, if it is due.
    pub fn take(&mut self, world: &World, h: f64, report: &StepReport) -> Result<(), RecordError> {
        if self.plan.is_due(world.tick()) { self.put(world, h, report) } else { Ok(()) }
    }

    /// Records the last state, due or not, closes the files and returns their names.
    pub fn finish(
        mut self,
        world: &World,
        h: f64,
        report: &StepReport,
    ) -> Result<Vec<PathBuf>, RecordError> {
        if self.last != Some(world.tick()) {
            self.put(world, h, report)?;
        }
        self.sink.finish()?;
        Ok(self.files)
    }

    fn put(&mut self, world: &World, h: f64, report: &StepReport) -> Result<(), RecordError> {
        self.last = Some(world.tick());
        if self.files.is_empty() {
            return Ok(());
        }
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        fill(&mut row, world, (&self.plan, &self.joints), h, report);
        self.pressed.iter().for_each(|body| row.extend(areas::values(world, body.id)));
        let outcome = self.sink.row(world.time(), &row);
        self.row = row;
        outcome
    }
}

fn columns(
    world: &World,
    plan: &RecordPlan,
    joints: &Joints,
    pressed: &[Named<BodyId>],
) -> Vec<Column> {
    let mut columns = Vec::new();
    if plan.energy {
        for name in Stored::NAMES.into_iter().chain(Flows::NAMES).chain(["booked"]) {
            columns.push(Column::new(format!("energy.{name}"), "J", "energy"));
        }
    }
    for Named { name, .. } in &plan.bodies {
        let group = format!("body/{name}");
        columns.extend(Column::pose(name));
        columns.extend(AXES.map(|a| Column::new(format!("{name}.v{a}"), "m/s", &group)));
        columns.extend(AXES.map(|a| Column::new(format!("{name}.w{a}"), "rad/s", &group)));
    }
    for Named { name, .. } in &plan.ports {
        let group = format!("port/{name}");
        for (kind, unit) in [("", "m"), ("v", "m/s"), ("f", "N"), ("t", "N·m")] {
            let axis = |a| Column::new(format!("port.{name}.{kind}{a}"), unit, &group);
            columns.extend(AXES.map(axis));
        }
        columns.push(Column::new(format!("port.{name}.work"), "J", &group));
    }
    for spring in &plan.springs {
        columns.extend(spring_columns(world, spring));
    }
    for (name, turns) in joints.names() {
        let (unit, rate) = if turns { ("rad", "rad/s") } else { ("m", "m/s") };
        let group = format!("joint/{name}");
        let what = if turns { "angle" } else { "way" };
        columns.push(Column::new(format!("joint.{name}.{what}"), unit, &group));
        columns.push(Column::new(format!("joint.{name}.rate"), rate, &group));
    }
    if world.model().contact().is_some() {
        columns.push(Column::new("contact.points", "", "contact"));
        columns.push(Column::new("contact.depth", "m", "contact"));
        columns.push(Column::new("contact.strongest", "N", "contact"));
    }
    columns.push(Column::new("step.length", "s", "step"));
    columns.push(Column::new("step.defect", "", "step"));
    columns.push(Column::new("step.substeps", "", "step"));
    pressed.iter().for_each(|body| columns.extend(areas::columns(&body.name)));
    columns
}

/// Strain row by row and energy of one spring or damper.
fn spring_columns(world: &World, spring: &Named<ElementId>) -> Vec<Column> {
    let group = format!("spring/{}", spring.name);
    let column =
        |key: String, unit| Column::new(format!("spring.{}.{key}", spring.name), unit, &group);
    let kind = &world.model().elements()[spring.id.index()].kind;
    let turns = kind.rotation_rows().map_or(0..0, |first| first..first + 3);
    let strain = |row: usize| match kind {
        Kind::Rows(rows) => joint_row(&rows[row], &column),
        Kind::Gear(_) | Kind::Coordinates(_) => column(format!("g{row}"), ""),
        _ if turns.contains(&row) => column(format!("r{}", AXES[row - turns.start]), "rad"),
        _ => column(AXES.get(row).map_or(format!("g{row}"), |a| format!("g{a}")), "m"),
    };
    let rows = (0..kind.rows()).map(strain);
    rows.chain([column("energy".into(), "J")]).collect()
}

/// What a row of a joint measures.
fn joint_row(row: &Row, column: &impl Fn(String, &'static str) -> Column) -> Column {
    let axis = |i: usize| AXES.get(i).copied().unwrap_or("");
    match *row {
        Row::Offset(i) => column(format!("g{}", axis(i)), "m"),
        Row::Distance(_) => column("distance".into(), "m"),
        Row::Align(i) => column(format!("align{}", axis(i)), ""),
        Row::Turn(i) => column(format!("r{}", axis(i)), "rad"),
        Row::Angle => column("angle".into(), "rad"),
    }
}

fn fill(
    row: &mut Vec<f64>,
    world: &World,
    (plan, joints): (&RecordPlan, &Joints),
    h: f64,
    report: &StepReport,
) {
    if plan.energy {
        row.extend(world.energy().values());
        row.extend(world.ledger().totals().values());
        row.push(world.ledger().booked());
    }
    for Named { id, .. } in &plan.bodies {
        let pose = world.pose(*id);
        row.extend(pose.position.iter());
        row.extend(pose.rotation.coords.iter());
        row.extend(world.velocity(*id).iter());
        row.extend(world.angular_velocity(*id).iter());
    }
    for Named { id, .. } in &plan.ports {
        let port = world.port(*id);
        row.extend(port.position.iter().chain(port.velocity.iter()));
        row.extend(port.force.iter().chain(port.torque.iter()));
        row.push(port.work);
    }
    for Named { id, .. } in &plan.springs {
        let (strain, rows) = (world.strain(*id), world.model().elements()[id.index()].kind.rows());
        row.extend(strain.iter().take(rows));
        row.push(world.params().elements[id.index()].elastic(&strain));
    }
    row.extend(joints.values(world));
    if world.model().contact().is_some() {
        let bearing = Bearing::of(world);
        let depth = report.contact.depth.max(bearing.depth);
        row.extend([bearing.near as f64, depth, bearing.force]);
    }
    row.extend([h, report.entry.relative_defect(), f64::from(report.substeps)]);
}
