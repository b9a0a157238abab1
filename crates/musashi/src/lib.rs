//! Sixteen Musashi (十六むさし): a king against sixteen pieces, on three boards.
//!
//! Tetsurō Tanaka solved it in 2020, position by position. Here the bitmap engine
//! ([`kanzen_bitmap`]) does, which settles hundreds of positions with an instruction.

mod board;
mod checkpoint;
mod finds;
mod index;
mod notation;
mod rules;
mod sample;
mod solve;
mod solved;

mod whole;
mod writer;

pub use board::Board;
pub use rules::{Move, Musashi, Player, Position};
pub use solve::Bitmap;
pub use solved::SolvedMusashi;

use kanzen_core::Words;
use kanzen_index::Indexed;
use kanzen_registry::{AnyGame, Entry, Options, TwoPlayer};

/// The rules, on every board.
const RULES: Words = Words::new(
    "One black king against brown pieces on points joined by lines; brown moves first. Each turn a piece goes along a line to an empty point. A king that has moved between two brown pieces on a straight line takes both. Brown wins if the king cannot move; black wins if brown cannot move or a position comes back.",
    "黒の親1個と茶の子。茶が先手。どちらも線に沿って隣の空点へ動く。親が動いた先で一直線に挟んだ子2個ずつを取る。親が動けなければ茶の勝ち、子が動けないか同一局面が現れれば黒の勝ち。",
);

/// The game on a board.
fn on(board: &'static Board, options: &Options) -> Box<dyn AnyGame> {
    let game = Musashi::new(board);
    Box::new(TwoPlayer::with_engine(game, Bitmap, Musashi::INDEX_VERSION, options))
}

/// The standard board of 33 points.
pub static BOARD33: Entry = Entry {
    name: "musashi33",
    title: Words::new(
        "Sixteen Musashi (十六むさし), the standard board of 33 points",
        "十六むさし（33点の標準盤）",
    ),
    rules: RULES,
    options: &[],
    claims: |_| include_str!("claims/musashi33.json"),
    build: |options| on(Board::standard(), options),
};

/// The board of 31 points.
pub static BOARD31: Entry = Entry {
    name: "musashi31",
    title: Words::new("Sixteen Musashi, the board of 31 points", "十六むさし（31点の盤）"),
    rules: RULES,
    options: &[],
    claims: |_| include_str!("claims/musashi31.json"),
    build: |options| on(Board::board31(), options),
};

/// The board of 25 points.
pub static BOARD25: Entry = Entry {
    name: "musashi25",
    title: Words::new("Sixteen Musashi, the board of 25 points (八道行成)", "八道行成（25点の盤）"),
    rules: RULES,
    options: &[],
    claims: |_| include_str!("claims/musashi25.json"),
    build: |options| on(Board::board25(), options),
};
