//! Why a command could not do what it was asked: text for standard error, exit code 2.

use palpable_papers::PaperError;
use palpable_record::RecordError;
use palpable_scene::SceneErrors;

/// A mistake in the command line, a scene or a file name, with its cure.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// What is wrong and what to do about it, in words.
    pub fn new(message: impl Into<String>) -> Self {
        Self(format!("error: {}", message.into()))
    }

    /// Prints the message on standard error; nobody is left to hear if that fails.
    pub fn print(&self) {
        crate::output::remark(&self.0);
    }
}

impl From<SceneErrors> for Failure {
    fn from(errors: SceneErrors) -> Self {
        let count = errors.0.len();
        // one mistake speaks for itself
        // and where not all are listed, the last line says how many more there are
        let listed = (2..=100).contains(&count);
        let sum = if listed { format!("\n{count} mistakes") } else { String::new() };
        Self(format!("{errors}{sum}"))
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<PaperError> for Failure {
    fn from(error: PaperError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<palpable_passivity::Error> for Failure {
    fn from(error: palpable_passivity::Error) -> Self {
        Self::new(error.to_string())
    }
}
