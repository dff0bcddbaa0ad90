//! Payments out of motion: per island, and without touching the momentum of a free one.

use crate::math::{Mat3, Vec3, solve3};
use crate::model::{Island, Movers, Params, State};

/// The kinetic energy of an island that may pay, and the rigid motion that may not.
#[derive(Debug, Clone, Copy)]
pub struct Payable {
    /// Energy of the part of the motion that may be scaled [J].
    pub energy: f64,
    rigid: Option<Rigid>,
}

/// Motion of a free island as one rigid body.
#[derive(Debug, Clone, Copy)]
struct Rigid {
    center: Vec3,
    velocity: Vec3,
    spin: Vec3,
}

impl Payable {
    /// An anchored island pays from all its motion; a free one only from the part that is
    /// M-orthogonal to its six rigid motions, which keeps linear and angular momentum.
    pub fn of(params: &Params, state: &State, movers: &Movers) -> Self {
        let rigid = if movers.anchored { None } else { rigid_motion(params, state, movers) };
        let mut payable = Self { energy: 0.0, rigid };
        for &b in movers.bodies {
            let (v, omega) = payable.base(state, b);
            let s = &state.bodies[b];
            payable.energy += params.bodies[b].kinetic(&(s.v - v), &(s.omega - omega));
        }
        // an island with a subsystem counts as anchored
        payable.energy += movers.systems.iter().map(|&s| state.systems[s].kinetic()).sum::<f64>();
        payable
    }

    /// All of the motion: the last resort of a debt that nothing else pays.
    pub(super) fn and_rigid(self, params: &Params, state: &State, movers: &Movers) -> Self {
        Self { energy: kinetic_of_movers(params, state, movers), rigid: None }
    }

    /// The velocity of body `b` that must stay.
    fn base(&self, state: &State, b: usize) -> (Vec3, Vec3) {
        let Some(rigid) = &self.rigid else { return (Vec3::zeros(), Vec3::zeros()) };
        let s = &state.bodies[b];
        let v = rigid.velocity + rigid.spin.cross(&(s.x - rigid.center));
        (v, s.q.inverse() * rigid.spin)
    }

    /// Changes the payable energy by `amount` [J] (negative: pays), by scaling velocities.
    pub fn change(&self, state: &mut State, movers: &Movers, amount: f64) {
        if !(self.energy > 0.0) {
            return;
        }
        let scale = (1.0 + amount / self.energy).max(0.0).sqrt();
        for &b in movers.bodies {
            let (v, omega) = self.base(state, b);
            let s = &mut state.bodies[b];
            s.v = v + (s.v - v) * scale;
            s.omega = omega + (s.omega - omega) * scale;
        }
        for &s in movers.systems {
            state.systems[s].xi.iter_mut().for_each(|x| *x *= scale);
        }
    }
}

/// Kinetic energy of an island [J].
pub fn kinetic(params: &Params, state: &State, island: &Island) -> f64 {
    kinetic_of_movers(params, state, &island.movers())
}

/// Kinetic energy of bodies and subsystems [J].
pub fn kinetic_of_movers(params: &Params, state: &State, movers: &Movers) -> f64 {
    let of = |b: usize| params.bodies[b].kinetic(&state.bodies[b].v, &state.bodies[b].omega);
    let systems: f64 = movers.systems.iter().map(|&s| state.systems[s].kinetic()).sum();
    movers.bodies.iter().map(|&b| of(b)).sum::<f64>() + systems
}

