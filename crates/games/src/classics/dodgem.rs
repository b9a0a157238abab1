//! Dodgem: cars that leave the board on different sides, by Colin Vout.

use super::prelude::*;

/// The rules: the columns of the board, and where cars of X and O may go from each cell.
pub struct Dodgem(u8, [Vec<u32>; 2]);

impl Rules for Dodgem {
    fn stuck(&self) -> Outcome {
        Outcome::Win
    }
    fn start(&self) -> Position {
        Position::of(if self.0 == 3 { "X../X../.OO" } else { "X.../X.../X.../.OOO" })
    }

    fn decided(&self, position: &Position) -> Option<Outcome> {
        (position.theirs() == 0).then_some(Outcome::Loss)
    }

    fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
        let Dodgem(size, reach) = self;
        let reach = &reach[position.turn as usize];
        position.slides(|from| reach[usize::from(from)] & board.free(position), &mut *each);
        let leave = |from: u8| match position.turn {
            Turn::X => (from % size == size - 1).then(|| Step::go(from, OUTSIDE + from / size)),
            Turn::O => (from < *size).then(|| Step::go(from, OUTSIDE + size + from)),
        };
        points(position.mine()).filter_map(leave).for_each(each);
    }

    fn men(&self) -> Men {
        [0..=u32::from(self.0) - 1, 0..=u32::from(self.0) - 1]
    }
}

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    let size = options.number("size") as u8;
    let right = (0..size).map(|row| (size.into(), row.into()));
    let outside: Vec<_> = right.chain((0..size).map(|column| (column.into(), -1.0))).collect();
    let board = Board::grid(size, size).keeping(|from, to| from == to).outside(&outside);
    let steps = [[(1, 0), (0, -1), (0, 1)], [(0, -1), (-1, 0), (1, 0)]];
    let reach = steps.map(|steps| board.toward(&steps));
    BoardGame::new(board, Dodgem(size, reach))
}

/// Dodgem, for a registry.
pub static ENTRY: Entry = Entry {
    options: &[choice("size", &["3", "4"], "columns and rows of the board", "盤の列数と行数")],
    learn: learn::DODGEM,
    ..Entry::new(
        "dodgem",
        Words::new("Dodgem", "ドッジェム"),
        Words::new(
            "X has cars at the left edge, O at the bottom; the corner between them is empty. X begins. A car moves one cell: those of X right, up or down, those of O up, left or right; the cell must be empty. The cars of X leave the board at the right, those of O at the top. Who has no car left wins; who cannot move wins too. Endless play is a draw.",
            "Xは左端、Oは下端に車を並べ、間の隅は空ける。Xから始める。車は空いたマスへ1つ動く。Xは右・上・下、Oは上・左・右。Xは右端から、Oは上端から盤の外へ出る。全ての車が出れば勝ち。動けない者も勝ち。千日手は引き分け。",
        ),
        |options| by_rules(game(options), options),
    )
};
