//! Scene files of palpable: text to [`palpable::Model`], and how to run it.
//!
//! A scene is a TOML (or JSON) file with bodies, springs, dampers, joints, ports, scripts, step
//! policy, scheme and what to record. Numbers are in SI units, or texts with a unit such as
//! `"2 kN/m"`. Every mistake is reported at once, with file, line, column, field and cure.
//!
//! ```
//! use palpable_scene::Scene;
//! # fn main() -> Result<(), palpable_scene::SceneErrors> {
//! let scene = Scene::parse(
//!     r#"
//!     version = 1
//!     [[body]]
//!     name = "ball"
//!     shape = { sphere = { radius = "5 cm" } }
//!     mass = "200 g"
//!     [[spring]]
//!     a = { body = "ball" }
//!     b = { world = [0, 0, 1] }
//!     stiffness = "2 kN/m"
//!     "#,
//!     "ball.toml",
//! )?;
//! let world = scene.build()?.world();
//! assert_eq!(world.energy().elastic, 1000.0);
//!
//! let errors = Scene::parse("version = 1\n[[body]]\nnmae = \"ball\"", "x.toml").unwrap_err();
//! assert!(errors.to_string().contains("x.toml:3:1: body.nmae: there is no field `nmae`"));
//! # Ok(())
//! # }
//! ```

mod assemble;
mod built;
mod csv_file;
mod dimension;
mod document;
mod error;
mod guide;
mod mesh_file;
mod moved;
mod place;
mod quantity;
mod read;
mod record;
mod scene;
mod script;
mod shelf;
mod steps;
mod suggest;
mod tree;
pub mod urdf;
mod warning;

pub use built::{Built, ChainJoint, End, Included, Look, Staging};
pub use error::{SceneError, SceneErrors};
pub use mesh_file::TriangleMesh;
pub use record::{Named, RecordPlan};
pub use scene::Scene;
pub use script::Script;
pub use steps::Steps;
pub use suggest::nearest;
pub use urdf::{Remark, RemarkKind, Robot};
