//! Draws a scene from a seed. The order of the draws is part of the mapping: a seed that is named
//! in a report must lead to the same world for ever.

mod bodies;
mod chains;
mod events;
mod floor;
mod forms;
mod joints;
mod late;
mod ports;
mod soft;

use crate::random::Random;
use crate::scene::{Effort, Profile, Scene, rotation};
use forms::draw_material;
use palpable::{Material, Rotation, Vec3};
use std::f64::consts::PI;

/// Steps of a world that is neither a pile nor moderate.
const STEPS: usize = 250;

/// The profile of the scene of a seed, without drawing the rest of it.
pub fn profile_of(seed: u64) -> Profile {
    match seed {
        Profile::SOFT_FROM.. => Profile::Soft,
        _ => Profile::DRAWN[Random::of_scene(seed).below(Profile::DRAWN.len())],
    }
}

/// The scene of a seed.
pub fn generate(seed: u64) -> Scene {
    let mut draft = Draft::new(seed);
    draft.add_floor();
    draft.add_bodies();
    draft.throw_together();
    draft.add_joints();
    draft.add_chains();
    draft.add_beam();
    draft.add_gear();
    draft.add_ports();
    draft.add_latecomers();
    draft.vary_solver();
    draft.add_events();
    if draft.scene.profile == Profile::Soft {
        draft.soften();
    }
    draft.scene
}

/// A scene while it is drawn.
struct Draft {
    random: Random,
    scene: Scene,
    /// how it is drawn: that of the scene, or for a soft one what it would be if it were hard
    profile: Profile,
    /// typical half size of a body [m]
    scale: f64,
    /// true if some surfaces resist rolling
    rolls: bool,
    /// the floor's surface, and that of half the bodies
    material: Material,
    /// the direction of gravity, −z if there is none
    down: Vec3,
    /// rotation vector that turns z against gravity [rad]
    up_turn: Vec3,
    /// the same as a rotation
    upright: Rotation,
    /// bodies that move; the floor and latecomers are not counted
    movers: usize,
}

impl Draft {
    fn new(seed: u64) -> Self {
        let mut random = Random::of_scene(seed);
        let profile = Profile::DRAWN[random.below(Profile::DRAWN.len())];
        let mut scene = empty(seed, profile_of(seed));
        scene.returns_surplus = random.chance(0.2);
        scene.step_range = draw_step_range(&mut random, profile);
        let rolls = random.chance(0.15);
        scene.gravity = draw_gravity(&mut random, profile);
        let material = draw_material(&mut random, rolls);
        let moderate = profile.is_moderate();
        let scale = if moderate { random.spread(0.01, 0.3) } else { random.spread(1e-3, 3.0) };
        let down = scene.gravity.try_normalize(0.0).unwrap_or(-Vec3::z());
        let over = || Rotation::from_scaled_axis(Vec3::x() * PI);
        let turn = Rotation::rotation_between(&Vec3::z(), &-down).unwrap_or_else(over);
        let up_turn = turn.scaled_axis();
        // by way of its vector, which is what a body keeps of it
        let upright = rotation(&up_turn);
        Self { random, scene, profile, scale, rolls, material, down, up_turn, upright, movers: 0 }
    }

    /// Index of the first body that moves.
    fn first(&self) -> usize {
        usize::from(!self.profile.is_iso())
    }

    /// One of the bodies that move from the start on, as an index.
    fn draw_mover(&mut self) -> usize {
        self.first() + self.random.below(self.movers)
    }

    /// Some worlds have a solver of contact that may not work hard, or little room for contacts.
    fn vary_solver(&mut self) {
        let (random, moderate) = (&mut self.random, self.profile.is_moderate());
        if !moderate && random.chance(0.3) {
            self.scene.effort = Some(draw_effort(random));
        }
        if !moderate && random.chance(0.05) {
            self.scene.capacity = 4 + random.below(20);
        }
    }
}

fn empty(seed: u64, profile: Profile) -> Scene {
    Scene {
        seed,
        profile,
        gravity: Vec3::zeros(),
        step_range: [1e-3; 2],
        steps: STEPS,
        capacity: 0,
        returns_surplus: false,
        effort: None,
        bodies: Vec::new(),
        joints: Vec::new(),
        chains: Vec::new(),
        beams: Vec::new(),
        gears: Vec::new(),
        ports: Vec::new(),
        events: Vec::new(),
    }
}

fn draw_effort(random: &mut Random) -> Effort {
    Effort { sweeps: random.below(201), newton_steps: random.below(21) }
}

/// Shortest and longest step [s].
fn draw_step_range(random: &mut Random, profile: Profile) -> [f64; 2] {
    if profile.is_moderate() || profile.is_pile() {
        return [[1e-3, 1e-3, 5e-3, 1e-2, 2e-4][random.below(5)]; 2];
    }
    match random.below(4) {
        0 => [1e-6, 0.1],
        1 => [1e-4, 1e-2],
        2 => [random.spread(1e-6, 0.1); 2],
        _ => [1e-3; 2],
    }
}

/// Acceleration of gravity [m/s²].
fn draw_gravity(random: &mut Random, profile: Profile) -> Vec3 {
    if profile.is_iso() {
        Vec3::zeros()
    } else if profile.is_moderate() || random.chance(0.6) {
        Vec3::new(0.0, 0.0, -9.81)
    } else if random.chance(0.2) {
        Vec3::zeros()
    } else {
        random.vector(1.0).normalize() * random.spread(0.01, 100.0)
    }
}
