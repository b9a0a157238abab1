//! Sixteen Musashi (十六むさし): a king against sixteen pieces, on three boards.
//!
//! Tetsurō Tanaka solved it in 2020, position by position. Here the bitmap engine
//! ([`kanzen_bitmap`]) does, which settles hundreds of positions with an instruction.

mod board;
mod checkpoint;
mod finds;
mod index;
mod notation;
mod rules;
mod solve;
mod solved;
mod verify;
mod whole;
mod writer;

pub use board::Board;
pub use rules::{Move, Musashi, Player, Position};
pub use solve::NamedMusashi;
pub use solved::SolvedMusashi;
