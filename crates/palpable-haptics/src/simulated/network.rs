//! A device with a lossless network in hand, solved exactly.

use nalgebra::DVector;
use palpable_passivity::{Discrete, Network, Plant};

/// Intervals that are kept ready; a steady loop with a delay needs two.
const KEPT: usize = 8;

/// Device and network in motion.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkPlant {
    plant: Plant,
    state: DVector<f64>,
    next: DVector<f64>,
    kept: Vec<(f64, Discrete)>,
}

impl NetworkPlant {
    /// At rest at zero. `mass` [kg] and `damping` [N·s/m] are the device's.
    pub fn new(mass: f64, damping: f64, network: &Network) -> Self {
        let plant = Plant::new(mass, damping, network);
        let (state, next) = (DVector::zeros(plant.states()), DVector::zeros(plant.states()));
        Self { plant, state, next, kept: Vec::new() }
    }

    /// Sets position [m] and velocity [m/s] of the handle; the network keeps its own.
    pub fn place(&mut self, x: f64, v: f64) {
        self.state[0] = x;
        self.state[1] = v * self.plant.root();
    }

    /// Position [m] and velocity [m/s] of the handle.
    pub fn handle(&self) -> [f64; 2] {
        [self.state[0], self.state[1] / self.plant.root()]
    }

    /// Energy of device and network [J].
    pub fn energy(&self) -> f64 {
        self.plant.energy(self.state.as_slice())
    }

    /// Moves on by `h` [s] under a held `force` [N]. Allocates only for lengths not met before.
    pub fn advance(&mut self, force: f64, h: f64) {
        let place = self.kept.iter().position(|(kept, _)| *kept == h);
        let place = place.unwrap_or_else(|| {
            if self.kept.len() == KEPT {
                self.kept.remove(0);
            }
            self.kept.push((h, self.plant.over(h)));
            self.kept.len() - 1
        });
        let Discrete { phi, gamma } = &self.kept[place].1;
        self.next.gemv(1.0, phi, &self.state, 0.0);
        self.next.axpy(force, &gamma.column(0), 1.0);
        std::mem::swap(&mut self.state, &mut self.next);
    }
}
