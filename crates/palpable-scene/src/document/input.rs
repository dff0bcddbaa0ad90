//! Scripted inputs of ports.

use super::{Orientation, Point};
use crate::dimension;
use crate::place::At;
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
        /// Poses of a reference at given times, with smooth motion between them.
        Path("path", Path),
    }
}

document! {
    /// Poses at given times. The reference comes to rest at each and moves smoothly between two:
    /// the share of the way is s^3 (10 - 15 s + 6 s^2) at the share s of the time.
    struct Path {
        required {
            /// The poses, times increasing.
            keys: Vec<At<Key>>,
        }
        optional {
            /// Before the first and after the last pose; "hold" unless given.
            outside: Outside,
            /// Name of a reference port that stands before this one: the poses are in the axes of
            /// its reference and move with it, also when a hand has taken it over.
            frame: String,
        }
    }
}

document! {
    /// A pose of a path. What is left out is as in the pose before; in the first, as at the start.
    struct Key {
        required {
            /// When [s].
            time: Quantity<dimension::Instant>,
        }
        optional {
            /// Position of the reference, world axes or those of the frame [m].
            position: Point,
            /// Orientation of the reference, likewise.
            orientation: Orientation,
        }
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
