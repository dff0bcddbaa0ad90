//! From descriptions to a frozen model, with every mistake reported at once.

use super::beam::{Beam, BeamLaw};
use super::body::{Anchor, Body, BodyId, MassSource};
use super::chain::Chain;
use super::chain_law::{ChainLaw, principal_frame};
use super::element_rows::Row;
use super::error::{BuildError, BuildErrors, Checker, LEAST_INERTIA, LIGHTEST};
use super::joint::Joint;
use super::lagrangian::{self, Lagrangian, Start};
use super::lineage::{self, Lineage};
use super::material::Material;
use super::slots::Parts;
use super::spring::{ElementId, Measure, Spring};
use super::system::SystemId;
use super::volume::VolumeMemory;
use super::{Model, Pose};
use crate::geometry::{MassProperties, Shape};
use crate::math::{Mat3, Vec3, Vec6};
use crate::port::PortId;
use std::sync::Arc;

/// A port to be added to a model: where a hand, a motor or a script holds on.
#[derive(Debug, Clone)]
pub struct Port {
    pub(super) name: String,
    pub(super) anchor: Anchor,
    pub(super) coupling: Option<(Vec6, Vec6)>,
    pub(super) drive: Option<Spring>,
    pub(super) limit: f64,
    /// place of its element among the elements, once it has one
    pub(super) element: Option<usize>,
}

impl Port {
    /// A port that takes forces and torques at `anchor`, which must be on a moving body.
    pub fn force(name: impl Into<String>, anchor: Anchor) -> Self {
        let (name, limit) = (name.into(), f64::INFINITY);
        Self { name, anchor, coupling: None, drive: None, limit, element: None }
    }

    /// A port whose input is a reference pose, joined to `anchor` by stiffness and damping:
    /// [N/m], [N·s/m] for the three offsets and [N·m/rad], [N·m·s/rad] for the three rotations.
    pub fn reference(
        name: impl Into<String>,
        anchor: Anchor,
        stiffness: impl Into<Vec6>,
        damping: impl Into<Vec6>,
    ) -> Self {
        let coupling = Some((stiffness.into(), damping.into()));
        Self { coupling, ..Self::force(name, anchor) }
    }

    /// A motor on a one-row measure such as [`Spring::angle`], [`Spring::slide`] or
    /// [`Spring::coordinate`]. It takes a torque or force ([`crate::PortInput::Effort`]), or a rate
    /// ([`crate::PortInput::Rate`]) that the measure's damping enforces: the torque is then
    /// `damping · (rate − actual)`. Stiffness makes it a position servo that moves at that rate.
    pub fn motor(name: impl Into<String>, measure: Spring) -> Self {
        let anchor = measure.ends[0];
        Self { drive: Some(measure), ..Self::force(name, anchor) }
    }

    /// The largest torque or force [N·m or N] that [`crate::PortInput::Effort`] may ask of a motor;
    /// more is cut off. Efforts that damping and stiffness give are not bounded.
    pub fn limit(mut self, effort: f64) -> Self {
        self.limit = effort;
        self
    }
}

/// Frames of a subsystem whose mass is spread over its coordinates.
const WEIGHTLESS: MassProperties = MassProperties {
    mass: 0.0,
    center_of_mass: Vec3::new(0.0, 0.0, 0.0),
    inertia: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
};

/// A subsystem to be added.
#[derive(Debug, Clone)]
pub(crate) struct System {
    pub name: String,
    pub law: Arc<dyn Lagrangian>,
    pub q: Vec<f64>,
    pub w: Vec<f64>,
    pub damping: Vec<f64>,
    pub first_body: usize,
    /// false if its description has mistakes
    pub sound: bool,
}

/// Whether bodies touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Touching {
    /// where there are shapes to touch, with room by their number
    #[default]
    Shapes,
    /// always, with room for so many contacts; 0 is room by the number of shapes
    Room(usize),
    Never,
}

