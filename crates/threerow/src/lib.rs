//! Three players, three in a row, on an m x n board.
//!
//! Players 1, 2 and 3 in turn put their number on an empty cell. The first to
//! have three of its own in a row (along a row, a column or a diagonal) wins;
//! a full board without one is a draw.
//!
//! The way of the data: [`shape`] (the empty board and its lines),
//! [`rules`] (positions and moves), [`notation`], [`symmetry`]; then two ways
//! to the values: [`search`] answers for one position under any of the
//! meanings that 'best play' has with three players, [`layers`] solves every
//! open board, ply by ply from the full board back. [`census`] counts boards
//! by formula, and [`claims`] restates what the literature says about the
//! game.

pub mod census;
pub mod claims;
mod game;
pub mod layers;
pub mod notation;
mod opened;
pub mod rules;
pub mod search;
pub mod shape;
pub mod symmetry;

pub use game::ThreeRow;
pub use notation::{Fault, IllegalBoard};
pub use rules::{Board, Player};
pub use search::{Answer, Meaning, Outcomes, SearchError, Searcher, TieBreak};
pub use shape::{Shape, ShapeError};

use kanzen_core::Words;
use kanzen_registry::{Entry, Learn, OptionSpec, Tables};

/// The sizes that a board may have, the default first.
const SIZES: &[&str] = &["4", "3", "5", "6", "7"];

/// Three-player three-in-a-row, for a registry.
pub static ENTRY: Entry = Entry {
    name: "threerow",
    title: Words::new("Three-player three-in-a-row", "三人三目並べ"),
    rules: Words::new(
        "Three players in turn put their number on an empty cell; the first with three of its own in a row wins, a full board without one is a draw. 'Best play' of three is ambiguous: here a player wins who can force it against the other two together.",
        "3人が順に空きマスへ自分の数字を置き、3つ並べた人が勝ち。埋まれば引き分け。3人の「最善」は曖昧なので、他の2人の協力に対しても勝てる場合を勝ちとする。",
    ),
    learn: Learn {
        moves: Words::new(
            "(2,3) is the cell in the second column from the left and the third row from the top.",
            "(2,3)は左から2列目、上から3行目のマスです。",
        ),
        positions: Words::new(
            "The rows from the top, joined by /: 1, 2 and 3 are the players, 0 is an empty cell. Whose turn it is follows from how many cells are filled.",
            "上の行から/で区切って書きます。1・2・3は各人の数字、0は空きマスです。手番は埋まったマスの数で決まります。",
        ),
        ..Learn::NONE
    },
    options: &[
        OptionSpec {
            name: "rows",
            values: SIZES,
            help: Words::new("rows of the board", "盤の行数"),
            called: &[],
            tables: Tables::AreNamed,
        },
        OptionSpec {
            name: "columns",
            values: SIZES,
            help: Words::new("columns of the board", "盤の列数"),
            called: &[],
            tables: Tables::AreNamed,
        },
        OptionSpec {
            name: "meaning",
            values: ThreeRow::MEANINGS,
            help: Words::new(
                "what best play means: who can force a win, who can avoid a loss, what happens if players 1, 2 and 3 prefer these opponents, what may happen",
                "最善の意味：必勝者、負けを避けられるか、各人が勝たせたい相手を決めた場合の結果、起こりうる結果",
            ),
            called: &[
                Words::new("who can force a win", "必勝者"),
                Words::new("whether player 1 can avoid a loss", "1番が負けを避けられるか"),
                Words::new("whether player 2 can avoid a loss", "2番が負けを避けられるか"),
                Words::new("whether player 3 can avoid a loss", "3番が負けを避けられるか"),
                Words::new(
                    "players 1, 2, 3 would rather see 2, 1, 1 win",
                    "1、2、3番が2、1、1番を勝たせたい場合",
                ),
                Words::new(
                    "players 1, 2, 3 would rather see 2, 1, 2 win",
                    "1、2、3番が2、1、2番を勝たせたい場合",
                ),
                Words::new(
                    "players 1, 2, 3 would rather see 2, 3, 1 win",
                    "1、2、3番が2、3、1番を勝たせたい場合",
                ),
                Words::new(
                    "players 1, 2, 3 would rather see 2, 3, 2 win",
                    "1、2、3番が2、3、2番を勝たせたい場合",
                ),
                Words::new(
                    "players 1, 2, 3 would rather see 3, 1, 1 win",
                    "1、2、3番が3、1、1番を勝たせたい場合",
                ),
                Words::new(
                    "players 1, 2, 3 would rather see 3, 1, 2 win",
                    "1、2、3番が3、1、2番を勝たせたい場合",
                ),
                Words::new(
                    "players 1, 2, 3 would rather see 3, 3, 1 win",
                    "1、2、3番が3、3、1番を勝たせたい場合",
                ),
                Words::new(
                    "players 1, 2, 3 would rather see 3, 3, 2 win",
                    "1、2、3番が3、3、2番を勝たせたい場合",
                ),
                Words::new("what may happen", "起こりうる結果"),
            ],
            tables: Tables::AreShared,
        },
    ],
    // Nothing is claimed of other boards.
    claims: |options| match (options.get("rows"), options.get("columns")) {
        ("4", "4") => include_str!("claims/threerow-4x4.json"),
        ("5", "4") => include_str!("claims/threerow-5x4.json"),
        _ => "",
    },
    build: |options| Box::new(ThreeRow::from_options(options)),
};
