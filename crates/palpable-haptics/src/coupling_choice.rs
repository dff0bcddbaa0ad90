//! A coupling for a device and a rate: chosen, reduced or refused.

use crate::device::Capabilities;
use palpable::coupling::{CouplingError, CouplingSettings, Freedom, Guard};
use palpable_passivity::{Device, MidpointCoupling, Rendering, Sampling};

/// What to do with a wish that the device cannot carry passively.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outside {
    /// Take the largest stiffness that is passive, and say so.
    #[default]
    Reduce,
    /// Give an error.
    Refuse,
}

/// What a user wants of a coupling; everything may be left open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CouplingWish {
    /// Stiffness [N/m]; the largest with `share` unless given.
    pub stiffness: Option<f64>,
    /// Share of the largest stiffness that is taken when none is given.
    pub share: f64,
    /// Share of the step's motion that is sent to the device: 1, or 0 as published.
    pub gamma: f64,
    /// Rotational stiffness over stiffness [m²]; 0 for points.
    pub turning: f64,
    /// What to do outside the passive region.
    pub outside: Outside,
}

impl Default for CouplingWish {
    fn default() -> Self {
        Self { stiffness: None, share: 0.9, gamma: 1.0, turning: 0.0, outside: Outside::Reduce }
    }
}

/// A coupling that is passive on its device, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct CouplingChoice {
    /// Ready for `VirtualCoupling::new`; its guard counts on the device's damping.
    pub settings: CouplingSettings,
    /// Largest passive stiffness on this device [N/m].
    pub max_stiffness: f64,
    /// Damping that the coupling asks of the device [N·s/m].
    pub required_damping: f64,
    /// Device damping over that.
    pub margin: f64,
    /// What was changed or left out, in words.
    pub messages: Vec<String>,
}

