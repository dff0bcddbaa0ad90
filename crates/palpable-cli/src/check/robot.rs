//! What was read of a robot: links, joints, masses, and every remark.

use crate::text::{digits, fit, hanging, plural, si, wrapped};
use palpable_scene::Included;
use palpable_scene::urdf::{Joint, Part};
use serde_json::{Value, json};

/// A robot for people.
pub fn text(included: &Included) -> String {
    let robot = &included.robot;
    let [x, y, z] = center(included).map(digits);
    let mut text = format!("\n{}\n", robot.file().display());
    text.push_str(&wrapped(
        &format!(
            "robot {}: {}, {}, {}",
            robot.name,
            plural(robot.links.len(), "link", "links"),
            plural(robot.joints.len(), "joint", "joints"),
            mass(robot.mass()),
        ),
        2,
    ));
    text.push_str(&wrapped(&format!("centre of mass at [{x}, {y}, {z}] m"), 2));
    text.push_str("\n  body                              mass\n");
    for part in &robot.parts {
        text.push_str(&format!("  {}{:>12}\n", fit(&names(included, part), 26), part_mass(part)));
    }
    if !robot.joints.is_empty() {
        text.push_str("\n  joint               kind        starts at     damping\n");
    }
    for (joint, start) in robot.joints.iter().zip(&included.mounted.positions) {
        let [start, damping] = numbers(joint, *start);
        let (name, kind) = (fit(&joint.name, 20), fit(joint.kind.name(), 10));
        let row = format!("  {name}{kind}{start:>11}  {damping}");
        text.push_str(&format!("{}\n", row.trim_end()));
    }
    let remarks = included.remarks();
    if !remarks.is_empty() {
        text.push_str("\n  remarks, by line of the file\n");
    }
    for remark in remarks {
        text.push_str(&hanging(&remark.to_string(), 2, 4));
    }
    text
}

/// Names of the links of a part: `flange, palm, tool`.
fn names(included: &Included, part: &Part) -> String {
    let links = part.links.iter().map(|(link, _)| included.robot.links[*link].name.as_str());
    links.collect::<Vec<_>>().join(", ")
}

fn part_mass(part: &Part) -> String {
    mass(part.inertial.map_or(0.0, |i| i.mass))
}

/// A mass \[kg\]; the unit has a prefix already.
fn mass(value: f64) -> String {
    if value == 0.0 || value >= 1.0 {
        return format!("{} kg", digits(value));
    }
    si(1e3 * value, "g")
}

/// Start position and damping of a joint, with units.
fn numbers(joint: &Joint, start: f64) -> [String; 2] {
    let (position, damping) = match joint.kind.turns() {
        true => (format!("{} rad", digits(start)), "N m s/rad"),
        false => (si(start, "m"), "N s/m"),
    };
    let given = joint.dynamics.damping;
    let is_single = joint.kind.is_single();
    [
        if is_single { position } else { String::new() },
        if is_single && given > 0.0 { si(given, damping) } else { String::new() },
    ]
}

/// Centre of mass at the start, world axes \[m\].
fn center(included: &Included) -> [f64; 3] {
    let (mut sum, mut total) = ([0.0; 3], 0.0);
    for (part, start) in included.robot.parts.iter().zip(&included.mounted.starts) {
        let Some(inertial) = part.inertial else { continue };
        let at = start.position + start.rotation * inertial.center_of_mass;
        (0..3).for_each(|i| sum[i] += inertial.mass * at[i]);
        total += inertial.mass;
    }
    if total > 0.0 { sum.map(|s| s / total) } else { sum }
}

/// A robot for programs.
pub fn json(included: &Included) -> Value {
    let robot = &included.robot;
    let links = robot
        .links
        .iter()
        .map(|link| json!({ "name": link.name, "mass": link.inertial.map_or(0.0, |i| i.mass) }));
    let joints = robot.joints.iter().zip(&included.mounted.positions).map(|(joint, start)| {
        json!({
            "name": joint.name, "kind": joint.kind.name(), "start": start,
            "parent": robot.links[joint.parent].name, "child": robot.links[joint.child].name,
            "damping": joint.dynamics.damping,
        })
    });
    let remarks = included.remarks().into_iter().map(|remark| {
        json!({
            "line": remark.line, "kind": remark.kind.name(), "about": remark.about,
            "message": remark.message,
        })
    });
    json!({
        "name": robot.name, "prefix": included.name, "file": robot.file().display().to_string(),
        "mass": robot.mass(), "center_of_mass": center(included), "bodies": robot.parts.len(),
        "links": links.collect::<Vec<_>>(), "joints": joints.collect::<Vec<_>>(),
        "remarks": remarks.collect::<Vec<_>>(),
    })
}
