//! Teeko: four men a side on five by five points, and sixteen variants of it.

use super::goal::{Drops, GoalRules};
use super::prelude::*;
use kanzen_parts::{Goals, Numbered};
use kanzen_registry::TwoPlayer;

/// The corners of upright squares with sides of these lengths.
fn squares(sides: std::ops::RangeInclusive<u32>) -> impl Iterator<Item = u32> {
    sides.flat_map(|side| {
        let corners = 1u32 | 1 << side | 1 << (5 * side) | 1 << (6 * side);
        let places = move |row| (0..5 - side).map(move |column| corners << (5 * row + column));
        (0..5 - side).flat_map(places)
    })
}

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    let board = Board::net(5, 5);
    let longest = if options.get("goals") == "58" { 4 } else { 1 };
    let goals: Vec<u32> = grid_lines(5, 5, 4).into_iter().chain(squares(1..=longest)).collect();
    let drops = Drops::named(options.get("drops"));
    BoardGame::new(board.clone(), GoalRules { goals: Goals::new(&board, &goals), drops })
}

/// The kinds of drops.
#[rustfmt::skip]
const DROPS: &[&str] = &[
    "standard", "alternate", "one-move-alternate", "two-move-alternate", "three-move-alternate",
    "one-move-standard", "two-move-standard", "three-move-standard",
];

/// Teeko, for a registry.
pub static ENTRY: Entry = Entry {
    options: &[
        choice(
            "goals",
            &["44", "58"],
            "rows and 2x2 squares win, or also the corners of larger upright squares",
            "勝ちになる形：列と2×2の正方形、またはより大きな正方形の四隅も",
        ).called(&[Words::new("rows and 2x2 squares", "列と2×2の正方形"), Words::new("also larger squares", "より大きな正方形も")]),
        choice(
            "drops",
            DROPS,
            "who chooses where a piece is dropped: its owner (standard) or his opponent (alternate), or so for the first pieces of each colour only",
            "置く点を選ぶ者：持ち主（standard）、相手（alternate）、または各色の最初の数個だけそうする",
        ).called(learn::CHOOSERS),
    ],
    learn: learn::TEEKO,
    ..Entry::new(
        "teeko",
        Words::new("Teeko", "ティーコ"),
        Words::new(
            "Five by five points. Black and Red drop their four pieces on empty points in turn, Black first; then they move one piece a turn to a neighbouring empty point, also diagonally. Whose four pieces form a row, a column, a diagonal or a 2x2 square wins at once. Endless play is a draw.",
            "5×5の点。黒から交互に4個の駒を空いた点に置き、置き終えたら1個ずつ縦横斜めの隣の空いた点へ動かす。4個の駒が縦横斜めの一列か2×2の正方形になれば勝ち。千日手は引き分け。",
        ),
        |options| Box::new(TwoPlayer::new(Numbered::new(game(options), 4), options)),
    )
};
