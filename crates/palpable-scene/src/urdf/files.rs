//! Files that a robot names: relative paths, `file://` and `package://`.

use crate::mesh_file::{self, MeshError, TriangleMesh};
use crate::shelf::{Kind, Shelf};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Where files are looked for, and those that were read.
pub(super) struct Files {
    /// Folder of the URDF file.
    folder: PathBuf,
    /// Folders that hold packages.
    packages: Vec<PathBuf>,
    shelf: Shelf,
    meshes: HashMap<PathBuf, Result<TriangleMesh, MeshError>>,
}

impl Files {
    pub fn new(folder: &Path, packages: &[PathBuf], shelf: &Shelf) -> Self {
        let (folder, packages) = (folder.to_owned(), packages.to_vec());
        Self { folder, packages, shelf: shelf.clone(), meshes: HashMap::new() }
    }

    /// The file that a name means.
    ///
    /// # Errors
    /// No such package, with the folders that were looked into.
    pub fn path(&self, name: &str) -> Result<PathBuf, MeshError> {
        if let Some(rest) = name.strip_prefix("package://").or(name.strip_prefix("model://")) {
            let (package, inside) = rest.split_once('/').unwrap_or((rest, ""));
            return self.in_package(package, inside);
        }
        Ok(self.folder.join(name.strip_prefix("file://").unwrap_or(name)))
    }

    /// Looks in the given folders, then in the folder of the file and those above it: for a
    /// folder named as the package, or one that is the package.
    fn in_package(&self, package: &str, inside: &str) -> Result<PathBuf, MeshError> {
        let absolute = std::path::absolute(&self.folder).unwrap_or(self.folder.clone());
        let above = absolute.ancestors().map(Path::to_owned);
        let folders = self.packages.iter().cloned().chain(above);
        let folders: Vec<PathBuf> = folders.filter(|folder| self.shelf.holds(folder)).collect();
        for folder in &folders {
            let is_it =
                folder.file_name().is_some_and(|n| n == package) || self.declares(folder, package);
            let found = if is_it { folder.join(inside) } else { folder.join(package).join(inside) };
            if !package.is_empty() && self.shelf.holds(&found) && found.is_file() {
                return Ok(found);
            }
        }
        let looked = folders.iter().take(4).map(|f| f.display().to_string());
        let looked: Vec<String> = looked.collect();
        Err(MeshError {
            message: format!("there is no file `{inside}` of a package `{package}`"),
            cure: format!(
                "put the folder `{package}` beside the URDF file, or name the folder that holds \
                 it by `packages` of [[include]]; looked in {} and above",
                looked.join(", ")
            ),
            inside: false,
        })
    }

    /// Reads a mesh, once.
    pub fn mesh(&mut self, path: &Path) -> Result<TriangleMesh, MeshError> {
        if let Some(known) = self.meshes.get(path) {
            return known.clone();
        }
        let read = mesh_file::read(path, &self.shelf);
        self.meshes.insert(path.to_owned(), read.clone());
        read
    }

    /// True if a folder has a `package.xml` of this name.
    fn declares(&self, folder: &Path, package: &str) -> bool {
        let Ok(text) = self.shelf.text(&folder.join("package.xml"), Kind::Text) else {
            return false;
        };
        let Ok(document) = roxmltree::Document::parse(&text) else { return false };
        let name = document.root_element().children().find(|n| n.has_tag_name("name"));
        name.and_then(|n| n.text()).is_some_and(|text| text.trim() == package)
    }
}
