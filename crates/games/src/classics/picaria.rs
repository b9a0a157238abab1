//! Picaria: three men a side on thirteen points, from the Zuni.

use super::morris::{CENTRE, Morris, square};
use super::prelude::*;

/// Rows and columns, three in a row on each long diagonal, the short diagonals.
const LINES: [&[u8]; 16] = [
    &[0, 1, 2],
    &[3, 4, 5],
    &[6, 7, 8],
    &[0, 3, 6],
    &[1, 4, 7],
    &[2, 5, 8],
    &[0, 9, 4],
    &[9, 4, 12],
    &[4, 12, 8],
    &[2, 10, 4],
    &[10, 4, 11],
    &[4, 11, 6],
    &[1, 9, 3],
    &[1, 10, 5],
    &[3, 11, 7],
    &[5, 12, 7],
];

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    // The points 9 to 12 are the centres of the small squares with these corners.
    let small = [[0, 1, 3, 4], [1, 2, 4, 5], [3, 4, 6, 7], [4, 5, 7, 8]];
    let spokes = (9..).zip(small).flat_map(|(centre, near)| near.map(|at| (at, centre)));
    let edges: Vec<_> = square(&[]).edges().iter().copied().chain(spokes).collect();
    let corners = (0..9u8).map(|point| (f32::from(point % 3) * 2.0, f32::from(point / 3) * 2.0));
    let places: Vec<_> = corners.chain([(1., 1.), (3., 1.), (1., 3.), (3., 3.)]).collect();
    let mut rules = Morris::new(lines(&LINES));
    rules.closed = u32::from(options.get("centre") == "forbidden") << 4;
    BoardGame::new(Board::graph(&places, &edges), rules).misere(is_misere(options))
}

/// Picaria, for a registry.
pub static ENTRY: Entry = Entry {
    learn: learn::PICARIA,
    options: &[CENTRE, GOAL],
    ..Entry::new(
        "picaria",
        Words::new("Picaria", "ピカリア"),
        Words::new(
            "Nine points in a square and the centres of its four small squares, joined by lines. The players put their three men on empty points in turn, X first; then they move one man a turn along a line to an empty neighbour. Three men of one player next to each other on a straight line win. Who cannot move loses; endless play is a draw.",
            "正方形の9点と4つの小さな正方形の中心を線で結んだ13点。Xから交互に3個の駒を空いた点に置き、置き終えたら1個ずつ線に沿って隣の空いた点へ動かす。直線上に3個続けて並べば勝ち。動けなければ負け。千日手は引き分け。",
        ),
        |options| by_rules(game(options), options),
    )
};
