//! Tic-tac-toe, also misère, and also with marks that belong to nobody.

use super::{choice, entry_game};
use kanzen_core::{NotationError, Outcome, Words};
use kanzen_parts::{Board, BoardGame, Position, Rules, Step, Turn, grid_lines, has_line, legal, points};
use kanzen_registry::{Entry, Options};

/// The rules.
#[derive(Clone, Debug)]
pub struct TicTacToe {
    board: Board,
    lines: Vec<u32>,
    misere: bool,
    wild: bool,
}

impl Rules for TicTacToe {
    fn board(&self) -> &Board {
        &self.board
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        // The other side has made the line.
        let line = has_line(&self.lines, position.x) || has_line(&self.lines, position.o);
        line.then_some(if self.misere { Outcome::Win } else { Outcome::Loss })
    }

    fn stuck(&self) -> Outcome {
        Outcome::Draw
    }

    fn steps(&self, position: &Position, mut each: impl FnMut(Step)) {
        let marks = match position.turn {
            _ if self.wild => 0..2,
            Turn::X => 0..1,
            Turn::O => 1..2,
        };
        for to in points(self.board.free(position)) {
            marks.clone().for_each(|mark| each(Step { mark, ..Step::put(to) }));
        }
    }

    fn play(&self, position: &Position, step: Step) -> Position {
        let mark = step.to.map_or(0, |to| 1 << to);
        let (x, o) = if step.mark == 0 { (mark, 0) } else { (0, mark) };
        Position { x: position.x | x, o: position.o | o, ..position.passed() }
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        let odd = position.all().count_ones() % 2 == 1;
        let turn = odd == (position.turn == Turn::O) && (self.wild || position.in_turn());
        legal(turn, "marks are put in turn, X first")
    }

    fn write_step(&self, _: &Position, step: Step) -> String {
        let cell = step.to.map_or("", |to| self.board.name(to));
        if self.wild { format!("{}{cell}", ["X", "O"][usize::from(step.mark)]) } else { cell.to_owned() }
    }
}

/// The game with these options.
pub fn game(options: &Options) -> BoardGame<TicTacToe> {
    BoardGame::new(TicTacToe {
        board: Board::grid(3, 3).unbroken(),
        lines: grid_lines(3, 3, 3),
        misere: options.get("goal") == "misere",
        wild: options.get("marks") == "wild",
    })
}

/// Tic-tac-toe, for a registry.
pub static ENTRY: Entry = Entry {
    options: &[
        choice("goal", &["normal", "misere"], "Who makes a line wins, or loses", "3つ並べた者：勝ち、負け"),
        choice("marks", &["own", "wild"], "Players put their own mark, or X or O as they like", "置く印：自分の印、XとOのどちらでも"),
    ],
    ..Entry::new(
        "tictactoe",
        Words::new("Tic-tac-toe", "三目並べ"),
        Words::new(
            "Three by three cells. The players put marks on empty cells in turn, X first. Who makes a row of three equal marks, also diagonally, wins. A full board without one is a draw.",
            "3×3のマス。Xから交互に空いたマスに印を置く。同じ印を縦横斜めに3つ並べれば勝ち。並ばずに埋まれば引き分け。",
        ),
        |options| entry_game(game(options), options),
    )
};
