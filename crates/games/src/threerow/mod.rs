//! Three players, three in a row, on an m x n board.
//!
//! Players 1, 2 and 3 in turn put their number on an empty cell. The first to
//! have three of its own in a row (along a row, a column or a diagonal) wins;
//! a full board without one is a draw.
//!
//! The way of the data: [`shape`] (the empty board and its lines),
//! [`rules`] (positions and moves), [`notation`], [`symmetry`]; then two ways
//! to the values: [`search`] answers for one position under any of the
//! meanings that 'best play' has with three players, [`layers`] solves every
//! open board, ply by ply from the full board back. [`census`] counts boards
//! by formula, and [`claims`] restates what the literature says about the
//! game.

pub mod census;
pub mod claims;
pub mod layers;
pub mod notation;
pub mod rules;
pub mod search;
pub mod shape;
pub mod symmetry;

pub use notation::{Fault, IllegalBoard};
pub use rules::{Board, Player};
pub use search::{Answer, Meaning, Outcomes, SearchError, Searcher, TieBreak};
pub use shape::{Shape, ShapeError};
