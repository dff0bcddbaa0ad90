//! What can go wrong with an experiment, and the cure.

use crate::one_dof::BenchError;
use palpable::BuildErrors;
use palpable_record::RecordError;
use std::path::PathBuf;

/// Why an experiment was not found or did not finish.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PaperError {
    /// No experiment has this id and no paper this key.
    #[error("no experiment or paper is called '{pattern}'; {}", cure(.near, .papers))]
    Unknown {
        /// What was asked for.
        pattern: String,
        /// Ids and papers that look like it, best first.
        near: Vec<&'static str>,
        /// The papers there are.
        papers: Vec<&'static str>,
    },
    /// A figure or table could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A table could not be written.
    #[error("{}: cannot write the table: {source}; check that its folder is writable",
        path.display())]
    Io {
        /// File concerned.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The model of an experiment was refused.
    #[error(transparent)]
    Model(#[from] BuildErrors),
    /// The scene of an experiment was refused.
    #[error(transparent)]
    Scene(#[from] palpable_scene::SceneErrors),
    /// The options of an experiment do not suit its model.
    #[error(transparent)]
    Options(#[from] palpable::OptionsError),
    /// The printed law of contact could not be solved.
    #[error(transparent)]
    Contact(#[from] palpable::solve::cone::pyramid::PyramidError),
    /// The one-degree-of-freedom bench of an experiment was refused.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// A coupling of an experiment was refused.
    #[error(transparent)]
    Coupling(#[from] palpable::coupling::CouplingError),
    /// A simulated device was refused.
    #[error(transparent)]
    Simulated(#[from] palpable_haptics::simulated::SimulatedError),
    /// The limits of a safety stage were refused.
    #[error(transparent)]
    Limits(#[from] palpable_haptics::LimitsError),
    /// A safety stage did not start.
    #[error(transparent)]
    Start(#[from] palpable_haptics::StartError),
    /// A simulated device did not do what it was asked.
    #[error(transparent)]
    Device(#[from] palpable_haptics::DeviceError),
    /// A change of a world was refused.
    #[error(transparent)]
    Change(#[from] palpable::ChangeError),
    /// A scene of the gallery that an experiment runs has changed.
    #[error("the scene of this experiment has no {what} any more; take the one of this version")]
    Missing {
        /// What it should have.
        what: &'static str,
    },
    /// A question of passivity was refused.
    #[error(transparent)]
    Passivity(#[from] palpable_passivity::Error),
}

fn cure(near: &[&str], papers: &[&str]) -> String {
    if near.is_empty() {
        format!("give one of the papers {}, or nothing for everything", papers.join(", "))
    } else {
        format!("did you mean {}?", near.join(" or "))
    }
}
