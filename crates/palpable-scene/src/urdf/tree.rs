//! Names to links, and whether links and joints make a tree.

use super::joint::Named;
use super::reader::Reader;
use super::robot::{Joint, Link, Mimic};
use crate::place::At;
use crate::suggest;
use std::collections::HashMap;

/// What links and joints make.
pub(super) struct Tree {
    /// Joints by number of link; `None` where a name could not be found.
    pub joints: Vec<Option<Joint>>,
    /// A link without a parent.
    pub root: Option<usize>,
    /// For each link, whether a joint that could not be made names it.
    pub unsure: Vec<bool>,
}

/// Looks up all names, and notes what keeps links and joints from being a tree.
pub(super) fn join(
    links: &mut [Link],
    link_names: &[At<String>],
    named: &[Named],
    reader: &mut Reader,
) -> Tree {
    let link_of = index(link_names, "links", reader);
    let joint_names: Vec<_> = named.iter().map(|j| j.name.clone()).collect();
    let joint_of = index(&joint_names, "joints", reader);
    let ends: Vec<_> = named.iter().map(|joint| find_ends(joint, &link_of, reader)).collect();
    find_parents(links, named, &ends, reader);
    let root = find_root(links, link_names, named, &ends, reader);
    let mimics: Vec<_> = named.iter().map(|j| find_mimic(j, &joint_of, reader)).collect();
    check_mimics(named, &mimics, reader);
    let mut unsure = vec![false; links.len()];
    for (joint, _) in named.iter().zip(&ends).filter(|(_, ends)| ends.is_none()) {
        for name in [&joint.parent, &joint.child].into_iter().flatten() {
            link_of.get(&name.value).into_iter().for_each(|link| unsure[*link] = true);
        }
    }
    let joints = (named.iter().zip(&ends).zip(mimics))
        .map(|((joint, ends), mimic)| ends.map(|ends| resolved(joint, ends, mimic)))
        .collect();
    Tree { joints, root, unsure }
}

fn resolved(joint: &Named, [parent, child]: [usize; 2], mimic: Option<Mimic>) -> Joint {
    Joint {
        name: joint.name.value.clone(),
        kind: joint.kind,
        parent,
        child,
        origin: joint.origin,
        axis: joint.axis,
        limits: joint.limits,
        dynamics: joint.dynamics,
        mimic,
        line: joint.line,
    }
}

/// Numbers by name; the second of two equal names is noted.
fn index(names: &[At<String>], kind: &str, reader: &mut Reader) -> HashMap<String, usize> {
    let mut seen = HashMap::new();
    for (i, name) in names.iter().enumerate() {
        match seen.get(&name.value) {
            None => {
                seen.insert(name.value.clone(), i);
            }
            Some(first) => {
                let line = reader.line(names[*first].place.span.start);
                let message = format!("two {kind} are named `{}`", name.value);
                let cure = format!("rename one of them; the first is in line {line}");
                reader.wrong(&name.place, message, cure);
            }
        }
    }
    seen
}

/// Looks a name up, or notes that there is none.
fn look_up(
    name: &At<String>,
    known: &HashMap<String, usize>,
    kind: &str,
    reader: &mut Reader,
) -> Option<usize> {
    let found = known.get(&name.value).copied();
    if found.is_none() {
        let mut names: Vec<&str> = known.keys().map(String::as_str).collect();
        names.sort_unstable();
        let near = suggest::nearest(&name.value, names.iter().copied());
        let shown = names.iter().copied().take(12).collect::<Vec<_>>().join(", ");
        let cure = match near {
            Some(near) => format!("did you mean `{near}`? known {kind}s: {shown}"),
            None => format!("add it; known {kind}s: {shown}"),
        };
        reader.wrong(&name.place, format!("there is no {kind} `{}`", name.value), cure);
    }
    found
}

fn find_ends(
    joint: &Named,
    links: &HashMap<String, usize>,
    reader: &mut Reader,
) -> Option<[usize; 2]> {
    let mut find = |end: &Option<At<String>>| look_up(end.as_ref()?, links, "link", reader);
    let (parent, child) = (find(&joint.parent), find(&joint.child));
    let ends = [parent?, child?];
    if ends[0] == ends[1] {
        let message = "this joint joins a link to itself";
        reader.wrong(&joint.place, message, "give it two different links");
        return None;
    }
    Some(ends)
}

