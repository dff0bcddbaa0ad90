//! COLLADA (DAE) files: the triangles of the visual scene, in metres.
//!
//! Coordinates are taken as they stand: the up axis that a file declares does not turn them,
//! which is what viewers of robots do. Materials, skins and animations are not read.

use super::TriangleMesh;
use nalgebra::{Matrix4, Rotation3, Unit, Vector4};
use palpable::Vec3;
use roxmltree::{Document, Node};

/// Nodes of a scene may nest, and be placed by others, this deep.
const DEPTH: usize = 32;
/// A scene may place this many nodes and geometries.
const PLACED: usize = 20_000;
/// Text of geometries, counted each time they are placed [bytes].
const READ: usize = 256 << 20;

pub(super) fn read(bytes: &[u8]) -> Result<TriangleMesh, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "this is not UTF-8 text".to_owned())?;
    let document = Document::parse(text).map_err(|e| e.to_string())?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(format!("<{}> is not a COLLADA document", root.tag_name().name()));
    }
    let mut scene = Scene { root, mesh: TriangleMesh::default(), placed: 0, read: 0 };
    let top = Matrix4::new_scaling(unit(root)?);
    match descendant(root, "visual_scene") {
        Some(visual) => scene.place_children(visual, &top, 0)?,
        // a file without a scene is a library: take every geometry once
        None => {
            for geometry in root.descendants().filter(|n| n.is_tag("geometry")) {
                scene.place_geometry(geometry, &top)?;
            }
        }
    }
    Ok(scene.mesh)
}

/// Metres in a unit of the file.
fn unit(root: Node) -> Result<f64, String> {
    let asset = child(root, "asset").and_then(|asset| child(asset, "unit"));
    let Some(text) = asset.and_then(|unit| unit.attribute("meter")) else { return Ok(1.0) };
    match text.trim().parse::<f64>() {
        Ok(unit) if unit > 0.0 && unit.is_finite() => Ok(unit),
        _ => Err(format!("a unit of `{text}` metres")),
    }
}

/// What has been found so far.
struct Scene<'a, 't> {
    root: Node<'a, 't>,
    mesh: TriangleMesh,
    placed: usize,
    /// text of geometries that was read, as often as they were placed [bytes]
    read: usize,
}

impl<'a, 't> Scene<'a, 't> {
    fn place_children(
        &mut self,
        node: Node<'a, 't>,
        above: &Matrix4<f64>,
        depth: usize,
    ) -> Result<(), String> {
        if depth > DEPTH {
            return Err("nodes nest too deep, or hold themselves".to_owned());
        }
        self.count()?;
        let mut place = *above;
        for tag in node.children().filter(Node::is_element) {
            let name = tag.tag_name().name();
            match name {
                "node" => self.place_children(tag, &place, depth + 1)?,
                "instance_node" => {
                    let target = self.target(tag, "node")?;
                    self.place_children(target, &place, depth + 1)?;
                }
                "instance_geometry" => {
                    let target = self.target(tag, "geometry")?;
                    self.place_geometry(target, &place)?;
                }
                _ => place *= transform(tag)?,
            }
        }
        Ok(())
    }

    /// Nodes placed by nodes can be far more than the file has tags.
    fn count(&mut self) -> Result<(), String> {
        self.placed += 1;
        if self.placed > PLACED {
            return Err(format!("more than {PLACED} nodes and geometries are placed"));
        }
        Ok(())
    }

    /// The element that `url="#id"` means.
    fn target(&self, tag: Node, name: &str) -> Result<Node<'a, 't>, String> {
        let url = tag.attribute("url").unwrap_or_default();
        find(self.root, url)
            .filter(|n| n.tag_name().name() == name)
            .ok_or_else(|| format!("line {}: there is no {name} `{url}`", line(tag)))
    }

