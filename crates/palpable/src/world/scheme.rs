//! Which integrator a world uses, and its few numbers.

use super::rivals::Penalty;
use crate::contact::{Coherence, ImpulseLimit, Sleeping};
use crate::ledger::TankPolicy;
use crate::model::ContactLaw;
use crate::solve::Counts;
use crate::solve::cone::{ConeSettings, Resolution};

/// Time-stepping schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Scheme {
    /// Ours: second order, exactly passive for any mass, stiffness, step and input.
    #[default]
    PassiveMidpoint,
    /// `[Kim2017, (8)-(26)]` as printed, errata corrected: coefficients frozen at the start of the
    /// step, strain measured anew each step. Not passive in general.
    PublishedMidpoint,
    /// Explicit Euler. Creates energy.
    ExplicitEuler,
    /// Symplectic (semi-implicit) Euler. Conditionally stable.
    SymplecticEuler,
    /// Implicit Euler, linearised at the start of the step. Dissipative.
    ImplicitEuler,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Scheme; 5] = [
        Scheme::PassiveMidpoint,
        Scheme::PublishedMidpoint,
        Scheme::ExplicitEuler,
        Scheme::SymplecticEuler,
        Scheme::ImplicitEuler,
    ];

    /// True for the scheme of this engine, false for those that it is compared with.
    pub fn is_ours(self) -> bool {
        self == Scheme::PassiveMidpoint
    }

    /// Name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::PassiveMidpoint => "passive-midpoint",
            Scheme::PublishedMidpoint => "published-midpoint",
            Scheme::ExplicitEuler => "explicit-euler",
            Scheme::SymplecticEuler => "symplectic-euler",
            Scheme::ImplicitEuler => "implicit-euler",
        }
    }
}

/// Settings of a world. The defaults suit any scene; apart from the scheme and the contact law,
/// none of them affects passivity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Integrator.
    pub scheme: Scheme,
    /// How bodies that touch act on each other, unless their surfaces name a law
    /// ([`crate::Material::law`]), and what stops joints. If it does not suit the model
    /// ([`ContactLaw::check`]), steps are refused.
    pub contact_law: ContactLaw,
    /// How schemes other than `PassiveMidpoint` hold what touches and hard joints; `None` refuses
    /// models that have any which the scheme does not know.
    pub penalty: Option<Penalty>,
    /// How impulses are found where several bodies collide at once.
    pub collision: Resolution,
    /// How contacts that begin with impulses are recognised from step to step.
    pub coherence: Coherence,
    /// What impulses on a body that a port acts on may be, where its surface yields.
    pub impulse_limit: ImpulseLimit,
    /// When piles of bodies that have come to rest are left alone.
    pub sleeping: Sleeping,
    /// How hard the solver of contact works.
    pub solver: ConeSettings,
    /// How the energy tank is run.
    pub tank: TankPolicy,
    /// Error of a strain by a poor prediction [m or rad] above which an island is solved again.
    pub resolve_tolerance: f64,
    /// The same error [m or rad] above which the step is divided.
    pub substep_tolerance: f64,
    /// Parts a step may be divided into at most.
    pub max_substeps: u32,
    /// What a step may cost. Whatever is cut, the step stays passive, the report says what, and
    /// the next step goes on from there.
    pub budget: Counts,
    /// Loss `η` [1] on joint rows whose vibration the step cannot resolve, so that stiff mechanisms
    /// come to rest; 0 leaves them lossless. Springs are never affected.
    pub joint_loss: f64,
}

impl Default for Options {
    /// Passive midpoint, default tank, solve again above 1e-7, divide above 1e-4 into at most 8.
    fn default() -> Self {
        Self {
            scheme: Scheme::PassiveMidpoint,
            contact_law: ContactLaw::Cone,
            penalty: None,
            collision: Resolution::Simultaneous,
            coherence: Coherence::Place,
            impulse_limit: ImpulseLimit::default(),
            sleeping: Sleeping::default(),
            solver: ConeSettings::default(),
            tank: TankPolicy::default(),
            resolve_tolerance: 1e-7,
            substep_tolerance: 1e-4,
            max_substeps: 8,
            budget: Counts::UNLIMITED,
            joint_loss: 0.1,
        }
    }
}
