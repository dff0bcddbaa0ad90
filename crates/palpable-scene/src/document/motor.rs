//! Motors: ports that drive one joint.

use super::{Anchor, Interpolation, Outside};
use crate::dimension;
use crate::place::At;
use crate::quantity::{Loose, Quantity};
use crate::read::{choice, document, words};

words! {
    /// What a motor moves.
    enum MotorKind {
        /// The angle of `a` about z of `b`.
        #[default]
        Angle = "angle",
        /// The offset of `a` along z of `b`.
        Slide = "slide",
    }
}

document! {
    /// A motor on the joint of a link of a chain or robot, between two ends, or on a tendon. With
    /// neither stiffness nor damping it takes an effort; damping makes it follow a rate, stiffness
    /// a target.
    struct Motor {
        required {
            /// Name in recordings.
            name: String,
        }
        optional {
            /// Name of the link whose joint it drives.
            link: String,
            /// One end, instead of a link.
            a: Anchor,
            /// The other end.
            b: Anchor,
            /// Name of the chain whose tendon it pulls, instead of a link or two ends.
            chain: String,
            /// Pulley radius of that tendon at each joint, in the order of the links [m]; 0 where
            /// it passes by. The motor's measure is the sum of radius times joint position.
            radii: Vec<At<Quantity<dimension::Position>>>,
            /// What it moves between its ends; "angle" unless given.
            kind: MotorKind,
            /// Stiffness towards a target [N m/rad, or N/m]; none unless given.
            stiffness: Loose,
            /// Damping towards a rate [N m s/rad, or N s/m]; none unless given.
            damping: Loose,
            /// Largest effort that an input may ask for [N m, or N]; that of the robot's joint
            /// unless given.
            limit: Loose,
            /// What it does; nothing unless given.
            input: Drive,
        }
    }
}

choice! {
    /// What a motor does: a script.
    enum Drive {
        /// Always the same.
        Constant("constant", ConstantDrive),
        /// offset + amplitude sin(2π frequency t + phase).
        Sine("sine", SineDrive),
        /// A table of values over time, from a CSV file.
        Table("table", TableDrive),
        /// Values at given times, with smooth motion between them.
        Path("path", PathDrive),
    }
}

document! {
    /// Values at given times. The effort, rate or target comes to rest at each and moves smoothly
    /// between two.
    struct PathDrive {
        required {
            /// The values, times increasing.
            keys: Vec<At<DriveKey>>,
        }
        optional {
            /// What moves; "effort" unless given.
            kind: DriveKind,
            /// Before the first and after the last value; "hold" unless given.
            outside: Outside,
        }
    }
}

document! {
    /// A value of a path.
    struct DriveKey {
        required {
            /// When [s].
            time: Quantity<dimension::Instant>,
            /// Effort [N m, or N], rate [rad/s, or m/s] or target [rad, or m].
            value: Loose,
        }
        optional {}
    }
}

document! {
    /// An effort, a rate or a target; one of them.
    struct ConstantDrive {
        required {}
        optional {
            /// Torque [N m] or force [N].
            effort: Loose,
            /// Rate that the damping enforces [rad/s, or m/s].
            rate: Loose,
            /// Position at which the stiffness is slack [rad, or m].
            target: Loose,
        }
    }
}

words! {
    /// What a script moves.
    enum DriveKind {
        /// Torque or force.
        #[default]
        Effort = "effort",
        /// Rate.
        Rate = "rate",
        /// Target.
        Target = "target",
    }
}

document! {
    /// offset + amplitude sin(2π frequency t + phase) of an effort, rate or target.
    struct SineDrive {
        required {
            /// Frequency [Hz].
            frequency: Quantity<dimension::Frequency>,
            /// Amplitude.
            amplitude: Loose,
        }
        optional {
            /// What swings; "effort" unless given.
            kind: DriveKind,
            /// Mean value; 0 unless given.
            offset: Loose,
            /// Phase at time 0 [rad].
            phase: Quantity<dimension::Angle>,
        }
    }
}

document! {
    /// A CSV file with a header: time [s], then one of effort [N m, or N], rate [rad/s, or m/s] and
    /// target [rad, or m]. Times increase.
    struct TableDrive {
        required {
            /// The CSV file, relative to the scene file.
            file: String,
        }
        optional {
            /// Between two rows; "linear" unless given.
            interpolation: Interpolation,
            /// Before the first and after the last row; "hold" unless given.
            outside: Outside,
        }
    }
}