    fn place_geometry(&mut self, geometry: Node, place: &Matrix4<f64>) -> Result<(), String> {
        self.count()?;
        // splines and convex hulls by reference have no triangles of their own
        let Some(mesh) = child(geometry, "mesh") else { return Ok(()) };
        self.read += mesh.range().len();
        if self.read > READ {
            return Err(format!("geometries of more than {} MB are placed", READ >> 20));
        }
        let vertices = positions(mesh)?;
        let mut triangles = Vec::new();
        for tag in mesh.children().filter(Node::is_element) {
            if ["triangles", "polylist", "polygons"].contains(&tag.tag_name().name()) {
                read_faces(tag, vertices.len(), &mut triangles)?;
            }
        }
        let put = |v: &Vec3| (place * Vector4::new(v.x, v.y, v.z, 1.0)).xyz();
        let vertices: Vec<_> = vertices.iter().map(put).collect();
        // a node that mirrors turns every triangle over
        if place.fixed_view::<3, 3>(0, 0).determinant() < 0.0 {
            palpable::geometry::flip_winding(&mut triangles);
        }
        self.mesh.append(&vertices, &triangles)
    }
}

/// The transformation of one tag of a node; other tags move nothing.
fn transform(tag: Node) -> Result<Matrix4<f64>, String> {
    let name = tag.tag_name().name();
    let count = match name {
        "matrix" => 16,
        "rotate" => 4,
        "translate" | "scale" => 3,
        _ => return Ok(Matrix4::identity()),
    };
    let v = numbers(tag)?;
    if v.len() != count {
        return Err(format!("line {}: <{name}> needs {count} numbers", line(tag)));
    }
    Ok(match name {
        "matrix" => Matrix4::from_row_slice(&v),
        "translate" => Matrix4::new_translation(&Vec3::new(v[0], v[1], v[2])),
        "scale" => Matrix4::new_nonuniform_scaling(&Vec3::new(v[0], v[1], v[2])),
        _ => match Unit::try_new(Vec3::new(v[0], v[1], v[2]), 1e-12) {
            Some(axis) => Rotation3::from_axis_angle(&axis, v[3].to_radians()).to_homogeneous(),
            None => Matrix4::identity(),
        },
    })
}

/// Positions of the vertices of a mesh.
fn positions(mesh: Node) -> Result<Vec<Vec3>, String> {
    let inputs = child(mesh, "vertices").into_iter().flat_map(|v| v.children());
    let source = inputs
        .filter(|n| n.attribute("semantic") == Some("POSITION"))
        .find_map(|n| find(mesh, n.attribute("source")?))
        .ok_or_else(|| format!("line {}: a mesh without positions", line(mesh)))?;
    let values = child(source, "float_array").map(numbers).transpose()?.unwrap_or_default();
    let accessor = descendant(source, "accessor");
    let stride = accessor.and_then(|a| a.attribute("stride")?.parse().ok()).unwrap_or(3);
    if !(3..=64).contains(&stride) {
        return Err(format!("line {}: positions of {stride} numbers each", line(source)));
    }
    Ok(values.chunks_exact(stride).map(|p| Vec3::new(p[0], p[1], p[2])).collect())
}

/// Faces as triangles; those with more corners become fans.
fn read_faces(tag: Node, vertices: usize, out: &mut Vec<[u32; 3]>) -> Result<(), String> {
    let offset = |n: Node| n.attribute("offset").and_then(|o| o.parse::<usize>().ok()).unwrap_or(0);
    let inputs: Vec<_> = tag.children().filter(|n| n.is_tag("input")).collect();
    let stride = inputs.iter().map(|n| offset(*n)).max().unwrap_or(0).saturating_add(1);
    let vertex = inputs.iter().find(|n| n.attribute("semantic") == Some("VERTEX"));
    let vertex = vertex.map_or(0, |n| offset(*n));
    let lists = tag.children().filter(|n| n.is_tag("p"));
    let lists = lists.map(|n| integers(n)).collect::<Result<Vec<_>, _>>()?;
    let counts = match (tag.tag_name().name(), child(tag, "vcount")) {
        ("polylist", Some(vcount)) => Some(integers(vcount)?),
        _ => None,
    };
    let is_polygons = tag.tag_name().name() == "polygons";
    for list in lists {
        let corners: Vec<u32> = list.chunks_exact(stride).map(|c| c[vertex]).collect();
        if let Some(bad) = corners.iter().find(|i| **i as usize >= vertices) {
            return Err(format!("line {}: vertex {bad} of {vertices}", line(tag)));
        }
        let mut rest = &corners[..];
        let sizes = counts.iter().flatten().map(|n| *n as usize);
        let whole = if is_polygons { corners.len() } else { 3 };
        for size in sizes.chain(std::iter::repeat(whole)) {
            if rest.is_empty() || size == 0 || size > rest.len() {
                break;
            }
            let (face, after) = rest.split_at(size);
            out.extend((2..face.len()).map(|i| [face[0], face[i - 1], face[i]]));
            rest = after;
        }
    }
    Ok(())
}

