//! A body that the page wishes for, as an entry of a scene file.

use super::BadCommand;
use super::command::{bad, vector};
use serde::Deserialize;
use serde_json::{Value, json};

/// A body to add; numbers in SI units.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    /// `box`, `ball`, `capsule` or `mesh`.
    pub kind: String,
    /// Its edges, along its axes; a ball has the first as its diameter, a capsule the first as its
    /// diameter and the last as its length [m]. Of a mesh what to multiply its coordinates by.
    pub size: [f64; 3],
    /// The uploaded file of a mesh.
    #[serde(default)]
    pub file: String,
    /// Where its origin is, world axes [m].
    pub position: [f64; 3],
    /// How fast it flies, world axes [m/s].
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Density [kg/m³].
    pub density: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Restitution, 0 to 1.
    pub restitution: f64,
}

/// Edges that can be handled \[m\], and factors for meshes.
const SIZES: std::ops::RangeInclusive<f64> = 1e-5..=1e3;

impl Wish {
    /// Its entry in a scene file, under a name that nobody has.
    ///
    /// # Errors
    /// A number out of range, a kind that there is not.
    pub fn entry(&self, taken: impl Fn(&str) -> bool) -> Result<Value, BadCommand> {
        if !self.size.iter().all(|s| SIZES.contains(s)) {
            return bad("size", "give three numbers from 1e-5 to 1000");
        }
        if !(1e-3..=1e6).contains(&self.density) {
            return bad("density", "give 0.001 to 1e6 kg/m³");
        }
        if !(0.0..=100.0).contains(&self.friction) || !(0.0..=1.0).contains(&self.restitution) {
            return bad("material", "give a friction of 0 to 100 and a restitution of 0 to 1");
        }
        let position = vector("position", self.position)?;
        let velocity = vector("velocity", self.velocity)?;
        let [x, y, z] = self.size;
        let shape = match self.kind.as_str() {
            "box" => json!({ "box": { "size": [x, y, z] } }),
            "ball" => json!({ "sphere": { "radius": 0.5 * x } }),
            "capsule" => {
                let half = 0.5 * (z - x).max(1e-3 * x);
                json!({ "capsule": { "radius": 0.5 * x, "half_length": half } })
            }
            "mesh" if crate::files::is_plain_path(&self.file) => {
                json!({ "mesh": { "file": self.file, "scale": self.size } })
            }
            "mesh" => return bad("file", "give the name of a mesh that was dropped"),
            _ => return bad("kind", "give `box`, `ball`, `capsule` or `mesh`"),
        };
        let stem = match self.file.rsplit('/').next().and_then(|f| f.split('.').next()) {
            Some(stem) if self.kind == "mesh" && !stem.is_empty() => stem,
            _ => self.kind.as_str(),
        };
        let names = (1..).map(|n| format!("{stem} {n}"));
        let name = names.take(100_000).find(|name| !taken(name)).unwrap_or_default();
        Ok(json!({
            "name": name,
            "shape": shape,
            "density": self.density,
            "position": position.as_slice(),
            "velocity": velocity.as_slice(),
            "material": { "friction": self.friction, "restitution": self.restitution },
        }))
    }
}
