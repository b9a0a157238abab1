//! What all requests share.

pub mod background;
#[cfg(feature = "http")]
pub mod counts;
#[cfg(feature = "http")]
pub mod lane;
pub mod patience;
pub mod priority;
pub mod site;
pub mod solver;
pub mod tables;
