//! palpable for Python: the engine as an extension module, `palpable._core`.
//!
//! The binding is thin: a class of Python holds a value of the engine, a method calls the method of
//! the same name, an error becomes an exception with the same words. What it adds: ids know their
//! model, descriptions and worlds can be pickled (`recipe`, `journal`), and long runs leave the
//! interpreter to other threads and hear Ctrl-C (`world`).

mod batch;
mod core;
mod coupling;
mod custom;
mod errors;
mod files;
mod fluent;
mod geometry;
mod haptics;
mod ids;
mod inputs;
mod journal;
mod made;
mod model;
mod options;
mod parts;
mod passivity;
mod pose;
mod recipe;
mod shown;
mod studio;
mod vector;
mod world;

use pyo3::prelude::*;

/// The compiled part of palpable.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::coupling::{
        CouplingAccount, CouplingSettings, Cutaneous, DeviceSide, Edge, Felt, FourChannel, Guard,
        Handle, ImpulseChannel, Mapped, Packet, PassivityObserver, PspmSettings, Synergy,
        Unilateral, VirtualCoupling, Workspace, WorldSide,
    };
    #[pymodule_export]
    use crate::errors::{
        BuildError, BusyError, ChangeError, CouplingError, DeviceError, ForeignError,
        PalpableError, PassivityError, RecordError, SceneError, StepError,
    };
    #[pymodule_export]
    use crate::files::{experiments, read, reproduce};
    #[pymodule_export]
    use crate::geometry::{
        Collider, CollisionPipeline, CollisionReport, Contact, Found, Groups, Impact, Manifold,
        Motion, Proximity, RayHit,
    };
    #[pymodule_export]
    use crate::haptics::{Servo, survey};
    #[pymodule_export]
    use crate::ids::{
        Anchor, BodyId, ElementId, PortId, SystemId, anchor, body_id, element_id, port_id,
        system_id,
    };
    #[pymodule_export]
    use crate::inputs::{Inputs, PortInput, inputs};
    #[pymodule_export]
    use crate::made::{load, parse, scenes, snapshot, world};
    #[pymodule_export]
    use crate::model::{Model, model};
    #[pymodule_export]
    use crate::parts::{
        Beam, Body, Chain, CollisionShape, Joint, Link, Material, Port, Shape, Spring,
    };
    #[pymodule_export]
    use crate::passivity::{
        DeviceNumbers, coupling, explain, mass, profile, tune, wall, wall_at, zwidth,
    };
    #[pymodule_export]
    use crate::pose::{Pose, Rotation, rotation};
    #[pymodule_export]
    use crate::recipe::remake;
    #[pymodule_export]
    use crate::shown::{Audit, Contacts, Flows, Ledger, PortOutput, Receipt, StepReport, Stored};
    #[pymodule_export]
    use crate::studio::{Studio, studio};
    #[pymodule_export]
    use crate::world::{Snapshot, World};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
