//! Meshes that a scene names.

use super::Assembly;
use crate::mesh_file::{self, TriangleMesh};
use crate::place::{At, Elsewhere};

impl Assembly<'_> {
    /// Reads the mesh that the scene names, or notes why it cannot.
    pub(super) fn read_mesh(&mut self, file: &At<String>) -> Option<TriangleMesh> {
        let path = self.path(file);
        match mesh_file::read(&path, &self.shelf) {
            Ok(mesh) => Some(mesh),
            Err(error) => {
                let inside = error.inside.then(|| Elsewhere::line(path, 0));
                self.mistakes.add_elsewhere(&file.place, inside, error.message, error.cure);
                None
            }
        }
    }
}
