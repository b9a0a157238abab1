//! What the literature says about the game, in terms that can be checked.
//!
//! Iino and Kuroda analysed three players on 4 x 4 and on 5 rows by 4 columns:
//! a draw both times, with a number of boards after three moves on which
//! player 1 wins. Those are the boards on which player 1 can force a win
//! against the other two. They were counted as pairs of a board after two
//! moves, up to symmetry, and a cell of player 3; where the board after two
//! moves has a symmetry of its own, two such pairs may be one board up to
//! symmetry, so both counts are given.

use std::collections::BTreeSet;

use super::rules::{Board, Player};
use super::search::{SearchError, Searcher};
use super::shape::Shape;
use super::symmetry::Symmetries;

/// The boards after three moves on which player 1 can force a win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThirdPly {
    /// As pairs of a board after two moves up to symmetry and a third move.
    pub pairs: usize,
    /// As boards up to symmetry.
    pub up_to_symmetry: usize,
    /// The cells of player 1 on them and on their mirror images.
    pub first_cells: u64,
}

/// Finds the boards after three moves on which player 1 can force a win.
pub fn third_ply_wins(shape: Shape) -> Result<ThirdPly, SearchError> {
    let symmetries = Symmetries::new(&shape);
    let mut searcher = Searcher::new(shape);
    let mut boards = BTreeSet::from([symmetries.least(Board::empty(shape).sets())]);
    let children = |sets: [u64; 3]| {
        let board = Board::new(shape, sets).ok();
        let moves = board
            .map(|board| board.moves().filter_map(|cell| board.play(cell)).collect::<Vec<_>>());
        moves.unwrap_or_default()
    };
    for _ in 0..2 {
        let next = boards.iter().flat_map(|&sets| children(sets));
        boards = next.map(|board| symmetries.least(board.sets())).collect();
    }
    let mut pairs = 0;
    let mut distinct = BTreeSet::new();
    for board in boards.into_iter().flat_map(children) {
        if searcher.forced(&board)? == Some(Player::One) {
            pairs += 1;
            distinct.insert(symmetries.least(board.sets()));
        }
    }
    let images =
        distinct.iter().flat_map(|sets| symmetries.iter().map(|symmetry| symmetry.set(sets[0])));
    Ok(ThirdPly {
        pairs,
        up_to_symmetry: distinct.len(),
        first_cells: images.fold(0, |cells, image| cells | image),
    })
}
