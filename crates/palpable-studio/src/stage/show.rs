//! A scene made ready for the stage, outside the servo thread.

use super::Coupling;
use palpable::model::{Kind, SystemInfo};
use palpable::{BodyId, Model, Options, Penalty, Scheme, World};
use palpable_scene::{Built, Look, Scene, Script, Staging, Steps};
use std::sync::Arc;

/// A scene, ready to run.
#[derive(Debug, Clone)]
pub struct Show {
    /// Its id in the gallery, or the name of its file.
    pub id: String,
    /// Its title.
    pub name: String,
    /// What it shows.
    pub description: String,
    /// The frozen model.
    pub model: Model,
    /// Scheme, tolerances, tank.
    pub options: Options,
    /// What enters at the scene's own ports.
    pub script: Script,
    /// Step lengths.
    pub steps: Steps,
    /// Ids of the bodies in the order of the model.
    pub bodies: Vec<BodyId>,
    /// Places in `bodies` of those along beams, which have no shape of their own.
    pub lines: Vec<Vec<usize>>,
    /// The coupling of the hand to begin with.
    pub coupling: Coupling,
    /// What bodies look like where their shapes do not tell.
    pub looks: Vec<Look>,
    /// Viewpoint, and what happens at the end.
    pub staging: Staging,
    /// Simulated time after which the scene is over [s].
    pub duration: f64,
    /// Width and thickness of the beams [m], in the order of `lines`, where they are known.
    pub sections: Vec<Option<[f64; 2]>>,
    /// Its chains and beams.
    pub systems: Vec<(String, palpable::SystemId)>,
    /// What it says and hardly means.
    pub warnings: Vec<String>,
    /// What edits made of the scene as it was written.
    pub made: Vec<super::Made>,
    /// What it was made from, so that it can be saved.
    pub scene: Option<Arc<Scene>>,
}

impl Show {
    /// Prepares a built scene.
    pub fn new(id: &str, built: Built) -> Self {
        let world = built.world();
        let count = built.model.bodies().len();
        let bodies: Vec<BodyId> = (0..count).filter_map(|i| world.body(i)).collect();
        let (sections, warnings) = (sections(&built), built.warnings());
        Self {
            id: id.to_owned(),
            sections,
            warnings,
            coupling: built.staging.hand.map_or_else(
                || suggested_coupling(&built.model),
                |[stiffness, damping]| Coupling { stiffness, damping, turning: 0.0 },
            ),
            looks: built.looks,
            duration: built.staging.after.unwrap_or(built.duration),
            staging: built.staging,
            lines: lines(&built.model),
            scene: None,
            made: Vec::new(),
            systems: built.systems,
            name: built.name,
            description: built.description,
            model: built.model,
            // rivals in a comparison hold contact and hard joints by springs
            options: Options { penalty: Some(Penalty::default()), ..built.options },
            script: built.script,
            steps: built.steps,
            bodies,
        }
    }

    /// A scene that can be saved again.
    ///
    /// # Errors
    /// Its mistakes.
    pub fn of_scene(id: &str, scene: Scene) -> Result<Self, palpable_scene::SceneErrors> {
        let show = Self::new(id, scene.build()?);
        Ok(Self { scene: Some(Arc::new(scene)), ..show })
    }

    /// A world at the start of the scene.
    pub fn world(&self) -> World {
        World::begin(self.model.clone(), self.options)
    }
}

/// A world like `world` under another scheme, in the same state.
pub(super) fn under(world: &World, scheme: Scheme) -> World {
    let mut other = world.clone();
    other.set_scheme(scheme);
    other
}

/// True for a beam: it has more places along it than freedoms.
fn is_beam(system: &SystemInfo) -> bool {
    system.law.freedoms() < system.law.links()
}

/// The nodes of every beam.
fn lines(model: &Model) -> Vec<Vec<usize>> {
    let place = |moving| model.bodies().iter().position(|b| b.moving == Some(moving));
    let line = |s: &SystemInfo| s.nodes.clone().map(place).collect::<Option<Vec<_>>>();
    model.systems().iter().filter(|s| is_beam(s)).filter_map(line).collect()
}

/// Width and thickness of every beam [m].
fn sections(built: &Built) -> Vec<Option<[f64; 2]>> {
    let beams = built.model.systems().iter().filter(|s| is_beam(s));
    let section = |name: &str| built.sections.iter().find(|(n, _)| n == name).map(|(_, s)| *s);
    beams.map(|s| section(&s.name)).collect()
}

/// A coupling that moves the scene's bodies briskly and stands up to its springs.
fn suggested_coupling(model: &Model) -> Coupling {
    let middle = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    let params = model.params();
    let mass =
        middle(params.bodies.iter().map(|b| b.mass).filter(|m| *m > 1e-9).collect()).unwrap_or(0.1);
    let total: f64 = params.bodies.iter().map(|b| b.mass).sum();
    let springs = model.elements().iter().zip(&params.elements);
    let springs = springs.filter(|(info, _)| !info.joint && matches!(info.kind, Kind::Point));
    let spring = middle(springs.map(|(_, p)| p.stiffness[0]).filter(|k| *k > 0.0).collect());
    // 4 Hz with the middle body; the whole weight held by 5 cm; at least the scene's own springs
    let weight = total * params.gravity.norm() / 0.05;
    let k = (mass * 600.0).max(weight).max(spring.unwrap_or(0.0)).clamp(1e-2, 1e5);
    let round = 10f64.powf((k.log10() * 10.0).round() / 10.0);
    Coupling { stiffness: round, damping: 0.7 * (round * mass).sqrt(), turning: 0.0 }
}
