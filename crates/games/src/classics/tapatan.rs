//! Tapatan: three men's morris as it is played in the Philippines.

use super::morris::{BLOCKED, CORNERS, Morris, square};
use super::prelude::*;

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    let passes = options.get("blocked") == "passes";
    let rules = Morris { passes, ..Morris::new(grid_lines(3, 3, 3)) };
    BoardGame::new(square(&CORNERS), rules).misere(is_misere(options))
}

/// Tapatan, for a registry.
pub static ENTRY: Entry = Entry {
    learn: learn::TAPATAN,
    options: &[BLOCKED, GOAL],
    ..Entry::new(
        "tapatan",
        Words::new("Tapatan", "タパタン"),
        Words::new(
            "Three by three points joined by lines, also from the corners to the centre. The players put their three men on empty points in turn, X first; then they move one man a turn along a line to the next point if it is empty. Three men of one player in a row, also diagonally, win. Endless play is a draw.",
            "縦横の線と隅から中央への線で結ばれた3×3の点。Xから交互に3個の駒を空いた点に置き、置き終えたら1個ずつ線に沿って隣の空いた点へ動かす。縦横斜めに3個並べば勝ち。千日手は引き分け。",
        ),
        |options| by_rules(game(options), options),
    )
};
