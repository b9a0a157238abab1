//! The games, and the registry that lists them.

pub mod musashi;
pub mod simpei;
