//! Workshop: solution → next state. Advance, project, book; every jump is paid for.

mod advance;
mod book;
mod free;
mod momentum;
mod pay;
mod project;
mod system;

pub use advance::{Push, Tally, advance_island};
pub use book::book_island;
pub use free::{advance_free, advance_held};
pub use momentum::{Momentum, keep_momentum, momentum_of};
pub use pay::{Payable, kinetic, kinetic as kinetic_of, kinetic_of_movers, return_surplus};
pub use project::{project_island, strains};
