//! A recording that plays back as a device.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::columns::{ImpulseSetup, Setup};
use crate::device::{Axes, Buttons, Capabilities, Device, DeviceError, Motion, Sample};
use crate::safety::Command;
use nalgebra::{Quaternion, Unit};
use palpable::coupling::{Impulses, Rendering};
use palpable::{Counts, Vec3};
use palpable_record::{RecordError, Table, read_mcap_columns};

/// How old a reading may be of which the recording does not say it.
const OLD: Duration = Duration::from_millis(20);

/// What is read of a recording; it has four times as many columns.
const COLUMNS: [&str; 33] = [
    "tick.number",
    "tick.step",
    "hand.sequence",
    "hand.x",
    "hand.y",
    "hand.z",
    "hand.qx",
    "hand.qy",
    "hand.qz",
    "hand.qw",
    "hand.vx",
    "hand.vy",
    "hand.vz",
    "hand.wx",
    "hand.wy",
    "hand.wz",
    "hand.gripper",
    "hand.buttons",
    "hand.held",
    "hand.age",
    "world.hash_high",
    "world.hash_low",
    "budget.visits",
    "budget.pairs",
    "budget.passes",
    "setup.period",
    "setup.stiffness",
    "setup.damping",
    "setup.impulses",
    "setup.impulse_force",
    "setup.impulse_torque",
    "setup.force_slew",
    "setup.torque_slew",
];

/// A recording that cannot be played back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// It is a recording of something else.
    #[error(
        "{file}: no column {column}; it is not a recording of a hand. Make one with \
         `palpable run SCENE --device ...`"
    )]
    Column {
        /// The file.
        file: PathBuf,
        /// The column that is missing.
        column: String,
    },
    /// Nothing in it.
    #[error("{file}: the recording has no ticks; record again")]
    Empty {
        /// The file.
        file: PathBuf,
    },
}

/// A recording that plays back as an input device: the same samples with the same step lengths.
#[derive(Debug, Clone)]
pub struct Replay {
    capabilities: Capabilities,
    ticks: Vec<(Sample, Duration, u64)>,
    budgets: Vec<Option<Counts>>,
    next: usize,
    time: Duration,
    setup: Setup,
    lost: u64,
}

impl Replay {
    /// Reads a recording.
    /// # Errors
    /// A file that is missing, damaged, or not a recording of a hand.
    pub fn load(file: impl AsRef<Path>) -> Result<Self, ReplayError> {
        Self::of_table(&read_mcap_columns(file.as_ref(), &COLUMNS)?, file.as_ref())
    }

    /// Plays a table; `file` is for messages.
    /// # Errors
    /// Columns that are missing, no rows.
    pub fn of_table(table: &Table, file: &Path) -> Result<Self, ReplayError> {
        let column = |name: &str| {
            table.column(name).ok_or_else(|| ReplayError::Column {
                file: file.to_owned(),
                column: name.to_owned(),
            })
        };
        let reader = Reader::new(&column)?;
        let number = column("tick.number")?;
        // a row without a step is the last word of a lost device
        let rows: Vec<usize> = (0..table.len()).filter(|i| reader.step[*i] > 0.0).collect();
        let ticks: Vec<_> = rows.iter().map(|i| reader.tick(*i)).collect();
        let budgets = rows.iter().map(|i| reader.budget(*i)).collect();
        let first = *rows.first().ok_or_else(|| ReplayError::Empty { file: file.to_owned() })?;
        let span = number[rows[rows.len() - 1]] - number[first] + 1.0;
        let at_first = |name: &str| column(name).map(|values| values[first]);
        let setup = Setup {
            period: at_first("setup.period")?,
            stiffness: at_first("setup.stiffness")?,
            damping: at_first("setup.damping")?,
            impulses: impulses(&|name| table.column(name).map_or(f64::NAN, |v| v[first])),
        };
        let rate = if setup.period > 0.0 { 1.0 / setup.period } else { 1000.0 };
        let mut capabilities = Capabilities::input("recording", Axes::SIX, Motion::Pose, rate);
        capabilities.damping = Some(setup.damping).filter(|b| b.is_finite());
        let lost = (span - ticks.len() as f64).max(0.0) as u64;
        Ok(Self { capabilities, ticks, budgets, next: 0, time: Duration::ZERO, setup, lost })
    }

    /// What the recorded run was set up with.
    pub fn setup(&self) -> Setup {
        self.setup
    }

    /// What each step was allowed to cost.
    pub fn budgets(&self) -> &[Option<Counts>] {
        &self.budgets
    }

    /// Ticks in it.
    pub fn ticks(&self) -> usize {
        self.ticks.len()
    }

    /// Ticks that the recorder lost: with any, the state cannot come out the same.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// State hash after tick `index` (from 0), 0 if none was recorded.
    pub fn hash(&self, index: usize) -> Option<u64> {
        self.ticks.get(index).map(|tick| tick.2)
    }
}

