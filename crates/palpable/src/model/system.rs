//! A subsystem in generalized coordinates inside a model: what is frozen, and its work space.

use super::lagrangian::{Lagrangian, Terms, Twist, retract};
use super::lineage::along;
use super::{BodyId, BodyState, State};
use crate::math::dense::{self, Matrix};
use crate::math::{Per, Vec3, Vec6, angular, linear, place};
use std::ops::Range;
use std::sync::Arc;

place! {
    /// Which of the subsystems that a frozen model has.
    SystemAt
}

/// A value for each subsystem.
pub type PerSystem<T> = Per<SystemAt, T>;

/// Name of a subsystem; made by the model builder. It stays valid while others come and go, and is
/// refused once the subsystem is gone, and by other models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SystemId {
    pub(crate) index: usize,
    /// which one of those that were ever there
    pub(crate) mark: u64,
    /// id of its first body, and how many of them are its base
    pub(crate) first_body: BodyId,
    pub(crate) bases: usize,
}

impl SystemId {
    /// The subsystem at a place in the list with this first body and this first link; whatever
    /// subsystem is there if they are whatever bodies are at theirs.
    pub fn from_parts(index: usize, base: super::BodyId, link: super::BodyId) -> Self {
        // a subsystem and its first body have one mark
        Self { index, first_body: base, bases: link.0.saturating_sub(base.0), mark: base.1 }
    }

    /// Position in the list of subsystems.
    pub fn index(self) -> usize {
        self.index
    }

    /// The body of link `i`, to attach things to; stations of a beam count from its root.
    pub fn link(self, i: usize) -> BodyId {
        let behind = self.bases.saturating_add(i);
        BodyId(self.first_body.0.saturating_add(behind), along(self.first_body.1, behind))
    }

    /// The floating base of a chain; its first link if it has none.
    pub fn base(self) -> BodyId {
        self.first_body
    }
}

/// A subsystem of a frozen model.
#[derive(Debug, Clone)]
pub struct SystemInfo {
    /// Its name.
    pub name: String,
    /// Its mechanics.
    pub law: Arc<dyn Lagrangian>,
    /// Its place in its [`SystemId`].
    pub(crate) slot: usize,
    /// Its links among the moving bodies of the model.
    pub nodes: Range<usize>,
}

/// What changes of a subsystem from step to step.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemState {
    /// Coordinates.
    pub q: Vec<f64>,
    /// `ξ = Lᵀ w`: its kinetic energy is `½ |ξ|²`.
    pub xi: Vec<f64>,
    /// Carried energy of gravity and other potentials [J].
    pub potential: f64,
    /// Square of the steepest potential seen so far, as a force on `ξ`.
    pub steepest: f64,
}

impl SystemState {
    /// `½ |ξ|²` [J].
    pub fn kinetic(&self) -> f64 {
        0.5 * self.xi.iter().map(|x| x * x).sum::<f64>()
    }

    /// Copies without allocating.
    pub(crate) fn copy_from(&mut self, other: &SystemState) {
        self.q.clone_from(&other.q);
        self.xi.clone_from(&other.xi);
        (self.potential, self.steepest) = (other.potential, other.steepest);
    }
}

/// Live parameters of a subsystem.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemParams {
    /// Viscous damping of each velocity [N·s/m or N·m·s/rad].
    pub damping: Vec<f64>,
}

/// Where a subsystem was evaluated: doing that there again would change nothing.
#[derive(Debug, Clone)]
struct Place {
    /// `None` if it is no longer there.
    gravity: Option<Vec3>,
    q: Vec<f64>,
    /// Per link: whether its Jacobian was filled.
    filled: Vec<bool>,
}

/// The predicted midpoint of a subsystem.
#[derive(Debug, Clone)]
pub struct Predicted {
    /// Coordinates `q*`.
    pub q: Vec<f64>,
    /// Velocity `w*`.
    pub w: Vec<f64>,
    /// The same as `ξ*`.
    pub xi: Vec<f64>,
}

/// Where the projection of a subsystem began.
#[derive(Debug, Clone)]
pub struct Begun {
    /// Coordinates before the projection.
    pub q: Vec<f64>,
    /// Potential there [J].
    pub potential: f64,
    /// Coordinates before the last pass.
    pub pass: Vec<f64>,
}

