//! Virtual couplings as one-ports: what a coupling to any passive environment costs.

use crate::error::{Error, Result, finite};
use crate::profile::Profile;
use crate::pulse::PulseTf;
use crate::sampling::Sampling;
use crate::supremum::supremum;

/// The price of a coupling C(z) with any discrete-time passive environment behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CouplingDamping {
    /// The device must have more damping than this [N·s/m].
    pub damping: f64,
    /// The frequency that asks most [rad per sample].
    pub theta: f64,
}

/// Required device damping of a virtual coupling C(z), without delay.
///
/// # Equation
/// `b > (T/2)(1 - cos θ) / Re{(1 - z^-1)/C}` for all θ                  `[Brown1998, (4.16)]`
///
/// The quotient is `(T/2)²` over the functional of `[Brown1998, (3.7)]` applied to `1/C`, so the
/// same bracketed search finds its extreme.
/// # Differs from the source
/// The source divides by a number of unknown sign. Where `Re{(1 - z^-1)/C} <= 0`, no damping is
/// enough; `1/C` must also be stable, or the free environment runs away.
/// # Errors
/// [`Error::Infeasible`] if no damping is enough, [`Error::Unstable`] if `1/C` is not stable.
pub fn coupling_damping(coupling: &PulseTf, time_step: f64) -> Result<CouplingDamping> {
    let sampling = Sampling::new(time_step)?;
    let compliance = coupling.inverse()?;
    let mirrored = PulseTf::new(
        &compliance.num().iter().map(|a| -a).collect::<Vec<_>>(),
        compliance.stable()?.den(),
    )?;
    let least = supremum(&Profile::new(&mirrored, &sampling)?);
    // a minimum at the rounding of its parts is zero: infinite damping at that frequency
    let size = compliance.num().iter().map(|a| a.abs()).sum::<f64>()
        / compliance.den().iter().map(|a| a.abs()).sum::<f64>();
    if least.value >= -1e-12 * size {
        return Err(Error::Infeasible {
            why: "Re{(1 - 1/z)/C} is not positive at every frequency",
            cure: "use a backward-difference damper with -KT/2 < B instead",
        });
    }
    Ok(CouplingDamping { damping: 0.5 * time_step / -least.value, theta: least.theta })
}

/// `b(θ)` of `[Brown1998, (4.16)]` for a coupling C(z) [N·s/m]; `None` where no damping works.
/// # Errors
/// A time step that is not finite and above zero.
pub fn coupling_damping_at(coupling: &PulseTf, time_step: f64, theta: f64) -> Result<Option<f64>> {
    let profile = Profile::new(&coupling.inverse()?, &Sampling::new(time_step)?)?;
    // (1 - w)/C / (1 - cos θ) in the form without cancellation
    let ratio = profile.value(theta);
    Ok((ratio > 0.0).then(|| 0.5 * time_step / ratio))
}

/// Closed form for the backward-difference coupling `K + (B/T)(1 - z^-1)` [N·s/m].
///
/// # Equation
/// ```text
/// B >= 0:           KT/2 + B                                  [Brown1998, (4.20)]
/// -KT/2 < B < 0:    (KT)² / (4 (KT/2 + B))
/// ```
/// # Differs from the source
/// The source states the first line for every B; the second is derived here from
/// `[Brown1998, (4.16)]`, whose worst frequency for B < 0 is rest.
/// # Errors
/// [`Error::Infeasible`] for `B <= -KT/2`.
pub fn backward_coupling_damping(stiffness: f64, damping: f64, time_step: f64) -> Result<f64> {
    let h = Sampling::new(time_step)?.time_step();
    let cure = "give the coupling's stiffness in N/m";
    let k = crate::error::positive("stiffness [N/m]", stiffness, cure)?;
    let b = finite("damping [N·s/m]", damping)?;
    let half = 0.5 * k * h;
    if b >= 0.0 {
        Ok(half + b)
    } else if b > -half {
        Ok(half * half / (half + b))
    } else {
        Err(Error::Infeasible {
            why: "the coupling's damping is at or below -KT/2",
            cure: "raise B above -KT/2",
        })
    }
}

/// `b(θ)` of the Tustin coupling [N·s/m]; infinite at the Nyquist frequency unless B = 0.
///
/// # Equation
/// `(KT/2 + B)(1 + 2λ cos θ + λ²) / (2(1 + cos θ))`, `λ = (KT - 2B)/(KT + 2B)`
/// # Differs from the source
/// `[Brown1998, (4.21)]` prints an extra factor `1 + 2λ cos θ` in the denominator. For B = 0 the
/// coupling is a pure spring and must ask KT/2 at every frequency, which the printed form does not.
pub fn tustin_coupling_damping_at(stiffness: f64, damping: f64, time_step: f64, theta: f64) -> f64 {
    let kt = stiffness * time_step;
    let lambda = (kt - 2.0 * damping) / (kt + 2.0 * damping);
    let c = theta.cos();
    (0.5 * kt + damping) * (1.0 + 2.0 * lambda * c + lambda * lambda) / (2.0 * (1.0 + c))
}
