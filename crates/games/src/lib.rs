//! The games, and the registry that lists them.
//!
//! A game is a file or folder with its rules, index, notation and drawing. Programs see it through
//! [`AnyGame`] and [`AnySolved`], and find it by name with [`find`].

mod any;
mod changes;
pub mod doubutsu;
mod error;
mod finds;
pub mod musashi;
pub mod mutorere;
pub mod opponent;
mod options;
pub mod ostle;
mod prove;
mod registry;
pub mod simpei;
mod store;
pub mod threerow;
mod two_player;

pub use any::{
    Answer, AnyGame, AnySolved, Book, Depth, Entry as BookEntry, Judgement, Line, MoveAnswer,
    Proof, Reply, Report, Sheet, SolveJob, SolveReport, Store, StrategySize, Summary, VerifyReport,
};
pub use changes::{ByValue, Change, Changes};
pub use error::GameError;
pub use kanzen_index::Place;
pub use kanzen_table::Identity;
pub use options::{OptionSpec, Options};
pub use registry::{Entry, GAMES, QUICK_SECONDS, find};
pub use store::table_path;
pub use two_player::{Find, TwoPlayer};
