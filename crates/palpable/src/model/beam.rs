//! A planar flexible beam with rigid motion: Euler-Bernoulli modes on a moving base.

use super::lagrangian::{Lagrangian, Terms};
use super::{BuildError, Pose};
use crate::math::{Rotation, Vec3};

/// What the clamped end of a beam may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mount {
    /// Nothing: the beam only bends.
    Clamped,
    /// Turns about the axis normal to the plane.
    Hub,
    /// Moves and turns in the plane.
    Planar,
}

impl Mount {
    fn freedoms(self) -> usize {
        match self {
            Mount::Clamped => 0,
            Mount::Hub => 1,
            Mount::Planar => 3,
        }
    }
}

/// A slender beam that bends in the x-y plane of its frame, clamped at its origin to a mount.
///
/// Deflection is `Σ φ_i(s) η_i` over clamped-free modes `[Kim2017 sec. 5.2]`, scaled so that
/// `∫ ρA φ_i² ds` is the beam's mass; `η_i` is in metres. Bending is kept as springs on `η`.
#[derive(Debug, Clone)]
pub struct Beam {
    pub(super) name: String,
    length: f64,
    mass: f64,
    rigidity: f64,
    modes: usize,
    mount: Mount,
    frame: Pose,
    hub_mass: f64,
    hub_inertia: f64,
    stations: usize,
    pub(super) start: Vec<(f64, f64)>,
    pub(super) mode_damping: f64,
}

impl Beam {
    /// A beam of length [m], mass [kg] and bending stiffness `E I` [N·m²], clamped, three modes.
    pub fn new(name: impl Into<String>, length: f64, mass: f64, rigidity: f64) -> Self {
        Self {
            name: name.into(),
            length,
            mass,
            rigidity,
            modes: 3,
            mount: Mount::Clamped,
            frame: Pose::default(),
            hub_mass: 0.0,
            hub_inertia: 0.0,
            stations: 8,
            start: Vec::new(),
            mode_damping: 0.0,
        }
    }

    /// A beam of rectangular section: length, width and thickness [m] (it bends across the
    /// thickness), density [kg/m³] and Young's modulus [Pa].
    pub fn rectangular(name: impl Into<String>, size: [f64; 3], density: f64, young: f64) -> Self {
        let [length, width, thickness] = size;
        let area = width * thickness;
        let second_moment = width * thickness.powi(3) / 12.0;
        Self::new(name, length, density * area * length, young * second_moment)
    }

    /// Number of bending modes.
    pub fn modes(mut self, modes: usize) -> Self {
        self.modes = modes;
        self
    }

    /// What its root may do; with mass [kg] and inertia [kg·m²] of the mount itself.
    pub fn mount(mut self, mount: Mount, mass: f64, inertia: f64) -> Self {
        (self.mount, self.hub_mass, self.hub_inertia) = (mount, mass, inertia);
        self
    }

    /// Where the root is; x along the beam, y the way it bends.
    pub fn at(mut self, frame: Pose) -> Self {
        self.frame = frame;
        self
    }

    /// Starting values and rates of the coordinates, mount first, then modes; 0 unless given.
    pub fn start(mut self, start: Vec<(f64, f64)>) -> Self {
        self.start = start;
        self
    }

    /// Damping of every mode as a part of critical damping [1].
    pub fn damping_ratio(mut self, ratio: f64) -> Self {
        self.mode_damping = ratio;
        self
    }

    /// Frames along the beam besides root and tip, for pictures and attachments.
    pub fn stations(mut self, stations: usize) -> Self {
        self.stations = stations;
        self
    }

    /// Angular frequency of bending mode `i` (from 0) with the root clamped [rad/s].
    pub fn frequency(&self, i: usize) -> f64 {
        let beta = wave_number(i) / self.length;
        beta * beta * (self.rigidity * self.length / self.mass).sqrt()
    }

    pub(super) fn mode_stiffness(&self, i: usize) -> f64 {
        self.mass * self.frequency(i).powi(2)
    }

