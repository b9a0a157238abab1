//! Un-moves: the boards from which one move leads to a board, by the rules played backwards.
//!
//! A piece of the player who moved last came from an empty cell behind it, alone or pushing any
//! part of the run of pieces ahead of it; or the hole came from an empty cell. These are plain
//! loops for the notation, for symmetric boards and for tests; the engine has quicker ones.

use super::board::{Board, Direction, cells};
use super::rules::{Move, Ostle, State};
use kanzen_index::deposit;

/// A board and the move that leads from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unmove {
    /// The board before, seen by its own mover.
    pub before: Board,
    /// The move.
    pub mv: Move,
}

/// Calls `each` with every un-move that brings no piece back into the game.
pub fn unmoves(board: &Board, mut each: impl FnMut(Unmove)) {
    let (mover, other) = (board.theirs, board.mine);
    let (pieces, empty) = (board.pieces(), board.empty());
    for direction in Direction::ALL {
        let back = direction.back();
        for cell in cells(mover) {
            let behind = back.shift(1 << cell);
            if behind & empty == 0 {
                continue;
            }
            let mv = Move { cell: behind.trailing_zeros() as u8, direction };
            let (mut run, mut head) = (0, 1 << cell);
            while head & pieces != 0 {
                run |= head;
                let pulled = |side: u32| side & !run | back.shift(side & run);
                let before = Board { mine: pulled(mover), theirs: pulled(other), ..*board };
                each(Unmove { before, mv });
                head = direction.shift(head);
            }
        }
        let behind = back.shift(1 << board.hole);
        if behind & empty != 0 {
            let hole = behind.trailing_zeros() as u8;
            let before = Board { mine: mover, theirs: other, hole };
            each(Unmove { before, mv: Move { cell: hole, direction } });
        }
    }
}

/// The number of a move that can be barred, for the engine and for tables: from 1 on, by the piece
/// in the order of cells and by direction; the moves of the hole come last.
#[inline(always)]
#[must_use]
pub fn number(board: &Board, mv: Move) -> u8 {
    let piece = match mv.cell == board.hole {
        true => MOST,
        false => (board.mine & ((1 << mv.cell) - 1)).count_ones(),
    };
    number_of(piece, mv.direction)
}

/// The number of a move of a piece in the order of cells; the hole comes after [`MOST`] pieces.
#[inline(always)]
#[must_use]
pub const fn number_of(piece: u32, direction: Direction) -> u8 {
    (4 * piece) as u8 + direction as u8 + 1
}

/// The move with a [`number`]; none if no piece has it.
#[inline(always)]
#[must_use]
pub fn numbered(board: &Board, number: u8) -> Option<Move> {
    let number = u32::from(number).checked_sub(1)?;
    let cell = match number / 4 {
        MOST => board.hole,
        piece if piece < board.mine.count_ones() => {
            deposit(1 << piece, board.mine).trailing_zeros() as u8
        }
        _ => return None,
    };
    Some(Move { cell, direction: Direction::ALL[number as usize % 4] })
}

/// The states of a board: one with nothing barred, and one for each number of a move.
pub const STATES: u32 = 4 * MOST + 5;

/// The most pieces of a player.
pub const MOST: u32 = 5;

/// A board before a state, such that its move to the state's board bars the state's barred move;
/// none if nothing is barred.
#[must_use]
pub fn before(game: &Ostle, state: &State) -> Option<Board> {
    state.barred?;
    let mut found = None;
    unmoves(&state.board, |unmove| {
        let barred = game.bar(&unmove.before, unmove.mv, &state.board);
        if found.is_none() && barred == state.barred {
            found = Some(unmove.before);
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::super::rules::Undo;
    use super::*;
    use kanzen_analyse::Random;
    use kanzen_core::{Game, Next};

    #[test]
    fn unmoves_are_the_moves_backwards() {
        let game = Ostle::new(4, 10, Undo::Exact);
        let mut random = Random::new(2);
        let mut state = game.start();
        for _ in 0..5_000 {
            let mut all = Vec::new();
            unmoves(&state.board, |unmove| {
                assert_eq!(game.after(&unmove.before, unmove.mv), Next::Position(state.board));
                all.push(unmove);
            });
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count, "each once");
            let mut moves = Vec::new();
            game.moves(&state, |mv| moves.push(mv));
            let mv = moves[random.below(moves.len() as u64) as usize];
            let before = state.board;
            let removal = Ostle::step(&before, mv).out.is_some();
            state = match game.play(&state, mv) {
                Next::Over(_) => game.start(),
                Next::Position(next) | Next::Again(next) => next,
            };
            if !removal {
                let mut found = false;
                unmoves(&state.board, |unmove| found |= unmove == Unmove { before, mv });
                assert!(found, "{before:?} {mv:?}");
            }
        }
    }
}
