//! From a checked description to frozen topology, live parameters and the first state.

use super::body::{Anchor, Body};
use super::builder::{ModelBuilder, Port, System, turns};
use super::element::Coordinates;
use super::error::BuildError;
use super::gear::Gear;
use super::lagrangian::BaseSizes;
use super::spring::{Measure, Spring};
use super::{
    Block, BodyInfo, BodyParams, BodyState, ElementInfo, ElementParams, History, Kind, Model,
    Params, PerIsland, PerSystem, PortInfo, Pose, State, SystemAt, SystemInfo, SystemParams,
    SystemState, SystemWork, element_strain,
};
use crate::geometry::{MassProperties, Principal};
use crate::math::{Place, Rotation, Vec3, Vec6, dense};
use crate::port::PortId;
use std::sync::Arc;

/// Damping of a motor that has none of its own [N·s/m]: too small to be felt.
const IDLE: f64 = 1e-30;

/// Freezes a description in which no mistake was found; `masses` holds each moving body's.
pub(super) fn freeze(
    from: Arc<ModelBuilder>,
    masses: &[Option<MassProperties>],
) -> Result<Model, BuildError> {
    let elements = from.springs.slots.len();
    let mut model = Model {
        source: from.clone(),
        bodies: Vec::new(),
        moving: Vec::new(),
        elements: vec![ElementInfo::gone(); elements],
        ports: Vec::new(),
        systems: PerSystem::default(),
        owners: Vec::new(),
        contact: None,
        islands: PerIsland::default(),
        free: Vec::new(),
        units: Arc::default(),
        params: Params {
            bodies: vec![],
            elements: vec![ElementParams::gone(); elements],
            systems: PerSystem::default(),
            surfaces: Default::default(),
            gravity: from.gravity,
        },
        state: State {
            bodies: vec![],
            systems: PerSystem::default(),
            strain: vec![Vec6::zeros(); elements],
            parting: vec![Vec6::zeros(); elements],
            debt: PerIsland::default(),
            history: History { mid: vec![], wide: PerSystem::default(), h: [0.0; 2], depth: 0 },
            volume: Default::default(),
        },
        mark: 0,
    };
    let gone = Body::new("").fixed();
    for (i, mass) in masses.iter().enumerate() {
        let body = from.bodies.get(i);
        freeze_body(body.unwrap_or(&gone), mass.as_ref(), &mut model);
        model.bodies[i].gone = body.is_none();
    }
    for (slot, system) in from.systems.iter() {
        freeze_system(slot, system, &mut model)?;
    }
    for (e, spring) in from.springs.iter() {
        if let Some(spring) = spring {
            freeze_spring(e, spring, &mut model);
        }
    }
    for (slot, port) in from.ports.iter() {
        freeze_port(PortId(slot, from.ports.slots.mark(slot)), port, &mut model);
    }
    model.state.history.mid = vec![[Vec6::zeros(); 2]; model.moving.len()];
    model.find_islands();
    Ok(model)
}

fn freeze_body(body: &Body, mass: Option<&MassProperties>, model: &mut Model) {
    let none = Principal { axes: Rotation::identity(), moments: Vec3::zeros() };
    let Principal { axes: body_from_principal, moments } =
        mass.map_or(none, MassProperties::principal);
    let center_of_mass = mass.map_or(Vec3::zeros(), |m| m.center_of_mass);
    let moving = mass.map(|mass| {
        let id = model.source.body_id(model.bodies.len());
        let owner = body.owner.map(|(slot, link)| (place_of(&model.source, slot), link));
        model.moving.push(id);
        model.owners.push(owner);
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
        collider: super::freeze_contact::collider_of(body),
        from_shape: body.collider.is_none(),
        center_of_mass,
        body_from_principal,
        moving,
        owner: body.owner.map(|(slot, link)| (place_of(&model.source, slot), link)),
        gone: false,
        start: Pose { position: body.position, rotation: body.rotation },
    });
}

/// Where the subsystem of a slot stands among those there are.
fn place_of(source: &ModelBuilder, slot: usize) -> SystemAt {
    SystemAt::at(source.systems.iter().take_while(|(i, _)| *i < slot).count())
}

