//! Bodies that come and go while the worlds run, in every lane at once.
//!
//! An edit lets go of what is held. The past stays: a moment knows which bodies there were
//! ([`Cast`]), so that looking back over an edit shows the world before it, and a take that holds
//! an edit makes it again when it is replayed. A scene that was edited no longer begins again by
//! itself at its end; whoever begins it again has it as it was written.

use super::{Notice, Show, Stage};
use palpable::{Body, BodyId, Model, World};
use palpable_scene::{End, Look, Scene, SceneErrors};
use serde_json::Value;
use std::sync::Arc;

/// A body to be added.
#[derive(Debug, Clone)]
pub struct Newcomer {
    /// As the engine takes it.
    pub body: Body,
    /// Its name.
    pub name: String,
    /// Its entry in a scene file.
    pub entry: Value,
    /// What it looks like, if its shape does not tell.
    pub looks: Vec<Look>,
}

impl Newcomer {
    /// Reads the only body of a scene; `entry` is what the scene says of it.
    ///
    /// # Errors
    /// Every mistake in it.
    pub fn of_scene(scene: &Scene, entry: Value) -> Result<Self, SceneErrors> {
        let (bodies, looks) = scene.bodies()?;
        let name = entry["name"].as_str().unwrap_or_default().to_owned();
        let body = bodies.into_iter().next().unwrap_or_else(|| Body::new(name.clone()));
        Ok(Self { body, name, entry, looks })
    }
}

/// What to change about who is there.
#[derive(Debug, Clone)]
pub enum Edit {
    /// Somebody comes.
    Add(Box<Newcomer>),
    /// The body with this index leaves, with every joint, spring and port on it.
    Remove(usize),
}

/// What an edit did to the scene as it was written.
#[derive(Debug, Clone, PartialEq)]
pub enum Made {
    /// This body came.
    Added(Value),
    /// The body of this name left.
    Removed(String),
}

/// Who is there: what edits change, and all that a moment needs to come back.
#[derive(Debug, Clone)]
pub struct Cast {
    pub(super) model: Model,
    pub(super) bodies: Vec<BodyId>,
    pub(super) looks: Vec<Look>,
    pub(super) made: Vec<Made>,
}

impl Cast {
    /// The cast of a scene.
    pub(super) fn of(show: &Show) -> Arc<Self> {
        let (bodies, looks) = (show.bodies.clone(), show.looks.clone());
        Arc::new(Self { model: show.model.clone(), bodies, looks, made: show.made.clone() })
    }
}

/// Bodies that may be added to a scene, so that a page can always be told about all of them.
const MOST_MADE: usize = 500;

impl Stage {
    /// Adds or removes a body; the reason if it is refused, and nothing changed then.
    pub(super) fn edit(&mut self, edit: &Edit) -> Result<(), String> {
        let made = match edit {
            Edit::Add(_) if self.show.made.len() >= MOST_MADE => {
                return Err(format!("{MOST_MADE} changes are enough; begin again first"));
            }
            Edit::Add(newcomer) => Made::Added(newcomer.entry.clone()),
            Edit::Remove(index) => {
                let info = self.show.model.bodies().get(*index).filter(|b| !b.gone);
                let info = info.ok_or_else(|| "there is no such body".to_owned())?;
                if info.owner.is_some() {
                    return Err("a link or a piece of a beam cannot leave alone".into());
                }
                Made::Removed(info.name.clone())
            }
        };
        self.release();
        let leaving = match edit {
            Edit::Remove(index) => self.show.bodies.get(*index).copied(),
            Edit::Add(_) => None,
        };
        for lane in 0..self.lanes.len() {
            let result = change(&mut self.lanes[lane].world, edit, leaving);
            if let (Err(reason), 0) = (&result, lane) {
                return Err(reason.clone());
            }
            if result.is_err() {
                // the second world cannot follow: the comparison ends
                self.lanes.truncate(lane);
                break;
            }
        }
        let mut made_so_far = self.show.made.clone();
        made_so_far.push(made);
        let mut looks = self.show.looks.clone();
        if let Edit::Add(newcomer) = edit {
            looks.retain(|look| look.body != newcomer.name);
            looks.extend(newcomer.looks.iter().cloned());
        }
        let world = &self.lanes[0].world;
        let bodies = ids(world, &self.show.bodies);
        let model = world.model().clone();
        self.take_cast(Arc::new(Cast { model, bodies, looks, made: made_so_far }));
        self.show.staging.end = End::GoOn;
        Ok(())
    }

    /// Shows another cast; the pages will be told.
    pub(super) fn take_cast(&mut self, cast: Arc<Cast>) {
        let show = &mut self.show;
        show.model.clone_from(&cast.model);
        show.bodies.clone_from(&cast.bodies);
        show.looks.clone_from(&cast.looks);
        show.made.clone_from(&cast.made);
        self.cast = cast;
        self.inputs = self.lanes[0].world.inputs();
        self.generation = self.generation.wrapping_add(1);
        self.recast = true;
    }

