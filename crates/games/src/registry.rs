//! The list of games: adding a game touches its own file or folder and one entry here.

use crate::any::AnyGame;
use crate::doubutsu::{self, Doubutsu};
use crate::mutorere::MuTorere;
use crate::simpei::Simpei;
use crate::threerow::ThreeRow;
use crate::two_player::TwoPlayer;
use crate::{GameError, OptionSpec, Options};

/// A game that can be chosen by name.
pub struct Entry {
    /// The name used on the command line.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The options that choose a variant.
    pub options: &'static [OptionSpec],
    build: fn(&Options) -> Box<dyn AnyGame>,
}

/// All games.
pub static GAMES: &[Entry] = &[
    Entry {
        name: "simpei",
        title: "Simpei (シンペイ)",
        options: &[
            OptionSpec {
                name: "first",
                values: &["centre", "free"],
                help: "where the first piece goes: an upper centre hole, or anywhere",
            },
            OptionSpec { name: "pieces", values: &["4", "3", "2"], help: "pieces a side" },
        ],
        build: |options| {
            let pieces = options.get("pieces");
            let variant: &[_] = match pieces {
                "4" => &[],
                _ => &[("pieces", pieces)],
            };
            let game = Simpei::new(options.number("pieces"), options.get("first") == "free");
            Box::new(TwoPlayer::new(game, "simpei", variant))
        },
    },
    Entry {
        name: "threerow",
        title: "Three-player three-in-a-row",
        options: &[
            OptionSpec {
                name: "rows",
                values: &["4", "3", "5", "6", "7"],
                help: "rows of the board",
            },
            OptionSpec {
                name: "columns",
                values: &["4", "3", "5", "6", "7"],
                help: "columns of the board",
            },
            OptionSpec {
                name: "meaning",
                values: ThreeRow::MEANINGS,
                help: "what best play means: who can force a win, who can avoid a loss, what \
                       happens if players 1, 2 and 3 prefer these opponents, what may happen",
            },
        ],
        build: |options| Box::new(ThreeRow::from_options(options)),
    },
    Entry {
        name: "doubutsu",
        title: "Doubutsu Shogi (どうぶつしょうぎ)",
        options: &[
            OptionSpec {
                name: "last_row_chick_drop",
                values: &["allowed", "banned"],
                help: "whether a chick may be dropped on the last row, where it cannot move",
            },
            OptionSpec {
                name: "drops",
                values: &["allowed", "none"],
                help: "whether captured pieces come back into play",
            },
        ],
        build: |options| {
            let rules = doubutsu::Options {
                last_row_chick_drop: options.get("last_row_chick_drop") == "allowed",
                drops: options.get("drops") == "allowed",
            };
            let given = ["last_row_chick_drop", "drops"].map(|name| (name, options.get(name)));
            let variant: Vec<_> =
                given.into_iter().filter(|&(_, value)| value != "allowed").collect();
            Box::new(TwoPlayer::new(Doubutsu::new(rules), "doubutsu", &variant))
        },
    },
    Entry {
        name: "mutorere",
        title: "Mū tōrere",
        options: &[],
        build: |_| Box::new(TwoPlayer::new(MuTorere::default(), "mutorere", &[])),
    },
];

impl Entry {
    /// The game with options given as `name=value`.
    pub fn build(&self, options: &[String]) -> Result<Box<dyn AnyGame>, GameError> {
        Ok((self.build)(&Options::parse(self.options, options)?))
    }
}

/// The game with this name.
pub fn find(name: &str) -> Result<&'static Entry, GameError> {
    GAMES.iter().find(|entry| entry.name == name).ok_or_else(|| GameError::UnknownGame {
        name: name.to_owned(),
        known: GAMES.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", "),
    })
}
