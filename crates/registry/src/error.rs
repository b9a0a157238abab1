//! What can go wrong between a user and a game.

use crate::did_you_mean;
use kanzen_analyse::{Kind, ValueError};
use kanzen_core::{Game, NotationError};
use kanzen_solve::SolveError;
use kanzen_table::TableError;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Why a request about a game was not answered.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// There is no such game.
    #[error("unknown game '{name}': there are {known}{}", meant(.name, .known))]
    UnknownGame {
        /// What was asked for.
        name: String,
        /// The games there are.
        known: String,
    },
    /// An option is not of the form name=value.
    #[error("option '{0}' is not of the form name=value")]
    OptionShape(String),
    /// The game has no such option.
    #[error("unknown option '{name}': this game's options are {allowed}{}", meant(.name, .allowed))]
    UnknownOption {
        /// What was given.
        name: String,
        /// The options there are.
        allowed: String,
    },
    /// The option cannot have this value.
    #[error("option '{name}' cannot be '{value}': allowed are {allowed}{}", meant(.value, .allowed))]
    OptionValue {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// The game cannot store so much or so little.
    #[error("{game} cannot be stored with '{wanted}': allowed is {allowed}")]
    Store {
        /// The game.
        game: String,
        /// What was asked for.
        wanted: &'static str,
        /// What is allowed.
        allowed: String,
    },
    /// The game knows no such kind of things to find.
    #[error("cannot find '{kind}': allowed are {known}{}", meant(.kind, .known))]
    UnknownKind {
        /// What was asked for.
        kind: String,
        /// The kinds there are.
        known: String,
    },
    /// The position cannot be read.
    #[error(transparent)]
    Notation(Misread),
    /// The solve did not finish.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A value is not known.
    #[error(transparent)]
    Value(ValueError),
    /// There is no table for the game yet.
    #[error("{game} is not solved in {}", dir.display())]
    NotSolved {
        /// The game.
        game: String,
        /// Its options.
        options: BTreeMap<String, String>,
        /// Where tables were looked for.
        dir: PathBuf,
    },
    /// The machine lacks the memory for an analysis.
    #[error("this needs {} MB of memory, more than there is to spare", bytes.div_ceil(1_000_000))]
    Memory {
        /// How much it needs.
        bytes: u64,
    },
    /// This game cannot answer the question.
    #[error("{0}")]
    NoAnswer(String),
}

/// What a word of a list was meant by another, for the end of an error.
fn meant(word: &str, list: &str) -> String {
    did_you_mean(word, list.split(", ").filter(|known| *known != NONE))
}

/// A list of words without a word.
pub(crate) const NONE: &str = "none";

/// A text that is no position, and positions as the game writes them.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Misread {
    /// What is wrong.
    #[source]
    pub error: NotationError,
    /// A position in each notation that the game reads.
    pub examples: Vec<String>,
}

impl std::fmt::Display for Misread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let error = self.error.to_string();
        // Some errors show one themselves.
        let unsaid = self.examples.iter().filter(|example| !error.contains(&***example));
        let unsaid: Vec<&str> = unsaid.map(String::as_str).collect();
        match unsaid[..] {
            [] => f.write_str(&error),
            _ => write!(f, "{error}; a position is written like {}", unsaid.join(" or ")),
        }
    }
}

impl GameError {
    /// A text is no position of a game.
    pub fn misread<G: Game>(game: &G, error: NotationError) -> GameError {
        GameError::Notation(Misread { error, examples: game.examples() })
    }

    /// There is no such kind among those known.
    pub fn unknown_kind(kind: &str, known: &[Kind]) -> GameError {
        let mut known: Vec<&str> = known.iter().map(|kind| kind.name).collect();
        known.sort_unstable();
        GameError::UnknownKind { kind: kind.to_owned(), known: known.join(", ") }
    }

    /// The arguments with which `kanzen solve` makes the table that is missing.
    pub fn solve_arguments(&self) -> Option<String> {
        let GameError::NotSolved { game, options, .. } = self else { return None };
        let options = options.iter().map(|(name, value)| format!(" -o {name}={value}"));
        Some(game.clone() + &options.collect::<String>())
    }

    /// Whether the game has no answer to the question, so that others can be asked instead.
    pub fn is_no_answer(&self) -> bool {
        matches!(
            self,
            GameError::NoAnswer(_)
                | GameError::Notation(_)
                | GameError::NotSolved { .. }
                | GameError::UnknownKind { .. }
                | GameError::Memory { .. }
                | GameError::Value(ValueError::CensusOnly)
        )
    }
}

impl From<ValueError> for GameError {
    fn from(error: ValueError) -> GameError {
        match error {
            ValueError::Table(error) => GameError::Table(error),
            error => GameError::Value(error),
        }
    }
}
