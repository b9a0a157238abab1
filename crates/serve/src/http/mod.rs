//! Requests and their answers.

pub mod assets;
#[cfg(feature = "http")]
pub mod connections;
pub mod errors;
pub mod language;
pub mod limits;
#[cfg(feature = "http")]
pub mod routes;
#[cfg(feature = "http")]
pub mod server;
