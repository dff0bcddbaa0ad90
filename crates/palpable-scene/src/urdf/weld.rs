//! Links that fixed joints hold together become one part, with all their mass.

use super::mass::{compose, joined, moved};
use super::reader::Reader;
use super::remark::RemarkKind;
use super::robot::{Joint, JointKind, Link, Part};
use super::tree::Tree;
use crate::place::At;
use palpable::{MassProperties, Pose};

/// The parts of a robot, parents before children. What is no tree has parts too, so that they
/// can be checked.
pub(super) fn parts(links: &[Link], joints: &[Option<Joint>]) -> Vec<Part> {
    let mut below = vec![Vec::new(); links.len()];
    // a second joint above a link is noted, and does not count
    let counts = |j: usize, joint: &Joint| links[joint.child].parent_joint == Some(j);
    for (j, joint) in joints.iter().enumerate() {
        if let Some(joint) = joint.as_ref().filter(|joint| counts(j, joint)) {
            below[joint.parent].push((j, joint));
        }
    }
    let roots = (0..links.len()).filter(|l| links[*l].parent_joint.is_none());
    let mut parts: Vec<Part> = roots.map(|root| new_part(root, None)).collect();
    let mut is_seen = vec![false; links.len()];
    let mut at = 0;
    loop {
        while at < parts.len() {
            grow(&mut parts, at, &below, &mut is_seen);
            parts[at].inertial = total(&parts[at].links, links);
            at += 1;
        }
        // a cycle hangs from no root: begin anywhere below a joint that moves
        let moves = |j: usize| joints[j].as_ref().is_some_and(|j| j.kind != JointKind::Fixed);
        let unseen = (0..links.len()).filter(|l| !is_seen[*l]);
        let mut tops =
            unseen.filter_map(|l| links[l].parent_joint.filter(|j| moves(*j)).map(|j| (l, j)));
        match tops.next() {
            Some((top, joint)) => parts.push(new_part(top, Some(joint))),
            None => return parts,
        }
    }
}

/// Adds the links that fixed joints hold to a part, and the parts below it.
fn grow(parts: &mut Vec<Part>, at: usize, below: &[Vec<(usize, &Joint)>], is_seen: &mut [bool]) {
    is_seen[parts[at].top] = true;
    let mut next = 0;
    while next < parts[at].links.len() {
        let (link, pose) = parts[at].links[next];
        for (index, joint) in &below[link] {
            if std::mem::replace(&mut is_seen[joint.child], true) {
                continue;
            }
            match joint.kind {
                JointKind::Fixed => {
                    parts[at].links.push((joint.child, compose(&pose, &joint.origin)));
                }
                _ => parts.push(new_part(joint.child, Some(*index))),
            }
        }
        next += 1;
    }
}

fn new_part(top: usize, joint: Option<usize>) -> Part {
    Part { top, links: vec![(top, Pose::default())], inertial: None, joint }
}

fn total(members: &[(usize, Pose)], links: &[Link]) -> Option<MassProperties> {
    let masses = members.iter().filter_map(|(link, pose)| {
        links[*link].inertial.map(|mass| match *pose == Pose::default() {
            true => mass,
            false => moved(&mass, pose),
        })
    });
    masses.reduce(|a, b| joined(&a, &b))
}

/// Notes parts that move and have no mass or a singular inertia; remarks on links that were
/// merged into others.
pub(super) fn check_parts(
    parts: &[Part],
    links: &[Link],
    names: &[At<String>],
    tree: &Tree,
    reader: &mut Reader,
) {
    for part in parts {
        let top = &links[part.top];
        for (index, _) in &part.links[1..] {
            let link = &links[*index];
            let mass = link.inertial.map_or(0.0, |m| m.mass);
            let message = format!("with its {mass} kg part of `{}`, by a fixed joint", top.name);
            let (at, about) = (names[*index].place.span.start, format!("link[{}]", link.name));
            reader.remark(RemarkKind::Merged, at, about, message);
        }
        // a mass that could not be read is noted already
        let is_noted = |(link, _): &(usize, Pose)| {
            let part = names[*link].place.part.as_ref();
            tree.unsure[*link] || part.is_some_and(|p| reader.mistakes.concern(p))
        };
        let is_noted = part.links.iter().any(is_noted);
        let joint = part.joint.and_then(|j| tree.joints[j].as_ref());
        if let Some(joint) = joint.filter(|_| !is_noted) {
            check_mass(part, top, &names[part.top], joint, reader);
        }
    }
}

fn check_mass(part: &Part, top: &Link, name: &At<String>, joint: &Joint, reader: &mut Reader) {
    let moves = format!("moves by the {} joint `{}`", joint.kind.name(), joint.name);
    match &part.inertial {
        None => {
            let message = format!("the link `{}` {moves} and has no mass", top.name);
            let cure = "give it an <inertial>, a thousandth of its neighbours' mass will do, or \
                        make the joint fixed";
            reader.wrong(&name.place, message, cure);
        }
        Some(mass) => {
            if let Err(error) = mass.validate() {
                let text = error.to_string();
                let (what, cure) = text.split_once("; ").unwrap_or((&text, "correct <inertia>"));
                let message = format!("the link `{}` {moves}, but its {what}", top.name);
                reader.wrong(&name.place, message, cure);
            }
        }
    }
}
