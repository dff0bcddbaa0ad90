//! How long a scene runs, by which scheme, and what is recorded.

use crate::dimension::{Duration, Energy, Loss, Tolerance};
use crate::place::{At, Mistakes, Place};
use crate::quantity::Quantity;
use crate::read::{Read, document, read_word, words};
use crate::tree::{Node, Value};
use palpable::Scheme;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

document! {
    /// How long a scene runs, and by which scheme.
    struct Run {
        required {}
        optional {
            /// Simulated time [s]; 1 s unless given.
            duration: Quantity<Duration>,
            /// Time-stepping scheme; "passive-midpoint" unless given.
            scheme: SchemeName,
            /// Error of a strain by a poor prediction [m or rad] above which a step is solved
            /// again.
            resolve_tolerance: Quantity<Tolerance>,
            /// The same error above which a step is divided.
            substep_tolerance: Quantity<Tolerance>,
            /// Parts a step may be divided into at most, 1 to 1000.
            max_substeps: u64,
            /// Loss on joint rows whose vibration the steps cannot resolve, 0 to 1; 0 keeps all
            /// energy.
            joint_loss: Quantity<Loss>,
            /// How the energy tank is run.
            tank: Tank,
        }
    }
}

document! {
    /// How the energy tank is run.
    struct Tank {
        required {}
        optional {
            /// Largest content [J].
            cap: Quantity<Energy>,
            /// Energy inside at the start [J]; at most the cap.
            grant: Quantity<Energy>,
            /// What becomes of energy that damping takes out of the motion.
            dissipation: Dissipate,
            /// What becomes of energy that a booking releases.
            surplus: Surplus,
        }
    }
}

words! {
    /// What becomes of dissipated energy.
    enum Dissipate {
        /// It fills the tank; it never goes back to motion.
        #[default]
        Keep = "keep",
        /// It is lost at once.
        Drop = "drop",
    }
}

words! {
    /// What becomes of booking surplus.
    enum Surplus {
        /// It stays in the tank.
        #[default]
        Keep = "keep",
        /// It goes back to the motion it came from.
        Return = "return",
    }
}

/// The engine's name of a scheme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SchemeName(pub Scheme);

impl Read for SchemeName {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        let words = Scheme::ALL.map(|scheme| (scheme.name(), scheme));
        read_word(node, &words, at, mistakes).map(Self)
    }
}

impl Serialize for SchemeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl JsonSchema for SchemeName {
    fn schema_name() -> Cow<'static, str> {
        "Scheme".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "enum": Scheme::ALL.map(Scheme::name),
            "description": "Time-stepping scheme.",
        })
    }
}

document! {
    /// What a recording holds.
    struct Record {
        required {}
        optional {
            /// Every how many steps; 1 unless given.
            every: u64,
            /// Energy accounts; true unless given.
            energy: bool,
            /// Poses and velocities of these bodies.
            bodies: Selection,
            /// Positions, velocities, forces and work of these ports.
            ports: Selection,
            /// Strains of these springs, dampers and joints.
            springs: Selection,
        }
    }
}

/// Some of the parts: true for all, false for none, or a list of names.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Selection {
    /// All or none.
    All(bool),
    /// These.
    Names(Vec<At<String>>),
}

impl Read for Selection {
    fn read(node: &Node, at: &Place, mistakes: &mut Mistakes) -> Option<Self> {
        match &node.value {
            Value::Bool(all) => Some(Self::All(*all)),
            Value::Array(_) => Read::read(node, at, mistakes).map(Self::Names),
            other => {
                let message = format!("this is {}, not a selection", other.kind());
                mistakes.add(at, message, "give true, false or a list of names");
                None
            }
        }
    }
}
