//! Quixo: cubes are taken from the border, marked and pushed in again; who has a whole line wins.
//!
//! Tanaka, Bonnet, Tixeuil and Tamura solved the game on 5x5 cubes ("Quixo Is Solved", 2020): a draw.

mod entry;
mod index;
mod rules;

pub use entry::ENTRY;
pub use rules::{Position, Quixo};
