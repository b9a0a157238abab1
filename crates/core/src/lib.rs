//! The vocabulary of Kanzen: what a game, a position, a value and a drawing are.
//!
//! Everything else is said in these words. A game implements [`Game`] (its rules, notation and
//! drawing) and knows nothing of indices, engines or files.

mod cells;
mod drawing;
mod fingerprint;
mod game;
mod gesture;
mod kit;
mod notation;
mod perft;
mod pressure;
mod stones;
mod value;
mod words;

pub use cells::Cells;
pub use drawing::{Drawing, Hand, Mark, Piece, Side, Spot, SpotShape, Tint, Trace};
pub use fingerprint::fingerprint;
pub use game::{Endless, Game, Next};
pub use gesture::{Gesture, Touch};
pub use kit::{Colour, Kind, Kit, Party, PieceShape};
pub use notation::NotationError;
pub use perft::perft;
pub use pressure::Pressure;
pub use stones::{parse_stones, stone_sets, stones, write_stones};
pub use value::{Best, Outcome, Value, Verdict};
pub use words::{Language, Text, Words};
