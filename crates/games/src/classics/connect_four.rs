//! Connect Four on small boards.

use super::prelude::*;

/// The rules: the height of the columns, and the lines of four.
#[derive(Clone, Debug)]
pub struct ConnectFour(u8, Vec<u32>);

impl Rules for ConnectFour {
    fn turns(&self) -> Turns {
        Turns::Counted
    }
    fn stuck(&self) -> Outcome {
        Outcome::Draw
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        has_line(&self.1, position.theirs()).then_some(Outcome::Loss)
    }

    fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
        for first in (0..board.points() as u8).step_by(self.0.into()) {
            let stones = (position.all() >> first).trailing_ones() as u8;
            (stones < self.0).then(|| each(Step::put(first + stones)));
        }
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        legal(position.in_turn(), "stones are dropped in turn, X first")
    }
}

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    let (columns, height) = size(options);
    // Cells are numbered column by column, so columns are what rows are elsewhere.
    let lines = grid_lines(height.into(), columns.into(), 4);
    let rules = ConnectFour(height, lines);
    BoardGame::new(Board::stacks(columns, height), rules).misere(is_misere(options))
}

/// Connect Four, for a registry.
pub static ENTRY: Entry = Entry {
    options: &[
        choice("size", &["4x4", "5x4", "4x5", "5x5"], "columns and rows", "盤の列数と行数"),
        GOAL,
    ],
    learn: learn::CONNECT_FOUR,
    ..Entry::new(
        "connect-four",
        Words::new("Connect Four", "四目並べ（コネクトフォー）"),
        Words::new(
            "The players drop stones into columns in turn, X first; a stone falls to the lowest empty cell. Four stones of one colour in a row, column or diagonal win. A full board without four is a draw.",
            "Xから交互に列の上から石を落とし、石は一番下の空いたマスに積まれる。同じ色を縦横斜めに4つ並べれば勝ち。並ばずに埋まれば引き分け。",
        ),
        |options| by_rules(game(options), options),
    )
};
