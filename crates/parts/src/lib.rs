//! Ready-made parts for small board games, so that a game is no more than its rules.
//!
//! A game says which [`Step`]s a side may make, where it starts and when it is decided: that is
//! [`Rules`]. It is played on a [`Board`]. [`BoardGame`] does the rest: symmetries, notation, drawing, boards
//! set up by hand, and the keys that the engine for games without an index needs. [`Numbered`] gives
//! games of men that are put and then step an index.
//!
//! ```
//! use kanzen_core::{Game, Next, Outcome};
//! use kanzen_parts::{Board, BoardGame, Position, Rules, Step, has_line, points};
//!
//! /// Two in a row on three cells.
//! struct TwoInARow;
//!
//! impl Rules for TwoInARow {
//!     fn stuck(&self) -> Outcome { Outcome::Draw }
//!     fn decided(&self, position: &Position) -> Option<Outcome> {
//!         has_line(&[0b011, 0b110], position.theirs()).then_some(Outcome::Loss)
//!     }
//!     fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
//!         points(board.free(position)).map(Step::put).for_each(each);
//!     }
//! }
//!
//! let game = BoardGame::new(Board::grid(3, 1), TwoInARow);
//! let Next::Position(next) = game.play(&game.start(), Step::put(1)) else { unreachable!() };
//! assert_eq!(game.write(&next), ".X. O");
//! assert_eq!(game.symmetries(), 2);
//! ```

mod arrangements;
mod board;
mod game;
mod goals;
mod keys;
mod kit;
mod lines;
mod notation;
mod numbered;
mod position;
mod rules;
mod symmetry;

pub use board::Board;
pub use game::BoardGame;
pub use goals::Goals;
pub use kit::{LETTERS, LETTERS_COUNTED};
pub use lines::{grid_lines, has_line, lines};
pub use notation::Letters;
pub use numbered::Numbered;
pub use position::{OUTSIDE, Position, Step, Turn, points};
pub use rules::{Men, Rules, Turns, legal};
