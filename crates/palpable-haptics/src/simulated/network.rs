//! A device with a lossless network in hand, solved exactly.

use nalgebra::{DMatrix, DVector};
use palpable_passivity::{Network, discretise};

/// Intervals that are kept ready; a steady loop with a delay needs two.
const KEPT: usize = 8;

/// Device and network: position, `√m v`, then spring force and mass speed of each resonance, all
/// scaled such that their squares are twice an energy.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkPlant {
    a: DMatrix<f64>,
    g: DMatrix<f64>,
    state: DVector<f64>,
    next: DVector<f64>,
    stiffness: f64,
    root: f64,
    kept: Vec<(f64, DMatrix<f64>, DMatrix<f64>)>,
}

impl NetworkPlant {
    /// At rest at zero. `mass` [kg] and `damping` [N·s/m] are the device's.
    pub fn new(mass: f64, damping: f64, network: &Network) -> Self {
        let n = 2 + 2 * network.resonances.len();
        let total = mass + network.mass;
        let root = total.sqrt();
        let mut a = DMatrix::zeros(n, n);
        a[(0, 1)] = 1.0 / root;
        a[(1, 0)] = -network.stiffness / root;
        a[(1, 1)] = -damping / total;
        for (i, r) in network.resonances.iter().enumerate() {
            // spring force q √a and mass velocity r √M: q' = √a v - p r, r' = p q
            let (q, v, pull) = (2 + 2 * i, 3 + 2 * i, (r.stiffness / total).sqrt());
            a[(q, 1)] = pull;
            a[(1, q)] = -pull;
            a[(q, v)] = -r.frequency;
            a[(v, q)] = r.frequency;
        }
        let mut g = DMatrix::zeros(n, 1);
        g[(1, 0)] = 1.0 / root;
        let (state, next) = (DVector::zeros(n), DVector::zeros(n));
        Self { a, g, state, next, stiffness: network.stiffness, root, kept: Vec::new() }
    }

    /// Sets position [m] and velocity [m/s] of the handle; the network keeps its own.
    pub fn place(&mut self, x: f64, v: f64) {
        self.state[0] = x;
        self.state[1] = v * self.root;
    }

    /// Position [m] and velocity [m/s] of the handle.
    pub fn handle(&self) -> (f64, f64) {
        (self.state[0], self.state[1] / self.root)
    }

    /// Energy of device and network [J].
    pub fn energy(&self) -> f64 {
        let moving = self.state.rows(1, self.state.len() - 1).norm_squared();
        0.5 * (self.stiffness * self.state[0] * self.state[0] + moving)
    }

    /// Moves on by `h` [s] under a held `force` [N]. Allocates only for lengths not met before.
    pub fn advance(&mut self, force: f64, h: f64) {
        let place = self.kept.iter().position(|(kept, _, _)| *kept == h);
        let place = place.unwrap_or_else(|| {
            let (phi, g) = discretise(&self.a, &self.g, h);
            if self.kept.len() == KEPT {
                self.kept.remove(0);
            }
            self.kept.push((h, phi, g));
            self.kept.len() - 1
        });
        let (_, phi, g) = &self.kept[place];
        self.next.gemv(1.0, phi, &self.state, 0.0);
        self.next.axpy(force, &g.column(0), 1.0);
        std::mem::swap(&mut self.state, &mut self.next);
    }
}
