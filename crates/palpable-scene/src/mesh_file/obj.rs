//! OBJ files.

use super::TriangleMesh;
use palpable::Vec3;
use std::io::Cursor;

/// All objects of the file as one mesh; materials are not read.
pub(super) fn read(bytes: &[u8]) -> Result<TriangleMesh, String> {
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
    let mut all = TriangleMesh::default();
    for model in models {
        let positions = model.mesh.positions.chunks_exact(3);
        let vertices: Vec<_> = positions.map(|p| Vec3::new(p[0], p[1], p[2])).collect();
        let corners = model.mesh.indices.chunks_exact(3);
        let triangles: Vec<_> = corners.map(|c| [c[0], c[1], c[2]]).collect();
        all.append(&vertices, &triangles)?;
    }
    Ok(all)
}
