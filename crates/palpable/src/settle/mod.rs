//! Workshop: solution → next state. Advance, project, book; every jump is paid for.

mod advance;
mod book;
mod free;
mod momentum;
mod pay;
mod project;
mod slate;
mod system;

pub use advance::{Solved, Tally};
pub use book::{Booking, book_island};
pub use free::Load;
pub use momentum::{Momentum, keep_momentum, momentum_of};
pub use pay::{Payable, kinetic, kinetic_of_movers, return_surplus};
pub use project::{project_island, strains};
pub use slate::Slate;
