//! Numbers with units on the command line.

use palpable_passivity::{Quantity, parse_quantity};

macro_rules! readers {
    ($($(#[$doc:meta])* $name:ident = $quantity:ident;)*) => {
        $($(#[$doc])*
        pub fn $name(text: &str) -> Result<f64, String> {
            parse_quantity(text, Quantity::$quantity).map_err(|error| error.to_string())
        })*
    };
}

readers! {
    /// Reads a mass \[kg\].
    mass = Mass;
    /// Reads a time \[s\].
    time = Time;
    /// Reads a rate \[Hz\].
    rate = Rate;
    /// Reads a stiffness \[N/m\].
    stiffness = Stiffness;
    /// Reads a damping \[N·s/m\].
    damping = Damping;
}
