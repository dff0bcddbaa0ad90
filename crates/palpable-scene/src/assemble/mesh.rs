//! Triangle meshes from OBJ and STL files.

use super::Assembly;
use crate::place::{At, Elsewhere};
use palpable::Vec3;
use std::io::Cursor;

/// Vertices in the units of the file, and triangles.
type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

impl Assembly<'_> {
    /// Reads the mesh that the scene names, or notes why it cannot.
    pub(super) fn read_mesh(&mut self, file: &At<String>) -> Option<Triangles> {
        let path = self.path(file);
        let note = |message: String, cure: &str| (message, cure.to_owned());
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let read = match extension.to_str() {
            Some("obj") => read_obj,
            Some("stl") => read_stl,
            _ => {
                let message = format!("`{}` is neither an OBJ nor an STL file", file.value);
                self.mistakes.add(&file.place, message, "name a file ending in .obj or .stl");
                return None;
            }
        };
        let result = std::fs::read(&path)
            .map_err(|e| note(format!("cannot read `{}`: {e}", path.display()), "check the path"))
            .and_then(|bytes| {
                let cure = "export the mesh again as plain triangles";
                read(&bytes).map_err(|e| note(format!("`{}`: {e}", path.display()), cure))
            });
        match result {
            Ok(mesh) if mesh.1.is_empty() => {
                let place = Some(Elsewhere { file: path, line: 0 });
                let cure = "export a mesh with faces";
                self.mistakes.add_elsewhere(&file.place, place, "there are no triangles", cure);
                None
            }
            Ok(mesh) => Some(mesh),
            Err((message, cure)) => {
                self.mistakes.add(&file.place, message, cure);
                None
            }
        }
    }
}

/// All objects of the file as one mesh; materials are not read.
fn read_obj(bytes: &[u8]) -> Result<Triangles, String> {
    let options = tobj::LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..Default::default()
    };
    let (models, _) = tobj::load_obj_buf(&mut Cursor::new(bytes), &options, |_| {
        Ok((Vec::new(), Default::default()))
    })
    .map_err(|e| e.to_string())?;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for model in models {
        let base = u32::try_from(vertices.len()).map_err(|_| "too many vertices".to_owned())?;
        let mesh = model.mesh;
        vertices.extend(mesh.positions.chunks_exact(3).map(|p| Vec3::new(p[0], p[1], p[2])));
        for corners in mesh.indices.chunks_exact(3) {
            let shifted = [corners[0], corners[1], corners[2]].map(|i| i.checked_add(base));
            let [Some(a), Some(b), Some(c)] = shifted else {
                return Err("too many vertices".to_owned());
            };
            triangles.push([a, b, c]);
        }
    }
    Ok((vertices, triangles))
}

fn read_stl(bytes: &[u8]) -> Result<Triangles, String> {
    let mesh = stl_io::read_stl(&mut Cursor::new(bytes)).map_err(|e| e.to_string())?;
    let vertices = mesh.vertices.iter().map(|v| Vec3::from(v.0.map(f64::from))).collect();
    let corners = |face: &stl_io::IndexedTriangle| {
        let [a, b, c] = face.vertices.map(u32::try_from);
        Some([a.ok()?, b.ok()?, c.ok()?])
    };
    let triangles: Option<Vec<_>> = mesh.faces.iter().map(corners).collect();
    Ok((vertices, triangles.ok_or("too many vertices")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n\
                       f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    const STL: &str = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
                       vertex 0 1 0\nendloop\nendfacet\nendsolid s\n";

    #[test]
    fn meshes_keep_their_vertices_and_corners() {
        let (vertices, triangles) = read_obj(OBJ.as_bytes()).expect("a tetrahedron");
        let corners = triangles[1].map(|i| vertices[i as usize]);
        assert_eq!((vertices.len(), triangles.len()), (4, 4));
        assert_eq!(corners, [Vec3::zeros(), Vec3::x(), Vec3::z()]);
        let (vertices, triangles) = read_stl(STL.as_bytes()).expect("a triangle");
        assert_eq!((vertices.len(), triangles.len()), (3, 1));
    }

    #[test]
    fn broken_meshes_never_panic() {
        for (text, read) in [(OBJ, read_obj as fn(&[u8]) -> _), (STL, read_stl)] {
            let (mut seed, pool) = (1u64, b"0123456789-./ efvlnx\n\0\xff");
            for _ in 0..20_000 {
                let mut bytes = text.as_bytes().to_vec();
                for _ in 0..3 {
                    seed = crate::random::mix(seed.wrapping_add(1));
                    let at = (seed >> 8) as usize % bytes.len();
                    bytes[at] = pool[seed as usize % pool.len()];
                }
                let _ = read(&bytes);
            }
        }
    }
}
