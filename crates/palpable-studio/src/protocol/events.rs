//! What the page is told: JSON texts.

use crate::stage::Parameters;
use palpable::{ContactLaw, Scheme};
use palpable_scene::SceneErrors;
use serde::Serialize;
use serde_json::{Value, json};

/// A message to the page.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The first message: who the page is, and what there is to see.
    Hello {
        /// Version of the program.
        version: &'static str,
        /// Number of this connection.
        you: u64,
        /// The gallery: id, name and description of each scene.
        gallery: Box<Value>,
        /// Names of the schemes.
        schemes: Box<[&'static str]>,
        /// The same for people.
        scheme_words: Box<[&'static str]>,
        /// Names of the contact laws.
        laws: &'static [&'static str; 3],
        /// Device profiles: name, numbers, how they are known.
        devices: Box<Value>,
    },
    /// A scene is on; see [`super::describe`].
    Scene(Value),
    /// The same scene with others in it: a body came or left, or an earlier moment is looked at.
    Recast(Value),
    /// Parameters have these values now.
    Changed(Value),
    /// Who holds the hand.
    Hand {
        /// Number of the connection, if anybody holds it.
        holder: Option<u64>,
        /// Pages connected.
        pages: usize,
    },
    /// Something the user may want to know.
    Note {
        /// In words.
        text: String,
    },
    /// Something the user asked for was refused.
    Error {
        /// In words.
        text: String,
    },
    /// A scene could not be loaded.
    LoadFailed {
        /// Name of the file.
        file: String,
        /// Its text, so that lines can be shown.
        source: String,
        /// All mistakes.
        errors: Vec<LoadError>,
    },
    /// Time jumped: plots begin again.
    Jumped {},
    /// The world as a scene file.
    Saved {
        /// Name of the file.
        file: String,
        /// Its text.
        text: String,
    },
    /// The user's own scenes, as the gallery has its own.
    Own {
        /// Id, name and description of each.
        scenes: Vec<Value>,
    },
    /// The passivity gauge.
    Gauge(Value),
}

/// One mistake in a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoadError {
    /// Line from 1; 0 for the whole file.
    pub line: usize,
    /// Column from 1; 0 for the whole line.
    pub column: usize,
    /// Path of the field.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub cure: String,
}

impl LoadError {
    /// Takes the studio's own folder out of the words: nobody chose it. A file that is missing
    /// there was not dropped.
    pub fn hide(&mut self, folder: &std::path::Path) {
        let own = folder.join("dropped").display().to_string();
        if self.message.contains(&own) {
            self.message = self.message.replace(&format!("{own}/"), "").replace(&own, "");
            self.cure = "drop the folder with it: the files that it names must come along".into();
        }
    }

    /// All mistakes of a scene.
    pub fn all(errors: &SceneErrors) -> Vec<Self> {
        let one = |e: &palpable_scene::SceneError| Self {
            line: e.line,
            column: e.column,
            field: e.field.clone(),
            message: e.message.clone(),
            cure: e.cure.clone(),
        };
        errors.0.iter().map(one).collect()
    }
}

impl Event {
    /// The text to send.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// New values of parameters.
    pub fn changed(parameters: &Parameters) -> Self {
        Event::Changed(PartJson::of(parameters))
    }
}

/// Present values as the page reads them.
#[derive(Debug)]
pub struct PartJson;

impl PartJson {
    /// `{bodies: [{mass, damping}], elements: [{stiffness, damping}], surfaces: [[friction,
    /// restitution]], gravity, ...}`; hard rows are `null`, as JSON has no infinity.
    pub fn of(p: &Parameters) -> Value {
        let bodies = p.params.bodies.iter();
        let elements = p.params.elements.iter();
        json!({
            "bodies": bodies.map(|b| json!({
                "mass": b.mass,
                "damping": [b.linear_damping, b.angular_damping],
            })).collect::<Vec<_>>(),
            "elements": elements.map(|e| json!({
                "stiffness": e.stiffness.as_slice(),
                "damping": e.damping.as_slice(),
            })).collect::<Vec<_>>(),
            "surfaces": p.params.surfaces.bodies.iter()
                .map(|m| [m.friction, m.restitution]).collect::<Vec<_>>(),
            "gravity": p.params.gravity.as_slice(),
            "step": p.step,
            "schemes": p.schemes.iter().map(|s: &Scheme| s.name()).collect::<Vec<_>>(),
            "laws": p.laws.iter().map(|l: &ContactLaw| l.name()).collect::<Vec<_>>(),
            "sides": p.laws.first().and_then(|l| l.sides()),
            "coupling": [p.coupling.stiffness, p.coupling.damping, p.coupling.turning],
            "line": [p.line.damping, p.line.delay, p.line.loss],
        })
    }
}
