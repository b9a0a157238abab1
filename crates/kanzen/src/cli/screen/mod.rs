//! The full-screen form of `play`, `puzzles` and `probe`: one screen for the three of them.
//!
//! [`state`] is what is on the screen and what a key makes of it, [`draw`] how it looks, and [`terminal`]
//! the only part that touches one; so tests press keys and read letters without any.

mod draw;
mod hints;
mod keys;
mod picture;
mod points;
mod state;
mod terminal;
#[cfg(test)]
mod tests;
mod theme;

pub use state::{Mode, Screen, Subject};
pub use terminal::is_there;

use super::output;
use anyhow::Result;
use state::Left;
use std::process::ExitCode;

/// Shows a screen until somebody leaves it.
pub fn run(mut screen: Screen<'_>) -> Result<ExitCode> {
    Ok(match terminal::show(&mut screen)? {
        Left::Quit => ExitCode::SUCCESS,
        Left::Interrupted => ExitCode::from(output::INTERRUPTED),
    })
}
