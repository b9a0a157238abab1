//! Nine holes: three men a side that may go anywhere; diagonals do not count.

use super::morris::Morris;
use super::prelude::*;

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    let mut rules = Morris { flies: true, ..Morris::new(grid_lines(3, 3, 3)) };
    rules.lines.truncate(6);
    BoardGame::new(Board::grid(3, 3).unbroken(), rules).misere(is_misere(options))
}

/// Nine holes, for a registry.
pub static ENTRY: Entry = Entry {
    learn: learn::NINE_HOLES,
    options: &[GOAL],
    ..Entry::new(
        "nine-holes",
        Words::new("Nine holes", "ナインホールズ"),
        Words::new(
            "Three by three holes. The players put their three men in empty holes in turn, X first; then they move one man a turn to any empty hole. Three men of one player in a row or column win; diagonals do not count. Endless play is a draw.",
            "3×3の穴。Xから交互に3個の駒を空いた穴に置き、置き終えたら1個ずつ好きな空いた穴へ動かす。縦か横に3個並べば勝ち、斜めは数えない。千日手は引き分け。",
        ),
        |options| by_rules(game(options), options),
    )
};
