//! What can go wrong with a request, and the status that it gets: here and nowhere else.

use kanzen_analyse::ValueError;
use kanzen_registry::GameError;

/// Why a request was not answered.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// A parameter or a part of the body is wrong.
    #[error("{message}")]
    Field {
        /// The parameter.
        field: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// A game could not answer.
    #[error("{}", said(.0))]
    Game(#[from] GameError),
    /// There is no such page.
    #[error("there is no such page")]
    Page,
    /// Whoever asks may not do that here.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The body is longer than allowed.
    #[error("the body is too long: {0} bytes are allowed")]
    Long(usize),
    /// The answer took too long, or too many others wait for theirs.
    #[error("the server is busy: try again later")]
    Busy,
    /// A fault of the program.
    #[error("the program has failed: please report what you asked for")]
    Fault,
}

/// What a game says, without the directories of this machine.
fn said(error: &GameError) -> String {
    if let (GameError::NotSolved { game, .. }, Some(arguments)) = (error, error.solve_arguments()) {
        return format!("{game} is not solved here: 'kanzen solve {arguments}' makes its table");
    }
    let name = |word: &str| match word.trim_start_matches(['\'', '"', '(']) {
        path if path.starts_with('/') => path.rsplit('/').next().unwrap_or_default().to_owned(),
        _ => word.to_owned(),
    };
    error.to_string().split(' ').map(name).collect::<Vec<_>>().join(" ")
}

impl Trouble {
    /// A wrong parameter.
    pub fn field(field: &'static str, message: impl Into<String>) -> Trouble {
        Trouble::Field { field, message: message.into() }
    }

    /// The status of the response.
    pub fn status(&self) -> u16 {
        match self {
            Trouble::Field { .. } => 400,
            Trouble::Forbidden(_) => 403,
            Trouble::Page => 404,
            Trouble::Long(_) => 413,
            Trouble::Busy => 503,
            Trouble::Fault => 500,
            Trouble::Game(error) => match error {
                GameError::UnknownGame { .. }
                | GameError::NotSolved { .. }
                | GameError::UnknownKind { .. }
                | GameError::Value(ValueError::CensusOnly)
                | GameError::NoAnswer(_) => 404,
                GameError::OptionShape(_)
                | GameError::UnknownOption { .. }
                | GameError::OptionValue { .. }
                | GameError::Store { .. }
                | GameError::Notation(_) => 400,
                GameError::Solve(_)
                | GameError::Table(_)
                | GameError::Value(_)
                | GameError::Memory { .. } => 503,
            },
        }
    }

    /// The part of the request that is to blame, if one is.
    pub fn blamed(&self) -> Option<&'static str> {
        match self {
            Trouble::Field { field, .. } => Some(field),
            Trouble::Long(_) => Some("body"),
            Trouble::Page | Trouble::Forbidden(_) | Trouble::Busy | Trouble::Fault => None,
            Trouble::Game(error) => match error {
                GameError::UnknownGame { .. } | GameError::NotSolved { .. } => Some("game"),
                GameError::OptionShape(_)
                | GameError::UnknownOption { .. }
                | GameError::OptionValue { .. } => Some("o"),
                GameError::Notation(_) => Some("position"),
                GameError::NoAnswer(_)
                | GameError::Store { .. }
                | GameError::Solve(_)
                | GameError::Table(_)
                | GameError::Value(_)
                | GameError::UnknownKind { .. }
                | GameError::Memory { .. } => None,
            },
        }
    }
}
