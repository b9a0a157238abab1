//! Simpei (シンペイ): two worlds, four pieces a side, three in a row.
//!
//! Tetsurō Tanaka solved it in 2006; the rules here are the ones that give all of his tables.

mod board;
mod entry;
mod index;
mod notation;
mod rules;
mod unmoves;

pub use entry::ENTRY;
pub use rules::{Move, Position, Simpei};
