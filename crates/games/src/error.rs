//! What can go wrong between a user and a game.

use kanzen_core::NotationError;
use kanzen_solve::SolveError;
use kanzen_table::TableError;
use std::path::PathBuf;

/// Why a request about a game was not answered.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// There is no such game.
    #[error("unknown game '{name}': there are {known}")]
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
    #[error("unknown option '{name}': this game's options are {allowed}")]
    UnknownOption {
        /// What was given.
        name: String,
        /// The options there are.
        allowed: String,
    },
    /// The option cannot have this value.
    #[error("option '{name}' cannot be '{value}': allowed are {allowed}")]
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
    /// The position cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The solve did not finish.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There is no table for the game yet.
    #[error("{game} is not solved in {}: run 'kanzen solve {command}' first", dir.display())]
    NotSolved {
        /// The game.
        game: String,
        /// How to solve it.
        command: String,
        /// Where tables were looked for.
        dir: PathBuf,
    },
    /// This game cannot answer the question.
    #[error("{0}")]
    NoAnswer(String),
}
