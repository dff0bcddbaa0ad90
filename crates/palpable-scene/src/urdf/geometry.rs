//! `<visual>` and `<collision>`: primitives and meshes.

use super::inertia::read_origin;
use super::material::{Materials, color_of};
use super::reader::Reader;
use super::remark::RemarkKind;
use super::robot::{Form, Geometry};
use super::tag::{Known, Tag};
use crate::mesh_file::{MeshError, TriangleMesh, is_known};
use crate::suggest;
use palpable::geometry::{ShapeError, flip_winding};
use palpable::{Shape, Vec3};

/// What a shape is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Use<'m> {
    /// To be seen.
    Visual(&'m Materials),
    /// To touch: it must be solid.
    Collision,
}

/// Shapes that the file may name.
const FORMS: [&str; 5] = ["box", "cylinder", "sphere", "capsule", "mesh"];

/// A `<visual>` or `<collision>`; `None` if there is nothing to keep, which is noted.
pub(super) fn read_geometry(tag: &Tag, role: Use, reader: &mut Reader) -> Option<Geometry> {
    let once: &[&str] = match role {
        Use::Visual(_) => &["origin", "geometry", "material"],
        Use::Collision => &["origin", "geometry"],
    };
    tag.close(&Known { once, many: &[], attributes: &["name"] }, reader);
    let pose = read_origin(tag, reader);
    let color = match role {
        Use::Visual(materials) => color_of(tag, materials, reader),
        Use::Collision => None,
    };
    let Some(geometry) = tag.child("geometry") else {
        let message = format!("<{}> has no <geometry>", tag.name());
        reader.wrong(&tag.place(), message, "add one, such as <geometry><sphere radius=\"0.1\"/>");
        return None;
    };
    let form = read_form(&geometry, role, reader)?;
    let (name, line) = (tag.text("name").unwrap_or_default().to_owned(), reader.line(tag.start()));
    Some(Geometry { name, pose, form, color, line })
}

fn read_form(geometry: &Tag, role: Use, reader: &mut Reader) -> Option<Form> {
    let Some(tag) = geometry.all_children().find(|tag| FORMS.contains(&tag.name())) else {
        let found = geometry.all_children().next();
        let (message, cure) = match &found {
            Some(found) => {
                let cure = suggest::cure(found.name(), FORMS, "known shapes");
                (format!("<{}> is not a shape", found.name()), cure)
            }
            None => ("<geometry> is empty".to_owned(), format!("add one of {}", FORMS.join(", "))),
        };
        reader.wrong(&found.as_ref().unwrap_or(geometry).place(), message, cure);
        return None;
    };
    geometry.close(&Known { once: &[tag.name()], many: &[], attributes: &[] }, reader);
    let attributes: &[&str] = match tag.name() {
        "box" => &["size"],
        "sphere" => &["radius"],
        "mesh" => &["filename", "scale"],
        _ => &["radius", "length"],
    };
    tag.close(&Known { once: &[], many: &[], attributes }, reader);
    if tag.name() == "mesh" {
        return read_mesh(&tag, role, reader);
    }
    let shape = read_primitive(&tag, reader)?;
    shape.map_err(|error| note_shape_error(&error, &tag, reader)).ok().map(Form::Solid)
}

fn read_primitive(tag: &Tag, reader: &mut Reader) -> Option<Result<Shape, ShapeError>> {
    if tag.name() == "box" {
        tag.required("size", reader)?;
        let size: [f64; 3] = tag.numbers("size", reader)?;
        return Some(Shape::cuboid(0.5 * Vec3::from(size)));
    }
    let radius = tag.required_number("radius", reader);
    if tag.name() == "sphere" {
        return Some(Shape::sphere(radius?));
    }
    let half = 0.5 * tag.required_number("length", reader)?;
    Some(match tag.name() {
        "cylinder" => Shape::cylinder(half, radius?),
        _ => Shape::capsule(half, radius?),
    })
}

fn read_mesh(tag: &Tag, role: Use, reader: &mut Reader) -> Option<Form> {
    let scale = Vec3::from(tag.numbers("scale", reader).unwrap_or([1.0; 3]));
    if scale.iter().any(|f| *f == 0.0) {
        reader.wrong(&tag.field("scale"), "a scale of 0", "give factors other than 0");
        return None;
    }
    let name = tag.required("filename", reader)?;
    let is_visual = role != Use::Collision;
    let path = match reader.files.path(&name) {
        Ok(path) => path,
        Err(error) => {
            note_mesh_error(error, tag, reader);
            return None;
        }
    };
    if is_visual && !is_known(&path) && path.is_file() {
        let message = "only OBJ, STL and DAE meshes are read; it is not drawn";
        reader.remark(RemarkKind::Ignored, tag.start(), format!("<{}>", tag.path()), message);
        return None;
    }
    match reader.files.mesh(&path) {
        Ok(mesh) if is_visual => Some(Form::Surface(mesh.scaled(scale))),
        Ok(mesh) => solid(mesh.scaled(scale), tag, reader).map(Form::Solid),
        Err(error) => {
            note_mesh_error(error, tag, reader);
            None
        }
    }
}

/// A mesh that touches: as it is if it is closed, turned over if it is inside out, and its convex
/// hull if it has holes.
fn solid(mut mesh: TriangleMesh, tag: &Tag, reader: &mut Reader) -> Option<Shape> {
    let mut made = Shape::mesh(mesh.vertices.clone(), mesh.triangles.clone());
    let message = match made {
        Err(ShapeError::InsideOut { .. }) => {
            flip_winding(&mut mesh.triangles);
            made = Shape::mesh(mesh.vertices, mesh.triangles);
            "the mesh is inside out and was turned over"
        }
        Err(ShapeError::Open { .. } | ShapeError::MixedWinding { .. }) => {
            made = Shape::convex_hull(&mesh.vertices);
            "the mesh is not closed; its convex hull is used"
        }
        _ => "",
    };
    match made {
        Ok(shape) => {
            if !message.is_empty() {
                reader.remark(RemarkKind::Changed, tag.start(), tag.path(), message);
            }
            Some(shape)
        }
        Err(error) => {
            note_shape_error(&error, tag, reader);
            None
        }
    }
}

fn note_shape_error(error: &ShapeError, tag: &Tag, reader: &mut Reader) {
    let text = error.to_string();
    let (message, cure) = text.split_once("; ").unwrap_or((&text, "change the shape"));
    reader.wrong(&tag.place(), message, cure);
}

fn note_mesh_error(error: MeshError, tag: &Tag, reader: &mut Reader) {
    let message = match (error.inside, tag.text("filename")) {
        (true, Some(file)) => format!("`{file}`: {}", error.message),
        _ => error.message,
    };
    reader.wrong(&tag.field("filename"), message, error.cure);
}
