//! An answer: text for people, an object for programs, figures for both.

use crate::failure::Failure;
use crate::{Done, files, output};
use palpable_record::figure::Figure;
use serde_json::Value;
use std::path::Path;

/// What a question gives back.
pub struct Page {
    /// Text for people.
    pub text: String,
    /// The same as a JSON object.
    pub json: Value,
    /// Figures and their names.
    pub figures: Vec<(&'static str, Figure)>,
    /// False if a bound is broken.
    pub holds: bool,
}

impl Page {
    /// Writes the figures into `folder`, if there is one, and prints the answer.
    ///
    /// # Errors
    /// Files that cannot be written.
    pub fn show(mut self, folder: Option<&Path>, json: bool) -> Result<Done, Failure> {
        let mut written = Vec::new();
        if let Some(folder) = folder {
            for (name, figure) in &self.figures {
                written.extend(figure.write_both(folder.join(name))?);
            }
        }
        if json {
            let names = written.iter().map(|file| Value::from(file.display().to_string()));
            self.json["files"] = names.collect();
            output::print_json(&self.json)?;
        } else {
            if !written.is_empty() {
                self.text.push('\n');
                self.text.push_str(&files::text(&written));
            }
            output::print(&self.text)?;
        }
        Ok(if self.holds { Done::Well } else { Done::Failed })
    }
}

/// `  name        value`: a line of an answer.
pub fn line(name: &str, value: &str) -> String {
    format!("  {}{value}\n", crate::text::fit(name, 28))
}

/// A number for JSON; null if it is not finite.
pub fn number(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number)
}
