//! Sixteen Musashi.

mod board;

pub use board::Board;
