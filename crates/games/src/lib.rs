//! The games, and the registry that lists them.

pub mod simpei;
