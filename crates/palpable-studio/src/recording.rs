//! What a take holds as numbers: a row per step, collected outside the servo thread.

use crate::looks;
use crate::stage::{Show, Stage};
use palpable_record::figure::{Axis, Color, Figure, Line, Panel, Stack};
use palpable_record::{Column, CsvSink, Entity, McapSink, RecordError, Sink, Table};
use std::path::{Path, PathBuf};

/// Numbers before the values of a row: number of the take, values that follow, time [s], generation
/// of the scene, which says who is there.
pub const HEAD: usize = 4;
/// Numbers kept of a take; older ones stay, newer ones are left out.
const MOST: usize = 24_000_000;

const ACCOUNTS: [&str; 11] = [
    "kinetic",
    "elastic",
    "gravity",
    "tank",
    "supplied",
    "damped",
    "friction",
    "impact",
    "discarded",
    "created",
    "booked",
];
const AXES: [&str; 3] = ["x", "y", "z"];

/// Columns of a take of this scene.
pub fn columns(show: &Show) -> Vec<Column> {
    let energy = ACCOUNTS.iter().map(|a| Column::new(format!("energy.{a}"), "J", "energy"));
    let mut columns: Vec<Column> = energy.collect();
    for (name, unit) in [("hand.", "m"), ("hand.held.", "m"), ("hand.f", "N")] {
        columns.extend(AXES.map(|a| Column::new(format!("{name}{a}"), unit, "hand")));
    }
    let there = show.model.bodies().iter().filter(|b| !b.gone);
    columns.extend(there.flat_map(|b| Column::pose(&b.name)));
    columns
}

/// Fills the row of the present, in room it already has.
pub fn fill(row: &mut Vec<f64>, stage: &Stage, take: u64) {
    let (lane, hand) = (&stage.lanes()[0], stage.hand());
    let world = &lane.world;
    let (now, flows) = (world.energy(), world.ledger().totals());
    row.clear();
    row.extend([take as f64, 0.0, world.time(), f64::from(stage.generation())]);
    let elastic = now.elastic + now.contact;
    row.extend([now.kinetic, elastic, now.gravity, now.tank, flows.supplied]);
    row.extend([flows.damped, flows.friction, flows.impact, flows.discarded, flows.created]);
    row.push(world.ledger().booked());
    let held = lane.port().map(|port| world.port(port).position).unwrap_or(hand.reference);
    row.extend(hand.reference.iter().chain(held.iter()).chain(lane.force().iter()));
    let there = stage.show().model.bodies().iter().zip(&stage.show().bodies);
    for (_, id) in there.filter(|(info, _)| !info.gone) {
        let pose = world.pose(*id);
        row.extend(pose.position.iter().chain(pose.rotation.coords.iter()));
    }
    row[1] = (row.len() - HEAD) as f64;
}

/// The newest take.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    take: f64,
    title: String,
    /// of everybody who was ever there
    columns: Vec<Column>,
    /// who was there, from which row on: generation, first row, columns of its values
    casts: Vec<(f64, usize, Vec<usize>)>,
    /// what they look like
    entities: Vec<Entity>,
    time: Vec<f64>,
    values: Vec<f64>,
}

impl Recording {
    /// Takes one row; a row of a new take begins anew. `show` is the scene that the row is of, if
    /// it is still on; else rows are taken as long as nobody came or left.
    pub fn take(&mut self, row: &[f64], show: Option<&Show>) {
        let [take, _, time, generation] = [row[0], row[1], row[2], row[3]];
        if take != self.take {
            let title = show.map_or(String::new(), |show| show.name.clone());
            *self = Self { take, title, ..Self::default() };
        }
        if self.casts.last().is_none_or(|cast| cast.0 != generation) {
            let Some(show) = show else { return };
            let places = columns(show).into_iter().map(|column| self.place(column)).collect();
            self.casts.push((generation, self.time.len(), places));
            for entity in looks::entities(&show.model, &show.looks, |_| true) {
                if self.entities.iter().all(|known| known.name != entity.name) {
                    self.entities.push(entity);
                }
            }
        }
        let width = self.casts.last().map_or(0, |cast| cast.2.len());
        if row.len() == HEAD + width && self.values.len() + width <= MOST {
            self.time.push(time);
            self.values.extend(&row[HEAD..]);
        }
    }

