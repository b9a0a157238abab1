//! The games, and the registry that lists them.
//!
//! A game is a file or folder with its rules, index, notation and drawing. Programs see it through
//! [`AnyGame`] and [`AnySolved`], and find it by name with [`find`].

mod any;
pub mod doubutsu;
mod error;
pub mod musashi;
pub mod mutorere;
mod options;
pub mod ostle;
mod registry;
pub mod simpei;
mod store;
pub mod threerow;
mod two_player;

pub use any::{
    Answer, AnyGame, AnySolved, Judgement, Line, MoveAnswer, Report, Sheet, SolveJob, SolveReport,
    VerifyReport,
};
pub use error::GameError;
pub use options::{OptionSpec, Options};
pub use registry::{Entry, GAMES, find};
pub use store::table_path;
pub use two_player::{Find, TwoPlayer};