fn numbers(tag: Node) -> Result<Vec<f64>, String> {
    parse_words(tag, "number")
}

fn integers(tag: Node) -> Result<Vec<u32>, String> {
    parse_words(tag, "whole number")
}

fn parse_words<T: std::str::FromStr>(tag: Node, what: &str) -> Result<Vec<T>, String> {
    let words = tag.text().unwrap_or_default().split_whitespace();
    let parse =
        |w: &str| w.parse().map_err(|_| format!("line {}: `{w:.20}` is not a {what}", line(tag)));
    words.map(parse).collect()
}

fn child<'a, 't>(node: Node<'a, 't>, name: &str) -> Option<Node<'a, 't>> {
    node.children().find(|n| n.is_tag(name))
}

fn descendant<'a, 't>(node: Node<'a, 't>, name: &str) -> Option<Node<'a, 't>> {
    node.descendants().find(|n| n.is_tag(name))
}

/// The element below `node` with the id of `#id`.
fn find<'a, 't>(node: Node<'a, 't>, url: &str) -> Option<Node<'a, 't>> {
    let id = url.strip_prefix('#')?;
    node.descendants().find(|n| n.attribute("id") == Some(id))
}

fn line(node: Node) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

/// Names without regard to the namespace, which COLLADA files have and URDF files have not.
trait LocalName {
    fn is_tag(&self, name: &str) -> bool;
}

impl LocalName for Node<'_, '_> {
    fn is_tag(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A tetrahedron in centimetres, moved by 1 m along x and turned about z; quads and triangles.
    pub const DAE: &str = r##"<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="g-p"><float_array id="g-a" count="12">0 0 0 100 0 0 0 100 0 0 0 100</float_array>
      <technique_common><accessor source="#g-a" count="4" stride="3"/></technique_common>
    </source>
    <vertices id="g-v"><input semantic="POSITION" source="#g-p"/></vertices>
    <triangles count="2"><input semantic="VERTEX" source="#g-v" offset="0"/>
      <input semantic="NORMAL" source="#g-n" offset="1"/><p>0 0 2 0 1 0 0 0 1 0 3 0</p></triangles>
    <polylist count="2"><input semantic="VERTEX" source="#g-v" offset="0"/>
      <vcount>3 3</vcount><p>1 2 3 0 3 2</p></polylist>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node>
    <translate>100 0 0</translate><rotate>0 0 1 90</rotate>
    <instance_geometry url="#g"/>
  </node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>"##;

    #[test]
    fn a_scene_in_centimetres_is_placed_in_metres() {
        let mesh = read(DAE.as_bytes()).expect("a tetrahedron");
        let solid = palpable::Shape::mesh(mesh.vertices, mesh.triangles).expect("closed");
        let mass = solid.mass_properties(6.0);
        assert!((mass.mass - 1.0).abs() < 1e-14);
        // a quarter of each corner, turned by 90 degrees about z, then moved
        let expected = Vec3::new(1.0 - 0.25, 0.25, 0.25);
        assert!((mass.center_of_mass - expected).norm() < 1e-14);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let wrong = |from: &str, to: &str| read(DAE.replacen(from, to, 1).as_bytes());
        let error = wrong("<p>0 0 2", "<p>0 0 9").expect_err("no such vertex");
        assert!(error.contains("line 9") && error.contains("vertex 9 of 4"), "{error}");
        let error = wrong("0 0 1 90", "0 0 1").expect_err("no angle");
        assert!(error.contains("<rotate> needs 4 numbers"), "{error}");
        assert!(wrong("url=\"#g\"", "url=\"#h\"").expect_err("no geometry").contains("#h"));
        // a mirroring node keeps the inside
        let mesh = wrong("<rotate>0 0 1 90</rotate>", "<scale>1 -1 1</scale>").expect("mirrored");
        assert!(palpable::Shape::mesh(mesh.vertices, mesh.triangles).is_ok());
    }
}
