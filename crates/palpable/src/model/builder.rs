//! From descriptions to a frozen model, with every mistake reported at once.

use super::body::{Anchor, Body, BodyId, MassSource};
use super::element_rows::Row;
use super::error::{BuildError, BuildErrors, Checker};
use super::joint::Joint;
use super::spring::{ElementId, Measure, Spring};
use super::{
    BodyInfo, BodyParams, BodyState, ElementInfo, ElementParams, History, Kind, Model, Params,
    PortInfo, Pose, State, element, element_ends, island,
};
use crate::geometry::{MassProperties, Shape};
use crate::math::{Rotation, Vec3, Vec6};
use crate::port::PortId;

/// A port to be added to a model: where a hand, a motor or a script holds on.
#[derive(Debug, Clone)]
pub struct Port {
    name: String,
    anchor: Anchor,
    coupling: Option<(Vec6, Vec6)>,
}

impl Port {
    /// A port that takes forces and torques at `anchor`, which must be on a moving body.
    pub fn force(name: impl Into<String>, anchor: Anchor) -> Self {
        Self { name: name.into(), anchor, coupling: None }
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
        Self { name: name.into(), anchor, coupling }
    }
}

/// Collects bodies, springs and ports; [`ModelBuilder::build`] freezes them.
#[derive(Debug, Clone)]
pub struct ModelBuilder {
    bodies: Vec<Body>,
    springs: Vec<Spring>,
    ports: Vec<Port>,
    gravity: Vec3,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        let (bodies, springs, ports) = Default::default();
        Self { bodies, springs, ports, gravity: Vec3::zeros() }
    }
}

impl ModelBuilder {
    /// Acceleration of gravity, world axes [m/s²]; none unless set.
    pub fn gravity(&mut self, gravity: impl Into<Vec3>) -> &mut Self {
        self.gravity = gravity.into();
        self
    }

    /// Adds a body.
    pub fn body(&mut self, body: Body) -> BodyId {
        self.bodies.push(body);
        BodyId(self.bodies.len() - 1)
    }

    /// Adds a spring, damper, joint or custom element.
    pub fn spring(&mut self, spring: impl Into<Spring>) -> ElementId {
        self.springs.push(spring.into());
        ElementId(self.springs.len() - 1)
    }

    /// Adds a joint.
    pub fn joint(&mut self, joint: Joint) -> ElementId {
        self.spring(joint)
    }

    /// Adds a port.
    pub fn port(&mut self, port: Port) -> PortId {
        self.ports.push(port);
        PortId(self.ports.len() - 1)
    }

