//! `<link>`.

use super::geometry::{Use, read_geometry};
use super::inertia::read_inertial;
use super::material::Materials;
use super::reader::Reader;
use super::robot::Link;
use super::tag::{Known, Tag};
use crate::place::At;

/// A link and where its name stands; `None` if it has no name, which is noted.
pub(super) fn read_link(
    tag: &Tag,
    materials: &Materials,
    reader: &mut Reader,
) -> Option<(Link, At<String>)> {
    let known =
        Known { once: &["inertial"], many: &["visual", "collision"], attributes: &["name"] };
    tag.close(&known, reader);
    let name = tag.required("name", reader);
    let inertial = tag.child("inertial").and_then(|tag| read_inertial(&tag, reader));
    let mut all = |kind: &str, role: Use| {
        let tags = tag.children(kind);
        tags.iter().filter_map(|tag| read_geometry(tag, role, reader)).collect()
    };
    let (visuals, collisions) =
        (all("visual", Use::Visual(materials)), all("collision", Use::Collision));
    let name = name?;
    let (own, line) = (name.value.clone(), reader.line(tag.start()));
    let link = Link { name: own, inertial, visuals, collisions, parent_joint: None, line };
    Some((link, name))
}