    pub(super) fn mode_viscosity(&self, i: usize) -> f64 {
        2.0 * self.mode_damping * self.mass * self.frequency(i)
    }

    pub(super) fn mount_freedoms(&self) -> usize {
        self.mount.freedoms()
    }

    pub(super) fn mode_count(&self) -> usize {
        self.modes
    }

    pub(super) fn check(&self, errors: &mut Vec<BuildError>) {
        let part = || format!("beam \"{}\"", self.name);
        for (field, value) in
            [("length", self.length), ("mass", self.mass), ("bending stiffness", self.rigidity)]
        {
            if !value.is_finite() {
                errors.push(BuildError::NotFinite { part: part(), field });
            } else if value <= 0.0 {
                errors.push(BuildError::NotPositive { part: part(), field, value });
            }
        }
        for (field, value) in [
            ("mass of the mount", self.hub_mass),
            ("inertia of the mount", self.hub_inertia),
            ("damping ratio", self.mode_damping),
        ] {
            if !value.is_finite() {
                errors.push(BuildError::NotFinite { part: part(), field });
            } else if value < 0.0 {
                errors.push(BuildError::Negative { part: part(), field, value });
            }
        }
        let frame = self.frame.position.iter().chain(self.frame.rotation.coords.iter());
        let start = self.start.iter().flat_map(|(q, w)| [q, w]);
        if frame.chain(start).any(|v| !v.is_finite()) {
            errors.push(BuildError::NotFinite { part: part(), field: "frame or start" });
        }
        // beyond this the shapes lose their digits: cosh grows as e^{βL}
        if !(1..=10).contains(&self.modes) {
            errors.push(BuildError::Modes { part: part(), modes: self.modes });
        }
        if self.start.len() > self.mount.freedoms() + self.modes {
            errors.push(BuildError::Starts { part: part() });
        }
    }
}

/// Root `i` of `cos z cosh z = −1`.
fn wave_number(i: usize) -> f64 {
    let mut z = (i as f64 + 0.5) * std::f64::consts::PI;
    if i == 0 {
        z = 1.8751;
    }
    for _ in 0..20 {
        // cos z + 1/cosh z: the same roots without overflow
        let f = z.cos() + 1.0 / z.cosh();
        let slope = -z.sin() - z.tanh() / z.cosh();
        z -= f / slope;
    }
    z
}

/// Shape and slope at `t = s/L` of the mode with wave number `z`; `∫ φ² dt = 1`, slope per `t`.
fn mode(z: f64, t: f64) -> (f64, f64) {
    let (zt, sigma) = (z * t, (z.cosh() + z.cos()) / (z.sinh() + z.sin()));
    // cosh − σ sinh = e^{−zt} + (1 − σ) sinh, without the cancellation
    let rest = (z.sin() - z.cos() - (-z).exp()) / (z.sinh() + z.sin());
    let shape = (-zt).exp() + rest * zt.sinh() - zt.cos() + sigma * zt.sin();
    let slope = z * (-(-zt).exp() + rest * zt.cosh() + zt.sin() + sigma * zt.cos());
    (shape, slope)
}

/// A frozen beam. Integrals over its length: `∫ρA φ_i`, `∫ρA s φ_i`; modes are orthogonal.
#[derive(Debug, Clone)]
pub(super) struct BeamLaw {
    mount: Mount,
    frame: Pose,
    mass: f64,
    length: f64,
    hub_mass: f64,
    hub_inertia: f64,
    sum: Vec<f64>,
    moment: Vec<f64>,
    /// per station: place [m], shapes and slopes [1/m] of the modes
    stations: Vec<(f64, Vec<(f64, f64)>)>,
}

