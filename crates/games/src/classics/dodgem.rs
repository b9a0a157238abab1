//! Dodgem: cars that leave the board on different sides, by Colin Vout.

use super::{choice, entry_game, won_by};
use kanzen_core::{NotationError, Outcome, Words};
use kanzen_parts::{Board, BoardGame, OUTSIDE, Position, Rules, Step, Turn, points};
use kanzen_registry::{Entry, Options};

/// The rules.
#[derive(Clone, Debug)]
pub struct Dodgem {
    board: Board,
    size: u8,
    /// Where the cars of X and O may go from each cell.
    reach: [Vec<u32>; 2],
}

impl Rules for Dodgem {
    fn board(&self) -> &Board {
        &self.board
    }

    fn start(&self) -> Position {
        let cars = 1..u32::from(self.size);
        let left = |row: u32| (row - 1) * u32::from(self.size);
        let bottom = |column: u32| u32::from(self.size * (self.size - 1)) + column;
        let x = cars.clone().fold(0, |set, row| set | 1 << left(row));
        Position::new(x, cars.fold(0, |set, column| set | 1 << bottom(column)))
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        match (position.x, position.o) {
            (0, _) => Some(won_by(Turn::X, position.turn)),
            (_, 0) => Some(won_by(Turn::O, position.turn)),
            _ => None,
        }
    }

    fn stuck(&self) -> Outcome {
        Outcome::Win
    }

    fn steps(&self, position: &Position, mut each: impl FnMut(Step)) {
        let (free, size) = (self.board.free(position), self.size);
        for from in points(position.mine()) {
            let to = self.reach[position.turn as usize][usize::from(from)] & free;
            points(to).for_each(|to| each(Step::go(from, to)));
            match position.turn {
                Turn::X if from % size == size - 1 => each(Step::go(from, OUTSIDE + from / size)),
                Turn::O if from < size => each(Step::go(from, OUTSIDE + size + from)),
                _ => (),
            }
        }
    }

    fn check(&self, position: &Position) -> Result<(), NotationError> {
        let cars = u32::from(self.size) - 1;
        position.men(0..=cars, 0..=cars)
    }
}

/// The game with these options.
pub fn game(options: &Options) -> BoardGame<Dodgem> {
    let size = options.number("size") as u8;
    let edge = f32::from(size);
    let right = (0..size).map(|row| (edge, row.into()));
    let top = (0..size).map(|column| (column.into(), -1.0));
    let board = Board::grid(size, size).keeping(|from, to| from == to);
    let board = board.outside(&right.chain(top).collect::<Vec<_>>());
    let reach = [board.toward(&[(1, 0), (0, -1), (0, 1)]), board.toward(&[(0, -1), (-1, 0), (1, 0)])];
    BoardGame::new(Dodgem { board, size, reach })
}

/// Dodgem, for a registry.
pub static ENTRY: Entry = Entry {
    options: &[choice("size", &["3", "4"], "Columns and rows of the board", "盤の列数と行数")],
    ..Entry::new(
        "dodgem",
        Words::new("Dodgem", "ドッジェム"),
        Words::new(
            "X has cars at the left edge, O at the bottom; the corner between them is empty. X begins. A car moves one cell: those of X right, up or down, those of O up, left or right; the cell must be empty. The cars of X leave the board at the right, those of O at the top. Who has no car left wins; who cannot move wins too. Endless play is a draw.",
            "Xは左端、Oは下端に車を並べ、間の隅は空ける。Xから始める。車は空いたマスへ1つ動く。Xは右・上・下、Oは上・左・右。Xは右端から、Oは上端から盤の外へ出る。全ての車が出れば勝ち。動けない者も勝ち。千日手は引き分け。",
        ),
        |options| entry_game(game(options), options),
    )
};
