//! Builds the world of a scene.

mod chains;
mod forms;
mod joints;

pub use chains::wheel_places;
pub use joints::local_ends;

use crate::change::set_effort;
use crate::check::watch::{Closed, Watch};
use crate::drive::Drive;
use crate::scene::{BodySpec, DrivenSpec, Scene, rotation};
use palpable::{Anchor, Body, BodyId, Model, ModelBuilder, Options, Port, PortId, Surplus};
use palpable::{TankPolicy, World};
use std::collections::BTreeMap;

/// A world, and what is needed to drive and to check it.
pub struct Built {
    /// The world.
    pub world: World,
    /// Its bodies by the numbers of their descriptions.
    pub bodies: BTreeMap<usize, BodyId>,
    /// Its ports and how they are driven.
    pub driven: Vec<Driven>,
    /// What is to be checked.
    pub watch: Watch,
}

/// A port that is driven.
#[derive(Debug, Clone, Copy)]
pub struct Driven {
    /// Its number, from which its inputs are drawn.
    pub id: u64,
    /// The port.
    pub port: PortId,
    /// How it is driven.
    pub drive: Drive,
}

/// A world while it is built.
struct Site<'a> {
    scene: &'a Scene,
    model: ModelBuilder,
    bodies: BTreeMap<usize, BodyId>,
    joints: BTreeMap<usize, [Anchor; 2]>,
}

/// Builds the world of a scene, or says why the engine refuses it.
pub fn build(scene: &Scene) -> Result<Built, String> {
    let (bodies, joints) = (BTreeMap::new(), BTreeMap::new());
    let mut site = Site { scene, model: Model::builder(), bodies, joints };
    site.model.gravity(scene.gravity);
    site.model.contacts(scene.capacity);
    site.add_bodies();
    site.add_joints();
    site.add_chains()?;
    site.add_beams();
    site.add_gears();
    site.add_ports();
    let model = site.model.build().map_err(|error| error.to_string())?;
    let mut world = World::with_options(model, options(scene)).map_err(|e| e.to_string())?;
    if let Some(effort) = scene.effort {
        set_effort(&mut world, effort.sweeps, effort.newton_steps);
    }
    let driven = site.driven(&world)?;
    let watch = site.watch(&driven);
    Ok(Built { world, bodies: site.bodies, driven, watch })
}

/// Default options but for what the tank does with a surplus.
fn options(scene: &Scene) -> Options {
    let surplus = if scene.returns_surplus { Surplus::Return } else { Surplus::Keep };
    Options { tank: TankPolicy { surplus, ..Default::default() }, ..Default::default() }
}

/// Stiffness and damping of a reference port whose stiffness is `k` [N/m].
pub fn reference_gains(k: f64) -> [[f64; 6]; 2] {
    let turning = k * 1e-3;
    let stiffness = [k, k, k, turning, turning, turning];
    [stiffness, stiffness.map(|k| k * 1e-3)]
}

/// The same for a port that is attached live, whose rotation is damped like its motion.
pub fn attached_gains(k: f64) -> [[f64; 6]; 2] {
    [reference_gains(k)[0], [k * 1e-3; 6]]
}

impl Site<'_> {
    fn add_bodies(&mut self) {
        for spec in &self.scene.bodies {
            self.bodies.insert(spec.id, self.model.body(body(spec)));
        }
    }

    fn add_ports(&mut self) {
        for spec in self.scene.acting_ports() {
            let anchor = self.bodies[&spec.body].at(spec.at);
            let name = format!("p{}", spec.id);
            let port = match spec.drive {
                Drive::Reference { .. } => {
                    let [stiffness, damping] = reference_gains(spec.stiffness);
                    Port::reference(name, anchor, stiffness, damping)
                }
                _ => Port::force(name, anchor),
            };
            self.model.port(port);
        }
    }

    fn driven(&self, world: &World) -> Result<Vec<Driven>, String> {
        let driven = self.scene.driven().into_iter().map(|DrivenSpec { name, id, drive }| {
            let port = world.port_named(&name).ok_or_else(|| format!("no port {name}"))?;
            Ok(Driven { id, port, drive })
        });
        driven.collect()
    }

    fn watch(&self, driven: &[Driven]) -> Watch {
        let watched = self.scene.watched();
        let closed = watched.closed.into_iter().filter_map(|(id, offset)| {
            let ends = *self.joints.get(&id)?;
            Some(Closed { name: format!("j{id}"), ends, offset })
        });
        Watch {
            ports: driven.iter().map(|driven| driven.port).collect(),
            chains: watched.chains,
            beams: watched.beams,
            free: watched.free,
            above: watched.above.iter().map(|(id, radius)| (self.bodies[id], *radius)).collect(),
            closed: closed.collect(),
        }
    }
}

fn body(spec: &BodySpec) -> Body {
    let body = forms::body(&spec.form, format!("b{}", spec.id))
        .position(spec.position)
        .rotation(rotation(&spec.turn))
        .material(spec.material);
    if spec.fixed {
        return body.fixed();
    }
    let [linear, angular] = spec.damping;
    body.mass(spec.mass)
        .velocity(spec.velocity)
        .angular_velocity(spec.spin)
        .damping(linear, angular)
}
