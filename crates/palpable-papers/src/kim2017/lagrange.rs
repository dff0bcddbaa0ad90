//! Other people's schemes for systems in generalized coordinates, beside ours.
//!
//! They know a system by its [`Lagrangian`] alone, with springs on the coordinates.

use palpable::Vec3;
use palpable::math::dense::{self, Matrix};
use palpable::model::{Lagrangian, Terms};
use std::sync::Arc;

/// Passes of the fixed point at most; a step of 10 ms takes about ten.
const PASSES: usize = 200;

/// A system on a fixed base, with springs on its coordinates, that is stepped by hand.
#[derive(Debug, Clone)]
pub(super) struct Stepped {
    law: Arc<dyn Lagrangian>,
    stiffness: Vec<f64>,
    terms: Terms,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Momenta `p = M(q) q̇`.
    pub p: Vec<f64>,
}

impl Stepped {
    /// Starts at coordinates and rates.
    pub(super) fn new(
        law: Arc<dyn Lagrangian>,
        stiffness: &[f64],
        (q, w): (&[f64], &[f64]),
    ) -> Self {
        let terms = Terms::new(law.freedoms(), law.links());
        let mut made =
            Self { law, stiffness: stiffness.to_vec(), terms, q: q.to_vec(), p: Vec::new() };
        made.configure();
        made.p = apply(&made.terms.mass, w);
        made
    }

    fn configure(&mut self) {
        self.law.configure(&self.q, &Vec3::zeros(), &mut self.terms);
    }

    /// Rates `M(q)⁻¹ p`.
    pub(super) fn rates(&mut self) -> Vec<f64> {
        self.configure();
        solve(&self.terms.mass, &self.p)
    }

    /// Kinetic and elastic energy \[J\]. The Hamiltonian has a half that the paper leaves out.
    pub(super) fn energy(&mut self) -> [f64; 2] {
        let w = self.rates();
        let springs = self.stiffness.iter().zip(&self.q);
        [0.5 * dot(&self.p, &w), 0.5 * springs.map(|(k, q)| k * q * q).sum::<f64>()]
    }

    /// `−∂H/∂q` at momenta `p`. As `Ṁ = C + Cᵀ`, `½ q̇ᵀ (∂M/∂q) q̇ = Cᵀ q̇`.
    fn force(&mut self, p: &[f64]) -> Vec<f64> {
        let w = solve(&self.terms.mass, p);
        self.law.coriolis(&self.q, &w, &mut self.terms);
        let n = w.len();
        let turned = |i: usize| (0..n).map(|j| self.terms.coriolis[(j, i)] * w[j]).sum::<f64>();
        (0..n).map(|i| turned(i) - self.terms.gradient[i] - self.stiffness[i] * self.q[i]).collect()
    }

    /// Symplectic Euler, `y⁺ = y + h J⁻¹ ∇H(p⁺, q)` `[Kim2017, (43)]`, solved by iteration.
    pub(super) fn symplectic_euler(&mut self, h: f64) {
        self.configure();
        let mut next = self.p.clone();
        for _ in 0..PASSES {
            let force = self.force(&next);
            let found: Vec<f64> = self.p.iter().zip(&force).map(|(p, f)| p + h * f).collect();
            let change = found.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            next = found;
            let size = next.iter().map(|p| p.abs()).fold(0.0, f64::max);
            if change <= 1e-15 * size {
                break;
            }
        }
        let w = solve(&self.terms.mass, &next);
        self.q.iter_mut().zip(&w).for_each(|(q, w)| *q += h * w);
        self.p = next;
    }

    /// Implicit Euler with inertia and Coriolis terms linearised at the start of the step:
    /// `(M + h C + h² K) q̇⁺ = M q̇ − h K q`.
    pub(super) fn implicit_euler(&mut self, h: f64) {
        let w = self.rates();
        self.law.coriolis(&self.q, &w, &mut self.terms);
        let mut a = &self.terms.mass + &self.terms.coriolis * h;
        let mut b = self.p.clone();
        for (i, k) in self.stiffness.iter().enumerate() {
            a[(i, i)] += h * h * k;
            b[i] -= h * k * self.q[i];
        }
        // regular: M + h² K is positive definite, and C vanishes with the motion
        let next = a.lu().solve(&column(&b)).map_or(w, |x| x.as_slice().to_vec());
        self.q.iter_mut().zip(&next).for_each(|(q, w)| *q += h * w);
        self.configure();
        self.p = apply(&self.terms.mass, &next);
    }
}

fn column(values: &[f64]) -> Matrix {
    Matrix::from_column_slice(values.len(), 1, values)
}

fn apply(m: &Matrix, x: &[f64]) -> Vec<f64> {
    (m * column(x)).as_slice().to_vec()
}

fn solve(m: &Matrix, b: &[f64]) -> Vec<f64> {
    let (mut l, mut x) = (m.clone(), b.to_vec());
    if !dense::cholesky(&mut l) {
        return vec![f64::NAN; b.len()];
    }
    dense::solve_lower(&l, &mut x);
    dense::solve_upper(&l, &mut x);
    x
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
