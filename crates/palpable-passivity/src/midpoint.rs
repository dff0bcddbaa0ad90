//! The hybrid midpoint coupling: an implicit coupling without a minimum mass.

use nalgebra::Matrix2;

use crate::error::{Error, Result, non_negative, positive, unit_interval};
use crate::polynomial::C64;
use crate::pulse::PulseTf;
use crate::sampling::Sampling;
use crate::two_port::TwoPort;

/// A spring `K` between device sample `y` and a virtual world stepped by the midpoint rule.
///
/// # Equation
/// ```text
/// device force   -K (y_k - x_k - γ (x_(k+1) - x_k))
/// virtual force   K (y_k - x_mid) - B_r v_mid
/// ```
/// # Guarantee
/// The hybrid loop is passive for any passive operator, linear or not, any passive world and any
/// mass, if and only if
/// ```text
/// (b - KT/2) B_r >= ((1 - γ) KT/2)²,   b >= KT/2
/// ```
/// Derived here: with `φ = ½K(y-x)²`, work in plus losses minus `Δφ` is the quadratic form
/// `(b/T - K/2)Δy² + (1-γ)KΔxΔy + (B_r/T)Δx²`. γ = 0 is the published coupling `[Kim2017]`;
/// γ = 1, sending the end-of-step position, needs only `b >= KT/2`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MidpointCoupling {
    stiffness: f64,
    virtual_damping: f64,
    gamma: f64,
}

impl MidpointCoupling {
    /// A coupling of `stiffness` [N/m], damping `virtual_damping` [N·s/m] of the virtual side
    /// against ground, and the share `gamma` of the step whose motion is sent to the device.
    /// # Errors
    /// A stiffness that is not above zero, a negative damping, `gamma` outside [0, 1].
    pub fn new(stiffness: f64, virtual_damping: f64, gamma: f64) -> Result<Self> {
        positive("stiffness [N/m]", stiffness, "give the coupling's stiffness in N/m")?;
        non_negative("virtual damping [N·s/m]", virtual_damping, "use B_r >= 0")?;
        unit_interval("gamma", gamma, "0 sends the start of the step, 1 its end; use 1")?;
        Ok(Self { stiffness, virtual_damping, gamma })
    }

    /// The default: γ = 1 and `B_r = KT/2`, with which a light proxy is dead-beat.
    /// # Errors
    /// A stiffness or time step that is not above zero.
    pub fn recommended(stiffness: f64, time_step: f64) -> Result<Self> {
        let h = Sampling::new(time_step)?.time_step();
        Self::new(stiffness, 0.5 * stiffness * h, 1.0)
    }

    /// Stiffness [N/m].
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// Damping of the virtual side [N·s/m].
    pub fn virtual_damping(&self) -> f64 {
        self.virtual_damping
    }

    /// Share of the step whose motion is sent to the device.
    pub fn gamma(&self) -> f64 {
        self.gamma
    }

    /// Required device damping `KT/2 + ((1-γ)KT/2)²/B_r` without delay [N·s/m].
    ///
    /// Infinite for γ < 1 and `B_r = 0`.
    pub fn required_damping(&self, time_step: f64) -> f64 {
        let half = 0.5 * self.stiffness * time_step;
        let cross = (1.0 - self.gamma) * half;
        if cross == 0.0 { half } else { half + cross * cross / self.virtual_damping }
    }

    /// Required device damping when forces to the device are scaled by `scale` [N·s/m]:
    /// `(b - sKT/2) B_r >= s ((1-γ)KT/2)²`.
    pub fn required_damping_scaled(&self, time_step: f64, scale: f64) -> f64 {
        let half = 0.5 * self.stiffness * time_step;
        let cross = (1.0 - self.gamma) * half;
        let price = if cross == 0.0 { 0.0 } else { cross * cross / self.virtual_damping };
        scale * (half + price)
    }

    /// Virtual damping `B_r` that a device of `damping` [N·s/m] needs; `None` if `b < KT/2`, or
    /// `b = KT/2` with γ < 1.
    pub fn required_virtual_damping(&self, damping: f64, time_step: f64) -> Option<f64> {
        let half = 0.5 * self.stiffness * time_step;
        let cross = (1.0 - self.gamma) * half;
        let spare = damping - half;
        if cross == 0.0 {
            return (spare >= 0.0).then_some(0.0);
        }
        (spare > 0.0).then(|| cross * cross / spare)
    }

    /// Largest stiffness passive on a device of `damping`, keeping `B_r` and γ [N/m].
    ///
    /// # Equation
    /// With `x = KT/2`: `(1-γ)² x² + B_r x - b B_r <= 0`.
    pub fn max_stiffness(&self, damping: f64, time_step: f64) -> f64 {
        let (g, br) = (1.0 - self.gamma, self.virtual_damping);
        if g == 0.0 {
            return 2.0 * damping / time_step;
        }
        // the root without cancellation
        let root = br + (br * br + 4.0 * g * g * damping * br).sqrt();
        if root == 0.0 { 0.0 } else { 2.0 * (2.0 * damping * br / root) / time_step }
    }

