//! The web server: loopback only, nothing without the token.

mod client;
mod gauge;
mod guard;
mod hub;
mod limits;
mod load;
mod patient;
mod routes;

pub use hub::Hub;
pub use limits::{Bucket, LARGEST_MESSAGE, LARGEST_UPLOAD};
pub use load::unfit;
pub use patient::Patient;
pub use routes::{Frame, router};
