//! The command line.

pub mod args;
pub mod commands;
pub mod graph;
mod new;
pub mod output;
pub mod play;
pub mod progress;
mod sweep;
mod values;
