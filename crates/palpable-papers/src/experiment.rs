//! The list of experiments, and how one is run.

use crate::near::near;
use crate::page::Page;
use crate::{Check, PaperError, brown1998, constantinescu2005, hasegawa2004, kim2017, lee2008};
use std::path::{Path, PathBuf};

/// Told how much of an experiment is done, from 0 to 1.
pub(crate) type Progress<'a> = &'a mut dyn FnMut(f64);

/// One figure of one paper, or one experiment of ours beside it.
#[derive(Debug, Clone, Copy)]
pub struct Experiment {
    /// Paper and figure, `kim2017/fig1`.
    pub id: &'static str,
    /// Key of the paper in citations, `Kim2017`.
    pub paper: &'static str,
    /// Title of the figure.
    pub title: &'static str,
    /// What it shows, in one sentence.
    pub shows: &'static str,
    pub(crate) make: fn(&Experiment, Progress) -> Result<Page, PaperError>,
}

/// What a run found and wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Id of the experiment.
    pub id: &'static str,
    /// Its checks, in order.
    pub checks: Vec<Check>,
    /// Files written: PNG, SVG, CSV.
    pub files: Vec<PathBuf>,
}

impl Outcome {
    /// True if every check passed.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.pass)
    }
}

const ALL: &[Experiment] = &[
    kim2017::FIG1,
    kim2017::FIG2,
    kim2017::FIG3,
    kim2017::FIG6,
    kim2017::FIG7,
    kim2017::FIG8,
    kim2017::FIG9,
    kim2017::FIG10,
    kim2017::FIG11,
    kim2017::FIG12,
    kim2017::FIG13,
    kim2017::FIG14,
    kim2017::FIG16,
    kim2017::FIG17,
    kim2017::FIG18,
    kim2017::FIG19,
    kim2017::PROXY,
    kim2017::SO3_OFF_AXIS,
    kim2017::JOINTS,
    lee2008::FIG2,
    lee2008::FIG4,
    lee2008::FIG6,
    brown1998::FIG5_2,
    brown1998::FIG5_3,
    brown1998::FIG7_2,
    brown1998::FIG7_4,
    brown1998::FIG7_5,
    brown1998::FIG7_6,
    brown1998::FIG7_8,
    hasegawa2004::FIG10,
    hasegawa2004::FIG12,
    hasegawa2004::FIG14,
    hasegawa2004::FIG15,
    hasegawa2004::FIG16,
    hasegawa2004::FIG17,
    hasegawa2004::FIG18,
    hasegawa2004::FIG19,
    hasegawa2004::FIG20,
    constantinescu2005::FIG3,
    constantinescu2005::FIG7,
    constantinescu2005::FIG8,
    constantinescu2005::FIG9,
    constantinescu2005::FIG10,
    constantinescu2005::FIG11,
    constantinescu2005::FIG12,
    constantinescu2005::FIG13,
    constantinescu2005::TABLE,
];

/// Every experiment, paper by paper.
pub fn all() -> &'static [Experiment] {
    ALL
}

/// The experiments that a pattern names: an id, a paper's key (case does not matter), or nothing
/// at all for everything.
///
/// # Errors
/// [`PaperError::Unknown`] with the names that come close.
pub fn find(pattern: &str) -> Result<Vec<&'static Experiment>, PaperError> {
    let wanted = pattern.trim().trim_end_matches('/').to_lowercase();
    let named = |experiment: &&Experiment| {
        wanted.is_empty() || experiment.id == wanted || experiment.folder() == wanted
    };
    let found: Vec<&Experiment> = ALL.iter().filter(named).collect();
    if found.is_empty() { Err(unknown(pattern)) } else { Ok(found) }
}

fn unknown(pattern: &str) -> PaperError {
    let mut papers: Vec<&'static str> = ALL.iter().map(Experiment::folder).collect();
    papers.dedup();
    let names: Vec<&'static str> =
        ALL.iter().map(|experiment| experiment.id).chain(papers.iter().copied()).collect();
    PaperError::Unknown { pattern: pattern.to_string(), near: near(pattern.trim(), &names), papers }
}

impl Experiment {
    /// The paper's key in lower case: the first part of the id.
    pub fn folder(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(paper, _)| paper)
    }
}

/// Runs an experiment, writes `<out>/<paper>/<figure>.png`, `.svg` and `.csv`, and checks what it
/// drew. `progress` is told the share that is done, from 0 to 1.
///
/// # Errors
/// Files that cannot be written. A failed check is not an error: see [`Outcome::passed`].
pub fn run(
    experiment: &Experiment,
    out_dir: &Path,
    progress: &mut dyn FnMut(f64),
) -> Result<Outcome, PaperError> {
    progress(0.0);
    let page = (experiment.make)(experiment, progress)?;
    let files = page.write(&out_dir.join(experiment.id))?;
    progress(1.0);
    Ok(Outcome { id: experiment.id, checks: page.checks, files })
}