    /// Freezes the description.
    ///
    /// # Errors
    /// Every mistake found, each with its cure.
    pub fn build(&self) -> Result<Model, BuildErrors> {
        let mut check = Checker { errors: Vec::new() };
        check.finite("model", "gravity", self.gravity.as_slice());
        check.unique("bodies", self.bodies.iter().map(|b| b.name.as_str()));
        check.unique("springs", self.springs.iter().map(|s| s.name.as_str()));
        check.unique("ports", self.ports.iter().map(|p| p.name.as_str()));
        let masses: Vec<_> = self.bodies.iter().map(|b| check_body(b, &mut check)).collect();
        for (i, spring) in self.springs.iter().enumerate() {
            self.check_spring(&describe("spring", &spring.name, i), spring, &mut check);
        }
        for (i, port) in self.ports.iter().enumerate() {
            self.check_port(&describe("port", &port.name, i), port, &mut check);
        }
        if check.errors.is_empty() {
            Ok(self.freeze(&masses))
        } else {
            Err(BuildErrors(check.errors))
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
        let [a, b] = &spring.ends;
        for anchor in [a, b] {
            self.check_anchor(part, anchor, check);
        }
        if let Measure::Custom(element) = &spring.measure {
            let rows = element.rows();
            if !(1..=6).contains(&rows) {
                check.errors.push(BuildError::Rows { part: part.to_owned(), rows });
            }
        }
        if a.body.is_some() && a.body == b.body {
            check.errors.push(BuildError::SameBody { part: part.to_owned() });
        } else if !self.moves(a) && !self.moves(b) {
            check.errors.push(BuildError::NothingMoves { part: part.to_owned() });
        }
    }

    fn check_port(&self, part: &str, port: &Port, check: &mut Checker) {
        self.check_anchor(part, &port.anchor, check);
        if let Some((k, b)) = &port.coupling {
            check.not_negative(part, "stiffness", k.as_slice());
            check.not_negative(part, "damping", b.as_slice());
        }
        if !self.moves(&port.anchor) {
            check.errors.push(BuildError::NothingMoves { part: part.to_owned() });
        }
    }

    fn check_anchor(&self, part: &str, anchor: &Anchor, check: &mut Checker) {
        check.finite(part, "point", anchor.point.as_slice());
        check.finite(part, "rotation", anchor.rotation.coords.as_slice());
        if anchor.body.is_some_and(|b| b.0 >= self.bodies.len()) {
            check.errors.push(BuildError::UnknownBody { part: part.to_owned() });
        }
    }

    fn moves(&self, anchor: &Anchor) -> bool {
        // an unknown body is reported as such, not as one that cannot move
        anchor.body.is_some_and(|b| self.bodies.get(b.0).is_none_or(|b| !b.fixed))
    }

    fn freeze(&self, masses: &[Option<MassProperties>]) -> Model {
        let mut model = Model {
            bodies: Vec::new(),
            moving: Vec::new(),
            elements: Vec::new(),
            ports: Vec::new(),
            islands: Vec::new(),
            free: Vec::new(),
            params: Params { bodies: vec![], elements: vec![], gravity: self.gravity },
            state: State {
                bodies: vec![],
                strain: vec![],
                debt: vec![],
                history: History { mid: vec![], h: [0.0; 2], depth: 0 },
            },
        };
        for (body, mass) in self.bodies.iter().zip(masses) {
            freeze_body(body, mass.as_ref(), &mut model);
        }
        for spring in &self.springs {
            freeze_spring(spring, &mut model);
        }
        for port in &self.ports {
            freeze_port(port, &mut model);
        }
        model.state.history.mid = vec![[Vec6::zeros(); 2]; model.moving.len()];
        let (mut islands, free) = island::find(model.moving.len(), &model.elements);
        for i in &mut islands {
            i.redundant = island::is_redundant(i, &model.elements, &model.params, &model.state);
        }
        model.state.debt = vec![0.0; islands.len()];
        (model.islands, model.free) = (islands, free);
        model
    }
}

fn describe(kind: &str, name: &str, index: usize) -> String {
    if name.is_empty() { format!("{kind} {}", index + 1) } else { format!("{kind} \"{name}\"") }
}

fn check_body(body: &Body, check: &mut Checker) -> Option<MassProperties> {
    let part = format!("body \"{}\"", body.name);
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
    Some(mass)
}

fn mass_of(source: &MassSource, shape: Option<&Shape>) -> Option<MassProperties> {
    match source {
        MassSource::Explicit(mass) => Some(*mass),
        MassSource::Density(density) => shape.map(|s| s.mass_properties(*density)),
        MassSource::Mass(mass) => {
            shape.map(|s| MassProperties { mass: *mass, ..s.mass_properties(mass / s.volume()) })
        }
    }
}

fn freeze_body(body: &Body, mass: Option<&MassProperties>, model: &mut Model) {
    let (body_from_principal, moments) =
        mass.map_or((Rotation::identity(), Vec3::zeros()), MassProperties::principal);
    let center_of_mass = mass.map_or(Vec3::zeros(), |m| m.center_of_mass);
    let moving = mass.map(|mass| {
        model.moving.push(BodyId(model.bodies.len()));
        model.params.bodies.push(BodyParams {
            mass: mass.mass,
            inertia: moments,
            linear_damping: body.linear_damping,
            angular_damping: body.angular_damping,
        });
        model.state.bodies.push(BodyState {
            x: body.position + body.rotation * center_of_mass,
            q: body.rotation * body_from_principal,
            v: body.velocity,
            omega: body_from_principal.inverse() * body.angular_velocity,
        });
        model.moving.len() - 1
    });
    model.bodies.push(BodyInfo {
        name: body.name.clone(),
        shape: body.shape.as_ref().and_then(|s| s.as_ref().ok()).cloned(),
        center_of_mass,
        body_from_principal,
        moving,
        start: Pose { position: body.position, rotation: body.rotation },
    });
}

/// The moving body under an anchor, and the anchor's frame in principal (or world) axes.
fn resolve(anchor: &Anchor, model: &Model) -> (Option<usize>, Vec3, Rotation) {
    let Some(id) = anchor.body else { return (None, anchor.point, anchor.rotation) };
    let info = &model.bodies[id.0];
    if info.moving.is_some() {
        let inverse = info.body_from_principal.inverse();
        let point = inverse * (anchor.point - info.center_of_mass);
        (info.moving, point, inverse * anchor.rotation)
    } else {
        let Pose { position, rotation } = info.start;
        (None, position + rotation * anchor.point, rotation * anchor.rotation)
    }
}

fn freeze_spring(spring: &Spring, model: &mut Model) {
    let kind = match &spring.measure {
        Measure::Point => Kind::Point,
        Measure::Rotation => Kind::Rotation,
        Measure::Pose => Kind::Pose,
        Measure::Rows(rows) => Kind::Rows(rows.clone()),
        Measure::Custom(element) => Kind::Custom(element.clone()),
    };
    let ends = [resolve(&spring.ends[0], model), resolve(&spring.ends[1], model)];
    let e = add_element(&spring.name, kind, ends, (spring.stiffness, spring.damping), model);
    model.elements[e].joint = spring.joint;
    for row in 0..6 {
        // a hard row stores nothing: it starts closed and the first projection closes it in fact
        if spring.stiffness[row].is_infinite() {
            model.state.strain[e][row] = 0.0;
        }
    }
}

fn add_element(
    name: &str,
    kind: Kind,
    ends: [(Option<usize>, Vec3, Rotation); 2],
    (mut stiffness, mut damping): (Vec6, Vec6),
    model: &mut Model,
) -> usize {
    for row in kind.rows()..6 {
        (stiffness[row], damping[row]) = (0.0, 0.0);
    }
    let info = ElementInfo { name: name.to_owned(), kind, ends: ends.map(|e| e.0), joint: false };
    let params =
        ElementParams { stiffness, damping, points: ends.map(|e| e.1), frames: ends.map(|e| e.2) };
    let at = element_ends(&info, &params, &model.state, None);
    model.state.strain.push(element::strain(&info.kind, &at[0], &at[1], &Vec6::zeros()));
    model.elements.push(info);
    model.params.elements.push(params);
    model.elements.len() - 1
}

fn freeze_port(port: &Port, model: &mut Model) {
    let (body, point, frame) = resolve(&port.anchor, model);
    // `check_port` made sure that the anchor moves
    let Some(body) = body else { return };
    let element = port.coupling.map(|coupling| {
        let rigid = coupling.0.fixed_rows::<3>(3).amax() + coupling.1.fixed_rows::<3>(3).amax();
        let kind = if rigid > 0.0 { Kind::Pose } else { Kind::Point };
        let state = &model.state.bodies[body];
        let (position, rotation) = (state.x + state.q * point, state.q * frame);
        let ends = [(Some(body), point, frame), (None, position, rotation)];
        add_element(&port.name, kind, ends, coupling, model)
    });
    model.ports.push(PortInfo { name: port.name.clone(), body, point, frame, element });
}