    /// The coupling on a world that is one free mass [kg]: from device position to force.
    ///
    /// # Equation
    /// With `d = x_(k+1) - x_k`, `q = w/(1-w)` and the mass's impedance to `d`,
    /// `Z = (2m/T²)(1-w)/(1+w)`:
    /// `H = C11 - C12 C21/(C22 + Z)`, the entries those of the two-port.
    /// # Errors
    /// A mass that is not above zero.
    pub fn with_mass(&self, mass: f64, sampling: &Sampling) -> Result<PulseTf> {
        positive("virtual mass [kg]", mass, "give the proxy's mass in kilograms")?;
        let z = 2.0 * mass / sampling.time_step().powi(2);
        self.with_impedance([z, -2.0 * z, z], sampling)
    }

    /// The same on a world that is one spring to ground [N/m], `Z = (k/2)(1+w)/(1-w)`.
    /// # Errors
    /// A stiffness that is not above zero.
    pub fn with_spring(&self, stiffness: f64, sampling: &Sampling) -> Result<PulseTf> {
        positive("stiffness of the world [N/m]", stiffness, "give a spring above zero")?;
        let k = 0.5 * stiffness;
        self.with_impedance([k, 2.0 * k, k], sampling)
    }

    /// With a world of impedance `z / ((1-w)(1+w))`, `z` in ascending powers of w.
    fn with_impedance(&self, z: [f64; 3], sampling: &Sampling) -> Result<PulseTf> {
        let (k, h, g) = (self.stiffness, sampling.time_step(), self.gamma);
        let r = self.virtual_damping / h;
        // all entries times (1-w)(1+w): C22 + Z and C12 as polynomials in w
        let lag = [0.5 * k + r, 0.5 * k - r]; // (1-w)(C22) = K(1+w)/2 + r(1-w)
        let den = [lag[0] + z[0], lag[0] + lag[1] + z[1], lag[1] + z[2]]; // · (1+w)
        // (1-w)(q+γ)(1+w) = (γ + (1-γ)w)(1+w)
        let sent = [g, 1.0, 1.0 - g];
        let num: Vec<f64> = (0..3).map(|i| k * den[i] - k * k * sent[i]).collect();
        PulseTf::new(&num, &den)
    }

    /// Whether the bound holds on a device of `damping` [N·s/m].
    pub fn is_passive(&self, damping: f64, time_step: f64) -> bool {
        damping >= self.required_damping(time_step)
    }

    /// The two-port between device sample and the step's motion `x_(k+1) - x_k`.
    pub fn two_port(&self, time_step: f64) -> Result<impl TwoPort + use<>> {
        let h = Sampling::new(time_step)?.time_step();
        let (k, r, g) = (self.stiffness, self.virtual_damping / h, self.gamma);
        Ok(move |w: C64| {
            let q = w / (C64::new(1.0, 0.0) - w);
            let k = C64::from(k);
            Matrix2::new(k, k * (q + g), k, k * (q + 0.5) + r)
        })
    }
}

/// Required device damping with a sampled damper `device_damping` [N·s/m] (backward difference)
/// on the device side: it adds exactly itself.
pub fn with_sampled_damper(
    coupling: &MidpointCoupling,
    device_damping: f64,
    time_step: f64,
) -> f64 {
    device_damping + coupling.required_damping(time_step)
}

/// Whether a *continuous* device spring and damper `(k1, b1)` with a virtual-side `(kc, bc)`
/// stays passive at `time_step`: `b1 bc >= k1 kc T²/4`; returns the longest step [s].
///
/// Derived here for the setting of `[Lee2008]`: a continuous device loop loses the `-½KΔy²` term.
/// # Errors
/// Numbers that are not above zero.
pub fn longest_continuous_step(k1: f64, b1: f64, kc: f64, bc: f64) -> Result<f64> {
    for (field, value) in
        [("k1 [N/m]", k1), ("b1 [N·s/m]", b1), ("kc [N/m]", kc), ("bc [N·s/m]", bc)]
    {
        positive(field, value, "give both springs and both dampers")?;
    }
    let step = 2.0 * ((b1 * bc) / (k1 * kc)).sqrt();
    if step.is_finite() { Ok(step) } else { Err(overflow()) }
}

fn overflow() -> Error {
    Error::Invalid {
        field: "step [s]",
        value: f64::INFINITY,
        need: "finite",
        cure: "check the units of stiffness and damping",
    }
}
