//! Requests and their answers.

pub mod assets;
pub mod connections;
pub mod errors;
pub mod language;
pub mod limits;
pub mod routes;
pub mod server;
