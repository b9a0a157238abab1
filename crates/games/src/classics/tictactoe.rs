//! Tic-tac-toe, also misère, and also with marks that belong to nobody.

use super::prelude::*;

/// The rules.
#[derive(Clone, Debug)]
pub struct TicTacToe {
    lines: Vec<u32>,
    wild: bool,
}

impl Rules for TicTacToe {
    fn stuck(&self) -> Outcome {
        Outcome::Draw
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        // The other side has made the line.
        let line = has_line(&self.lines, position.x) || has_line(&self.lines, position.o);
        line.then_some(Outcome::Loss)
    }

    fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
        let marks: &[_] = if self.wild { &[Some(Turn::X), Some(Turn::O)] } else { &[None] };
        for to in points(board.free(position)) {
            marks.iter().for_each(|&whose| each(Step { whose, ..Step::put(to) }));
        }
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        let odd = position.all().count_ones() % 2 == 1;
        let turn = odd == (position.turn == Turn::O) && (self.wild || position.in_turn());
        legal(turn, "marks are put in turn, X first")
    }
}

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    let rules = TicTacToe { lines: grid_lines(3, 3, 3), wild: options.get("marks") == "wild" };
    BoardGame::new(Board::grid(3, 3).unbroken(), rules).misere(is_misere(options))
}

/// Tic-tac-toe, for a registry.
pub static ENTRY: Entry = Entry {
    learn: learn::TICTACTOE,
    options: &[
        GOAL,
        choice("marks", &["own", "wild"], "own marks, or either", "印：自分の、どちらでも")
            .called(learn::MARKS),
    ],
    ..Entry::new(
        "tictactoe",
        Words::new("Tic-tac-toe", "三目並べ"),
        Words::new(
            "Three by three cells. The players put marks on empty cells in turn, X first. Who makes a row of three equal marks, also diagonally, wins. A full board without one is a draw.",
            "3×3のマス。Xから交互に空いたマスに印を置く。同じ印を縦横斜めに3つ並べれば勝ち。並ばずに埋まれば引き分け。",
        ),
        |options| by_rules(game(options), options),
    )
};
