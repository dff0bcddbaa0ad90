//! What a haptic device can render: sampled-data passivity analysis and tuning.
//!
//! A haptic display is passive for every operator only if its physical damping pays for the
//! energy that sampling and holding create. This crate computes how much that is, for walls,
//! couplings, virtual masses, delays, holds, resonances and several degrees of freedom, after
//! `[Brown1998]` with its errata corrected. Pure functions; SI units; `f64`.
//!
//! ```
//! use palpable_passivity::{Sampling, Wall, required_damping};
//!
//! let loop_1khz = Sampling::from_rate(1000.0)?;
//! let wall = Wall::backward_difference(10_000.0, 20.0).transfer_function(&loop_1khz)?;
//! let need = required_damping(&wall, &loop_1khz)?;
//! assert!((need.damping - 25.0).abs() < 1e-9);
//! # Ok::<(), palpable_passivity::Error>(())
//! ```
//!
//! | question | answer |
//! |---|---|
//! | What does a wall cost? | [`Wall`], [`required_damping`], [`damping_at`] |
//! | What does a coupling cost? | [`coupling_damping`], [`MidpointCoupling`], `two_port_damping` |
//! | How light may a virtual mass be? | [`minimum_mass`], [`lightest_mass`], [`level_map`] |
//! | What K and B can it render? | [`zwidth`], [`max_wall_stiffness`], [`Device`] |
//! | What does delay cost? | [`Sampling::with_delay_seconds`] with any of the above |
//! | Which K, B and mass shall I use? | [`tune`] |
//! | Why does it vibrate? | [`explain`], [`explain_coupling`] |
//! | Is that true? | [`verify`], [`verify_coupling`], [`worst_operator`], [`simulate`] |

// units in brackets, such as [m], are not links
#![allow(rustdoc::broken_intra_doc_links)]

mod arm;
mod coupling;
mod damping;
mod device;
mod device_file;
mod disk;
mod error;
mod explain;
mod expm;
mod friction;
mod hold;
mod level;
mod llewellyn;
mod mass;
mod midpoint;
mod minimum_mass;
mod multi_dof;
mod nnls;
mod observer;
mod operator;
mod plant;
mod polynomial;
mod profile;
mod pspm;
mod pulse;
mod rendering;
mod resonance;
mod sampling;
mod scan;
mod stick;
mod supremum;
mod tune;
mod two_port;
mod unit;
mod variable_rate;
mod verify;
mod wall;
mod wave;
mod ways;
mod worst_world;
mod zwidth;

pub use arm::{Arm, critical_stiffness, undamped_limit};
pub use coupling::{
    CouplingDamping, backward_coupling_damping, coupling_damping, coupling_damping_at,
    tustin_coupling_damping_at,
};
pub use damping::{RequiredDamping, damping_at, damping_supremum, required_damping};
pub use device::{Device, StiffnessCeiling};
pub use device_file::{DeviceProfile, ProfileError};
pub use disk::{Disk, Region};
pub use error::{Error, Result};
pub use explain::{
    Bound, Explanation, Finding, Knob, WayOut, explain, explain_coupling, explain_pointer,
};
pub use expm::{Discrete, expm};
pub use friction::{cycle_gain, max_stiffness_quantised};
pub use hold::Hold;
pub use level::{LevelMap, alpha_at_level, level, level_map, level_row, stability_alpha};
pub use llewellyn::llewellyn_damping;
pub use mass::{CoupledMass, Integrator};
pub use midpoint::{MidpointCoupling, longest_continuous_step, with_sampled_damper};
pub use minimum_mass::{
    MinimumMass, clamped_stability_mass, fitted_alpha, minimum_mass, unity_alpha,
};
pub use multi_dof::{
    MatrixVerdict, matrix_verdict, max_contact_stiffness, required_damping_matrix,
    spring_damper_matrix,
};
pub use observer::{Observed, PassivityObserver};
pub use operator::{Network, Resonance, worst_operator};
pub use plant::Plant;
pub use polynomial::C64;
pub use pspm::{SetPosition, SetPositionStep};
pub use pulse::PulseTf;
pub use rendering::Rendering;
pub use resonance::TwoMassDevice;
pub use sampling::Sampling;
pub use stick::{Ending, QuantisedLoop};
pub use tune::{RateVerdict, TradePoint, TuneOptions, TuneReport, lightest_mass, tune};
pub use two_port::{
    Causality, CouplingTwoPort, NyquistDisks, TwoPort, TwoPortVerdict, device_disk,
    environment_disk, nyquist_disks, two_port_damping, two_port_verdict,
};
pub use unit::{Quantity, parse_quantity};
pub use variable_rate::{jittered_damping, variable_rate_damping};
pub use verify::{Growth, Verification, simulate, verify};
pub use wall::{Velocity, Wall};
pub use wave::{Waves, line_impedance, line_stiffness, raw_delayed_impedance};
pub use worst_world::{PassiveWorld, verify_coupling, with_world, worst_world};
pub use zwidth::{ZPoint, max_wall_stiffness, one_sample_stiffness, zwidth};
