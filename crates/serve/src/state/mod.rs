//! What all requests share.

pub mod background;
#[cfg(feature = "http")]
pub mod counts;
pub mod patience;
pub mod site;
pub mod solver;
pub mod tables;