/// A subsystem at one configuration, factored: `M = L Lᵀ`.
#[derive(Debug, Clone)]
pub struct SystemWork {
    /// Everything its law says there; Jacobians of links where they were asked for.
    pub terms: Terms,
    law: Arc<dyn Lagrangian>,
    place: Place,
    /// Cholesky factor of the mass matrix; NaN where that is not positive definite.
    pub l: Matrix,
    /// The predicted midpoint.
    pub star: Predicted,
    /// Force `F_ξ` of ports, and of gravity.
    pub force: Vec<f64>,
    /// Force of gravity alone.
    pub fall: Vec<f64>,
    /// Forces of elements, as `ξ`, and their magnitudes.
    pub push: Vec<f64>,
    /// Sum of the magnitudes of those.
    pub push_size: Vec<f64>,
    /// Midpoint velocities of the step: `ξ̂` and `w`.
    pub mid: Vec<f64>,
    /// Where the projection began.
    pub begun: Begun,
    /// Room for one vector.
    pub row: Vec<f64>,
    /// Per link, the largest `Σ |J_k w_k|` of the step, predicted and shown: what its velocities
    /// are rounded to a part of.
    pub sizes: Vec<Vec6>,
}

impl SystemWork {
    /// Space for a law.
    pub fn new(law: &Arc<dyn Lagrangian>) -> Self {
        let n = law.freedoms();
        let zeros = || vec![0.0; n];
        let q = vec![0.0; n + usize::from(law.floating())];
        Self {
            terms: Terms::new(n, law.links()),
            law: law.clone(),
            place: Place { gravity: None, q: q.clone(), filled: vec![false; law.links()] },
            l: Matrix::identity(n, n),
            star: Predicted { q: q.clone(), w: zeros(), xi: zeros() },
            force: zeros(),
            fall: zeros(),
            push: zeros(),
            push_size: zeros(),
            mid: zeros(),
            begun: Begun { q: q.clone(), potential: 0.0, pass: q },
            row: zeros(),
            sizes: vec![Vec6::zeros(); law.links()],
        }
    }

    /// Evaluates and factors at `q`, unless that was done.
    pub fn configure(&mut self, q: &[f64], gravity: &Vec3) {
        let place = &mut self.place;
        if place.gravity == Some(*gravity) && place.q == q {
            return;
        }
        place.gravity = Some(*gravity);
        place.q.copy_from_slice(q);
        place.filled.fill(false);
        self.law.place(q, gravity, &mut self.terms);
        self.l.as_mut_slice().copy_from_slice(self.terms.mass.as_slice());
        if !dense::cholesky(&mut self.l) {
            // the step will be refused as not finite
            self.l.fill(f64::NAN);
        }
    }

    /// Moves the links as a whole, where that changes nothing else, and takes note that they are no
    /// longer where they were evaluated.
    pub fn shift_frames(&mut self, shift: &Vec3) {
        self.place.gravity = None;
        self.terms.frames.iter_mut().for_each(|frame| frame.position += shift);
    }

    /// The Jacobian of a link.
    fn jacobian(&mut self, link: usize) -> &Matrix {
        if !self.place.filled[link] {
            self.law.jacobian(link, &mut self.terms);
            self.place.filled[link] = true;
        }
        &self.terms.jacobians[link]
    }

    /// Calls `each` with every link and its `[v; omega]` at velocity `w`.
    pub fn twists(&mut self, w: &[f64], each: &mut dyn FnMut(usize, Twist)) {
        self.law.twists(w, &mut self.terms, each);
    }

