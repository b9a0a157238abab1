//! Nine holes: three men a side that may go anywhere; diagonals do not count.

use super::entry_game;
use super::morris::Morris;
use kanzen_core::Words;
use kanzen_parts::{Board, BoardGame, grid_lines};
use kanzen_registry::{Entry, Options};

/// The game.
pub fn game(_: &Options) -> BoardGame<Morris> {
    let mut rules = Morris::new(Board::grid(3, 3).unbroken(), grid_lines(3, 3, 3));
    rules.lines.truncate(6);
    rules.reach.fill(0x1ff);
    BoardGame::new(rules)
}

/// Nine holes, for a registry.
pub static ENTRY: Entry = Entry::new(
    "nine-holes",
    Words::new("Nine holes", "ナインホールズ"),
    Words::new(
        "Three by three holes. The players put their three men in empty holes in turn, X first; then they move one man a turn to any empty hole. Three men of one player in a row or column win; diagonals do not count. Endless play is a draw.",
        "3×3の穴。Xから交互に3個の駒を空いた穴に置き、置き終えたら1個ずつ好きな空いた穴へ動かす。縦か横に3個並べば勝ち、斜めは数えない。千日手は引き分け。",
    ),
    |options| entry_game(game(options), options),
);
