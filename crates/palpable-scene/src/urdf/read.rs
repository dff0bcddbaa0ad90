//! From the text of a URDF file to a checked robot.

use super::files::Files;
use super::joint::read_joint;
use super::link::read_link;
use super::material::read_materials;
use super::reader::Reader;
use super::robot::Robot;
use super::tag::{Known, Tag, XACRO};
use super::{tree, weld};
use crate::error::{SceneError, SceneErrors};
use crate::place::{Mistake, Mistakes, Place};
use crate::shelf::{Kind, Shelf};
use crate::suggest;
use roxmltree::{Document, Error};
use std::path::{Path, PathBuf};

/// Links of a robot, at most: some of the work grows with their square.
const MOST_LINKS: usize = 20_000;

/// The text of a URDF file and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Source<'s> {
    pub text: &'s str,
    pub file: &'s Path,
    /// Folders that hold packages, besides those above the file.
    pub packages: &'s [PathBuf],
    pub shelf: &'s Shelf,
}

impl Robot {
    /// Reads a URDF file.
    ///
    /// # Errors
    /// Every mistake in it and in the meshes it names; a syntax error stops at the first.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        let path = path.as_ref();
        let text = Shelf::default().text(path, Kind::Text).map_err(|error| {
            let cure = "check the path, and that the file is UTF-8 text";
            let message = format!("cannot be read: {error}");
            SceneErrors(vec![SceneError::of_file(path, message, cure)])
        })?;
        Self::parse(text, path)
    }

    /// Reads the text of a URDF file. `origin` names its file in messages, and meshes are looked
    /// for beside it.
    ///
    /// # Errors
    /// As for [`Robot::load`].
    pub fn parse(text: impl AsRef<str>, origin: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        Self::parse_with_packages(text, origin, &[])
    }

    /// The same with folders in which `package://` is looked for first.
    ///
    /// # Errors
    /// As for [`Robot::load`].
    pub fn parse_with_packages(
        text: impl AsRef<str>,
        origin: impl AsRef<Path>,
        packages: &[PathBuf],
    ) -> Result<Self, SceneErrors> {
        let (text, file) = (text.as_ref(), origin.as_ref());
        read(&Source { text, file, packages, shelf: &Shelf::default() })
            .map_err(|mistakes| SceneErrors::locate(mistakes, file, text))
    }
}

/// Reads a robot; mistakes have spans of the text.
pub(crate) fn read(source: &Source) -> Result<Robot, Mistakes> {
    let text = source.text;
    let document =
        Document::parse(text).map_err(|error| Mistakes(vec![syntax_error(&error, text)], 0))?;
    let folder = source.file.parent().unwrap_or(Path::new(""));
    let mut reader = Reader::new(text, Files::new(folder, source.packages, source.shelf));
    let robot = read_robot(&Tag::root(document.root_element()), source.file, &mut reader);
    let mistakes = reader.mistakes;
    robot.filter(|_| mistakes.0.is_empty()).ok_or(mistakes)
}

fn read_robot(tag: &Tag, file: &Path, reader: &mut Reader) -> Option<Robot> {
    if tag.name() != "robot" {
        let message = format!("<{}> is not a robot", tag.name());
        reader.wrong(&tag.place(), message, "a URDF file is one <robot name=\"..\">");
        return None;
    }
    let many = ["link", "joint", "material"];
    tag.close(&Known { once: &[], many: &many, attributes: &["name", "version"] }, reader);
    let name = tag.required("name", reader);
    let materials = read_materials(tag, reader);
    let links = tag.children("link");
    if links.len() > MOST_LINKS {
        let message = format!("the robot has {} links", links.len());
        reader.wrong(&tag.place(), message, format!("give at most {MOST_LINKS}"));
        return None;
    }
    let read = links.iter().filter_map(|tag| read_link(tag, &materials, reader));
    let (mut links, link_names): (Vec<_>, Vec<_>) = read.unzip();
    let joints = tag.children("joint");
    let joints: Vec<_> = joints.iter().filter_map(|tag| read_joint(tag, reader)).collect();
    if links.is_empty() {
        reader.wrong(&tag.place(), "the robot has no links", "add <link name=\"base\"/>");
        return None;
    }
    let tree = tree::join(&mut links, &link_names, &joints, reader);
    let parts = weld::parts(&links, &tree.joints);
    weld::check_parts(&parts, &links, &link_names, &tree, reader);
    if !reader.mistakes.0.is_empty() {
        return None;
    }
    let (root, joints) = (tree.root?, tree.joints.into_iter().collect::<Option<Vec<_>>>()?);
    let mut remarks = std::mem::take(&mut reader.remarks);
    remarks.sort_by_key(|remark| remark.line);
    let file = file.to_owned();
    Some(Robot { name: name?.value, links, joints, root, parts, remarks, file })
}

/// The first thing that is not XML, with its place.
fn syntax_error(error: &Error, text: &str) -> Mistake {
    let end = text.trim_end().len();
    let span = match error {
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => end.saturating_sub(1)..end,
        _ => byte_at(text, error.pos().row, error.pos().col),
    };
    let words = error.to_string();
    // the place is said already
    let words = words.rsplit_once(" at ").map_or(words.as_str(), |(before, _)| before);
    let (message, cure) = match error {
        Error::UnknownNamespace(prefix, _) if suggest::nearest(prefix, ["xacro"]).is_some() => {
            (words.to_owned(), XACRO)
        }
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => {
            ("the file ends inside a tag".to_owned(), "close every tag, </robot> the last")
        }
        Error::NoRootNode => ("there is no tag at all".to_owned(), "write <robot name=\"..\">"),
        _ => (words.to_owned(), "correct the XML here"),
    };
    let place = Place { span, ..Default::default() };
    Mistake { place, message, cure: cure.to_owned(), elsewhere: None }
}

/// The byte at a line and column, both from 1.
fn byte_at(text: &str, row: u32, column: u32) -> std::ops::Range<usize> {
    let (row, column) = (row.saturating_sub(1) as usize, column.saturating_sub(1) as usize);
    let start: usize = text.split_inclusive('\n').take(row).map(str::len).sum();
    let line = text.get(start..).unwrap_or_default();
    let offset = line.char_indices().nth(column).map_or(line.len(), |(i, _)| i);
    start + offset..start + offset + 1
}

impl Mistakes {
    /// Takes over mistakes of a file that the scene includes at `at`.
    pub(crate) fn include(&mut self, mut mistakes: Mistakes, source: &Source, at: &Place) {
        let text: std::sync::Arc<str> = source.text.into();
        for mut mistake in std::mem::take(&mut mistakes.0) {
            mistake.place.part = at.part.clone();
            let (file, text) = (source.file.to_owned(), Some(text.clone()));
            mistake.elsewhere = Some(crate::place::Elsewhere { file, line: 0, text });
            self.push(mistake);
        }
        self.1 += mistakes.1;
    }
}