/// Collects bodies, springs and ports; [`ModelBuilder::build`] freezes them. A world that runs
/// hands its own out to be changed: `World::edit`.
#[derive(Debug, Clone)]
pub struct ModelBuilder {
    pub(crate) bodies: Parts<Body>,
    /// `None` stands for the element of a port
    pub(crate) springs: Parts<Option<Spring>>,
    pub(crate) ports: Parts<Port>,
    pub(crate) systems: Parts<System>,
    /// mistakes found while parts were added or taken out
    pub(super) mistakes: Vec<BuildError>,
    pub(super) touching: Touching,
    pub(super) pairs: Vec<([BodyId; 2], Option<Material>)>,
    pub(super) gravity: Vec3,
    /// what was added and taken out so far
    pub(super) lineage: Lineage,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        let (bodies, springs, ports, systems, mistakes) = Default::default();
        let (touching, pairs) = Default::default();
        let (gravity, lineage) = (Vec3::zeros(), Lineage::default());
        Self { bodies, springs, ports, systems, mistakes, touching, pairs, gravity, lineage }
    }
}

impl ModelBuilder {
    /// Acceleration of gravity, world axes [m/s²]; none unless set.
    pub fn gravity(&mut self, gravity: impl Into<Vec3>) -> &mut Self {
        self.gravity = gravity.into();
        self
    }

    /// Room for so many contacts at a time, of which the deepest are kept; 0, as without this call,
    /// leaves that to the number of bodies. Bodies with a shape touch, fixed ones too, unless they
    /// are [`Body::ghost`]s or this is a model of [`ModelBuilder::ghosts`]. Bodies that a joint
    /// joins do not touch each other, nor do the links of one subsystem.
    pub fn contacts(&mut self, capacity: usize) -> &mut Self {
        self.touching = Touching::Room(capacity);
        self
    }

    /// Lets all bodies pass through each other; [`Model::ghosts`] begins so.
    pub fn ghosts(&mut self) -> &mut Self {
        self.touching = Touching::Never;
        self
    }

    /// The material where two bodies touch, whatever their own.
    pub fn contact_pair(&mut self, a: BodyId, b: BodyId, material: Material) -> &mut Self {
        self.pairs.push(([a, b], Some(material)));
        self
    }

    /// Two bodies that never touch.
    pub fn no_contact(&mut self, a: BodyId, b: BodyId) -> &mut Self {
        self.pairs.push(([a, b], None));
        self
    }

    /// Adds a body.
    pub fn body(&mut self, body: Body) -> BodyId {
        let mark = self.lineage.body(&body);
        BodyId(self.bodies.add(body, mark), mark)
    }

    /// Adds a spring, damper, joint or custom element.
    pub fn spring(&mut self, spring: impl Into<Spring>) -> ElementId {
        let spring = spring.into();
        let mark = self.lineage.element(&spring);
        ElementId(self.springs.add(Some(spring), mark), mark)
    }

    /// Adds a joint.
    pub fn joint(&mut self, joint: Joint) -> ElementId {
        self.spring(joint)
    }

    /// Adds a port.
    pub fn port(&mut self, port: Port) -> PortId {
        let mark = self.lineage.port(&port);
        PortId(self.ports.add(Port { element: None, ..port }, mark), mark)
    }

    /// Adds a chain of links in generalized coordinates.
    pub fn chain(&mut self, chain: Chain) -> SystemId {
        let before = self.mistakes.len();
        chain.check(&mut self.mistakes);
        let bases = usize::from(chain.base.is_some());
        let (mut q, mut w, mut damping) = (Vec::new(), Vec::new(), Vec::new());
        let mut bodies = Vec::new();
        if let Some(base) = &chain.base {
            let (frame, _) = principal_frame(&base.mass);
            let center = base.pose.position + base.pose.rotation * frame.position;
            let pose = Pose { position: center, rotation: base.pose.rotation * frame.rotation };
            q = vec![0.0; 7];
            lagrangian::set_base(&mut q, &pose);
            let omega = frame.rotation.inverse() * base.angular_velocity;
            w.extend(base.velocity.iter().chain(omega.iter()));
            damping = vec![0.0; 6];
            let body = Body::link(&base.name, base.mass, base.shape.clone());
            bodies.push(Body { collider: base.collider.clone(), ..body });
        }
        for link in &chain.links {
            q.push(link.position);
            w.push(link.velocity);
            damping.push(link.damping);
            let body = Body::link(&link.name, link.mass, link.shape.clone());
            bodies.push(Body { collider: link.collider.clone(), ..body });
        }
        let sound = self.mistakes.len() == before;
        let law: Arc<dyn Lagrangian> =
            if sound { Arc::new(ChainLaw::new(&chain)) } else { Arc::new(Broken) };
        let system = System { name: chain.name, law, q, w, damping, first_body: 0, sound };
        self.add_system(system, bodies, bases)
    }

