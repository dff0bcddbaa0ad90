//! Bodies and floors of shapes that the engine has no short name for.

use palpable::geometry::Isometry;
use palpable::{Body, CollisionShape, Rotation, Vec3};

/// Points on a side of a height field.
const FIELD: usize = 9;

/// An L-shaped prism as a mesh; each arm is twice `size` [m] long and half as wide.
pub fn bracket(name: impl Into<String>, size: f64) -> Body {
    let (vertices, triangles) = mesh_l(size);
    Body::mesh(name, vertices, triangles)
}

/// A flat floor of half side `side` [m] as a mesh.
pub fn plane(name: impl Into<String>, side: f64) -> Body {
    surface(name, 6, side, 0.0)
}

/// A floor of half side `side` [m] like a bowl, `depth` [m] deep.
pub fn bowl(name: impl Into<String>, side: f64, depth: f64) -> Body {
    surface(name, 12, side, depth)
}

fn surface(name: impl Into<String>, cells: u32, side: f64, depth: f64) -> Body {
    let (vertices, triangles) = mesh_grid(cells, side, depth);
    Body::new(name).fixed().collider(CollisionShape::triangle_mesh(vertices, triangles))
}

/// A box with a ball at each end; only its collider shows them.
pub fn dumbbell(name: impl Into<String>, size: f64) -> Body {
    let piece = |x: f64, shape| {
        let place = Isometry::from_parts(Vec3::new(x, 0.0, 0.0).into(), Rotation::identity());
        (place, shape)
    };
    let bar = CollisionShape::cuboid(Vec3::new(size, 0.2 * size, 0.2 * size));
    let collider = bar.and_then(|bar| {
        let ball = CollisionShape::sphere(0.4 * size)?;
        CollisionShape::compound(&[piece(0.0, bar), piece(size, ball.clone()), piece(-size, ball)])
    });
    Body::cuboid(name, [size, 0.4 * size, 0.4 * size]).collider(collider)
}

/// Bumps of a tenth of the half side `side` [m].
pub fn field(name: impl Into<String>, side: f64) -> Body {
    let bump = |i: usize, j: usize| 0.1 * side * ((i * 7 + j * 13) % 5) as f64 / 5.0;
    let heights = (0..FIELD).flat_map(|i| (0..FIELD).map(move |j| bump(i, j))).collect();
    let spacing = 2.0 * side / (FIELD - 1) as f64;
    let shape = CollisionShape::height_field(FIELD, [spacing; 2], heights);
    Body::new(name).fixed().collider(shape)
}

/// Vertices [m] and triangles of a mesh.
type Mesh = (Vec<Vec3>, Vec<[u32; 3]>);

/// A closed L-shaped prism, its faces looking outward.
fn mesh_l(size: f64) -> Mesh {
    let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
    let layer = |z: f64| outline.map(|(x, y)| Vec3::new((x - 0.8) * size, (y - 0.8) * size, z));
    let vertices = [layer(-0.5 * size), layer(0.5 * size)].concat();
    let mut triangles = Vec::new();
    for (a, b, c) in [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)] {
        triangles.push([a + 6, b + 6, c + 6]);
        triangles.push([a, c, b]);
    }
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.push([i, j, j + 6]);
        triangles.push([i, j + 6, i + 6]);
    }
    (vertices, triangles)
}

/// A square of `cells` × `cells` cells with half side `side` [m], raised by `depth` [m] at the
/// middle of each side like a paraboloid.
fn mesh_grid(cells: u32, side: f64, depth: f64) -> Mesh {
    let place = |i: u32| (f64::from(i) / f64::from(cells) * 2.0 - 1.0) * side;
    let vertex = |i, j| {
        let (x, y) = (place(i), place(j));
        Vec3::new(x, y, depth * (x * x + y * y) / (side * side))
    };
    let vertices = (0..=cells).flat_map(|i| (0..=cells).map(move |j| vertex(i, j))).collect();
    let mut triangles = Vec::new();
    for i in 0..cells {
        for j in 0..cells {
            let a = i * (cells + 1) + j;
            let (b, c, d) = (a + 1, a + cells + 1, a + cells + 2);
            triangles.push([a, c, d]);
            triangles.push([a, d, b]);
        }
    }
    (vertices, triangles)
}