/// Why there is no coupling; the message says what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ChoiceError {
    /// The device's damping or mass is not known.
    #[error("{device}: its {field} is not known; measure it and put it into the profile")]
    Unknown {
        /// The device.
        device: String,
        /// What is missing.
        field: &'static str,
    },
    /// The wish is outside the passive region.
    #[error(
        "{device}: {stiffness} N/m asks for {needed:.4} N·s/m and the device has {damping} N·s/m; \
         at most {max_stiffness:.0} N/m are passive at this rate: lower the stiffness, raise the \
         rate, or let it be reduced"
    )]
    Outside {
        /// The device.
        device: String,
        /// Stiffness wished [N/m].
        stiffness: f64,
        /// Damping it asks for [N·s/m].
        needed: f64,
        /// Damping there is [N·s/m].
        damping: f64,
        /// Largest passive stiffness [N/m].
        max_stiffness: f64,
    },
    /// A number of the wish or the device is out of range.
    #[error(transparent)]
    Analysis(#[from] palpable_passivity::Error),
    /// A number of the coupling is out of range.
    #[error(transparent)]
    Coupling(#[from] CouplingError),
}

/// Chooses a coupling for a device at `rate` [Hz]; its delay and friction are those of its
/// capabilities.
///
/// # Equation
/// The largest K with `b >= b_req(K, B_r = KT/2, γ, delay)`: `K = 2b/T` for γ = 1 without delay,
/// the two-port test otherwise; also `K <= 2 f_c/Δ` where friction and encoder step are known, and
/// the maker's own limit.
/// # Errors
/// Damping or mass not known, numbers out of range, or a wish outside the passive region that is
/// not to be reduced.
pub fn choose_coupling(
    capabilities: &Capabilities,
    rate: f64,
    wish: &CouplingWish,
) -> Result<CouplingChoice, ChoiceError> {
    let device = known(capabilities)?;
    let sampling = Sampling::from_rate(rate)?.with_delay_seconds(device.delay)?;
    let h = sampling.time_step();
    let mut messages = Vec::new();
    let passive = largest(&device, wish.gamma, &sampling)?;
    let max_stiffness = limited(&device, passive, h, &mut messages);
    let asked = wish.stiffness.unwrap_or(max_stiffness * wish.share.clamp(0.0, 1.0));
    let needed = demand(asked, wish.gamma, &sampling)?;
    let stiffness = if asked <= max_stiffness {
        asked
    } else if wish.outside == Outside::Refuse {
        let (damping, device) = (device.damping, device.name);
        return Err(ChoiceError::Outside {
            device,
            stiffness: asked,
            needed,
            damping,
            max_stiffness,
        });
    } else {
        messages.push(format!(
            "{asked} N/m would ask for {needed:.4} N·s/m of {}, which has {}: reduced to {:.0} N/m",
            device.name, device.damping, max_stiffness
        ));
        max_stiffness
    };
    let settings = settings(capabilities, &device, stiffness, wish, h, &mut messages);
    let required_damping = demand(stiffness, wish.gamma, &sampling)?;
    let margin = device.damping / required_damping;
    Ok(CouplingChoice { settings, max_stiffness, required_damping, margin, messages })
}

fn known(capabilities: &Capabilities) -> Result<Device, ChoiceError> {
    let missing = |field| ChoiceError::Unknown { device: capabilities.name.clone(), field };
    let field = if capabilities.damping.is_none() { "damping" } else { "mass" };
    let device = capabilities.profile().ok_or_else(|| missing(field))?;
    if !(device.damping > 0.0) {
        return Err(missing("damping"));
    }
    Ok(device)
}

/// Damping asked by a coupling of stiffness `k` with `B_r = KT/2` [N·s/m].
fn demand(k: f64, gamma: f64, sampling: &Sampling) -> Result<f64, ChoiceError> {
    let coupling = MidpointCoupling::new(k, 0.5 * k * sampling.time_step(), gamma)?;
    Ok(Rendering::Midpoint(coupling).required_damping(sampling)?)
}

/// Largest passive stiffness [N/m]. With `B_r = KT/2` everything scales with K.
fn largest(device: &Device, gamma: f64, sampling: &Sampling) -> Result<f64, ChoiceError> {
    let one = device.damping / sampling.time_step();
    let k = one * device.damping / demand(one, gamma, sampling)?;
    // rounding must not put the choice outside
    Ok(k * (1.0 - 1e-12))
}

/// The encoder's and the maker's limits.
fn limited(device: &Device, passive: f64, h: f64, messages: &mut Vec<String>) -> f64 {
    let mut k = passive;
    if device.encoder_step > 0.0 && device.coulomb_friction > 0.0 {
        let (f, step) = (device.coulomb_friction, device.encoder_step);
        if let Ok(most) = palpable_passivity::max_stiffness_quantised(device.damping, f, step, h)
            && most < k
        {
            messages.push(format!("steps of the encoder against friction: at most {most:.0} N/m"));
            k = most;
        }
    } else if device.encoder_step > 0.0 {
        let words = "no friction known to pay for the encoder's steps: expect a faint buzz";
        messages.push(words.to_owned());
    }
    if let Some(most) = device.max_stiffness.filter(|most| *most < k) {
        messages.push(format!("the maker allows at most {most:.0} N/m"));
        k = most;
    }
    k
}

fn settings(
    capabilities: &Capabilities,
    device: &Device,
    stiffness: f64,
    wish: &CouplingWish,
    h: f64,
    messages: &mut Vec<String>,
) -> CouplingSettings {
    let turning_damping = capabilities.rotational_damping.unwrap_or(0.0);
    let guard = Guard { device_damping: device.damping, turning_damping, ..Guard::default() };
    let mut chosen = CouplingSettings {
        gamma: wish.gamma,
        guard: Some(guard),
        ..CouplingSettings::point(stiffness, h)
    };
    if capabilities.actuated.count() == 1 && !capabilities.actuated.turns() {
        let axis = capabilities.actuated.translation.iter().position(|on| *on).unwrap_or(0);
        chosen.freedom = Freedom::Line(palpable::Vec3::ith(axis, 1.0));
    }
    if wish.turning > 0.0 && capabilities.actuated.turns() {
        let asked = wish.turning * stiffness;
        // the same bound as for points: b_r >= K_r T/2 and what γ adds
        let share = 0.5 * h * (1.0 + (1.0 - wish.gamma).powi(2));
        let most = turning_damping / share;
        if asked > most {
            messages.push(format!(
                "{asked:.4} N·m/rad would ask for {:.4} N·m·s/rad of the device, which has \
                 {turning_damping}: reduced to {most:.4} N·m/rad",
                asked * share
            ));
        }
        (chosen.turning_stiffness, chosen.freedom) = (asked.min(most), Freedom::Pose);
    }
    chosen
}
