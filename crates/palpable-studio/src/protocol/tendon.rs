//! Where tendons run: over a pulley at every joint that they turn.

use palpable::math::Place;
use palpable::model::{Kind, Row, SystemInfo};
use palpable::{Model, Terms, Vec3};
use serde_json::{Value, json};

/// The tendons of a model: for each the pulleys that it runs over, with the body they are on,
/// centre [m] and axis in body axes, and radius [m], whose sign says on which side.
pub fn tendons(model: &Model) -> Value {
    let one = |element: &palpable::model::ElementInfo| match &element.kind {
        // the spring of a joint measures the joint itself
        Kind::Coordinates(rows) if !rows.rows.iter().flatten().any(|a| *a == 1.0) => {
            let pulleys = pulleys(model, rows.system.index(), rows.rows.first()?, rows.skip.w)?;
            Some(json!({ "name": element.name, "pulleys": pulleys }))
        }
        _ => None,
    };
    json!(model.elements().iter().filter_map(one).collect::<Vec<_>>())
}

/// The pins that links turn about: body, point [m] and axis in its axes.
pub fn pins(model: &Model) -> Value {
    let mut all = Vec::new();
    for system in model.systems() {
        let law = system.law.as_ref();
        // beams have modes, not links that turn
        if law.freedoms() < law.links() {
            continue;
        }
        let terms = anywhere(system);
        let skip = if law.floating() { 6 } else { 0 };
        for joint in skip..law.freedoms() {
            let Some((link, center, axis)) = pulley(&terms, joint) else { continue };
            let moving = Some(system.nodes.start + link);
            let Some(body) = model.bodies().iter().position(|b| b.moving == moving) else {
                continue;
            };
            let info = &model.bodies()[body];
            let point = info.body_from_principal * center + info.center_of_mass;
            let axis = info.body_from_principal * axis;
            let name = &info.name;
            let (point, axis) = (point.as_slice(), axis.as_slice());
            all.push(json!({ "body": body, "name": name, "point": point, "axis": axis }));
        }
    }
    json!(all)
}

/// True if the measure of an element is an angle, false if it is a way.
pub fn turns(model: &Model, element: usize) -> bool {
    match model.elements().get(element).map(|e| &e.kind) {
        Some(Kind::Rows(rows)) => !matches!(rows.first(), Some(Row::Offset(_) | Row::Distance(_))),
        Some(Kind::Coordinates(rows)) => {
            let joint = rows.rows.first().and_then(|r| r.iter().position(|a| *a != 0.0));
            let system = model.systems().get(rows.system.index());
            let both = system.zip(joint);
            both.is_none_or(|(s, joint)| pulley(&anywhere(s), rows.skip.w + joint).is_some())
        }
        _ => true,
    }
}

/// `row` has a radius for each velocity of the subsystem after the first `skip`.
fn pulleys(model: &Model, system: usize, row: &[f64], skip: usize) -> Option<Vec<Value>> {
    let system = model.systems().get(system)?;
    let terms = anywhere(system);
    let turned = row.iter().enumerate().filter(|(_, radius)| **radius != 0.0);
    let all = turned.map(|(i, radius)| {
        let joint = skip + i;
        let (link, center, axis) = pulley(&terms, joint)?;
        let moving = Some(system.nodes.start + link);
        let body = model.bodies().iter().position(|b| b.moving == moving)?;
        let info = &model.bodies()[body];
        let point = info.body_from_principal * center + info.center_of_mass;
        let axis = info.body_from_principal * axis;
        Some(json!({
            "body": body,
            "point": point.as_slice(),
            "axis": axis.as_slice(),
            "radius": radius,
        }))
    });
    all.collect()
}

/// The mechanics at some configuration: where an axis is on its link does not depend on it.
fn anywhere(system: &SystemInfo) -> Terms {
    let law = system.law.as_ref();
    let mut terms = Terms::new(law.freedoms(), law.links());
    // a free base has seven numbers for six freedoms: a position and a quaternion
    let mut q = vec![0.0; law.freedoms() + usize::from(law.floating())];
    if law.floating() {
        q[6] = 1.0;
    }
    law.configure(&q, &Vec3::zeros(), &mut terms);
    terms
}

/// The first link that a joint turns, and centre [m] and axis of the turning in its principal axes.
fn pulley(terms: &Terms, joint: usize) -> Option<(usize, Vec3, Vec3)> {
    let column = |link: usize| {
        let j = terms.jacobians.get(link)?;
        let part = |from: usize| Vec3::from_fn(|r, _| j[(from + r, joint)]);
        Some((part(0), part(3)))
    };
    let links = 0..terms.jacobians.len();
    let (link, (v, omega)) =
        links.filter_map(|l| Some((l, column(l)?))).find(|(_, (v, omega))| {
            // slides move without turning, and turn no pulley
            omega.norm() > 1e-9 || v.norm() > 1e-9
        })?;
    // v = ω × r from the axis to the centre of mass
    let v = terms.frames[link].rotation.inverse() * v;
    let square = omega.norm_squared();
    (square > 0.0).then(|| (link, -v.cross(&omega) / square, omega / square.sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpable_scene::Scene;

    #[test]
    fn pulleys_of_a_finger_sit_at_its_joints() {
        let text = include_str!("../../../../scenes/finger.toml");
        let built = Scene::parse(text, "finger.toml").expect("a scene").build().expect("built");
        let all = tendons(&built.model);
        let flexor = &all[0]["pulleys"];
        assert_eq!(flexor.as_array().map(Vec::len), Some(3));
        for (i, (radius, name)) in
            [(0.01, "near"), (8e-3, "middle"), (6e-3, "far")].iter().enumerate()
        {
            let pulley = &flexor[i];
            let body = &built.model.bodies()[pulley["body"].as_u64().expect("a body") as usize];
            assert!(body.name.ends_with(name), "{} {name}", body.name);
            assert_eq!(pulley["radius"].as_f64(), Some(*radius));
            // joints turn about y, and a link begins at its joint
            let numbers = |key: &str| -> Vec<f64> {
                let list = pulley[key].as_array().expect("three");
                list.iter().filter_map(Value::as_f64).collect()
            };
            let axis = numbers("axis");
            assert!((axis[1].abs() - 1.0).abs() < 1e-12, "{axis:?}");
            assert!(Vec3::from_column_slice(&numbers("point")).norm() < 1e-12, "{pulley}");
        }
    }
}
