//! Makes values simpler: zeros, ones, balls, level floors, hard joints, even steps.

use super::Candidates;
use crate::scene::{BodySpec, Form, JointSpec};
use palpable::{Material, Vec3};

/// What can be made simpler in a body that moves.
const BODY_EDITS: [fn(&mut BodySpec); 9] = [
    |body| body.damping = [0.0; 2],
    |body| body.spin = Vec3::zeros(),
    |body| body.velocity = Vec3::zeros(),
    |body| body.mass = 1.0,
    make_ball,
    make_cube,
    |body| body.turn = Vec3::zeros(),
    |body| body.material = Material::default(),
    |body| body.material = Material::new(body.material.friction, body.material.restitution),
];

/// What can be made simpler in a fixed body.
const FLOOR_EDITS: [fn(&mut BodySpec); 4] = [
    |body| (body.form, body.position) = (Form::HalfSpace, Vec3::zeros()),
    |body| body.turn = Vec3::zeros(),
    |body| body.material = Material::default(),
    |body| body.material = Material::new(body.material.friction, body.material.restitution),
];

/// What can be made simpler in a joint.
const JOINT_EDITS: [fn(&mut JointSpec); 6] = [
    |joint| joint.damping = 0.0,
    |joint| joint.stops = None,
    |joint| joint.friction = None,
    |joint| joint.offset = Vec3::zeros(),
    |joint| joint.frame = Vec3::zeros(),
    make_hard,
];

impl Candidates<'_> {
    pub(super) fn simplify_values(&mut self) {
        self.add(|scene| scene.effort = None);
        self.add(|scene| scene.returns_surplus = false);
        self.add(|scene| scene.capacity = 0);
        for i in 0..self.scene.ports.len() {
            self.add(|scene| scene.ports[i].at = Vec3::zeros());
        }
        for i in 0..self.scene.bodies.len() {
            let fixed = self.scene.bodies[i].fixed;
            let edits: &[fn(&mut BodySpec)] = if fixed { &FLOOR_EDITS } else { &BODY_EDITS };
            for edit in edits {
                self.add(|scene| edit(&mut scene.bodies[i]));
            }
        }
        for i in 0..self.scene.joints.len() {
            for edit in JOINT_EDITS {
                self.add(|scene| edit(&mut scene.joints[i]));
            }
        }
        self.simplify_step_and_gravity();
    }

    fn simplify_step_and_gravity(&mut self) {
        let [least, most] = self.scene.step_range;
        if least != most {
            self.add(|scene| scene.step_range = [1e-3; 2]);
            self.add(|scene| scene.step_range = [1e-2; 2]);
        }
        self.add(|scene| scene.gravity = Vec3::zeros());
        if self.scene.gravity != Vec3::zeros() {
            self.add(|scene| scene.gravity = Vec3::new(0.0, 0.0, -9.81));
        }
    }
}

fn make_ball(body: &mut BodySpec) {
    if !matches!(body.form, Form::Ball(_)) {
        body.form = Form::Ball(body.form.radius() * 0.6);
    }
}

fn make_cube(body: &mut BodySpec) {
    if !matches!(body.form, Form::Ball(_) | Form::Cuboid(_)) {
        body.form = Form::Cuboid(Vec3::repeat(body.form.radius() * 0.5));
    }
}

fn make_hard(joint: &mut JointSpec) {
    if !joint.kind.is_spring() && joint.stiffness > 0.0 {
        joint.stiffness = f64::INFINITY;
    }
}
