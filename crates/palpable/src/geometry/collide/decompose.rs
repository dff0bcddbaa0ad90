//! A solid mesh as convex pieces, exactly.

use super::super::hull::convex_hull;
use super::super::mass_polyhedron;
use super::super::shape::Shape;
use super::super::surface::ClosedSurface;
use super::collision_error::CollisionError;
use super::collision_shape::{CollisionShape, Form};
use super::convex::Solid;
use super::frame::Frame;
use super::polyhedron::Polyhedron;
use crate::math::Vec3;

/// Heights below this share of the size lie in a plane.
const IN_PLANE: f64 = 1e-9;
/// Pieces below this share of the whole volume are rounding noise.
const NOTHING: f64 = 1e-12;

impl CollisionShape {
    /// A mesh cut into at most `most` convex pieces, so that it can move and meet other meshes;
    /// any other solid as it is.
    ///
    /// Space is halved by planes of faces that stick out of the rest, until the surface inside
    /// each cell is that of a convex body.
    /// # Guarantee
    /// The pieces fill the mesh up to rounding and overlap nowhere. Made for machined parts: a
    /// curved hollow needs about as many pieces as it has faces.
    pub fn decomposed(shape: &Shape, most: usize) -> Result<Self, CollisionError> {
        let plain = Self::new(shape)?;
        let Shape::Mesh { surface } = shape else { return Ok(plain) };
        if plain.is_convex() {
            return Ok(plain);
        }
        let mut cutter = Cutter::new(surface, shape.volume());
        let mut todo = vec![cutter.start()?];
        let mut pieces = Vec::new();
        while let Some(cell) = todo.pop() {
            match cutter.plane_for(&cell) {
                Some(plane) => todo.extend(cutter.halves(&cell, &plane)),
                None => pieces.extend(cutter.leaf(&cell)),
            }
            if pieces.len() > most || todo.len() > 64 * (most + 16) {
                return Err(CollisionError::TooManyPieces { most });
            }
        }
        let here = Frame::identity();
        let made = pieces.iter().map(|s| (here, Solid::hull(Polyhedron::new(s)))).collect();
        Ok(Self { form: Form::Compound(made) })
    }
}

/// Unit normal outwards and offset.
#[derive(Debug, Clone, Copy)]
struct Plane {
    n: Vec3,
    d: f64,
}

impl Plane {
    fn height(&self, p: &Vec3) -> f64 {
        p.dot(&self.n) - self.d
    }

    fn flipped(&self) -> Plane {
        Plane { n: -self.n, d: -self.d }
    }
}

/// A part of a face of the mesh.
#[derive(Debug, Clone)]
struct Fragment {
    plane: Plane,
    corners: Vec<Vec3>,
}

/// A convex part of space and the surface inside it.
struct Cell {
    hull: ClosedSurface,
    fragments: Vec<Fragment>,
}

struct Cutter<'a> {
    surface: &'a ClosedSurface,
    size: f64,
    volume: f64,
}

impl<'a> Cutter<'a> {
    fn new(surface: &'a ClosedSurface, volume: f64) -> Self {
        let size = surface.vertices().iter().map(|v| v.norm()).fold(0.0, f64::max);
        Self { surface, size, volume }
    }

    /// The hull of the mesh and all faces that are not part of it.
    fn start(&self) -> Result<Cell, CollisionError> {
        let hull = convex_hull(self.surface.vertices())?;
        let vertices = self.surface.vertices();
        let faces = self.surface.triangles().iter().filter_map(|t| {
            let [a, b, c] = t.map(|i| vertices[i as usize]);
            let n = (b - a).cross(&(c - a)).try_normalize(0.0)?;
            Some(Fragment { plane: Plane { n, d: n.dot(&a) }, corners: vec![a, b, c] })
        });
        Ok(Cell { hull, fragments: faces.collect() })
    }

    fn tolerance(&self) -> f64 {
        IN_PLANE * self.size
    }

    /// A face with some of the surface in front of it, that which cuts the fewest others; `None`
    /// if the surface is convex here.
    fn plane_for(&mut self, cell: &Cell) -> Option<Plane> {
        let tol = self.tolerance();
        let mut best: Option<(usize, Plane)> = None;
        for f in &cell.fragments {
            let (mut front, mut cuts) = (0, 0);
            for g in &cell.fragments {
                let above = g.corners.iter().any(|p| f.plane.height(p) > tol);
                let below = g.corners.iter().any(|p| f.plane.height(p) < -tol);
                front += usize::from(above);
                cuts += usize::from(above && below);
            }
            if front > 0 && best.is_none_or(|(least, _)| cuts < least) {
                best = Some((cuts, f.plane));
            }
        }
        best.map(|(_, plane)| plane)
    }