fn rigid_motion(params: &Params, state: &State, movers: &Movers) -> Option<Rigid> {
    let (mut mass, mut center, mut velocity) = (0.0, Vec3::zeros(), Vec3::zeros());
    for &b in movers.bodies {
        let (m, s) = (params.bodies[b].mass, &state.bodies[b]);
        mass += m;
        center += s.x * m;
        velocity += s.v * m;
    }
    (center, velocity) = (center / mass, velocity / mass);
    let (mut momentum, mut inertia) = (Vec3::zeros(), Mat3::zeros());
    for &b in movers.bodies {
        let (p, s) = (&params.bodies[b], &state.bodies[b]);
        let (arm, r) = (s.x - center, s.q.to_rotation_matrix().into_inner());
        let spin = r.component_mul(&Mat3::from_rows(&[p.inertia.transpose(); 3]));
        momentum += arm.cross(&((s.v - velocity) * p.mass)) + spin * s.omega;
        // −S(a)² = |a|² I − a aᵀ
        let about = Mat3::from_diagonal_element(arm.norm_squared()) - arm * arm.transpose();
        inertia += spin * r.transpose() + about * p.mass;
    }
    let spin = solve3(&inertia, &momentum)?;
    Some(Rigid { center, velocity, spin })
}

/// Hands booking surplus back to the motion of an island, at most a tenth of it per step;
/// returns what was taken [J].
pub fn return_surplus(params: &Params, state: &mut State, island: &Island, offered: f64) -> f64 {
    let payable = Payable::of(params, state, &island.movers());
    let amount = offered.min(0.1 * payable.energy);
    payable.change(state, &island.movers(), amount);
    amount
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Body, Model, Spring};

    /// A chain of three tumbling rods, free or pinned to the world.
    fn rods(pinned: bool) -> Model {
        let mut model = Model::builder();
        let ids: Vec<_> = (0..3)
            .map(|i| {
                let a = f64::from(i);
                let rod = Body::cuboid(format!("rod{i}"), [0.05, 0.01, 0.02]).mass(0.1 + a);
                let rod = rod.position([0.1 * a, 0.03 * a, 0.0]).velocity([a, -1.0, 0.5 * a * a]);
                model.body(rod.angular_velocity([3.0 - a, 5.0 * a, 1.0]))
            })
            .collect();
        for pair in ids.windows(2) {
            let (p, q) = (pair[0].at([0.05, 0.0, 0.0]), pair[1].at([-0.05, 0.0, 0.0]));
            model.spring(Spring::point(p, q).stiffness(1e3));
        }
        if pinned {
            let pin = crate::model::Anchor::world([0.0; 3]);
            model.spring(Spring::point(ids[0].origin(), pin).stiffness(1e3));
        }
        model.build().expect("a valid model")
    }

    fn momenta(model: &Model, state: &State) -> (Vec3, Vec3) {
        let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
        for (p, s) in model.params.bodies.iter().zip(&state.bodies) {
            linear += s.v * p.mass;
            angular += s.x.cross(&(s.v * p.mass)) + s.q * p.inertia.component_mul(&s.omega);
        }
        (linear, angular)
    }

    #[test]
    fn a_free_island_pays_without_touching_its_momentum() {
        let model = rods(false);
        let (island, mut state) = (&model.islands()[0], model.state.clone());
        let before = momenta(&model, &state);
        let payable = Payable::of(&model.params, &state, &island.movers());
        payable.change(&mut state, &island.movers(), -0.7 * payable.energy);
        let after = momenta(&model, &state);
        // sums of three bodies of order one
        assert!((after.0 - before.0).norm() < 1e-14 && (after.1 - before.1).norm() < 1e-14);
        let left = Payable::of(&model.params, &state, &island.movers()).energy;
        assert!((left / payable.energy - 0.3).abs() < 1e-13, "{left}");
    }

    #[test]
    fn an_anchored_island_pays_from_all_its_motion() {
        let model = rods(true);
        let (island, state) = (&model.islands()[0], &model.state);
        let of =
            |b: usize| model.params.bodies[b].kinetic(&state.bodies[b].v, &state.bodies[b].omega);
        let all: f64 = island.bodies.iter().map(|&b| of(b)).sum();
        let payable = Payable::of(&model.params, state, &island.movers()).energy;
        assert!((payable / all - 1.0).abs() < 1e-14);
    }
}