impl BeamLaw {
    pub fn new(beam: &Beam) -> Self {
        let waves: Vec<f64> = (0..beam.modes).map(wave_number).collect();
        let modes = waves.iter().copied();
        // Simpson's rule on a grid that leaves an error of 1e-14 for the tenth mode
        let grid = 4000;
        let integral = |f: &dyn Fn(f64) -> f64| -> f64 {
            let at = |j: usize| f(j as f64 / grid as f64);
            let weight = |j: usize| if j % 2 == 1 { 4.0 } else { 2.0 };
            let inner: f64 = (1..grid).map(|j| weight(j) * at(j)).sum();
            (at(0) + inner + at(grid)) / (3.0 * grid as f64)
        };
        let (mass, length) = (beam.mass, beam.length);
        let sum = modes.clone().map(|z| mass * integral(&|t| mode(z, t).0));
        let moment = modes.clone().map(|z| mass * length * integral(&|t| t * mode(z, t).0));
        let count = beam.stations + 2;
        let stations = (0..count).map(|j| {
            let t = j as f64 / (count - 1) as f64;
            let at = |z| (mode(z, t).0, mode(z, t).1 / length);
            (t * length, modes.clone().map(at).collect())
        });
        Self {
            mount: beam.mount,
            frame: beam.frame,
            mass,
            length,
            hub_mass: beam.hub_mass,
            hub_inertia: beam.hub_inertia,
            sum: sum.collect(),
            moment: moment.collect(),
            stations: stations.collect(),
        }
    }

    /// Root position in the plane and angle.
    fn root(&self, q: &[f64]) -> (f64, f64, f64) {
        match self.mount {
            Mount::Clamped => (0.0, 0.0, 0.0),
            Mount::Hub => (0.0, 0.0, q[0]),
            Mount::Planar => (q[0], q[1], q[2]),
        }
    }

    /// Index of the mount's rotation among the velocities, if it turns.
    fn turn(&self) -> Option<usize> {
        match self.mount {
            Mount::Clamped => None,
            Mount::Hub => Some(0),
            Mount::Planar => Some(2),
        }
    }

    /// `∫ρA (s, w)` [kg·m] and `∫ρA (s² + w²)` [kg·m²] at the modal coordinates `eta`.
    fn moments(&self, eta: &[f64]) -> (f64, f64, f64) {
        let bent: f64 = self.sum.iter().zip(eta).map(|(s, e)| s * e).sum();
        let square: f64 = eta.iter().map(|e| self.mass * e * e).sum();
        let along = 0.5 * self.mass * self.length;
        (along, bent, self.mass * self.length * self.length / 3.0 + square)
    }

    fn frames(&self, q: &[f64], out: &mut Terms) {
        let n0 = self.mount.freedoms();
        let (x, y, angle) = self.root(q);
        let (c, s) = (angle.cos(), angle.sin());
        let axes = self.frame.rotation;
        for (i, (place, shapes)) in self.stations.iter().enumerate() {
            let modes = || shapes.iter().zip(&q[n0..]);
            let w: f64 = modes().map(|((shape, _), e)| shape * e).sum();
            let slope: f64 = modes().map(|((_, slope), e)| slope * e).sum();
            let (dx, dy) = (c * place - s * w, s * place + c * w);
            let position = self.frame.position + axes * Vec3::new(x + dx, y + dy, 0.0);
            let turn = Rotation::from_axis_angle(&Vec3::z_axis(), angle + slope);
            out.frames[i] = Pose { position, rotation: axes * turn };
            let jacobian = &mut out.jacobians[i];
            jacobian.fill(0.0);
            let mut set = |k: usize, vx: f64, vy: f64, turn: f64| {
                let v = axes * Vec3::new(vx, vy, 0.0);
                (0..3).for_each(|r| jacobian[(r, k)] = v[r]);
                jacobian[(5, k)] = turn;
            };
            if self.mount == Mount::Planar {
                set(0, 1.0, 0.0, 0.0);
                set(1, 0.0, 1.0, 0.0);
            }
            if let Some(k) = self.turn() {
                set(k, -dy, dx, 1.0);
            }
            for (k, (shape, slope)) in shapes.iter().enumerate() {
                set(n0 + k, -s * shape, c * shape, *slope);
            }
        }
    }
}

