//! Scripted inputs of ports.

use super::{Orientation, Point};
use crate::dimension;
use crate::quantity::{Loose, Quantity};
use crate::read::{choice, document, words};

type Torques = [Quantity<dimension::Torque>; 3];

choice! {
    /// What enters at a port: a script.
    enum Input {
        /// Always the same.
        Constant("constant", Constant),
        /// offset + amplitude sin(2π frequency t + phase).
        Sine("sine", Sine),
        /// A table of values over time, from a CSV file.
        Table("table", Table),
    }
}

document! {
    /// Always the same: force and torque for a force port, position and orientation for a
    /// reference port.
    struct Constant {
        required {}
        optional {
            /// Force, world axes [N].
            force: [Quantity<dimension::Force>; 3],
            /// Torque, world axes [N m].
            torque: Torques,
            /// Position of the reference, world axes [m].
            position: Point,
            /// Orientation of the reference.
            orientation: Orientation,
        }
    }
}

document! {
    /// offset + amplitude sin(2π frequency t + phase) of a force, or of the reference's position.
    struct Sine {
        required {
            /// Frequency [Hz].
            frequency: Quantity<dimension::Frequency>,
        }
        optional {
            /// Amplitude, world axes [N, or m for a reference].
            amplitude: [Loose; 3],
            /// Mean value, world axes [N, or m]; 0, or where the port starts.
            offset: [Loose; 3],
            /// Amplitude of the torque, world axes [N m]; force ports only.
            torque_amplitude: Torques,
            /// Mean torque, world axes [N m]; force ports only.
            torque_offset: Torques,
            /// Phase at time 0 [rad].
            phase: Quantity<dimension::Angle>,
        }
    }
}

words! {
    /// What holds between two rows of a table.
    enum Interpolation {
        /// A straight line.
        #[default]
        Linear = "linear",
        /// The earlier row.
        Hold = "hold",
    }
}

words! {
    /// What holds before the first and after the last row of a table.
    enum Outside {
        /// The first or last row.
        #[default]
        Hold = "hold",
        /// No force; a reference stays where it is.
        Idle = "idle",
        /// The table from its beginning again.
        Repeat = "repeat",
    }
}

document! {
    /// A CSV file with a header: time [s]; then fx, fy, fz [N] and perhaps tx, ty, tz [N m] for
    /// a force port, or x, y, z [m] for a reference port. Times increase.
    struct Table {
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
