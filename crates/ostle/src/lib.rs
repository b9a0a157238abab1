//! Ostle (オストル): push two of the opponent's five pieces off the board or into the hole.
//!
//! Hiroki Takizawa solved it completely; a move may not bring back the board of one move before, so
//! that a state is a board and the move that is barred on it.

mod board;
mod census;
mod compare;
mod draws;
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
mod spread;
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
use kanzen_registry::{Entry, Goal, Learn, Lesson, OptionSpec, Tables, TwoPlayer};

/// Positions to play through.
const LESSONS: &[Lesson] = &[
    Lesson::new(
        Goal::Move,
        "11111-00000-00300-00000-22222",
        "c1v",
        "Five pieces a side, and a hole in the middle. Move one of your pieces a step.",
        "各5個の駒と、真ん中に穴が一つ。自分の駒を1歩動かしましょう。",
    ),
    Lesson::new(
        Goal::Named,
        "11111-00000-00300-00000-22222",
        "c3^",
        "A turn may also move the hole, to an empty cell beside it. Move it up.",
        "手番では穴を隣の空いたマスへ動かすこともできます。穴を上へ動かしましょう。",
    ),
    Lesson::new(
        Goal::Take,
        "11110-00000-01200-00030-02222",
        "b3>",
        "A piece that moves pushes whatever stands ahead of it. Push a red piece.",
        "駒は先にある駒を押して進みます。赤の駒を押しましょう。",
    ),
    Lesson::new(
        Goal::Named,
        "11110-00000-00123-00000-02222",
        "c3>xd3",
        "A piece that is pushed into the hole is out of the game. Push the red piece into it.",
        "穴に落ちた駒は取り除かれます。赤の駒を穴に落としましょう。",
    ),
    Lesson::new(
        Goal::Win,
        "11110-00000-00012-00030-02220",
        "d3>xe3",
        "So is a piece that is pushed off the board. Red has lost one already: take the second, and win.",
        "盤の外へ押し出された駒も取り除かれます。赤はすでに1個失っています。2個目を落として勝ちましょう。",
    ),
    Lesson::new(
        Goal::Guard,
        "01110-00000-12000-00030-00222",
        "a3^",
        "You have lost one piece, and Red would like to push another over the edge. See to it.",
        "あなたはすでに1個失い、赤はもう1個を押し出そうとしています。防ぎましょう。",
    ),
];

/// Ostle, for a registry.
pub static ENTRY: Entry = Entry {
    name: "ostle",
    title: Words::new("Ostle (オストル)", "オストル"),
    rules: Words::new(
        "5x5 cells, five pieces a side and a hole. A turn moves the hole, or an own piece, one step; pieces ahead are pushed along. A piece that leaves the board or enters the hole is out; who takes two wins. A move may not bring back the board of one move before; endless play is a draw.",
        "5×5の盤に各5個の駒と穴。手番では穴か自分の駒を1歩動かし、先にある駒は押される。盤外か穴に落ちた駒は取り除かれ、2個落とせば勝ち。直前の盤面に戻す手は禁止。千日手は引き分け。",
    ),
    learn: Learn {
        moves: Words::new(
            "c3> moves what stands on c3, a piece or the hole, to the right; ^ is up, v down and < left. c3>xd3 also pushes out the piece on d3.",
            "c3>はc3の駒か穴を右へ動かす手です（^は上、vは下、<は左）。c3>xd3では、さらにd3の駒が取り除かれます。",
        ),
        positions: Words::new(
            "25 digits, row by row from the top: 1 is a piece of the side to move, 2 one of the other side, 3 the hole, 0 an empty cell. After the word after stands the board of one move before, if that may not come back.",
            "上の行から順に25個の数字です。1は手番側の駒、2は相手の駒、3は穴、0は空きマスを表します。afterの後は、戻してはならない直前の盤面です。",
        ),
        lessons: LESSONS,
        ..Learn::NONE
    },
    options: &[
        OptionSpec {
            name: "pieces",
            values: &["10", "9", "8"],
            help: Words::new(
                "the most pieces on the board; a side has at least 4",
                "盤上の駒の最大数（各側は4個以上）",
            ),
            called: &[],
            tables: Tables::Differ,
        },
        OptionSpec {
            name: "undo",
            values: &["exact", "symmetric", "allowed"],
            help: Words::new(
                "whether a move may bring back the board of one move before: no; no, nor an image of it, as in the published table; yes",
                "直前の盤面に戻す手：不可、対称形も不可（論文の表）、可",
            ),
            called: &[
                Words::new("not the same board", "同じ盤面は不可"),
                Words::new("nor an image of it", "対称形も不可"),
                Words::new("it may", "可"),
            ],
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
