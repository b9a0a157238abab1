//! Hexapawn: a row of pawns a side; Martin Gardner's game for a learning machine of matchboxes.

use super::pawns::Pawns;
use super::prelude::*;

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    Pawns::game(size(options), 1, false)
}

/// Hexapawn, for a registry.
pub static ENTRY: Entry = Entry {
    learn: learn::HEXAPAWN,
    options: &[choice(
        "size",
        &["3x3", "3x4", "4x3", "4x4", "5x3", "3x5", "4x5", "5x4"],
        "columns and rows of the board",
        "盤の列数と行数",
    )],
    ..Entry::new(
        "hexapawn",
        Words::new("Hexapawn", "ヘキサポーン"),
        Words::new(
            "Each side has a row of pawns at its edge of the board; X starts at the bottom and begins. A pawn moves one cell straight ahead if that is empty, or takes an enemy one cell diagonally ahead. Who reaches the far row wins; who cannot move loses.",
            "両者は手前の端の行にポーンを並べ、下側のXから始める。ポーンは正面の空いたマスへ1つ進むか、斜め前の敵を取る。向こう端の行に着けば勝ち。動けなければ負け。",
        ),
        |options| by_rules(game(options), options),
    )
};
