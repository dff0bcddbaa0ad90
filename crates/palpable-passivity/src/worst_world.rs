//! The world behind a coupling that asks most of the device, and the coupling tested against it.

use crate::damping::required_damping;
use crate::error::{Error, Result, positive};
use crate::mass::Integrator;
use crate::pulse::PulseTf;
use crate::rendering::Rendering;
use crate::sampling::Sampling;
use crate::verify::{Verification, verify};
use crate::wall::Wall;

/// Worlds tried per decade of mass and stiffness.
const PER_DECADE: i32 = 8;
/// Decades of mass and stiffness on either side of the coupling's own.
const DECADES: i32 = 4;
/// Share of the largest demand within which worlds count as equally bad.
const NEARLY: f64 = 0.005;

/// A lossless world behind a coupling.
///
/// At one frequency a passive world on the edge is a reactance; a mass or a spring can have any.
/// So the worst of these is the worst of all passive worlds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PassiveWorld {
    /// Nothing moves.
    Rigid,
    /// A free mass [kg], stepped by the midpoint rule.
    Mass(f64),
    /// A spring to ground [N/m], by the midpoint rule.
    Spring(f64),
}

impl PassiveWorld {
    /// The world's compliance `x/f`, midpoint rule: `(T²/2m)(1+w)/(1-w)²` or `(2/k)/(1+w)`.
    fn compliance(self, sampling: &Sampling) -> Result<PulseTf> {
        match self {
            Self::Rigid => PulseTf::gain(0.0),
            Self::Mass(mass) => Integrator::ImplicitTaylor.transfer_function(mass, sampling),
            Self::Spring(k) => {
                positive("stiffness of the world [N/m]", k, "give a spring above zero")?;
                PulseTf::new(&[2.0 / k], &[1.0, 1.0])
            }
        }
    }
}

/// From device position to force, with `world` behind a coupling; walls and masses have their own.
/// # Errors
/// Numbers out of range.
pub fn with_world(
    rendering: &Rendering,
    world: PassiveWorld,
    sampling: &Sampling,
) -> Result<PulseTf> {
    match rendering {
        Rendering::Wall(wall) => wall.transfer_function(sampling),
        Rendering::Mass(mass) => mass.transfer_function(sampling),
        Rendering::Coupling { stiffness, damping } => {
            let coupling = Wall::backward_difference(*stiffness, *damping);
            coupling.transfer_function(sampling)?.couple(&world.compliance(sampling)?)
        }
        Rendering::Midpoint(coupling) => match world {
            PassiveWorld::Rigid => PulseTf::gain(coupling.stiffness()),
            PassiveWorld::Mass(mass) => coupling.with_mass(mass, sampling),
            PassiveWorld::Spring(k) => coupling.with_spring(k, sampling),
        },
    }
}

/// The world that asks most damping of the device, and how much [N·s/m].
///
/// Of worlds that ask within half a percent of the most, the one that asks at the highest
/// frequency: there the loop grows fastest.
/// # Errors
/// No world leaves the coupling stable: [`Error::Infeasible`].
pub fn worst_world(rendering: &Rendering, sampling: &Sampling) -> Result<(PassiveWorld, f64)> {
    let (k, h) = (rendering.stiffness(), sampling.time_step());
    let demand = |world| {
        let tf = with_world(rendering, world, sampling).ok()?;
        Some((world, required_damping(&tf, sampling).ok()?))
    };
    let worlds = (-DECADES * PER_DECADE..=DECADES * PER_DECADE).flat_map(|i| {
        let factor = 10f64.powf(f64::from(i) / f64::from(PER_DECADE));
        [PassiveWorld::Mass(k * h * h * factor), PassiveWorld::Spring(k * factor)]
    });
    let found: Vec<_> =
        std::iter::once(PassiveWorld::Rigid).chain(worlds).filter_map(demand).collect();
    let most = found.iter().fold(0.0, |most, (_, need)| f64::max(most, need.damping));
    found
        .into_iter()
        .filter(|(_, need)| need.damping >= most * (1.0 - NEARLY))
        .reduce(|best, next| if next.1.theta > best.1.theta { next } else { best })
        .map(|(world, need)| (world, need.damping))
        .ok_or(Error::Infeasible {
            why: "with every world tried the coupling oscillates even on a clamped handle",
            cure: "add damping to the virtual side, or send the end of the step (gamma 1)",
        })
}

/// Tests a coupling's bound in the time domain with its worst world behind it.
///
/// The bound tested is that of the world found; it approaches the coupling's own.
/// # Errors
/// As [`worst_world`] and [`verify`].
pub fn verify_coupling(
    rendering: &Rendering,
    mass: f64,
    sampling: &Sampling,
    margin: f64,
) -> Result<(PassiveWorld, Verification)> {
    if !rendering.required_damping(sampling)?.is_finite() {
        return Err(Error::Infeasible {
            why: "nothing damps the virtual side, so there is no bound to test",
            cure: "give the coupling damping, or send the end of the step (gamma 1)",
        });
    }
    let (world, _) = worst_world(rendering, sampling)?;
    Ok((world, verify(&with_world(rendering, world, sampling)?, mass, sampling, margin)?))
}