    /// Adds a flexible beam; its bending modes become springs of the model.
    pub fn beam(&mut self, beam: Beam) -> SystemId {
        let before = self.mistakes.len();
        beam.check(&mut self.mistakes);
        let (mounts, modes) = (beam.mount_freedoms(), beam.mode_count());
        let start = |i: usize| beam.start.get(i).copied().unwrap_or_default();
        let (q, w) = (0..mounts + modes).map(start).unzip();
        let sound = self.mistakes.len() == before;
        let law: Arc<dyn Lagrangian> =
            if sound { Arc::new(BeamLaw::new(&beam)) } else { Arc::new(Broken) };
        let stations = stations(&beam.name, law.links());
        let damping = vec![0.0; mounts + modes];
        let name = beam.name.clone();
        let system = System { name, law, q, w, damping, first_body: 0, sound };
        let id = self.add_system(system, stations, 0);
        for i in (0..modes).filter(|_| sound) {
            let mode = Spring::coordinate(id, mounts + i).stiffness(beam.mode_stiffness(i));
            let mode = mode.damping(beam.mode_viscosity(i));
            self.spring(mode.named(format!("{} mode {}", beam.name, i + 1)));
        }
        id
    }

    /// Adds a subsystem of your own and a viscous damping of each of its velocities.
    pub fn lagrangian(
        &mut self,
        name: impl Into<String>,
        law: Arc<dyn Lagrangian>,
        start: Start,
        damping: Vec<f64>,
    ) -> SystemId {
        let Start { q, w } = start;
        let (name, sound) = (name.into(), true);
        let stations = stations(&name, law.links());
        self.add_system(System { name, law, q, w, damping, first_body: 0, sound }, stations, 0)
    }

    /// Adds a subsystem and its links, of which so many are its base.
    fn add_system(&mut self, system: System, links: Vec<Body>, bases: usize) -> SystemId {
        let (mark, count) =
            (self.lineage.system(&system.name, system.w.len(), &links), links.len());
        let first_body = self.bodies.append(links, mark);
        let index = self.systems.add(System { first_body, ..system }, mark);
        for link in 0..count {
            if let Some(body) = self.bodies.get_mut(first_body + link) {
                body.owner = Some((index, link));
            }
        }
        SystemId { index, mark, first_body: BodyId(first_body, mark), bases }
    }

    pub(crate) fn body_id(&self, index: usize) -> BodyId {
        BodyId(index, self.bodies.slots.mark(index))
    }

    /// Ids of the springs, dampers and joints so far, the modes of beams among them.
    pub fn elements(&self) -> impl ExactSizeIterator<Item = ElementId> + use<> {
        let own = self.springs.iter().filter(|(_, spring)| spring.is_some());
        let ids = own.map(|(i, _)| ElementId(i, self.springs.slots.mark(i)));
        ids.collect::<Vec<_>>().into_iter()
    }

    /// Freezes the description. Bodies that begin inside each other are no mistake; they are
    /// listed by [`Model::overlaps`].
    ///
    /// # Errors
    /// Every mistake found, each with its cure.
    pub fn build(&self) -> Result<Model, BuildErrors> {
        let masses = self.check()?;
        let mut source = self.clone();
        source.settle();
        let one = |mistake| BuildErrors(vec![mistake]);
        let mut model = super::freeze::freeze(Arc::new(source), &masses).map_err(one)?;
        if super::freeze_contact::can_touch(&model, self.touching) {
            let frozen = super::freeze_contact::freeze_contact(&model);
            let (contact, surfaces) = frozen.map_err(one)?;
            let soft = if surfaces.any_soft() { contact.capacity } else { 0 };
            model.state.volume = VolumeMemory::with_capacity(soft);
            (model.contact, model.params.surfaces) = (Some(contact), surfaces);
        }
        model.mark = super::mark::mark(&model);
        Ok(model)
    }

