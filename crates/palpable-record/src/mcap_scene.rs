//! Shapes of bodies as one `foxglove.SceneUpdate`, so that viewers show solids, not axes.

use serde_json::{Value, json};

/// What is drawn with a frame: entities follow their frame, so they are told once.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// The frame: a body's name, or `world`.
    pub frame: String,
    /// Its name, once in a recording.
    pub name: String,
    /// Its solids.
    pub solids: Vec<Solid>,
}

/// A solid of an entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    /// Position \[m\] and quaternion `x, y, z, w` in the frame.
    pub pose: [f64; 7],
    /// Red, green, blue and opacity, 0 to 1.
    pub color: [f64; 4],
    /// The shape.
    pub form: SolidForm,
}

/// Shapes that viewers know.
#[derive(Debug, Clone, PartialEq)]
pub enum SolidForm {
    /// A box with these edges \[m\].
    Cube([f64; 3]),
    /// A ball with this diameter \[m\].
    Ball(f64),
    /// A cylinder along z with this diameter and height \[m\].
    Cylinder([f64; 2]),
    /// Triangles, three corners each \[m\].
    Triangles(Vec<[f64; 3]>),
}

impl Solid {
    fn value(&self) -> Value {
        let [x, y, z, qx, qy, qz, qw] = self.pose;
        let pose = json!({
            "position": { "x": x, "y": y, "z": z },
            "orientation": { "x": qx, "y": qy, "z": qz, "w": qw },
        });
        let [r, g, b, a] = self.color;
        let color = json!({ "r": r, "g": g, "b": b, "a": a });
        match &self.form {
            SolidForm::Cube([x, y, z]) => {
                json!({ "pose": pose, "size": { "x": x, "y": y, "z": z }, "color": color })
            }
            SolidForm::Ball(d) => {
                json!({ "pose": pose, "size": { "x": d, "y": d, "z": d }, "color": color })
            }
            SolidForm::Cylinder([d, height]) => json!({
                "pose": pose, "size": { "x": d, "y": d, "z": height },
                "bottom_scale": 1.0, "top_scale": 1.0, "color": color,
            }),
            SolidForm::Triangles(corners) => {
                let points = corners.iter().map(|[x, y, z]| json!({ "x": x, "y": y, "z": z }));
                json!({
                    "pose": pose, "points": points.collect::<Vec<_>>(), "color": color,
                    "colors": [], "indices": [],
                })
            }
        }
    }
}

/// The message that tells all entities.
pub(crate) fn message(entities: &[Entity]) -> String {
    let stamp = json!({ "sec": 0, "nsec": 0 });
    let one = |entity: &Entity| {
        let of = |wanted: fn(&SolidForm) -> bool| {
            let solids = entity.solids.iter().filter(|s| wanted(&s.form));
            solids.map(Solid::value).collect::<Vec<_>>()
        };
        json!({
            "timestamp": stamp, "frame_id": entity.frame, "id": entity.name,
            "lifetime": stamp, "frame_locked": true, "metadata": [], "arrows": [],
            "cubes": of(|f| matches!(f, SolidForm::Cube(_))),
            "spheres": of(|f| matches!(f, SolidForm::Ball(_))),
            "cylinders": of(|f| matches!(f, SolidForm::Cylinder(_))),
            "lines": [], "triangles": of(|f| matches!(f, SolidForm::Triangles(_))),
            "texts": [], "models": [],
        })
    };
    json!({ "deletions": [], "entities": entities.iter().map(one).collect::<Vec<_>>() }).to_string()
}

/// Name and text of its schema.
pub(crate) fn schema() -> (String, String) {
    let name = "foxglove.SceneUpdate";
    let list = json!({ "type": "array", "items": { "type": "object" } });
    let whole = json!({
        "title": name, "type": "object",
        "properties": { "deletions": list, "entities": list },
    });
    (name.into(), whole.to_string())
}