impl Lagrangian for BeamLaw {
    fn freedoms(&self) -> usize {
        self.mount.freedoms() + self.sum.len()
    }

    fn links(&self) -> usize {
        self.stations.len()
    }

    fn configure(&self, q: &[f64], gravity: &Vec3, out: &mut Terms) {
        let n0 = self.mount.freedoms();
        let (x, y, angle) = self.root(q);
        let (c, s) = (angle.cos(), angle.sin());
        let (along, bent, square) = self.moments(&q[n0..]);
        let mass = &mut out.mass;
        mass.fill(0.0);
        let mut set = |i: usize, j: usize, value: f64| {
            (mass[(i, j)], mass[(j, i)]) = (value, value);
        };
        if self.mount == Mount::Planar {
            set(0, 0, self.mass + self.hub_mass);
            set(1, 1, self.mass + self.hub_mass);
            set(0, 2, -s * along - c * bent);
            set(1, 2, c * along - s * bent);
        }
        if let Some(k) = self.turn() {
            set(k, k, square + self.hub_inertia);
        }
        for (i, (&sum, &moment)) in self.sum.iter().zip(&self.moment).enumerate() {
            set(n0 + i, n0 + i, self.mass);
            if self.mount == Mount::Planar {
                set(0, n0 + i, -s * sum);
                set(1, n0 + i, c * sum);
            }
            if let Some(k) = self.turn() {
                set(k, n0 + i, moment);
            }
        }
        self.frames(q, out);
        // weight acts on the first moments, seen in the beam's plane
        let g = self.frame.rotation.inverse() * gravity;
        let whole = self.mass + self.hub_mass;
        let (px, py) = (c * along - s * bent, s * along + c * bent);
        let fixed = self.frame.position.dot(gravity) * whole;
        out.potential = -(g.x * (whole * x + px) + g.y * (whole * y + py)) - fixed;
        out.gradient.fill(0.0);
        if self.mount == Mount::Planar {
            (out.gradient[0], out.gradient[1]) = (-whole * g.x, -whole * g.y);
        }
        if let Some(k) = self.turn() {
            out.gradient[k] = g.x * py - g.y * px;
        }
        for (i, sum) in self.sum.iter().enumerate() {
            out.gradient[n0 + i] = (g.x * s - g.y * c) * sum;
        }
    }

    /// `C = ∫ρA Jᵀ J̇ ds`, which satisfies `Ṁ = C + Cᵀ` by construction.
    fn coriolis(&self, q: &[f64], w: &[f64], out: &mut Terms) {
        let n0 = self.mount.freedoms();
        let c = &mut out.coriolis;
        c.fill(0.0);
        let Some(turn) = self.turn() else { return };
        let (angle, rate) = (q[turn], w[turn]);
        let (cos, sin) = (angle.cos(), angle.sin());
        let (along, bent, _) = self.moments(&q[n0..]);
        let (eta, eta_rate) = (&q[n0..], &w[n0..]);
        let bent_rate: f64 = self.sum.iter().zip(eta_rate).map(|(s, e)| s * e).sum();
        if self.mount == Mount::Planar {
            // columns of J̇: the turning arm, and the modes' directions
            c[(0, turn)] = -rate * (cos * along - sin * bent) - cos * bent_rate;
            c[(1, turn)] = -rate * (sin * along + cos * bent) - sin * bent_rate;
            for (i, sum) in self.sum.iter().enumerate() {
                c[(0, n0 + i)] = -rate * cos * sum;
                c[(1, n0 + i)] = -rate * sin * sum;
            }
        }
        c[(turn, turn)] = eta.iter().zip(eta_rate).map(|(e, r)| self.mass * e * r).sum();
        for i in 0..self.sum.len() {
            c[(turn, n0 + i)] = self.mass * rate * eta[i];
            c[(n0 + i, turn)] = -self.mass * rate * eta[i];
        }
    }
}
