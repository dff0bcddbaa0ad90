//! Devices with a compliant transmission: motor mass, link, handle mass.

use std::f64::consts::TAU;

use nalgebra::Matrix2;

use crate::disk::Disk;
use crate::error::{Error, Result, non_negative, positive};
use crate::polynomial::C64;
use crate::pulse::PulseTf;
use crate::sampling::Sampling;
use crate::scan::{frequencies_near, minimum_on};

/// Aliases summed on either side; terms fall as the cube of the alias number or faster.
const ALIASES: i32 = 120;
const POINTS: usize = 240;

/// Motor `m1, b1` with sensor and actuator, link `kf, bf`, handle `m2, b2` held by the operator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoMassDevice {
    /// Motor-side mass [kg].
    pub motor_mass: f64,
    /// Motor-side damping [N·s/m].
    pub motor_damping: f64,
    /// Handle mass [kg].
    pub handle_mass: f64,
    /// Handle damping [N·s/m].
    pub handle_damping: f64,
    /// Stiffness of the link [N/m].
    pub link_stiffness: f64,
    /// Damping of the link [N·s/m].
    pub link_damping: f64,
}

impl TwoMassDevice {
    fn check(&self) -> Result<()> {
        positive("motor mass [kg]", self.motor_mass, "give the rotor's mass at the handle")?;
        positive("handle mass [kg]", self.handle_mass, "give the handle's mass")?;
        positive("link stiffness [N/m]", self.link_stiffness, "a rigid link is a one-mass device")?;
        non_negative("motor damping [N·s/m]", self.motor_damping, "use 0 for none")?;
        non_negative("handle damping [N·s/m]", self.handle_damping, "use 0 for none")?;
        non_negative("link damping [N·s/m]", self.link_damping, "use 0 for none")?;
        Ok(())
    }

    /// All motor-side admittances at `omega` [rad/s] with any passive operator.
    ///
    /// # Equation
    /// `Y = (Zc + Z2)/(A(Zc + Z2) + Zc Z2)` with `A = m1 s + b1`, `Zc = bf + kf/s` and
    /// `Z2 ∈ {Re >= b2}`, as a Möbius image of the half-plane; derived here.
    pub fn admittance(&self, omega: f64) -> Disk {
        let s = C64::new(0.0, omega);
        let a = s * self.motor_mass + self.motor_damping;
        let link = C64::from(self.link_stiffness) / s + self.link_damping;
        let n = Matrix2::new(C64::new(1.0, 0.0), link, a + link, a * link);
        Disk::right_of(self.handle_damping).mobius(&n)
    }

    /// Centre and radius of all pulse responses `G*` at `theta` behind a zero-order hold [m/N].
    ///
    /// # Equation
    /// `c = (1/T) Σ R/(jΩ) y_c`, `ρ = (1/T) Σ |R/Ω| y_r`, `R = (1-w)/(jΩ)`: the Minkowski sum of
    /// disks is a disk, and a passive operator can choose its point in each independently.
    fn pulse_disk(&self, theta: f64, h: f64) -> (C64, f64) {
        let p = C64::new(1.0, 0.0) - C64::from_polar(1.0, -theta);
        let (mut c, mut rho) = (C64::new(0.0, 0.0), 0.0);
        for n in -ALIASES..=ALIASES {
            let omega = (theta + TAU * f64::from(n)) / h;
            let y = self.admittance(omega);
            let weight = 1.0 / (omega * omega * h);
            c -= p * y.center() * weight;
            rho += p.norm() * y.radius() * weight;
        }
        (c, rho)
    }

    /// The factor by which H(z) may be scaled before the device turns active, and where.
    ///
    /// Passive if it exceeds 1. Scaling from zero keeps every loop stable up to the first
    /// frequency with `|1 + κHc| = κ|H|ρ`, so no assumption on the loop at κ = 1 is needed.
    /// # Errors
    /// A device out of range, an unstable H, or a delay that is not whole samples in H itself.
    pub fn gain_margin(&self, tf: &PulseTf, sampling: &Sampling) -> Result<(f64, f64)> {
        self.check()?;
        let late = tf.stable()?.delayed(whole_delay(sampling)? as usize)?;
        let h = sampling.time_step();
        let resonance = (self.link_stiffness * (1.0 / self.motor_mass + 1.0 / self.handle_mass))
            .sqrt()
            .min(3.0 / h);
        let peak = C64::from_polar(0.99, resonance * h);
        let angles = frequencies_near(POINTS, &[peak], 1e-3);
        Ok(minimum_on(&angles, |theta| {
            let (c, rho) = self.pulse_disk(theta, h);
            let loop_center = late.response(theta) * c;
            first_touch(loop_center, late.response(theta).norm() * rho)
        }))
    }

    /// Stiffest spring that frequency `theta` [rad per sample] allows [N/m]; infinite if any.
    /// # Errors
    /// A device out of range, or a delay that is not whole samples.
    pub fn stiffness_at(&self, sampling: &Sampling, theta: f64) -> Result<f64> {
        self.check()?;
        positive("angle [rad]", theta, "choose a frequency above rest")?;
        let (c, rho) = self.pulse_disk(theta, sampling.time_step());
        let late = C64::from_polar(1.0, -theta * f64::from(whole_delay(sampling)?));
        Ok(first_touch(late * c, rho))
    }

    /// Stiffest passive spring [N/m], and the frequency that limits it [rad per sample].
    /// # Errors
    /// A device out of range.
    pub fn max_stiffness(&self, sampling: &Sampling) -> Result<(f64, f64)> {
        self.gain_margin(&PulseTf::gain(1.0)?, sampling)
    }
}

/// The smallest positive κ with `|1 + κc| = κρ`; infinity if there is none.
fn first_touch(c: C64, rho: f64) -> f64 {
    // 1 + 2κ Re c + κ² (|c|² - ρ²) = 0, in 1/κ: x² + 2x Re c + (|c|² - ρ²) = 0
    let disc = c.re * c.re - (c.norm() - rho) * (c.norm() + rho);
    if disc < 0.0 {
        return f64::INFINITY;
    }
    let largest = -c.re + disc.sqrt();
    if largest > 0.0 { 1.0 / largest } else { f64::INFINITY }
}

/// The delay in samples; the sum over aliases knows only whole ones.
fn whole_delay(sampling: &Sampling) -> Result<u32> {
    if sampling.delay_fraction() == 0.0 {
        return Ok(sampling.delay_samples());
    }
    Err(Error::Invalid {
        field: "delay",
        value: sampling.delay_periods(),
        need: "a whole number of samples for a device with a resonance",
        cure: "round it up, which is on the safe side",
    })
}
