//! What the fields of a scene measure: unit, allowed sign, an example for messages.

use palpable_units::Powers;

/// Which numbers a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Any,
    NotNegative,
    Positive,
}

/// A dimension, as messages and the schema describe it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Description {
    /// Name in the schema.
    pub name: &'static str,
    /// What it is, in messages.
    pub noun: &'static str,
    /// SI unit.
    pub unit: &'static str,
    /// Powers of metre, kilogram, second, radian.
    pub powers: Powers,
    /// Allowed sign.
    pub sign: Sign,
    /// How a text with a unit looks.
    pub example: &'static str,
}

impl Description {
    /// True if a text with these powers will do; `N·m` may stand for `N·m/rad`.
    pub fn accepts(&self, powers: &Powers) -> bool {
        let [m, kg, s, rad] = self.powers;
        *powers == self.powers || (rad < 0 && *powers == [m, kg, s, 0])
    }

    /// True if the sign will do.
    pub fn allows(&self, value: f64) -> bool {
        match self.sign {
            Sign::Any => true,
            Sign::NotNegative => value >= 0.0,
            Sign::Positive => value > 0.0,
        }
    }

    /// `give a mass greater than zero, such as "200 g" or a plain number of kg`.
    pub fn cure(&self) -> String {
        let range = match self.sign {
            Sign::Any => "",
            Sign::NotNegative => " of zero or more",
            Sign::Positive => " greater than zero",
        };
        let Description { noun, unit, example, .. } = self;
        let article = if "aeiou".contains(&noun[..1]) { "an" } else { "a" };
        if unit.is_empty() {
            return format!("give {article} {noun}{range}, such as {example}");
        }
        format!("give {article} {noun}{range}, such as \"{example}\" or a plain number of {unit}")
    }
}

/// A dimension as a type, so that a field's type says what it measures.
pub(crate) trait Dimension: 'static {
    const ABOUT: Description;
}

macro_rules! dimensions {
    ($(
        $name:ident: $noun:literal, $unit:literal, $powers:expr, $sign:ident, $example:literal;
    )*) => {
        $(
            #[doc = concat!("A ", $noun, " [", $unit, "].")]
            #[derive(Debug, Clone, Copy, PartialEq)]
            pub(crate) struct $name;
            impl Dimension for $name {
                const ABOUT: Description = Description {
                    name: stringify!($name),
                    noun: $noun,
                    unit: $unit,
                    powers: $powers,
                    sign: Sign::$sign,
                    example: $example,
                };
            }
        )*
        #[cfg(test)]
        const ALL: &[Description] = &[$($name::ABOUT),*];
    };
}

dimensions! {
    Number: "number", "", [0, 0, 0, 0], Any, "0.5";
    Factor: "number", "", [0, 0, 0, 0], Positive, "0.001";
    Tolerance: "tolerance", "", [0, 0, 0, 0], Positive, "1e-6";
    Friction: "coefficient of friction", "", [0, 0, 0, 0], NotNegative, "0.5";
    Share: "share", "", [0, 0, 0, 0], NotNegative, "0.5";
    Lever: "length", "m", [1, 0, 0, 0], NotNegative, "1 mm";
    Loss: "loss", "", [0, 0, 0, 0], NotNegative, "0.1";
    Restitution: "restitution", "", [0, 0, 0, 0], Any, "0.5";
    Position: "length", "m", [1, 0, 0, 0], Any, "5 cm";
    Size: "length", "m", [1, 0, 0, 0], Positive, "5 cm";
    Mass: "mass", "kg", [0, 1, 0, 0], Positive, "200 g";
    Density: "density", "kg/m^3", [-3, 1, 0, 0], Positive, "1000 kg/m^3";
    MomentOfInertia: "moment of inertia", "kg m^2", [2, 1, 0, 0], Any, "1 g m^2";
    Duration: "time", "s", [0, 0, 1, 0], Positive, "10 ms";
    Instant: "time", "s", [0, 0, 1, 0], Any, "250 ms";
    Frequency: "frequency", "Hz", [0, 0, -1, 0], NotNegative, "2 Hz";
    Angle: "angle", "rad", [0, 0, 0, 1], Any, "30 deg";
    Velocity: "velocity", "m/s", [1, 0, -1, 0], Any, "5 cm/s";
    AngularVelocity: "angular velocity", "rad/s", [0, 0, -1, 1], Any, "90 deg/s";
    Acceleration: "acceleration", "m/s^2", [1, 0, -2, 0], Any, "9.81 m/s^2";
    Force: "force", "N", [1, 1, -2, 0], Any, "200 mN";
    Torque: "torque", "N m", [2, 1, -2, 0], Any, "5 mN m";
    Stiffness: "stiffness", "N/m", [0, 1, -2, 0], NotNegative, "2 kN/m";
    Damping: "damping", "N s/m", [0, 1, -1, 0], NotNegative, "0.5 N s/m";
    AngularStiffness: "angular stiffness", "N m/rad", [2, 1, -2, -1], NotNegative, "2 N m/rad";
    AngularDamping: "angular damping", "N m s/rad", [2, 1, -1, -1], NotNegative, "1 mN m s/rad";
    Modulus: "modulus", "Pa", [-1, 1, -2, 0], Positive, "70 GPa";
    LayerModulus: "layer modulus", "Pa/m", [-2, 1, -2, 0], NotNegative, "10 MPa/m";
    LayerDamping: "layer damping", "Pa s/m", [-2, 1, -1, 0], NotNegative, "20 kPa s/m";
    Rigidity: "bending stiffness", "N m^2", [3, 1, -2, 0], Positive, "20 N m^2";
    Energy: "energy", "J", [2, 1, -2, 0], NotNegative, "10 mJ";
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpable_units as unit;

    #[test]
    fn units_and_examples_have_the_dimension_they_claim() {
        for about in ALL.iter().filter(|a| !a.unit.is_empty()) {
            for text in [format!("1 {}", about.unit), about.example.to_owned()] {
                let measured = unit::parse(&text).expect("a quantity");
                assert_eq!(measured.powers, about.powers, "{text}");
                assert!(about.allows(measured.value), "{text}");
            }
            // the unit itself is SI: one of it is one
            assert_eq!(unit::parse(&format!("1 {}", about.unit)).expect("unit").value, 1.0);
        }
    }

    #[test]
    fn a_torque_will_do_for_an_angular_stiffness_but_hertz_not_for_a_turning_rate() {
        assert!(AngularStiffness::ABOUT.accepts(&[2, 1, -2, 0]));
        assert!(!AngularVelocity::ABOUT.accepts(&[0, 0, -1, 0]));
        assert!(!Frequency::ABOUT.accepts(&[0, 0, -1, 1]));
        assert!(!Angle::ABOUT.accepts(&[0, 0, 0, 0]));
    }
}
