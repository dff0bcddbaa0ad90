//! What a scene looks like, told once.

use crate::stage::{Parameters, Show, rival};
use palpable::geometry::ClosedSurface;
use palpable::model::{BodyInfo, ElementInfo, ElementParams, Kind, Row};
use palpable::{CollisionShape, Model, Pose, Rotation, Scheme, Shape, Vec3};
use palpable_scene::urdf::Form;
use palpable_scene::{End, Look, TriangleMesh};
use serde_json::{Value, json};

/// Bodies with their shapes, springs with their ends, and the present parameters.
pub fn describe(show: &Show, generation: u32, parameters: &Parameters) -> Value {
    let model = &show.model;
    let elements = model.elements().iter().zip(&model.params().elements);
    let hidden: Vec<_> = model.ports().iter().filter_map(|p| p.element).collect();
    let elements = elements.enumerate().map(|(i, (info, params))| {
        let mut value = element(model, info, params);
        value["port"] = hidden.contains(&i).into();
        value
    });
    json!({
        "generation": generation,
        "id": show.id,
        "name": show.name,
        "description": show.description,
        "bodies": model.bodies().iter().map(|b| body(show, b)).collect::<Vec<_>>(),
        "elements": elements.collect::<Vec<_>>(),
        "lines": show.lines,
        "warnings": show.warnings,
        "sections": show.sections,
        "motors": motors(model),
        "rivals": super::rivals(model),
        "stand_ins": stand_ins(model),
        "tendons": super::tendon::tendons(model),
        "pins": super::tendon::pins(model),
        "viewpoint": show.staging.viewpoint.map(|v| v.map(|p| [p.x, p.y, p.z])),
        "end": match show.staging.end {
            End::GoOn => "go-on",
            End::Loop => "loop",
            End::Stop => "stop",
        },
        "duration": show.duration,
        "parameters": super::PartJson::of(parameters),
    })
}

/// Schemes and why they cannot run the scene; `null` for those that can.
pub fn rivals(model: &Model) -> Value {
    let one = |scheme: Scheme| (scheme.name().to_owned(), json!(rival::obstacle(model, scheme)));
    Value::Object(Scheme::ALL.into_iter().map(one).collect())
}

/// What schemes do about contact and hard joints that they do not know.
fn stand_ins(model: &Model) -> Value {
    let one = |scheme: Scheme| (scheme.name().to_owned(), rival::stand_in(model, scheme).into());
    Value::Object(Scheme::ALL.into_iter().map(one).collect())
}

/// Motors: number and name of the port, what their input is, its largest effort.
fn motors(model: &Model) -> Value {
    let ports = model.ports().iter().enumerate().filter(|(_, port)| port.motor);
    let one = |(index, port): (usize, &palpable::model::PortInfo)| {
        let params = model.params().elements.get(port.element?)?;
        let kind = match (params.stiffness[0] > 0.0, params.damping[0] > 0.0) {
            (true, _) => "target",
            (false, true) => "rate",
            (false, false) => "effort",
        };
        let limit = port.limit.is_finite().then_some(port.limit);
        Some(json!({ "port": index, "name": port.name, "kind": kind, "limit": limit,
            "turns": super::tendon::turns(model, port.element?) }))
    };
    json!(ports.filter_map(one).collect::<Vec<_>>())
}

fn body(show: &Show, info: &BodyInfo) -> Value {
    let looks = show.looks.iter().filter(|look| look.body == info.name);
    json!({
        "name": info.name,
        "gone": info.gone,
        "moving": info.moving,
        "shape": info.shape.as_ref().map(shape).or_else(|| plane(info))
            .or_else(|| equal_box(&show.model, info)),
        "looks": looks.map(look).collect::<Vec<_>>(),
        "matter": matter(&show.model, info),
        "start": seven(&info.start),
    })
}

/// Position and quaternion `x, y, z, w`.
fn seven(pose: &Pose) -> [f64; 7] {
    let (p, q) = (pose.position, pose.rotation.coords);
    [p.x, p.y, p.z, q.x, q.y, q.z, q.w]
}

fn look(look: &Look) -> Value {
    let form = match &look.form {
        Form::Solid(solid) => shape(solid),
        Form::Surface(surface) => triangles(surface),
    };
    json!({ "shape": form, "pose": seven(&look.pose), "color": look.color })
}

fn triangles(mesh: &TriangleMesh) -> Value {
    let points: Vec<f32> = mesh.vertices.iter().flat_map(|v| v.iter().map(|x| *x as f32)).collect();
    json!({ "kind": "mesh", "points": points, "triangles": mesh.triangles })
}

fn shape(shape: &Shape) -> Value {
    match shape {
        Shape::Sphere { radius } => json!({ "kind": "sphere", "radius": radius }),
        Shape::Box { half_extents } => json!({ "kind": "box", "half": half_extents.as_slice() }),
        Shape::Capsule { half_length, radius } => {
            json!({ "kind": "capsule", "half": half_length, "radius": radius })
        }
        Shape::Cylinder { half_length, radius } => {
            json!({ "kind": "cylinder", "half": half_length, "radius": radius })
        }
        Shape::ConvexHull { surface } | Shape::Mesh { surface } => mesh(surface),
    }
}