    /// The parts of a cell behind and in front of a plane; flat ones vanish.
    fn halves(&self, cell: &Cell, plane: &Plane) -> Vec<Cell> {
        let part = |plane: &Plane| {
            let hull = self.behind(&cell.hull, plane)?;
            let cut = |f: &Fragment| self.fragment_behind(f, plane);
            Some(Cell { hull, fragments: cell.fragments.iter().filter_map(cut).collect() })
        };
        [plane.flipped(), *plane].iter().filter_map(part).collect()
    }

    /// The part of a convex body behind a plane, if it has a volume.
    fn behind(&self, hull: &ClosedSurface, plane: &Plane) -> Option<ClosedSurface> {
        let tol = self.tolerance();
        let vertices = hull.vertices();
        let mut points: Vec<_> =
            vertices.iter().filter(|p| plane.height(p) <= tol).copied().collect();
        if points.len() == vertices.len() {
            return Some(hull.clone());
        }
        for [a, b, c] in hull.triangles() {
            for (i, j) in [(a, b), (b, c), (c, a)].into_iter().filter(|(i, j)| i < j) {
                let (p, q) = (vertices[*i as usize], vertices[*j as usize]);
                points.extend(crossing(plane, &p, &q, tol));
            }
        }
        let part = convex_hull(&points).ok()?;
        let volume = mass_polyhedron::solid(1.0, &part).mass;
        (volume > NOTHING * self.volume).then_some(part)
    }

    fn fragment_behind(&self, f: &Fragment, plane: &Plane) -> Option<Fragment> {
        let tol = self.tolerance();
        let mut corners = Vec::new();
        for (k, p) in f.corners.iter().enumerate() {
            if plane.height(p) <= tol {
                corners.push(*p);
            }
            let q = &f.corners[(k + 1) % f.corners.len()];
            corners.extend(crossing(plane, p, q, tol));
        }
        // what lies in the plane itself bounds the cell already
        let inside = corners.iter().any(|p| plane.height(p) < -tol);
        inside.then_some(Fragment { plane: f.plane, corners })
    }

    /// What the mesh fills of a cell in which its surface is convex.
    fn leaf(&self, cell: &Cell) -> Option<ClosedSurface> {
        if cell.fragments.is_empty() {
            let vertices = cell.hull.vertices();
            let middle = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
            return (self.winding(&middle) > 0.5).then(|| cell.hull.clone());
        }
        let mut piece = cell.hull.clone();
        for f in &cell.fragments {
            piece = self.behind(&piece, &f.plane)?;
        }
        Some(piece)
    }

    /// How often the surface runs around a point: 1 inside, 0 outside, by solid angles.
    fn winding(&self, p: &Vec3) -> f64 {
        let vertices = self.surface.vertices();
        let angle = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| vertices[i as usize] - p);
            let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
            let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * a.cross(&b).dot(&c).atan2(below)
        };
        self.surface.triangles().iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }
}

/// Where an edge crosses a plane, if its ends lie well on either side.
fn crossing(plane: &Plane, p: &Vec3, q: &Vec3, tol: f64) -> Option<Vec3> {
    let (hp, hq) = (plane.height(p), plane.height(q));
    let crosses = hp > tol && hq < -tol || hp < -tol && hq > tol;
    crosses.then(|| p + (q - p) * (hp / (hp - hq)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_without_surface_is_kept_inside_and_dropped_outside() {
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let surface = convex_hull(&corners).expect("a tetrahedron");
        let cutter = Cutter::new(&surface, 1.0 / 6.0);
        for (place, inside) in [(Vec3::repeat(0.1), true), (Vec3::repeat(0.6), false)] {
            let small: Vec<_> = corners.iter().map(|p| p * 1e-3 + place).collect();
            let hull = convex_hull(&small).expect("a cell");
            let winding = cutter.winding(&place);
            assert!((winding - f64::from(u8::from(inside))).abs() < 1e-12, "{winding}");
            let cell = Cell { hull, fragments: Vec::new() };
            assert_eq!(cutter.leaf(&cell).is_some(), inside);
        }
    }
}
