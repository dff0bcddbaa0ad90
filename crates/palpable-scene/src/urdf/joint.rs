//! `<joint>`, before the names in it are looked up.

use super::inertia::read_origin;
use super::limits::read_limits;
use super::reader::Reader;
use super::remark::RemarkKind;
use super::robot::{Dynamics, JointKind, Limits};
use super::tag::{Known, Tag};
use crate::place::{At, Place};
use crate::suggest;
use palpable::{Pose, Vec3};

/// A joint with names in place of links and joints.
pub(super) struct Named {
    pub name: At<String>,
    pub kind: JointKind,
    pub parent: Option<At<String>>,
    pub child: Option<At<String>>,
    pub origin: Pose,
    pub axis: Vec3,
    pub limits: Option<Limits>,
    pub dynamics: Dynamics,
    pub mimic: Option<NamedMimic>,
    /// The tag.
    pub place: Place,
    pub line: usize,
}

/// `<mimic>` with the name of a joint.
pub(super) struct NamedMimic {
    pub joint: At<String>,
    pub multiplier: f64,
    pub offset: f64,
    pub line: usize,
}

/// A joint; `None` if it has no name or no type, which is noted.
pub(super) fn read_joint(tag: &Tag, reader: &mut Reader) -> Option<Named> {
    let once = ["origin", "parent", "child", "axis", "limit", "dynamics", "mimic"];
    tag.close(&Known { once: &once, many: &[], attributes: &["name", "type"] }, reader);
    let name = tag.required("name", reader);
    let kind = read_kind(tag, reader);
    let (parent, child) = (read_end(tag, "parent", reader), read_end(tag, "child", reader));
    let origin = read_origin(tag, reader);
    let (name, kind) = (name?, kind?);
    let axis = read_axis(tag, kind, reader);
    let limits = read_limits(tag, kind, reader);
    let dynamics = read_dynamics(tag, reader);
    let mimic = read_mimic(tag, kind, reader);
    let (place, line) = (tag.place(), reader.line(tag.start()));
    Some(Named { name, kind, parent, child, origin, axis, limits, dynamics, mimic, place, line })
}

fn read_kind(tag: &Tag, reader: &mut Reader) -> Option<JointKind> {
    let word = tag.required("type", reader)?;
    let found = JointKind::WORDS.iter().find(|(known, _)| *known == word.value);
    if found.is_none() {
        let cure = suggest::cure(&word, JointKind::WORDS.map(|(w, _)| w), "known types");
        reader.wrong(&word.place, format!("there is no joint type `{}`", word.value), cure);
    }
    found.map(|(_, kind)| *kind)
}

/// The link of `<parent link="">` or `<child link="">`.
fn read_end(tag: &Tag, which: &str, reader: &mut Reader) -> Option<At<String>> {
    let Some(end) = tag.child(which) else {
        let message = format!("the joint has no <{which}>");
        reader.wrong(&tag.place(), message, format!("add <{which} link=\"..\"/>"));
        return None;
    };
    end.close(&Known { once: &[], many: &[], attributes: &["link"] }, reader);
    end.required("link", reader)
}

/// The axis as a unit vector; x unless given.
fn read_axis(tag: &Tag, kind: JointKind, reader: &mut Reader) -> Vec3 {
    let Some(axis) = tag.child("axis") else { return Vec3::x() };
    axis.close(&Known { once: &[], many: &[], attributes: &["xyz"] }, reader);
    if matches!(kind, JointKind::Fixed | JointKind::Floating) {
        return Vec3::x();
    }
    let Some(xyz) = axis.numbers("xyz", reader) else { return Vec3::x() };
    let given = Vec3::from(xyz);
    let scale = given.amax();
    if scale == 0.0 {
        let message = "the axis is zero";
        reader.wrong(&axis.field("xyz"), message, "give a direction, such as xyz=\"0 0 1\"");
        return Vec3::x();
    }
    // divided by the largest entry first, so that the length cannot overflow
    let length = (given / scale).norm();
    if (scale * length - 1.0).abs() > 1e-3 {
        let message =
            format!("the axis has the length {:.4}; its direction counts", scale * length);
        reader.remark(RemarkKind::Changed, axis.start(), axis.path(), message);
    }
    (given / scale) / length
}

/// Damping and friction of `<dynamics>`, 0 unless given.
fn read_dynamics(tag: &Tag, reader: &mut Reader) -> Dynamics {
    let Some(dynamics) = tag.child("dynamics") else { return Dynamics::default() };
    dynamics.close(&Known { once: &[], many: &[], attributes: &["damping", "friction"] }, reader);
    let line = reader.line(dynamics.start());
    let mut number = |name| dynamics.not_negative(name, reader).unwrap_or(0.0);
    Dynamics { damping: number("damping"), friction: number("friction"), line }
}

fn read_mimic(tag: &Tag, kind: JointKind, reader: &mut Reader) -> Option<NamedMimic> {
    let mimic = tag.child("mimic")?;
    let attributes = &["joint", "multiplier", "offset"];
    mimic.close(&Known { once: &[], many: &[], attributes }, reader);
    if !kind.is_single() {
        let message = format!("a {} joint follows no other", kind.name());
        reader.remark(RemarkKind::Ignored, mimic.start(), format!("<{}>", mimic.path()), message);
        return None;
    }
    let multiplier = mimic.number("multiplier", reader).unwrap_or(1.0);
    let offset = mimic.number("offset", reader).unwrap_or(0.0);
    let (joint, line) = (mimic.required("joint", reader)?, reader.line(mimic.start()));
    Some(NamedMimic { joint, multiplier, offset, line })
}