    /// Goes to the predicted midpoint `q* = q ⊕ (h/2) L*⁻ᵀ ξ*`, with `L*` at `q*` itself (two
    /// passes), and evaluates the Coriolis matrix there.
    pub fn predict(&mut self, q: &[f64], gravity: &Vec3, h: f64) {
        self.star.q.copy_from_slice(q);
        for _ in 0..2 {
            let at = std::mem::take(&mut self.star.q);
            self.configure(&at, gravity);
            self.star.q = at;
            self.star.w.copy_from_slice(&self.star.xi);
            dense::solve_upper(&self.l, &mut self.star.w);
            self.star.q.copy_from_slice(q);
            retract(self.law.as_ref(), &mut self.star.q, &self.star.w, 0.5 * h);
        }
        let at = std::mem::take(&mut self.star.q);
        self.configure(&at, gravity);
        self.star.w.copy_from_slice(&self.star.xi);
        dense::solve_upper(&self.l, &mut self.star.w);
        self.law.coriolis(&at, &self.star.w, &mut self.terms);
        self.star.q = at;
    }

    /// `[v; omega]` of a link at velocity `w`.
    pub fn twist(&mut self, link: usize, w: &[f64]) -> Vec6 {
        let mut out = Vec6::zeros();
        for (column, w) in self.jacobian(link).column_iter().zip(w) {
            (0..6).for_each(|r| out[r] += column[r] * w);
        }
        out
    }

    /// Makes `row` the velocity `w = L⁻ᵀ ξ`.
    pub fn take_rates(&mut self, xi: &[f64]) {
        self.row.copy_from_slice(xi);
        dense::solve_upper(&self.l, &mut self.row);
    }

    /// Adds `L⁻¹ Jᵀ f`, a wrench on a link as a force on `ξ`, to `out`.
    pub fn add_wrench(&mut self, link: usize, wrench: &Vec6, out: &mut [f64]) {
        self.jacobian(link);
        let j = &self.terms.jacobians[link];
        for (r, column) in self.row.iter_mut().zip(j.column_iter()) {
            *r = (0..6).map(|i| column[i] * wrench[i]).sum();
        }
        dense::solve_lower(&self.l, &mut self.row);
        out.iter_mut().zip(&self.row).for_each(|(o, r)| *o += r);
    }

    /// Adds `J_e J_link L⁻ᵀ` to `out`, rows × n: an element's rows as seen by `ξ`.
    pub fn add_rows(&mut self, link: usize, rows: &[[f64; 6]], out: &mut [f64]) {
        let n = self.row.len();
        self.jacobian(link);
        for (r, row) in rows.iter().enumerate() {
            let j = &self.terms.jacobians[link];
            for (k, column) in j.column_iter().enumerate() {
                self.row[k] = (0..6).map(|i| row[i] * column[i]).sum();
            }
            dense::solve_lower(&self.l, &mut self.row);
            out[r * n..(r + 1) * n].iter_mut().zip(&self.row).for_each(|(o, v)| *o += v);
        }
    }

    /// The row `a · w` as seen by `ξ`: `a L⁻ᵀ`, into `out`.
    pub fn row_of(&self, a: &[f64], first: usize, out: &mut [f64]) {
        out.fill(0.0);
        out[first..first + a.len()].copy_from_slice(a);
        dense::solve_lower(&self.l, out);
    }

    /// Predicted twists of the links at the predicted midpoint.
    pub fn show_predicted(&mut self, twists: &mut [Vec6]) {
        let Self { law, terms, sizes, star, .. } = self;
        law.twists(&star.w, terms, &mut |link, twist| {
            sizes[link] = sizes[link].sup(&twist.size);
            twists[link] = twist.value;
        });
    }

    /// Writes where the links are; `work` is configured at the state's coordinates.
    pub fn show_frames(&self, info: &SystemInfo, bodies: &mut [BodyState]) {
        for (link, s) in bodies[info.nodes.clone()].iter_mut().enumerate() {
            let frame = &self.terms.frames[link];
            (s.x, s.q) = (frame.position, frame.rotation);
        }
    }

    /// Writes where the links are and how they move.
    pub fn show(&mut self, info: &SystemInfo, state: &mut State, system: SystemAt) {
        self.show_frames(info, &mut state.bodies);
        self.take_rates(&state.systems[system].xi);
        let w = std::mem::take(&mut self.row);
        let Self { law, terms, sizes, .. } = self;
        law.twists(&w, terms, &mut |link, twist| {
            sizes[link] = sizes[link].sup(&twist.size);
            let s = &mut state.bodies[info.nodes.start + link];
            (s.v, s.omega) = (linear(&twist.value), angular(&twist.value));
        });
        self.row = w;
    }
}
