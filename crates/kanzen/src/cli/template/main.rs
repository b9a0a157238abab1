//! {{name}}: three men a side on three by three points; who has them in a row wins.
//!
//! This is a whole game. Change the rules, and ask `cargo run -- check {{name}}` whether they fit.

use kanzen::prelude::*;

/// What the rules need to know: the rows that win.
struct Rows(Vec<u32>);

impl Rules for Rows {
    /// A move that fills a row wins: whoever is to move then has lost.
    fn decided(&self, position: &Position) -> Option<Outcome> {
        has_line(&self.0, position.theirs()).then_some(Outcome::Loss)
    }

    /// Men are put on free points until a side has three; then one of them goes along a line.
    fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
        let free = board.free(position);
        if position.mine().count_ones() < 3 {
            points(free).map(Step::put).for_each(each);
        } else {
            position.slides(|from| board.near(from) & free, each);
        }
    }

    /// How many men X and O have on the board.
    fn men(&self) -> Men {
        [0..=3, 0..=3]
    }

    /// What else makes sense when somebody sets up a board.
    fn check(&self, position: &Position) -> Result<(), NotationError> {
        let placed = position.all().count_ones() == 6;
        legal(placed || position.in_turn(), "men are put in turn, X first")
    }
}

/// Three by three points: where they are, and the lines between them.
fn board() -> Board {
    let places: Vec<(f32, f32)> =
        (0..9u8).map(|point| (f32::from(point % 3), f32::from(point / 3))).collect();
    let across = [(0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8)];
    let down = [(0, 3), (3, 6), (1, 4), (4, 7), (2, 5), (5, 8)];
    Board::graph(&places, &[across, down].concat())
}

static GAME: Entry = Entry::new(
    "{{name}}",
    Words::same("{{title}}"),
    Words::same("Three men a side on nine points. Men are put down in turn, then moved along the lines. Who has three in a row wins; who cannot move loses; endless play is a draw."),
    |options| by_rules(BoardGame::new(board(), Rows(grid_lines(3, 3, 3))), options),
);

fn main() -> std::process::ExitCode {
    kanzen::main(Registry::new([&GAME]))
}