/// A half-space has no shape of its own: everything below the plane `z = 0` of its frame.
fn plane(info: &BodyInfo) -> Option<Value> {
    let flat = info.collider == Some(CollisionShape::half_space());
    flat.then(|| json!({ "kind": "plane" }))
}

/// Half edges of the box of the same mass and inertia: `a² = 3 (I_y + I_z − I_x) / 2m`.
fn equal_half(model: &Model, info: &BodyInfo) -> Option<Vec3> {
    let params = model.params().bodies.get(info.moving?)?;
    let i = params.inertia;
    let half = Vec3::from_fn(|k, _| (1.5 * (i.sum() - 2.0 * i[k]) / params.mass).max(0.0).sqrt());
    let largest = half.max();
    (largest > 0.0 && largest.is_finite()).then_some(half)
}

/// Centre of mass and the box of the same inertia, in body axes.
fn matter(model: &Model, info: &BodyInfo) -> Option<Value> {
    let half = equal_half(model, info)?;
    let (axes, centre) = (info.body_from_principal.coords, info.center_of_mass);
    Some(json!({
        "centre": centre.as_slice(),
        "half": half.as_slice(),
        "axes": [axes.x, axes.y, axes.z, axes.w],
    }))
}

/// A body without a shape is shown as the box of the same mass and inertia, if there is one.
fn equal_box(model: &Model, info: &BodyInfo) -> Option<Value> {
    let half = equal_half(model, info)?;
    let largest = half.max();
    if info.owner.is_some() {
        return None;
    }
    // a flat plate is given a thickness, so that it can be seen from the side
    let half = half.map(|a| a.max(0.03 * largest));
    let corner = |n: usize| {
        let sign = Vec3::from_fn(|k, _| if n >> k & 1 == 1 { 1.0 } else { -1.0 });
        info.body_from_principal * half.component_mul(&sign) + info.center_of_mass
    };
    let points: Vec<f64> =
        (0..8).flat_map(|n| corner(n).iter().copied().collect::<Vec<_>>()).collect();
    // two triangles a face, anticlockwise from outside
    let triangles = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    Some(json!({ "kind": "mesh", "points": points, "triangles": triangles }))
}

fn mesh(surface: &ClosedSurface) -> Value {
    let points: Vec<f32> =
        surface.vertices().iter().flat_map(|v| v.iter().map(|x| *x as f32)).collect();
    json!({ "kind": "mesh", "points": points, "triangles": surface.triangles() })
}

fn element(model: &Model, info: &ElementInfo, params: &ElementParams) -> Value {
    let kind = match &info.kind {
        Kind::Point => "point",
        Kind::Rotation => "rotation",
        Kind::Pose => "pose",
        Kind::Rows(_) => "rows",
        Kind::Custom(_) => "custom",
        Kind::Coordinates(_) => "coordinates",
        Kind::Gear(_) => "gear",
    };
    let ends =
        [0, 1].map(|side| end(model, info.ends[side], &params.points[side], &params.frames[side]));
    json!({
        "name": info.name,
        "kind": kind,
        "form": form(info, params),
        "joint": info.joint,
        "rows": info.kind.rows(),
        "ends": ends,
    })
}

/// What an element is drawn as.
fn form(info: &ElementInfo, params: &ElementParams) -> &'static str {
    let slack = params.stiffness.iter().all(|k| *k == 0.0);
    let rows: &[Row] = match &info.kind {
        Kind::Rows(rows) => rows,
        Kind::Rotation => return if slack { "bearing" } else { "torsion" },
        Kind::Point if info.joint && params.is_hard(0) => return "ball",
        Kind::Pose if info.joint => return "fixed",
        Kind::Point | Kind::Pose => return if slack { "damper" } else { "spring" },
        Kind::Custom(_) => return "spring",
        Kind::Coordinates(_) | Kind::Gear(_) => return "none",
    };
    let count = |wanted: fn(&Row) -> bool| rows.iter().filter(|row| wanted(row)).count();
    let offsets = count(|row| matches!(row, Row::Offset(_)));
    let turns = count(|row| matches!(row, Row::Align(_) | Row::Turn(_)));
    match (offsets, turns) {
        (3, 2) => "hinge",
        (3, _) => "ball",
        (2, _) => "slider",
        // motors and stops measure a joint that is drawn already
        _ if count(|row| matches!(row, Row::Distance(_))) == 0 => "none",
        _ if params.is_hard(0) => "rod",
        _ => "spring",
    }
}

/// An end on a body, in body axes, or in the world; its axis is that of the joint.
fn end(model: &Model, moving: Option<usize>, point: &Vec3, frame: &Rotation) -> Value {
    let bodies = model.bodies().iter().enumerate();
    let axis = frame * Vec3::z();
    match moving.and_then(|m| bodies.clone().find(|(_, b)| b.moving == Some(m))) {
        Some((index, info)) => {
            let p = info.body_from_principal * point + info.center_of_mass;
            let axis = info.body_from_principal * axis;
            json!({ "body": index, "point": p.as_slice(), "axis": axis.as_slice() })
        }
        None => json!({ "body": null, "point": point.as_slice(), "axis": axis.as_slice() }),
    }
}
