//! Three men's morris: three men a side on three by three points.

use super::morris::{CORNERS, Morris, square};
use super::prelude::*;

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    let board = match options.get("moves") {
        "orth" => square(&[]),
        "king" => square(&[&CORNERS[..], &[(1, 3), (1, 5), (3, 7), (5, 7)]].concat()),
        _ => square(&CORNERS),
    };
    let mut rules = Morris::new(grid_lines(3, 3, 3));
    rules.lines.truncate(options.number("lines") as usize);
    rules.flies = options.get("moves") == "fly";
    BoardGame::new(board, rules).misere(is_misere(options))
}

/// Three men's morris, for a registry.
pub static ENTRY: Entry = Entry {
    learn: learn::THREE_MENS_MORRIS,
    options: &[
        choice(
            "moves",
            &["lines", "king", "orth", "fly"],
            "men move along the drawn lines, to any neighbour, along rows and columns only, or to any empty point",
            "駒の動き：線に沿う、隣接8方向、縦横のみ、任意の空点",
        ).called(&[Words::new("along the drawn lines", "線に沿う"), Words::new("to any neighbour", "隣接8方向"), Words::new("along rows and columns", "縦横のみ"), Words::new("to any empty point", "任意の空点")]),
        choice(
            "lines",
            &["8", "6"],
            "rows, columns and diagonals win, or rows and columns only",
            "勝ちになる列：縦横斜めの8本、縦横の6本",
        ).called(&[Words::new("rows, columns and diagonals", "縦横斜めの8本"), Words::new("rows and columns", "縦横の6本")]),
        GOAL,
    ],
    ..Entry::new(
        "three-mens-morris",
        Words::new("Three men's morris", "スリーメンズモリス"),
        Words::new(
            "Three by three points. The players put their three men on empty points in turn, X first; then they move one man a turn to an empty point beside it. Three men of one player in a row win. Who cannot move loses; endless play is a draw.",
            "3×3の点。Xから交互に3個の駒を空いた点に置き、置き終えたら1個ずつ隣の空いた点へ動かす。自分の駒が3個一列に並べば勝ち。動けなければ負け。千日手は引き分け。",
        ),
        |options| by_rules(game(options), options),
    )
};
