//! A scene file: load, check, build, describe.

use crate::assemble::{assemble, assemble_bodies};
use crate::built::{Built, Look};
use crate::document::{Coordinates, Document};
use crate::error::{SceneError, SceneErrors};
use crate::guide;
use crate::moved;
use crate::place::{At, Mistake, Mistakes, Place};
use crate::read::{Field, Read};
use crate::shelf::{Kind, Shelf};
use crate::tree;
use crate::urdf;
use palpable::{Body, SystemId, World};
use std::path::{Path, PathBuf};

/// A scene file that has been read.
#[derive(Debug, Clone)]
pub struct Scene {
    document: Document,
    file: PathBuf,
    text: String,
    /// True if the text is that of a robot, which the document includes.
    is_robot: bool,
    shelf: Shelf,
}

/// How a URDF file runs by itself: gravity, and time to fall.
const ROBOT_ALONE: &str = "version = 1\ngravity = [0, 0, -9.81]\nrun = { duration = 2 }\n";

impl Scene {
    /// Reads a scene file, TOML or JSON, or a robot, URDF.
    ///
    /// # Errors
    /// Every mistake in it; a syntax error stops at the first.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        Self::parse(Self::load_text(path.as_ref())?, path)
    }

    fn load_text(path: &Path) -> Result<String, SceneErrors> {
        Shelf::default().text(path, Kind::Text).map_err(|error| {
            let message = format!("cannot be read: {error}");
            let cure = "check the path, and that the file is UTF-8 text";
            SceneErrors(vec![SceneError::of_file(path, message, cure)])
        })
    }

    /// The same for a file that is not trusted: it may name files in its own folder and below, and
    /// learns nothing about others.
    ///
    /// # Errors
    /// As for [`Scene::load`].
    pub fn load_within(path: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        let scene = Self::load_text(path.as_ref())?;
        let folder = path.as_ref().parent().filter(|folder| !folder.as_os_str().is_empty());
        Self::parse_within(scene, &path, folder.unwrap_or(Path::new(".")))
    }

    /// Reads the text of a scene, TOML or JSON. `origin` names its file in messages, and files
    /// that the scene names are looked for beside it. The text of a URDF file is the scene that
    /// includes it alone, for two seconds, under gravity.
    ///
    /// Meshes, tables and robots are read, and the engine's checks made, by [`Scene::build`]; if
    /// the text has mistakes, theirs are listed with them.
    ///
    /// # Errors
    /// Every mistake in it; a syntax error stops at the first.
    pub fn parse(text: impl Into<String>, origin: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        Self::read(text.into(), origin.as_ref(), Shelf::default())
    }

    /// The same for a scene that is not trusted: it may name files inside `folder` only, and learns
    /// nothing about others.
    ///
    /// # Errors
    /// As for [`Scene::parse`].
    pub fn parse_within(
        text: impl Into<String>,
        origin: impl AsRef<Path>,
        folder: impl AsRef<Path>,
    ) -> Result<Self, SceneErrors> {
        Self::read(text.into(), origin.as_ref(), Shelf::within(folder.as_ref()))
    }

    fn read(text: String, origin: &Path, shelf: Shelf) -> Result<Self, SceneErrors> {
        let file = origin.to_owned();
        if text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
            return Ok(Self::of_robot(text, file, shelf));
        }
        let node = tree::parse(&text).map_err(|error| {
            let place = Place { span: error.span, ..Default::default() };
            let (message, cure) = (error.message, "correct the syntax here".to_owned());
            let mistake = Mistake { place, message, cure, elsewhere: None };
            SceneErrors::locate(Mistakes(vec![mistake], 0), &file, &text)
        })?;
        let mut mistakes = Mistakes::default();
        let document = Document::read(&node, &Place::default(), &mut mistakes).unwrap_or_default();
        if mistakes.0.is_empty() {
            return Ok(Self { document, file, text, is_robot: false, shelf });
        }
        let mistakes = match assemble(&document, &file, None, &shelf, mistakes) {
            Err(all) => all,
            Ok(_) => Mistakes::default(),
        };
        Err(SceneErrors::locate(mistakes, &file, &text))
    }

    /// The scene that includes a robot and nothing else.
    fn of_robot(text: String, file: PathBuf, shelf: Shelf) -> Self {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = toml::Value::String(name);
        let scene = format!("{ROBOT_ALONE}include = [{{ file = {name} }}]\n");
        // any name makes a scene without mistakes
        let read = tree::parse(&scene)
            .ok()
            .and_then(|node| Document::read(&node, &Place::default(), &mut Mistakes::default()));
        Self { document: read.unwrap_or_default(), file, text, is_robot: true, shelf }
    }

    /// Reads meshes, tables and robots and puts the scene together.
    ///
    /// # Errors
    /// Every mistake found, in the scene and in the files it names.
    pub fn build(&self) -> Result<Built, SceneErrors> {
        let inline = self.is_robot.then_some(self.text.as_str());
        assemble(&self.document, &self.file, inline, &self.shelf, Mistakes::default())
            .map_err(|mistakes| SceneErrors::locate(mistakes, &self.file, &self.text))
    }

    /// The bodies that it lists, as the engine takes them, and what they look like: for worlds that
    /// run, and get another body (`World::edit`). Joints, springs and robots are left out.
    ///
    /// # Errors
    /// Every mistake found in them and in the files they name.
    pub fn bodies(&self) -> Result<(Vec<Body>, Vec<Look>), SceneErrors> {
        assemble_bodies(&self.document, &self.file, &self.shelf)
            .map_err(|mistakes| SceneErrors::locate(mistakes, &self.file, &self.text))
    }

    /// Sets the coordinates of all robots that the scene includes; returns how many there are.
    pub fn set_coordinates(&mut self, coordinates: urdf::Coordinates) -> usize {
        let Some(list) = &mut self.document.include.0 else { return 0 };
        let value = match coordinates {
            urdf::Coordinates::Maximal => Coordinates::Maximal,
            urdf::Coordinates::Generalized => Coordinates::Generalized,
        };
        for include in &mut list.value {
            let place = include.place.child("coordinates", include.place.span.clone());
            include.value.coordinates = Field(Some(At { value, place }));
        }
        list.value.len()
    }

    /// The same scene with another text, as trusted as this one.
    ///
    /// # Errors
    /// As for [`Scene::parse`].
    pub fn with_text(&self, text: impl Into<String>) -> Result<Self, SceneErrors> {
        Self::read(text.into(), &self.file, self.shelf.clone())
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

    /// The scene as TOML with everything as it is in `world` now: bodies, links of chains, gravity,
    /// masses, surfaces, the contact law, springs that have a name. Robots and beams begin as the
    /// scene says. `systems` are [`Built::systems`].
    pub fn at(&self, world: &World, systems: &[(String, SystemId)]) -> String {
        let mut document = self.document.clone();
        moved::move_to(&mut document, world, systems);
        toml::to_string(&document).unwrap_or_default()
    }

    /// The scene as JSON, every number in SI units.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(&self.document).unwrap_or_default()
    }

    /// The scene format for people, in Markdown, made from the schema.
    pub fn guide() -> String {
        guide::page(&Self::schema())
    }

    /// The JSON schema of scene files, made from the structures that read them.
    pub fn schema() -> serde_json::Value {
        let mut schema = schemars::schema_for!(Document);
        schema.insert("title".to_owned(), "palpable scene, version 1".into());
        schema.to_value()
    }
}
