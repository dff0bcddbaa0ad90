//! A device with a lossless network in hand, as linear equations in energy coordinates.

use nalgebra::DMatrix;

use crate::expm::Discrete;
use crate::operator::Network;

/// Device and network: states are position, `√m v`, then spring force and mass speed of each
/// resonance, all but the first scaled such that their squares are twice an energy.
#[derive(Debug, Clone, PartialEq)]
pub struct Plant {
    a: DMatrix<f64>,
    g: DMatrix<f64>,
    stiffness: f64,
    root: f64,
}

impl Plant {
    /// `mass` [kg] and `damping` [N·s/m] are the device's.
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
        Self { a, g, stiffness: network.stiffness, root }
    }

    /// Number of states.
    pub fn states(&self) -> usize {
        self.a.nrows()
    }

    /// What a velocity of the handle [m/s] is multiplied by to be the second state.
    pub fn root(&self) -> f64 {
        self.root
    }

    /// State and input matrices over `h` [s] under a held force [N].
    pub fn over(&self, h: f64) -> Discrete {
        Discrete::new(&self.a, &self.g, h)
    }

    /// Stored energy of a state [J].
    pub fn energy(&self, state: &[f64]) -> f64 {
        let moving: f64 = state.iter().skip(1).map(|s| s * s).sum();
        0.5 * (self.stiffness * state[0] * state[0] + moving)
    }
}