/// The columns of samples.
struct Reader<'a> {
    step: &'a [f64],
    sequence: &'a [f64],
    position: [&'a [f64]; 3],
    rotation: [&'a [f64]; 4],
    velocity: [&'a [f64]; 3],
    spin: [&'a [f64]; 3],
    gripper: &'a [f64],
    buttons: &'a [f64],
    held: &'a [f64],
    /// not in recordings of older versions
    age: Option<&'a [f64]>,
    hash: [&'a [f64]; 2],
    /// not in recordings of older versions
    budget: Option<[&'a [f64]; 3]>,
}

type Find<'a, 'f> = &'f dyn Fn(&str) -> Result<&'a [f64], ReplayError>;

fn all<'a, const N: usize>(
    column: Find<'a, '_>,
    names: [&str; N],
) -> Result<[&'a [f64]; N], ReplayError> {
    let mut found: [&[f64]; N] = [&[]; N];
    for (slot, name) in found.iter_mut().zip(names) {
        *slot = column(name)?;
    }
    Ok(found)
}

impl<'a> Reader<'a> {
    fn new(column: Find<'a, '_>) -> Result<Self, ReplayError> {
        Ok(Self {
            step: column("tick.step")?,
            sequence: column("hand.sequence")?,
            position: all(column, ["hand.x", "hand.y", "hand.z"])?,
            rotation: all(column, ["hand.qx", "hand.qy", "hand.qz", "hand.qw"])?,
            velocity: all(column, ["hand.vx", "hand.vy", "hand.vz"])?,
            spin: all(column, ["hand.wx", "hand.wy", "hand.wz"])?,
            gripper: column("hand.gripper")?,
            buttons: column("hand.buttons")?,
            held: column("hand.held")?,
            age: column("hand.age").ok(),
            hash: all(column, ["world.hash_high", "world.hash_low"])?,
            budget: all(column, ["budget.visits", "budget.pairs", "budget.passes"]).ok(),
        })
    }

    fn budget(&self, i: usize) -> Option<Counts> {
        let [visits, pairs, passes] = self.budget?.map(|column| column[i]);
        let known = [visits, pairs, passes].iter().all(|c| !c.is_nan());
        let (visits, pairs, passes) = (visits as u64, pairs as u64, passes as u64);
        known.then_some(Counts { visits, pairs, passes })
    }

    /// Sample, step and hash of a row, with the bits that were recorded.
    fn tick(&self, i: usize) -> (Sample, Duration, u64) {
        let vector = |c: &[&[f64]; 3]| Vec3::new(c[0][i], c[1][i], c[2][i]);
        let known = |v: f64| Some(v).filter(|v| !v.is_nan());
        let known_vector = |v: Vec3| Some(v).filter(|v| !v.iter().all(|a| a.is_nan()));
        let [x, y, z, w] = self.rotation.map(|c| c[i]);
        let sample = Sample {
            sequence: self.sequence[i] as u64,
            time: None,
            age: self.age.map_or(OLD, |age| Duration::try_from_secs_f64(age[i]).unwrap_or(OLD)),
            position: vector(&self.position),
            // not normalised again, to keep its bits
            rotation: Unit::new_unchecked(Quaternion::new(w, x, y, z)),
            velocity: known_vector(vector(&self.velocity)),
            angular_velocity: known_vector(vector(&self.spin)),
            gripper: known(self.gripper[i]),
            buttons: Buttons(self.buttons[i] as u32),
            held: known(self.held[i]).map(|held| held != 0.0),
        };
        let step = Duration::try_from_secs_f64(self.step[i]).unwrap_or_default();
        let hash = (self.hash[0][i] as u64) << 32 | self.hash[1][i] as u64;
        (sample, step, hash)
    }
}

impl Device for Replay {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn read(&mut self) -> Result<Sample, DeviceError> {
        let (sample, step, _) = self.ticks.get(self.next).ok_or(DeviceError::Ended)?;
        self.next += 1;
        self.time += *step;
        Ok(Sample { time: Some(self.time), ..*sample })
    }

    fn write(&mut self, _: &Command) -> Result<(), DeviceError> {
        Ok(())
    }

    fn close(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }
}

/// What impulses were sent by; recordings of earlier versions sent none.
fn impulses(at: &dyn Fn(&str) -> f64) -> Option<ImpulseSetup> {
    let kind = at("setup.impulses");
    let known = Rendering::ALL.iter().enumerate().find(|(i, _)| *i as f64 == kind);
    let (force, torque) = (at("setup.impulse_force"), at("setup.impulse_torque"));
    let slew = [at("setup.force_slew"), at("setup.torque_slew")];
    let impulses = Impulses { rendering: *known?.1, force, torque };
    Some(ImpulseSetup { impulses, slew })
}
