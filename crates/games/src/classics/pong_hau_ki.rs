//! Pong hau k'i: two men a side on five points, from China and Korea.

use super::prelude::*;

/// The rules, and where the game starts.
#[derive(Clone, Debug)]
pub struct PongHauKi(Position);

impl Rules for PongHauKi {
    fn start(&self) -> Position {
        self.0
    }

    fn steps(&self, board: &Board, position: &Position, each: &mut dyn FnMut(Step)) {
        position.slides(|from| board.near(from) & board.free(position), each);
    }

    fn men(&self) -> Men {
        [2..=2, 2..=2]
    }
}

/// The game with these options.
pub fn game(options: &Options) -> BoardGame {
    let places = [(0., 0.), (2., 0.), (1., 1.), (0., 2.), (2., 2.)];
    let board = Board::graph(&places, &[(0, 2), (1, 2), (2, 3), (2, 4), (0, 3), (1, 4), (0, 1)]);
    let start = if options.get("open") == "first" { "OO.XX" } else { "XX.OO" };
    BoardGame::new(board, PongHauKi(Position::of(start)))
}

/// Pong hau k'i, for a registry.
pub static ENTRY: Entry = Entry {
    learn: learn::PONG_HAU_KI,
    options: &[choice(
        "open",
        &["second", "first"],
        "who starts at the side without a line",
        "線のない辺の側から始める者：後手、先手",
    )
    .called(&[Words::new("the second player", "後手"), Words::new("the first player", "先手")])],
    ..Entry::new(
        "pong-hau-ki",
        Words::new("Pong hau k'i", "ポン・ハウ・キ（ウムルゴヌ）"),
        Words::new(
            "The corners of a square and its centre, joined by lines; one side of the square has none. Two men a side. X begins; a turn moves one man along a line to the empty point. Who cannot move loses; endless play is a draw.",
            "正方形の4隅と中央を線で結ぶ（一辺だけ線がない）。各2個の駒。Xから始め、1個を線に沿って空いた点へ動かす。動けなければ負け。千日手は引き分け。",
        ),
        |options| by_rules(game(options), options),
    )
};