    /// Looks for mistakes; returns the masses of the moving bodies, place by place.
    fn check(&self) -> Result<Vec<Option<MassProperties>>, BuildErrors> {
        let mut check = Checker { errors: self.mistakes.clone() };
        check.finite("model", "gravity", self.gravity.as_slice());
        let springs = || self.springs.iter().filter_map(|(i, s)| Some((i, s.as_ref()?)));
        check.unique("bodies", self.bodies.values().map(|b| b.name.as_str()));
        check.unique("springs", springs().map(|(_, s)| s.name.as_str()));
        check.unique("ports", self.ports.values().map(|p| p.name.as_str()));
        let mut masses = vec![None; self.bodies.slots.len()];
        for (i, body) in self.bodies.iter() {
            masses[i] = check_body(body, &mut check);
        }
        for (i, spring) in springs() {
            self.check_spring(&describe("spring", &spring.name, i), spring, &mut check);
        }
        for (i, port) in self.ports.iter() {
            self.check_port(&describe("port", &port.name, i), port, &mut check);
        }
        for system in self.systems.values().filter(|s| s.sound) {
            check_system(system, &self.gravity, &mut check);
        }
        self.check_pairs(&mut check);
        if check.errors.is_empty() { Ok(masses) } else { Err(BuildErrors(check.errors)) }
    }

    /// Gives the elements of ports their places, behind those of springs unless some are free.
    fn settle(&mut self) {
        for index in 0..self.ports.slots.len() {
            let mark = lineage::element_of(self.ports.slots.mark(index));
            let Some(port) = self.ports.get_mut(index) else { continue };
            if port.element.is_none() && (port.coupling.is_some() || port.drive.is_some()) {
                port.element = Some(self.springs.add(None, mark));
            }
        }
    }

    fn check_pairs(&self, check: &mut Checker) {
        for (ids, material) in &self.pairs {
            let part = "contact pair".to_owned();
            if ids.iter().any(|id| !self.bodies.slots.holds(id.0, id.1)) {
                check.errors.push(BuildError::UnknownBody { part: part.clone() });
            }
            if let Some((field, value)) = material.and_then(|m| m.fault()) {
                check.errors.push(BuildError::Material { part, field, value });
            }
        }
    }

    fn check_spring(&self, part: &str, spring: &Spring, check: &mut Checker) {
        let hard = |k: f64| if spring.joint && k == f64::INFINITY { 0.0 } else { k };
        check.not_negative(part, "stiffness", spring.stiffness.map(hard).as_slice());
        if let Measure::Rows(rows) = &spring.measure {
            for row in rows {
                if let Row::Distance(length) = row {
                    check.not_negative(part, "length", &[*length]);
                }
            }
        }
        check.not_negative(part, "damping", spring.damping.as_slice());
        check.finite(part, "rest", &[spring.rest.unwrap_or(0.0)]);
        check.not_negative(part, "friction", &[spring.friction.unwrap_or(0.0)]);
        if let Some([lower, upper]) = spring.stops {
            // written so that NaN is a mistake
            if !(lower < upper) {
                check.errors.push(BuildError::Stops { part: part.to_owned(), lower, upper });
            }
        }
        if let Measure::Gear { ratio, ends, .. } = &spring.measure {
            check.finite(part, "ratio", &[*ratio]);
            self.check_ends(part, ends, check);
        }
        if let Measure::Custom(element) = &spring.measure {
            let rows = element.rows();
            if !(1..=6).contains(&rows) {
                check.errors.push(BuildError::Rows { part: part.to_owned(), rows });
            }
        }
        if let Measure::Coordinates { system, rows } = &spring.measure {
            self.check_coordinates(part, *system, rows, check);
            return;
        }
        self.check_ends(part, &spring.ends, check);
    }