/// Tells every link the joint above it; a second one is noted.
fn find_parents(
    links: &mut [Link],
    named: &[Named],
    ends: &[Option<[usize; 2]>],
    reader: &mut Reader,
) {
    for (i, joint) in named.iter().enumerate() {
        let Some([_, child]) = ends[i] else { continue };
        match links[child].parent_joint {
            None => links[child].parent_joint = Some(i),
            Some(first) => {
                let place = joint.child.as_ref().map_or(&joint.place, |c| &c.place);
                let message = format!(
                    "the link `{}` has a parent already: joint `{}` in line {}",
                    links[child].name, named[first].name.value, named[first].line
                );
                let cure = "a robot is a tree: remove one of the joints, and close the loop by a \
                            [[joint]] in a scene that includes the robot";
                reader.wrong(place, message, cure);
            }
        }
    }
}

/// The one link without a parent; cycles and a second root are noted.
fn find_root(
    links: &[Link],
    names: &[At<String>],
    named: &[Named],
    ends: &[Option<[usize; 2]>],
    reader: &mut Reader,
) -> Option<usize> {
    let above = |link: usize| {
        let joint = links[link].parent_joint?;
        ends[joint].map(|[parent, _]| (joint, parent))
    };
    let is_cut = ends.iter().any(Option::is_none);
    // 0 not seen, 1 on the way up now, 2 done
    let mut state = vec![0u8; links.len()];
    let mut roots = Vec::new();
    for start in 0..links.len() {
        let mut path = Vec::new();
        let mut at = start;
        while state[at] == 0 {
            state[at] = 1;
            path.push(at);
            match above(at) {
                Some((_, parent)) => at = parent,
                None => {
                    roots.push(at);
                    break;
                }
            }
        }
        let is_cycle = state[at] == 1 && above(at).is_some();
        if is_cycle && let Some(first) = path.iter().position(|link| *link == at) {
            note_cycle(&path[first..], links, named, reader);
        }
        path.iter().for_each(|link| state[*link] = 2);
    }
    roots.sort_unstable();
    // where names could not be found, links seem to be roots that are not
    if roots.len() > 1 && !is_cut {
        let first = &links[roots[0]];
        for root in &roots[1..] {
            // the second of two links of one name is not meant by any joint
            if names[*root].place.part.as_ref().is_some_and(|p| reader.mistakes.concern(p)) {
                continue;
            }
            let message = format!(
                "the link `{}` has no parent, and neither has `{}` in line {}",
                links[*root].name, first.name, first.line
            );
            let cure = "a robot has one root: join them, by a fixed joint if neither moves";
            reader.wrong(&names[*root].place, message, cure);
        }
    }
    roots.first().copied()
}

/// Notes a cycle; `path` goes up from child to parent.
fn note_cycle(path: &[usize], links: &[Link], named: &[Named], reader: &mut Reader) {
    let down = path.first().into_iter().chain(path.iter().rev());
    let names: Vec<&str> = down.map(|l| links[*l].name.as_str()).collect();
    let joints = path.iter().filter_map(|l| links[*l].parent_joint);
    let Some(last) = joints.max_by_key(|j| named[*j].line) else { return };
    let message = format!("these links form a cycle: {}", names.join(" → "));
    let cure = "a robot is a tree: remove one joint, and close the loop by a [[joint]] in a scene \
                that includes the robot";
    reader.wrong(&named[last].place, message, cure);
}

fn find_mimic(
    joint: &Named,
    joints: &HashMap<String, usize>,
    reader: &mut Reader,
) -> Option<Mimic> {
    let mimic = joint.mimic.as_ref()?;
    let found = look_up(&mimic.joint, joints, "joint", reader)?;
    let (multiplier, offset, line) = (mimic.multiplier, mimic.offset, mimic.line);
    Some(Mimic { joint: found, multiplier, offset, line })
}

/// Notes joints that follow themselves, and followed joints that have no single position.
fn check_mimics(named: &[Named], mimics: &[Option<Mimic>], reader: &mut Reader) {
    for (i, joint) in named.iter().enumerate() {
        let (Some(mimic), Some(place)) = (mimics[i], &joint.mimic) else { continue };
        let place = &place.joint.place;
        let leader = &named[mimic.joint];
        if !leader.kind.is_single() {
            let message = format!("`{}` is {}: it cannot be followed", leader.name.value, {
                leader.kind.name()
            });
            reader.wrong(place, message, "follow a revolute, continuous or prismatic joint");
        }
        let (mut at, mut steps) = (i, 0);
        while let Some(next) = mimics[at].map(|m| m.joint)
            && steps <= named.len()
        {
            (at, steps) = (next, steps + 1);
            if at == i {
                let message = "this joint follows itself, directly or by way of others";
                reader.wrong(place, message, "let it follow a joint that follows no other");
                break;
            }
        }
    }
}
