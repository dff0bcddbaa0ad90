//! What must hold after every step. These files use nothing but `palpable` and the standard
//! library: programs that show a violation carry their text.

pub mod books;
pub mod checker;
pub mod finding;
pub mod motion;
pub mod own;
pub mod same;
pub mod watch;