    /// Two ends on different things, one of which moves.
    fn check_ends(&self, part: &str, ends: &[Anchor; 2], check: &mut Checker) {
        let [a, b] = ends;
        for anchor in ends {
            self.check_anchor(part, anchor, check);
        }
        if a.body.zip(b.body).is_some_and(|(a, b)| a.means(b)) {
            check.errors.push(BuildError::SameBody { part: part.to_owned() });
        } else if !self.moves(a) && !self.moves(b) {
            check.errors.push(BuildError::NothingMoves { part: part.to_owned() });
        }
    }

    fn check_port(&self, part: &str, port: &Port, check: &mut Checker) {
        if let Some(drive) = &port.drive {
            let rows = drive.measure.rows();
            if rows != 1 {
                check.errors.push(BuildError::MotorRows { part: part.to_owned(), rows });
            }
            // written so that NaN is a mistake
            let limit = if port.limit == f64::INFINITY { 0.0 } else { port.limit };
            check.not_negative(part, "limit", &[limit]);
            return self.check_spring(part, drive, check);
        }
        check_coupling(part, port, check);
        self.check_body(part, &port.anchor, check);
        if !self.moves(&port.anchor) {
            check.errors.push(BuildError::NothingMoves { part: part.to_owned() });
        }
    }

    fn check_coordinates(
        &self,
        part: &str,
        system: SystemId,
        rows: &[Vec<f64>],
        check: &mut Checker,
    ) {
        let known = self.has_system(system);
        let Some(law) = self.systems.get(system.index).filter(|_| known).map(|s| &s.law) else {
            return check.errors.push(BuildError::UnknownBody { part: part.to_owned() });
        };
        let most = law.freedoms() - lagrangian::BaseSizes::of(law.as_ref()).w;
        for row in rows {
            check.finite(part, "coefficient", row);
            if row.len() > most {
                let part = part.to_owned();
                check.errors.push(BuildError::Coordinate { part, most, asked: row.len() });
            }
        }
        if !(1..=6).contains(&rows.len()) {
            check.errors.push(BuildError::Rows { part: part.to_owned(), rows: rows.len() });
        }
    }

    fn check_anchor(&self, part: &str, anchor: &Anchor, check: &mut Checker) {
        check_frame(part, anchor, check);
        self.check_body(part, anchor, check);
    }

    fn check_body(&self, part: &str, anchor: &Anchor, check: &mut Checker) {
        if anchor.body.is_some_and(|b| !self.bodies.slots.holds(b.0, b.1)) {
            check.errors.push(BuildError::UnknownBody { part: part.to_owned() });
        }
    }

    fn moves(&self, anchor: &Anchor) -> bool {
        // an unknown body is reported as such, not as one that cannot move
        anchor.body.is_some_and(|b| self.bodies.get(b.0).is_none_or(|b| !b.fixed))
    }
}

/// True if stiffness and damping hold the orientation, too.
pub(super) fn turns((stiffness, damping): &(Vec6, Vec6)) -> bool {
    stiffness.fixed_rows::<3>(3).amax() + damping.fixed_rows::<3>(3).amax() > 0.0
}

/// Bodies without mass for a subsystem whose mass is spread over its coordinates.
fn stations(name: &str, count: usize) -> Vec<Body> {
    (0..count).map(|i| Body::link(&format!("{name} {i}"), WEIGHTLESS, None)).collect()
}

fn check_frame(part: &str, anchor: &Anchor, check: &mut Checker) {
    check.finite(part, "point", anchor.point.as_slice());
    check.finite(part, "rotation", anchor.rotation.coords.as_slice());
}

/// Checks all of a port but whether its body exists and moves.
fn check_coupling(part: &str, port: &Port, check: &mut Checker) {
    check_frame(part, &port.anchor, check);
    if let Some((k, b)) = &port.coupling {
        check.not_negative(part, "stiffness", k.as_slice());
        check.not_negative(part, "damping", b.as_slice());
    }
}

