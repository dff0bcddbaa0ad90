//! OBJ files.

use super::TriangleMesh;
use palpable::Vec3;
use std::io::Cursor;

/// All objects of the file as one mesh; materials are not read.
pub(super) fn read(bytes: &[u8]) -> Result<TriangleMesh, String> {
    let models = load(bytes).map_err(|why| match bad_line(bytes) {
        Some(line) => format!("line {line}: {why}"),
        None => why,
    })?;
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

fn load(bytes: &[u8]) -> Result<Vec<tobj::Model>, String> {
    let options = tobj::LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..Default::default()
    };
    let none = |_: &std::path::Path| Ok((Vec::new(), Default::default()));
    let read = tobj::load_obj_buf(&mut Cursor::new(bytes), &options, none);
    read.map(|(models, _)| models).map_err(|e| e.to_string())
}

/// The line, from 1, at which a file that cannot be read goes wrong: the reader does not tell, but
/// everything before that line can be read. Not looked for in large files.
fn bad_line(bytes: &[u8]) -> Option<usize> {
    if bytes.len() > 1 << 20 {
        return None;
    }
    let ends = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1);
    let ends: Vec<usize> = ends.chain([bytes.len()]).collect();
    let good = ends.partition_point(|end| load(&bytes[..*end]).is_ok());
    (good < ends.len()).then_some(good + 1)
}
