//! The command line.

pub mod args;
pub mod commands;
pub mod output;
pub mod play;
pub mod progress;
mod sweep;
mod values;
