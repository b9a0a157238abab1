//! The games: a folder for each.

pub mod doubutsu;
