//! Hare and hounds: three hounds that never go back hunt a hare that wants to get past them.

use super::hunt::Hunt;
use super::prelude::*;

/// The lines between the points.
const EDGES: &str = "DA DE DI AB BC AE AF BF CF CG CH EF FG GH EI FI FJ FK GK HK IJ JK";

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    let columns = vec![1, 2, 3, 0, 1, 2, 3, 4, 1, 2, 3];
    let rows = [0u8, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2];
    let places: Vec<_> = columns.iter().zip(rows).map(|(&x, y)| (f32::from(x), y.into())).collect();
    let end = |letter: u8| usize::from(letter - b'A');
    let edges = EDGES.split(' ').map(str::as_bytes).map(|edge| (end(edge[0]), end(edge[1])));
    let board = Board::graph(&places, &edges.collect::<Vec<_>>()).named("ABCDEFGHIJK");
    let board = board.keeping(|from, to| columns[from] == columns[to]);
    let first = if options.get("first") == "hare" { Turn::O } else { Turn::X };
    let endless = match options.get("endless") {
        "hare" => Endless::WonBy(Turn::O.side()),
        _ => Endless::Draw,
    };
    let level = options.get("escape") == "level";
    BoardGame::new(board, Hunt { columns, level, first, endless })
}

/// Hare and hounds, for a registry.
pub static ENTRY: Entry = Entry {
    options: &[
        choice(
            "escape",
            &["strict", "level"],
            "the hare escapes when it is past all hounds, or as soon as it is level with the last",
            "兎の逃げ切り：全ての猟犬を通り過ぎたとき、最後の猟犬と同じ列に並んだとき",
        )
        .called(&[
            Words::new("past all hounds", "全ての猟犬を通り過ぎたとき"),
            Words::new("level with the last", "最後の猟犬と同じ列"),
        ]),
        choice("first", &["hounds", "hare"], "who moves first", "先手：猟犬、野兎")
            .called(&[Words::new("the hounds", "猟犬"), Words::new("the hare", "野兎")]),
        choice(
            "endless",
            &["draw", "hare"],
            "endless play is a draw, or won by the hare",
            "千日手：引き分け、野兎の勝ち",
        )
        .called(&[Words::new("a draw", "引き分け"), Words::new("won by the hare", "野兎の勝ち")]),
    ],
    learn: learn::HARE_AND_HOUNDS,
    ..Entry::new(
        "hare-and-hounds",
        Words::new("Hare and hounds", "野兎と猟犬"),
        Words::new(
            "Eleven points joined by lines; three hounds start on the left, a hare on the right. A turn moves one piece along a line to an empty point; hounds never go back to the left. The hounds win when the hare cannot move, the hare when it has got past all hounds. Endless play is a draw, unless the hare is said to win by it.",
            "線で結ばれた11点。左に猟犬3匹、右に野兎1匹。手番では1匹を線に沿って隣の空いた点へ動かす。猟犬は左へ戻れない。野兎が動けなくなれば猟犬の勝ち、野兎が全ての猟犬を通り過ぎれば野兎の勝ち。千日手は引き分け（野兎の勝ちとする規則もある）。",
        ),
        |options| by_rules(game(options), options),
    )
};
