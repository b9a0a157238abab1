//! Tsoro yematatu: three men a side on the seven points of a triangle, from Zimbabwe.

use super::morris::Morris;
use super::prelude::*;

/// From the apex down, and across.
const LINES: [[u8; 3]; 5] = [[0, 1, 4], [0, 2, 5], [0, 3, 6], [1, 2, 3], [4, 5, 6]];

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    let places = [(2., 0.), (1., 1.), (2., 1.), (3., 1.), (0., 2.), (2., 2.), (4., 2.)];
    let edges = LINES.map(|[a, b, c]| [(a.into(), b.into()), (b.into(), c.into())]);
    let mut rules = Morris::new(lines(&LINES.each_ref().map(|line| &line[..])));
    if options.get("jump") == "yes" {
        rules.jumps = LINES.iter().flat_map(|&[a, b, c]| [[a, b, c], [c, b, a]]).collect();
    }
    BoardGame::new(Board::graph(&places, &edges.concat()), rules).misere(is_misere(options))
}

/// Tsoro yematatu, for a registry.
pub static ENTRY: Entry = Entry {
    learn: learn::TSORO_YEMATATU,
    options: &[
        choice(
            "jump",
            &["yes", "no"],
            "whether a man may jump over another",
            "駒を飛び越えること：可、不可",
        )
        .called(&[Words::new("yes", "可"), Words::new("no", "不可")]),
        GOAL,
    ],
    ..Entry::new(
        "tsoro-yematatu",
        Words::new("Tsoro yematatu", "ツォロ・イェマタツ"),
        Words::new(
            "Seven points of a triangle: the apex, three below it and three at the base, joined by five lines. The players put their three men on empty points in turn, X first; then they move one man a turn along a line to the empty point, or jump in a line over one man of either colour. Three men of one player on a line win. Who cannot move loses; endless play is a draw.",
            "三角形の7点（頂点、中段3点、底辺3点）を5本の線で結ぶ。Xから交互に3個の駒を空いた点に置き、置き終えたら1個ずつ線に沿って空いた点へ動かすか、線上でどちらかの駒1個を飛び越える。線上に3個並べば勝ち。動けなければ負け。千日手は引き分け。",
        ),
        |options| by_rules(game(options), options),
    )
};
