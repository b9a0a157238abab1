//! Breakthrough on small boards: rows of men that break through to the far side, by Dan Troyka.

use super::pawns::Pawns;
use super::prelude::*;

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    let (columns, rows) = size(options);
    let filled = options.number("rows") as u8;
    Pawns::game((columns, rows), filled.min(rows / 2), true)
}

/// Breakthrough, for a registry.
pub static ENTRY: Entry = Entry {
    learn: learn::BREAKTHROUGH,
    options: &[
        choice(
            "size",
            &["4x4", "2x4", "3x4", "2x5", "3x5", "2x6", "3x6", "2x7", "3x3", "4x3"],
            "columns and rows of the board",
            "盤の列数と行数",
        ),
        choice(
            "rows",
            &["2", "1"],
            "rows of men on each side, as far as they fit",
            "各自の駒の行数（盤に入る範囲で）",
        ),
    ],
    ..Entry::new(
        "breakthrough",
        Words::new("Breakthrough", "ブレイクスルー"),
        Words::new(
            "Each side fills rows at its edge of the board with men; X starts at the bottom and begins. A man moves one cell straight or diagonally ahead to an empty cell; it takes an enemy only diagonally ahead. Who reaches the far row or takes the last enemy wins.",
            "両者は手前の行に駒を並べ、下側のXから始める。駒は正面か斜め前の空いたマスへ1つ進む。敵を取れるのは斜め前だけ。向こう端の行に着くか、敵を全て取れば勝ち。",
        ),
        |options| by_rules(game(options), options),
    )
};
