//! STL files, binary or ASCII.

use super::TriangleMesh;
use palpable::Vec3;
use std::collections::HashMap;

/// Bytes before the triangles of a binary file, and of each triangle.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

/// Reads either form. A binary file is known by its length: its header may well begin with the
/// word `solid`, by which ASCII files are known.
pub(super) fn read(bytes: &[u8]) -> Result<TriangleMesh, String> {
    if bytes.is_empty() {
        return Err("the file is empty".to_owned());
    }
    let count = bytes.get(80..HEADER).map(number).map(u32::from_le_bytes);
    let length = |n: u32| (n as usize).checked_mul(TRIANGLE).map(|l| l.saturating_add(HEADER));
    if count.and_then(length).is_some_and(|l| l == bytes.len()) {
        return Ok(read_binary(&bytes[HEADER..]));
    }
    let start = bytes.trim_ascii_start();
    if !start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) {
        let words = match count {
            Some(n) => format!("{n} triangles do not fit its {} bytes", bytes.len()),
            None => "it is too short".to_owned(),
        };
        return Err(format!("this is neither an ASCII nor a whole binary STL file: {words}"));
    }
    read_ascii(start)
}

fn number(bytes: &[u8]) -> [u8; 4] {
    let mut four = [0; 4];
    four.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    four
}

/// Triangles of a normal, three corners and two bytes.
fn read_binary(bytes: &[u8]) -> TriangleMesh {
    let mut corners = Corners::default();
    for triangle in bytes.chunks_exact(TRIANGLE) {
        let coordinate = |i: usize| f64::from(f32::from_le_bytes(number(&triangle[12 + 4 * i..])));
        let vertex = |c: usize| Vec3::from([3 * c, 3 * c + 1, 3 * c + 2].map(coordinate));
        corners.open.extend([0, 1, 2].map(vertex));
        // three corners make a triangle
        let _ = corners.close();
    }
    corners.mesh
}

/// Facets of one loop of three vertices each; case does not matter.
fn read_ascii(bytes: &[u8]) -> Result<TriangleMesh, String> {
    let (mut corners, mut is_whole) = (Corners::default(), false);
    for (number, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let line = String::from_utf8_lossy(line);
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or_default().to_ascii_lowercase();
        let wrong = |what: &str| format!("line {}: {what}", number + 1);
        match word.as_str() {
            "vertex" => {
                let numbers: Vec<f64> = words.map_while(|w| w.parse().ok()).collect();
                let [x, y, z] = numbers[..] else {
                    return Err(wrong("a vertex needs three numbers"));
                };
                corners.open.push(Vec3::new(x, y, z));
            }
            "endloop" => corners.close().map_err(|found| {
                wrong(&format!("a loop of {found} vertices, where triangles have 3"))
            })?,
            "endsolid" => is_whole = true,
            "" | "solid" | "facet" | "outer" | "endfacet" => {}
            _ => return Err(wrong(&format!("`{word}` is not a word of STL"))),
        }
    }
    if !is_whole || !corners.open.is_empty() {
        return Err("the file ends before `endsolid`".to_owned());
    }
    Ok(corners.mesh)
}

/// Triangles so far, and the corners of the next.
#[derive(Default)]
struct Corners {
    mesh: TriangleMesh,
    seen: HashMap<[u64; 3], u32>,
    open: Vec<Vec3>,
}

impl Corners {
    /// Makes a triangle of the open corners, or says how many there are.
    fn close(&mut self) -> Result<(), usize> {
        let corners: [Vec3; 3] =
            std::mem::take(&mut self.open).try_into().map_err(|open: Vec<_>| open.len())?;
        self.mesh.triangles.push(corners.map(|at| {
            // adding zero makes -0 and 0 one vertex
            let key = [0, 1, 2].map(|i: usize| (at[i] + 0.0).to_bits());
            *self.seen.entry(key).or_insert_with(|| {
                self.mesh.vertices.push(at);
                // 2^32 vertices of 24 bytes are more than a file that was read can hold
                (self.mesh.vertices.len() - 1) as u32
            })
        }));
        Ok(())
    }
}
