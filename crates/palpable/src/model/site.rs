//! A world as the stages of a step see it.

use super::lagrangian::retract;
use super::{Block, Model, Params, PerSystem, Span, State, SystemWork, Unit};
use crate::math::{Vec6, angular, dot6, linear, so3};

/// What the stages of a step see of a world.
#[derive(Debug)]
pub struct Site<'a> {
    /// Topology.
    pub model: &'a Model,
    /// Parameters.
    pub params: &'a Params,
    /// The state being made.
    pub state: &'a mut State,
    /// Subsystems, where they were last evaluated.
    pub systems: &'a mut PerSystem<SystemWork>,
}

impl Site<'_> {
    /// Kinetic energy of a unit [J].
    pub fn kinetic(&self, unit: Unit) -> f64 {
        let (mut bodies, mut systems) = (0.0, 0.0);
        for span in self.model.units.spans(unit) {
            match span.block {
                Block::Body(b) => {
                    let s = &self.state.bodies[b];
                    bodies += self.params.bodies[b].kinetic(&s.v, &s.omega);
                }
                Block::System(s) => systems += self.state.systems[s].kinetic(),
            }
        }
        bodies + systems
    }

    /// Adds a range of a vector of velocities to those that it is about; returns the kinetic energy
    /// of the jump alone [J].
    pub fn hasten(&mut self, span: &Span, jump: &[f64]) -> f64 {
        let jump = span.of(jump);
        match span.block {
            Block::Body(b) => {
                let (jump, s) = (Vec6::from_column_slice(jump), &mut self.state.bodies[b]);
                let (v, omega) = (linear(&jump), angular(&jump));
                s.v += v;
                s.omega += omega;
                self.params.bodies[b].kinetic(&v, &omega)
            }
            Block::System(s) => {
                self.state.systems[s].xi.iter_mut().zip(jump).for_each(|(x, jump)| *x += jump);
                self.systems[s].show(&self.model.systems[s], self.state, s);
                jump.iter().map(|x| 0.5 * x * x).sum()
            }
        }
    }

    /// Moves a body or subsystem by a part of a range of a vector of displacements; its velocities
    /// stay.
    pub fn shift(&mut self, span: &Span, delta: &[f64], part: f64) {
        let delta = span.of(delta);
        match span.block {
            Block::Body(b) => {
                let (delta, s) = (Vec6::from_column_slice(delta) * part, &mut self.state.bodies[b]);
                s.x += linear(&delta);
                s.q = so3::compose(&s.q, &so3::exp(&angular(&delta)));
            }
            Block::System(s) => {
                let (work, info) = (&mut self.systems[s], &self.model.systems[s]);
                work.take_rates(delta);
                retract(info.law.as_ref(), &mut self.state.systems[s].q, &work.row, part);
                work.configure(&self.state.systems[s].q, &self.params.gravity);
                work.show_frames(info, &mut self.state.bodies);
            }
        }
    }

    /// Rate of a row towards the velocities of a body or subsystem, at the present ones.
    pub fn rate(&self, block: Block, row: &[f64]) -> f64 {
        match block {
            Block::Body(b) => {
                let u = self.state.bodies[b].twist();
                row.first_chunk::<6>().map_or(0.0, |row| dot6(row, &u.data.0[0]))
            }
            Block::System(s) => row.iter().zip(&self.state.systems[s].xi).map(|(j, x)| j * x).sum(),
        }
    }
}