fn freeze_system(slot: usize, system: &System, model: &mut Model) -> Result<(), BuildError> {
    let gone =
        BuildError::Gone { kind: "first link of a subsystem, body", place: system.first_body };
    let first = model.bodies.get(system.first_body).and_then(|b| b.moving).ok_or(gone)?;
    let law = system.law.clone();
    let mut work = SystemWork::new(&law);
    work.configure(&system.q, &model.params.gravity);
    let mut xi = system.w.clone();
    dense::apply_transposed(&work.l, &mut xi);
    let nodes = first..first + law.links();
    let info = SystemInfo { name: system.name.clone(), law, slot, nodes };
    let (index, n) = (SystemAt::at(model.systems.len()), xi.len());
    let potential = work.terms.potential;
    model.state.systems.push(SystemState { q: system.q.clone(), xi, potential, steepest: 0.0 });
    model.state.history.wide.push([vec![0.0; n], vec![0.0; n]]);
    model.params.systems.push(SystemParams { damping: system.damping.clone() });
    work.show(&info, &mut model.state, index);
    for node in info.nodes.clone() {
        let (s, id) = (model.state.bodies[node], model.moving[node]);
        let body = &mut model.bodies[id.0];
        let rotation = s.q * body.body_from_principal.inverse();
        let position = s.x - rotation * body.center_of_mass;
        body.start = Pose { position, rotation };
    }
    model.systems.push(info);
    Ok(())
}

/// A frame on a moving body (principal axes) or in the world.
#[derive(Clone, Copy)]
struct Held {
    node: Option<usize>,
    point: Vec3,
    frame: Rotation,
}

/// The moving body under an anchor, and the anchor's frame in principal (or world) axes.
fn resolve(anchor: &Anchor, model: &Model) -> Held {
    let Some(id) = anchor.body else {
        return Held { node: None, point: anchor.point, frame: anchor.rotation };
    };
    let (info, node) = (&model.bodies[id.0], model.bodies[id.0].moving);
    if node.is_some() {
        let inverse = info.body_from_principal.inverse();
        let point = inverse * (anchor.point - info.center_of_mass);
        Held { node, point, frame: inverse * anchor.rotation }
    } else {
        let Pose { position, rotation } = info.start;
        let point = position + rotation * anchor.point;
        Held { node, point, frame: rotation * anchor.rotation }
    }
}

fn kind_of(measure: &Measure, model: &Model) -> Kind {
    match measure {
        Measure::Point => Kind::Point,
        Measure::Rotation => Kind::Rotation,
        Measure::Pose => Kind::Pose,
        Measure::Rows(rows) => Kind::Rows(rows.clone()),
        Measure::Custom(element) => Kind::Custom(element.clone()),
        Measure::Coordinates { system, rows } => {
            let system = place_of(&model.source, system.index);
            let skip = BaseSizes::of(model.systems[system].law.as_ref());
            Kind::Coordinates(Arc::new(Coordinates { system, rows: rows.clone(), skip }))
        }
        Measure::Gear { ratio, measures, ends } => {
            let held = [resolve(&ends[0], model), resolve(&ends[1], model)];
            Kind::Gear(Arc::new(Gear {
                ratio: *ratio,
                measures: *measures,
                ends: held.map(|h| h.node),
                points: held.map(|h| h.point),
                frames: held.map(|h| h.frame),
            }))
        }
    }
}

fn freeze_spring(e: usize, spring: &Spring, model: &mut Model) {
    let kind = kind_of(&spring.measure, model);
    let ends = [resolve(&spring.ends[0], model), resolve(&spring.ends[1], model)];
    let (stiffness, damping) = (spring.stiffness, spring.damping);
    add_element(e, &spring.name, Tie { kind, ends, stiffness, damping }, model);
    model.elements[e].joint = spring.joint;
    model.elements[e].stops = spring.stops;
    model.elements[e].rubs = spring.friction.is_some();
    let p = &mut model.params.elements[e];
    p.friction = spring.friction.unwrap_or(0.0);
    p.rest[0] = spring.rest.unwrap_or(0.0);
    (*p, model.state.strain[e]) = begin(&model.elements[e], p, &model.state);
}

/// An element that begins at a state, and its strain there.
pub(crate) fn begin(
    info: &ElementInfo,
    params: &ElementParams,
    state: &State,
) -> (ElementParams, Vec6) {
    let mut params = *params;
    let bare = ElementParams { rest: Vec6::zeros(), ..params };
    let mut strain = element_strain(info, &bare, state, &Vec6::zeros());
    if matches!(info.kind, Kind::Gear(_)) {
        // a gear holds whatever it starts with
        params.rest[0] = strain[0];
    }
    strain[0] -= params.rest[0];
    for row in 0..6 {
        // a hard row stores nothing: it starts closed and the first projection closes it in fact
        if params.is_hard(row) {
            strain[row] = 0.0;
        }
    }
    (params, strain)
}

