//! The spring and the damper that most questions are about.

use super::quantity;

/// Stiffness and damping.
#[derive(clap::Args)]
pub struct SpringArgs {
    /// Stiffness [N/m]
    #[arg(long, short = 'k', value_parser = quantity::stiffness, allow_negative_numbers = true)]
    pub stiffness: f64,
    /// Damping [N·s/m]
    #[arg(long, short = 'b', value_parser = quantity::damping, default_value = "0",
        allow_negative_numbers = true)]
    pub damping: f64,
}
