//! Chains, beams and gears.

use super::Site;
use crate::scene::{BaseSpec, BoundSpec, ChainSpec, LinkSpec, MotorKind, rotation};
use palpable::geometry::ShapeError;
use palpable::{Anchor, Beam, Body, BodyId, Chain, Joint, Link, Port, Pose, Shape, Spring};
use palpable::{SystemId, Vec3};

impl Site<'_> {
    pub(super) fn add_chains(&mut self) -> Result<(), String> {
        for spec in &self.scene.chains {
            let chain = chain(spec).map_err(|error| error.to_string())?;
            let system = self.model.chain(chain);
            self.add_tendons(spec, system);
            if let Some(bound) = spec.bound.filter(|bound| bound.link < spec.links.len()) {
                self.model.spring(bounded(&bound, system));
            }
            if let Some(motor) = spec.motor.filter(|motor| motor.link < spec.links.len()) {
                let measure = Spring::coordinate(system, motor.link);
                let measure = with_gain(measure, motor.kind, motor.gain);
                self.model.port(Port::motor(format!("m{}", spec.id), measure));
            }
        }
        Ok(())
    }

    fn add_tendons(&mut self, spec: &ChainSpec, system: SystemId) {
        let count = spec.links.len();
        if let Some(tendon) = &spec.tendon {
            let radii = &tendon.radii[..count.min(tendon.radii.len())];
            let spring = Spring::tendon(system, radii);
            self.model.spring(spring.stiffness(tendon.stiffness).rest(0.01));
        }
        if let Some(ratio) = spec.coupling.filter(|_| count > 1) {
            self.model.joint(Joint::coupling(system, 0, count - 1, ratio, 0.0));
        }
    }

    pub(super) fn add_beams(&mut self) {
        for (i, spec) in self.scene.beams.iter().enumerate() {
            let place = Pose { position: spec.position, rotation: rotation(&spec.turn) };
            let [mass, inertia] = spec.hub;
            let beam = Beam::new(format!("beam{i}"), spec.length, spec.mass, spec.rigidity)
                .mount(spec.mount, mass, inertia)
                .modes(spec.modes)
                .stations(1)
                .at(place);
            self.model.beam(beam);
        }
    }

    pub(super) fn add_gears(&mut self) {
        for (i, spec) in self.scene.gears.iter().enumerate() {
            let [at, bt] = wheel_places(i);
            let a = self.add_wheel(format!("ga{i}"), at, spec.masses[0]);
            let b = self.add_wheel(format!("gb{i}"), bt, spec.masses[1]);
            let (at, bt) = (Anchor::world(at), Anchor::world(bt));
            let gear = Joint::gear(a.origin(), at, b.origin(), bt, spec.ratio);
            self.model.joint(gear.stiffness(spec.stiffness));
            let measure = with_gain(Spring::angle(a.origin(), at), spec.motor, spec.effort);
            self.model.port(Port::motor(format!("gm{i}"), measure));
        }
    }

    /// A wheel on a hinge of the world.
    fn add_wheel(&mut self, name: String, at: Vec3, mass: f64) -> BodyId {
        let wheel = self.model.body(Body::cylinder(name, 0.02, 0.1).mass(mass).position(at));
        self.model.joint(Joint::hinge(wheel.origin(), Anchor::world(at)));
        wheel
    }
}

/// Where the wheels of a gear turn, far from everything else [m].
pub fn wheel_places(i: usize) -> [Vec3; 2] {
    [Vec3::new(20.0, i as f64, 0.0), Vec3::new(20.5, i as f64, 0.0)]
}

fn chain(spec: &ChainSpec) -> Result<Chain, ShapeError> {
    let mut chain = Chain::new(format!("c{}", spec.id));
    if let Some(base) = &spec.base {
        let BaseSpec { half, position, turn, velocity, density, spin } = *base;
        let shape = Shape::cuboid(half)?;
        let pose = Pose { position, rotation: rotation(&turn) };
        chain = chain
            .floating(format!("c{}base", spec.id), shape.mass_properties(density), pose)
            .base_velocity(velocity, spin)
            .base_shape(shape);
    }
    for (i, link) in spec.links.iter().enumerate() {
        let name = format!("c{}l{i}", spec.id);
        let shape = link_shape(link)?;
        let made = if link.slides { Link::prismatic(name) } else { Link::revolute(name) };
        let made = made
            .at(link.at, rotation(&link.at_turn))
            .held_at(link.held, rotation(&link.held_turn))
            .shape(shape, link.density)
            .start(link.start[0], link.start[1])
            .damping(link.damping);
        let parent = link.parent.filter(|parent| *parent < i);
        chain.link(match parent {
            Some(parent) => made.on(parent),
            None => made,
        });
    }
    Ok(chain)
}

fn link_shape(link: &LinkSpec) -> Result<Shape, ShapeError> {
    if link.capsule { Shape::capsule(link.half.x, link.half.y) } else { Shape::cuboid(link.half) }
}

fn bounded(bound: &BoundSpec, system: SystemId) -> Spring {
    let mut spring = Spring::coordinate(system, bound.link).stiffness(bound.stiffness);
    if let Some([low, high]) = bound.stops {
        spring = spring.stops(low, high);
    }
    if let Some(limit) = bound.friction {
        spring = spring.friction(limit);
    }
    spring
}

/// The measure of a motor with the damping and stiffness that it needs.
fn with_gain(measure: Spring, kind: MotorKind, gain: f64) -> Spring {
    match kind {
        MotorKind::Effort => measure,
        MotorKind::Rate => measure.damping(gain),
        MotorKind::Target => measure.stiffness(gain * 10.0).damping(gain),
    }
}