fn describe(kind: &str, name: &str, index: usize) -> String {
    if name.is_empty() { format!("{kind} {}", index + 1) } else { format!("{kind} \"{name}\"") }
}

fn check_body(body: &Body, check: &mut Checker) -> Option<MassProperties> {
    if body.owner.is_some() {
        return mass_of(&body.mass, None);
    }
    let part = format!("body \"{}\"", body.name);
    if let Some((field, value)) = body.material.fault() {
        check.errors.push(BuildError::Material { part: part.clone(), field, value });
    }
    if let Some(Err(source)) = &body.collider {
        check.errors.push(BuildError::Collision { part: part.clone(), source: *source });
    }
    check.finite(&part, "position", body.position.as_slice());
    check.finite(&part, "rotation", body.rotation.coords.as_slice());
    check.finite(&part, "velocity", body.velocity.as_slice());
    check.finite(&part, "angular velocity", body.angular_velocity.as_slice());
    check.not_negative(&part, "damping", &[body.linear_damping, body.angular_damping]);
    let shape = match &body.shape {
        Some(Err(source)) => {
            let (body, source) = (body.name.clone(), *source);
            check.errors.push(BuildError::Shape { body, source });
            return None;
        }
        Some(Ok(shape)) => Some(shape),
        None => None,
    };
    if body.fixed {
        return None;
    }
    let Some(mass) = mass_of(&body.mass, shape) else {
        check.errors.push(BuildError::NoInertia { body: body.name.clone() });
        return None;
    };
    if let Err(source) = mass.validate() {
        check.errors.push(BuildError::Mass { body: body.name.clone(), source });
        return None;
    }
    check.at_least(&part, "mass", &[mass.mass], LIGHTEST);
    check.finite(&part, "centre of mass", mass.center_of_mass.as_slice());
    check.at_least(&part, "inertia", mass.principal().moments.as_slice(), LEAST_INERTIA);
    Some(mass)
}

/// A subsystem must have numbers of the right count, and a mass matrix that can be factored.
fn check_system(system: &System, gravity: &Vec3, check: &mut Checker) {
    let (part, law) = (format!("subsystem \"{}\"", system.name), system.law.as_ref());
    let n = law.freedoms();
    let coordinates = n + usize::from(law.floating());
    let counts = [system.q.len(), system.w.len(), system.damping.len()];
    if counts != [coordinates, n, n] || n == 0 || law.links() == 0 {
        check.errors.push(BuildError::SystemSize { part, counts, expected: [coordinates, n, n] });
        return;
    }
    check.finite(&part, "starting coordinates", &system.q);
    check.finite(&part, "starting velocities", &system.w);
    check.not_negative(&part, "damping", &system.damping);
    let mut work = super::SystemWork::new(&system.law);
    work.configure(&system.q, gravity);
    if !work.l.iter().all(|v| v.is_finite()) {
        return check.errors.push(BuildError::SingularMass { part });
    }
    check.finite(&part, "mass matrix", work.l.as_slice());
    // its square is an inertia
    let pivots: Vec<f64> = (0..n).map(|i| work.l[(i, i)]).collect();
    check.at_least(&part, "mass matrix", &pivots, LEAST_INERTIA.sqrt());
    check.finite(&part, "potential", &[work.terms.potential]);
}

/// Stands for a subsystem whose description has mistakes; never frozen.
#[derive(Debug)]
struct Broken;

impl Lagrangian for Broken {
    fn freedoms(&self) -> usize {
        1
    }
    fn links(&self) -> usize {
        1
    }
    fn configure(&self, _: &[f64], _: &Vec3, _: &mut lagrangian::Terms) {}
    fn coriolis(&self, _: &[f64], _: &[f64], _: &mut lagrangian::Terms) {}
}

pub(super) fn mass_of(source: &MassSource, shape: Option<&Shape>) -> Option<MassProperties> {
    match source {
        MassSource::Explicit(mass) => Some(*mass),
        MassSource::Density(density) => shape.map(|s| s.mass_properties(*density)),
        MassSource::Mass(mass) => {
            shape.map(|s| MassProperties { mass: *mass, ..s.mass_properties(mass / s.volume()) })
        }
    }
}
