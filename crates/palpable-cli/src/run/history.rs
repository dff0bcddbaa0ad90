//! What the plots need of a run, thinned as it goes so that any length fits in memory.

use palpable::{BodyId, Flows, PortId, StepReport, Stored, World};
use palpable_record::{Column, Decimator, RecordError, Sink, Table};
use palpable_scene::{Named, RecordPlan};

/// Rows kept per body, port and for the energies.
const ROWS: usize = 6000;
/// Bodies and ports that are followed; the plots show those that move most.
const FOLLOWED: usize = 64;

/// Energies, bodies and ports over time.
pub struct History {
    energy: Decimator,
    bodies: Vec<(BodyId, String, Decimator)>,
    ports: Vec<(PortId, String, Decimator)>,
}

/// The names of a body's columns: position, then angular velocity in its own axes.
pub const BODY: [&str; 6] = ["x", "y", "z", "wx", "wy", "wz"];
/// The names of a port's columns: force, then torque.
pub const PORT: [&str; 6] = ["fx", "fy", "fz", "tx", "ty", "tz"];

impl History {
    /// Follows what the plan records; with `wanted` false, nothing.
    pub fn new(plan: &RecordPlan, wanted: bool) -> Result<Self, RecordError> {
        let most = if wanted { FOLLOWED } else { 0 };
        let bodies = plan.bodies.iter().take(most);
        let ports = plan.ports.iter().take(most);
        let accounts = [&Stored::NAMES[..], &Flows::NAMES, &["defect"]].concat();
        Ok(Self {
            energy: follower(&accounts)?,
            bodies: bodies
                .map(|Named { name, id }| Ok((*id, name.clone(), follower(&BODY)?)))
                .collect::<Result<_, RecordError>>()?,
            ports: ports
                .map(|Named { name, id }| Ok((*id, name.clone(), follower(&PORT)?)))
                .collect::<Result<_, RecordError>>()?,
        })
    }

    /// Looks at the world after a step.
    pub fn take(&mut self, world: &World, report: &StepReport) -> Result<(), RecordError> {
        let time = world.time();
        let mut row = world.energy().values().to_vec();
        row.extend(world.ledger().totals().values());
        row.push(report.entry.relative_defect());
        self.energy.row(time, &row)?;
        for (id, _, follower) in &mut self.bodies {
            let (x, w) = (world.pose(*id).position, world.angular_velocity(*id));
            follower.row(time, &[x.x, x.y, x.z, w.x, w.y, w.z])?;
        }
        for (id, _, follower) in &mut self.ports {
            let port = world.port(*id);
            let (f, t) = (port.force, port.torque);
            follower.row(time, &[f.x, f.y, f.z, t.x, t.y, t.z])?;
        }
        Ok(())
    }

    /// The energies.
    pub fn energy(&self) -> Table {
        self.energy.table()
    }

    /// The bodies by name.
    pub fn bodies(&self) -> Vec<(String, Table)> {
        self.bodies.iter().map(|(_, name, rows)| (name.clone(), rows.table())).collect()
    }

    /// The ports by name.
    pub fn ports(&self) -> Vec<(String, Table)> {
        self.ports.iter().map(|(_, name, rows)| (name.clone(), rows.table())).collect()
    }
}

fn follower(names: &[&str]) -> Result<Decimator, RecordError> {
    let mut rows = Decimator::new(ROWS);
    let columns: Vec<Column> = names.iter().map(|name| Column::new(*name, "", "")).collect();
    rows.begin(&columns)?;
    Ok(rows)
}
