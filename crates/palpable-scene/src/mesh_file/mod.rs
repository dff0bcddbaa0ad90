//! Triangle meshes from OBJ, STL and COLLADA (DAE) files.

mod dae;
mod obj;
mod stl;

use crate::shelf::{Kind, Shelf};
use palpable::Vec3;
use std::path::Path;

/// Triangles of a mesh, at most: a file can place the same ones over and over.
const MOST_TRIANGLES: usize = 1_000_000;

fn too_many() -> String {
    format!("there are more than {MOST_TRIANGLES} triangles, or three times as many vertices")
}

/// A triangle mesh as a file holds it: open or closed, wound either way.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TriangleMesh {
    /// Vertices [m], or in the units of the file before they are scaled.
    pub vertices: Vec<Vec3>,
    /// Corners of the triangles, by number of vertex from 0.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// Vertices with each coordinate multiplied by a factor; a mirrored mesh keeps its inside.
    pub fn scaled(mut self, factors: Vec3) -> Self {
        self.vertices.iter_mut().for_each(|v| v.component_mul_assign(&factors));
        if factors.iter().filter(|f| **f < 0.0).count() % 2 == 1 {
            palpable::geometry::flip_winding(&mut self.triangles);
        }
        self
    }

    /// Adds another mesh.
    ///
    /// # Errors
    /// There would be more vertices than 32 bits can count.
    fn append(&mut self, vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), String> {
        let many = || "too many vertices".to_owned();
        let most = [MOST_TRIANGLES, 3 * MOST_TRIANGLES];
        let sums = [self.triangles.len() + triangles.len(), self.vertices.len() + vertices.len()];
        if sums.iter().zip(most).any(|(sum, most)| *sum > most) {
            return Err(too_many());
        }
        let base = u32::try_from(self.vertices.len()).map_err(|_| many())?;
        for corners in triangles {
            let [Some(a), Some(b), Some(c)] = corners.map(|i| i.checked_add(base)) else {
                return Err(many());
            };
            self.triangles.push([a, b, c]);
        }
        self.vertices.extend_from_slice(vertices);
        Ok(())
    }
}

/// Why a mesh could not be read, and what to do about it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MeshError {
    pub message: String,
    pub cure: String,
    /// True if the file was read and is empty: the mistake is inside it.
    pub inside: bool,
}

/// True if a file with this ending can be read.
pub(crate) fn is_known(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    ["obj", "stl", "dae"].iter().any(|known| ending == *known)
}

/// Reads a mesh in the units of its file, which are metres for DAE.
pub(crate) fn read(path: &Path, shelf: &Shelf) -> Result<TriangleMesh, MeshError> {
    let error = |message: String, cure: &str| {
        let (cure, inside) = (cure.to_owned(), false);
        MeshError { message, cure, inside }
    };
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    let parse = match ending.to_str() {
        Some("obj") => obj::read,
        Some("stl") => stl::read,
        Some("dae") => dae::read,
        _ => {
            let message = format!("`{}` is neither an OBJ, an STL nor a DAE file", path.display());
            return Err(error(message, "name a file ending in .obj, .stl or .dae"));
        }
    };
    let bytes = shelf
        .bytes(path, Kind::Mesh)
        .map_err(|e| error(format!("cannot read `{}`: {e}", path.display()), "check the path"))?;
    let cure = "export the mesh again as plain triangles";
    let mesh = parse(&bytes).map_err(|e| error(format!("`{}`: {e}", path.display()), cure))?;
    if mesh.triangles.len() > MOST_TRIANGLES {
        let message = format!("`{}`: {}", path.display(), too_many());
        return Err(error(message, "simplify the mesh"));
    }
    if mesh.triangles.is_empty() {
        let error = error("there are no triangles".to_owned(), "export a mesh with faces");
        return Err(MeshError { inside: true, ..error });
    }
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron, one corner at the origin and the others one metre along the axes.
    pub const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n\
                       f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    const STL: &str = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
                       vertex 0 1 0\nendloop\nendfacet\nendsolid s\n";

    /// The tetrahedron as a binary file, its header beginning as an ASCII file does.
    fn binary() -> Vec<u8> {
        let mesh = obj::read(OBJ.as_bytes()).expect("a tetrahedron");
        let mut bytes = b"solid but binary".to_vec();
        bytes.resize(80, b' ');
        bytes.extend(4u32.to_le_bytes());
        for corners in &mesh.triangles {
            bytes.extend([0u8; 12]);
            for vertex in corners.map(|i| mesh.vertices[i as usize]) {
                vertex.iter().for_each(|c| bytes.extend((*c as f32).to_le_bytes()));
            }
            bytes.extend([0u8; 2]);
        }
        bytes
    }

    #[test]
    fn meshes_keep_their_vertices_and_corners() {
        let mesh = obj::read(OBJ.as_bytes()).expect("a tetrahedron");
        let corners = mesh.triangles[1].map(|i| mesh.vertices[i as usize]);
        assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (4, 4));
        assert_eq!(corners, [Vec3::zeros(), Vec3::x(), Vec3::z()]);
        let mesh = stl::read(STL.as_bytes()).expect("a triangle");
        assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (3, 1));
        let mesh = stl::read(&binary()).expect("a tetrahedron");
        let corners = mesh.triangles[1].map(|i| mesh.vertices[i as usize]);
        assert_eq!(corners, [Vec3::zeros(), Vec3::x(), Vec3::z()]);
    }

    #[test]
    fn a_mirrored_mesh_keeps_its_inside() {
        let mesh = obj::read(OBJ.as_bytes()).expect("a tetrahedron");
        for factors in [[1.0, 1.0, 1.0], [-1.0, 2.0, 1.0], [-1.0, -1.0, 3.0], [-1.0, -1.0, -1.0]] {
            let TriangleMesh { vertices, triangles } = mesh.clone().scaled(Vec3::from(factors));
            let solid = palpable::Shape::mesh(vertices, triangles).expect("closed, not inside out");
            let expected = factors.iter().product::<f64>().abs() / 6.0;
            assert!((solid.volume() - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn broken_meshes_never_panic() {
        type Parse = fn(&[u8]) -> Result<TriangleMesh, String>;
        let texts: [(&[u8], Parse); 4] = [
            (OBJ.as_bytes(), obj::read),
            (STL.as_bytes(), stl::read),
            (&binary(), stl::read),
            (dae::tests::DAE.as_bytes(), dae::read),
        ];
        for (text, read) in texts {
            let (mut seed, pool) = (1u64, b"0123456789-./ efvlnx\n\0\xff");
            for _ in 0..10_000 {
                let mut bytes = text.to_vec();
                for _ in 0..3 {
                    seed = palpable_random::mix(seed.wrapping_add(1));
                    let at = (seed >> 8) as usize % bytes.len();
                    bytes[at] = pool[seed as usize % pool.len()];
                }
                let _ = read(&bytes);
                let _ = read(&bytes[..(seed >> 20) as usize % bytes.len()]);
            }
        }
    }
}
