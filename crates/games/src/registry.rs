//! The list of games: adding a game touches its own file or folder and one entry here.

use crate::any::AnyGame;
use crate::doubutsu::{Doubutsu, FINDS, Options as Rules, Style};
use crate::musashi::{Board, Musashi, NamedMusashi};
use crate::mutorere::MuTorere;
use crate::ostle::NamedOstle;
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
        name: "doubutsu",
        title: "Doubutsu Shogi (どうぶつしょうぎ)",
        options: &[
            OptionSpec {
                name: "last_row_chick_drop",
                values: &["allowed", "banned"],
                help: "whether a chick may be dropped on the enemy's last row",
            },
            OptionSpec {
                name: "drops",
                values: &["allowed", "none"],
                help: "whether captured pieces may be dropped",
            },
            OptionSpec {
                name: "notation",
                values: &["plain", "fen"],
                help: "how positions are written: S/gle/-c-/-C-/ELG/- or gle/1c1/1C1/ELG[-] w",
            },
            OptionSpec {
                name: "moves",
                values: &["letters", "japanese"],
                help: "how moves are written: Cb3xb2 or B2ひよこ",
            },
        ],
        build: |options| {
            let rules = Rules {
                last_row_chick_drop: options.get("last_row_chick_drop") == "allowed",
                drops: options.get("drops") == "allowed",
            };
            let names = ["last_row_chick_drop", "drops"];
            let variant: Vec<_> = names
                .map(|name| (name, options.get(name)))
                .into_iter()
                .filter(|(_, value)| *value != "allowed")
                .collect();
            let style = Style {
                fen: options.get("notation") == "fen",
                japanese: options.get("moves") == "japanese",
            };
            let game = Doubutsu::new(rules).with_style(style);
            Box::new(TwoPlayer::new(game, "doubutsu", &variant).with_finds(FINDS))
        },
    },
    Entry {
        name: "ostle",
        title: "Ostle (オストル)",
        options: &[
            OptionSpec {
                name: "pieces",
                values: &["10", "9", "8"],
                help: "the most pieces on the board; a side has at least 4",
            },
            OptionSpec {
                name: "undo",
                values: &["exact", "symmetric", "allowed"],
                help: "whether a move may bring back the board of one move before: no; no, nor an \
                       image of it, as in the published table; yes",
            },
        ],
        build: |options| Box::new(NamedOstle::from_options(options)),
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
        name: "musashi33",
        title: "Sixteen Musashi (十六むさし), the standard board of 33 points",
        options: &[],
        build: |_| Box::new(NamedMusashi::new(Musashi::new(Board::standard()), "musashi33")),
    },
    Entry {
        name: "musashi31",
        title: "Sixteen Musashi, the board of 31 points",
        options: &[],
        build: |_| Box::new(NamedMusashi::new(Musashi::new(Board::board31()), "musashi31")),
    },
    Entry {
        name: "musashi25",
        title: "Sixteen Musashi, the board of 25 points (八道行成)",
        options: &[],
        build: |_| Box::new(NamedMusashi::new(Musashi::new(Board::board25()), "musashi25")),
    },
    Entry {
        name: "mutorere",
        title: "Mū tōrere",
        options: &[],
        build: |_| Box::new(TwoPlayer::new(MuTorere::default(), "mutorere", &[])),
    },
];

/// A game that takes less than this many seconds is quick to solve.
pub const QUICK_SECONDS: f64 = 60.0;

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
