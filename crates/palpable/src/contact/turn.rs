//! Free bodies that touch nothing fixed turn by exactly the torque that they give each other.
//!
//! A step is linear because gyroscopic terms and levers are taken at a predicted rate `ω*`. A
//! collision changes the rate, and the angular momentum is then off by `½ h |Δω| |I ω|`. Once the
//! forces are known, so is the torque in world axes, and each body can turn by its own equation,
//! which keeps the momentum to rounding and the energy but for the work of the forces. That work
//! is weighed again: where it became positive, the pile's forces are made a little smaller.

use super::Site;
use super::stage::Stage;
use crate::math::{Mat3, Vec3, Vec6, angular, linear, so3};
use crate::predict::turning_rate;
use crate::solve::point::{GROUND, Pile};
use crate::stamp::Rule;

/// Times that the forces of a pile are made smaller at most.
const TRIES: usize = 6;

impl Stage {
    /// Lets the movers of a pile turn exactly, if none of them touches anything but the others.
    /// `pushes` are the forces that act besides contact.
    pub(super) fn turn_exactly(&mut self, site: &Site, pile: &Pile, pushes: &[Vec6], rule: &Rule) {
        if !self.floats(pile) {
            return;
        }
        let [mut part, free] = [1.0, self.power(site, pile, (pushes, 0.0), rule)];
        for _ in 0..TRIES {
            let power = self.power(site, pile, (pushes, part), rule);
            // a sum of numbers as large as the power that stops them is rounded
            if power <= f64::EPSILON * free.abs() {
                self.turn(site, pile, (pushes, part), rule);
                return;
            }
            // `s free + s² (power − free)` vanishes at `free/(free − power)`; a little less is safe
            part *= free / (free - 2.0 * power);
            // written so that NaN gives up, and the linear step stands
            if !(part > 0.0 && part < 1.0) {
                return;
            }
        }
    }

    /// The movers of a pile are free, and touch each other only.
    pub(super) fn floats(&self, pile: &Pile) -> bool {
        let alone = |m: usize| self.graph.units.island_of(self.points.body(m)).is_none();
        let grounded = |p: usize| self.points.problem.movers_of(p).contains(&GROUND);
        !pile.points.clone().any(grounded) && pile.movers.clone().all(alone)
    }

    /// Rate at which a mover turns [rad/s], and `A⁻¹` at that rate, under a part of its torque.
    fn turning(
        &self,
        site: &Site,
        mover: usize,
        (pushes, part): (&[Vec6], f64),
        rule: &Rule,
    ) -> (Vec3, Mat3) {
        let b = self.points.body(mover);
        let (p, s) = (&site.params.bodies[b], &site.state.bodies[b]);
        let torques = [angular(&pushes[b]), s.q.inverse() * self.points.torque(mover) * part];
        let w = turning_rate(&p.inertia, p.angular_damping, &s.omega, torques, rule.h);
        let half = so3::skew(&(w * (0.5 * rule.h)));
        (w, (Mat3::identity() - half) * s.q.to_rotation_matrix().into_inner().transpose())
    }

    /// Power of a part of the forces of a pile at the velocities that they lead to [W]. No part of
    /// them: that of all, at the velocities without them.
    fn power(&self, site: &Site, pile: &Pile, (pushes, part): (&[Vec6], f64), rule: &Rule) -> f64 {
        let mut sum = 0.0;
        for mover in pile.movers.clone() {
            let b = self.points.body(mover);
            let (force, torque) = (self.points.force(mover), self.points.torque(mover));
            let (w, lever) = self.turning(site, mover, (pushes, part), rule);
            let v = linear(&self.bodies.mid[b])
                + force * (part * self.bodies.frames[b].answer_of_place());
            sum += force.dot(&v) + (lever * torque).dot(&w);
        }
        sum * if part > 0.0 { part } else { 1.0 }
    }

    /// Takes the rates and levers over.
    fn turn(&mut self, site: &Site, pile: &Pile, (pushes, part): (&[Vec6], f64), rule: &Rule) {
        for mover in pile.movers.clone() {
            let (w, lever) = self.turning(site, mover, (pushes, part), rule);
            let b = self.points.body(mover);
            (self.bodies.w_star[b], self.bodies.frames[b].lever) = (w, lever);
            self.points.scale_wrench(mover, part);
        }
    }
}
