//! Joints and springs.

use super::Site;
use crate::scene::{JointKind, JointSpec, Scene, rotation};
use palpable::{Anchor, BodyId, Joint, Rotation, Spring, Vec3};
use std::collections::BTreeMap;

impl Site<'_> {
    pub(super) fn add_joints(&mut self) {
        for spec in &self.scene.joints {
            let Some(ends) = ends(self.scene, spec, &self.bodies) else { continue };
            self.model.spring(dressed(element(spec, ends), spec));
            self.joints.insert(spec.id, ends);
        }
    }
}

/// Where a joint holds its two ends; none if a body is missing.
fn ends(scene: &Scene, spec: &JointSpec, bodies: &BTreeMap<usize, BodyId>) -> Option<[Anchor; 2]> {
    let anchor = |id: Option<usize>, local: (Vec3, Rotation)| match id {
        None => Some(Anchor::world(local.0).turned(local.1)),
        Some(id) => bodies.get(&id).map(|body| body.at(local.0).turned(local.1)),
    };
    let [a, b] = local_ends(scene, spec)?;
    Some([anchor(Some(spec.a), a)?, anchor(spec.b, b)?])
}

/// Point [m] and frame of both ends in the axes of their bodies.
pub fn local_ends(scene: &Scene, spec: &JointSpec) -> Option<[(Vec3, Rotation); 2]> {
    let frame = rotation(&spec.frame);
    let local = |id: Option<usize>, at: Vec3| match id {
        None => Some((at, frame)),
        Some(id) => scene.body(id).map(|body| {
            let inverse = rotation(&body.turn).inverse();
            (inverse * (at - body.position), inverse * frame)
        }),
    };
    Some([local(Some(spec.a), spec.at)?, local(spec.b, spec.at + spec.offset)?])
}

fn element(spec: &JointSpec, [a, b]: [Anchor; 2]) -> Spring {
    let joint = match spec.kind {
        JointKind::Ball => Joint::ball(a, b),
        JointKind::Hinge => Joint::hinge(a, b),
        JointKind::Universal => Joint::universal(a, b),
        JointKind::Fixed => Joint::fixed(a, b),
        JointKind::Prismatic => Joint::prismatic(a, b),
        JointKind::Cylindrical => Joint::cylindrical(a, b),
        JointKind::Planar => Joint::planar(a, b),
        JointKind::Distance => Joint::distance(a, b, spec.offset.norm()),
        JointKind::SpringPoint => return Spring::point(a, b).stiffness(spec.stiffness),
        JointKind::SpringRotation => return Spring::rotation(a, b).stiffness(spec.stiffness),
        JointKind::SpringPose => return Spring::pose(a, b).stiffness(spec.stiffness),
        JointKind::SpringAngle => return Spring::angle(a, b).stiffness(spec.stiffness),
        JointKind::SpringSlide => return Spring::slide(a, b).stiffness(spec.stiffness),
    };
    joint.stiffness(spec.stiffness).into()
}

/// With damping, stops, dry friction and rest.
fn dressed(mut spring: Spring, spec: &JointSpec) -> Spring {
    if spec.stiffness.is_finite() {
        spring = spring.damping(spec.damping);
    }
    if let Some([low, high]) = spec.stops {
        spring = spring.stops(low, high);
    }
    if let Some(limit) = spec.friction {
        spring = spring.friction(limit);
    }
    if let Some(rest) = spec.rest {
        spring = spring.rest(rest);
    }
    spring
}
