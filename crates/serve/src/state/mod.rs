//! What all requests share.

pub mod background;
pub mod counts;
pub mod patience;
pub mod site;
pub mod solver;
pub mod tables;