    /// The place of a column; a new one comes last.
    fn place(&mut self, column: Column) -> usize {
        let known = self.columns.iter().position(|c| c.name == column.name);
        known.unwrap_or_else(|| {
            self.columns.push(column);
            self.columns.len() - 1
        })
    }

    /// True if there is nothing to export.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    fn write(&self, mut sink: impl Sink) -> Result<(), RecordError> {
        sink.begin(&self.columns)?;
        let mut values = self.values.iter();
        let ends = self.casts.iter().skip(1).map(|cast| cast.1).chain([self.time.len()]);
        for ((_, from, places), to) in self.casts.iter().zip(ends) {
            for time in &self.time[*from..to] {
                // whoever is not there has no numbers
                let mut row = vec![f64::NAN; self.columns.len()];
                places.iter().zip(&mut values).for_each(|(place, value)| row[*place] = *value);
                sink.row(*time, &row)?;
            }
        }
        sink.finish()
    }

    /// Writes `take.csv`, `take.mcap` or `take.png` into `folder`; `None` for other names.
    pub fn export(&self, name: &str, folder: &Path) -> Option<Result<PathBuf, RecordError>> {
        let path = folder.join(name);
        let done = match name {
            "take.csv" => CsvSink::create(&path).and_then(|sink| self.write(sink)),
            "take.mcap" => McapSink::create(&path)
                .and_then(|sink| self.write(sink.with_entities(self.entities.clone()))),
            "take.png" => self.figure().and_then(|figure| figure.write(&path)),
            _ => return None,
        };
        Some(done.map(|()| path))
    }

    /// Energy above, force below.
    fn figure(&self) -> Result<Figure, RecordError> {
        let mut table = Table::default();
        self.write(&mut table)?;
        let column = |name: &str| table.column(name).unwrap_or_default();
        let lowest = column("energy.gravity").iter().copied().fold(f64::INFINITY, f64::min);
        let accounts = looks::ACCOUNTS.map(|(name, color)| {
            let base = if name == "gravity" { lowest } else { 0.0 };
            let values = column(&format!("energy.{name}")).iter().map(|v| (v - base).max(0.0));
            (name, color, values.collect::<Vec<f64>>())
        });
        let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        let least = looks::VISIBLE * accounts.iter().map(|a| most(&a.2)).fold(0.0, f64::max);
        let mut stack = Stack::new(table.time());
        for (name, color, values) in accounts.iter().filter(|a| most(&a.2) > least) {
            stack = stack.layer(looks::legend(name), values).color(*color);
        }
        let size = |i: usize| AXES.iter().map(|a| column(&format!("hand.f{a}"))[i].powi(2)).sum();
        let force: Vec<f64> = (0..table.time().len()).map(|i| f64::sqrt(size(i))).collect();
        Ok(Figure::new(self.title.clone(), Axis::new("time", "s"))
            .panel(Panel::new(Axis::new("energy", "J")).stack(stack))
            .panel(
                Panel::new(Axis::new("force on the hand", "N"))
                    .line(Line::new("force", table.time(), &force).color(Color::VERMILION)),
            ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::Order;

    /// A take for Foxglove and Rerun tells what bodies look like, each once, newcomers too.
    #[test]
    fn a_take_for_viewers_has_solids() {
        let folder = crate::files::Folder::create().expect("a folder");
        let text = crate::gallery::find("stack-3").expect("in the gallery").text;
        let scene = palpable_scene::Scene::parse(text, folder.path().join("s.toml"));
        let show = Show::of_scene("stack-3", scene.expect("a scene")).expect("it builds");
        let mut stage = Stage::new(Box::new(show));
        stage.give(Order::Record(true));
        let (mut recording, mut row) = (Recording::default(), Vec::new());
        for _ in 0..3 {
            stage.tick();
            fill(&mut row, &stage, 1);
            recording.take(&row, Some(stage.show()));
        }
        let names: Vec<&str> = recording.entities.iter().map(|e| e.name.as_str()).collect();
        let shown = stage.show().model.bodies().iter().filter(|b| b.shape.is_some());
        assert_eq!(names, shown.map(|b| b.name.as_str()).collect::<Vec<_>>());
        let path = recording.export("take.mcap", folder.path()).expect("known").expect("written");
        let bytes = std::fs::read(path).expect("a file");
        assert!(bytes.windows(20).any(|w| w == b"foxglove.SceneUpdate"));
    }
}