    /// What the pages are to be told about who is there now, if that changed since it was asked.
    pub fn recast(&mut self) -> Option<Notice> {
        let now = std::mem::take(&mut self.recast);
        now.then(|| Notice::Recast {
            generation: self.generation,
            parameters: Box::new(self.parameters()),
            show: self.show.clone(),
        })
    }
}

/// Makes an edit in one world.
fn change(world: &mut World, edit: &Edit, leaving: Option<BodyId>) -> Result<(), String> {
    let room = world.model().contact().map(|c| c.capacity);
    let count = world.model().bodies().len() + 1;
    let done = world.edit(|model| {
        match (edit, leaving) {
            (Edit::Add(newcomer), _) => {
                model.body(newcomer.body.clone());
            }
            (Edit::Remove(_), Some(body)) => model.remove_body(body),
            (Edit::Remove(_), None) => {}
        }
        if let Some(room) = room {
            // a newcomer touches, too
            model.contacts(room.max(8 * count));
        }
    });
    done.map_err(|errors| errors.to_string())
}

/// Ids by place; a place that nobody has keeps the id of who had it, which names nobody.
fn ids(world: &World, before: &[BodyId]) -> Vec<BodyId> {
    let count = world.model().bodies().len();
    (0..count).filter_map(|i| world.body(i).or_else(|| before.get(i).copied())).collect()
}

/// The text of a scene with what was made of it.
///
/// # Errors
/// What was made does not fit into the scene's file, and why.
pub fn rewritten(scene: &Scene, made: &[Made]) -> Result<Scene, String> {
    if made.is_empty() {
        return Ok(scene.clone());
    }
    let mut document = scene.to_json();
    for change in made {
        match change {
            Made::Added(entry) => {
                list(&mut document, "body").into_iter().for_each(|l| l.push(entry.clone()));
            }
            Made::Removed(name) => remove(&mut document, name)?,
        }
    }
    scene.with_text(document.to_string()).map_err(|errors| errors.to_string())
}

/// A list of the document; an empty one is made if there is none.
fn list<'d>(document: &'d mut Value, kind: &str) -> Option<&'d mut Vec<Value>> {
    let map = document.as_object_mut()?;
    map.entry(kind).or_insert_with(|| Value::Array(Vec::new())).as_array_mut()
}

/// Takes a body and everything on it out of a document.
fn remove(document: &mut Value, name: &str) -> Result<(), String> {
    let mut gone = Vec::new();
    take_out(document, "body", |body| body["name"] == name, &mut gone);
    if gone.is_empty() {
        return Err(format!("`{name}` belongs to a file that the scene includes"));
    }
    gone.clear();
    let on_it = |part: &Value| names(part, &["body"], name);
    for kind in ["spring", "damper", "joint", "port"] {
        take_out(document, kind, on_it, &mut gone);
    }
    for kind in ["motor", "gear"] {
        let driven = |part: &Value| {
            on_it(part) || gone.iter().any(|g| names(part, &["joint", "a", "b", "port"], g))
        };
        take_out(document, kind, driven, &mut Vec::new());
    }
    gone.push(name.to_owned());
    forget(document, &gone);
    Ok(())
}

/// Leaves parts that are gone out of what a recording holds.
fn forget(document: &mut Value, gone: &[String]) {
    let Some(record) = document.get_mut("record").and_then(Value::as_object_mut) else { return };
    for list in record.values_mut() {
        let Some(names) = list.as_array_mut() else { continue };
        names.retain(|name| !gone.iter().any(|g| name == g));
        if names.is_empty() {
            *list = Value::Bool(false);
        }
    }
}

/// Takes parts of a kind out, and tells their names.
fn take_out(
    document: &mut Value,
    kind: &str,
    leaves: impl Fn(&Value) -> bool,
    gone: &mut Vec<String>,
) {
    let Some(parts) = document.get_mut(kind).and_then(Value::as_array_mut) else { return };
    let leaving = parts.iter().filter(|part| leaves(part));
    gone.extend(leaving.filter_map(|part| part["name"].as_str().map(str::to_owned)));
    parts.retain(|part| !leaves(part));
    if parts.is_empty() {
        document.as_object_mut().map(|map| map.remove(kind));
    }
}

/// True if a part has this name under one of these keys, however deep.
fn names(part: &Value, keys: &[&str], name: &str) -> bool {
    match part {
        Value::Object(map) => map.iter().any(|(key, value)| {
            (keys.contains(&key.as_str()) && value == name) || names(value, keys, name)
        }),
        Value::Array(list) => list.iter().any(|value| names(value, keys, name)),
        _ => false,
    }
}
