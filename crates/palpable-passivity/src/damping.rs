//! Required device damping of any linear environment `[Brown1998, (3.7)]`.

use crate::error::Result;
use crate::polynomial::C64;
use crate::profile::Profile;
use crate::pulse::PulseTf;
use crate::sampling::Sampling;
use crate::supremum::supremum;

/// How much physical damping an environment asks of the device.
#[derive(Debug, Clone, PartialEq)]
pub struct RequiredDamping {
    /// The device must have more damping than this [N·s/m].
    pub damping: f64,
    /// A value no frequency exceeds [N·s/m]; above `damping` by 1e-11 of it.
    pub upper: f64,
    /// The frequency that asks most [rad per sample].
    pub theta: f64,
    /// Whether H(z) itself is stable; if not, no damping is enough.
    pub stable: bool,
    /// Poles of H(z) that are not at zero.
    pub poles: Vec<C64>,
    /// Number of arcs examined.
    pub arcs: usize,
}

/// `b(θ)`: the damping that frequency `theta` [rad per sample] asks of the device [N·s/m].
///
/// Exact at `theta = 0` and `theta = π`; see [`required_damping`] for the condition.
/// # Errors
/// A pole of H at `z = 1`.
pub fn damping_at(tf: &PulseTf, sampling: &Sampling, theta: f64) -> Result<f64> {
    let profile = Profile::new(tf, sampling)?;
    Ok(profile.half_step() * profile.value(theta))
}

/// The damping above which the device is passive with environment H(z).
///
/// # Equation
/// `b > sup (T/2) Re{(1 - z^-1) H(z)} / (1 - cos θ)`, `0 <= θ <= π`      `[Brown1998, (3.7)]`
/// **and** all poles of H inside the unit circle.
/// # Guarantee
/// No peak is missed: the supremum is bracketed to 1e-11 by branch and bound. Poles within about
/// 1e-6 of the unit circle cost digits to rounding, as in any evaluation of H.
/// # Differs from the source
/// The source omits the stability clause, which is not implied: the operator may clamp the
/// handle, and then only H's own poles decide (a Tustin wall has one at z = -1). Computational
/// delay is included, see [`Sampling`].
/// # Errors
/// [`crate::Error::Unstable`] if the clause fails.
pub fn required_damping(tf: &PulseTf, sampling: &Sampling) -> Result<RequiredDamping> {
    damping_supremum(tf.stable()?, sampling)
}

/// The supremum of [`required_damping`] whether H is stable or not; see its `stable` field.
/// # Errors
/// A pole of H at `z = 1`.
pub fn damping_supremum(tf: &PulseTf, sampling: &Sampling) -> Result<RequiredDamping> {
    let profile = Profile::new(tf, sampling)?;
    let sup = supremum(&profile);
    Ok(RequiredDamping {
        damping: profile.half_step() * sup.value,
        upper: profile.half_step() * sup.upper,
        theta: sup.theta,
        stable: tf.is_stable(),
        poles: profile.poles,
        arcs: sup.arcs,
    })
}
