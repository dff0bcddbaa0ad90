//! A surface of triangles with a tree over them.

use std::collections::HashMap;

use super::super::shape_error::{ShapeError, check_points};
use super::super::surface::merge_equal;
use super::collision_error::CollisionError;
use super::facet::Facet;
use super::frame::Aabb;
use super::tree::Tree;
use super::triangle::Triangle;
use crate::math::Vec3;

/// Triangles, who lies beyond each edge, and a tree of their boxes.
#[derive(Debug, Clone)]
pub(super) struct TriangleMesh {
    facets: Vec<Facet>,
    tree: Tree,
    pub bounds: Aabb,
}

impl PartialEq for TriangleMesh {
    fn eq(&self, other: &Self) -> bool {
        let corners = |m: &Self| m.facets.iter().map(|f| f.triangle.corners).collect::<Vec<_>>();
        corners(self) == corners(other)
    }
}

impl TriangleMesh {
    /// Checks coordinates and indices; triangles without area are left out.
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, CollisionError> {
        check_points("mesh vertices", &vertices)?;
        let vertex_count = vertices.len();
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertex_count) {
                Err(ShapeError::IndexOutOfRange { triangle, vertex, vertex_count })?;
            }
        }
        let first = merge_equal(&vertices);
        let merged: Vec<_> = triangles.iter().map(|t| t.map(|v| first[v as usize])).collect();
        let facets = facets(&vertices, &merged);
        if facets.is_empty() {
            return Err(CollisionError::NoArea);
        }
        let boxes: Vec<_> = facets.iter().map(|f| Aabb::around(f.triangle.corners)).collect();
        let mut tree = Tree::new(facets.len(), (0..facets.len() as u32).collect());
        tree.build(&boxes);
        let bounds = boxes.iter().fold(Aabb::NONE, |all, b| all.join(b));
        Ok(Self { facets, tree, bounds })
    }

    /// Calls `found` with every facet whose box overlaps.
    pub fn facets(&self, bounds: &Aabb, mut found: impl FnMut(&Facet)) {
        self.tree.overlaps(bounds, |i| found(&self.facets[i as usize]));
    }

    /// Calls `found` with every facet whose box `enter` accepts.
    pub fn walk(&self, enter: impl Fn(&Aabb) -> bool, mut found: impl FnMut(&Facet)) {
        self.tree.walk(enter, |i| found(&self.facets[i as usize]));
    }
}

fn facets(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Facet> {
    let at = |v: u32| vertices[v as usize];
    let mut far_corner = HashMap::new();
    for &[a, b, c] in triangles {
        far_corner.extend([((a, b), c), ((b, c), a), ((c, a), b)]);
    }
    let made = triangles.iter().enumerate().filter_map(|(index, &[a, b, c])| {
        let triangle = Triangle::new([at(a), at(b), at(c)])?;
        let across = |tail, head| far_corner.get(&(head, tail)).map(|&v| at(v));
        Some(Facet {
            index: index as u32,
            triangle,
            beyond: [across(a, b), across(b, c), across(c, a)],
        })
    });
    made.collect()
}
