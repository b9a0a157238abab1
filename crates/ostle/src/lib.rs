//! Ostle (オストル): push two of the opponent's five pieces off the board or into the hole.
//!
//! Hiroki Takizawa solved it completely; a move may not bring back the board of one move before, so
//! that a state is a board and the move that is barred on it.

mod board;
mod census;
mod compare;
mod engine;
mod finds;
mod fire;
mod index;
mod lines;
mod look;
mod notation;
mod reach;
mod rules;
mod solve;
mod solved;
mod states;
mod survey;
mod symmetric;
mod table;
mod tiers;
pub mod undo;
mod verify;
mod word;

pub use board::{Board, Direction, Symmetry};
pub use census::{Census, boards_by_hole};
pub use reach::Reached;
pub use rules::{Move, Ostle, State, Step, Undo};
pub use solve::Barred;
pub use solved::SolvedOstle;
pub use tiers::{Part, Tier};

use kanzen_core::Words;
use kanzen_index::Indexed;
use kanzen_registry::{Entry, OptionSpec, Tables, TwoPlayer};

/// Ostle, for a registry.
pub static ENTRY: Entry = Entry {
    name: "ostle",
    title: Words::new("Ostle (オストル)", "オストル"),
    rules: Words::new(
        "5x5 cells, five pieces a side and a hole. A turn moves the hole, or an own piece, one step; pieces ahead are pushed along. A piece that leaves the board or enters the hole is out; who takes two wins. A move may not bring back the board of one move before; endless play is a draw.",
        "5×5の盤に各5個の駒と穴。手番では穴か自分の駒を1歩動かし、先にある駒は押される。盤外か穴に落ちた駒は取り除かれ、2個落とせば勝ち。直前の盤面に戻す手は禁止。千日手は引き分け。",
    ),
    options: &[
        OptionSpec {
            name: "pieces",
            values: &["10", "9", "8"],
            help: Words::new(
                "the most pieces on the board; a side has at least 4",
                "盤上の駒の最大数（各側は4個以上）",
            ),
            tables: Tables::Differ,
        },
        OptionSpec {
            name: "undo",
            values: &["exact", "symmetric", "allowed"],
            help: Words::new(
                "whether a move may bring back the board of one move before: no; no, nor an image of it, as in the published table; yes",
                "直前の盤面に戻す手：不可、対称形も不可（論文の表）、可",
            ),
            tables: Tables::Differ,
        },
    ],
    claims: |_| include_str!("claims/ostle.json"),
    build: |options| {
        let undo = match options.get("undo") {
            "symmetric" => Undo::Symmetric,
            "allowed" => Undo::Allowed,
            _ => Undo::Exact,
        };
        let game = Ostle::new(4, options.number("pieces"), undo);
        Box::new(TwoPlayer::with_engine(game, Barred, Ostle::INDEX_VERSION, options))
    },
};
