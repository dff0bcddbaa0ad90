//! Why a command could not do what it was asked: text for standard error, exit code 2.

use palpable_papers::PaperError;
use palpable_record::RecordError;
use palpable_scene::{SceneError, SceneErrors};
use palpable_studio::StudioError;

/// A mistake in the command line, a scene or a file name, with its cure.
#[derive(Debug)]
pub struct Failure {
    text: String,
    /// The mistakes of a scene, one by one.
    mistakes: Option<SceneErrors>,
}

impl Failure {
    /// What is wrong and what to do about it, in words.
    pub fn new(message: impl Into<String>) -> Self {
        Self { text: format!("error: {}", message.into()), mistakes: None }
    }

    /// Prints the message on standard error, and as JSON on standard output if that is wanted;
    /// nobody is left to hear if that fails.
    pub fn print(&self, json: bool) {
        crate::output::remark(&self.text);
        if json {
            let _ = crate::output::print_json(&self.object());
        }
    }

    fn object(&self) -> serde_json::Value {
        let one = |e: &SceneError| {
            serde_json::json!({
                "file": e.file.display().to_string(), "line": e.line, "column": e.column,
                "field": e.field, "message": e.message, "cure": e.cure,
            })
        };
        let text = self.text.strip_prefix("error: ").unwrap_or(&self.text);
        let mistakes = self.mistakes.as_ref().map_or(&[][..], |all| &all.0);
        let mistakes: Vec<_> = mistakes.iter().map(one).collect();
        serde_json::json!({ "ok": false, "error": text, "mistakes": mistakes })
    }
}

impl From<SceneErrors> for Failure {
    fn from(errors: SceneErrors) -> Self {
        let count = errors.0.len();
        // one mistake speaks for itself
        // and where not all are listed, the last line says how many more there are
        let listed = (2..=100).contains(&count);
        let sum = if listed { format!("\n{count} mistakes") } else { String::new() };
        Self { text: format!("{errors}{sum}"), mistakes: Some(errors) }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<StudioError> for Failure {
    fn from(error: StudioError) -> Self {
        match error {
            StudioError::Scene(errors) => errors.into(),
            error => Self::new(error.to_string()),
        }
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
