//! Chains with tendons, couplings, stops and motors; beams; gears.

use super::Draft;
use crate::random::Random;
use crate::scene::{BaseSpec, BeamSpec, BoundSpec, ChainSpec, GearSpec, LinkSpec, MotorKind};
use crate::scene::{MotorSpec, Profile, TendonSpec};
use palpable::{Mount, Vec3};

/// The chain that is being drawn: its number and the length of its links [m].
#[derive(Clone, Copy)]
struct Growing {
    id: usize,
    length: f64,
    floats: bool,
}

impl Draft {
    pub(super) fn add_chains(&mut self) {
        let wild = matches!(self.profile, Profile::Wild | Profile::Press);
        let chained = self.profile == Profile::Articulated || wild && self.random.chance(0.25);
        if chained {
            for id in 0..1 + self.random.below(2) {
                let chain = self.draw_chain(id);
                self.scene.chains.push(chain);
            }
        }
    }

    fn draw_chain(&mut self, id: usize) -> ChainSpec {
        let count = 1 + self.random.below(5);
        let length = self.scale * self.random.spread(0.5, 2.0);
        let base = self.random.chance(0.5).then(|| self.draw_base(id, length));
        let growing = Growing { id, length, floats: base.is_some() };
        let links = (0..count).map(|i| self.draw_link(i, growing)).collect();
        let random = &mut self.random;
        let bound = random.chance(0.5).then(|| draw_bound(random, count));
        ChainSpec {
            id,
            base,
            links,
            tendon: random.chance(0.3).then(|| draw_tendon(random, count)),
            coupling: random.chance(0.2).then(|| random.between(-3.0, 3.0)),
            bound: bound.filter(|bound| bound.stops.is_some() || bound.friction.is_some()),
            motor: random.chance(0.4).then(|| draw_motor(random, count)),
        }
    }

    fn draw_base(&mut self, id: usize, length: f64) -> BaseSpec {
        let random = &mut self.random;
        let place = Vec3::new(0.0, id as f64 * length, 0.0);
        BaseSpec {
            half: Vec3::new(length * 0.5, length * 0.2, length * 0.2),
            position: self.upright * (place + Vec3::z() * length * random.between(0.2, 3.0)),
            turn: random.turn(),
            velocity: random.vector(1.0),
            density: random.spread(10.0, 1e4),
            spin: random.vector(3.0),
        }
    }

    fn draw_link(&mut self, i: usize, chain: Growing) -> LinkSpec {
        let (random, length) = (&mut self.random, chain.length);
        let slides = random.chance(0.25);
        let (y, z) = (length * random.spread(0.05, 0.3), length * random.spread(0.05, 0.3));
        let half = Vec3::new(length * 0.5, y, z);
        let root = i == 0 || random.chance(0.15);
        let at = if root && !chain.floats {
            let x = random.between(-1.0, 1.0) * length;
            let z = random.between(0.1, 2.0) * length;
            self.upright * Vec3::new(x, chain.id as f64 * length, z)
        } else {
            Vec3::new(half.x, 0.0, 0.0)
        };
        let unit = if slides { length } else { 1.0 };
        LinkSpec {
            parent: if root { None } else { Some(i - 1) },
            slides,
            at,
            at_turn: random.turn(),
            held: Vec3::new(-half.x, 0.0, 0.0),
            held_turn: random.turn(),
            half,
            density: random.spread(10.0, 1e4),
            start: draw_start(random, unit),
            damping: if random.chance(0.3) { random.spread(1e-6, 1.0) } else { 0.0 },
            capsule: random.chance(0.3),
        }
    }

    pub(super) fn add_beam(&mut self) {
        if self.profile != Profile::Articulated || !self.random.chance(0.3) {
            return;
        }
        let (random, scale) = (&mut self.random, self.scale);
        self.scene.beams.push(BeamSpec {
            length: random.spread(0.1, 2.0),
            mass: random.spread(1e-3, 10.0),
            rigidity: random.spread(1e-3, 1e5),
            modes: 1 + random.below(4),
            mount: [Mount::Clamped, Mount::Hub, Mount::Planar][random.below(3)],
            hub: [random.spread(1e-3, 1.0), random.spread(1e-5, 1e-2)],
            position: self.upright * Vec3::new(3.0 * scale, 0.0, 2.0 * scale),
            turn: random.turn(),
        });
    }

    pub(super) fn add_gear(&mut self) {
        if self.profile != Profile::Articulated || !self.random.chance(0.3) {
            return;
        }
        let random = &mut self.random;
        self.scene.gears.push(GearSpec {
            ratio: random.between(-5.0, 5.0),
            stiffness: if random.chance(0.5) { f64::INFINITY } else { random.spread(1.0, 1e6) },
            masses: [random.spread(1e-3, 1e3), random.spread(1e-3, 1e3)],
            motor: draw_motor_kind(random),
            effort: random.spread(1e-3, 10.0),
        });
    }
}

/// Coordinate and rate at the start, in the coordinate's `unit` [m or 1].
fn draw_start(random: &mut Random, unit: f64) -> [f64; 2] {
    let place = random.between(-1.0, 1.0) * unit;
    let rate = if random.chance(0.5) { 0.0 } else { random.between(-5.0, 5.0) * unit };
    [place, rate]
}

fn draw_bound(random: &mut Random, links: usize) -> BoundSpec {
    let low = random.between(-2.0, 0.5);
    let link = random.below(links);
    // drawn whether used or not
    let stopped = random.chance(0.7);
    let stops = [low, low + random.spread(1e-2, 3.0)];
    let rubs = random.chance(0.5);
    let friction = random.spread(1e-4, 10.0);
    let stiffness = if random.chance(0.5) { 0.0 } else { random.spread(1e-3, 1e4) };
    let (stops, friction) = (stopped.then_some(stops), rubs.then_some(friction));
    BoundSpec { link, stops, friction, stiffness }
}

fn draw_tendon(random: &mut Random, links: usize) -> TendonSpec {
    let radii = (0..links).map(|_| random.between(-0.05, 0.05)).collect();
    TendonSpec { radii, stiffness: random.spread(1.0, 1e6) }
}

fn draw_motor(random: &mut Random, links: usize) -> MotorSpec {
    MotorSpec {
        link: random.below(links),
        kind: draw_motor_kind(random),
        effort: random.spread(1e-3, 10.0),
        gain: random.spread(1e-3, 10.0),
    }
}

fn draw_motor_kind(random: &mut Random) -> MotorKind {
    [MotorKind::Effort, MotorKind::Rate, MotorKind::Target][random.below(3)]
}
