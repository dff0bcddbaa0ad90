//! A scene file: load, check, build, describe.

use crate::assemble::assemble;
use crate::built::Built;
use crate::document::Document;
use crate::error::{SceneError, SceneErrors};
use crate::place::{Mistake, Mistakes, Place};
use crate::read::Read;
use crate::tree;
use std::path::{Path, PathBuf};

/// A scene file that has been read.
#[derive(Debug, Clone)]
pub struct Scene {
    document: Document,
    file: PathBuf,
    text: String,
}

impl Scene {
    /// Reads a scene file, TOML or JSON.
    ///
    /// # Errors
    /// Every mistake in it; a syntax error stops at the first.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|error| {
            let message = format!("cannot be read: {error}");
            let cure = "check the path, and that the file is UTF-8 text";
            SceneErrors(vec![SceneError::of_file(path, message, cure)])
        })?;
        Self::parse(text, path)
    }

    /// Reads the text of a scene, TOML or JSON. `origin` names its file in messages, and files
    /// that the scene names are looked for beside it.
    ///
    /// Meshes and tables are read, and the engine's checks made, by [`Scene::build`]; if the text
    /// has mistakes, theirs are listed with them.
    ///
    /// # Errors
    /// Every mistake in it; a syntax error stops at the first.
    pub fn parse(text: impl Into<String>, origin: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        let (text, file) = (text.into(), origin.as_ref().to_owned());
        let node = tree::parse(&text).map_err(|error| {
            let place = Place { span: error.span, ..Default::default() };
            let (message, cure) = (error.message, "correct the syntax here".to_owned());
            let mistake = Mistake { place, message, cure, elsewhere: None };
            SceneErrors::locate(vec![mistake], &file, &text)
        })?;
        let mut mistakes = Mistakes::default();
        let document = Document::read(&node, &Place::default(), &mut mistakes).unwrap_or_default();
        if mistakes.0.is_empty() {
            return Ok(Self { document, file, text });
        }
        let mistakes = match assemble(&document, &file, mistakes) {
            Err(all) => all,
            Ok(_) => Mistakes::default(),
        };
        Err(SceneErrors::locate(mistakes.0, &file, &text))
    }

    /// Reads meshes and tables and puts the scene together.
    ///
    /// # Errors
    /// Every mistake found, in the scene and in the files it names.
    pub fn build(&self) -> Result<Built, SceneErrors> {
        assemble(&self.document, &self.file, Mistakes::default())
            .map_err(|mistakes| SceneErrors::locate(mistakes.0, &self.file, &self.text))
    }

    /// The file it came from.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The scene as TOML without comments, every number in SI units.
    pub fn to_toml(&self) -> String {
        toml::to_string(&self.document).unwrap_or_default()
    }

    /// The scene as JSON, every number in SI units.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(&self.document).unwrap_or_default()
    }

    /// The JSON schema of scene files, made from the structures that read them.
    pub fn schema() -> serde_json::Value {
        let mut schema = schemars::schema_for!(Document);
        schema.insert("title".to_owned(), "palpable scene, version 1".into());
        schema.to_value()
    }
}