/// What an element ties, and how firmly, row by row.
struct Tie {
    kind: Kind,
    ends: [Held; 2],
    stiffness: Vec6,
    damping: Vec6,
}

fn add_element(e: usize, name: &str, tie: Tie, model: &mut Model) {
    let Tie { kind, ends: held, mut stiffness, mut damping } = tie;
    for row in kind.rows()..6 {
        (stiffness[row], damping[row]) = (0.0, 0.0);
    }
    let ends = held.map(|h| h.node);
    let (blocks, side) = touched(&kind, ends, model);
    let name = name.to_owned();
    let (joint, stops, rubs) = (false, None, false);
    let info = ElementInfo { name, kind, ends, joint, stops, rubs, blocks, side };
    let (points, frames) = (held.map(|h| h.point), held.map(|h| h.frame));
    let (rest, friction) = (Vec6::zeros(), 0.0);
    let params = ElementParams { stiffness, damping, points, frames, rest, friction };
    model.state.strain[e] = element_strain(&info, &params, &model.state, &Vec6::zeros());
    model.elements[e] = info;
    model.params.elements[e] = params;
}

/// The velocity unknowns under the ends of an element, each once, and which end is on which.
fn touched(
    kind: &Kind,
    ends: [Option<usize>; 2],
    model: &Model,
) -> (Vec<Block>, [Option<usize>; 4]) {
    let block = |node: usize| match model.owners[node] {
        Some((system, _)) => Block::System(system),
        None => Block::Body(node),
    };
    let mut all = [ends[0].map(block), ends[1].map(block), None, None];
    match kind {
        Kind::Coordinates(c) => all[0] = Some(Block::System(c.system)),
        Kind::Gear(gear) => {
            (all[2], all[3]) = (gear.ends[0].map(block), gear.ends[1].map(block));
        }
        _ => {}
    }
    let mut blocks: Vec<Block> = Vec::new();
    let side = all.map(|b| {
        b.map(|b| {
            let known = blocks.iter().position(|&k| k == b);
            known.unwrap_or_else(|| {
                blocks.push(b);
                blocks.len() - 1
            })
        })
    });
    (blocks, side)
}

fn freeze_port(id: PortId, port: &Port, model: &mut Model) {
    if let (Some(drive), Some(e)) = (&port.drive, port.element) {
        freeze_spring(e, drive, model);
        // a motor without gain keeps its row: the torque acts along it
        let damping = &mut model.params.elements[e].damping[0];
        *damping = damping.max(IDLE);
        let node = |block: &Block| match *block {
            Block::Body(b) => b,
            Block::System(s) => model.systems[s].nodes.start,
        };
        let info = &model.elements[e];
        let moving = info.ends[0].or(info.ends[1]).or_else(|| info.blocks.first().map(node));
        // `check_spring` made sure that something moves
        let Some(body) = moving else { return };
        let Held { node, point, frame } = resolve(&port.anchor, model);
        let (point, frame) = if node == Some(body) { (point, frame) } else { Default::default() };
        let name = port.name.clone();
        let (element, motor, limit) = (Some(e), true, port.limit);
        let info = PortInfo { name, id, body, point, frame, element, motor, limit };
        return model.ports.push(info);
    }
    let held = resolve(&port.anchor, model);
    // `check_port` made sure that the anchor moves
    let Held { node: Some(body), point, frame } = held else { return };
    let element = port.coupling.zip(port.element).map(|(coupling, e)| {
        let kind = if turns(&coupling) { Kind::Pose } else { Kind::Point };
        let s = &model.state.bodies[body];
        let there = Held { node: None, point: s.x + s.q * point, frame: s.q * frame };
        let (ends, (stiffness, damping)) = ([held, there], coupling);
        add_element(e, &port.name, Tie { kind, ends, stiffness, damping }, model);
        e
    });
    let name = port.name.clone();
    let (motor, limit) = (false, f64::INFINITY);
    model.ports.push(PortInfo { name, id, body, point, frame, element, motor, limit });
}
