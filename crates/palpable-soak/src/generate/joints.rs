//! Joints and springs of all kinds between bodies, or a body and the world.

use super::Draft;
use crate::random::Random;
use crate::scene::{JointKind, JointSpec};
use palpable::Vec3;

impl Draft {
    pub(super) fn add_joints(&mut self) {
        let (pile, moderate) = (self.profile.is_pile(), self.profile.is_moderate());
        let usual = if moderate { 0.5 } else { 0.6 };
        let jointed = !pile && self.random.chance(usual) || self.random.chance(0.1);
        if jointed {
            let count = 1 + self.random.below(self.movers);
            for id in 0..count {
                let joint = self.draw_joint(id);
                self.scene.joints.extend(joint);
            }
        }
    }

    fn draw_joint(&mut self, id: usize) -> Option<JointSpec> {
        let (a, b) = (self.draw_mover(), self.draw_mover());
        let to_world = !self.profile.is_iso() && self.random.chance(0.2);
        if a == b && !to_world {
            return None;
        }
        let kind = self.draw_joint_kind();
        let place = self.scene.bodies[a].position;
        let at = if to_world {
            place + self.random.vector(self.scale * 0.3)
        } else {
            (place + self.scene.bodies[b].position) * 0.5
        };
        if self.profile.is_moderate() && !self.extends_row(a, b) {
            return None;
        }
        let stiffness = draw_stiffness(&mut self.random, kind);
        let offset = self.draw_offset(kind);
        let random = &mut self.random;
        let single = kind.is_single();
        Some(JointSpec {
            id,
            kind,
            a: self.scene.bodies[a].id,
            b: (!to_world).then_some(self.scene.bodies[b].id),
            at,
            frame: random.turn(),
            offset,
            stiffness: if single && random.chance(0.4) { 0.0 } else { stiffness },
            damping: if random.chance(0.3) { random.spread(1e-4, 1e2) } else { 0.0 },
            stops: (single && random.chance(0.6)).then(|| draw_stops(random)),
            friction: (single && random.chance(0.5)).then(|| random.spread(1e-4, 10.0)),
            rest: (single && random.chance(0.3)).then(|| random.between(-0.5, 0.5)),
        })
    }

    fn draw_joint_kind(&mut self) -> JointKind {
        let simple = [JointKind::Ball, JointKind::Hinge, JointKind::SpringPoint];
        if self.profile.is_moderate() {
            simple[self.random.below(simple.len())]
        } else {
            JointKind::ALL[self.random.below(JointKind::ALL.len())]
        }
    }

    /// Moderate worlds have rows of neighbours only, so that no two joints fight.
    fn extends_row(&self, a: usize, b: usize) -> bool {
        let id = self.scene.bodies[a].id;
        b == a + 1 && !self.scene.joints.iter().any(|joint| joint.a == id)
    }

    /// How far apart the points of a joint are built [m].
    fn draw_offset(&mut self, kind: JointKind) -> Vec3 {
        if kind == JointKind::Distance {
            self.random.vector(self.scale)
        } else if self.profile.is_moderate() {
            Vec3::zeros()
        } else {
            self.random.vector(self.scale * 1e-3)
        }
    }
}

fn draw_stiffness(random: &mut Random, kind: JointKind) -> f64 {
    if kind.is_spring() {
        random.spread(1e-2, 1e6)
    } else if random.chance(0.5) {
        f64::INFINITY
    } else {
        random.spread(1e-3, 1e8)
    }
}

fn draw_stops(random: &mut Random) -> [f64; 2] {
    let low = random.between(-1.0, 0.2);
    [low, low + random.spread(0.01, 2.0)]
}
