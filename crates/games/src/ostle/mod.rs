//! Ostle (オストル): push two of the opponent's five pieces off the board or into the hole.
//!
//! Hiroki Takizawa solved it completely; a move may not bring back the board of one move before, so
//! that a state is a board and the move that is barred on it.

mod board;
mod census;
mod compare;
mod engine;
mod finds;
mod fire;
mod index;
mod lines;
mod look;
mod notation;
mod reach;
mod ring;
mod rules;
mod solve;
mod solved;
mod states;
mod survey;
mod symmetric;
mod table;
mod tiers;
pub mod undo;
mod verify;
mod word;

pub use board::{Board, Direction, Symmetry};
pub use census::{Census, boards_by_hole};
pub use reach::Reached;
pub use rules::{Move, Ostle, State, Step, Undo};
pub use solve::NamedOstle;
pub use solved::SolvedOstle;
pub use tiers::{Part, Tier};
